"""The table of findings that `diff` and a red `run` share: path, both sides as raw, decimal and bits, how far apart.

Two lines a finding, `-` for the first side and `+` for the second. Where the path does not fit beside its values it
stands on a line of its own. Pure functions of findings and the width they may use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from detcheck.errors import visible
from detcheck.model.comparison import Comparison, Finding
from detcheck.reports.values import Shown, distance_text, shown

FIRST, SECOND = "red", "green"
_GAP = "  "
_HEADS = ("raw", "decimal", "bits", "apart")
#: findings shown before it says how many were cut
SHOWN = 20


@dataclass(frozen=True)
class _Row:
    path: str
    a: Shown
    b: Shown
    apart: str
    note: str


@dataclass(frozen=True)
class _Widths:
    """Columns of a table; `path` is 0 where paths stand on their own lines, `columns` are raw, decimal, bits, apart."""

    label: int
    path: int
    columns: tuple[int, int, int, int]


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
    lines = [_head(widths)]
    for row in rows:
        lines.extend(_lines(row, labels, widths, width))
    total = max(total, len(findings))
    if len(rows) < total:
        option = "--all" if labels == ("a", "b") else "-v"
        cut = f"first {len(rows):,} of {total:,}" + (f"; {option}" if len(rows) < len(findings) else "")
        lines.append(Text(cut, style="dim"))
    return lines


def _row(finding: Finding) -> _Row:
    a, b = shown(finding.a), shown(finding.b)
    kind = "" if finding.kind in ("value", "hash", "rng", "missing", "extra", "entity") else f"{finding.kind}: "
    note = visible(kind + (finding.note or ""), 200).rstrip(": ")
    return _Row(visible(finding.path or "(whole record)", 120), a, b, distance_text(finding), note)


def _fit(rows: list[_Row], labels: tuple[str, str], width: int) -> _Widths:
    """The columns' natural widths; the raw column gives way, then the path gets its own line."""
    sides = [side for row in rows for side in (row.a, row.b)]
    natural = [
        max(len(side.raw) for side in sides),
        max(len(side.decimal) for side in sides),
        max(len(side.bits) for side in sides),
        max(len(row.apart) for row in rows),
    ]
    columns = [max(size, len(head)) if size else 0 for size, head in zip(natural, _HEADS, strict=True)]
    label = max(len(text) for text in labels) + 2
    path = max(4, *(len(row.path) for row in rows))
    used = label + sum(size + len(_GAP) for size in columns if size)
    if path + len(_GAP) + used > width:
        path = 0
        over = used + 2 - width
        if over > 0:
            shorter = max(12, columns[0] - over)
            over -= columns[0] - shorter
            columns[0] = shorter
        if over > 0:
            columns[3] = 0
    return _Widths(label, path, (columns[0], columns[1], columns[2], columns[3]))


def _head(widths: _Widths) -> Text:
    start = "path".ljust(widths.path) + _GAP if widths.path else "path" + _GAP
    cells = [head.ljust(size) for head, size in zip(_HEADS, widths.columns, strict=True) if size]
    lead = " " * widths.label if widths.path else ""
    return Text((start + lead + _GAP + _GAP.join(cells)).rstrip(), style="bold")


def _lines(row: _Row, labels: tuple[str, str], widths: _Widths, width: int) -> list[Text]:
    lines = []
    lead = row.path.ljust(widths.path) + _GAP
    blank = " " * (widths.path + len(_GAP))
    if not widths.path:
        lines.append(Text(row.path))
        lead = blank = _GAP
    lines.append(_side(lead, f"- {labels[0]}", row.a, "", widths, FIRST))
    lines.append(_side(blank, f"+ {labels[1]}", row.b, row.apart, widths, SECOND))
    notes = [row.note] if widths.columns[3] or not row.apart else [row.apart, row.note]
    if any(notes):
        lines.append(Text(blank + _GAP + "; ".join(filter(None, notes)), style="dim"))
    return lines


def _side(lead: str, label: str, side: Shown, apart: str, widths: _Widths, style: str) -> Text:
    cells = [
        (_cut(text, size)).ljust(size)
        for text, size in zip((side.raw, side.decimal, side.bits, apart), widths.columns, strict=True)
        if size
    ]
    line = Text(lead)
    line.append(label.ljust(widths.label) + _GAP + _GAP.join(cells).rstrip(), style=style)
    return line


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else text[: size - 1] + "…"
