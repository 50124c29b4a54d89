"""The one place where a trap becomes a `TrapError`, so that every executor says the same text."""

from __future__ import annotations

from collections.abc import Sequence

from detcheck.errors import TrapError, Where, visible
from detcheck.language.ir import Op, Program
from detcheck.language.ops import TRAPS
from detcheck.model.schema import LaneRef, TableSpec
from detcheck.numbers import Backend

#: names of an op's operands by the last word of its code, where they are not a and b
_OPERAND_NAMES: dict[str, tuple[str, ...]] = {
    "clamp": ("x", "lo", "hi"),
    "roll": ("lo", "hi"),
    "sqrt": ("x",),
    "i32": ("index",),
    "u32": ("index",),
}

#: the same for whole codes of ops that never trap
_OPERANDS_OF: dict[str, tuple[str, ...]] = {
    "select": ("condition", "a", "b"),
    "store": ("value",),
    "scatter.add": ("index", "value"),
    "scatter.sub": ("index", "value"),
    "num.heading": ("x", "y"),
    "num.atan2": ("y", "x"),
    "draw.below": ("n",),
    "draw.next_int_inclusive": ("n",),
}


def operand_names(op: Op) -> tuple[str, ...]:
    """What an op's operands are called, in order; never fewer names than operands."""
    last = op.code.rpartition(".")[2]
    return _OPERANDS_OF.get(op.code) or _OPERAND_NAMES.get(last) or (("x",) if len(op.src) == 1 else ("a", "b"))


def trap_error(
    reason: str,
    program: Program,
    op: Op,
    row: int,
    operands: Sequence[int],
    *,
    tick: int,
    number: Backend,
    tables: Sequence[TableSpec],
    folded: str | None = None,
) -> TrapError:
    """The error of one trap.

    `operands` are the cells of `op.src` in the reference's integer form (empty for a fold of an empty table), `row`
    counts in the system's own table, or in `folded` when the op stands in the body of a fold over that table.
    """
    names = operand_names(op)
    shown = [
        f"{name} = {show_cell(cell, program.types[register], number)}"
        for name, register, cell in zip(names, op.src, operands, strict=False)
    ]
    if reason == "fold_empty":
        shown = [f"table {op.imm} has no rows"]
    elif reason == "index":
        table = op.imm.table if isinstance(op.imm, LaneRef) else op.imm
        rows = next(spec.rows for spec in tables if spec.name == table)
        shown.append(f"{table} has rows 0..{rows - 1}" if rows else f"{table} has no rows")
    place = f"tick {tick}, {visible(program.name)}, row {row} of {folded or program.table}"
    return TrapError(
        reason,
        tick=tick,
        system=program.name,
        row=row,
        op=op.code,
        operands=tuple(zip(names, operands, strict=False)),
        where=Where(program.file, op.line, op.column, program.lines.get(op.line)),
        text=f"trap: {TRAPS[reason]} at {place}: {op.code}, {', '.join(shown)}",
    )


def show_cell(cell: int, kind: str, number: Backend) -> str:
    """A cell with its decimal: `1.5 (raw 98304)`, `0.1 (bits 3dcccccd)`, integers as they are."""
    if kind != "num":
        return str(cell)
    if number.number == "q16.16":
        return f"{number.decimal(cell)} (raw {cell})"
    return f"{number.decimal(cell)} (bits {cell:08x})"
