"""The reference executor: a plain walk over the op list, one op at a time over the active rows in order.

This is the executable specification (design: scenarios, How it runs). It favours being obviously right over speed:
cells are plain integers, a register is the list of its cells, one for each active row, and every op is one entry of one
table. Since ops run one after the other and rows in order, the first trap met is the one to report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from detcheck.engine.draws import draw_ops
from detcheck.engine.inputs import PlayerScript
from detcheck.engine.integers import to_i32, to_u32
from detcheck.engine.observed import Observed
from detcheck.engine.scalars import scalar_ops
from detcheck.engine.state import State
from detcheck.engine.traps import trap_error
from detcheck.errors import Interrupted, Trap, TrapError
from detcheck.language.ir import Op, Program
from detcheck.language.ops import OPS
from detcheck.model.schema import LaneRef
from detcheck.scenario.compiled import CompiledScenario

#: told of every op after it ran: (program, op, rows, operands by source register, result cells)
Tracer = Callable[[Program, Op, Sequence[int], tuple[list[int], ...], list[int]], None]


class Walker:
    """Runs programs over a state, the plain way. `tracer` only looks: it changes nothing that follows."""

    def __init__(self, state: State, tracer: Tracer | None = None) -> None:
        self.state = state
        self.tracer = tracer
        self.functions = {**scalar_ops(state.number), **draw_ops(state.rng, state.number)}

    def run(self, program: Program, tick: int) -> None:
        """One system or setup program at `tick`. Raises TrapError; the state is then not to be used further."""
        rows: Sequence[int] = range(self.state.rows[program.table])
        if program.guard_register is not None and rows:
            guard = Pass(self, program, tick, program.table, rows)
            guard.run(program.guard)
            flags = guard.registers[program.guard_register]
            rows = [row for row, flag in zip(rows, flags, strict=True) if flag]
        if rows:  # without an active row nothing draws, traps or folds
            Pass(self, program, tick, program.table, rows).run(program.ops)


class Pass:
    """Ops over some rows of one table: a guard, the statements of a program, or the body of a fold."""

    def __init__(self, walker: Walker, program: Program, tick: int, table: str, rows: Sequence[int]) -> None:
        self.walker = walker
        self.state = walker.state
        self.program = program
        self.tick = tick
        self.table = table
        self.rows = rows
        self.folded: str | None = None
        self.registers: dict[int, list[int]] = {}

    def run(self, ops: Sequence[Op]) -> None:
        """Every op in order."""
        for op in ops:
            results = _HANDLERS[op.code](self, op)
            for register in op.dst:
                self.registers[register] = results
            if self.walker.tracer is not None:
                operands = tuple(self.registers[register] for register in op.src if register in self.registers)
                self.walker.tracer(self.program, op, self.rows, operands, results)

    def operands(self, op: Op) -> Iterator[tuple[int, ...]]:
        """The op's operand cells, row by row."""
        if not op.src:
            return iter([()] * len(self.rows))
        return zip(*(self.registers[register] for register in op.src), strict=True)

    def trap(self, reason: str, op: Op, row: int, operands: tuple[int, ...]) -> TrapError:
        """The error of a trap of `op` at `row`."""
        return trap_error(
            reason,
            self.program,
            op,
            row,
            operands,
            tick=self.tick,
            number=self.state.number,
            tables=self.state.tables,
            folded=self.folded,
        )


def _each(run: Pass, op: Op) -> list[int]:
    """A scalar op or a draw: its function on every row's cells, rows ascending."""
    function = run.walker.functions[op.code]
    results = []
    for row, cells in zip(run.rows, run.operands(op), strict=True):
        try:
            results.append(function(*cells))
        except Trap as trap:
            raise run.trap(trap.reason, op, row, cells) from None
    return results


def _const(run: Pass, op: Op) -> list[int]:
    assert isinstance(op.imm, int)
    return [op.imm] * len(run.rows)


def _row(run: Pass, op: Op) -> list[int]:
    return list(run.rows)


def _tick(run: Pass, op: Op) -> list[int]:
    return [run.tick] * len(run.rows)


def _lane(run: Pass, op: Op) -> list[int]:
    assert isinstance(op.imm, LaneRef)
    return run.state.lanes[op.imm]


def _load(run: Pass, op: Op) -> list[int]:
    cells = _lane(run, op)
    return [cells[row] for row in run.rows]


def _world(run: Pass, op: Op) -> list[int]:
    return [_lane(run, op)[0]] * len(run.rows)


def _gather(run: Pass, op: Op) -> list[int]:
    cells = _lane(run, op)
    return [cells[index] for index in _checked(run, op, len(cells))]


def _check_index(run: Pass, op: Op) -> list[int]:
    assert isinstance(op.imm, str)
    _checked(run, op, run.state.rows[op.imm])
    return []


