"""One ulp in products only: a * b + c is rounded once on one side (fused) and twice on the other.

Two kinds of evidence are accepted. Strong: three values of the row (or a usual 1/rate) whose fused and unfused
a * b + c are exactly the two sides. Weak: two or more numbers differ, every one by exactly one ulp, all of them newly
computed in this tick, and nothing else differs.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from fractions import Fraction

from detcheck.compare.causes.evidence import (
    RATES,
    Evidence,
    as_binary32,
    is_float,
    named,
    row_of,
    ulps,
    value_at,
)
from detcheck.compare.scalars import FLOAT_KINDS, bits64, exact, from_bits64, same
from detcheck.compare.wording import plural
from detcheck.errors import visible
from detcheck.model.comparison import Finding
from detcheck.model.record import Scalar
from detcheck.numbers.binary32 import nearest

#: findings for which the three values are searched
MAX_SEARCHED = 4
MIN_WEAK = 2

_Factor = tuple[str, float]


def find(evidence: Evidence) -> str | None:
    """See the module."""
    floats = [f for f in evidence.values() if is_float(f)]
    close = [f for f in floats if (ulps(f) or 9) <= 2]
    for finding in close[:MAX_SEARCHED]:
        told = _fused(evidence, finding)
        if told is not None:
            return told
    return _weak(evidence, floats)


def _weak(evidence: Evidence, floats: list[Finding]) -> str | None:
    if len(floats) < MIN_WEAK or len(floats) != len(evidence.values()) or not evidence.only_values():
        return None
    if evidence.previous is None or any(ulps(f) != 1 for f in floats):
        return None
    for finding in floats:
        before = value_at(evidence.previous[0], finding.path)
        if before is None or same(before, finding.a) or same(before, finding.b):
            return None
    return (
        f"{plural(len(floats), 'number')} differ, each by exactly one ulp, all computed in this tick, and nothing else "
        f"does ({named(floats)}): a multiply-add that is fused on one side, or another order of additions"
    )


def _fused(evidence: Evidence, finding: Finding) -> str | None:
    """Name the product and the sum that explain a finding."""
    if evidence.previous is None:
        return None
    bits32 = as_binary32(finding)
    narrow = bits32 is not None
    wanted = _values(finding, bits32)
    terms = list(_terms(evidence, finding, narrow))
    factors = [*terms, *((f"1/{rate}", _round(Fraction(1, rate), narrow)) for rate in RATES)]
    near = abs(wanted[0] - wanted[1]) * 4
    for at, (name_q, q) in enumerate(terms):
        for name_r, r in factors[at:]:
            for sign in (1.0, -1.0):
                product = sign * q * r
                for name_p, p in terms:
                    if abs(product + p - wanted[0]) <= near and p and q and r:
                        side = _explains(p, sign * q, r, wanted, narrow)
                        if side is not None:
                            sum_text = (
                                f"{visible(name_p, 30)} {'+' if sign > 0 else '-'} {visible(name_q, 30)} * {name_r}"
                            )
                            return (
                                f"{visible(finding.path, 80)}: {sum_text} of the tick before, rounded once, is the "
                                f"value of {side}; rounded after the product and after the sum, that of the other side"
                            )
    return None


def _explains(p: float, q: float, r: float, wanted: tuple[float, float], narrow: bool) -> str | None:
    """The side that is the fused p + q * r, when the other is the unfused one."""
    once = _round(Fraction(p) + Fraction(q) * Fraction(r), narrow)
    twice = _round(Fraction(_round(Fraction(q) * Fraction(r), narrow)) + Fraction(p), narrow)
    if once == twice:
        return None
    if (once, twice) == wanted:
        return "a"
    return "b" if (twice, once) == wanted else None


def _values(finding: Finding, bits32: tuple[int, int] | None) -> tuple[float, float]:
    if bits32 is not None:
        return _from32(bits32[0]), _from32(bits32[1])
    return from_bits64(bits64(finding.a)), from_bits64(bits64(finding.b))


def _terms(evidence: Evidence, finding: Finding, narrow: bool) -> Iterator[_Factor]:
    """Finite numbers of the row in the tick before, and those of this tick that are equal on both sides."""
    assert evidence.previous is not None
    seen: set[float] = set()
    rows = (row_of(evidence.previous[0], finding.path), _equal_values(evidence, finding.path))
    for row in rows:
        for name, value in row.items():
            number = exact(value) if value.kind in FLOAT_KINDS else None
            if number is None:
                continue
            term = _round(number, narrow)
            if term not in seen:
                seen.add(term)
                yield name, term


def _equal_values(evidence: Evidence, path: str) -> dict[str, Scalar]:
    theirs = row_of(evidence.b, path)
    return {n: v for n, v in row_of(evidence.a, path).items() if n in theirs and same(v, theirs[n])}


def _round(value: Fraction, narrow: bool) -> float:
    """The nearest binary32 or binary64, ties to even; infinite beyond the range."""
    try:
        if narrow:
            sign = -1 if value < 0 else 1
            return sign * _from32(nearest(abs(value.numerator), value.denominator))
        return value.numerator / value.denominator
    except OverflowError:
        return float("inf")


def _from32(bits: int) -> float:
    result: float = struct.unpack(">f", bits.to_bytes(4, "big"))[0]
    return result
