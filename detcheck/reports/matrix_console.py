"""The support list for a terminal: a grid of backends and platforms, then what does not agree."""

from __future__ import annotations

from textwrap import wrap

from detcheck.errors import visible
from detcheck.model.exits import INCONCLUSIVE
from detcheck.model.matrix import Matrix, Row
from detcheck.reports.matrix_numbers import numbered

_LEGEND = "(a column a platform: . equal, x diverged, ? inconclusive, ! error, blank: not run)"

#: how a cell of the grid of replays is written
_SIGN = {"equal": ".", "diverged": "x", "inconclusive": "?", "error": "!", "not run": " "}


def render(matrix: Matrix, width: int = 80) -> list[str]:
    """Plain lines; platforms are numbered so that the grid stays narrow whatever their labels are."""
    lines = []
    for number, platform in enumerate(matrix.platforms, 1):
        lines.append(f"  [{number}] {visible(platform.label)}")
    if not matrix.rows:
        return [*lines, *(f"note: {remark}" for remark in matrix.remarks), "", *verdict_lines(matrix)]
    support = [part for line in _support(matrix) for part in wrap(line, width, subsequent_indent="  ")]
    lines.extend(["", *support, "", *_grid(matrix, width), *wrap(_LEGEND, width)])
    for row in matrix.rows:
        lines.extend(_pairs(matrix, row))
    lines.extend(f"note: {remark}" for remark in matrix.remarks)
    return [*lines, "", *verdict_lines(matrix)]


def verdict_lines(matrix: Matrix) -> list[str]:
    """What fails the merge, and the summary."""
    lines = [f"FAILED: {failure}" for failure in matrix.failures]
    unsupported = [f"{b} on {visible(label)}" for b, label, word in matrix.support if word == "unsupported"]
    if unsupported:
        lines.append(f"unsupported: {', '.join(unsupported)}")
    verdict = "every platform agrees"
    if not matrix.rows:
        verdict = "nothing to merge, no report holds a result"
    elif matrix.failures or unsupported or matrix.exit_code:
        verdict = "not all agree" if matrix.exit_code != INCONCLUSIVE or unsupported else "incomplete"
    elif any(word == "not run" for _, _, word in matrix.support):
        verdict = "all that was run agrees; not every platform ran every backend"
    return [*lines, f"{_plural(len(matrix.platforms), 'platform')}, {_plural(len(matrix.rows), 'replay')}: {verdict}"]


def _plural(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _support(matrix: Matrix) -> list[str]:
    """`float_pinned_32: supported [1-5, 7], unsupported [6]`."""
    out = []
    for backend in dict.fromkeys(b for b, _, _ in matrix.support):
        words: dict[str, list[str]] = {}
        for label, word in ((label, word) for b, label, word in matrix.support if b == backend):
            words.setdefault(word, []).append(label)
        listed = ", ".join(f"{word} [{numbered(matrix, labels)}]" for word, labels in words.items())
        out.append(f"{visible(backend)}: {listed}")
    return out


def _grid(matrix: Matrix, width: int) -> list[str]:
    """A line a replay, or two where name and signs do not fit side by side."""
    names = [_name(row) for row in matrix.rows]
    column = max((len(n) for n in names), default=0)
    beside = column + 1 + len(matrix.platforms) <= width
    gap = " " * (column + 1) if beside else "  "
    out = [gap + "".join(str(number % 10) for number in range(1, len(matrix.platforms) + 1))]
    for name, row in zip(names, matrix.rows, strict=True):
        signs = "".join(_SIGN[cell.verdict] for _, cell in row.cells)
        out.extend([f"{name:<{column}} {signs}".rstrip()] if beside else [name, f"  {signs}".rstrip()])
    return out


def _pairs(matrix: Matrix, row: Row) -> list[str]:
    selves = [f"two reports of [{numbered(matrix, [d.a])}] differ from tick {d.tick}" for d in row.unlike_itself()]
    pairs = [
        f"[{numbered(matrix, a)}] / [{numbered(matrix, b)}] differ from tick {tick}" for a, b, tick in row.group_pairs()
    ]
    return [f"{_name(row)}: {words}" for words in (*selves, *pairs)]


def _name(row: Row) -> str:
    """A file that is no scenario has no backend."""
    return f"{visible(row.scenario)} [{visible(row.backend)}]" if row.backend else visible(row.scenario)
