"""A replay in steps short enough for somebody who watches it; what it computes is the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from detcheck.engine.executor import Executor
from detcheck.engine.replay import checkpoint_of, checkpoint_ticks, checkpoints_of
from detcheck.model.checkpoint import Checkpoint

#: told of completed ticks
Told = Callable[[int], None]
Stop = Callable[[], bool]

#: a step that took less is doubled, one that took more is halved
_SHORT_SECONDS, _LONG_SECONDS = 0.05, 0.2


class Pace:
    """Takes one executor forward; `told` (if any) hears of its tick several times a second."""

    def __init__(self, executor: Executor, told: Told | None, stop: Stop | None = None) -> None:
        self.executor = executor
        self.told = told
        self.stop = stop
        self.step = 1

    def to(self, tick: int) -> None:
        """Go on to a tick that is not behind. Raises as `advance`."""
        if self.told is None:
            if tick > self.executor.tick:
                self.executor.advance(tick - self.executor.tick, self.stop)
            return
        while self.executor.tick < tick:
            began = time.monotonic()
            self.executor.advance(min(self.step, tick - self.executor.tick), self.stop)
            took = time.monotonic() - began
            self.told(self.executor.tick)
            if took < _SHORT_SECONDS:
                self.step *= 2
            elif took > _LONG_SECONDS:
                self.step = max(1, self.step // 2)


def paced_checkpoints(
    executor: Executor, hash_every: int, ticks: int, stop: Stop, told: Told | None
) -> Iterator[Checkpoint]:
    """The checkpoints of a fresh executor, as `checkpoints_of` gives them."""
    if told is None:
        yield from checkpoints_of(executor, hash_every, ticks, stop)
        return
    pace = Pace(executor, told, stop)
    for first in checkpoints_of(executor, 1, 0, stop):
        told(first.tick)
        yield first
    for tick in checkpoint_ticks(hash_every, ticks):
        if tick:
            pace.to(tick)
            yield checkpoint_of(executor)
