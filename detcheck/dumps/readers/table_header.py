"""Which lines of a table are no rows: comments, titles, names of columns, units of measurement."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence

from detcheck.dumps import names

#: columns set apart by any number of blanks
BLANKS = " "
NUMBER = re.compile(r"\s*[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?\s*|\s*0x[0-9a-fA-F]+\s*|")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_NAME = r"([A-Za-z_][\w .-]{0,60}?)"
_TITLE = re.compile(
    rf"\s*(?:\[+\s*{_NAME}\s*\]+|[=*#-]{{2,}}\s*{_NAME}\s*[=*#-]*|{_NAME}:|(?:table|section)[ :]\s*{_NAME})\s*[,;\t]*",
    re.IGNORECASE,
)
#: a cell that begins as a number: no header has one
_NUMBER_CELL = re.compile(r"(?:^|[,;\t|])\s*\"?[+-]?\.?\d")
_UNIT = re.compile(r"\s*(?:[\[(<][^\])>]{0,16}[\])>]|-|)\s*")


def is_comment(line: str) -> bool:
    """A line that is no row: a comment, or a spreadsheet's `sep=;`."""
    return line.startswith(("#", "sep=", "//", "%"))


def is_title(line: str) -> bool:
    """A line that names the table under it: `[units]`, `=== units ===`, `units:`."""
    return len(line) < 100 and _TITLE.fullmatch(line) is not None


def title_of(line: str) -> str:
    """The name in a title or a comment."""
    match = _TITLE.fullmatch(line)
    if match is not None:
        return next(filter(None, match.groups()), "").strip()
    word = line.strip("#%/=- \t")
    return word if re.fullmatch(r"[A-Za-z_][\w .-]{0,60}", word) else ""


def names_columns(cells: Sequence[str], width: int) -> bool:
    """Whether cells are names of that many columns; the first may be empty (a row number), or the last."""
    cells = [cell.strip() for cell in cells]
    if len(cells) != width or len([cell for cell in cells if cell]) < 2 or not all(cells[1:-1]):
        return False
    if any(cell and NUMBER.fullmatch(cell) for cell in cells) or not (cells[-1] or cells[0]):
        return False
    return not re.fullmatch(r"[0-9a-f]{8,}", cells[-1])


def begins_table(line: str, delimiter: str, columns: Sequence[str]) -> bool:
    """Whether a line behind rows is the header of another table: names only, one of them that of a tick."""
    if delimiter == BLANKS or delimiter not in line or _NUMBER_CELL.search(line):
        return False
    try:
        cells = [cell.strip() for row in csv.reader([line], delimiter=delimiter, skipinitialspace=True) for cell in row]
    except csv.Error:
        return False
    if not names_columns(cells, len(cells)) or cells == list(columns)[: len(cells)]:
        return False
    return any(names.tick_rank(cell) is not None for cell in cells)


def are_units(row: Iterable[str]) -> bool:
    """A row of units of measurement in brackets: `[-],[m],[m/s]`."""
    cells = list(row)
    return all(map(_UNIT.fullmatch, cells)) and any(cell.strip() for cell in cells)


def is_blank_table(rows: list[list[str]], named: list[list[str]]) -> bool:
    """Columns set apart by blanks: names of them, one of which is the tick, above rows of numbers."""
    width = len(rows[0])
    commented = bool(named) and names_columns(named[0], width)
    head = named[0] if commented else rows[0]
    body = rows if commented else rows[1:]
    if width < 3 or not body or not names_columns(head, width) or any("=" in cell for row in body for cell in row):
        return False
    numbers = sum(1 for row in body for cell in row if NUMBER.fullmatch(cell) or _NOT_FINITE.fullmatch(cell))
    return numbers >= 0.7 * len(body) * width and any(names.tick_rank(name) is not None for name in head)
