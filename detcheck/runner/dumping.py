"""Replaying to write states: which ticks, and the loop over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from detcheck.dumps.write import StateWriter
from detcheck.engine.executor import Executor
from detcheck.engine.replay import checkpoint_of
from detcheck.errors import DetcheckError, TrapError, visible
from detcheck.runner.pace import Pace


@dataclass(frozen=True)
class TickRange:
    """Ticks `first` to `last`, both included; None is open."""

    first: int | None = None
    last: int | None = None

    @classmethod
    def parse(cls, text: str) -> TickRange:
        """`10:20`, `10:`, `:20`, `10`. Raises DetcheckError."""
        ends = text.split(":")
        numbers = [_tick(end) for end in ends]
        good = 1 <= len(ends) <= 2 and any(e.strip() for e in ends) and all(n is not False for n in numbers)
        if good:
            first, last = (numbers[0], numbers[-1])
            if first is None or last is None or first <= last:
                return cls(first, last)
        hint = "as in --ticks 100:120, --ticks 100: or --ticks 100"
        message = f"--ticks {visible(text)!r}: expected FIRST:LAST, both included, FIRST not above LAST"
        raise DetcheckError("dump.ticks", message, None, hint)


def _tick(text: str) -> int | bool | None:
    """A tick, None for an open end, False for what is neither."""
    word = text.strip()
    if not word:
        return None
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 10 else False


def dump_ticks(wanted: TickRange, every: int, ticks: int) -> Iterator[int]:
    """Multiples of `every` in the range, and the scenario's last tick where the range has it."""
    first, last = wanted.first or 0, ticks if wanted.last is None else min(wanted.last, ticks)
    yield from range(-(-first // every) * every, last + 1, every)
    if last == ticks and ticks % every and first <= ticks:
        yield ticks


def write_states(
    executor: Executor,
    ticks: Iterator[int],
    writer: StateWriter,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Replay (from setup on) and write the state of each tick; gives how many. Closes the writer.

    A trap keeps what was written before it and is raised on.
    """
    written = 0
    pace = Pace(executor, progress)
    try:
        executor.setup()
        for tick in ticks:
            pace.to(tick)
            writer.write(executor, checkpoint_of(executor))
            written += 1
            if progress is not None:
                progress(tick)
    except TrapError:
        writer.close()
        raise
    except BaseException:
        writer.discard()
        raise
    writer.close()
    return written
