"""What one value is: when two are equal, which bits they have, how many ulps lie between them.

Exact by default (design: diff, "Decide"): NaN equals NaN of the same bits, -0.0 differs from 0.0, integers are exact
at any size, tokens with a point or exponent are their binary64, an integer and a decimal of one value are equal, a
string is never a number.
"""

from __future__ import annotations

import struct
from fractions import Fraction

from detcheck.model.record import Scalar

ABSENT = Scalar("absent", None, "absent")
#: stands for a group or list that one side has and the other lacks
PRESENT = Scalar("present", None, "present")

#: kinds that are floating-point numbers, with the bits of their exponent and mantissa
FLOAT_KINDS = {"float": (11, 52), "f64": (11, 52), "f32": (8, 23)}
NUMBER_KINDS = frozenset(("int", "float", "f32", "f64", "q16"))

_SIGN64 = 1 << 63
_INF64 = 0x7FF << 52


def same(a: Scalar, b: Scalar) -> bool:
    """Whether two values are equal, exactly."""
    if a.kind == b.kind and a.text == b.text and a.kind not in ("q16", "f32", "f64"):
        return True
    if a.kind == b.kind and a.kind in ("int", "hash", "str", "q16", "f32", "f64"):
        return a.value == b.value
    return key(a) == key(b)


def key(value: Scalar) -> tuple[object, ...]:
    """A hashable value that is equal for two Scalars exactly when they are equal."""
    kind = value.kind
    if kind in ("int", "hash"):
        return ("n", value.value)
    if kind == "q16":
        return _key64(q16_bits64(_int(value)))
    if kind in FLOAT_KINDS:
        return _key64(bits64(value))
    if kind == "str":
        return ("s", value.value)
    return (kind, value.value)


def _key64(bits: int) -> tuple[object, ...]:
    """A finite value without fraction is the integer it equals; -0.0 and NaN stay bits."""
    if bits & ~_SIGN64 >= _INF64 or bits == _SIGN64:
        return ("f", bits)
    value = from_bits64(bits)
    return ("n", int(value)) if value.is_integer() else ("f", bits)


def _int(value: Scalar) -> int:
    assert isinstance(value.value, int), value
    return value.value


def bits64(value: Scalar) -> int:
    """The binary64 pattern of a float, f32 or f64; an f32 is widened bit for bit, NaN payload included."""
    if value.kind == "f32":
        return widen(_int(value) & 0xFFFFFFFF)
    if value.kind == "f64":
        return _int(value) & (1 << 64) - 1
    assert isinstance(value.value, float), value
    return to_bits64(value.value)


def to_bits64(value: float) -> int:
    """The pattern of a binary64."""
    return int.from_bytes(struct.pack(">d", value), "big")


def from_bits64(bits: int) -> float:
    """The binary64 of a pattern."""
    result: float = struct.unpack(">d", bits.to_bytes(8, "big"))[0]
    return result


def widen(bits32: int) -> int:
    """A binary32 pattern as the binary64 pattern of the same value; integers only, so no signalling NaN is quieted."""
    sign, exponent, mantissa = bits32 >> 31, bits32 >> 23 & 0xFF, bits32 & 0x7FFFFF
    if exponent == 0xFF:
        return sign << 63 | 0x7FF << 52 | mantissa << 29
    if exponent == 0 and mantissa:
        shift = 24 - mantissa.bit_length()
        return sign << 63 | (897 - shift) << 52 | (mantissa << shift & 0x7FFFFF) << 29
    return sign << 63 | ((exponent + 896) << 52 if exponent else 0) | mantissa << 29


def q16_bits64(raw: int) -> int:
    """The binary64 pattern of a Q16.16 raw value; exact."""
    return to_bits64(raw / 65536)


def narrow(value: float) -> int | None:
    """The binary32 pattern of a binary64 that is one exactly (or is a NaN); None for any other."""
    bits = to_bits64(value)
    if bits & ~_SIGN64 > _INF64:
        return None if bits & (1 << 29) - 1 else bits >> 63 << 31 | 0xFF << 23 | bits >> 29 & 0x7FFFFF
    try:
        packed = struct.pack(">f", value)
    except OverflowError:
        return None
    return int.from_bytes(packed, "big") if struct.unpack(">f", packed)[0] == value else None


