"""Programs of one op: columns in, the op, a column out, over the rows and through the guard it had in its program.

What the executor could treat in a way of its own stays as it was: a constant is a constant, what is the same for all
rows comes from world, the lane an op names is that lane, only active rows run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from detcheck.engine.first_operation.moment import MARK, Lanes, Moment, lane_type, rows_of
from detcheck.engine.first_operation.steps import Step
from detcheck.engine.first_operation.suspect import Outcome, Runner
from detcheck.language.ir import Op, Program
from detcheck.language.ops import OPS
from detcheck.model.schema import ColumnSpec, LaneRef, TableSpec

#: the table a fold alone runs over
FOLDED = f"{MARK}fold"


@dataclass
class Bench:
    """A program in the making. `rows` are those that run; the others are held back by a guard."""

    moment: Moment
    step: Step
    rows: Sequence[int]
    ops: list[Op] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    added: dict[str, list[ColumnSpec]] = field(default_factory=dict)
    lanes: Lanes = field(default_factory=dict)
    named: list[LaneRef] = field(default_factory=list)
    folded_rows: int | None = None

    @property
    def own_rows(self) -> int:
        """Rows of the table the op runs over."""
        return rows_of(self.moment)[self.step.table]

    def column(self, name: str, kind: str, cells: list[int], table: str | None = None) -> LaneRef:
        """Add a column to the own table, or another one."""
        ref = LaneRef(table or self.step.table, MARK + name, 0)
        self.added.setdefault(ref.table, []).append(ColumnSpec(ref.column, kind))
        self.lanes[ref] = cells
        return ref

    def spread(self, name: str, kind: str, cells: Sequence[int]) -> LaneRef:
        """Add a column that holds one cell for each row that runs."""
        column = [0] * self.own_rows
        for row, cell in zip(self.rows, cells, strict=True):
            column[row] = cell
        return self.column(name, kind, column)

    def op(self, code: str, src: tuple[int, ...], kind: str | None, imm: int | str | LaneRef | None = None) -> int:
        """Append an op; gives its register, -1 without a result."""
        dst = () if kind is None else (self.register(kind),)
        self.ops.append(self._placed(Op(code, dst, src, imm)))
        return dst[0] if dst else -1

    def register(self, kind: str) -> int:
        """A fresh register."""
        self.types.append(kind)
        return len(self.types) - 1

    def load(self, ref: LaneRef, kind: str) -> int:
        """Load of a lane of the own table."""
        return self.op("load", (), kind, ref)

    def out(self, name: str, register: int) -> LaneRef:
        """Store a register into a new column, to be read."""
        ref = self.column(name, self.types[register], [0] * self.own_rows)
        self.op("store", (register,), None, ref)
        return ref

    def name(self, ref: LaneRef, cells: list[int]) -> None:
        """Have a lane of the moment with these cells."""
        self.named.append(ref)
        self.lanes[ref] = cells

    def run(self, runner: Runner, read: Sequence[LaneRef]) -> Outcome:
        """Run it on an executor; `read` are the lanes wanted."""
        guard: tuple[Op, ...] = ()
        register = None
        if self.step.sparse or len(self.rows) != self.own_rows:
            on = self.spread("on", "bool", [1] * len(self.rows))
            register = self.register("bool")
            guard = (self._placed(Op("load", (register,), (), on, statement=-1)),)
        program = Program(
            self.step.program.name,
            self.step.table,
            guard,
            register,
            tuple(self.ops),
            tuple(self.types),
            self.step.program.file,
            self.step.program.lines,
        )
        return runner.run(self._tables(), [program], self.lanes, self.step.rng_before, read)

    def _placed(self, op: Op) -> Op:
        return replace(op, line=self.step.op.line, column=self.step.op.column)

    def _tables(self) -> list[TableSpec]:
        """World, the own table, and what the op names: of them only the columns that are used."""
        wanted = {(ref.table, ref.column) for ref in self.named}
        places = {ref.table for ref in self.named} | {"world", self.step.table} | _table_named(self.step.op)
        tables = []
        for table in self.moment.tables:
            if table.name in places:
                kept = [column for column in table.columns if (table.name, column.name) in wanted]
                tables.append(TableSpec(table.name, table.rows, (*kept, *self.added.get(table.name, ()))))
        if self.folded_rows is not None:
            tables.append(TableSpec(FOLDED, self.folded_rows, tuple(self.added.get(FOLDED, ()))))
        return tables


def _table_named(op: Op) -> set[str]:
    return {op.imm} if isinstance(op.imm, str) and OPS[op.code].group != "fold" else set()


def with_operands(moment: Moment, step: Step, rows: Sequence[int] | None = None) -> tuple[Bench, tuple[int, ...]]:
    """A bench with the step's operands in registers; `rows` are the first of the step's, all when None."""
    bench = Bench(moment, step, step.rows if rows is None else rows)
    if step.folds:
        return bench, ()
    constants, uniform = origins(step.program)
    registers = []
    for position, source in enumerate(step.op.src):
        kind, cells = step.program.types[source], step.operands[position][: len(bench.rows)]
        if source in constants:
            registers.append(bench.op("const", (), kind, constants[source]))
        elif source in uniform and cells:
            registers.append(bench.op("world", (), kind, bench.column(f"u{position}", kind, [cells[0]], "world")))
        else:
            registers.append(bench.load(bench.spread(f"a{position}", kind, cells), kind))
    return bench, tuple(registers)


def with_op(moment: Moment, step: Step, rows: Sequence[int] | None = None) -> tuple[Bench, tuple[LaneRef, ...]]:
    """A bench that runs the step's op on its operands, and the lanes to read: its result, or the lane it writes."""
    bench, sources = with_operands(moment, step, rows)
    if isinstance(step.op.imm, LaneRef):
        bench.name(step.op.imm, step.met)
    kind = step.program.types[step.op.dst[0]] if step.op.dst else None
    result = bench.op(step.op.code, sources, kind, step.op.imm)
    if kind is not None:
        return bench, (bench.out("r", result),)
    return bench, (step.lane,) if step.writes else ()


