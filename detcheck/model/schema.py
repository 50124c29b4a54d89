"""Shapes of state: column types, tables, the generator, constants.

A *lane* is one 32-bit cell a row (1 byte for `bool` in canonical bytes): `vec2` has two lanes, x then y.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

#: column type -> the scalar type of its lanes, and the lane names ("" for a scalar)
COLUMN_TYPES: dict[str, tuple[str, tuple[str, ...]]] = {
    "num": ("num", ("",)),
    "vec2": ("num", ("x", "y")),
    "vec3": ("num", ("x", "y", "z")),
    "i32": ("i32", ("",)),
    "u32": ("u32", ("",)),
    "angle": ("angle", ("",)),
    "bool": ("bool", ("",)),
}


@dataclass(frozen=True)
class ColumnSpec:
    """A named column and its type, a key of COLUMN_TYPES."""

    name: str
    type: str

    @property
    def lane_type(self) -> str:
        """The scalar type of each lane: num, i32, u32, angle or bool."""
        return COLUMN_TYPES[self.type][0]

    @property
    def lane_names(self) -> tuple[str, ...]:
        """("x", "y") for a vec2, ("",) for a scalar."""
        return COLUMN_TYPES[self.type][1]


@dataclass(frozen=True)
class TableSpec:
    """A table: `world` (one row), `players`, or a table of `[tables]`, its columns in declared order."""

    name: str
    rows: int
    columns: tuple[ColumnSpec, ...]

    def column(self, name: str) -> ColumnSpec | None:
        """The column of that name, or None."""
        return next((c for c in self.columns if c.name == name), None)


@dataclass(frozen=True)
class LaneRef:
    """One lane of one column: `unit.pos` lane 1 is unit.pos.y."""

    table: str
    column: str
    lane: int


@dataclass(frozen=True)
class RngSpec:
    """The scenario's generator. `x87_precision` is 53 or 24 for mt19937, None for splitmix64."""

    kind: str
    x87_precision: int | None = None

    def __str__(self) -> str:
        return self.kind if self.x87_precision is None else f"{self.kind} x87_precision={self.x87_precision}"


@dataclass(frozen=True)
class Const:
    """An exact constant of a scenario: an integer ("i") or a decimal ("d"). `negative_zero` only for a decimal -0.0."""

    kind: str
    value: Fraction
    negative_zero: bool = False
