"""The first operation on which two executors disagree, with everything needed to try it by hand."""

from __future__ import annotations

from dataclasses import dataclass

#: how an operation was told from the others -> the words a user reads
HOW: dict[str, str] = {
    "alone": "given these operands alone, the executors differ",
    "in_place": "no single op differs alone: the fault is in how this executor combines ops; with the ops before it"
    " this one is the first that differs",
    "statement": "no single op differs alone, nor where its result is looked at: the fault is in how this executor"
    " combines ops; this is the first statement after which the state differs",
    "system": "the operation was not looked for: this is the first system after which the state differs",
    "inputs": "the players' rows differ before any system has run: the fault is in how the input script is applied",
}


@dataclass(frozen=True)
class OperationValue:
    """One operand or result.

    type      num, i32, u32, angle or bool; "trap" or "generator" for what has no cell
    raw       the cell as the reference has it: Q16.16 raws and i32 signed, all else unsigned; None without a cell
    decimal   the number it stands for; what happened, for a trap
    bits      its 32 bits in hex (0 or 1 for a bool); the digest of a generator's saved state
    """

    name: str
    type: str
    raw: int | None
    decimal: str
    bits: str


@dataclass(frozen=True)
class OperationFault:
    """Operands agree, results do not: `expected` is what `expected_from` makes of them, `actual` what `actual_from`.

    tick     the first divergent one, counted as checkpoints are: its state is the first that differs
    row      of `table`, which is the folded table for an op in the body of a fold; None where a whole system is meant
    how      a key of HOW
    file, line, column, source   the place in the scenario file; line and column are None for the input script
    op       its code; empty where only the system or statement is known
    """

    tick: int
    system: str
    op: str
    table: str
    row: int | None
    operands: tuple[OperationValue, ...]
    expected: OperationValue
    actual: OperationValue
    expected_from: str
    actual_from: str
    how: str = "alone"
    file: str = ""
    line: int | None = None
    column: int | None = None
    source: str | None = None
