"""Emits ops into the list of a program: registers, their types, and what one statement may share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from detcheck.language.constants import convert
from detcheck.language.ir import Op
from detcheck.language.ops import OPS
from detcheck.language.places import Place, Report
from detcheck.model.schema import COLUMN_TYPES, Const, LaneRef
from detcheck.numbers import Backend

#: lane type -> the prefix of its op codes; an angle is a u32 to every op
KINDS = {"num": "num", "i32": "i32", "u32": "u32", "angle": "u32", "bool": "bool"}

#: ops without operands that read what no op of the same statement changes: each is emitted once a statement
_SHARED = ("const", "load", "world", "row", "tick")

Imm = int | str | LaneRef | None


def lane_type_of(type_: str) -> str:
    """The scalar type of a type's lanes."""
    return COLUMN_TYPES[type_][0]


def lane_count(type_: str) -> int:
    """1, or 2 and 3 of vectors."""
    return len(COLUMN_TYPES[type_][1])


@dataclass
class Emitter:
    """One program's ops on one backend. `ops` is the list being written: guard, statements, or a fold's body."""

    backend: Backend
    backend_id: str
    report: Report
    types: list[str] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)
    locals: dict[str, tuple[int, ...]] = field(default_factory=dict)
    statement: int = 0
    _shared: dict[tuple[str, Imm, str], int] = field(default_factory=dict)

    def begin(self, statement: int) -> None:
        """The next statement: what the one before shared may have changed."""
        self.statement = statement
        self._shared = {}

    def op(self, code: str, type_: str, src: Sequence[int], place: Place, imm: Imm = None) -> int:
        """An op with a result of lane type `type_`; gives its register."""
        key = (code, imm, type_)
        if code in _SHARED and key in self._shared:
            return self._shared[key]
        register = len(self.types)
        self.types.append(type_)
        self._append(code, (register,), src, place, imm)
        if code in _SHARED:
            self._shared[key] = register
        return register

    def effect(self, code: str, src: Sequence[int], place: Place, imm: Imm) -> None:
        """An op without a result."""
        self._append(code, (), src, place, imm)

    def _append(self, code: str, dst: tuple[int, ...], src: Sequence[int], place: Place, imm: Imm) -> None:
        assert len(src) == len(OPS[code].params)
        self.ops.append(Op(code, dst, tuple(src), imm, (), self.statement, place.line, place.column))

    def fold(self, code: str, type_: str, body: Sequence[Op], value: int, table: str, place: Place) -> int:
        """A fold over the rows of `table`; `value` is the register of the body to accumulate."""
        register = len(self.types)
        self.types.append(type_)
        self.ops.append(Op(code, (register,), (value,), table, tuple(body), self.statement, *place))
        return register

    def body_begin(self) -> tuple[list[Op], dict[tuple[str, Imm, str], int]]:
        """Start a fold's body: its loads are another table's."""
        saved = self.ops, self._shared
        self.ops, self._shared = [], {}
        return saved

    def body_end(self, saved: tuple[list[Op], dict[tuple[str, Imm, str], int]]) -> list[Op]:
        """The body's ops; emission goes on where it was."""
        body = self.ops
        self.ops, self._shared = saved
        return body

    def const(self, const: Const, type_: str, place: Place) -> int:
        """A constant as a cell; out of the backend's range is a fault at its place."""
        lane_type = lane_type_of(type_)
        try:
            cell = convert(const, lane_type, self.backend)
        except OverflowError as error:
            self.report.add("constant", str(error), place, f"on the backend {self.backend_id}")
            cell = 0
        return self.op("const", lane_type, (), place, cell)

    def cell(self, cell: int, type_: str, place: Place) -> int:
        """A constant that already is a cell."""
        return self.op("const", type_, (), place, cell)

    def whole(self, value: int, place: Place) -> int:
        """0 or 1 as a num."""
        return self.const(Const("i", Fraction(value)), "num", place)

    def unsupported(self, what: str, backends: Sequence[str], place: Place) -> None:
        """A fault for what this backend lacks."""
        message = f"{what} does not exist on {self.backend_id}"
        self.report.add("backend", message, place, f"it needs {' or '.join(backends)}")
