"""The first divergent operation for people: where it stands, its operands, both results, as raw, decimal and bits."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from detcheck.errors import Where, caret_lines, visible
from detcheck.model.operation import OperationFault, OperationValue
from detcheck.reports.operation import headline, place

EXPECTED, ACTUAL = "red", "green"
_GAP = "  "
_HEADS = ("raw", "decimal", "bits")

#: label, value, style
_Row = tuple[str, OperationValue, str]


def operation_lines(fault: OperationFault, width: int) -> list[Text]:
    """Lines of at most `width` characters where names and values allow it."""
    lines = [Text(f"first divergent operation: {headline(fault)}", style="bold")]
    if len(lines[0]) > width:
        lines = [Text("first divergent operation", style="bold"), Text(_GAP + headline(fault), style="bold")]
    if place(fault):
        lines.append(Text(_GAP + place(fault)))
    if fault.source is not None:
        where = Where(fault.file, fault.line, fault.column, fault.source)
        lines += [Text(text) for text in caret_lines(where, max(20, width - 4))]
    rows: list[_Row] = [(_GAP + visible(value.name), value, "") for value in fault.operands]
    rows.append((f"- {visible(fault.expected_from)}", fault.expected, EXPECTED))
    rows.append((f"+ {visible(fault.actual_from)}", fault.actual, ACTUAL))
    return lines + _table(rows, width)


def _table(rows: Sequence[_Row], width: int) -> list[Text]:
    """A row for each value; where that is too wide, its label and then its three forms below each other."""
    label = max(len(label) for label, _, _ in rows)
    sizes = [
        max(len(head), *(len(cell) for _, value, _ in rows for cell in _cells(value)[at : at + 1]))
        for at, head in enumerate(_HEADS)
    ]
    if len(_GAP) + label + sum(size + len(_GAP) for size in sizes) > width:
        return _stacked(rows)
    lead = _GAP + " " * label + _GAP
    heads = _GAP.join(head.ljust(size) for head, size in zip(_HEADS, sizes, strict=True))
    lines = [Text((lead + heads).rstrip(), style="bold")]
    for name, value, style in rows:
        cells = _cells(value)
        body = _GAP.join(cell.ljust(size) for cell, size in zip(cells, sizes, strict=True)) if any(cells) else ""
        text = body if value.raw is not None else _words(value)
        lines.append(Text(f"{_GAP}{name.ljust(label)}{_GAP}{text}".rstrip(), style=style))
    return lines


def _stacked(rows: Sequence[_Row]) -> list[Text]:
    lines = []
    for name, value, style in rows:
        lines.append(Text(_GAP + name, style=style))
        forms = zip(_HEADS, _cells(value), strict=True) if value.raw is not None else (("", _words(value)),)
        lines += [Text(f"{_GAP * 3}{head.ljust(7)} {form}".rstrip(), style=style) for head, form in forms]
    return lines


def _cells(value: OperationValue) -> tuple[str, str, str]:
    if value.raw is None:
        return "", "", ""
    return str(value.raw), visible(value.decimal), visible(value.bits)


def _words(value: OperationValue) -> str:
    """What stands for a value that has no cell: a trap, a generator."""
    return visible(" ".join(filter(None, (value.bits, value.decimal))))
