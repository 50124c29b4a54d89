"""`fixed_wrapping_16_16`: Q16.16 that wraps, truncates quotients and roots, and traps where there is no result.

Source: the seed document deterministic_fixed_point (its Rust code), and the design's math page for what it lacks.
"""

from __future__ import annotations

from detcheck.errors import Trap
from detcheck.numbers.fixed import MIN, ONE, Fixed, floor_sqrt, wrap


class FixedWrapping1616(Fixed):
    """Overflow keeps the low 32 bits; division by zero and roots of negative numbers trap."""

    id = "fixed_wrapping_16_16"

    @staticmethod
    def add(a: int, b: int) -> int:
        return ((a + b + 0x80000000) & 0xFFFFFFFF) - 0x80000000

    @staticmethod
    def sub(a: int, b: int) -> int:
        return ((a - b + 0x80000000) & 0xFFFFFFFF) - 0x80000000

    @staticmethod
    def mul(a: int, b: int) -> int:
        """Half up by an arithmetic shift: ties go towards +infinity."""
        return ((((a * b + 0x8000) >> 16) + 0x80000000) & 0xFFFFFFFF) - 0x80000000

    @staticmethod
    def div(a: int, b: int) -> int:
        """Truncated towards zero. Traps `num_div_zero`."""
        if b == 0:
            raise Trap("num_div_zero")
        quotient = (abs(a) << 16) // abs(b)
        if (a < 0) != (b < 0):
            quotient = -quotient
        return ((quotient + 0x80000000) & 0xFFFFFFFF) - 0x80000000

    @staticmethod
    def neg(a: int) -> int:
        return a if a == MIN else -a

    @staticmethod
    def ceil(a: int) -> int:
        return wrap((a + 0xFFFF) & -ONE)

    @staticmethod
    def sqrt(a: int) -> int:
        """Rounded down. Traps `num_sqrt_negative`."""
        if a < 0:
            raise Trap("num_sqrt_negative")
        return floor_sqrt(a << 16)

    @staticmethod
    def from_int(i: int) -> int:
        return wrap(i << 16)

    @staticmethod
    def from_u32(u: int) -> int:
        return wrap(u << 16)

    @staticmethod
    def to_int(a: int) -> int:
        """Half up, in 64 bits: -32768 to 32768."""
        return (a + 0x8000) >> 16


BACKEND = FixedWrapping1616()
