"""Generator streams by name: which differ, and how many words apart the two sides are (design: diff, Decide 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from detcheck.compare.diff import Diff
from detcheck.compare.fields import compare_nodes
from detcheck.compare.nodes import leaves, signature
from detcheck.compare.scalars import ABSENT, PRESENT, same
from detcheck.compare.wording import plural
from detcheck.model.record import Group, Items, Node, Scalar
from detcheck.rng import distance
from detcheck.rng.mt19937 import WORDS, pack_state

#: how far one side's generator is stepped, forward and back
MAX_DRAWS = 10_000
_DRAW_NAMES = ("draws", "draw_count", "drawcount", "calls", "count", "draw", "n")
_WORD_NAMES = ("words", "mt", "state", "block", "key")
_PLACE_NAMES = ("index", "idx", "mti", "pos", "position", "next")
MT19937, SPLITMIX = "mt19937", "splitmix64"


@dataclass(frozen=True)
class Stream:
    """A generator's saved state, where its form is known; `draws` where the dump counts them.

    guessed  the dump does not say which generator it is: only a distance that is found proves it
    """

    kind: str | None = None
    saved: bytes | None = None
    left: int | None = None
    draws: int | None = None
    guessed: bool = False


def compare_streams(a: dict[str, Node], b: dict[str, Node], diff: Diff) -> None:
    """Report every stream that differs, in the order of side a."""
    for name in {**a, **b}:
        mine, theirs = a.get(name), b.get(name)
        if mine is None or theirs is None:
            face_a, face_b = (ABSENT, _face(theirs)) if mine is None else (_face(mine), ABSENT)
            diff.one_sided(name, face_a, face_b, "field", "a generator stream")
        elif isinstance(mine, Scalar) and isinstance(theirs, Scalar):
            _scalars(name, mine, theirs, diff)
        elif isinstance(mine, Group) and isinstance(theirs, Group):
            _groups(name, mine, theirs, diff)
        else:
            compare_nodes(mine, theirs, name, diff, "rng")


def _face(node: Node | None) -> Scalar:
    return node if isinstance(node, Scalar) else PRESENT


def _scalars(name: str, a: Scalar, b: Scalar, diff: Diff) -> None:
    if not diff.wanted(name):
        return
    if diff.ignores(name):
        diff.skip(name, not same(a, b))
        return
    diff.compared += 1
    if name in diff.watch:
        diff.watched[name] = (a, b)
    if not same(a, b):
        words = words_apart(stream_of(a), stream_of(b))
        diff.value(name, a, b, "rng", None if words is None else apart_text(words, SPLITMIX))


def _groups(name: str, a: Group, b: Group, diff: Diff) -> None:
    if diff.watch:
        compare_nodes(a, b, name, diff, "rng")
        return
    if diff.ignores(name):
        diff.skip(name, signature(a) != signature(b))
        return
    if not diff.wanted(name):
        compare_nodes(a, b, name, diff, "rng")
        return
    if signature(a) == signature(b):
        diff.compared += leaves(a)
        return
    mine, theirs = stream_of(a), stream_of(b)
    words = words_apart(mine, theirs)
    known = mine.kind is not None and mine.kind == theirs.kind and not (mine.guessed or theirs.guessed)
    if words is None and not known:
        _unknown(name, a, b, mine, theirs, diff)
        return
    diff.compared += leaves(a)
    if words == 0 and mine.saved == theirs.saved:
        diff.remarks.append(
            f"{name}: the states are equal although the draw counts are {mine.draws} / {theirs.draws}; "
            "the count is information, not state"
        )
    elif words is None:
        note = f"more than {MAX_DRAWS:,} words apart, or seeded unlike ({mine.kind})"
        diff.value(name, _shown(mine), _shown(theirs), "rng", note)
    elif words:
        diff.value(name, _shown(mine), _shown(theirs), "rng", apart_text(words, mine.kind or ""))


def _unknown(name: str, a: Group, b: Group, mine: Stream, theirs: Stream, diff: Diff) -> None:
    """A generator of another kind: its fields one by one, and what its draw counts say."""
    found = diff.found["rng"]
    before = len(found)
    compare_nodes(a, b, name, diff, "rng")
    if mine.draws is not None and theirs.draws is not None and mine.draws != theirs.draws and len(found) > before:
        apart = theirs.draws - mine.draws
        words = f"{'b' if apart > 0 else 'a'} counts {plural(abs(apart), 'draw')} more"
        found[before] = replace(found[before], note=words)


def words_apart(a: Stream, b: Stream) -> int | None:
    """Words that b is ahead of a (negative: behind); None where the states say nothing about it."""
    if a.kind is None or a.kind != b.kind or a.saved is None or b.saved is None:
        return None
    return distance(a.kind, a.saved, b.saved, MAX_DRAWS)


def apart_text(words: int, kind: str) -> str:
    """`b has drawn one word more`, and from what that is known."""
    more = "b" if words > 0 else "a"
    count = "one word" if abs(words) == 1 else f"{abs(words):,} words"
    return f"{more} has drawn {count} more ({kind} stepped from one state to the other)"


def _shown(stream: Stream) -> Scalar:
    """A state too long to print: its draws and what is left of the block, or the 64-bit state itself."""
    pieces = []
    if stream.left is not None:
        pieces.append(f"left {stream.left}")
    elif stream.saved is not None:
        pieces.append(f"state 0x{int.from_bytes(stream.saved, 'little'):016x}")
    if stream.draws is not None:
        pieces.append(plural(stream.draws, "draw"))
    text = ", ".join(pieces)
    return Scalar("str", text, text)


def stream_of(node: Node) -> Stream:
    """What a node says of a generator: mt19937 by its 624 words, splitmix64 by name or, as a guess, by 64 bits."""
    if isinstance(node, Scalar):
        return _stream64(node, None, None)
    if not isinstance(node, Group):
        return Stream()
    draws = next((v for n in _DRAW_NAMES if (v := _integer(node.items.get(n))) is not None), None)
    words = next((w for n in _WORD_NAMES if (w := _words(node.items.get(n))) is not None), None)
    if words is not None:
        left = _left(node, words)
        saved = None if left is None else pack_state([word & 0xFFFFFFFF for word in words[:WORDS]], left)
        return Stream(MT19937, saved, left, draws, guessed=saved is None)
    kind = node.items.get("kind")
    return _stream64(node.items.get("state"), kind.text.lower() if isinstance(kind, Scalar) else None, draws)


def _stream64(state: Node | None, named: str | None, draws: int | None) -> Stream:
    """A state of 64 bits; small numbers are no such state unless the dump says so."""
    number = _integer(state)
    if number is None or named not in (None, SPLITMIX) or not 0 <= number < 1 << 64:
        return Stream(draws=draws)
    if named is None and number < 1 << 40:
        return Stream(draws=draws)
    return Stream(SPLITMIX, number.to_bytes(8, "little"), None, draws, guessed=named is None)


def _integer(node: Node | None) -> int | None:
    if isinstance(node, Scalar) and node.kind in ("int", "hash") and isinstance(node.value, int):
        return node.value
    return None


def _words(node: Node | None) -> list[int] | None:
    """624 words of 32 bits, and perhaps the place of the next one behind them."""
    if not isinstance(node, Items) or len(node.items) not in (WORDS, WORDS + 1):
        return None
    values = [value for item in node.items if (value := _integer(item)) is not None and -(1 << 31) <= value < 1 << 32]
    return values if len(values) == len(node.items) else None


def _left(node: Group, words: list[int]) -> int | None:
    """Words unread in the block: as `left`, or from the index of the next word."""
    left = _integer(node.items.get("left"))
    if left is None:
        index = next((p for n in _PLACE_NAMES if (p := _integer(node.items.get(n))) is not None), None)
        index = words[WORDS] if index is None and len(words) > WORDS else index
        left = None if index is None else WORDS - index
    return left if left is not None and 0 <= left <= WORDS else None
