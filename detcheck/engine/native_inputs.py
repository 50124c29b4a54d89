"""The players' script as a list of changes, for the native executor: laid out once, before the first tick."""

from __future__ import annotations

from array import array

from detcheck.engine.inputs import PlayerScript
from detcheck.engine.native_layout import Layout
from detcheck.scenario.compiled import CompiledScenario

_LAST_TICK = (1 << 31) - 1


def player_events(compiled: CompiledScenario, layout: Layout) -> array[int]:
    """Rows of (tick, byte from the first player column, cell, bytes of the cell), by tick.

    Only ticks where an entry begins or ends change a cell, so only those are asked for.
    """
    script = PlayerScript(compiled)
    ticks = {entry.tick for entry in compiled.inputs} | {entry.tick + entry.hold for entry in compiled.inputs}
    events = array("i")
    for tick in sorted(ticks):
        if tick > _LAST_TICK:
            break
        for ref, player, cell in script.changes(tick):
            lane = layout.lane[ref]
            byte = lane.start + player * lane.size - layout.players * 4
            events.extend((tick, byte, signed(cell), lane.size))
    return events


def signed(cell: int) -> int:
    """The 32 bits of a cell as an int32."""
    return ((cell + 0x80000000) & 0xFFFFFFFF) - 0x80000000
