"""Plays one scenario through detcheck and through the second implementation, and says what each of them saw.

The only module here that knows both sides, beside the tests.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from independent_machine import Machine, Stop
from independent_scenario import Refused, Scenario

from detcheck.engine.replay import replay
from detcheck.errors import DetcheckError, TrapError
from detcheck.scenario.load import load
from detcheck.scenario.scenario import Scenario as LoadedScenario


class Seen(NamedTuple):
    """What a replay showed: `ticks` is (tick, state hash, parts in order) for every tick; `trap` is
    (tick, system, row, reason, source line), None where it ran to its end; `refused` says why it never started."""

    ticks: tuple[tuple[int, str, tuple[tuple[str, str], ...]], ...] = ()
    trap: tuple[int, str, int, str, str] | None = None
    refused: str | None = None


def seen_by_second(text: str, backend: str) -> Seen:
    """Of the second implementation."""
    try:
        machine = Machine(Scenario(text), backend)
    except (Refused, SyntaxError, tomllib.TOMLDecodeError) as error:
        return Seen(refused=repr(error))
    ticks = []
    try:
        for tick in machine.run():
            state_hash, parts = machine.digests()
            ticks.append((tick, state_hash, tuple(parts.items())))
    except Stop as stop:
        source = stop.program.line(stop.line)
        return Seen(tuple(ticks), (stop.tick, stop.program.name, stop.row, stop.reason, source))
    return Seen(tuple(ticks))


def seen_by_product(path: Path, text: str, backend: str, executor: str) -> Seen:
    """Of an executor of detcheck; the scenario is written to `path`."""
    path.write_text(text, encoding="utf-8", newline="")
    try:
        return seen_of(load(path), backend, executor)
    except DetcheckError as error:
        return Seen(refused=str(error))


def seen_of(scenario: LoadedScenario, backend: str, executor: str) -> Seen:
    """Of an executor of detcheck, from its own scenario."""
    ticks = []
    try:
        for point in replay(scenario, backend, executor=executor, every=1):
            checkpoint = point.checkpoint
            ticks.append((checkpoint.tick, checkpoint.state_hash, tuple(checkpoint.parts)))
    except TrapError as trap:
        source = str(trap.where and trap.where.source).strip()
        if source.startswith("where = "):
            source = tomllib.loads(source)["where"]
        return Seen(tuple(ticks), (trap.tick, trap.system, trap.row, trap.reason, source))
    return Seen(tuple(ticks))
