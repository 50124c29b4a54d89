"""Lines of one tick that say nothing but pairs (`tick=3 unit=7 x=5`): rows, told apart by a key that fits a whole file.

The key is chosen from what both sides begin with, not tick by tick: a column in which two rows come to share a value,
as one side diverges, must not make another table of that side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

from detcheck.dumps import names
from detcheck.dumps.readers.base import Side
from detcheck.dumps.readers.rows import row_name
from detcheck.model.record import Event, Group, Items, Node, Record, Scalar

#: lines of a sample that are looked at
_LOOKED = 200
#: (tick, event) of a line; None for a line that is neither
Parse = Callable[[str], "tuple[int, Event] | None"]
_Ticks = list[list[Event]]


class RowKeys:
    """What tells the rows of a tick apart, for one side of a pair."""

    def __init__(self, side: Side, parse: Parse) -> None:
        other = side.state.get("other")
        both = [_ticks(side, parse)] + ([_ticks(other, parse)] if isinstance(other, Side) else [])
        self.told = side.options.key_field
        self.name = self.told or _chosen(both)

    def settled(self, record: Record) -> Record:
        """Lines that say nothing but pairs are no events: one is the state of its tick, several are rows with an id."""
        events = record.events
        if not events or any(event.label or event.is_rng for event in events):
            return record
        if len(events) == 1 and not (self.name and _has(events, self.name)):
            record.fields, record.events = events[0].fields, []
            return record
        name = self.name if self.name and _has(events, self.name) else _id_of(events)
        if name is not None:
            rows: list[Node] = [event.fields for event in events]
            record.fields, record.events = Group({row_name(name): Items(rows, name)}), []
        return record


def _ticks(side: Side, parse: Parse) -> _Ticks:
    """The ticks of a sample that have several lines, all of them pairs; the last one may be cut."""
    held = [found for line in side.sample.content[:_LOOKED] if (found := parse(line)) is not None]
    groups = [[event for _, event in group] for _, group in groupby(held, key=lambda one: one[0])]
    if len(groups) > 1 and not side.sample.whole:
        groups.pop()
    return [one for one in groups if len(one) > 1 and not any(event.label or event.is_rng for event in one)]


def _chosen(sides: list[_Ticks]) -> str | None:
    """An id that tells apart the rows of every tick; else a number of rows that does; else an id that mostly does."""
    ticks = [events for side in sides for events in side]
    if not ticks:
        return None
    ranked = []
    for place, name in enumerate(ticks[0][0].fields.items):
        fitting = [_values(events, name) is not None for events in ticks]
        rank = names.id_rank(name)
        if all(fitting) and (rank is not None or _numbers_rows(ticks, name)):
            ranked.append((0 if rank is not None else 1, rank or 0, place, name))
        elif rank is not None and 2 * sum(fitting) >= len(fitting) and _fits_one(sides, name):
            ranked.append((2, rank, place, name))
    return min(ranked)[3] if ranked else None


def _fits_one(sides: list[_Ticks], name: str) -> bool:
    return any(side and all(_values(events, name) is not None for events in side) for side in sides)


def _numbers_rows(ticks: _Ticks, name: str) -> bool:
    """The same whole numbers at every tick, rising."""
    first = _values(ticks[0], name)
    if first is None or len(ticks) < 2 or any(_values(events, name) != first for events in ticks):
        return False
    values = [int(text) for text in first if text.isdecimal() and len(text) < 10]
    return len(values) == len(first) and values == sorted(values)


def _values(events: Iterable[Event], name: str) -> tuple[str, ...] | None:
    """The texts of a value of each line, in their order; None when a line lacks it, or two share one."""
    found: list[str] = []
    for event in events:
        node = event.fields.items.get(name)
        if not isinstance(node, Scalar):
            return None
        found.append(node.text)
    return tuple(found) if len(set(found)) == len(found) else None


def _has(events: Iterable[Event], name: str) -> bool:
    return all(isinstance(event.fields.items.get(name), Scalar) for event in events)


def _id_of(events: list[Event]) -> str | None:
    """The id that tells the lines of one tick apart."""
    ranked = [(rank, name) for name in events[0].fields.items if (rank := names.id_rank(name)) is not None]
    return next((name for _, name in sorted(ranked) if _values(events, name) is not None), None)
