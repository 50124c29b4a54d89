"""The support list as Markdown: the table a project commits or shows in a job summary."""

from __future__ import annotations

from detcheck.model.matrix import Matrix, Row
from detcheck.reports.markdown import cell, fit
from detcheck.reports.matrix_numbers import numbered

_MARK = {"supported": "✅ supported", "unsupported": "➖ unsupported", "diverged": "❌ diverged", "not run": "not run"}


def render(matrix: Matrix, limit_bytes: int | None = None) -> str:
    """Platforms against backends, what fails, the replays that do not agree everywhere, remarks.

    Over `limit_bytes` the end is cut, never the failures for the sake of the table of replays.
    """
    blocks = ["## Support list\n", support_table(matrix), _bullets("Failures", matrix.failures), _rows(matrix)]
    blocks.append(_bullets("Remarks", matrix.remarks))
    return fit([block for block in blocks if block], limit_bytes)


def support_table(matrix: Matrix) -> str:
    """One row a platform, one column a backend."""
    backends = list(dict.fromkeys(backend for backend, _, _ in matrix.support))
    words = {(backend, label): word for backend, label, word in matrix.support}
    lines = [_line(["", "platform", *backends]), _line(["---"] * (len(backends) + 2), raw=True)]
    for number, platform in enumerate(matrix.platforms, 1):
        marks = [_MARK[words[backend, platform.label]] for backend in backends]
        lines.append(_line([str(number), cell(platform.label), *marks], raw=True))
    return "\n".join(lines) + "\n"


def _rows(matrix: Matrix) -> str:
    if not matrix.rows:
        return "Nothing to merge: no report holds a result.\n"
    unlike = [r for r in matrix.rows if r.disagreements or any(c.verdict != "equal" for _, c in r.cells)]
    if not unlike:
        return f"All {len(matrix.rows)} replays agree with their goldens on every platform.\n"
    lines = [_line(["scenario", "backend", "equal", "not equal", "pairs that disagree"])]
    lines.append(_line(["---"] * 5, raw=True))
    for row in unlike:
        equal = numbered(matrix, [label for label, c in row.cells if c.verdict == "equal"])
        verdicts = dict.fromkeys(c.verdict for _, c in row.cells if c.verdict != "equal")
        others = "; ".join(
            f"{v} {numbered(matrix, [label for label, c in row.cells if c.verdict == v])}" for v in verdicts
        )
        lines.append(_line([row.scenario, row.backend, equal, others, _pairs(matrix, row)]))
    return "\n".join(lines) + "\n"


def _pairs(matrix: Matrix, row: Row) -> str:
    pairs = [f"{numbered(matrix, a)} / {numbered(matrix, b)} from tick {tick}" for a, b, tick in row.group_pairs()]
    return "; ".join(
        [*(f"two reports of {numbered(matrix, [d.a])} at tick {d.tick}" for d in row.unlike_itself()), *pairs]
    )


def _line(values: list[str], raw: bool = False) -> str:
    return "| " + " | ".join(values if raw else [cell(v) for v in values]) + " |"


def _bullets(title: str, lines: tuple[str, ...]) -> str:
    return f"### {title}\n\n" + "\n".join(f"- {cell(line, 1000)}" for line in lines) + "\n" if lines else ""
