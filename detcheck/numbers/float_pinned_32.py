"""`float_pinned_32`: IEEE binary32, round to nearest even, no flush to zero, nothing fused; cells are bit patterns.

Computing + - * / sqrt in binary64 and rounding once is exact here: binary64 has more than 2 * 24 + 2 bits, sums and
products of two binary32 are then exact or far from a tie, and a quotient of 24-bit numbers keeps 2^-49 away from one,
denormal results included. Every NaN result is 0x7fc00000. Source: the seed document sim_math and the math page.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt as _sqrt64
from struct import Struct

from detcheck.numbers import binary32
from detcheck.numbers.base import Backend
from detcheck.numbers.binary32 import INFINITY, NAN, SIGN
from detcheck.trig import fasttrig

_pack_cell = Struct("<I").pack
_pack_cells = Struct("<II").pack
_pack_float = Struct("<f").pack
_unpack_cell: Callable[[bytes], tuple[int]] = Struct("<I").unpack
_unpack_float: Callable[[bytes], tuple[float]] = Struct("<f").unpack
_unpack_floats: Callable[[bytes], tuple[float, float]] = Struct("<ff").unpack

_MAGNITUDE = 0x7FFFFFFF
_ONE = 0x3F800000
#: from here on every binary32 is an integer: 2^23
_ALL_INTEGERS = 0x4B000000


def _cell(value: float) -> int:
    """The one rounding of a binary64 result to a cell."""
    try:
        bits = _unpack_cell(_pack_float(value))[0]
    except OverflowError:
        return INFINITY if value > 0.0 else INFINITY | SIGN
    return bits if value == value else NAN


def _toward(a: int, up: int) -> int:
    """The integer above (up 1) or below (up 0) a cell; -0 stays -0, and a fraction of -1 < a < 0 goes up to -0."""
    magnitude = a & _MAGNITUDE
    if magnitude >= _ALL_INTEGERS:
        return a if magnitude <= INFINITY else NAN
    sign = a & SIGN
    away = up == (0 if sign else 1)
    if magnitude < _ONE:
        return sign | (_ONE if away and magnitude else 0)
    fraction = (1 << (150 - (magnitude >> 23))) - 1
    # A carry out of the mantissa goes into the exponent field, which is the right next number.
    return sign | ((magnitude + fraction if away else magnitude) & ~fraction)


class FloatPinned32(Backend):
    """No op traps but for `clamp` bounds; infinities, NaN, denormals and signed zero as IEEE 754 has them."""

    id = "float_pinned_32"
    number = "f32"
    zero = 0
    one = _ONE
    radians = True

    @staticmethod
    def add(a: int, b: int) -> int:
        x, y = _unpack_floats(_pack_cells(a, b))
        value = x + y
        try:
            bits = _unpack_cell(_pack_float(value))[0]
        except OverflowError:
            return INFINITY if value > 0.0 else INFINITY | SIGN
        return bits if value == value else NAN

    @staticmethod
    def sub(a: int, b: int) -> int:
        x, y = _unpack_floats(_pack_cells(a, b))
        value = x - y
        try:
            bits = _unpack_cell(_pack_float(value))[0]
        except OverflowError:
            return INFINITY if value > 0.0 else INFINITY | SIGN
        return bits if value == value else NAN

    @staticmethod
    def mul(a: int, b: int) -> int:
        x, y = _unpack_floats(_pack_cells(a, b))
        value = x * y
        try:
            bits = _unpack_cell(_pack_float(value))[0]
        except OverflowError:
            return INFINITY if value > 0.0 else INFINITY | SIGN
        return bits if value == value else NAN

    @staticmethod
    def div(a: int, b: int) -> int:
        x, y = _unpack_floats(_pack_cells(a, b))
        if y == 0.0:
            return NAN if x == 0.0 or x != x else ((a ^ b) & SIGN) | INFINITY
        value = x / y
        try:
            bits = _unpack_cell(_pack_float(value))[0]
        except OverflowError:
            return INFINITY if value > 0.0 else INFINITY | SIGN
        return bits if value == value else NAN

    @staticmethod
    def sqrt(a: int) -> int:
        """The root of -0 is -0, of any other negative number NaN."""
        value = _unpack_float(_pack_cell(a))[0]
        return _cell(_sqrt64(value)) if value >= 0.0 else NAN

    @staticmethod
    def neg(a: int) -> int:
        return a ^ SIGN if a & _MAGNITUDE <= INFINITY else NAN

    def abs(self, a: int) -> int:
        """Clears the sign bit, so that -0 gives +0."""
        magnitude = a & _MAGNITUDE
        return magnitude if magnitude <= INFINITY else NAN

    @staticmethod
    def floor(a: int) -> int:
        return _toward(a, 0)

    @staticmethod
    def ceil(a: int) -> int:
        return _toward(a, 1)

    @staticmethod
    def lt(a: int, b: int) -> int:
        x, y = _unpack_floats(_pack_cells(a, b))
        return 1 if x < y else 0

    @staticmethod
    def le(a: int, b: int) -> int:
        x, y = _unpack_floats(_pack_cells(a, b))
        return 1 if x <= y else 0

    @staticmethod
    def gt(a: int, b: int) -> int:
        x, y = _unpack_floats(_pack_cells(a, b))
        return 1 if x > y else 0

    @staticmethod
    def ge(a: int, b: int) -> int:
        x, y = _unpack_floats(_pack_cells(a, b))
        return 1 if x >= y else 0

    @staticmethod
    def eq(a: int, b: int) -> int:
        x, y = _unpack_floats(_pack_cells(a, b))
        return 1 if x == y else 0

    @staticmethod
    def ne(a: int, b: int) -> int:
        x, y = _unpack_floats(_pack_cells(a, b))
        return 1 if x != y else 0

    @staticmethod
    def is_nan(a: int) -> int:
        return 1 if a & _MAGNITUDE > INFINITY else 0

    @staticmethod
    def is_inf(a: int) -> int:
        return 1 if a & _MAGNITUDE == INFINITY else 0

    @staticmethod
    def is_finite(a: int) -> int:
        return 1 if a & _MAGNITUDE < INFINITY else 0

    @staticmethod
    def from_int(i: int) -> int:
        return _cell(float(i))

    @staticmethod
    def from_u32(u: int) -> int:
        return _cell(float(u))

    @staticmethod
    def to_int(a: int) -> int:
        """Nearest, ties to even; NaN gives 0, what is beyond int32 saturates."""
        value = _unpack_float(_pack_cell(a))[0]
        if value != value:
            return 0
        if value >= 2147483648.0:
            return 0x7FFFFFFF
        return round(value) if value > -2147483648.0 else -0x80000000

    @staticmethod
    def from_f32(bits: int) -> int:
        return bits if bits & _MAGNITUDE <= INFINITY else NAN

    @staticmethod
    def to_f32(a: int) -> int:
        return a if a & _MAGNITUDE <= INFINITY else NAN

    @staticmethod
    def canonical(a: int) -> int:
        return a if a & _MAGNITUDE <= INFINITY else NAN

    @staticmethod
    def literal(value: Fraction, negative_zero: bool = False) -> int:
        """One correct rounding, never through binary64; a negative value that rounds to zero gives -0."""
        if value == 0:
            return SIGN if negative_zero else 0
        return binary32.nearest(value.numerator, value.denominator)

    @staticmethod
    def decimal(a: int) -> str:
        """The fewest digits that one rounding brings back to the cell, as 0.5, 0.50000006, 1e-45, -0.0, inf, NaN."""
        if not a & _MAGNITUDE < INFINITY:
            return "NaN" if a & _MAGNITUDE > INFINITY else "-inf" if a & SIGN else "inf"
        value = _unpack_float(_pack_cell(a))[0]
        for digits in range(1, 9):
            text = f"{value:.{digits}g}"
            # float(text) may round twice; only the exact reading decides whether fewer digits are enough.
            if _cell(float(text)) == a and FloatPinned32._exactly(text, a):
                return repr(float(text))
        return repr(float(f"{value:.9g}"))

    @staticmethod
    def _exactly(text: str, a: int) -> bool:
        try:
            return FloatPinned32.literal(Fraction(text), negative_zero=bool(a & SIGN)) == a
        except OverflowError:
            return False

    # Trigonometry: see detcheck.trig.fasttrig.

    sin = staticmethod(fasttrig.sin)
    cos = staticmethod(fasttrig.cos)
    sincos = staticmethod(fasttrig.sincos)
    sincos_cos = staticmethod(fasttrig.sincos_cos)
    atan2 = staticmethod(fasttrig.atan2)
    asin = staticmethod(fasttrig.asin)
    acos = staticmethod(fasttrig.acos)

    def sin_angle(self, angle: int) -> int:
        """The sine of a u32 angle, by table and one interpolation."""
        return fasttrig.sin_angle(angle)

    def cos_angle(self, angle: int) -> int:
        """The cosine of a u32 angle: the sine a quarter turn on, exactly."""
        return fasttrig.cos_angle(angle)

    @staticmethod
    def sin_cos(angle: int) -> tuple[int, int]:
        return fasttrig.sin_angle(angle), fasttrig.cos_angle(angle)

    @staticmethod
    def heading(x: int, y: int) -> int:
        return fasttrig.heading(x, y)


BACKEND = FloatPinned32()
