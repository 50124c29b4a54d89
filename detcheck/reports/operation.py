"""The first divergent operation in words, for every report: pure functions of the fault."""

from __future__ import annotations

from typing import Any

from detcheck.errors import visible
from detcheck.model.operation import HOW, OperationFault, OperationValue


def headline(fault: OperationFault) -> str:
    """`tick 23, drift, num.mul, row 2 of unit`."""
    words = [f"tick {fault.tick}", visible(fault.system) if fault.system else "input script"]
    words += [visible(fault.op)] if fault.op else []
    named = fault.expected.name
    words += [] if named in ("result", "accumulator", "generator") else [visible(named)]
    if fault.row is not None:
        words.append(f"row {fault.row} of {visible(fault.table)}")
    return ", ".join(words)


def place(fault: OperationFault) -> str:
    """`scenarios/duel.toml:38:14`; empty where there is no place."""
    parts = [visible(fault.file)] if fault.file else []
    parts += [str(number) for number in (fault.line, fault.column) if number is not None and parts]
    return ":".join(parts)


def how(fault: OperationFault) -> str:
    """What is known of the fault, in a sentence."""
    return HOW[fault.how]


def value_text(value: OperationValue) -> str:
    """`0.13 (raw 8520, bits 00002148)`; of what has no cell, what there is."""
    if value.raw is None:
        return visible(value.decimal + (f" ({value.bits})" if value.bits else ""))
    return visible(f"{value.decimal} (raw {value.raw}, bits {value.bits})")


def line(fault: OperationFault) -> str:
    """Everything on one line."""
    where = place(fault)
    operands = ", ".join(f"{visible(value.name)} = {value_text(value)}" for value in fault.operands)
    results = ", ".join(
        f"{visible(by)} {value_text(value)}"
        for by, value in ((fault.expected_from, fault.expected), (fault.actual_from, fault.actual))
    )
    head = f"first divergent operation: {headline(fault)}" + (f" ({where})" if where else "")
    return ": ".join(filter(None, (head, operands, results)))


def document(fault: OperationFault) -> dict[str, Any]:
    """As plain values, for JSON; cells are below 2^32."""
    return {
        "tick": fault.tick,
        "system": fault.system,
        "file": fault.file,
        "line": fault.line,
        "column": fault.column,
        "source": fault.source,
        "op": fault.op,
        "table": fault.table,
        "row": fault.row,
        "operands": [_value(value) for value in fault.operands],
        "expected": _value(fault.expected),
        "actual": _value(fault.actual),
        "expected_from": fault.expected_from,
        "actual_from": fault.actual_from,
        "how": fault.how,
    }


def _value(value: OperationValue) -> dict[str, Any]:
    return {
        "name": value.name,
        "type": value.type,
        "raw": value.raw,
        "decimal": value.decimal,
        "bits": value.bits,
    }
