"""NaNs of other bits: the payload and sign of a NaN differ between processors and optimisation levels."""

from __future__ import annotations

from detcheck.compare.causes.evidence import Evidence, bits_words, is_float, named
from detcheck.compare.scalars import is_nan
from detcheck.compare.wording import plural


def find(evidence: Evidence) -> str | None:
    """Values that are NaN on both sides and differ in bits."""
    found = [f for f in evidence.values() if is_float(f) and is_nan(f.a) and is_nan(f.b)]
    if not found:
        return None
    count = plural(len(found), "value")
    return (
        f"{count} NaN on both sides with other bits: {named(found)} ({bits_words(found[0])}); make NaN canonical first"
    )
