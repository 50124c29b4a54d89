"""What a cause may look at: the first unlike tick of both sides, the equal tick before it, and the tick after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from detcheck.compare.nodes import scalars
from detcheck.compare.paths import segments
from detcheck.compare.scalars import FLOAT_KINDS, delta_ulps, hex_bits, is_zero, text_bits32
from detcheck.model.comparison import Finding
from detcheck.model.record import Group, Items, Lanes, Node, Record, Scalar

#: values of a row that are looked at
MAX_ROW = 24
#: ticks a second whose reciprocal is tried as the length of a tick
RATES = (10, 15, 16, 20, 24, 25, 30, 32, 40, 50, 60, 64, 90, 100, 120, 125, 128, 144, 240, 1000)


@dataclass(frozen=True)
class Evidence:
    """`findings` are those of the first unlike tick; `previous` the equal records before it, where they are known.

    next_equal   whether the tick after it is equal; None when there is none
    truncated    more differs than `findings` holds
    """

    a: Record
    b: Record
    findings: tuple[Finding, ...]
    previous: tuple[Record, Record] | None = None
    next_equal: bool | None = None
    next_pair: tuple[Record, Record] | None = None
    truncated: bool = False

    def of_kind(self, *kinds: str) -> list[Finding]:
        """Findings of these kinds."""
        return [f for f in self.findings if f.kind in kinds]

    def values(self) -> list[Finding]:
        """Findings of state values: two values that are unlike."""
        return self.of_kind("value")

    def only_values(self) -> bool:
        """Whether values (and the hashes that follow from them) are all that differs."""
        return not self.truncated and all(f.kind in ("value", "hash") for f in self.findings)


def as_binary32(finding: Finding) -> tuple[int, int] | None:
    """The binary32 patterns of both sides, of tagged bits or of decimals that are texts of one; None for others."""
    a, b = finding.a, finding.b
    if a.kind == b.kind == "f32" and isinstance(a.value, int) and isinstance(b.value, int):
        return a.value & 0xFFFFFFFF, b.value & 0xFFFFFFFF
    mine, theirs = text_bits32(a), text_bits32(b)
    if mine is None or theirs is None or mine == theirs:
        return None
    return mine, theirs


def ulps(finding: Finding) -> int | None:
    """Distance in the format the value most likely has: binary32 where both texts are such, else as written."""
    bits = as_binary32(finding)
    if bits is not None:
        return delta_ulps(Scalar("f32", bits[0], ""), Scalar("f32", bits[1], ""))
    return delta_ulps(finding.a, finding.b) if is_float(finding) else None


def is_float(finding: Finding) -> bool:
    """Whether both sides are floating-point numbers."""
    return finding.a.kind in FLOAT_KINDS and finding.b.kind in FLOAT_KINDS


def is_any_zero(value: Scalar) -> bool:
    """A zero, also one that is written without a point, as `%g` and JavaScript do."""
    return is_zero(value) or (value.kind == "int" and value.value == 0)


def raw_integers(finding: Finding) -> tuple[int, int] | None:
    """Both sides as integers: int values, or Q16.16 raws."""
    a, b = finding.a, finding.b
    if a.kind == b.kind and a.kind in ("int", "q16") and isinstance(a.value, int) and isinstance(b.value, int):
        return a.value, b.value
    return None


def row_of(record: Record, path: str) -> dict[str, Scalar]:
    """The values beside the one at `path`: of its row, or of the group it stands in. At most MAX_ROW of them."""
    node: Node | None = record.fields
    rest = segments(path)
    row: Node | None = node
    while node is not None and rest and not isinstance(node, Scalar):
        if isinstance(node, Lanes):
            return _lane_row(node, rest[0])
        step = _into_items(node, rest[0]) if isinstance(node, Items) else _into_group(node, rest)
        if step is None:
            break
        node, used = step
        if isinstance(node, Group) and (len(rest) > used):
            row = node if rest[0].partition("=")[2] or rest[0].isdigit() or row is record.fields else row
        rest = rest[used:]
    return _first_values(row)


def _lane_row(lanes: Lanes, row: str) -> dict[str, Scalar]:
    if not row.isdigit() or int(row) >= lanes.rows:
        return {}
    place = int(row)
    return {
        name: Scalar(kind, values[place], str(values[place]))
        for name, (kind, values) in list(lanes.lanes.items())[:MAX_ROW]
    }


def _into_items(items: Items, piece: str) -> tuple[Node, int] | None:
    name, equals, wanted = piece.partition("=")
    if not equals:
        return (items.items[int(piece)], 1) if piece.isdigit() and int(piece) < len(items.items) else None
    for item in items.items:
        value = item.items.get(name) if isinstance(item, Group) else None
        if isinstance(value, Scalar) and value.text == wanted:
            return item, 1
    return None


def _into_group(group: Group, rest: tuple[str, ...]) -> tuple[Node, int] | None:
    """A child by name; names may hold dots, so the longest that fits."""
    for used in range(min(len(rest), 4), 0, -1):
        found = group.items.get(".".join(rest[:used]))
        if found is not None:
            return found, used
    return None


def _first_values(node: Node | None) -> dict[str, Scalar]:
    found: dict[str, Scalar] = {}
    if node is not None:
        for path, value in scalars(node):
            found[path] = value
            if len(found) >= MAX_ROW:
                break
    return found


def nodes_at(record: Record, path: str) -> Iterator[Node]:
    """The nodes on the way to a path of a finding, the outermost first; the last is what stands there."""
    node: Node = record.fields
    rest = segments(path)
    while rest:
        if isinstance(node, Lanes):
            lane = node.lanes.get(".".join(rest[1:]))
            if lane and rest[0].isdigit() and int(rest[0]) < node.rows:
                yield Scalar(lane[0], lane[1][int(rest[0])], str(lane[1][int(rest[0])]))
            return
        if isinstance(node, Scalar):
            return
        step = _into_items(node, rest[0]) if isinstance(node, Items) else _into_group(node, rest)
        if step is None:
            return
        node, rest = step[0], rest[step[1] :]
        yield node


def value_at(record: Record, path: str) -> Scalar | None:
    """The value at a path of a finding, or None."""
    found, wanted = list(nodes_at(record, path)), path != ""
    return found[-1] if wanted and found and isinstance(found[-1], Scalar) else None


def all_floats(record: Record) -> Iterator[Scalar]:
    """Every decimal token of a record's fields."""
    return (value for _, value in scalars(record.fields) if value.kind == "float")


def bits_words(finding: Finding) -> str:
    """`3f000000 / 3f000001`."""
    return f"{hex_bits(finding.a)} / {hex_bits(finding.b)}"


def named(findings: list[Finding], limit: int = 3) -> str:
    """Paths of the first findings, and how many more."""
    from detcheck.errors import visible

    shown = ", ".join(visible(f.path, 80) for f in findings[:limit])
    return shown if len(findings) <= limit else f"{shown} and {len(findings) - limit:,} more"
