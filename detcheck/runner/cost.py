"""What a replay costs, in rows x ops x ticks: what limits on the slow executors are given in."""

from __future__ import annotations

from collections.abc import Iterable

from detcheck.language.ir import Op
from detcheck.scenario.compiled import CompiledScenario


def replay_cost(compiled: CompiledScenario, ticks: int) -> int:
    """Single-row ops of `ticks` ticks; the ops inside a fold count for every row of its table."""
    rows = {table.name: table.rows for table in compiled.tables}
    tick = 0
    for program in compiled.systems:
        ops = (*program.guard, *program.ops)
        tick += rows.get(program.table, 1) * len(ops) + _folds(ops, rows)
    return tick * ticks


def _folds(ops: Iterable[Op], rows: dict[str, int]) -> int:
    return sum((len(op.body) + 1) * rows.get(str(op.imm), 1) for op in ops if op.body or op.code.startswith("fold."))
