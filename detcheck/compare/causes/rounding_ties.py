"""Exact ties go up on one side and to the even neighbour on the other."""

from __future__ import annotations

from detcheck.compare.causes.evidence import Evidence, named, raw_integers, row_of
from detcheck.errors import visible
from detcheck.model.comparison import Finding

#: without the product at hand, so many values have to fit the pattern, and none may speak against it
MIN_VALUES = 4


def find(evidence: Evidence) -> str | None:
    """A product of the tick before that is an exact tie, or many values one unit apart, always even below odd."""
    found = [(f, raws) for f in evidence.values() if (raws := raw_integers(f)) is not None]
    for finding, raws in found:
        if finding.a.kind == "q16" and abs(raws[0] - raws[1]) == 1:
            product = _tie(evidence, finding, raws)
            if product is not None:
                return product
    if len(found) < MIN_VALUES or len(found) != len(evidence.values()):
        return None
    for side, other in ((0, 1), (1, 0)):
        if all(raws[side] - raws[other] == 1 and raws[other] % 2 == 0 for _, raws in found):
            names = ("a", "b")
            return (
                f"all {len(found)} numbers that differ are one unit apart, odd in {names[side]} and the even below in "
                f"{names[other]}: ties rounded half up in {names[side]}, to even in {names[other]} "
                f"({named([f for f, _ in found])})"
            )
    return None


def _tie(evidence: Evidence, finding: Finding, raws: tuple[int, int]) -> str | None:
    """Two Q16.16 values of the row whose product lies exactly between the two sides."""
    if evidence.previous is None:
        return None
    before = {n: v.value for n, v in row_of(evidence.previous[0], finding.path).items() if v.kind == "q16"}
    now = {n: v.value for n, v in row_of(evidence.a, finding.path).items() if v.kind == "q16"}
    factors = [(n, v) for n, v in {**now, **before}.items() if isinstance(v, int)]
    half_up, even = max(raws), min(raws)
    if even % 2:
        return None
    for at, (one, x) in enumerate(factors):
        for other, y in factors[at:]:
            if x * y % 65536 == 32768 and x * y >> 16 == even:
                side = "a" if raws[0] == half_up else "b"
                return (
                    f"{visible(finding.path, 80)}: {visible(one, 40)} * {visible(other, 40)} is an exact tie between "
                    f"raw {even} and {half_up}; {side} rounds it half up, the other side to even"
                )
    return None
