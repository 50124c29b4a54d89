"""The support list as JSON (version 1; fields may be added, none renamed)."""

from __future__ import annotations

import json
from typing import Any

from detcheck.model.matrix import Matrix, Row
from detcheck.version import REPORT_FORMAT, __version__


def render(matrix: Matrix) -> str:
    """The document as text with a final newline."""
    return json.dumps(as_data(matrix), indent=2, ensure_ascii=True) + "\n"


def as_data(matrix: Matrix) -> dict[str, Any]:
    """The document as plain data."""
    return {
        "version": REPORT_FORMAT,
        "detcheck": __version__,
        "platforms": [
            {"label": p.label, "fields": dict(p.fields), "reports": list(p.reports)} for p in matrix.platforms
        ],
        "rows": [_row(row) for row in matrix.rows],
        "support": _support(matrix),
        "failures": list(matrix.failures),
        "remarks": list(matrix.remarks),
        "exit_code": matrix.exit_code,
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "scenario": row.scenario,
        "backend": row.backend,
        "platforms": {
            label: {"verdict": c.verdict, "reason": c.reason, "first_divergent_checkpoint": c.tick}
            for label, c in row.cells
        },
        "agree": [list(group) for group in row.groups],
        "disagree": [{"a": d.a, "b": d.b, "tick": d.tick} for d in row.disagreements],
    }


def _support(matrix: Matrix) -> dict[str, dict[str, str]]:
    out: dict[str, dict[str, str]] = {}
    for backend, label, word in matrix.support:
        out.setdefault(backend, {})[label] = word
    return out
