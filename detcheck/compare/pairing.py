"""Which item of one list belongs to which of the other: by a key where there is one, else by place.

Pairing by place blames every row after an insertion, so a list is paired by an id-like child wherever all rows of both
sides have one, and otherwise aligned by content when that explains more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import overload

from detcheck.compare.keys import chosen_key
from detcheck.compare.nodes import Budget, TooMuch, signature
from detcheck.compare.scalars import key
from detcheck.model.record import Group, Items, Node, Scalar

#: the most comparisons of one item with another for an alignment; longer lists are aligned by looking ahead
MAX_ALIGN_WORK = 400_000
#: how far a long list is searched for the place where both sides go on alike
LOOK_AHEAD = 32
#: a list of numbers up to this long is a vector: its order is its content
MAX_VECTOR = 4

Pair = tuple[str, Node | None, Node | None]


@dataclass(frozen=True)
class Paired:
    """`pairs` are (label for the path, item of a, item of b) in the order of a, extra ones of b at the end.

    order  (order in a, order in b) as texts when the same rows stand in another order
    key    the child that paired them, None for pairs by place
    """

    pairs: Sequence[Pair]
    key: str | None = None
    order: tuple[str, str] | None = None
    same_content: bool = False


def pair_items(a: Items, b: Items, budget: Budget, told: str | None = None) -> Paired:
    """Pair two lists; by place once the budget is used up. `told` is the key asked for, which is not doubted."""
    name = chosen_key(a, b, told)
    if name is not None:
        return _by_key(name, a.items, b.items)
    if not (a.items and b.items) or len(a.items) == len(b.items) == 1:
        return _by_place(a.items, b.items)
    try:
        return _by_content(a.items, b.items, budget)
    except TooMuch:
        return _by_place(a.items, b.items)


def _by_key(name: str, a: Sequence[Node], b: Sequence[Node]) -> Paired:
    mine, theirs = _labelled(name, a), _labelled(name, b)
    pairs: list[Pair] = [(label, item, theirs.get(label)) for label, item in mine.items()]
    pairs.extend((label, None, item) for label, item in theirs.items() if label not in mine)
    common_a = [label for label in mine if label in theirs]
    common_b = [label for label in theirs if label in mine]
    order = None
    if common_a != common_b:
        order = (_listed(common_a, name), _listed(common_b, name))
    return Paired(tuple(pairs), name, order, same_content=True)


def _labelled(name: str, items: Sequence[Node]) -> dict[str, Node]:
    """Rows by `name=value`; a value met before, and a row without one, stay apart."""
    found: dict[str, Node] = {}
    seen: Counter[str] = Counter()
    for place, item in enumerate(items):
        value = item.items.get(name) if isinstance(item, Group) else None
        label = f"{name}={value.text}" if isinstance(value, Scalar) else str(place)
        seen[label] += 1
        if seen[label] > 1:
            label = f"{label}#{seen[label]}"
        found[label] = item
    return found


def _listed(labels: Sequence[str], name: str) -> str:
    shown = ", ".join(label.removeprefix(f"{name}=") for label in labels[:8])
    return shown if len(labels) <= 8 else f"{shown}, … ({len(labels)})"


class _Places(Sequence[Pair]):
    """The pairs of two lists by place, made one at a time: lists may be very long."""

    def __init__(self, a: Sequence[Node], b: Sequence[Node]) -> None:
        self.a, self.b = a, b

    def __len__(self) -> int:
        return max(len(self.a), len(self.b))

    @overload
    def __getitem__(self, place: int) -> Pair: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Pair]: ...
    def __getitem__(self, place: int | slice) -> Pair | Sequence[Pair]:
        if isinstance(place, slice):
            return [self[i] for i in range(len(self))[place]]
        if place >= len(self):
            raise IndexError(place)
        a = self.a[place] if place < len(self.a) else None
        return str(place), a, self.b[place] if place < len(self.b) else None


def _by_place(a: Sequence[Node], b: Sequence[Node]) -> Paired:
    return Paired(_Places(a, b))


def _by_content(a: Sequence[Node], b: Sequence[Node], budget: Budget) -> Paired:
    """By place, unless rows were put in, left out or shuffled and saying so leaves fewer of them unlike."""
    mine, theirs = _signatures(a, budget), _signatures(b, budget)
    if mine == theirs:
        return _by_place(a, b)
    plain = all(isinstance(item, Scalar) for item in (*a, *b))
    vector = plain and len(a) <= MAX_VECTOR
    if len(a) == len(b) and not vector and Counter(mine) == Counter(theirs):
        grouped = all(isinstance(item, Group) for item in a)
        unlike = next(i for i, (x, y) in enumerate(zip(mine, theirs, strict=True)) if x != y)
        return Paired((), None, (_shown(a, unlike), _shown(b, unlike)), same_content=grouped)
    if plain and len(a) == len(b):
        return _by_place(a, b)
    matches = aligned_runs(mine, theirs)
    by_place = sum(x == y for x, y in zip(mine, theirs, strict=False))
    if sum(size for _, _, size in matches) <= by_place:
        return _by_place(a, b)
    return Paired(tuple(_between(a, b, matches)))


def _signatures(items: Sequence[Node], budget: Budget) -> list[tuple[object, ...]]:
    budget.spend(len(items))
    return [key(item) if isinstance(item, Scalar) else signature(item, budget) for item in items]


def _shown(items: Sequence[Node], start: int) -> str:
    some = items[start : start + 8]
    texts = [item.text if isinstance(item, Scalar) else "{…}" for item in some]
    tail = ", …" if start + 8 < len(items) else ""
    return ("… " if start else "") + ", ".join(texts) + tail


def _work(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """What the alignment costs: it looks at every pair of equal items, and at every item."""
    counts = Counter(b)
    return sum(1 + counts[item] for item in a)


def _greedy(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    """Runs found by looking a little ahead on either side at each mismatch: linear, for long lists."""
    runs: list[tuple[int, int, int]] = []
    i = j = 0
    while i < len(a) and j < len(b):
        start = i
        while i < len(a) and j < len(b) and a[i] == b[j]:
            i, j = i + 1, j + 1
        if i > start:
            runs.append((start, j - (i - start), i - start))
        step_a, step_b = _resync(a, b, i, j)
        i, j = i + step_a, j + step_b
    return runs


def _resync(a: Sequence[Hashable], b: Sequence[Hashable], i: int, j: int) -> tuple[int, int]:
    """The shortest step over what was put in, left out or changed, after which both go on alike."""
    for step in range(1, LOOK_AHEAD):
        if i + step < len(a) and j < len(b) and a[i + step] == b[j]:
            return step, 0
        if i < len(a) and j + step < len(b) and a[i] == b[j + step]:
            return 0, step
        if i + step < len(a) and j + step < len(b) and a[i + step] == b[j + step]:
            return step, step
    return 1, 1


def aligned_runs(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    """Runs of equal items (place in a, place in b, length), rising; equal ends first, then what lies between."""
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    found = [(0, 0, head)]
    middle_a, middle_b = a[head : len(a) - tail], b[head : len(b) - tail]
    if middle_a and middle_b:
        if _work(middle_a, middle_b) <= MAX_ALIGN_WORK:
            matcher = SequenceMatcher(None, middle_a, middle_b, autojunk=False)
            blocks = [(m.a, m.b, m.size) for m in matcher.get_matching_blocks()]
        else:
            blocks = _greedy(middle_a, middle_b)
        found.extend((head + i, head + j, size) for i, j, size in blocks)
    found.append((len(a) - tail, len(b) - tail, tail))
    return found


def _between(a: Sequence[Node], b: Sequence[Node], matches: list[tuple[int, int, int]]) -> list[Pair]:
    """Pairs from runs of equal items: what lies between is paired in order, the rest is missing or extra."""
    pairs: list[Pair] = []
    at_a = at_b = 0
    for start_a, start_b, size in matches:
        while at_a < start_a and at_b < start_b:
            pairs.append((str(at_a), a[at_a], b[at_b]))
            at_a, at_b = at_a + 1, at_b + 1
        pairs.extend((str(i), a[i], None) for i in range(at_a, start_a))
        pairs.extend((str(j), None, b[j]) for j in range(at_b, start_b))
        pairs.extend((str(start_a + i), a[start_a + i], b[start_b + i]) for i in range(size))
        at_a, at_b = start_a + size, start_b + size
    return pairs