def is_nan(value: Scalar) -> bool:
    """Whether it is a floating-point NaN."""
    return value.kind in FLOAT_KINDS and bits64(value) & ~_SIGN64 > _INF64


def is_zero(value: Scalar) -> bool:
    """Whether it is a floating-point zero of either sign."""
    return value.kind in FLOAT_KINDS and bits64(value) & ~_SIGN64 == 0


def is_denormal(value: Scalar) -> bool:
    """Whether it is a subnormal of its own format; a decimal token that is a binary32 subnormal counts as one."""
    if value.kind == "f32":
        magnitude = _int(value) & 0x7FFFFFFF
        return 0 < magnitude < 1 << 23
    if value.kind not in FLOAT_KINDS:
        return False
    if value.kind == "float" and value.value:
        bits32 = text_bits32(value)
        if bits32 is not None and 0 < bits32 & 0x7FFFFFFF < 1 << 23:
            return True
    return 0 < bits64(value) & ~_SIGN64 < 1 << 52


def text_bits32(value: Scalar) -> int | None:
    """The binary32 that a decimal token of at most nine digits is the shortest, or a rounded, text of; else None."""
    if value.kind != "float" or not isinstance(value.value, float) or not 0 < digits(value.text) <= 9:
        return None
    try:
        packed = struct.pack(">f", value.value)
    except OverflowError:
        return None
    back: float = struct.unpack(">f", packed)[0]
    if back == value.value or float(f"{back:.{digits(value.text)}g}") == value.value:
        return int.from_bytes(packed, "big")
    return None


def digits(token: str) -> int:
    """Significant decimal digits of a numeric token: 0.1 has 1, 0.10000000000000002 has 17, 1.50 has 3."""
    mantissa = token.lower().partition("e")[0].lstrip("+-")
    figures = mantissa.replace(".", "").replace(",", "").replace("_", "")
    return len(figures.lstrip("0")) if figures.isdigit() else 0


def ordinal(bits: int, exponent: int, mantissa: int) -> int:
    """Patterns in the order of their values, one apart for neighbours; both zeros are 0."""
    sign = 1 << exponent + mantissa
    return -(bits & sign - 1) if bits & sign else bits


def delta_ulps(a: Scalar, b: Scalar) -> int | None:
    """How many representable values two numbers of one format are apart (raw units for Q16.16); None without a meaning.

    An f32 beside a value of another float kind is measured in binary64.
    """
    if a.kind == b.kind == "q16":
        return abs(_int(a) - _int(b))
    if a.kind not in FLOAT_KINDS or b.kind not in FLOAT_KINDS or is_nan(a) or is_nan(b):
        return None
    if a.kind == b.kind == "f32":
        return abs(ordinal(_int(a) & 0xFFFFFFFF, 8, 23) - ordinal(_int(b) & 0xFFFFFFFF, 8, 23))
    return abs(ordinal(bits64(a), 11, 52) - ordinal(bits64(b), 11, 52))


def hex_bits(value: Scalar) -> str | None:
    """The pattern in hex: 8 digits for f32 and Q16.16, 16 for binary64; None for what has no bits of its own."""
    if value.kind in ("f32", "q16"):
        return f"{_int(value) & 0xFFFFFFFF:08x}"
    return f"{bits64(value):016x}" if value.kind in FLOAT_KINDS else None


def exact(value: Scalar) -> Fraction | None:
    """The exact number a Scalar stands for; None for NaN, infinities and what is no number."""
    if value.kind == "int":
        return Fraction(_int(value))
    if value.kind == "q16":
        return Fraction(_int(value), 65536)
    if value.kind in FLOAT_KINDS and bits64(value) & ~_SIGN64 < _INF64:
        return Fraction(from_bits64(bits64(value)))
    return None


def of_lane(kind: str, value: int) -> Scalar:
    """A cell of a table held by columns, as a Scalar; bits of floats are written in hex, all else as raw integers."""
    if kind == "f32":
        return Scalar(kind, value, f"{value & 0xFFFFFFFF:08x}")
    if kind == "bool":
        return Scalar("int", int(value), str(int(value)))
    return Scalar(kind, value, str(value))
