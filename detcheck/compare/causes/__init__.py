"""Likely causes, one a file: `find(evidence)` gives the evidence in words, or None. Never a guess without it."""

from __future__ import annotations

from collections.abc import Callable

from detcheck.compare.causes import (
    contraction,
    draw_count,
    flush_to_zero,
    nan_bits,
    one_bit,
    rounding_ties,
    row_order,
    saturation,
    text_digits,
    zero_sign,
)
from detcheck.compare.causes.evidence import Evidence
from detcheck.compare.seen import Divergence
from detcheck.model.comparison import Cause

#: every cause by the name of its file, in the order they are shown
CAUSES: dict[str, Callable[[Evidence], str | None]] = {
    "draw_count": draw_count.find,
    "row_order": row_order.find,
    "contraction": contraction.find,
    "flush_to_zero": flush_to_zero.find,
    "nan_bits": nan_bits.find,
    "zero_sign": zero_sign.find,
    "one_bit": one_bit.find,
    "saturation": saturation.find,
    "rounding_ties": rounding_ties.find,
    "text_digits": text_digits.find,
}


def causes_of(found: Divergence | None) -> tuple[Cause, ...]:
    """The causes with evidence in a divergence; none without one."""
    if found is None:
        return ()
    findings = found.diff.findings
    evidence = Evidence(
        found.a,
        found.b,
        findings,
        found.before[-1] if found.before else None,
        found.after.next_equal,
        found.next_pair,
        truncated=found.diff.differing > len(findings),
    )
    return causes_in(evidence)


def causes_in(evidence: Evidence) -> tuple[Cause, ...]:
    """The causes that find evidence, in the order of the table."""
    return tuple(Cause(name, words) for name, find in CAUSES.items() if (words := find(evidence)) is not None)
