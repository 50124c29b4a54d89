"""`fixed_point_16_16`, the default backend: Q16.16 that rounds to nearest even and saturates.

Source: the seed document sim_math, and the design's math page where it decides. The document rules over its own
engine, whose division rounds an exact quotient in (-1, -1/2) raw to +1: here div(-1, 98304) is -1.
"""

from __future__ import annotations

from detcheck.numbers.fixed import MAX, MIN, ONE, Fixed, floor_sqrt, saturate


class FixedPoint1616(Fixed):
    """Defined for every input; never traps but for `clamp` bounds."""

    id = "fixed_point_16_16"

    @staticmethod
    def add(a: int, b: int) -> int:
        total = a + b
        return MAX if total > MAX else MIN if total < MIN else total

    @staticmethod
    def sub(a: int, b: int) -> int:
        total = a - b
        return MAX if total > MAX else MIN if total < MIN else total

    @staticmethod
    def mul(a: int, b: int) -> int:
        product = a * b
        # Just under a half, and one more where the quotient is odd: nearest, ties to even.
        product = (product + 0x7FFF + ((product >> 16) & 1)) >> 16
        return MAX if product > MAX else MIN if product < MIN else product

    @staticmethod
    def div(a: int, b: int) -> int:
        """x / 0 is MAX for x > 0, MIN for x < 0, 0 for x = 0."""
        if b == 0:
            return MAX if a > 0 else MIN if a < 0 else 0
        if b < 0:
            a, b = -a, -b
        quotient, remainder = divmod(a << 16, b)
        remainder += remainder
        if remainder > b or (remainder == b and quotient & 1):
            quotient += 1
        return MAX if quotient > MAX else MIN if quotient < MIN else quotient

    @staticmethod
    def neg(a: int) -> int:
        return MAX if a == MIN else -a

    @staticmethod
    def ceil(a: int) -> int:
        above = (a + 0xFFFF) & -ONE
        return MAX if above > MAX else above

    @staticmethod
    def sqrt(a: int) -> int:
        """The nearest raw (no ties exist); a negative number gives 0."""
        if a <= 0:
            return 0
        square = a << 16
        root = floor_sqrt(square)
        # (root + 1/2)^2 = root^2 + root + 1/4
        return root + 1 if square - root * root > root else root

    @staticmethod
    def from_int(i: int) -> int:
        return saturate(i << 16)

    @staticmethod
    def from_u32(u: int) -> int:
        return saturate(u << 16)

    @staticmethod
    def to_int(a: int) -> int:
        """Nearest, ties to even: -32768 to 32768."""
        return (a + 0x7FFF + ((a >> 16) & 1)) >> 16


BACKEND = FixedPoint1616()
