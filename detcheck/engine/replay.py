"""The tick and checkpoint loop: checkpoint 0 after setup, then every N ticks and always the last one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from detcheck.engine.executor import Executor
from detcheck.engine.executors import make_executor
from detcheck.errors import DetcheckError, Interrupted
from detcheck.hashing import digest64, state_hash
from detcheck.model.checkpoint import Checkpoint

if TYPE_CHECKING:
    from detcheck.model.record import Record
    from detcheck.scenario.scenario import Scenario


@dataclass(frozen=True)
class ReplayCheckpoint:
    """A checkpoint of a replay that has stopped there; its state can be read until the replay goes on."""

    checkpoint: Checkpoint
    executor: Executor

    @property
    def tick(self) -> int:
        """Completed ticks."""
        return self.checkpoint.tick

    @property
    def state_hash(self) -> str:
        """16 hex digits over tick and parts."""
        return self.checkpoint.state_hash

    def record(self) -> Record:
        """The whole state as a record. Raises DetcheckError when the replay has gone on."""
        if self.executor.tick != self.checkpoint.tick:
            raise DetcheckError(
                "replay.gone_on",
                f"the replay is at tick {self.executor.tick}, the state of tick {self.checkpoint.tick} is gone",
                hint="call record() before asking for the next checkpoint",
            )
        from detcheck.dumps.state_record import record_of

        return record_of(self.executor, self.checkpoint)


def checkpoint_of(executor: Executor) -> Checkpoint:
    """The checkpoint where the executor stands. Only looks at the state."""
    parts = tuple((name, digest64(buffer)) for name, buffer in executor.part_buffers())
    return Checkpoint(executor.tick, state_hash(executor.tick, [digest for _, digest in parts]), parts)


def checkpoint_ticks(every: int, ticks: int) -> Iterator[int]:
    """0, every, 2 * every, ... and always `ticks`."""
    yield from range(0, ticks, every)
    yield ticks


def checkpoints_of(
    executor: Executor, hash_every: int, ticks: int, stop: Callable[[], bool] | None = None
) -> Iterator[Checkpoint]:
    """Setup, then every checkpoint of a fresh executor; while one is out, the executor stands at its tick.

    Raises TrapError, and Interrupted soon after `stop` answers true.
    """
    if stop is not None and stop():
        raise Interrupted
    executor.setup(stop)
    for tick in checkpoint_ticks(hash_every, ticks):
        if tick > executor.tick:
            executor.advance(tick - executor.tick, stop)
        yield checkpoint_of(executor)


def replay(
    scenario: Scenario, backend: str, executor: str = "auto", every: int | None = None
) -> Iterator[ReplayCheckpoint]:
    """Replay a scenario on a backend and yield its checkpoints, each with its state on demand.

    `every` overrides the scenario's hash_every (checkpoint 0 and the last tick are always there); `executor` is a name
    of EXECUTORS. Raises DetcheckError: at the call for an unknown backend or executor or a backend the scenario cannot
    run on, while it is consumed for a trap.
    """
    from detcheck.scenario.compile import compile_scenario

    if every is not None and every < 1:
        raise DetcheckError("replay.every", f"every is {every}, it has to be 1 or more")
    compiled = compile_scenario(scenario, backend)
    _check_canaries(executor, backend)
    running = make_executor(executor, compiled)
    checkpoints = checkpoints_of(running, every or compiled.hash_every, compiled.ticks)
    return (ReplayCheckpoint(checkpoint, running) for checkpoint in checkpoints)


def _check_canaries(executor: str, backend: str) -> None:
    from detcheck.engine.canaries import run_canaries

    failed = next((canary for canary in run_canaries(executor, backend) if not canary.ok), None)
    if failed is not None:
        raise DetcheckError(
            "canary.failed",
            f"canary {failed.name} failed, nothing was replayed: {failed.detail}",
            hint="detcheck doctor shows every canary of this machine",
        )
