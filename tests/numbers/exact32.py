"""An independent, slow binary32: exact rationals, and rounding by a search over all bit patterns in order.

It shares no idea with the product's arithmetic: a magnitude's pattern is found by bisection among the 2^31 - 2^23
finite ones, since positive patterns are ordered as their values are.
"""

from __future__ import annotations

from fractions import Fraction

NAN = 0x7FC00000
INF = 0x7F800000
SIGN = 0x80000000


def is_nan(bits: int) -> bool:
    return bits & 0x7FFFFFFF > INF


def is_inf(bits: int) -> bool:
    return bits & 0x7FFFFFFF == INF


def value(bits: int) -> Fraction:
    """Of a finite pattern; INF itself reads as 2^128, the next value up."""
    field, fraction = bits >> 23 & 0xFF, bits & 0x7FFFFF
    scaled = (fraction if field == 0 else fraction + (1 << 23)) << max(field, 1)
    return Fraction(-scaled if bits & SIGN else scaled, 1 << 150)


def nearest(exact: Fraction, sign_of_zero: int = 0) -> int:
    """Round to nearest, ties to the even pattern, overflow to infinity."""
    if exact == 0:
        return sign_of_zero
    sign = SIGN if exact < 0 else 0
    magnitude = abs(exact)
    low, high = 0, INF  # value(low) <= magnitude; INF stands for 2^128
    if magnitude >= value(INF):
        return sign | INF
    while high - low > 1:
        middle = (low + high) // 2
        if value(middle) <= magnitude:
            low = middle
        else:
            high = middle
    below, above = magnitude - value(low), value(high) - magnitude
    if below == above:
        return sign | (low if low % 2 == 0 else high)
    return sign | (low if below < above else high)


def add(a: int, b: int) -> int:
    if is_nan(a) or is_nan(b) or (is_inf(a) and is_inf(b) and a != b):
        return NAN
    if is_inf(a) or is_inf(b):
        return a if is_inf(a) else b
    both_negative = a & b & SIGN
    return nearest(value(a) + value(b), both_negative if value(a) == value(b) == 0 else 0)


def sub(a: int, b: int) -> int:
    return NAN if is_nan(b) else add(a, b ^ SIGN)


def mul(a: int, b: int) -> int:
    sign = (a ^ b) & SIGN
    if is_nan(a) or is_nan(b):
        return NAN
    if is_inf(a) or is_inf(b):
        other = b if is_inf(a) else a
        return NAN if other & 0x7FFFFFFF == 0 else sign | INF
    return sign | nearest(abs(value(a) * value(b)))


def div(a: int, b: int) -> int:
    sign = (a ^ b) & SIGN
    if is_nan(a) or is_nan(b) or (is_inf(a) and is_inf(b)):
        return NAN
    if is_inf(a):
        return sign | INF
    if is_inf(b):
        return sign
    if value(b) == 0:
        return NAN if value(a) == 0 else sign | INF
    return sign | nearest(abs(value(a) / value(b)))


def sqrt(a: int) -> int:
    """The pattern r whose neighbourhood's squares hold a: by bisection on squares, no root is taken."""
    if is_nan(a) or (a & SIGN and a != SIGN):
        return NAN
    if a in (0, SIGN, INF):
        return a
    target = value(a)
    low, high = 0, INF
    while high - low > 1:
        middle = (low + high) // 2
        if value(middle) ** 2 <= target:
            low = middle
        else:
            high = middle
    half_way = (value(low) + value(high)) / 2
    return high if half_way**2 < target else low


def ordered(a: int, b: int) -> int | None:
    """-1, 0, 1, or None with a NaN."""
    if is_nan(a) or is_nan(b):
        return None
    x, y = value(a), value(b)
    return (x > y) - (x < y)
