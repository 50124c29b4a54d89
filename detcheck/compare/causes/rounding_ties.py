"""Exact ties go up on one side and to the even neighbour on the other."""

from __future__ import annotations

from collections.abc import Iterator

from detcheck.compare.causes.evidence import RATES, Evidence, named, raw_integers, row_of, value_at
from detcheck.compare.scalars import same
from detcheck.errors import visible
from detcheck.model.comparison import Finding
from detcheck.model.record import Scalar

#: without the product at hand, so many values have to fit the pattern, and none may speak against it
MIN_VALUES = 4
#: half of a smaller number is often the value of something else
SMALL = 1 << 8
_ONE, _HALF = 1 << 16, 1 << 15


def find(evidence: Evidence) -> str | None:
    """A product, quotient or half of the row that is an exact tie; or many values one apart, even always below odd."""
    found = [(f, raws) for f in evidence.values() if (raws := raw_integers(f)) is not None]
    for finding, raws in found:
        if finding.a.kind == "q16" and abs(raws[0] - raws[1]) == 1:
            told = _tie(evidence, finding, raws)
            if told is not None:
                return told
    if len(found) < MIN_VALUES or len(found) != len(evidence.values()) or not _all_new(evidence, found):
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


def _all_new(evidence: Evidence, found: list[tuple[Finding, tuple[int, int]]]) -> bool:
    """Whether both sides computed every one of them in this tick: what stays as it was has been rounded by nobody."""
    if evidence.previous is None:
        return True
    before = [value_at(evidence.previous[0], finding.path) for finding, _ in found]
    return not any(
        old is not None and (same(old, finding.a) or same(old, finding.b))
        for old, (finding, _) in zip(before, found, strict=True)
    )


def _tie(evidence: Evidence, finding: Finding, raws: tuple[int, int]) -> str | None:
    """The numbers of the row whose product, quotient or half lies exactly between the two sides.

    The tie may have been added to what the value was before.
    """
    if evidence.previous is None:
        return None
    before = value_at(evidence.previous[0], finding.path)
    bases = [("", 0)]
    if before is not None and before.kind == finding.a.kind and isinstance(before.value, int) and before.value:
        bases.append((" (added to its value before)", before.value))
    low, even = min(raws), next(raw for raw in raws if raw % 2 == 0)
    for words, doubled in _doubled(evidence, finding):
        for added, base in bases:
            if doubled != 2 * (low - base) + 1:
                continue
            if base % 2:  # the tie's own even neighbour is the other one
                even = next(raw for raw in raws if raw % 2)
            side = "b" if even == raws[0] else "a"
            return (
                f"{visible(finding.path, 80)}: {words} is an exact tie between raw {min(raws) - base} and "
                f"{max(raws) - base}{added}; {side} rounds it {'half up' if even == low else 'away from zero'}, "
                "the other side to even"
            )
    return None


def _doubled(evidence: Evidence, finding: Finding) -> Iterator[tuple[str, int]]:
    """Twice each product, quotient and half of two numbers of the row that is a whole number and a half, in words."""
    factors = list(_factors(evidence, finding))
    for name, x in factors:
        if x % 2 and abs(x) > SMALL:
            yield f"half of {visible(name, 40)}", x
    constants = [(f"1/{rate}", raw) for rate in RATES for raw in {_ONE // rate, (_ONE + rate // 2) // rate}]
    for at, (one, x) in enumerate(factors):
        for other, y in [*factors[at:], *constants]:
            if x * y % _ONE == _HALF:
                yield f"{visible(one, 40)} * {visible(other, 40)}", x * y // _HALF
        for other, y in factors:
            if y and x * _ONE * 2 % y == 0 and x * _ONE * 2 // y % 2:
                yield f"{visible(one, 40)} / {visible(other, 40)}", x * _ONE * 2 // y


def _factors(evidence: Evidence, finding: Finding) -> Iterator[tuple[str, int]]:
    """Numbers of the row in the tick before and, where both sides agree on them, in this one."""
    assert evidence.previous is not None
    theirs = row_of(evidence.b, finding.path)
    now = {n: v for n, v in row_of(evidence.a, finding.path).items() if n in theirs and same(v, theirs[n])}
    seen: set[int] = set()
    for row in (now, row_of(evidence.previous[0], finding.path)):
        for name, value in row.items():
            if _is_like(value, finding) and isinstance(value.value, int) and value.value not in seen:
                seen.add(value.value)
                yield name, value.value


def _is_like(value: Scalar, finding: Finding) -> bool:
    return value.kind == finding.a.kind
