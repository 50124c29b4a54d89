"""The lowered form of a program: a flat list of typed scalar-lane ops in static single assignment form.

Registers are numbered from 0 within a program (guard, statements and fold bodies share the numbering); each is assigned
once. `Op.dst` and `Op.src` hold register numbers. The order of the list is the order of execution: statement by
statement, in a statement by source position. Nothing may be reordered where a trap or a draw could tell.
"""

from __future__ import annotations

from dataclasses import dataclass

from detcheck.model.schema import LaneRef


@dataclass(frozen=True, slots=True)
class Op:
    """One op. `code` is a key of detcheck.language.ops.OPS.

    imm        the constant's cell (const), a LaneRef (load, world, gather, store, scatter), a table name (check_index),
               the folded table's name (fold.*)
    body       folds only: the ops run over all rows of the folded table, op by op, before the accumulation; in it
               `load` names a lane of the folded table
    statement  index of the statement in its program (the guard is -1)
    line, column   place in the scenario file, from 1
    """

    code: str
    dst: tuple[int, ...]
    src: tuple[int, ...]
    imm: int | str | LaneRef | None = None
    body: tuple["Op", ...] = ()
    statement: int = 0
    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Program:
    """One system or setup program, lowered for one backend.

    table      the own table's name, "world" for a world system
    guard      the ops of `where` (evaluated over all rows), and its bool register; empty and None without a guard
    types      lane type by register: num, i32, u32, angle or bool
    lines      source text by line number of the file, for trap messages
    """

    name: str
    table: str
    guard: tuple[Op, ...]
    guard_register: int | None
    ops: tuple[Op, ...]
    types: tuple[str, ...]
    file: str
    lines: dict[int, str]
