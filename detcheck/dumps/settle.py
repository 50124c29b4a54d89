"""Sessions and rollbacks: makes ticks rise, as the comparison expects.

A session the reader knows by name (it numbers them in `Record.session`) stays one; else a tick at or below the
session's first starts a new one (but the first tick at once again is that tick). Any other fall or repeat is
resimulation after a rollback: the last value of a tick counts, and a remark says which ticks were corrected.

What was replaced stays with the record that counts, as `Record.again`. Where most ticks around stand several times, one
right after the other, they are rows and no resimulation (`Record.rows`): the comparison weighs every one of them.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from itertools import islice

from detcheck.model.record import Record, Skipped

#: how many records may be computed again; real rollbacks reach back some 8 to 60 ticks
WINDOW = 64
HASH_WINDOW = 4096
#: large records make the window smaller: what is held back comes from about this much text
HELD_BYTES = 4 * 1024 * 1024
#: ticks looked at on either side of one to see whether records stand several times by rule, and how many must
AROUND, FEWEST = 8, 4
#: records of one tick that are kept beside the one that counts
MOST_AGAIN = 4096


def settle(
    records: Iterator[Record],
    remarks: list[str],
    window: int = WINDOW,
    skipped: Skipped | None = None,
    taken: Callable[[], int] = lambda: 0,
) -> Iterator[Record]:
    """The same records, in order, each tick of a session once. `taken` is how much text they have come from so far."""
    settler = Settler(remarks, window, skipped)
    for count, record in enumerate(records, 1):
        if (size := taken()) > HELD_BYTES:
            settler.window = max(2, min(window, HELD_BYTES * count // size))
        yield from settler.feed(record)
    yield from settler.end()


class Settler:
    """Keeps the last `window` records back, since a rollback may still replace them."""

    def __init__(self, remarks: list[str], window: int = WINDOW, skipped: Skipped | None = None) -> None:
        self.remarks = remarks
        self.window = window
        self.pending: OrderedDict[int, Record] = OrderedDict()
        self.session = 0
        self.first = skipped.first_tick if skipped else None
        # the last tick that was skipped may go on in the first record here
        self._given = skipped.last_tick - 1 if skipped and skipped.last_tick is not None else None
        self.last = 0 if self._given is None else self._given + 1
        self._named = 0
        self._again: list[int] = []
        self._late: list[int] = []
        self._crowded: list[int] = []
        #: whether each of the last ticks given stood several times at once; and how many of those held back do
        self._around: deque[bool] = deque(maxlen=AROUND)
        self._repeated = self._held = 0
        self._newest: Record | None = None

    def feed(self, record: Record) -> Iterator[Record]:
        """Takes the next record; gives those that no rollback can reach any more."""
        tick = record.tick
        if tick is None:
            yield from self.flush()
            record.session = self.session
            yield record
            return
        if record.session > self._named:
            yield from self.flush()
            self.session += record.session - self._named
            self._named, self.first, self._given = record.session, tick, None
        elif self.first is None:
            self.first = tick
        elif tick <= self.first and not (tick == self.last and self._newest is not None):
            yield from self.flush()
            self.session += 1
            self.first, self._given = tick, None
        elif tick <= self.last:
            self._replace(record, tick)
            return
        record.session = self.session
        self.pending[tick] = self._newest = record
        self.last = tick
        self._held += 1
        while len(self.pending) > self.window or (self._held > 4 * self.window and len(self.pending) > AROUND):
            yield self._oldest()

    def _oldest(self) -> Record:
        """Gives the record that was held back longest, with what is known of its tick."""
        self._given, oldest = self.pending.popitem(last=False)
        self._held -= 1 + len(oldest.again)
        if not self._repeated and True not in self._around:
            if oldest.again:
                self._again.append(self._given)
            return oldest
        follow = [one.rows for one in islice(self.pending.values(), AROUND)]
        several = sum(self._around) + sum(follow) + oldest.rows
        self._around.append(oldest.rows)
        self._repeated -= oldest.rows
        oldest.rows = several >= FEWEST and 2 * several > len(follow) + len(self._around)
        if oldest.again and not oldest.rows:
            self._again.append(self._given)
        return oldest

    def rises_to(self, first: int, last: int) -> None:
        """Rising ticks from `first` to `last` are given past the settler, after a flush."""
        self.first = first if self.first is None else self.first
        self.last = self._given = last
        self._newest = None
        self._around.clear()

    def flush(self) -> Iterator[Record]:
        """Gives what is held back."""
        while self.pending:
            yield self._oldest()
        self._newest = None

    def end(self) -> Iterator[Record]:
        """Gives the rest and says what was seen."""
        yield from self.flush()
        if self.session > self._named:
            self.remarks.append(f"{self.session + 1} sessions in one file (the tick starts over)")
        if self._again:
            self.remarks.append(rollback_remark(self._again))
        if self._crowded:
            self.remarks.append(
                f"ticks {listed(sorted(set(self._crowded)))} have more than {MOST_AGAIN} records; of each the first "
                "ones and the last were compared"
            )
        if self._late:
            self.remarks.append(
                f"ticks {listed(sorted(set(self._late)))} were computed again after too many later ticks; "
                "these late values were left out"
            )

    def _replace(self, record: Record, tick: int) -> None:
        """A tick at or below the last one: it replaces what is pending, and stands in its order."""
        record.session = self.session
        if self._given is not None and tick <= self._given:
            self._late.append(tick)
            return
        before = self.pending.get(tick)
        self.pending[tick] = record
        if before is None:
            self._again.append(tick)
            self.pending = OrderedDict(sorted(self.pending.items()))
        else:
            self._stack(before, record)
        self._held += 1
        self._newest = record

    def _stack(self, before: Record, record: Record) -> None:
        """Keeps the record of the same tick that `record` replaces."""
        again = before.again if isinstance(before.again, list) else []
        before.again = ()
        if len(again) < MOST_AGAIN:
            again.append(before)
        else:
            self._crowded.append(before.tick or 0)
            self._held -= 1
        record.again = again
        record.rows = before is self._newest and (before.rows or len(again) == 1)
        self._repeated += record.rows - before.rows
        before.rows = False


def rollback_remark(ticks: list[int]) -> str:
    """What to say of resimulated ticks."""
    distinct = sorted(set(ticks))
    word = "tick" if len(distinct) == 1 else "ticks"
    return (
        f"{word} {listed(distinct)} computed again after a rollback (corrected: {len(distinct)}); the last value counts"
    )


def listed(ticks: list[int], limit: int = 8) -> str:
    """The first ticks, and how many more."""
    shown = ", ".join(str(tick) for tick in ticks[:limit])
    return shown if len(ticks) <= limit else f"{shown} and {len(ticks) - limit} more"
