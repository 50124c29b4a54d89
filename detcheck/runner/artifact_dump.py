"""The states that `--artifacts` leaves: which ticks of a replay, within a size, and the dump of them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from detcheck.engine.executor import Executor
from detcheck.errors import TrapError
from detcheck.model.run_report import ScenarioResult
from detcheck.runner.work import Work

#: uncompressed size a dump of one result is kept under, by leaving out the ticks farthest from the divergence
LIMIT_BYTES = 32 * 1024 * 1024

#: what a cell takes in a dump at most, with its comma, and a tick without its cells (a generator's 624 words, parts)
CELL_BYTES, TICK_BYTES = 12, 12_000

#: ticks before an exactly known first divergent tick or a trap, and after it
BEFORE, AFTER = 4, 2


@dataclass(frozen=True)
class Dumped:
    """The ticks a dump holds (none: there is no dump), and a remark for the reader."""

    ticks: tuple[int, ...] = ()
    remark: str = ""


def dump_states(target: Path, result: ScenarioResult, work: Work) -> Dumped:
    """Replay once more and write the states around the divergence, or before the trap. Raises DetcheckError."""
    from detcheck.dumps.write import DumpHead, DumpWriter
    from detcheck.engine.executors import make_executor
    from detcheck.numbers import get
    from detcheck.runner.dumping import write_states
    from detcheck.scenario.compile import compile_scenario

    if result.first_divergent_checkpoint is None and not (result.verdict == "error" and result.actual):
        return Dumped()
    scenario = work.load()
    compiled = compile_scenario(scenario, work.backend)
    executor = make_executor(result.executor, compiled)
    room = room_ticks(executor)
    if room == 0:
        return Dumped((), f"One tick's state is larger than {LIMIT_BYTES >> 20} MiB: no states are left here.")
    ticks, trapped = scenario.ticks, ""
    if result.verdict == "error":
        trap = _trap_tick(make_executor(result.executor, compiled), scenario.ticks)
        if trap is not None:
            ticks, trapped = trap, f"; the trap comes in the tick after {trap}"
    chosen = ticks_to_dump(result, room, ticks)
    head = DumpHead(result.identity, get(work.backend).number, executor.tables)
    with suppress(TrapError):  # a replay that is unlike itself; what was written before it stays
        write_states(executor, iter(chosen), DumpWriter(target, head))
    return Dumped(chosen, trapped)


def room_ticks(executor: Executor) -> int:
    """How many ticks of this state are sure to fit."""
    cells = sum(table.rows * len(column.lane_names) for table in executor.tables for column in table.columns)
    return LIMIT_BYTES // (cells * CELL_BYTES + TICK_BYTES)


def ticks_to_dump(result: ScenarioResult, room: int, ticks: int) -> tuple[int, ...]:
    """Which of the ticks 0 to `ticks`, at most `room` of them: around the exact tick and the first unlike checkpoint.

    Without an exact tick from the last equal checkpoint on; without a divergence the last ones, before a trap.
    """
    exact, unlike = result.first_divergent_tick, result.first_divergent_checkpoint
    if unlike is None:
        around, middle = range(ticks - BEFORE, ticks + 1), ticks
    elif exact is not None:
        around, middle = range(exact - BEFORE, exact + AFTER + 1), exact
    else:
        around, middle = range(result.last_equal_tick or 0, unlike + AFTER + 1), unlike
    chosen = {tick for tick in around if 0 <= tick <= ticks} | {middle if unlike is None else unlike}
    return tuple(sorted(sorted(chosen, key=lambda tick: (abs(tick - middle), tick))[:room]))


def ticks_in_words(ticks: tuple[int, ...]) -> str:
    """`6 to 12, 1000`."""
    runs: list[list[int]] = []
    for tick in ticks:
        if runs and tick == runs[-1][-1] + 1:
            runs[-1].append(tick)
        else:
            runs.append([tick])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def _trap_tick(executor: Executor, ticks: int) -> int | None:
    """How many ticks are completed when the replay traps; None when it does not, or traps in setup."""
    try:
        executor.setup()
    except TrapError:
        return None
    try:
        executor.advance(ticks)
    except TrapError as trap:
        return trap.tick
    return None
