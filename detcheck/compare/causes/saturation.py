"""One side stops at the limit of its type, the other wraps around to the other end."""

from __future__ import annotations

from detcheck.compare.causes.evidence import Evidence, raw_integers
from detcheck.errors import visible
from detcheck.model.comparison import Finding

#: signed widths and their names; Q16.16 raws are 32 bits wide
_WIDTHS = {16: "i16", 32: "i32", 64: "i64"}


def find(evidence: Evidence) -> str | None:
    """A value at a limit beside one of the other sign, as far from its own limit as the sum went over."""
    for finding in evidence.values():
        raws = _raws(finding)
        if raws is None:
            continue
        name = _limit(raws[0], raws[1], finding) or _limit(raws[1], raws[0], finding)
        if name is not None:
            side = "a" if _limit(raws[0], raws[1], finding) else "b"
            other = "b" if side == "a" else "a"
            return (
                f"{visible(finding.path, 80)} stands at the limit of {name} in {side} (saturated) and has the other "
                f"sign in {other} (wrapped): raw {raws[0]} / {raws[1]}"
            )
    return None


def _raws(finding: Finding) -> tuple[int, int] | None:
    """Integers, Q16.16 raws, or decimals that are exact Q16.16 values."""
    raws = raw_integers(finding)
    if raws is not None:
        return raws
    a, b = finding.a.value, finding.b.value
    if finding.a.kind == finding.b.kind == "float" and isinstance(a, float) and isinstance(b, float):
        scaled = (a * 65536, b * 65536)
        if all(abs(x) <= 2**31 for x in scaled) and all(x == int(x) for x in scaled):
            return int(scaled[0]), int(scaled[1])
    return None


def _limit(stopped: int, wrapped: int, finding: Finding) -> str | None:
    """The type at whose limit `stopped` stands while `wrapped` is in range and of the other sign."""
    widths = {32: "Q16.16"} if finding.a.kind in ("q16", "float") else _WIDTHS
    for bits, name in widths.items():
        top = (1 << bits - 1) - 1
        if (stopped == top and -top - 1 <= wrapped < 0) or (stopped == -top - 1 and 0 <= wrapped <= top):
            return name
    return None
