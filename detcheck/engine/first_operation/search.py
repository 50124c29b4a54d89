"""The search: from a tick that comes out differently to its system, and in it to the op and the row.

1. the players' rows, as the script sets them in that tick;
2. each system from the reference's state before it: the first after which the state differs; where none does, the
   first after which it differs when the systems run after each other;
3. in that system each op alone, on the operands the reference had, in list order (alone.py);
4. where no op alone differs, each op in its place, then each statement (in_place.py).

The reference is right by definition. Every run starts from the last equal state, so that a fault which an executor
carries from tick to tick, or does not repeat, is not found: then the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from detcheck.engine.executors import make_executor
from detcheck.engine.first_operation.alone import Alone
from detcheck.engine.first_operation.in_place import Setting, Unlike, first_op, first_statement, unlike
from detcheck.engine.first_operation.moment import Moment, lanes_of, moment_of, players_at
from detcheck.engine.first_operation.naming import Namer
from detcheck.engine.first_operation.steps import walk
from detcheck.engine.first_operation.suspect import WORK_LIMIT, Budget, OutOfWork, Runner
from detcheck.errors import DetcheckError
from detcheck.language.ir import Program
from detcheck.model.operation import OperationFault
from detcheck.scenario.compiled import CompiledScenario

REFERENCE = "reference"
Stop = Callable[[], bool]


@dataclass(frozen=True)
class Answer:
    """What was found, if anything, and what there is to say about the search."""

    fault: OperationFault | None
    remarks: tuple[str, ...] = ()


def first_operation(
    compiled: CompiledScenario, tick: int, suspect: str, stop: Stop | None = None, limit: int = WORK_LIMIT
) -> Answer:
    """The operation on which `suspect` (a name of EXECUTORS) parts from the reference, on the way to `tick`.

    Both have to be equal up to the tick before. `limit` bounds the work, in cells moved and row-ops run. Raises
    Interrupted.
    """
    budget = Budget(limit)
    try:
        budget.spend(sum(table.rows for table in compiled.tables for _ in lanes_of(table)))
        moment = moment_of(compiled, tick, suspect, stop)
        judge, other = (Runner(name, compiled, budget, stop) for name in (REFERENCE, suspect))
        search = _Search(moment, judge, other, Namer(moment, REFERENCE, suspect), limit)
        return search.inputs(stop) or search.systems()
    except OutOfWork:
        return Answer(None, (_said(f"not found within {limit:,} cells and row-ops"),))
    except DetcheckError as fault:
        return Answer(None, (_said(f"not found: {fault.message}"),))


def _said(words: str) -> str:
    return f"first divergent operation: {words}"


@dataclass
class _Search:
    moment: Moment
    judge: Runner
    suspect: Runner
    namer: Namer
    limit: int

    def inputs(self, stop: Stop | None) -> Answer | None:
        """The players' rows, by a replay in which nothing but the script happens."""
        compiled = self.moment.compiled
        if self.moment.tick == 0 or not compiled.inputs:
            return None
        replay = make_executor(self.suspect.executor, replace(compiled, setup=(), systems=()))
        replay.setup()
        replay.advance(self.moment.tick, stop)
        for ref, cells in players_at(compiled, self.moment.tick - 1).items():
            for row, (expected, actual) in enumerate(
                zip(cells, replay.lane(ref.table, ref.column, ref.lane), strict=True)
            ):
                if expected != actual:
                    return Answer(self.namer.of_inputs(ref, row, expected, actual))
        return None

    def systems(self) -> Answer:
        """The first system that differs, and the op in it."""
        culprit = self._by_itself() or self._in_sequence()
        if culprit is None:
            words = f"not found; run again from the last equal state, {self.suspect.executor} gives what the reference"
            return Answer(
                None, (_said(f"{words} does: what differs is carried from tick to tick, or does not repeat"),)
            )
        return self._inside(*culprit)

    def _by_itself(self) -> tuple[Setting, Setting, Program, Unlike] | None:
        """The first system that differs from an equal state before it."""
        setting = Setting(self.moment, (), dict(self.moment.lanes), self.moment.rng_state)
        for program in self.moment.programs:
            expected, actual = setting.run(self.judge, program), setting.run(self.suspect, program)
            found = unlike(expected, actual)
            if found is not None:
                return setting, setting, program, found
            if expected.stopped is not None:
                return None
            setting = replace(setting, lanes=dict(expected.lanes), rng_state=expected.rng_state)
        return None

    def _in_sequence(self) -> tuple[Setting, Setting, Program, Unlike] | None:
        """The first system after which the state differs, when it runs after those before it."""
        start = Setting(self.moment, (), dict(self.moment.lanes), self.moment.rng_state)
        for number, program in enumerate(self.moment.programs):
            setting = replace(start, earlier=self.moment.programs[:number])
            found = unlike(setting.run(self.judge, program), setting.run(self.suspect, program))
            if found is not None:
                before = setting.run(self.judge, None)
                equal = replace(start, lanes=dict(before.lanes), rng_state=before.rng_state)
                return equal, setting, program, found
        return None

    def _inside(self, equal: Setting, setting: Setting, program: Program, found: Unlike) -> Answer:
        """The op in a system that differs: `equal` is the state right before it, `setting` how it came to differ."""
        try:
            steps = walk(self.moment, program, equal.lanes, equal.rng_state)
            alone = Alone(self.moment, self.judge, self.suspect)
            for step in steps:
                difference = alone.difference(step)
                if difference is not None:
                    return Answer(self.namer.of_op(difference, "alone"))
            difference = first_op(setting, self.suspect, steps)
            if difference is not None:
                return Answer(self.namer.of_op(difference, "in_place"))
            after = first_statement(setting, self.judge, self.suspect, program)
            return Answer(self.namer.of_state(after or found, program, "statement" if after else "system"))
        except OutOfWork:
            remark = _said(f"the search was cut at {self.limit:,} cells and row-ops; the system is known, not the op")
            return Answer(self.namer.of_state(found, program, "system"), (remark,))
