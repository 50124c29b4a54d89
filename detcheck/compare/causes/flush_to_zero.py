"""Denormals on one side are zero on the other: flush-to-zero or denormals-are-zero is switched on."""

from __future__ import annotations

from detcheck.compare.causes.evidence import Evidence, bits_words, is_float, named
from detcheck.compare.scalars import is_denormal, is_zero
from detcheck.compare.wording import plural


def find(evidence: Evidence) -> str | None:
    """Every denormal that differs is a zero on one and the same side."""
    floats = [f for f in evidence.values() if is_float(f)]
    in_b = [f for f in floats if is_denormal(f.a) and is_zero(f.b)]
    in_a = [f for f in floats if is_denormal(f.b) and is_zero(f.a)]
    if bool(in_a) == bool(in_b):
        return None
    side, found = ("a", in_a) if in_a else ("b", in_b)
    return f"{plural(len(found), 'denormal')} of one side {'is' if len(found) == 1 else 'are'} zero in {side}: " + (
        f"{named(found)} ({bits_words(found[0])})"
    )
