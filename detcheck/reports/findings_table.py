"""The table of findings that `diff` and a red `run` share: path, both sides as raw, decimal and bits, how far apart.

Two lines a finding, `-` for the first side and `+` for the second. Where the path does not fit beside its values it
stands on a line of its own; where the values do not fit beside each other they stand below each other. Nothing is cut
or broken. Pure functions of findings and the width they may use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from detcheck.errors import visible
from detcheck.model.comparison import Comparison, Finding
from detcheck.reports.values import Shown, distance_text, shown_pair

FIRST, SECOND = "red", "green"
_GAP = "  "
_HEADS = ("raw", "decimal", "bits", "apart")
_HEAD_WIDTH = max(map(len, _HEADS))
#: findings shown before it says how many were cut
SHOWN = 20
#: a row with a longer form does not decide over the columns of the others (a Q16.16 in decimal has 23)
_LONG = 24


@dataclass(frozen=True)
class _Row:
    path: str
    a: Shown
    b: Shown
    apart: str
    note: str

    def forms(self, side: Shown) -> tuple[str, str, str, str]:
        """The four cells of a side; how far apart they are stands on the second."""
        return side.raw, side.decimal, side.bits, self.apart if side is self.b else ""


@dataclass(frozen=True)
class _Widths:
    """Columns of a table; `path` is 0 where paths stand on their own lines, `columns` are raw, decimal, bits, apart.

    `columns` None: no row fits, forms stand below each other.
    """

    label: int
    path: int
    columns: tuple[int, ...] | None

    @property
    def lead(self) -> int:
        """Characters before the first column."""
        return (self.path or 0) + len(_GAP) + self.label + len(_GAP)


def findings_table(
    comparison: Comparison, labels: tuple[str, str] = ("a", "b"), limit: int | None = SHOWN, width: int = 80
) -> list[Text]:
    """The findings of a comparison as lines; `limit` None shows all that are kept."""
    return findings_lines(comparison.findings, labels, width, limit, comparison.findings_total)


def findings_lines(
    findings: Sequence[Finding], labels: tuple[str, str], width: int, limit: int | None = SHOWN, total: int = 0
) -> list[Text]:
    """Lines of at most `width` characters where values allow it, and a line that says what was cut."""
    if not findings:
        return []
    listed = findings if limit is None else findings[:limit]
    rows = [_row(finding) for finding in listed]
    widths = _fit(rows, labels, width)
    lines = [] if widths.columns is None else [_head(widths)]
    for row in rows:
        lines.extend(_lines(row, labels, widths))
    total = max(total, len(findings))
    if len(rows) < total:
        option = "--all" if labels == ("a", "b") else "-v"
        more = "all" if len(findings) == total else f"{len(findings):,}"
        cut = f"first {len(rows):,} of {total:,}" + (f"; {option} shows {more}" if len(rows) < len(findings) else "")
        lines.append(Text(cut, style="dim"))
    return lines


def _row(finding: Finding) -> _Row:
    kind = "" if finding.kind in ("value", "hash", "rng", "missing", "extra", "entity") else f"{finding.kind}: "
    note = visible(kind + (finding.note or ""), 200).rstrip(": ")
    path = visible(finding.path or "(whole record)", 120)
    return _Row(path, *shown_pair(finding.a, finding.b), distance_text(finding), note)


def _fit(rows: Sequence[_Row], labels: tuple[str, str], width: int) -> _Widths:
    """The columns of all rows; else with paths on lines of their own; else of the rows without a long form."""
    label = max(len(text) for text in labels) + 2
    path = max(4, *(len(row.path) for row in rows))
    short = [row for row in rows if not _is_long(row)]
    for fitted, path_width in ((rows, path), (rows, 0), (short, path), (short, 0)):
        columns = _columns(fitted)
        found = _Widths(label, path_width, columns)
        if columns and _line_width(found) <= width:
            return found
    return _Widths(label, 0, None)


def _columns(rows: Sequence[_Row]) -> tuple[int, ...] | None:
    """The width of each form, 0 where no row has it."""
    if not rows:
        return None
    cells = [row.forms(side) for row in rows for side in (row.a, row.b)]
    natural = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return tuple(max(size, len(head)) if size else 0 for size, head in zip(natural, _HEADS, strict=True))


def _line_width(widths: _Widths) -> int:
    return widths.lead + sum(size + len(_GAP) for size in widths.columns or () if size) - len(_GAP)


def _is_long(row: _Row) -> bool:
    return any(len(form) > _LONG for side in (row.a, row.b) for form in row.forms(side))


def _head(widths: _Widths) -> Text:
    cells = [head.ljust(size) for head, size in zip(_HEADS, widths.columns or (), strict=True) if size]
    return Text(("path".ljust(widths.lead) + _GAP.join(cells)).rstrip(), style="bold")


def _lines(row: _Row, labels: tuple[str, str], widths: _Widths) -> list[Text]:
    lines = []
    lead = row.path.ljust(widths.path) + _GAP
    if len(lead) > widths.path + len(_GAP):
        lines.append(Text(row.path))
        lead = " " * widths.path + _GAP
    for sign, name, side, style in (("-", labels[0], row.a, FIRST), ("+", labels[1], row.b, SECOND)):
        for cells in _cells(row.forms(side), widths.columns):
            label = f"{sign} {name}".ljust(widths.label) if sign else " " * widths.label
            lines.append(Text(lead).append((label + _GAP + cells).rstrip(), style=style))
            lead, sign = " " * len(lead), ""
    if row.note:
        lines.append(Text(" " * widths.path + _GAP * 2 + row.note, style="dim"))
    return lines


def _cells(forms: Sequence[str], columns: Sequence[int] | None) -> list[str]:
    """The forms of a side on one line in their columns; below each other and named where they do not fit."""
    if columns is not None and all(len(form) <= size for form, size in zip(forms, columns, strict=True)):
        return [_GAP.join(form.ljust(size) for form, size in zip(forms, columns, strict=True) if size)]
    there = [(head, form) for head, form in zip(_HEADS, forms, strict=True) if form]
    named = [f"{head.ljust(_HEAD_WIDTH)}  {form}" for head, form in there] or [""]
    if len(there) == 1 or [head for head, _ in there[1:]] == ["apart"]:
        named[0] = there[0][1]  # one form needs no name
    return named