def with_fold(moment: Moment, step: Step, count: int) -> tuple[Bench, tuple[LaneRef, ...]]:
    """A bench that folds the first `count` of the values that the step's body gave."""
    bench = Bench(moment, step, step.rows, folded_rows=count)
    (source,), (target,) = step.op.src, step.op.dst
    values = bench.column("v", step.program.types[source], list(step.operands[0][:count]) if count else [], FOLDED)
    body = replace(step.op, code="load", dst=(bench.register(step.program.types[source]),), src=(), imm=values, body=())
    result = bench.register(step.program.types[target])
    bench.ops.append(replace(step.op, dst=(result,), src=body.dst, imm=FOLDED, body=(body,)))
    return bench, (bench.out("r", result),)


def origins(program: Program) -> tuple[dict[int, int], set[int]]:
    """The registers that are constants, and those that are the same for all rows (constants among them)."""
    constants: dict[int, int] = {}
    uniform: set[int] = set()
    for op in (*program.guard, *program.ops):
        for inner in (*op.body, op):
            if inner.code == "const" and isinstance(inner.imm, int):
                constants.update(dict.fromkeys(inner.dst, inner.imm))
        same = op.code == "world" or OPS[op.code].group == "fold"
        computed = bool(op.src) and not OPS[op.code].draws and all(register in uniform for register in op.src)
        if same or computed or op.code == "const":
            uniform.update(op.dst)
        uniform.update(r for inner in op.body if inner.code in ("const", "world") for r in inner.dst)
    return constants, uniform


def lane_of_type(moment: Moment, step: Step) -> str:
    """The scalar type of what a step gives: its result's, or that of the lane it writes."""
    return step.program.types[step.op.dst[0]] if step.op.dst else lane_type(moment, step.lane)
