"""Two streams of lines read side by side: long stretches that are equal byte for byte are stepped over in both.

The head of a pair is skipped in equal_head.py. This is for what comes later: sides that differ in one early value, or
now and then, and are equal for a gigabyte in between. Only where every line is a record and ticks rise evenly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from detcheck.dumps.newlines import NewlineCounter
from detcheck.model.record import Skipped

if TYPE_CHECKING:
    from detcheck.dumps.streams import Lines, Stream

#: what is stepped over at a time, and how many lines of it have to be there
_RUN_BYTES, _RUN_LINES = 1024 * 1024, 256
#: where the next line of the other side is looked for
_PROBE_BYTES = 64 * 1024
#: sides that are more lines apart may be in two sessions that begin alike
_APART_LINES = 64


@dataclass(frozen=True)
class _Run:
    """Equal whole lines: how many bytes and lines, the ticks of the first and the last, the step between."""

    size: int
    lines: int
    first: int
    last: int
    step: int


class Twins:
    """Both sides' lines; each comes by between two of its blocks, its stream at the beginning of a line."""

    def __init__(self, tick_of: Callable[[bytes], int | None]) -> None:
        self.tick_of = tick_of
        self.lines: list[Lines] = []

    def join(self, lines: Lines) -> None:
        """Take part: the second one to do so completes the pair."""
        self.lines.append(lines)
        lines.twins = self

    def meet(self, lines: Lines) -> int:
        """Steps over what both sides have in common; gives how many bytes to read until the sides may meet (0: any)."""
        if lines.ahead is not None:
            lines.step_over(lines.ahead)
            lines.ahead = None
            return 0
        if len(self.lines) != 2:
            return 0
        other = self.lines[self.lines[0] is lines]
        mine, theirs = lines.stream.peek(_PROBE_BYTES), other.stream.peek(_PROBE_BYTES)
        line = theirs[: theirs.find(b"\n") + 1]
        if not line or other.ahead is not None or abs(lines.given - other.given) > _APART_LINES:
            return 0
        if not mine.startswith(line):
            return mine.find(b"\n" + line) + 1
        size = min(len(mine), len(theirs))
        if size >= _PROBE_BYTES and mine[:size] == theirs[:size]:
            self._step_over(lines, other)
        return 0

    def _step_over(self, mine: Lines, theirs: Lines) -> None:
        """Drops run after run from both streams, as long as another one follows: the last one is read."""
        before, gone = mine.last_tick, None
        run = self._run(mine.stream, theirs.stream, 0, before)
        while run is not None and (following := self._run(mine.stream, theirs.stream, run.size, run.last)) is not None:
            if following.step != run.step:
                break
            mine.stream.take(run.size)
            theirs.stream.take(run.size)
            first = run.first if gone is None else gone.first_tick
            size, lines = (run.size, run.lines) if gone is None else (gone.bytes + run.size, gone.lines + run.lines)
            gone = Skipped(size, lines, lines, first, run.last)
            run = following
        if gone is not None:
            mine.step_over(gone)
            theirs.ahead = gone

    def _run(self, mine: Stream, theirs: Stream, start: int, before: int | None) -> _Run | None:
        """The next run behind `start` bytes, whose ticks go on from `before`; None where there is none."""
        one, other = mine.peek(start + _RUN_BYTES), theirs.peek(start + _RUN_BYTES)
        data = one[start : start + _RUN_BYTES]
        if before is None or len(data) < _RUN_BYTES or data != other[start : start + _RUN_BYTES]:
            return None
        data = data[: data.rfind(b"\n") + 1]
        lines = NewlineCounter().add(data)
        if lines < _RUN_LINES:
            return None
        second = data.find(b"\n") + 1
        texts = (data[:second], data[second : data.find(b"\n", second)], data[data.rfind(b"\n", 0, -1) + 1 :])
        ticks = [self.tick_of(text) for text in texts]
        first, then, last = ticks
        if first is None or then is None or last is None:
            return None
        step = then - first
        if step < 1 or first != before + step or last - first != step * (lines - 1):
            return None
        return _Run(len(data), lines, first, last, step)
