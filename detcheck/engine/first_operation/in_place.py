"""Ops in their place: the program cut off after each op, for faults that show only when ops run together.

First each op's own result is looked at, through one added store; where that hides the fault, whole statements are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from detcheck.engine.first_operation.alone import Difference, Result, compared
from detcheck.engine.first_operation.moment import MARK, Lanes, Moment
from detcheck.engine.first_operation.steps import GUARD, STATEMENTS, Step
from detcheck.engine.first_operation.suspect import Outcome, Runner, Stopped
from detcheck.language.ir import Op, Program
from detcheck.language.ops import OPS
from detcheck.model.schema import ColumnSpec, LaneRef, TableSpec


@dataclass(frozen=True)
class Setting:
    """What a program runs after: `earlier` programs of the same tick, from this state."""

    moment: Moment
    earlier: tuple[Program, ...]
    lanes: Lanes
    rng_state: bytes

    def run(
        self,
        runner: Runner,
        program: Program | None,
        probe: tuple[LaneRef, str] | None = None,
        read: Sequence[LaneRef] | None = None,
    ) -> Outcome:
        """The state after the earlier programs and this one; `probe` is an added column and its type, then only it is
        read, `read` else says which lanes are."""
        programs = self.earlier if program is None else (*self.earlier, program)
        tables = self.moment.tables
        if probe is not None:
            tables, read = tuple(_with(table, *probe) for table in tables), probe[:1]
        return runner.run(tables, programs, self.lanes, self.rng_state, read)


@dataclass(frozen=True)
class Unlike:
    """The first cell in which two states differ, or the generator (no lane), or why one stopped. `op` is the last that
    could have written it, where that is known."""

    lane: LaneRef | None
    row: int | None
    expected: Result
    actual: Result
    op: Op | None = None


def unlike(expected: Outcome, actual: Outcome) -> Unlike | None:
    """How two outcomes differ, lanes in canonical order, then the generator."""
    if expected.stopped != actual.stopped:
        stopped = expected.stopped or actual.stopped
        return Unlike(None, stopped.row if stopped else None, expected.stopped, actual.stopped)
    for ref, cells in expected.lanes.items():
        if cells != actual.lanes[ref]:
            row = next(row for row, pair in enumerate(zip(cells, actual.lanes[ref], strict=True)) if pair[0] != pair[1])
            return Unlike(ref, row, cells[row], actual.lanes[ref][row])
    if expected.rng_state != actual.rng_state:
        return Unlike(None, None, expected.rng_state, actual.rng_state)
    return None


def first_op(setting: Setting, suspect: Runner, steps: Sequence[Step]) -> Difference | None:
    """The first op, in list order, whose result differs with all before it; a fold's body shows in the fold."""
    listed = [step for step in steps if step.place.folded is None]
    guard = [step for step in listed if step.place.part == GUARD]
    found = next(filter(None, (_op(setting, suspect, step) for step in guard)), None)
    if found is None and guard and guard[-1].trap is None:
        found = _active_rows(setting, suspect, guard)
    statements = (step for step in listed if step.place.part == STATEMENTS)
    return found or next(filter(None, (_op(setting, suspect, step) for step in statements)), None)


def _op(setting: Setting, suspect: Runner, step: Step) -> Difference | None:
    """The op's result, or the lane it wrote, when the program ends after it."""
    if not step.op.dst:
        lane = step.lane if step.writes else None
        outcome = setting.run(suspect, _ended(step, ()), read=() if lane is None else (lane,))
        if step.trap is None and outcome.stopped is None:
            return compared(step, lane, outcome)
        return _stopped(step, outcome, None)
    probe, (register,) = _probe(step.table), step.op.dst[:1]
    store = Op("store", (), (register,), probe, statement=step.op.statement)
    outcome = setting.run(suspect, _ended(step, (store,)), (probe, step.program.types[register]))
    if step.trap is not None or outcome.stopped is not None:
        return _stopped(step, outcome, probe)
    found = compared(step, probe, outcome)
    return found if found is not None and _probe_holds(setting, suspect, step, probe) else None


def _probe_holds(setting: Setting, suspect: Runner, step: Step, probe: LaneRef) -> bool:
    """Whether a store at that place arrives: of a constant, which no op makes."""
    mark = len(step.program.types)
    ops = (Op("const", (mark,), (), 1), Op("store", (), (mark,), probe))
    kind = step.program.types[step.op.dst[0]]
    marking = replace(_ended(step, ops), types=(*step.program.types, kind))
    outcome = setting.run(suspect, marking, (probe, kind))
    return outcome.stopped is None and all(outcome.lanes[probe][row] == 1 for row in step.rows)


def _ended(step: Step, last: tuple[Op, ...]) -> Program:
    """The step's program up to it, then `last`. A guard's ops run as statements over all rows."""
    program, count = step.program, step.place.index + 1
    if step.place.part == STATEMENTS:
        return replace(program, ops=(*program.ops[:count], *last))
    return replace(program, guard=(), guard_register=None, ops=(*program.guard[:count], *last))


def _stopped(step: Step, outcome: Outcome, probe: LaneRef | None) -> Difference | None:
    """One of the two stopped at this op, or both."""
    expected: Result = None
    actual: Result = outcome.stopped
    if step.trap is not None:
        expected = Stopped(step.trap.reason, step.trap.row, step.trap.op)
        if expected == actual:
            return None
        row: int | None = step.trap.row
        if outcome.stopped is None and probe is not None:
            actual = outcome.lanes[probe][step.trap.row]
    else:
        row = outcome.stopped.row if outcome.stopped and not step.folds else None
        if row is not None and row in step.rows and step.results:
            expected = step.results[list(step.rows).index(row)]
    operands = step.cells(row) if row is not None and row in step.rows else ()
    return Difference(step, row, operands, expected, actual, step.table)


def _active_rows(setting: Setting, suspect: Runner, guard: Sequence[Step]) -> Difference | None:
    """The rows that the guard lets through, as a program that marks them sees them."""
    program = guard[0].program
    step = next(step for step in guard if program.guard_register in step.op.dst)
    mark, probe = len(program.types), _probe(program.table)
    ops = (Op("const", (mark,), (), 1), Op("store", (), (mark,), probe))
    marking = replace(program, ops=ops, types=(*program.types, "bool"))
    outcome = setting.run(suspect, marking, (probe, "bool"))
    return None if outcome.stopped is not None else compared(step, probe, outcome)


def first_statement(setting: Setting, judge: Runner, suspect: Runner, program: Program) -> Unlike | None:
    """The first statement after which the whole state differs, when the program ends there."""
    for number in dict.fromkeys(op.statement for op in program.ops):
        ops = tuple(op for op in program.ops if op.statement <= number)
        cut = replace(program, ops=ops)
        found = unlike(setting.run(judge, cut), setting.run(suspect, cut))
        if found is not None:
            return replace(found, op=next(_writers(ops, found.lane), ops[-1]))
    return None


def _writers(ops: Sequence[Op], lane: LaneRef | None) -> Iterator[Op]:
    """The ops that wrote a lane, or drew, the last one first."""
    for op in reversed(ops):
        if OPS[op.code].draws if lane is None else op.imm == lane and not OPS[op.code].result:
            yield op


def _probe(table: str) -> LaneRef:
    return LaneRef(table, f"{MARK}r", 0)


def _with(table: TableSpec, ref: LaneRef, kind: str) -> TableSpec:
    if table.name != ref.table:
        return table
    return TableSpec(table.name, table.rows, (*table.columns, ColumnSpec(ref.column, kind)))
