"""The support list as Markdown: the table a project commits or shows in a job summary."""

from __future__ import annotations

from detcheck.model.matrix import Matrix
from detcheck.reports.markdown import cell, fit

_MARK = {"supported": "✅ supported", "unsupported": "➖ unsupported", "diverged": "❌ diverged", "not run": "not run"}


def render(matrix: Matrix, limit_bytes: int | None = None) -> str:
    """Backends against platforms, then the replays that do not agree everywhere, failures and remarks."""
    blocks = ["## Support list\n", support_table(matrix), _rows(matrix)]
    blocks.append(_bullets("Failures", matrix.failures))
    blocks.append(_bullets("Remarks", matrix.remarks))
    return fit([block for block in blocks if block], limit_bytes)


def support_table(matrix: Matrix) -> str:
    """One row a backend, one column a platform."""
    labels = [p.label for p in matrix.platforms]
    words = {(backend, label): word for backend, label, word in matrix.support}
    lines = [_line(["backend", *labels]), _line(["---"] * (len(labels) + 1), raw=True)]
    for backend in dict.fromkeys(backend for backend, _, _ in matrix.support):
        marks = [_MARK[words[backend, label]] for label in labels]
        lines.append("| " + " | ".join([cell(backend), *marks]) + " |")
    return "\n".join(lines) + "\n"


def _rows(matrix: Matrix) -> str:
    unlike = [r for r in matrix.rows if r.disagreements or any(c.verdict != "equal" for _, c in r.cells)]
    if not unlike:
        return f"All {len(matrix.rows)} replays agree with their goldens on every platform.\n"
    lines = [_line(["scenario", "backend", "platforms that agree", "pairs that do not"]), _line(["---"] * 4, raw=True)]
    for row in unlike:
        groups = "; ".join(" = ".join(group) for group in row.groups)
        pairs = "; ".join(f"{d.a} / {d.b} from tick {d.tick}" for d in row.disagreements) or "none"
        lines.append(_line([row.scenario, row.backend, groups, pairs]))
    return "\n".join(lines) + "\n"


def _line(values: list[str], raw: bool = False) -> str:
    return "| " + " | ".join(values if raw else [cell(v) for v in values]) + " |"


def _bullets(title: str, lines: tuple[str, ...]) -> str:
    return f"### {title}\n\n" + "\n".join(f"- {cell(line)}" for line in lines) + "\n" if lines else ""
