"""FastTrig: the trigonometry of `float_pinned_32`, by table and linear interpolation.

Arguments and results are binary32 bit patterns; every step is one binary32 operation but for `_reduce` and the last
step of `heading`, which are binary64. Source: the seed document massbattle_fasttrig, and the math page's choices.

`cos(r)` adds half a pi in binary32 first, as the document does: its error is 3e-6 below 100 rad and it is useless at
1e8. Prefer `sincos`, or an angle.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor, inf, nan, sqrt
from struct import Struct

from detcheck.trig.tables import ARCTANGENT, SINE, table_floats

_pack_cell = Struct("<I").pack
_pack_cells = Struct("<II").pack
_pack_float = Struct("<f").pack
_unpack_cell: Callable[[bytes], tuple[int]] = Struct("<I").unpack
_unpack_float: Callable[[bytes], tuple[float]] = Struct("<f").unpack
_unpack_floats: Callable[[bytes], tuple[float, float]] = Struct("<ff").unpack

NAN = 0x7FC00000
PI = float.fromhex("0x1.921fb6p+1")  # bits 40490fdb
HALF_PI = float.fromhex("0x1.921fb6p+0")  # bits 3fc90fdb
SINE_SCALE = float.fromhex("0x1.45f308p+9")  # 651.898686f, bits 4422f984: 4096 / 2 pi as printed
TWO_PI = float.fromhex("0x1.921fb54442d18p+2")  # binary64
PER_TWO_PI = float.fromhex("0x1.45f306dc9c883p-3")  # binary64, 1 / 2 pi
ANGLE_SCALE = float.fromhex("0x1.45f306dc9c883p+29")  # binary64, 2^32 / 2 pi

_sine: tuple[float, ...] = ()
_arctangent: tuple[float, ...] = ()


def _sine_table() -> tuple[float, ...]:
    global _sine
    _sine = _sine or table_floats(SINE)
    return _sine


def _arctangent_table() -> tuple[float, ...]:
    global _arctangent
    _arctangent = _arctangent or table_floats(ARCTANGENT)
    return _arctangent


def _round(value: float) -> float:
    """The binary32 nearest to a binary64 value, as a float; no value here is beyond the range."""
    return _unpack_float(_pack_float(value))[0]


def _value(bits: int) -> float:
    return _unpack_float(_pack_cell(bits))[0]


def _bits(value: float) -> int:
    return _unpack_cell(_pack_float(value))[0] if value == value else NAN


def _reduce(r: float) -> float:
    """r less its whole turns, in binary64, rounded once: [0, 2 pi], or anything once r is beyond about 1e13."""
    turns = float(floor(r * PER_TWO_PI))
    return _round(r - TWO_PI * turns)


def _coordinate(r: float) -> float:
    """The table coordinate of r radians in (-1, 4096), or NaN."""
    if not -inf < r < inf:
        return nan
    u = _round(_reduce(r) * SINE_SCALE)
    if u >= 4096.0:
        u = _round(u - 4096.0)
    return u if -1.0 < u < 4096.0 else nan


def _interpolate(table: tuple[float, ...], i: int, t: float) -> float:
    low = table[i]
    return _round(low + _round(_round(table[i + 1] - low) * t))


def _sine_at(u: float) -> float:
    if u != u:
        return nan
    i = int(u)
    return _interpolate(_sine or _sine_table(), i, _round(u - i))


def _cosine_at(u: float) -> float:
    """The sine a quarter of the table on."""
    u = _round(u + 1024.0)
    return _sine_at(_round(u - 4096.0) if u >= 4096.0 else u)


def sin(r_bits: int) -> int:
    """The sine of radians, within 9e-7 on [-100, 100]. NaN for NaN, an infinity, and much beyond about 1e13."""
    return _bits(_sine_at(_coordinate(_value(r_bits))))


def cos(r_bits: int) -> int:
    """sin(r + half pi), the sum in binary32: weak for large r. Prefer `sincos`."""
    return _bits(_sine_at(_coordinate(_round(_value(r_bits) + HALF_PI))))


def sincos(r_bits: int) -> tuple[int, int]:
    """(sin(r), the cosine by a shift of the table). That cosine is not `cos(r)`; its error is at most 1.1e-6."""
    u = _coordinate(_value(r_bits))
    return _bits(_sine_at(u)), _bits(_cosine_at(u))


def sincos_cos(r_bits: int) -> int:
    """The cosine of `sincos` alone; its sine is `sin`'s."""
    return _bits(_cosine_at(_coordinate(_value(r_bits))))


def _arctangent_at(a: float) -> float:
    """The arctangent of a ratio in [0, 1]."""
    v = _round(a * 8192.0)
    i = min(int(v), 8191)
    return _interpolate(_arctangent or _arctangent_table(), i, _round(v - i))


def _atan2(y: float, x: float) -> float:
    if x == 0.0:
        return HALF_PI if y > 0.0 else -HALF_PI if y < 0.0 else y if y != y else 0.0
    ay, ax = abs(y), abs(x)
    if ay <= ax < inf or ay < ax:
        base = _arctangent_at(_round(ay / ax))
    elif ax < ay:
        base = _round(HALF_PI - _arctangent_at(_round(ax / ay)))
    else:
        return nan  # a NaN, or two infinities
    if x < 0.0:
        base = _round(PI - base)
    return -base if y < 0.0 else base


def atan2(y_bits: int, x_bits: int) -> int:
    """The direction of (x, y) in radians, error at most 2.9e-7. -0 counts as 0; NaN for a NaN or two infinities."""
    y, x = _unpack_floats(_pack_cells(y_bits, x_bits))
    return _bits(_atan2(y, x))


def _asin(x: float) -> float:
    if not -1.0 <= x <= 1.0:
        return nan if x != x else 0.0
    return _atan2(x, _round(sqrt(_round(1.0 - _round(x * x)))))


def asin(x_bits: int) -> int:
    """The arc sine; 0 beyond [-1, 1], NaN for a NaN. Error at most 9e-7."""
    return _bits(_asin(_value(x_bits)))


def acos(x_bits: int) -> int:
    """half pi - asin(x): half pi beyond [-1, 1], NaN for a NaN."""
    return _bits(_round(HALF_PI - _asin(_value(x_bits))))


def sin_angle(angle: int) -> int:
    """The sine of a u32 angle: 4096 table steps a turn, the low 20 bits interpolate; no reduction."""
    return _bits(_interpolate(_sine or _sine_table(), angle >> 20, (angle & 0xFFFFF) * 2.0**-20))


def cos_angle(angle: int) -> int:
    """The sine a quarter turn on, exactly."""
    return sin_angle((angle + 0x40000000) & 0xFFFFFFFF)


def heading(x_bits: int, y_bits: int) -> int:
    """The u32 angle of (x, y): atan2 scaled in binary64, nearest, ties to even; NaN gives 0."""
    x, y = _unpack_floats(_pack_cells(x_bits, y_bits))
    radians = _atan2(y, x)
    if radians != radians:
        return 0
    return round(radians * ANGLE_SCALE) & 0xFFFFFFFF
