"""One side stops at the limit of its type, the other wraps around to the other end."""

from __future__ import annotations

from detcheck.compare.causes.evidence import Evidence, raw_integers, row_of
from detcheck.errors import visible
from detcheck.model.comparison import Finding

#: signed widths and their names; Q16.16 raws are 32 bits wide
_SIGNED = {16: "i16", 32: "i32", 64: "i64"}
#: unsigned ones, which stop at 0 and wrap to just below their top
_UNSIGNED = {16: "u16", 32: "u32", 64: "u64"}


def find(evidence: Evidence) -> str | None:
    """A value at a limit beside one that went over it: of the other sign, or the product's low bits."""
    for finding in evidence.values():
        raws = _raws(finding)
        if raws is None:
            continue
        for side, other, stopped, wrapped in (("a", "b", *raws), ("b", "a", *raws[::-1])):
            name = _limit(stopped, wrapped, finding) or _product(evidence, finding, stopped, wrapped)
            if name is not None:
                return (
                    f"{visible(finding.path, 80)} stands at the limit of {name} in {side} (saturated) and beyond it, "
                    f"at the other end, in {other} (wrapped): raw {raws[0]} / {raws[1]}"
                )
    return None


def _raws(finding: Finding) -> tuple[int, int] | None:
    """Integers, Q16.16 raws, or decimals that are exact Q16.16 values."""
    raws = raw_integers(finding)
    if raws is not None:
        return raws
    a, b = finding.a.value, finding.b.value
    kinds = {finding.a.kind, finding.b.kind}
    if kinds <= {"float", "int"} and "float" in kinds and isinstance(a, (int, float)) and isinstance(b, (int, float)):
        if not all(abs(x) <= 2**15 for x in (a, b)):
            return None
        scaled = (a * 65536, b * 65536)
        if all(x == int(x) for x in scaled):
            return int(scaled[0]), int(scaled[1])
    return None


def _limit(stopped: int, wrapped: int, finding: Finding) -> str | None:
    """The type at whose limit `stopped` stands while `wrapped` is in range and of the other sign; not 0 or -1."""
    fixed = "int" not in (finding.a.kind, finding.b.kind) or "float" in (finding.a.kind, finding.b.kind)
    for bits, name in ({32: "Q16.16"} if fixed else _SIGNED).items():
        top = (1 << bits - 1) - 1
        if stopped not in (top, -top - 1) or wrapped in (0, -1):
            continue
        if -top - 1 <= wrapped < 0 if stopped == top else 0 <= wrapped <= top:
            return name
    if fixed or stopped != 0:
        return None
    return next((name for bits, name in _UNSIGNED.items() if 1 < (1 << bits) - wrapped <= 1 << bits // 2), None)


def _product(evidence: Evidence, finding: Finding, stopped: int, wrapped: int) -> str | None:
    """Q16.16 for a product of two numbers of the row, whose low 32 bits are the side that wrapped."""
    if finding.a.kind != "q16" or evidence.previous is None or stopped not in (2**31 - 1, -(2**31)):
        return None
    row = row_of(evidence.previous[0], finding.path)
    factors = [value.value for value in row.values() if value.kind == "q16" and isinstance(value.value, int)]
    for at, x in enumerate(factors):
        for y in factors[at:]:
            if abs(x * y) >= 1 << 46 and any(((x * y >> 16) + up - wrapped) % (1 << 32) == 0 for up in (0, 1)):
                return "Q16.16"
    return None
