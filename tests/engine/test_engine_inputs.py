"""The input script: what stands in the players' rows at each tick."""

from __future__ import annotations

from random import Random

import pytest
from hand_built import FLOAT, Build, compiled, ref, table
from random_ops import F32_EDGES

from detcheck.engine.executors import make_executor, native_available
from detcheck.engine.inputs import PlayerScript
from detcheck.scenario.compiled import CompiledInput, CompiledScenario

EXECUTORS = ["reference", "generated", *(["native"] if native_available() else [])]


def entry(tick: int, hold: int, player: int = 0, **columns: int | tuple[int, ...]) -> CompiledInput:
    cells = []
    for column, value in columns.items():
        lanes = value if isinstance(value, tuple) else (value,)
        cells += [(column, lane, cell) for lane, cell in enumerate(lanes)]
    return CompiledInput(tick, hold, player, tuple(cells))


def plain(scenario: CompiledScenario, tick: int) -> dict[tuple[str, int, int], int]:
    """The rule word by word: all zero, then every active entry in file order."""
    cells: dict[tuple[str, int, int], int] = {}
    for one in scenario.inputs:
        if one.tick <= tick < one.tick + one.hold:
            cells.update({(column, lane, one.player): cell for column, lane, cell in one.cells})
    return {key: cell for key, cell in cells.items() if cell}


def scenario_of(*entries: CompiledInput, rows: int = 2, ticks: int = 10) -> CompiledScenario:
    return compiled([table("players", rows, move="vec2", fire="bool", n="i32")], inputs=entries, ticks=ticks)


def seen(scenario: CompiledScenario, name: str) -> list[dict[tuple[str, int, int], int]]:
    executor = make_executor(name, scenario)
    executor.setup()
    found = []
    for _ in range(scenario.ticks):
        executor.advance(1)
        found.append(
            {
                (column.name, lane, row): cell
                for column in scenario.tables[1].columns
                for lane in range(len(column.lane_names))
                for row, cell in enumerate(executor.lane("players", column.name, lane))
                if cell
            }
        )
    return found


@pytest.mark.parametrize("name", EXECUTORS)
@pytest.mark.parametrize(
    "entries",
    [
        (),
        (entry(3, 2, n=7),),
        (entry(0, 100, n=7),),
        (entry(2, 6, n=7), entry(4, 2, n=8)),
        (entry(4, 2, n=8), entry(2, 6, n=7)),
        (entry(2, 6, n=7), entry(4, 2, n=0)),
        (entry(2, 6, move=(1, 2), fire=1), entry(4, 9, move=(0, 5)), entry(5, 1, 1, n=-1)),
        (entry(2, 2, n=1), entry(2, 2, n=2), entry(2, 2, 1, n=3)),
        (entry(500, 5, n=1),),
        (entry(9, 1 << 31, n=1),),
    ],
)
def test_the_later_entry_wins_per_column(entries: tuple[CompiledInput, ...], name: str) -> None:
    """Per tick, player and column the last active entry in file order, whole; zero where there is none."""
    scenario = scenario_of(*entries)
    assert seen(scenario, name) == [plain(scenario, tick) for tick in range(scenario.ticks)]


@pytest.mark.parametrize("name", EXECUTORS)
def test_random_scripts(name: str) -> None:
    """Many overlapping entries give what the rule read word by word gives."""
    rnd = Random(7)
    for _ in range(20):
        entries = []
        for _ in range(rnd.randint(1, 40)):
            columns: dict[str, int | tuple[int, ...]] = {}
            if rnd.randrange(2):
                columns["move"] = (rnd.randint(-9, 9), rnd.randint(-9, 9))
            if rnd.randrange(2):
                columns["fire"] = rnd.randrange(2)
            columns["n"] = rnd.randint(-3, 3)
            entries.append(entry(rnd.randint(0, 30), rnd.randint(1, 20), rnd.randrange(2), **columns))
        scenario = scenario_of(*entries, ticks=32)
        assert seen(scenario, name) == [plain(scenario, tick) for tick in range(32)]


def test_a_script_can_be_entered_anywhere() -> None:
    """Asking for a later tick first gives everything that stands there."""
    scenario = scenario_of(entry(2, 6, n=7), entry(4, 2, n=8), entry(1, 2, 1, n=9))
    changes = {(lane, row): cell for lane, row, cell in PlayerScript(scenario).changes(5)}
    assert changes[ref("players.n"), 0] == 8
    assert changes[ref("players.n"), 1] == 0


@pytest.mark.parametrize("name", EXECUTORS)
def test_what_a_system_wrote_into_the_players_rows_is_reset(name: str) -> None:
    """Columns without an active entry are zero at the start of every tick, whatever was stored there."""
    build = Build("s", "players")
    build.store("players.n", build.op("i32.add", build.load("players.n", "i32"), build.const(5), kind="i32"))
    scenario = compiled([table("players", 2, n="i32")], [build], [build], inputs=[entry(1, 1, 1, n=10)], ticks=4)
    executor = make_executor(name, scenario)
    executor.setup()
    assert executor.lane("players", "n", 0) == [5, 5]
    found = []
    for _ in range(3):
        executor.advance(1)
        found.append(executor.lane("players", "n", 0))
    assert found == [[5, 5], [5, 15], [5, 5]]


@pytest.mark.parametrize("name", EXECUTORS)
def test_binary32_inputs_arrive_as_their_bits(name: str) -> None:
    """Every pattern a num of the script can have is in the state as it is."""
    patterns = [bits for bits in F32_EDGES if bits != 0x7FC00000]
    entries = [CompiledInput(tick, 1, 0, (("v", 0, bits),)) for tick, bits in enumerate(patterns)]
    scenario = compiled([table("players", 1, v="num")], inputs=entries, backend=FLOAT, ticks=len(patterns))
    executor = make_executor(name, scenario)
    executor.setup()
    found = []
    for _ in patterns:
        executor.advance(1)
        found.append(executor.lane("players", "v", 0)[0])
    assert found == patterns


def test_long_holds_cost_nothing_while_they_last() -> None:
    """A hundred thousand entries that hold forever are settled once each, not once a tick."""
    entries = [entry(tick, 1 << 30, n=tick) for tick in range(100_000)]
    script = PlayerScript(scenario_of(*entries, rows=1))
    work = sum(1 for tick in range(100_100) for _ in script.changes(tick))
    assert work == 100_000
