"""Denormals on one side are zero on the other: flush-to-zero or denormals-are-zero is switched on."""

from __future__ import annotations

import struct

from detcheck.compare.causes.evidence import Evidence, bits_words, is_any_zero, is_float, named
from detcheck.compare.scalars import is_denormal
from detcheck.compare.wording import plural
from detcheck.model.record import Scalar

#: of binary32
_SMALLEST_NORMAL = 2.0**-126


def find(evidence: Evidence) -> str | None:
    """Every denormal that differs is a zero on one and the same side."""
    in_b = [f for f in evidence.values() if _is_denormal(f.a) and is_any_zero(f.b)]
    in_a = [f for f in evidence.values() if _is_denormal(f.b) and is_any_zero(f.a)]
    if bool(in_a) == bool(in_b):
        return None
    side, found = ("a", in_a) if in_a else ("b", in_b)
    words = bits_words(found[0]) if is_float(found[0]) else f"{found[0].a.text} / {found[0].b.text}"
    return f"{plural(len(found), 'denormal')} of one side {'is' if len(found) == 1 else 'are'} zero in {side}: " + (
        f"{named(found)} ({words})"
    )


def _is_denormal(value: Scalar) -> bool:
    """Also a binary32 that is printed with the digits of a binary64."""
    if is_denormal(value):
        return True
    number = value.value
    if value.kind != "float" or not isinstance(number, float) or not 0 < abs(number) < _SMALLEST_NORMAL:
        return False
    return bool(struct.unpack("<f", struct.pack("<f", number))[0] == number)
