"""What the native tests share: everything that can be seen of a replay, and the same scenario with more rows."""

from __future__ import annotations

from dataclasses import replace

from detcheck.engine.executor import Executor
from detcheck.errors import TrapError
from detcheck.scenario.compiled import CompiledScenario


def outcome(executor: Executor, ticks: int, step: int = 1) -> list[object]:
    """State bytes and draws after setup and every `step` ticks, up to the end or the trap with all it tells."""
    seen: list[object] = []
    try:
        executor.setup()
        seen.append(_state(executor))
        while executor.tick < ticks:
            executor.advance(min(step, ticks - executor.tick))
            seen.append((executor.tick, *_state(executor)))
    except TrapError as trap:
        seen.append((str(trap), trap.tick, trap.system, trap.row, trap.op, trap.operands, trap.where))
    return seen


def _state(executor: Executor) -> tuple[object, ...]:
    parts = [(name, bytes(buffer)) for name, buffer in executor.part_buffers()]
    lanes = [
        executor.lane(table.name, column.name, lane)
        for table in executor.tables
        for column in table.columns
        for lane in range(len(column.lane_names))
    ]
    return parts, lanes, executor.rng_state(), executor.draws()


def with_rows(scenario: CompiledScenario, factor: int) -> CompiledScenario:
    """The scenario with `factor` times the rows in every table but the world: blocks of rows, and a rest."""
    tables = tuple(
        table if table.name == "world" else replace(table, rows=table.rows * factor) for table in scenario.tables
    )
    return replace(scenario, tables=tables)
