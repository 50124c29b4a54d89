"""Sessions and rollbacks: makes ticks rise, as the comparison expects.

A session the reader knows by name (it numbers them in `Record.session`) stays one; else a tick at or below the
session's first starts a new one. Any other fall or repeat is resimulation after a rollback: the last value of a tick
counts, and a remark says which ticks were corrected.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator

from detcheck.model.record import Record, Skipped

#: how many records may be computed again; real rollbacks reach back some 8 to 60 ticks
WINDOW = 64
HASH_WINDOW = 4096
#: large records make the window smaller: what is held back comes from about this much text
HELD_BYTES = 4 * 1024 * 1024


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
        self._given = skipped.last_tick if skipped and self.first is not None else None
        self.last = self._given or 0
        self._named = 0
        self._again: list[int] = []
        self._late: list[int] = []

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
            self.session += self.first is not None
            self._named, self.first, self._given = record.session, tick, None
        elif self.first is None:
            self.first = tick
        elif tick <= self.first:
            yield from self.flush()
            self.session += 1
            self.first, self._given = tick, None
        elif tick <= self.last:
            self._replace(record, tick)
            return
        record.session = self.session
        self.pending[tick] = record
        self.last = tick
        while len(self.pending) > self.window:
            self._given, oldest = self.pending.popitem(last=False)
            yield oldest

    def rises_to(self, first: int, last: int) -> None:
        """Rising ticks from `first` to `last` are given past the settler, after a flush."""
        self.first = first if self.first is None else self.first
        self.last = self._given = last

    def flush(self) -> Iterator[Record]:
        """Gives what is held back."""
        pending, self.pending = self.pending, OrderedDict()
        if pending:
            self._given = next(reversed(pending))
        yield from pending.values()

    def end(self) -> Iterator[Record]:
        """Gives the rest and says what was seen."""
        yield from self.flush()
        if self.session:
            self.remarks.append(f"{self.session + 1} sessions in one file (the tick starts over)")
        if self._again:
            self.remarks.append(rollback_remark(self._again))
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
        self._again.append(tick)
        fresh = tick not in self.pending
        self.pending[tick] = record
        if fresh:
            self.pending = OrderedDict(sorted(self.pending.items()))


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
