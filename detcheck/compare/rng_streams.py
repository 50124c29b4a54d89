"""Generator streams by name: which differ, and how many words apart the two sides are (design: diff, Decide 4)."""

from __future__ import annotations

from dataclasses import replace

from detcheck.compare.diff import Diff
from detcheck.compare.fields import compare_nodes
from detcheck.compare.nodes import leaves, signature
from detcheck.compare.pairing import pair_items
from detcheck.compare.paths import child
from detcheck.compare.rng_forms import TAKEN_NAMES, Stream, counts_draws, stream_of
from detcheck.compare.scalars import ABSENT, PRESENT, same
from detcheck.compare.wording import plural
from detcheck.dumps.names import plain
from detcheck.model.comparison import Finding
from detcheck.model.record import Group, Items, Lanes, Node, Scalar
from detcheck.rng import distance

#: how far one side's generator is stepped, forward and back
MAX_DRAWS = 10_000
#: how deep generators are looked for below a stream's name
MAX_NESTED = 3


def compare_streams(a: dict[str, Node], b: dict[str, Node], diff: Diff) -> None:
    """Report every stream that differs, in the order of side a."""
    for name in {**a, **b}:
        mine, theirs = a.get(name), b.get(name)
        if mine is None or theirs is None:
            face_a, face_b = (ABSENT, _face(theirs)) if mine is None else (_face(mine), ABSENT)
            diff.one_sided(name, face_a, face_b, "field", "a generator stream")
        elif isinstance(mine, Scalar) and isinstance(theirs, Scalar):
            _scalars(name, mine, theirs, diff)
        elif isinstance(mine, (Group, Items)) and isinstance(theirs, (Group, Items)):
            _nodes(name, mine, theirs, diff)
        else:
            compare_nodes(mine, theirs, name, diff, "rng")


def note_counts(diff: Diff) -> None:
    """Say of every count of draws that differs who counts more, of a stream or in a line of a log."""
    diff.found["rng"][:] = map(counted, diff.found["rng"])


def counted(finding: Finding) -> Finding:
    """With a note where it counts draws and nothing else was found out about it."""
    mine, theirs = finding.a.value, finding.b.value
    if (
        finding.note is not None
        or mine == theirs
        or not finding.a.kind == finding.b.kind == "int"
        or not counts_draws(finding.path)
    ):
        return finding
    assert isinstance(mine, int)
    assert isinstance(theirs, int)
    return replace(finding, note=_counts_more(mine, theirs))


def _counts_more(mine: int, theirs: int) -> str:
    return f"{'b' if theirs > mine else 'a'} counts {plural(abs(theirs - mine), 'draw')} more ({mine} / {theirs})"


def _face(node: Node | None) -> Scalar:
    return node if isinstance(node, Scalar) else PRESENT


def _scalars(name: str, a: Scalar, b: Scalar, diff: Diff) -> None:
    if diff.weighs(name, a, b, not same(a, b)):
        mine, theirs = stream_of(a), stream_of(b)
        words = words_apart(mine, theirs)
        if mine.left is not None and theirs.left is not None:
            a, b = _shown(mine), _shown(theirs)
        diff.value(name, a, b, "rng", None if words is None else apart_text(words, mine.kind or ""))


def _nodes(name: str, a: Group | Items, b: Group | Items, diff: Diff, depth: int = 0) -> None:
    """A generator, or generators by name or in a list, each by itself."""
    if diff.watch or depth > MAX_NESTED or stream_of(a).kind is not None or not _holds_streams(a):
        _groups(name, a, b, diff)
    elif isinstance(a, Group) and isinstance(b, Group):
        for inner, mine, theirs in [(n, a.items.get(n), b.items.get(n)) for n in {**a.items, **b.items}]:
            _inner(child(name, inner), mine, theirs, diff, depth)
    elif isinstance(a, Items) and isinstance(b, Items):
        for label, mine, theirs in pair_items(_named(a), _named(b), diff.budget).pairs:
            _inner(f"{name}[{label}]", mine, theirs, diff, depth)
    else:
        _groups(name, a, b, diff)


def _inner(path: str, a: Node | None, b: Node | None, diff: Diff, depth: int) -> None:
    if (isinstance(a, Group) and isinstance(b, Group)) or (isinstance(a, Items) and isinstance(b, Items)):
        _nodes(path, a, b, diff, depth + 1)
    elif isinstance(a, Scalar) and isinstance(b, Scalar):
        _scalars(path, a, b, diff)
    else:
        compare_nodes(a, b, path, diff, "rng")


def _named(items: Items) -> Items:
    """Generators are told apart by their names; an index among their fields is a place in the block."""
    for key in ("name", "id", "stream", "label"):
        names = [one.items.get(key) for one in items.items if isinstance(one, Group)]
        if len({one.text for one in names if isinstance(one, Scalar)}) == len(items.items):
            return Items(items.items, key)
    return items


def _holds_streams(node: Group | Items, depth: int = 1) -> bool:
    """Whether its children hold a generator of a known form."""
    children = node.items.values() if isinstance(node, Group) else node.items
    return any(
        stream_of(one).saved is not None
        or (depth > 0 and not isinstance(one, (Scalar, Lanes)) and _holds_streams(one, 0))
        for one in children
    )


def _groups(name: str, a: Group | Items, b: Group | Items, diff: Diff) -> None:
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
        compare_nodes(a, b, name, diff, "rng")
        return
    diff.compared += leaves(a)
    if words == 0 and mine.saved == theirs.saved:
        if _beside(name, a, b, diff):
            return
        diff.remarks.append(
            f"{name}: the states are equal although the draw counts are {mine.draws} / {theirs.draws}; "
            "the count is information, not state"
        )
    elif words is None:
        note = f"more than {MAX_DRAWS:,} words apart, or seeded unlike ({mine.kind})"
        if mine.draws is not None and theirs.draws is not None and mine.draws != theirs.draws:
            note = f"{_counts_more(mine.draws, theirs.draws)}; {note}"
        diff.value(name, _shown(mine), _shown(theirs), "rng", note)
    elif words:
        diff.value(name, _shown(mine), _shown(theirs), "rng", apart_text(words, mine.kind or ""))


def _beside(name: str, a: Group | Items, b: Group | Items, diff: Diff) -> bool:
    """Whether values beside two equal states differ: the increment of a generator, a number it keeps for later."""
    if not (isinstance(a, Group) and isinstance(b, Group)):
        return False
    unlike = False
    for inner, mine in a.items.items():
        theirs = b.items.get(inner)
        taken = plain(inner) in TAKEN_NAMES or counts_draws(inner)
        if isinstance(mine, Scalar) and isinstance(theirs, Scalar) and not taken and not same(mine, theirs):
            _scalars(child(name, inner), mine, theirs, diff)
            unlike = True
    return unlike


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