def _checked(run: Pass, op: Op, rows: int) -> list[int]:
    indices = run.registers[op.src[0]]
    for row, index in zip(run.rows, indices, strict=True):
        if not 0 <= index < rows:
            raise run.trap("index", op, row, (index,))
    return indices


def _store(run: Pass, op: Op) -> list[int]:
    cells = _lane(run, op)
    for row, cell in zip(run.rows, run.registers[op.src[0]], strict=True):
        cells[row] = cell
    return []


def _scatter(run: Pass, op: Op) -> list[int]:
    assert isinstance(op.imm, LaneRef)
    cells = _lane(run, op)
    wrap = to_i32 if run.state.lane_types[op.imm] == "i32" else to_u32
    sign = 1 if op.code == "scatter.add" else -1
    for index, value in run.operands(op):
        cells[index] = wrap(cells[index] + sign * value)
    return []


def _fold(run: Pass, op: Op) -> list[int]:
    """The body over all rows of the folded table, then acc = op(acc, value) from row 0 up.

    sum and count begin at zero, so that an empty table's is zero; min and max begin at row 0's value.
    """
    assert isinstance(op.imm, str)
    rows = range(run.state.rows[op.imm])
    how = op.code.removeprefix("fold.")
    values: Iterator[int] = iter(())
    if rows:
        body = Pass(run.walker, run.program, run.tick, op.imm, rows)
        body.folded = op.imm
        body.run(op.body)
        values = iter(body.registers[op.src[0]])
    elif how in ("min", "max"):
        raise run.trap("fold_empty", op, run.rows[0], ())
    if how == "count":
        return [sum(values)] * len(run.rows)
    kind = run.program.types[op.dst[0]]
    combine = run.walker.functions[f"{kind}.{'add' if how == 'sum' else how}"]
    accumulator = next(values) if how in ("min", "max") else 0
    for value in values:
        accumulator = combine(accumulator, value)
    return [accumulator] * len(run.rows)


_STATE_HANDLERS: dict[str, Callable[[Pass, Op], list[int]]] = {
    "const": _const,
    "row": _row,
    "tick": _tick,
    "load": _load,
    "world": _world,
    "gather.i32": _gather,
    "gather.u32": _gather,
    "check_index.i32": _check_index,
    "check_index.u32": _check_index,
    "store": _store,
    "scatter.add": _scatter,
    "scatter.sub": _scatter,
}

_GROUP_HANDLERS = {"num": _each, "trig": _each, "int": _each, "draw": _each, "fold": _fold}

#: op code -> what runs it over the active rows; gives the cells of its result (none for an op without one)
_HANDLERS: dict[str, Callable[[Pass, Op], list[int]]] = {
    code: _STATE_HANDLERS[code] if spec.group == "state" else _GROUP_HANDLERS[spec.group] for code, spec in OPS.items()
}


class ReferenceExecutor(Observed):
    """One replay in progress on the plain walk (the Executor protocol)."""

    name = "reference"

    def __init__(self, compiled: CompiledScenario, tracer: Tracer | None = None) -> None:
        self.compiled = compiled
        self.tick = 0
        self.state = State(compiled)
        self.number = self.state.number.number
        self.walker = Walker(self.state, tracer)
        self._players = _PlayerRows(self.state, compiled)

    def setup(self, stop: Callable[[], bool] | None = None) -> None:
        """Run the setup programs in file order; the tick stays 0. Raises TrapError, or Interrupted between programs."""
        for program in self.compiled.setup:
            if stop is not None and stop():
                raise Interrupted
            self.run_program(program)

    def stand(self, lanes: Mapping[LaneRef, list[int]], rng_state: bytes) -> None:
        """Take over cells and the generator's saved state, instead of setup."""
        for ref, cells in lanes.items():
            self.state.lanes[ref][:] = cells
        self.state.rng.load_state(rng_state)

    def advance(self, ticks: int, stop: Callable[[], bool] | None = None) -> None:
        """Complete `ticks` more ticks: players' rows, systems, then the counter."""
        for _ in range(ticks):
            if stop is not None and stop():
                raise Interrupted
            self._players.set(self.tick)
            for program in self.compiled.systems:
                self.run_program(program)
            self.tick += 1

    def run_program(self, program: Program) -> None:
        """One program at the current tick."""
        self.walker.run(program, self.tick)


class _PlayerRows:
    """Sets the players' rows from the script at the start of each tick.

    Programs may have written to these columns too, so the script's own image is kept and laid over them whole.
    """

    def __init__(self, state: State, compiled: CompiledScenario) -> None:
        self._state = state
        self._script = PlayerScript(compiled)
        self._image = {ref: list(cells) for ref, cells in state.lanes.items() if ref.table == "players"}

    def set(self, tick: int) -> None:
        for ref, row, cell in self._script.changes(tick):
            self._image[ref][row] = cell
        for ref, cells in self._image.items():
            self._state.lanes[ref][:] = cells
