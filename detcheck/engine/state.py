"""The columns of a replay, by lane, and the canonical bytes of every part (design: formats, Canonical state)."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator

from detcheck import numbers, rng
from detcheck.model.schema import LaneRef, TableSpec
from detcheck.scenario.compiled import CompiledScenario

#: array type codes of four bytes, by signedness of the cell
_SIGNED, _UNSIGNED = "i", "I"

_F32_INFINITY = 0x7F800000
_F32_MAGNITUDE = 0x7FFFFFFF
_F32_CANONICAL_NAN = 0x7FC00000


class State:
    """All lanes of all tables as lists of cells (zero bits at start), and the scenario's generator."""

    def __init__(self, compiled: CompiledScenario) -> None:
        self.tables: tuple[TableSpec, ...] = compiled.tables
        self.number = numbers.get(compiled.backend)
        self.rng = rng.make(compiled.rng, compiled.seed)
        self.rows: dict[str, int] = {table.name: table.rows for table in compiled.tables}
        self.lanes: dict[LaneRef, list[int]] = {}
        self.lane_types: dict[LaneRef, str] = {}
        for table in compiled.tables:
            for column in table.columns:
                for lane in range(len(column.lane_names)):
                    ref = LaneRef(table.name, column.name, lane)
                    self.lanes[ref] = [0] * table.rows
                    self.lane_types[ref] = column.lane_type

    def canonical_lane(self, ref: LaneRef) -> list[int]:
        """A copy of one lane's cells, rows in order, every NaN 7fc00000."""
        cells = self.lanes[ref]
        if self.lane_types[ref] != "num" or self.number.number != "f32":
            return list(cells)
        return [_F32_CANONICAL_NAN if (cell & _F32_MAGNITUDE) > _F32_INFINITY else cell for cell in cells]

    def lane_bytes(self, ref: LaneRef) -> bytes:
        """The canonical bytes of one lane: little-endian, four bytes a value, one a bool."""
        kind = self.lane_types[ref]
        cells = self.canonical_lane(ref)
        if kind == "bool":
            return bytes(cells)
        signed = kind == "i32" or (kind == "num" and self.number.number == "q16.16")
        packed = array(_SIGNED if signed else _UNSIGNED, cells)
        if sys.byteorder == "big":
            packed.byteswap()
        return packed.tobytes()

    def part_buffers(self) -> Iterator[tuple[str, bytes]]:
        """(part name, canonical bytes) in canonical order: the generator, then every column as declared."""
        yield "rng", self.rng.save_state()
        for table in self.tables:
            for column in table.columns:
                lanes = range(len(column.lane_names))
                yield (
                    f"{table.name}.{column.name}",
                    b"".join(self.lane_bytes(LaneRef(table.name, column.name, lane)) for lane in lanes),
                )
