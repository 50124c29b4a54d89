"""A run as JSON (design: formats, Machine-readable reports): versioned, integers within 2^53, the rest as strings."""

from __future__ import annotations

import json
from typing import Any

from detcheck.model.identity import Identity
from detcheck.model.run_report import RunReport, ScenarioResult
from detcheck.reports import operation
from detcheck.reports.diff_json import finding_document
from detcheck.version import REPORT_FORMAT


def render(report: RunReport) -> str:
    """The whole report as one JSON document with a final newline."""
    return json.dumps(document(report), indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def document(report: RunReport) -> dict[str, Any]:
    """The report as plain values."""
    return {
        "version": REPORT_FORMAT,
        "detcheck": report.detcheck,
        "platform": dict(report.platform),
        "canaries": [{"name": c.name, "ok": c.ok, "detail": c.detail} for c in report.canaries],
        "shard": None if report.shard is None else {"index": report.shard[0], "count": report.shard[1]},
        "selected": report.selected,
        "results": [_result(r) for r in report.results],
        "remarks": list(report.remarks),
        "summary": dict(report.summary),
        "seconds": round(report.seconds, 6),
        "exit_code": report.exit_code,
    }


def _result(result: ScenarioResult) -> dict[str, Any]:
    comparison = result.comparison
    return {
        "scenario": result.scenario,
        "backend": result.backend,
        "executor": result.executor,
        "identity": None if result.identity is None else _identity(result.identity),
        "verdict": result.verdict,
        "reason": result.reason,
        "checkpoints": result.checkpoints,
        "equal_checkpoints": result.equal_checkpoints,
        "first_divergent_checkpoint": result.first_divergent_checkpoint,
        "first_divergent_tick": result.first_divergent_tick,
        "last_equal_tick": result.last_equal_tick,
        "parts": [{"part": n, "expected": expected, "actual": actual} for n, expected, actual in result.parts],
        "findings": [] if comparison is None else [finding_document(f) for f in comparison.findings],
        "causes": [] if comparison is None else [{"name": c.name, "evidence": c.evidence} for c in comparison.causes],
        "expected_from": result.expected_from,
        "operation": None if result.operation is None else operation.document(result.operation),
        "hashes": {str(c.tick): c.state_hash for c in result.actual},
        "golden": None if result.golden_file is None else {"file": result.golden_file, "line": result.golden_line},
        "fault": None if result.fault_file is None else {"file": result.fault_file, "line": result.fault_line},
        "scenario_file": result.scenario_file,
        "remarks": list(result.remarks),
        "hint": result.hint,
        "reproduce": result.reproduce,
        "seconds": round(result.seconds, 6),
        "exit_code": result.exit_code,
    }


def _identity(identity: Identity) -> dict[str, Any]:
    return {**identity.as_text(), "math": identity.math, "format": identity.format}
