"""The three number backends by exact integers, one class each over what they share.

Part of the second implementation: written from the design pages alone, it imports nothing of detcheck. A cell is a
Q16.16 raw or a binary32 pattern.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import independent_binary32 as b32
import independent_trig as trig
from independent_binary32 import HIGHEST, LOWEST, nearest_even, saturate32, wrap32


class Trap(Exception):
    """An operation without a result. Its one argument is the reason, by the name reports give it."""


class Backend:
    """What is the same text for every backend, on its own `add sub mul div neg sqrt lt eq`."""

    id = ""
    is_float = False
    one = 65536

    def lt(self, a: int, b: int) -> bool:
        return a < b

    def le(self, a: int, b: int) -> bool:
        return a <= b

    def eq(self, a: int, b: int) -> bool:
        return a == b

    def min(self, a: int, b: int) -> int:
        return b if self.lt(b, a) else a

    def max(self, a: int, b: int) -> int:
        return b if self.lt(a, b) else a

    def abs(self, a: int) -> int:
        return self.neg(a) if self.lt(a, 0) else a

    def clamp(self, x: int, low: int, high: int) -> int:
        if not (self.is_finite(low) and self.is_finite(high)) or self.lt(high, low):
            raise Trap("clamp_bounds")
        return high if self.lt(high, x) else low if self.lt(x, low) else x

    def lerp(self, a: int, b: int, t: int) -> int:
        return self.add(a, self.mul(self.sub(b, a), t))

    def dot(self, u: tuple[int, ...], v: tuple[int, ...]) -> int:
        first, *rest = (self.mul(a, b) for a, b in zip(u, v, strict=True))
        for product in rest:
            first = self.add(first, product)
        return first

    def length(self, v: tuple[int, ...]) -> int:
        return self.sqrt(self.dot(v, v))

    def distance(self, u: tuple[int, ...], v: tuple[int, ...]) -> int:
        return self.length(tuple(self.sub(a, b) for a, b in zip(u, v, strict=True)))

    def normalize(self, v: tuple[int, ...]) -> tuple[int, ...]:
        length = self.length(v)
        if self.eq(length, 0):
            return (0,) * len(v)
        return tuple(self.div(a, length) for a in v)

    def heading(self, v: tuple[int, int]) -> int:
        return (trig.heading if self.is_float else trig.cordic_heading)(*v)


class Fixed(Backend):
    """Q16.16 raws: what saturating and wrapping have in common. `bring` makes an integer an int32 their way."""

    bring = staticmethod(saturate32)

    def is_nan(self, a: int) -> bool:
        return False

    is_inf = is_nan

    def is_finite(self, a: int) -> bool:
        return True

    def literal(self, value: Fraction) -> int:
        raw = nearest_even(value.numerator * 65536, value.denominator)
        if not LOWEST <= raw <= HIGHEST:
            raise OverflowError(value)
        return raw

    def from_binary32(self, bits: int) -> int:
        if not b32.is_finite(bits):
            return 0 if b32.is_nan(bits) else LOWEST if bits >> 31 else HIGHEST
        value = b32.exact(bits) * 65536
        return saturate32(nearest_even(value.numerator, value.denominator))

    def add(self, a: int, b: int) -> int:
        return self.bring(a + b)

    def sub(self, a: int, b: int) -> int:
        return self.bring(a - b)

    def neg(self, a: int) -> int:
        return self.bring(-a)

    def from_int(self, i: int) -> int:
        return self.bring(i << 16)

    def floor(self, a: int) -> int:
        return a >> 16 << 16

    def ceil(self, a: int) -> int:
        return self.bring(-(-a >> 16) << 16)

    def sincos_angle(self, angle: int) -> tuple[int, int]:
        return trig.cordic_sincos(angle, self.neg)

    def sin_angle(self, angle: int) -> int:
        return self.sincos_angle(angle)[0]

    def cos_angle(self, angle: int) -> int:
        return self.sincos_angle(angle)[1]


class Saturating(Fixed):
    id = "fixed_point_16_16"

    def mul(self, a: int, b: int) -> int:
        return saturate32(nearest_even(a * b, 65536))

    def div(self, a: int, b: int) -> int:
        if b == 0:
            return 0 if a == 0 else HIGHEST if a > 0 else LOWEST
        return saturate32(nearest_even((a if b > 0 else -a) << 16, abs(b)))

    def sqrt(self, a: int) -> int:
        if a <= 0:
            return 0
        root = isqrt(a << 16)
        # above (root + 1/2)^2 = root^2 + root + 1/4
        return root + (a << 16 > root * root + root)

    def to_int(self, a: int) -> int:
        return nearest_even(a, 65536)


class Wrapping(Fixed):
    id = "fixed_wrapping_16_16"
    bring = staticmethod(wrap32)

    def mul(self, a: int, b: int) -> int:
        return wrap32((a * b + (1 << 15)) >> 16)

    def div(self, a: int, b: int) -> int:
        if b == 0:
            raise Trap("num_div_zero")
        quotient = (abs(a) << 16) // abs(b)
        return wrap32(-quotient if (a < 0) != (b < 0) else quotient)

    def sqrt(self, a: int) -> int:
        if a < 0:
            raise Trap("num_sqrt_negative")
        return isqrt(a << 16)

    def to_int(self, a: int) -> int:
        return (a + (1 << 15)) >> 16


class Binary32(Backend):
    id = "float_pinned_32"
    is_float = True
    one = b32.ONE
    add, sub, mul, div = (staticmethod(f) for f in (b32.add, b32.sub, b32.mul, b32.div))
    neg, abs, sqrt = (staticmethod(f) for f in (b32.negated, b32.absolute, b32.sqrt))
    lt, eq = staticmethod(b32.less), staticmethod(b32.equal)
    is_nan, is_inf, is_finite = (staticmethod(f) for f in (b32.is_nan, b32.is_infinite, b32.is_finite))
    from_int = staticmethod(b32.from_ratio)
    sin_radians, cos_radians, sincos_radians = (staticmethod(f) for f in (trig.sin, trig.cos, trig.sincos))
    atan2, asin, acos = (staticmethod(f) for f in (trig.atan2, trig.asin, trig.acos))
    sin_angle, cos_angle = staticmethod(trig.sin_angle), staticmethod(trig.cos_angle)

    def le(self, a: int, b: int) -> bool:
        return b32.less(a, b) or b32.equal(a, b)

    def literal(self, value: Fraction) -> int:
        bits = b32.from_ratio(value.numerator, value.denominator)
        if b32.is_infinite(bits):
            raise OverflowError(value)
        return bits

    def from_binary32(self, bits: int) -> int:
        return bits

    def to_int(self, a: int) -> int:
        if not b32.is_finite(a):
            return 0 if b32.is_nan(a) else LOWEST if a >> 31 else HIGHEST
        value = b32.exact(a)
        return saturate32(nearest_even(value.numerator, value.denominator))

    def floor(self, a: int) -> int:
        return b32.integral(a, up=False)

    def ceil(self, a: int) -> int:
        return b32.integral(a, up=True)

    def sincos_angle(self, angle: int) -> tuple[int, int]:
        return trig.sin_angle(angle), trig.cos_angle(angle)


BACKENDS = {backend.id: backend for backend in (Saturating(), Wrapping(), Binary32())}
