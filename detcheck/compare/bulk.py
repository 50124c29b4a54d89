"""Runs of plain hashes in the tracker: whole stretches at a time, never a record an entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from detcheck.compare.aftermath import Aftermath
from detcheck.compare.align import Run
from detcheck.compare.strip import EQUAL, UNLIKE

if TYPE_CHECKING:
    from detcheck.compare.tracker import Tracker

#: records of each side whose content is remembered to see whether the sides agree under a shift of their ticks
SHIFT_WINDOW = 64
_NONE: Counter[str] = Counter()
_HASH: Counter[str] = Counter({"hash": 1})


def equal_run(tracker: Tracker, run: Run, length: int) -> None:
    """The first `length` entries, all equal."""
    if not length:
        return
    _see(tracker, run, 0, length)
    if tracker.common == 0 and not tracker.head_skipped:
        tracker.first_common = run.tick(0)
    tracker.common += length
    tracker.values += length
    tracker.last_equal = tracker.last_common = run.tick(length - 1)
    tracker.equal_session = run.a.session
    tracker.mark(EQUAL, EQUAL, length)
    for index in range(max(0, length - max(1, tracker.options.context)), length):
        tracker.previous = run.records(index)
        tracker.context.append(tracker.previous)


def run_after(tracker: Tracker, after: Aftermath, run: Run, start: int, unlike: Sequence[int]) -> None:
    """The entries from `start` on, behind the divergence; `unlike` are those that differ."""
    _see(tracker, run, start, run.length)
    for begin, end, differs in stretches(start, run.length, unlike):
        ticks = run.a.ticks[run.at_a + begin : run.at_a + end]
        if tracker.divergence is None or run.a.session == tracker.divergence.session:
            after.add_stretch(ticks, int(differs), _HASH if differs else _NONE, _HASH if differs else _NONE)
        else:
            tracker.elsewhere.add(run.a.session, ticks[0], differs)
        kind = UNLIKE if differs else EQUAL
        tracker.mark(kind, kind, end - begin)
    if tracker.signing and len(tracker.a.signatures) < SHIFT_WINDOW:
        for index in range(start, min(run.length, start + SHIFT_WINDOW)):
            a, b = run.records(index)
            tracker.a.sign(a)
            tracker.b.sign(b)
    count = run.length - start
    tracker.common += count
    tracker.values += count
    tracker.last_common = run.tick(run.length - 1)
    tracker.budget -= count


def stretches(start: int, end: int, unlike: Sequence[int]) -> Iterator[tuple[int, int, bool]]:
    """(begin, end, whether they differ) of entries that follow each other and are of one kind."""
    at = start
    if unlike and unlike[-1] - unlike[0] == len(unlike) - 1:  # mostly all of them: at once
        if unlike[0] > at:
            yield at, unlike[0], False
        at = unlike[-1] + 1
        yield unlike[0], at, True
        unlike = ()
    for _, group in groupby(enumerate(unlike), key=lambda pair: pair[1] - pair[0]):
        places = [place for _, place in group]
        if places[0] > at:
            yield at, places[0], False
        yield places[0], places[-1] + 1, True
        at = places[-1] + 1
    if at < end:
        yield at, end, False


def _see(tracker: Tracker, run: Run, start: int, end: int) -> None:
    """What both windows hold now."""
    for window, block, at in ((tracker.a, run.a, run.at_a), (tracker.b, run.b, run.at_b)):
        line = block.line + at + start
        window.see(block.ticks[at + start], block.session, line)
        if end - start > 1:
            window.last = block.ticks[at + end - 2]
            window.see(block.ticks[at + end - 1], block.session, line)
            window.records += end - start - 2
