"""Running programs for one tick from a given state, on any executor, within a bound on the work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from detcheck.engine.executors import make_executor
from detcheck.engine.first_operation.moment import lanes_of
from detcheck.errors import TrapError
from detcheck.language.ir import Op, Program
from detcheck.model.schema import LaneRef, TableSpec
from detcheck.scenario.compiled import CompiledScenario

#: cells loaded and read back, and rows x ops, that one search may spend: some twenty seconds
WORK_LIMIT = 2 * 10**7

#: what it costs to plan or generate a program at all, in the same unit
_RUN_COST = 4_000


class OutOfWork(Exception):
    """The bound is reached: the search says so and ends."""


class Budget:
    """What is left of the work a search may do."""

    def __init__(self, limit: int = WORK_LIMIT) -> None:
        self.left = limit

    def spend(self, cells: int) -> None:
        """Take from it. Raises OutOfWork."""
        self.left -= cells
        if self.left < 0:
            raise OutOfWork


@dataclass(frozen=True)
class Stopped:
    """Why a run did not complete: a key of TRAPS and the row, or the words of a fault that is no trap."""

    reason: str
    row: int | None
    op: str


@dataclass(frozen=True)
class Outcome:
    """What a run left: lanes that were asked for and the generator, or why it stopped (then the state says nothing)."""

    lanes: Mapping[LaneRef, list[int]]
    rng_state: bytes
    stopped: Stopped | None = None


class Runner:
    """One executor as what runs programs. `compiled` gives backend and generator."""

    def __init__(
        self, executor: str, compiled: CompiledScenario, budget: Budget, stop: Callable[[], bool] | None
    ) -> None:
        self.executor = executor
        self.compiled = compiled
        self.budget = budget
        self.stop = stop

    def run(
        self,
        tables: Sequence[TableSpec],
        programs: Sequence[Program],
        lanes: Mapping[LaneRef, list[int]],
        rng_state: bytes,
        read: Iterable[LaneRef] | None = None,
    ) -> Outcome:
        """One tick of `programs` from the state; lanes not given are zero. `read` None reads all lanes.

        Raises Interrupted, OutOfWork, DetcheckError where the executor cannot be made.
        """
        wanted = tuple(ref for table in tables for ref in lanes_of(table)) if read is None else tuple(read)
        self.budget.spend(_work(tables, programs, lanes, wanted))
        executor = make_executor(self.executor, self._scenario(tables, programs))
        executor.stand(lanes, rng_state)
        try:
            executor.advance(1, self.stop)
        except TrapError as trap:
            return Outcome({}, b"", Stopped(trap.reason, trap.row, trap.op))
        except AssertionError as fault:  # an executor that traps where the plain walk does not
            return Outcome({}, b"", Stopped(str(fault), None, ""))
        return Outcome({ref: executor.lane(ref.table, ref.column, ref.lane) for ref in wanted}, executor.rng_state())

    def _scenario(self, tables: Sequence[TableSpec], programs: Sequence[Program]) -> CompiledScenario:
        of = self.compiled
        return CompiledScenario(
            name=of.name,
            backend=of.backend,
            rng=of.rng,
            seed=of.seed,
            ticks=1,
            hash_every=1,
            tables=tuple(tables),
            inputs=(),
            setup=(),
            systems=tuple(programs),
        )


def _work(
    tables: Sequence[TableSpec],
    programs: Sequence[Program],
    lanes: Mapping[LaneRef, list[int]],
    read: Sequence[LaneRef],
) -> int:
    rows = {table.name: table.rows for table in tables}
    cells = _RUN_COST + sum(map(len, lanes.values())) + sum(rows[ref.table] for ref in read)
    for program in programs:
        cells += sum(_steps(op, rows[program.table], rows) for op in (*program.guard, *program.ops))
    return cells


def _steps(op: Op, own: int, rows: Mapping[str, int]) -> int:
    folded = rows.get(str(op.imm), 0) if op.code.startswith("fold.") else 0
    return own + folded * (len(op.body) + 1)
