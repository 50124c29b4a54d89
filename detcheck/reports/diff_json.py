"""`diff --json`: version 1 of the document in the design's formats page. Unknown fields may be added, none renamed."""

from __future__ import annotations

import json
from typing import Any

from detcheck.compare.scalars import hex_bits
from detcheck.compare.verdict import EXIT_CODES
from detcheck.model.comparison import Comparison, Coverage, Finding
from detcheck.model.record import Scalar
from detcheck.reports.values import decimal_text

VERSION = 1
#: beyond it many readers lose integers: they are strings then
SAFE = 1 << 53


def render(comparison: Comparison) -> str:
    """The document as text, one final newline; ASCII, so that no encoding can damage it."""
    return json.dumps(document(comparison), indent=1) + "\n"


def document(comparison: Comparison) -> dict[str, Any]:
    """The document as plain values."""
    return {
        "version": VERSION,
        "verdict": comparison.verdict,
        "reason": comparison.reason,
        "first_divergent_tick": _tick(comparison.first_divergent_tick),
        "last_equal_tick": _tick(comparison.last_equal_tick),
        "readers": _sides(comparison.readers),
        "names": _sides(comparison.names),
        "why": _sides(comparison.why),
        "findings": [finding_document(finding) for finding in comparison.findings],
        "findings_total": max(comparison.findings_total, len(comparison.findings)),
        "causes": [{"name": cause.name, "evidence": cause.evidence} for cause in comparison.causes],
        "notes": list(comparison.notes),
        "how": list(comparison.how),
        "coverage": _coverage(comparison.coverage),
        "strip": comparison.strip,
        "follows": [
            {"tick": _tick(count.tick), "differing": count.differing, "by_part": dict(count.by_part)}
            for count in comparison.follows
        ],
        "context": [{"tick": _tick(tick), "text": text} for tick, text in comparison.context],
        "sides": [list(group) for group in comparison.sides],
        "exit_code": EXIT_CODES[comparison.verdict],
    }


def finding_document(finding: Finding) -> dict[str, Any]:
    """One finding; values are integers within 2^53, everything else is text as written."""
    return {
        "path": finding.path,
        "kind": finding.kind,
        "a": value(finding.a),
        "b": value(finding.b),
        "delta_ulps": _tick(finding.delta_ulps),
        "bits_a": hex_bits(finding.a),
        "bits_b": hex_bits(finding.b),
        "decimal_a": decimal_text(finding.a) or None,
        "decimal_b": decimal_text(finding.b) or None,
        "note": finding.note,
    }


def value(scalar: Scalar) -> int | str:
    """An integer within 2^53 as one, all else as its text."""
    if scalar.kind == "int" and isinstance(scalar.value, int) and abs(scalar.value) <= SAFE:
        return scalar.value
    return scalar.text


def _tick(number: int | None) -> int | str | None:
    return number if number is None or abs(number) <= SAFE else str(number)


def _sides(texts: tuple[str, ...]) -> dict[str, str]:
    """The first two as a and b, further ones as c, d, ..."""
    return {chr(ord("a") + place): text for place, text in enumerate(texts[:26])}


def _coverage(coverage: Coverage) -> dict[str, Any]:
    return {
        "ticks_compared": coverage.ticks_compared,
        "fields_compared": coverage.fields_compared,
        "a_ticks": _window(coverage.a_ticks),
        "b_ticks": _window(coverage.b_ticks),
        "only_a": coverage.only_a,
        "only_b": coverage.only_b,
        "ignored": dict(coverage.ignored),
        "byte_equal_lines": coverage.byte_equal_lines,
        "ticks_counted": coverage.ticks_counted,
        "read_to_end": coverage.read_to_end,
    }


def _window(window: tuple[int, int] | None) -> list[int | str | None] | None:
    return None if window is None else [_tick(end) for end in window]
