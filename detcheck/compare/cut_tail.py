"""A side that stops inside a record: what stands before that is compared, what would come behind is no divergence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from detcheck.compare.keys import detect_key
from detcheck.compare.nodes import record_leaves, signature
from detcheck.compare.options import Options
from detcheck.compare.pairing import aligned_runs
from detcheck.compare.records import diff_records
from detcheck.compare.scalars import same
from detcheck.model.comparison import Finding
from detcheck.model.record import Event, Group, Items, Node, Record, Scalar

_KEEP = 10_000
#: what is missing on that many levels (a row's last fields and the sections behind the row) can only be cut off
_SURE_LEVELS = 2


@dataclass(frozen=True)
class Cut:
    """`side` ends at `line` inside this record; `a` and `b` are the records up to there.

    equal   nothing before the cut differs
    sure    False where a whole record may be meant: a list that is shorter, say
    """

    side: str
    line: int
    a: Record
    b: Record
    equal: bool
    sure: bool = True


def cut_of(a: Record, b: Record, options: Options, before: tuple[Record, Record] | None = None) -> Cut | None:
    """Where one side ends inside its record and the other goes on; None where all that differs stands on both sides.

    A whole value that differs is a divergence, cut or not: the rest of the value must have been cut off. `before` holds
    records of an earlier tick.
    """
    if a.cut is None and b.cut is None and not a.ends and not b.ends:
        return None
    if not diff_records(a, b, options, 1).differing:
        return _surely(a, b)
    for side in ("a", "b"):
        mine, other = (a, b) if side == "a" else (b, a)
        if (mine.cut is None and not mine.ends) or _is_whole(mine, other, before and before[side == "b"]):
            continue
        line, mine, partial = _up_to_cut(mine, other, side, options)
        rest, levels = _clipped(other, mine)
        fields, headers = _without_header(mine.fields, rest.fields, bool(levels or partial))
        if not (levels or headers or partial):
            continue
        if headers:
            mine, levels = replace(mine, fields=fields), levels + headers
            rest = _clipped(other, mine)[0]
        one, two = (mine, rest) if side == "a" else (rest, mine)
        sure = (a if side == "a" else b).cut is not None or levels >= _SURE_LEVELS or not other.ends
        return Cut(side, line, one, two, not diff_records(one, two, options, 1).differing, sure)
    return None


def _is_whole(mine: Record, other: Record, before: Record | None) -> bool:
    """Whether nothing shows that a record is cut: both files end alike, and it holds as much as the other one.

    Or as much as the records before it, where it ends in a whole line.
    """
    if (mine.cut is None) != (other.cut is None):
        return False
    held = record_leaves(mine)
    return held >= record_leaves(other) or (before is not None and held >= record_leaves(before))


def _surely(a: Record, b: Record) -> Cut | None:
    """A record that is certainly not whole, and equal as far as it goes: its reader gives no other one beside it."""
    cut = [side for side, one in (("a", a), ("b", b)) if one.cut is not None and one.cut[1] is one]
    if len(cut) != 1:
        return None
    line = (a.cut or b.cut or (0,))[0]
    return Cut(cut[0], line, a, b, equal=True)


def _up_to_cut(record: Record, other: Record, side: str, options: Options) -> tuple[int, Record, bool]:
    """The line of the cut, the record without the line that is cut, and whether that line was left out.

    A last line that only lacks its newline says what it says.
    """
    if record.cut is None:
        return record.ends, record, False
    line, whole = record.cut
    if other.cut is not None:
        return line, record, False  # neither ends in a newline: so they are written
    with_line = _findings(record, _clipped(other, record)[0], side, options)
    without = {f.path for f in _findings(whole, _clipped(other, whole)[0], side, options)}
    news = [finding for finding in with_line if finding.path not in without]
    if not news or any(_is_real(finding, side) for finding in news):
        return line, record, False
    return line, whole, True


def _findings(cut: Record, other: Record, side: str, options: Options) -> tuple[Finding, ...]:
    a, b = (cut, other) if side == "a" else (other, cut)
    return diff_records(a, b, options, _KEEP).findings


def _is_real(finding: Finding, side: str) -> bool:
    """Two values, neither of them missing, of which one is not the beginning of the other."""
    cut, other = (finding.a, finding.b) if side == "a" else (finding.b, finding.a)
    if finding.kind in ("count", "order") or {cut.kind, other.kind} & {"absent", "present"}:
        return False
    return not (len(cut.text) < len(other.text) and other.text.startswith(cut.text))


def _clipped(record: Record, cut: Record) -> tuple[Record, int]:
    """A record without what stands behind the end of the cut one, and on how many levels something went."""
    fields, levels = _clip_group(record.fields, cut.fields)
    events = _clip_events(record.events, cut.events)
    rng = _common_group(Group(record.rng), Group(cut.rng))
    inputs = None if record.inputs is None or cut.inputs is None else _only_common(record.inputs, cut.inputs)
    lost = events is not record.events or inputs != record.inputs or rng.items != record.rng
    return replace(record, fields=fields, events=events, rng=rng.items, inputs=inputs, cut=None), levels + lost


def _clip(node: Node, cut: Node) -> tuple[Node, int]:
    if isinstance(node, Group) and isinstance(cut, Group):
        return _clip_group(node, cut)
    if isinstance(node, Items) and isinstance(cut, Group) and node.items:
        first, levels = _clip(node.items[0], cut)  # the first of several, and behind it the cut
        return first, levels + (len(node.items) > 1)
    if isinstance(node, Items) and isinstance(cut, Items):
        return _clip_items(node, cut)
    return node, 0


def _clip_group(group: Group, cut: Group) -> tuple[Group, int]:
    """Children up to the last one that the cut side has; that one is clipped too."""
    names = list(group.items)
    last = next((place for place in range(len(names) - 1, -1, -1) if names[place] in cut.items), -1)
    kept = {name: group.items[name] for name in names[: last + 1]}
    levels = int(last + 1 < len(names))
    tail = next(reversed(cut.items), None)
    if tail is not None and tail in kept:
        kept[tail], inner = _clip(kept[tail], cut.items[tail])
        levels += inner
    return (Group(kept), levels) if levels else (group, 0)


def _clip_items(items: Items, cut: Items) -> tuple[Items, int]:
    """Rows up to the last one that the cut side has, by key or by place."""
    key = items.key or cut.key or detect_key(items.items, cut.items)
    place = len(cut.items) - 1
    if key is not None and cut.items:
        last = _value(cut.items[-1], key)
        place = next((i for i, one in enumerate(items.items) if last and _same(_value(one, key), last)), place)
    kept = items.items[: place + 1]
    levels = int(len(kept) < len(items.items))
    if cut.items and kept:
        kept[-1], inner = _clip(kept[-1], cut.items[-1])
        levels += inner
    return (Items(kept, items.key), levels) if levels else (items, 0)


def _without_header(cut: Group, other: Group, surely: bool) -> tuple[Group, int]:
    """The cut side without a last line that only opens a block (`units: 2`), and whether there was one."""
    tail = next(reversed(cut.items), None)
    if tail is None:
        return cut, 0
    node, whole = cut.items[tail], other.items.get(tail)
    if isinstance(node, Scalar):
        if isinstance(whole, Scalar) or (whole is None and not surely):
            return cut, 0
        return Group({name: one for name, one in cut.items.items() if name != tail}), 1
    if isinstance(node, Items) and isinstance(whole, Items) and node.items and whole.items:
        row, last = node.items[-1], whole.items[min(len(node.items), len(whole.items)) - 1]
        if not (isinstance(row, Group) and isinstance(last, Group)):
            return cut, 0
        inner, found = _without_header(row, last, surely)
        return Group({**cut.items, tail: Items([*node.items[:-1], inner], node.key)}) if found else cut, found
    if isinstance(node, Group) and isinstance(whole, Group):
        inner, found = _without_header(node, whole, surely)
        return Group({**cut.items, tail: inner}) if found else cut, found
    return cut, 0


def _value(node: Node, key: str) -> Scalar | None:
    found = node.items.get(key) if isinstance(node, Group) else None
    return found if isinstance(found, Scalar) else None


def _same(a: Scalar | None, b: Scalar) -> bool:
    return a is not None and same(a, b)


def _clip_events(events: list[Event], cut: Sequence[Event]) -> list[Event]:
    """Events up to the one that the last of the cut side is aligned with."""
    mine, theirs = ([(e.label, signature(e.fields)) for e in some] for some in (cut, events))
    end_cut = end = 0
    for start_a, start_b, size in aligned_runs(mine, theirs):
        if size:
            end_cut, end = start_a + size, start_b + size
    length = end + len(cut) - end_cut
    return events[:length] if length < len(events) else events


def _common_group(group: Group, cut: Group) -> Group:
    return Group({name: _only_common(one, cut.items[name]) for name, one in group.items.items() if name in cut.items})


def _only_common(node: Node, cut: Node) -> Node:
    """Generators and inputs without what the cut side lacks: where they stood among the rest is not known."""
    if isinstance(node, Group) and isinstance(cut, Group):
        return _common_group(node, cut)
    if isinstance(node, Items) and isinstance(cut, Items):
        return Items(node.items[: len(cut.items)], node.key)
    return node
