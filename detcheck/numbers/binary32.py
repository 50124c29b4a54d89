"""binary32 bit patterns by integers alone: exact decoding, and one correct rounding of a rational."""

from __future__ import annotations

SIGN = 0x80000000
INFINITY = 0x7F800000
NAN = 0x7FC00000

#: exponent of the least denormal, and of the least normal number
_MIN_EXPONENT = -149
_MIN_NORMAL_EXPONENT = -126
_FRACTION_BITS = 23


def round_even(numerator: int, denominator: int) -> int:
    """The integer nearest to numerator / denominator (denominator > 0), ties to even."""
    quotient, remainder = divmod(numerator, denominator)
    twice = 2 * remainder
    if twice > denominator or (twice == denominator and quotient & 1):
        quotient += 1
    return quotient


def finite_parts(bits: int) -> tuple[int, int]:
    """(signed mantissa, exponent) with value = mantissa * 2^exponent, of a finite pattern."""
    exponent = (bits >> _FRACTION_BITS) & 0xFF
    mantissa = bits & 0x7FFFFF
    if exponent:
        mantissa |= 0x800000
    else:
        exponent = 1
    return (-mantissa if bits & SIGN else mantissa), exponent - 1 + _MIN_EXPONENT


def nearest(numerator: int, denominator: int) -> int:
    """The pattern nearest to numerator / denominator (denominator > 0), ties to even; 0 gives +0.

    OverflowError when the rounded value is beyond the greatest finite one.
    """
    if numerator == 0:
        return 0
    sign = SIGN if numerator < 0 else 0
    magnitude = abs(numerator)
    exponent = _floor_log2(magnitude, denominator)
    exponent = max(exponent, _MIN_NORMAL_EXPONENT)
    unit = exponent - _FRACTION_BITS
    if unit < 0:
        mantissa = round_even(magnitude << -unit, denominator)
    else:
        mantissa = round_even(magnitude, denominator << unit)
    # A mantissa that rounded up to 2^24 carries into the exponent field by itself; a denormal has field 0.
    bits = ((exponent - _MIN_NORMAL_EXPONENT) << _FRACTION_BITS) + mantissa
    if bits >= INFINITY:
        raise OverflowError("beyond the binary32 range")
    return sign | bits


def _floor_log2(numerator: int, denominator: int) -> int:
    """e with 2^e <= numerator / denominator < 2^(e + 1), both positive."""
    exponent = numerator.bit_length() - denominator.bit_length()
    if exponent >= 0:
        below = numerator < denominator << exponent
    else:
        below = numerator << -exponent < denominator
    return exponent - 1 if below else exponent
