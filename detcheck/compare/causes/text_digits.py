"""Text with too few digits: a binary32 needs 9, a binary64 needs 17 to come back as it was."""

from __future__ import annotations

from collections import Counter
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context

from detcheck.compare.causes.evidence import Evidence, all_floats, named
from detcheck.compare.scalars import digits
from detcheck.compare.wording import plural
from detcheck.errors import visible
from detcheck.model.comparison import Finding
from detcheck.model.record import Scalar

#: fewer digits than this are a short number, not a cut one
MIN_DIGITS = 4
#: a text of so many digits is taken as complete
FULL_DIGITS = 8
#: a difference of a few ulps is no cut text
MIN_ULPS = 64
#: tokens that all break off at the same length, where every value agrees and the hash does not
MIN_TOKENS = 4


def find(evidence: Evidence) -> str | None:
    """One side's token is the other's, cut; or all values agree, break off early, and the hash differs."""
    floats = [f for f in evidence.values() if f.a.kind == f.b.kind == "float"]
    cut = [f for f in floats if _cut(f.a, f.b, f) or _cut(f.b, f.a, f)]
    if cut and len(cut) == len(floats):
        first = cut[0]
        short, full = sorted((first.a, first.b), key=lambda value: digits(value.text))
        return (
            f"{named(cut)}: {visible(short.text, 40)} is {visible(full.text, 40)} written with {digits(short.text)} "
            "digits; 9 are needed for a binary32, 17 for a binary64"
        )
    if evidence.findings and all(f.kind == "hash" for f in evidence.findings):
        return _all_cut(evidence)
    return None


def _cut(short: Scalar, full: Scalar, finding: Finding) -> bool:
    """Whether `short` is what `full` becomes when it is rounded to as many digits."""
    have, need = digits(short.text), digits(full.text)
    if not MIN_DIGITS <= have < need or need < FULL_DIGITS or have >= 17:
        return False
    if finding.delta_ulps is None or finding.delta_ulps < MIN_ULPS:
        return False
    rounded = {Context(have, rounding).create_decimal(full.text) for rounding in (ROUND_HALF_EVEN, ROUND_HALF_UP)}
    return Context(64).create_decimal(short.text) in rounded


def _all_cut(evidence: Evidence) -> str | None:
    """Tokens of a dump that all break off at six to eight digits."""
    lengths = Counter(digits(value.text) for value in all_floats(evidence.a))
    longest = max(lengths, default=0)
    if not 6 <= longest <= 8 or lengths[longest] < MIN_TOKENS or lengths[longest] * 2 < sum(lengths.values()):
        return None
    count = plural(lengths[longest], "number")
    return (
        f"every value agrees and the hash does not, and {count} of the dump break off at {longest} digits; "
        "9 are needed for a binary32, 17 for a binary64"
    )
