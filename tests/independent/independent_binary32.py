"""IEEE binary32 by exact integers: every operation is one rational, rounded once to nearest, ties to even.

Part of the second implementation: written from the design pages alone, it imports nothing of detcheck. Values are bit
patterns (unsigned ints below 2^32); a NaN result is always NAN.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

MASK = 0xFFFFFFFF
SIGN = 0x80000000
NAN = 0x7FC00000
INFINITY = 0x7F800000
ONE = 0x3F800000
LOWEST = -(1 << 31)
HIGHEST = (1 << 31) - 1


def wrap32(value: int) -> int:
    """The low 32 bits, read as a signed int."""
    value &= MASK
    return value - (1 << 32) if value & SIGN else value


def saturate32(value: int) -> int:
    """The nearest int32."""
    return max(LOWEST, min(HIGHEST, value))


def nearest_even(numerator: int, denominator: int) -> int:
    """The integer nearest to the quotient, ties to even; `denominator` is positive."""
    quotient, rest = divmod(numerator, denominator)
    return quotient + (2 * rest > denominator or (2 * rest == denominator and quotient & 1))


def is_nan(bits: int) -> bool:
    return (bits & ~SIGN) > INFINITY


def is_infinite(bits: int) -> bool:
    return (bits & ~SIGN) == INFINITY


def is_finite(bits: int) -> bool:
    return (bits & ~SIGN) < INFINITY


def is_zero(bits: int) -> bool:
    return bits & ~SIGN == 0


def canonical(bits: int) -> int:
    return NAN if is_nan(bits) else bits


def magnitude(bits: int) -> tuple[int, int]:
    """(m, e) of a finite value: |value| = m * 2^e."""
    exponent, fraction = (bits >> 23) & 255, bits & 0x7FFFFF
    return (fraction | 0x800000, exponent - 150) if exponent else (fraction, -149)


def signed(bits: int) -> tuple[int, int]:
    """(m, e) of a finite value: value = m * 2^e."""
    m, e = magnitude(bits)
    return (-m if bits & SIGN else m), e


def exact(bits: int) -> Fraction:
    """The value of a finite pattern."""
    m, e = signed(bits)
    return m * Fraction(2) ** e


def rounded(sign: int, numerator: int, denominator: int = 1) -> int:
    """The pattern nearest to (-1)^sign * numerator / denominator, infinity beyond the range."""
    if numerator == 0:
        return sign << 31
    exponent = numerator.bit_length() - denominator.bit_length() - 24
    if numerator << max(0, -exponent - 24) >= denominator << max(0, exponent + 24):
        exponent += 1
    exponent = max(exponent, -149)
    m = nearest_even(numerator << max(0, -exponent), denominator << max(0, exponent))
    if m >= 1 << 24:
        m, exponent = m >> 1, exponent + 1
    if m < 1 << 23:
        return sign << 31 | m
    if exponent > 104:
        return sign << 31 | INFINITY
    return sign << 31 | exponent + 150 << 23 | m & 0x7FFFFF


def from_ratio(numerator: int, denominator: int = 1, zero_sign: int = 0) -> int:
    """The pattern nearest to a signed quotient; `zero_sign` is the sign of a zero numerator."""
    return rounded(zero_sign if numerator == 0 else int(numerator < 0), abs(numerator), denominator)


def from_scaled(m: int, e: int) -> int:
    """The pattern nearest to m * 2^e."""
    return from_ratio(m << max(0, e), 1 << max(0, -e))


def negated(a: int) -> int:
    return canonical(a ^ SIGN)


def absolute(a: int) -> int:
    return canonical(a & ~SIGN)


def add(a: int, b: int) -> int:
    if is_nan(a) or is_nan(b):
        return NAN
    if is_infinite(a):
        return NAN if is_infinite(b) and a != b else a
    if is_infinite(b):
        return b
    if is_zero(a) and is_zero(b):
        return a & b & SIGN
    (ma, ea), (mb, eb) = signed(a), signed(b)
    e = min(ea, eb)
    return from_scaled((ma << (ea - e)) + (mb << (eb - e)), e)


def sub(a: int, b: int) -> int:
    return NAN if is_nan(b) else add(a, b ^ SIGN)


def mul(a: int, b: int) -> int:
    if is_nan(a) or is_nan(b):
        return NAN
    sign = (a ^ b) >> 31
    if is_infinite(a) or is_infinite(b):
        return NAN if is_zero(a) or is_zero(b) else sign << 31 | INFINITY
    (ma, ea), (mb, eb) = magnitude(a), magnitude(b)
    e = ea + eb
    return rounded(sign, ma * mb << max(0, e), 1 << max(0, -e))


def div(a: int, b: int) -> int:
    if is_nan(a) or is_nan(b):
        return NAN
    sign = (a ^ b) >> 31
    if is_infinite(a):
        return NAN if is_infinite(b) else sign << 31 | INFINITY
    if is_infinite(b):
        return sign << 31
    if is_zero(b):
        return NAN if is_zero(a) else sign << 31 | INFINITY
    (ma, ea), (mb, eb) = magnitude(a), magnitude(b)
    e = ea - eb
    return rounded(sign, ma << max(0, e), mb << max(0, -e))


def sqrt(a: int) -> int:
    if is_nan(a):
        return NAN
    if is_zero(a):
        return a
    if a & SIGN:
        return NAN
    if is_infinite(a):
        return a
    m, e = magnitude(a)
    if e & 1:
        m, e = m << 1, e - 1
    square = m << 80
    root = isqrt(square)
    # twice the root and a last bit that says "and a little more", so that no tie is made up
    return from_scaled(2 * root + (root * root != square), e // 2 - 41)


def order(bits: int) -> int:
    """A key in numeric order; both zeros are 0."""
    return -(bits & ~SIGN) if bits & SIGN else bits


def less(a: int, b: int) -> bool:
    return not (is_nan(a) or is_nan(b)) and order(a) < order(b)


def equal(a: int, b: int) -> bool:
    return not (is_nan(a) or is_nan(b)) and order(a) == order(b)


def integral(a: int, *, up: bool) -> int:
    """The whole number below, or above; a zero result keeps the sign."""
    if is_nan(a):
        return NAN
    if is_infinite(a) or is_zero(a):
        return a
    m, e = signed(a)
    if e >= 0:
        return a
    return from_ratio(-(-m >> -e) if up else m >> -e, 1, a >> 31)


def truncated(a: int) -> int:
    """The integer part of a finite value."""
    m, e = signed(a)
    whole = abs(m) << e if e >= 0 else abs(m) >> -e
    return -whole if m < 0 else whole


def to_double(bits: int) -> float:
    """The same value in binary64."""
    value = exact(bits)
    return value.numerator / value.denominator


def from_double(value: float) -> int:
    """A finite binary64, rounded once."""
    numerator, denominator = value.as_integer_ratio()
    return from_ratio(numerator, denominator)
