"""Where everything lies in the native executor's one workspace, in words of four bytes.

The state comes first, part by part as it is hashed: lanes one after the other, four bytes a cell, one a bool. Behind it
stand lists and tables the ops read, then registers: constants (one value in every lane), values computed once a
segment, block registers, and columns for values that live across segments.
"""

from __future__ import annotations

from dataclasses import dataclass

from detcheck.errors import DetcheckError
from detcheck.model.schema import LaneRef, TableSpec

#: parts begin on a cache line
_ALIGN_WORDS = 16

#: places are int32
_MOST_WORDS = (1 << 31) - 1

#: words of the generator's saved state
_RNG_WORDS = {"mt19937": 625, "splitmix64": 2}


@dataclass(frozen=True, slots=True)
class Place:
    """Where an operand begins (`word`) and how many bytes further each row is: 4, 1 (bool), or 0 for a register."""

    word: int
    stride: int


@dataclass(frozen=True)
class Part:
    """A hashed part: its name, and its bytes in the workspace."""

    name: str
    start: int
    length: int


@dataclass(frozen=True)
class Lane:
    """One lane of the state: its first byte, rows, lane type."""

    start: int
    rows: int
    kind: str

    @property
    def size(self) -> int:
        """Bytes a cell."""
        return 1 if self.kind == "bool" else 4

    @property
    def place(self) -> Place:
        """As an operand that advances with the rows; a bool column is a part of its own, so it begins on a word."""
        return Place(self.start // 4, self.size)

    @property
    def whole(self) -> Place:
        """As an operand that is the whole column."""
        return Place(self.start // 4, 0)


class Layout:
    """Hands out the workspace from its beginning. `lanes` is the width of a register, at most one block."""

    def __init__(self, tables: tuple[TableSpec, ...], rng_kind: str, block: int) -> None:
        self.words = 0
        self.parts: list[Part] = []
        self.lane: dict[LaneRef, Lane] = {}
        self.rows = {table.name: table.rows for table in tables}
        widest = max(self.rows.values(), default=1)
        # a register of a small table is small: at 2 KB apart few of them would share the cache's sets
        self.lanes = min(block, _aligned(max(1, widest)))
        self.rng = self.take(_RNG_WORDS[rng_kind])
        self.parts.append(Part("rng", self.rng * 4, _RNG_WORDS[rng_kind] * 4))
        self.players = self.players_bytes = 0
        for table in tables:
            start = self.words
            for column in table.columns:
                self._column(table, column.name, column.lane_type, len(column.lane_names))
            if table.name == "players":
                self.players, self.players_bytes = start, (self.words - start) * 4
        self._constants: dict[int, int] = {}

    def take(self, words: int) -> int:
        """The first word of a fresh range of `words`, on a cache line. Raises DetcheckError `native.memory`."""
        start = self.words
        self.words += _aligned(words)
        if self.words > _MOST_WORDS:
            raise DetcheckError(
                "native.memory",
                f"the native executor would need more than {_MOST_WORDS >> 18} MiB for this scenario",
                hint="use fewer rows, or --executor reference",
            )
        return start

    def _column(self, table: TableSpec, column: str, kind: str, lanes: int) -> None:
        size = 1 if kind == "bool" else 4
        start = self.take((table.rows * lanes * size + 3) // 4) * 4
        self.parts.append(Part(f"{table.name}.{column}", start, table.rows * lanes * size))
        for lane in range(lanes):
            ref = LaneRef(table.name, column, lane)
            self.lane[ref] = Lane(start + lane * table.rows * size, table.rows, kind)

    def constant(self, cell: int) -> Place:
        """The register that holds `cell` in every lane; the same one for equal bits."""
        bits = cell & 0xFFFFFFFF
        if bits not in self._constants:
            self._constants[bits] = self.take(self.lanes)
        return Place(self._constants[bits], 0)

    @property
    def constants(self) -> dict[int, int]:
        """Bits of each constant -> its register's first word."""
        return self._constants


def _aligned(words: int) -> int:
    return -(-words // _ALIGN_WORDS) * _ALIGN_WORDS
