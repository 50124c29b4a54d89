"""Zeros of another sign: a reordered subtraction, a product with a negative factor, a tiny negative rounded away."""

from __future__ import annotations

from detcheck.compare.causes.evidence import Evidence, is_any_zero, named
from detcheck.compare.wording import plural


def find(evidence: Evidence) -> str | None:
    """Values that are zero on both sides and differ, so in sign."""
    found = [f for f in evidence.values() if is_any_zero(f.a) and is_any_zero(f.b)]
    if not found:
        return None
    return f"{plural(len(found), 'zero')} of another sign: {named(found)} ({found[0].a.text} / {found[0].b.text})"
