"""A replay that is stepped to single ticks, and two of them side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from detcheck.dumps.state_record import record_of
from detcheck.engine.executors import make_executor
from detcheck.engine.replay import checkpoint_of
from detcheck.model.checkpoint import Checkpoint
from detcheck.model.record import Record
from detcheck.scenario.compiled import CompiledScenario


class Stepper:
    """A fresh replay after setup. Raises TrapError where the replay does, Interrupted soon after `stop` says so."""

    def __init__(self, executor: str, compiled: CompiledScenario, stop: Callable[[], bool]) -> None:
        self.executor = make_executor(executor, compiled)
        self.stop = stop
        self.executor.setup(stop)

    def to(self, tick: int) -> Checkpoint:
        """Go on to a tick that is not behind, and give the checkpoint there."""
        if tick > self.executor.tick:
            self.executor.advance(tick - self.executor.tick, self.stop)
        return checkpoint_of(self.executor)

    def record(self, checkpoint: Checkpoint) -> Record:
        """The whole state at the checkpoint that `to` just gave."""
        return record_of(self.executor, checkpoint)


def first_unlike(expected: Stepper, actual: Stepper, ticks: Iterable[int]) -> tuple[Record, Record] | None:
    """The two states at the first of the ticks where they differ."""
    for tick in ticks:
        mine, theirs = expected.to(tick), actual.to(tick)
        if mine != theirs:
            return expected.record(mine), actual.record(theirs)
    return None
