"""One op alone: the operands the reference had, given to another executor, and what it makes of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from detcheck.engine.first_operation.bench import Bench, lane_of_type, with_fold, with_op, with_operands
from detcheck.engine.first_operation.moment import Moment
from detcheck.engine.first_operation.steps import Step
from detcheck.engine.first_operation.suspect import Outcome, Runner, Stopped
from detcheck.model.schema import LaneRef

#: a cell, why there is none, or the generator's state after a draw
Result = int | Stopped | bytes | None


@dataclass(frozen=True)
class Difference:
    """The lowest row whose operands agree and whose results do not.

    row        of `table`; for a fold the folded row at which the accumulators part
    operands   cells of that row by source register; for a fold the accumulator before, and the row's value
    lane       the lane that holds the results, where the op writes to the state
    """

    step: Step
    row: int | None
    operands: tuple[int, ...]
    expected: Result
    actual: Result
    table: str
    lane: LaneRef | None = None


class Alone:
    """Tries ops of a moment on two executors; `judge` is the reference."""

    def __init__(self, moment: Moment, judge: Runner, suspect: Runner) -> None:
        self.moment = moment
        self.judge = judge
        self.suspect = suspect

    def difference(self, step: Step) -> Difference | None:
        """Where the suspect's result of this op alone differs, if it does, and if it is the op that is at fault."""
        if step.folds:
            return self._fold(step)
        bench, read = with_op(self.moment, step)
        found = self._judged(step, read, bench.run(self.suspect, read))
        return found if found is not None and self._trusted(step) else None

    def _judged(self, step: Step, read: tuple[LaneRef, ...], outcome: Outcome) -> Difference | None:
        if step.trap is not None:
            return self._trap(step, read, outcome)
        if outcome.stopped is not None:
            return self._lower(step, outcome.stopped)
        return compared(step, read[0] if read else None, outcome)

    def _trap(self, step: Step, read: tuple[LaneRef, ...], outcome: Outcome) -> Difference | None:
        assert step.trap is not None
        row = step.trap.row
        expected = Stopped(step.trap.reason, row, step.trap.op)
        if outcome.stopped is not None and outcome.stopped.reason == expected.reason:
            return None
        actual: Result = outcome.stopped
        if actual is None and step.op.dst:
            actual = outcome.lanes[read[0]][row]
        return Difference(step, row, step.cells(row), expected, actual, step.table)

    def _lower(self, step: Step, stopped: Stopped) -> Difference:
        """The suspect stopped: at a row, unless a lower one differs too."""
        row = self._stopping_row(step) if stopped.row is None else stopped.row
        lower = [r for r in step.rows if r < row]
        if lower and not step.writes:
            bench, read = with_op(self.moment, step, lower)
            outcome = bench.run(self.suspect, read)
            found = None
            if outcome.stopped is None:
                found = compared(replace(step, rows=lower), read[0] if read else None, outcome, whole=False)
            if found is not None:
                return replace(found, step=step)
        expected: Result = step.results[list(step.rows).index(row)] if step.results else None
        return Difference(step, row, step.cells(row), expected, stopped, step.table)

    def _stopping_row(self, step: Step) -> int:
        """The row at which an executor stops that does not say so: the last of the fewest rows with which it does."""
        low, high = 0, len(step.rows)
        while high - low > 1:
            middle = (low + high) // 2
            bench, read = with_op(self.moment, step, step.rows[:middle])
            stops = bench.run(self.suspect, read).stopped is not None
            low, high = (low, middle) if stops else (middle, high)
        return step.rows[high - 1]

    def _trusted(self, step: Step) -> bool:
        """Whether columns in and out are right where the op is left out, so that the op is what differs.

        A load is tried by a store of a constant, which needs none.
        """
        if step.writes or step.trap is not None:
            return True
        kind = lane_of_type(self.moment, step) if step.results else None
        bench, sources = with_operands(self.moment, step)
        wanted: dict[LaneRef, list[int]] = {}
        if step.op.code in ("load", "const", "world", "row"):
            assert kind is not None
            wanted[bench.out("c", bench.op("const", (), kind, 1))] = [1] * len(step.rows)
        else:
            for position, register in enumerate(sources):
                wanted[bench.out(f"p{position}", register)] = step.operands[position]
            if kind is not None:
                wanted[bench.out("e", bench.load(bench.spread("x", kind, step.results), kind))] = step.results
        return _comes_back(bench, self.suspect, wanted)

    # Folds.

    def _fold(self, step: Step) -> Difference | None:
        values = len(step.operands[0]) if step.operands else 0
        expected, actual = self._folded(step, values)
        if expected == actual:
            return None
        if isinstance(expected, Stopped) or not values:
            return Difference(step, None, (), expected, actual, str(step.op.imm))
        return self._parting(step, values)

    def _folded(self, step: Step, count: int) -> tuple[Result, Result]:
        """Both executors' fold of the first values, as the lowest active row gets it."""
        found = []
        for runner in (self.judge, self.suspect):
            bench, read = with_fold(self.moment, step, count)
            outcome = bench.run(runner, read)
            stopped = outcome.stopped
            cell = outcome.lanes[read[0]][step.rows[0]] if stopped is None else Stopped(stopped.reason, 0, "")
            found.append(cell)
        return found[0], found[1]

    def _parting(self, step: Step, high: int) -> Difference:
        """Two neighbouring counts, the fold of the fewer equal, of the more unlike: the row between them."""
        low = 0
        while high - low > 1:
            middle = (low + high) // 2
            expected, actual = self._folded(step, middle)
            low, high = (middle, high) if expected == actual else (low, middle)
        expected, actual = self._folded(step, high)
        before = self._folded(step, low)[0] if low else None
        value = step.operands[0][high - 1]
        operands = (before, value) if isinstance(before, int) else (value,)
        return Difference(step, high - 1, operands, expected, actual, str(step.op.imm))


def compared(step: Step, lane: LaneRef | None, outcome: Outcome, whole: bool = True) -> Difference | None:
    """The first row at which what an executor left in `lane` is not what the reference has; then the generator.

    With `whole` a written lane is compared in all its rows, and the generator after all draws.
    """
    if lane is not None and step.writes:
        return _written(step, lane, outcome.lanes[lane])
    if lane is not None:
        cells = outcome.lanes[lane]
        for row, expected in zip(step.rows, step.results, strict=False):
            if cells[row] != expected:
                return Difference(step, row, step.cells(row), expected, cells[row], step.table)
    if whole and step.draws and outcome.rng_state != step.rng_after:
        last = step.rows[-1]
        return Difference(step, last, step.cells(last), step.rng_after, outcome.rng_state, step.table)
    return None


def _written(step: Step, lane: LaneRef, cells: list[int]) -> Difference | None:
    """The first unlike row of a written lane, with the operands that went there."""
    for row, (expected, actual) in enumerate(zip(step.left, cells, strict=True)):
        if expected != actual:
            sources = step.rows if step.op.code == "store" else step.operands[0]
            at = next((i for i, target in enumerate(sources) if target == row), None)
            operands = () if at is None else tuple(column[at] for column in step.operands)
            return Difference(step, row, operands, expected, actual, lane.table, lane)
    return None


def _comes_back(bench: Bench, runner: Runner, wanted: dict[LaneRef, list[int]]) -> bool:
    if not wanted:
        return True
    outcome = bench.run(runner, tuple(wanted))
    if outcome.stopped is not None:
        return False
    return all([outcome.lanes[ref][row] for row in bench.rows] == list(cells) for ref, cells in wanted.items())
