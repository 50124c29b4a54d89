"""The input script, tick by tick: which cells of the players' rows change (design: scenarios, A tick).

At every tick a column of a player's row holds what the last entry in file order says that is active then, or zero.
The work over a whole replay is n log n in the entries, however long they hold; a tick without a start or an end costs
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from detcheck.model.schema import LaneRef
from detcheck.scenario.compiled import CompiledInput, CompiledScenario

#: a player's row and the name of a column of it
_Slot = tuple[int, str]


class PlayerScript:
    """`changes(tick)` has to be asked once for every tick, ascending from 0."""

    def __init__(self, compiled: CompiledScenario) -> None:
        self._entries: tuple[CompiledInput, ...] = compiled.inputs
        order = range(len(self._entries))
        self._starts = sorted(order, key=lambda i: self._entries[i].tick)
        self._ends = sorted(order, key=lambda i: self._end(i))
        self._next_start = 0
        self._next_end = 0
        # per slot a heap of -(file position): the latest entry that is active lies on top, ended ones are dropped there
        self._active: dict[_Slot, list[int]] = {}
        self._lanes = {
            column.name: len(column.lane_names)
            for table in compiled.tables
            if table.name == "players"
            for column in table.columns
        }

    def _end(self, position: int) -> int:
        entry = self._entries[position]
        return entry.tick + entry.hold

    def changes(self, tick: int) -> Iterator[tuple[LaneRef, int, int]]:
        """(lane, player's row, cell) for every cell that may differ from the tick before."""
        dirty: dict[_Slot, None] = {}
        while self._next_start < len(self._starts) and self._entries[self._starts[self._next_start]].tick <= tick:
            self._start(self._starts[self._next_start], dirty)
            self._next_start += 1
        while self._next_end < len(self._ends) and self._end(self._ends[self._next_end]) <= tick:
            position = self._ends[self._next_end]
            entry = self._entries[position]
            dirty.update(dict.fromkeys(_slots(entry)))
            self._next_end += 1
        for slot in dirty:
            yield from self._settle(slot, tick)

    def _start(self, position: int, dirty: dict[_Slot, None]) -> None:
        for slot in _slots(self._entries[position]):
            heappush(self._active.setdefault(slot, []), -position)
            dirty[slot] = None

    def _settle(self, slot: _Slot, tick: int) -> Iterator[tuple[LaneRef, int, int]]:
        player, column = slot
        heap = self._active.get(slot, [])
        while heap and self._end(-heap[0]) <= tick:
            heappop(heap)
        cells = self._entries[-heap[0]].cells if heap else ()
        values = {lane: cell for name, lane, cell in cells if name == column}
        for lane in range(self._lanes[column]):
            yield LaneRef("players", column, lane), player, values.get(lane, 0)


def _slots(entry: CompiledInput) -> tuple[_Slot, ...]:
    return tuple(dict.fromkeys((entry.player, column) for column, _, _ in entry.cells))
