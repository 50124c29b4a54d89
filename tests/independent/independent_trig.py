"""Sines: FastTrig over tables made here from integer series, and CORDIC. Nothing calls a platform's sine, or mpmath.

Part of the second implementation: written from the design pages alone, it imports nothing of detcheck.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import independent_binary32 as b32
from independent_binary32 import MASK, NAN, ONE, SIGN, wrap32

#: fixed point of the series: 2^-256 is far below every table entry's rounding
UNIT = 1 << 256


def arctangent_of_inverse(numerator: int, denominator: int) -> int:
    """atan(numerator / denominator) in UNITs, by its power series; the argument is small."""
    power, total, odd = UNIT * numerator // denominator, 0, 1
    while power:
        total += power // odd if odd & 2 == 0 else -(power // odd)
        power = power * numerator * numerator // (denominator * denominator)
        odd += 2
    return total


PI_UNITS = 16 * arctangent_of_inverse(1, 5) - 4 * arctangent_of_inverse(1, 239)


def nearest(units: int) -> int:
    return b32.from_ratio(units, UNIT)


def sine_and_cosine(angle: int) -> tuple[int, int]:
    """(sin, cos) of a small angle, all in UNITs, by the power series."""
    sums = [0, 0, 0, 0]
    term, n = UNIT, 0
    while term:
        sums[n % 4] += term
        n += 1
        term = term * angle // (UNIT * n)
    return sums[1] - sums[3], sums[0] - sums[2]


def sine_table() -> list[int]:
    """binary32 nearest to sin(2 pi i / 4096), i = 0 .. 4096: the first quarter by turning a step at a time."""
    step_sine, step_cosine = sine_and_cosine(PI_UNITS // 2048)
    sine, cosine, quarter = 0, UNIT, []
    for _ in range(1024):
        quarter.append(nearest(sine))
        sine, cosine = (
            (sine * step_cosine + cosine * step_sine) // UNIT,
            (cosine * step_cosine - sine * step_sine) // UNIT,
        )
    half = [*quarter, ONE, *quarter[:0:-1]]
    return [*half, 0, *(entry ^ SIGN for entry in half[1:]), 0]


def arctangent_table() -> list[int]:
    """binary32 nearest to atan(i / 8192), i = 0 .. 8192, by adding the angle between neighbours."""
    angle, table = 0, []
    for i in range(8193):
        table.append(nearest(angle))
        angle += arctangent_of_inverse(8192, 8192 * 8192 + i * (i + 1))
    return table


SINES = sine_table()
ARCTANGENTS = arctangent_table()
TWO_PI = 2 * PI_UNITS / UNIT
PER_TWO_PI = UNIT / (2 * PI_UNITS)
TURN_UNITS_PER_RADIAN = (UNIT << 32) / (2 * PI_UNITS)
HALF_PI_BITS, PI_BITS, SCALE_BITS = 0x3FC90FDB, 0x40490FDB, 0x4422F984
F1024, F4096, F8192 = (b32.from_ratio(n) for n in (1024, 4096, 8192))


def interpolated(table: Sequence[int], i: int, t: int) -> int:
    return b32.add(table[i], b32.mul(b32.sub(table[i + 1], table[i]), t))


def sine_at(u: int) -> int:
    """The table at a place in entries; NaN unless -1 < u < 4096."""
    if not (b32.less(ONE | SIGN, u) and b32.less(u, F4096)):
        return NAN
    i = b32.truncated(u)
    return interpolated(SINES, i, b32.sub(u, b32.from_ratio(i)))


def wrapped_place(u: int) -> int:
    return u if b32.less(u, F4096) or b32.is_nan(u) else b32.sub(u, F4096)


def place_of(radians: int) -> int:
    """Radians to a place in entries; the reduction is in binary64."""
    x = b32.to_double(radians)
    turns = float(math.floor(x * PER_TWO_PI))
    return wrapped_place(b32.mul(b32.from_double(x - TWO_PI * turns), SCALE_BITS))


def sin(radians: int) -> int:
    return sine_at(place_of(radians)) if b32.is_finite(radians) else NAN


def cos(radians: int) -> int:
    return sin(b32.add(radians, HALF_PI_BITS))


def sincos(radians: int) -> tuple[int, int]:
    """Both from one place; where that place is outside the table both are NaN."""
    if not b32.is_finite(radians):
        return NAN, NAN
    u = place_of(radians)
    sine = sine_at(u)
    return (NAN, NAN) if b32.is_nan(sine) else (sine, sine_at(wrapped_place(b32.add(u, F1024))))


def arctangent(ratio: int) -> int:
    """atan of a ratio in 0 .. 1."""
    v = b32.mul(ratio, F8192)
    i = min(b32.truncated(v), 8191)
    return interpolated(ARCTANGENTS, i, b32.sub(v, b32.from_ratio(i)))


def atan2(y: int, x: int) -> int:
    if b32.is_nan(x) or b32.is_nan(y) or (b32.is_infinite(x) and b32.is_infinite(y)):
        return NAN
    if b32.is_zero(x):
        return 0 if b32.is_zero(y) else HALF_PI_BITS | y & SIGN
    high, wide = y & ~SIGN, x & ~SIGN
    steep = b32.less(wide, high)
    angle = arctangent(b32.div(wide, high) if steep else b32.div(high, wide))
    if steep:
        angle = b32.sub(HALF_PI_BITS, angle)
    if b32.less(x, 0):
        angle = b32.sub(PI_BITS, angle)
    return b32.negated(angle) if b32.less(y, 0) else angle


def asin(x: int) -> int:
    if b32.is_nan(x):
        return NAN
    return 0 if b32.less(ONE, x & ~SIGN) else atan2(x, b32.sqrt(b32.sub(ONE, b32.mul(x, x))))


def acos(x: int) -> int:
    return b32.sub(HALF_PI_BITS, asin(x))


def sin_angle(angle: int) -> int:
    return interpolated(SINES, angle >> 20, b32.from_ratio(angle & 0xFFFFF, 1 << 20))


def cos_angle(angle: int) -> int:
    return sin_angle((angle + (1 << 30)) & MASK)


def heading(x: int, y: int) -> int:
    radians = atan2(y, x)
    if b32.is_nan(radians):
        return 0
    numerator, denominator = (b32.to_double(radians) * TURN_UNITS_PER_RADIAN).as_integer_ratio()
    return b32.nearest_even(numerator, denominator) & MASK


#: the 24 constants the design takes over from its source, atan(2^-i) in 2^-32 turns
CORDIC_ANGLES = (
    *(536870912, 316933406, 167458907, 85004756, 42667331, 21354465, 10679838, 5340245),
    *(2670163, 1335087, 667544, 333772, 166886, 83443, 41722, 20861),
    *(10430, 5215, 2608, 1304, 652, 326, 163, 81),
)
CORDIC_GAIN = 652032874


def cordic_sincos(angle: int, negate: Callable[[int], int]) -> tuple[int, int]:
    """(sin, cos) as Q16.16 raws; `negate` is the backend's own."""
    z = wrap32(angle)
    flipped = abs(z) > 1 << 30
    if flipped:
        z = wrap32(angle + (1 << 31))
    x, y = CORDIC_GAIN, 0
    for i, turn in enumerate(CORDIC_ANGLES):
        if z >= 0:
            x, y, z = x - (y >> i), y + (x >> i), z - turn
        else:
            x, y, z = x + (y >> i), y - (x >> i), z + turn
    sine, cosine = (wrap32((v + (1 << 13)) >> 14) for v in (y, x))
    return (negate(sine), negate(cosine)) if flipped else (sine, cosine)


def cordic_heading(x_raw: int, y_raw: int) -> int:
    if x_raw == 0 and y_raw == 0:
        return 0
    x, y, z = x_raw << 14, y_raw << 14, 0
    if x < 0:
        x, y, z = -x, -y, 1 << 31
    for i, turn in enumerate(CORDIC_ANGLES):
        if y > 0:
            x, y, z = x + (y >> i), y - (x >> i), z + turn
        else:
            x, y, z = x - (y >> i), y + (x >> i), z - turn
    return z & MASK
