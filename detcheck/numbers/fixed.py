"""What the two Q16.16 backends share: order, conversions from and to binary32, literals, CORDIC angles.

A cell is a raw: the signed int32 with value = raw / 2^16.
"""

from __future__ import annotations

from fractions import Fraction

from detcheck.numbers import binary32
from detcheck.numbers.base import Backend
from detcheck.trig import cordic

MAX = 0x7FFFFFFF
MIN = -0x80000000
ONE = 1 << 16


def saturate(value: int) -> int:
    """`value` brought into the int32 range."""
    return MAX if value > MAX else MIN if value < MIN else value


def wrap(value: int) -> int:
    """The int32 with the low 32 bits of `value`."""
    return ((value + 0x80000000) & 0xFFFFFFFF) - 0x80000000


def floor_sqrt(n: int) -> int:
    """floor(sqrt(n)) for n >= 0, by Newton's iteration on integers from above."""
    if n == 0:
        return 0
    root = 1 << ((n.bit_length() + 1) >> 1)
    while True:
        better = (root + n // root) >> 1
        if better >= root:
            return root
        root = better


class Fixed(Backend):
    """Q16.16 in an int32. Subclasses add what happens beyond the range, and how quotients and roots round."""

    number = "q16.16"
    zero = 0
    one = ONE

    @staticmethod
    def lt(a: int, b: int) -> int:
        return 1 if a < b else 0

    @staticmethod
    def le(a: int, b: int) -> int:
        return 1 if a <= b else 0

    @staticmethod
    def gt(a: int, b: int) -> int:
        return 1 if a > b else 0

    @staticmethod
    def ge(a: int, b: int) -> int:
        return 1 if a >= b else 0

    @staticmethod
    def eq(a: int, b: int) -> int:
        return 1 if a == b else 0

    @staticmethod
    def ne(a: int, b: int) -> int:
        return 1 if a != b else 0

    @staticmethod
    def is_nan(a: int) -> int:
        return 0

    @staticmethod
    def is_inf(a: int) -> int:
        return 0

    @staticmethod
    def is_finite(a: int) -> int:
        return 1

    @staticmethod
    def floor(a: int) -> int:
        return a & -ONE

    @staticmethod
    def from_f32(bits: int) -> int:
        """NaN and -0 give 0; infinities and what is beyond the range saturate; else nearest, ties to even."""
        if bits & 0x7FFFFFFF >= binary32.INFINITY:
            if bits & 0x7FFFFFFF > binary32.INFINITY:
                return 0
            return MIN if bits & binary32.SIGN else MAX
        mantissa, exponent = binary32.finite_parts(bits)
        shift = exponent + 16
        if shift >= 0:
            return saturate(mantissa << shift)
        return saturate(binary32.round_even(mantissa, 1 << -shift))

    @staticmethod
    def to_f32(a: int) -> int:
        return binary32.nearest(a, ONE)

    @staticmethod
    def literal(value: Fraction, negative_zero: bool = False) -> int:
        """The range holds for the rounded raw: -32768 is the least number, 32767.99999 rounds out of it."""
        raw = binary32.round_even(value.numerator << 16, value.denominator)
        if not MIN <= raw <= MAX:
            raise OverflowError("beyond the Q16.16 range, -32768 to 32767.9999847412109375")
        return raw

    @staticmethod
    def decimal(a: int) -> str:
        """The exact value: raw 1 is 0.0000152587890625."""
        magnitude = abs(a)
        # 2^-16 = 152587890625 * 10^-16, so sixteen digits hold every fraction.
        digits = f"{(magnitude & 0xFFFF) * 152587890625:016d}".rstrip("0") or "0"
        return f"{'-' if a < 0 else ''}{magnitude >> 16}.{digits}"

    @staticmethod
    def canonical(a: int) -> int:
        return a

    @staticmethod
    def sin_cos(angle: int) -> tuple[int, int]:
        return cordic.sin_cos(angle)

    @staticmethod
    def heading(x: int, y: int) -> int:
        return cordic.heading(x, y)
