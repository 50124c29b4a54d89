"""Exactly one bit of the whole state differs: a flip in memory or on the way, when the next tick agrees."""

from __future__ import annotations

from detcheck.compare.causes.evidence import Evidence, as_binary32, raw_integers, value_at
from detcheck.compare.scalars import hex_bits, is_nan, is_zero, same
from detcheck.errors import visible
from detcheck.model.comparison import Finding

#: a single low bit is what a rounding or an off-by-one also looks like
LOW_BITS = 8


def find(evidence: Evidence) -> str | None:
    """One value differs, in one bit, and the next tick agrees; without a next tick low bits say nothing."""
    values = evidence.values()
    if len(values) != 1 or not evidence.only_values() or _special(values[0]):
        return None
    bits = _bits(values[0])
    if bits is None or (bits[0] ^ bits[1]).bit_count() != 1:
        return None
    place = (bits[0] ^ bits[1]).bit_length() - 1
    if _only_late(evidence, values[0]):
        return None
    if evidence.next_equal is False or (evidence.next_equal is None and place < LOW_BITS):
        return None
    if evidence.next_equal:
        told = "the next tick agrees, so a flip in the dump or on the way is likely"
    else:
        told = "there is no next tick that could tell a flip from a flag set on one side only"
    return f"exactly one bit of the state differs, bit {place} of {visible(values[0].path, 80)}; {told}"


def _only_late(evidence: Evidence, finding: Finding) -> bool:
    """Whether one side still has the value of the tick before and the other already that of the tick after."""
    if evidence.previous is None or evidence.next_pair is None:
        return False
    before, after = (value_at(pair[0], finding.path) for pair in (evidence.previous, evidence.next_pair))
    if before is None or after is None or same(before, after):
        return False
    return any(same(before, old) and same(after, new) for old, new in ((finding.a, finding.b), (finding.b, finding.a)))


def _special(finding: Finding) -> bool:
    """A zero of another sign and a NaN tell of arithmetic, though one bit may be all that differs."""
    return is_nan(finding.a) or is_nan(finding.b) or (is_zero(finding.a) and is_zero(finding.b))


def _bits(finding: Finding) -> tuple[int, int] | None:
    raws = raw_integers(finding)
    if raws is not None:
        width = max(32, *(raw.bit_length() for raw in raws))
        width = max(64, width + 1) if width > 32 else 32
        return raws[0] & (1 << width) - 1, raws[1] & (1 << width) - 1
    if finding.a.kind == "float":
        return as_binary32(finding) or _hexed(finding)
    return _hexed(finding) if finding.a.kind == finding.b.kind else None


def _hexed(finding: Finding) -> tuple[int, int] | None:
    a, b = hex_bits(finding.a), hex_bits(finding.b)
    return None if a is None or b is None or len(a) != len(b) else (int(a, 16), int(b, 16))
