"""binary32 against an independent implementation by exact rationals, on hard and random patterns."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import exact32
import pytest
from number_cases import FLOAT, SCALE, patterns, raws, words

from detcheck import numbers

F = numbers.get("float_pinned_32")
NAN, INF, SIGN = 0x7FC00000, 0x7F800000, 0x80000000


def pairs() -> list[tuple[int, int]]:
    some = list(patterns(1500 * SCALE))
    return [*product(FLOAT, FLOAT), *zip(some, reversed(some), strict=True)]


@pytest.mark.parametrize("op", ["add", "sub", "mul", "div"])
def test_arithmetic_is_ieee(op: str) -> None:
    """One rounding to nearest even, denormals kept, every NaN canonical, signed zeros and infinities by the rules."""
    for a, b in pairs():
        assert getattr(F, op)(a, b) == getattr(exact32, op)(a, b), (op, hex(a), hex(b))


def test_denormal_results_round_once() -> None:
    """Products and quotients that end among the denormals, near ties, are not rounded twice."""
    for word in words(1500 * SCALE, seed=77):
        a = 0x3F800000 | word & 0x7FFFFF
        small = (1 + word % 24) << 23 | (word * 2654435761 >> 8) & 0x7FFFFF
        scale = (0x68 + word % 24) << 23 | 0x400000
        assert F.mul(a, word & 0x00FFFFFF) == exact32.mul(a, word & 0x00FFFFFF)
        assert F.mul(small, scale) == exact32.mul(small, scale), (hex(small), hex(scale))
        assert F.div(small, a) == exact32.div(small, a), (hex(small), hex(a))


def test_root_is_ieee() -> None:
    """sqrt rounds once; -0 stays, other negatives are NaN, denormals have roots."""
    for a in (*FLOAT, *(b & 0x7FFFFFFF for b in patterns(1000 * SCALE))):
        assert F.sqrt(a) == exact32.sqrt(a), hex(a)
    assert (F.sqrt(SIGN), F.sqrt(0xBF800000), F.sqrt(1)) == (SIGN, NAN, 0x1A3504F3)


def test_comparisons_are_ordered() -> None:
    """With a NaN every comparison is false but `!=`; -0 equals +0."""
    for a, b in pairs():
        order = exact32.ordered(a, b)
        assert F.lt(a, b) == (order == -1)
        assert F.gt(a, b) == (order == 1)
        assert F.le(a, b) == (order in (-1, 0))
        assert F.ge(a, b) == (order in (0, 1))
        assert F.eq(a, b) == (order == 0)
        assert F.ne(a, b) == (order != 0)


def test_sign_ops() -> None:
    """neg flips the sign bit, abs clears it, and a NaN becomes the canonical one."""
    for a in (*FLOAT, *patterns(500)):
        nan = exact32.is_nan(a)
        assert F.neg(a) == (NAN if nan else a ^ SIGN)
        assert F.abs(a) == (NAN if nan else a & 0x7FFFFFFF)
        assert F.canonical(a) == (NAN if nan else a)
        assert (F.is_nan(a), F.is_inf(a), F.is_finite(a)) == (nan, exact32.is_inf(a), not nan and not exact32.is_inf(a))


def test_floor_and_ceil_are_exact() -> None:
    """The integer below and above, of the argument's sign when it is zero."""
    for a in (*FLOAT, 0x3DCCCCCD, 0xBDCCCCCD, 0x4AFFFFFE, 0xCAFFFFFD, *patterns(3000 * SCALE)):
        if exact32.is_nan(a):
            assert F.floor(a) == F.ceil(a) == NAN
        elif exact32.is_inf(a):
            assert F.floor(a) == F.ceil(a) == a
        else:
            exact = exact32.value(a)
            assert F.floor(a) == exact32.nearest(Fraction(exact.__floor__()), a & SIGN), hex(a)
            assert F.ceil(a) == exact32.nearest(Fraction(exact.__ceil__()), a & SIGN), hex(a)


def test_integers_round_to_even() -> None:
    """From i32 and u32 one rounding; to i32 ties to even, NaN 0, saturating."""
    for i in (0, 1, -1, 2**24, 2**24 + 1, 2**24 + 3, -(2**24) - 1, 2**31 - 1, -(2**31), *raws(1000)):
        assert F.from_int(i) == exact32.nearest(Fraction(i))
    for u in (0, 2**32 - 1, 2**31, 2**31 + 128, 2**31 + 384, *words(1000)):
        assert F.from_u32(u) == exact32.nearest(Fraction(u))
    for a in (*FLOAT, 0x3F000001, 0x40200000, 0xCF000001, *patterns(2000)):
        if exact32.is_nan(a):
            expected = 0
        elif exact32.is_inf(a):
            expected = -(2**31) if a & SIGN else 2**31 - 1
        else:
            expected = min(max(round(exact32.value(a)), -(2**31)), 2**31 - 1)
        assert F.to_int(a) == expected, hex(a)


def test_binary32_conversions_are_the_identity() -> None:
    """from_f32 and to_f32 keep every pattern, a NaN in canonical form."""
    for a in FLOAT:
        assert F.from_f32(a) == F.to_f32(a) == F.canonical(a)


LITERALS = {
    "0.1": 0x3DCCCCCD,
    "1": 0x3F800000,
    "16777217": 0x4B800000,
    "16777219": 0x4B800002,
    "0.5000000298023223876953125": 0x3F000000,  # a tie between neighbours: even
    "0.5000000298023223876953126": 0x3F000001,  # just above it; binary64 would read the tie
    "0.5000000894069671630859375": 0x3F000002,
    "7e-46": 0x00000000,
    "7.1e-46": 0x00000001,
    "-7e-46": 0x80000000,
    "1.401298464324817e-45": 0x00000001,
    "1.17549435082228750797e-38": 0x00800000,
    "3.4028234663852886e38": 0x7F7FFFFF,
    "340282356779733661637539395458142568447": 0x7F7FFFFF,
}


@pytest.mark.parametrize("text", list(LITERALS))
def test_literals_round_once(text: str) -> None:
    """A decimal is rounded from its exact value, never through binary64."""
    assert F.literal(Fraction(text)) == LITERALS[text] == exact32.nearest(Fraction(text), LITERALS[text] & SIGN)


def test_literal_ties_among_denormals() -> None:
    """Half of the least denormal is 0, three halves are two of them, the tie below the least normal is that number."""
    unit = Fraction(1, 2**149)
    cases = {unit / 2: 0, unit * 3 / 2: 2, unit * 5 / 2: 2, unit * (2**23 - Fraction(1, 2)): 0x00800000}
    assert {exact: F.literal(exact) for exact in cases} == cases
    assert F.literal(unit / 2 + Fraction(1, 2**400)) == 1


def test_literal_zeros_and_overflow() -> None:
    """-0.0 is the negative zero when said so; overflow is judged after rounding."""
    assert (F.literal(Fraction(0)), F.literal(Fraction(0), negative_zero=True)) == (0, SIGN)
    limit = Fraction(2**128 - 2**103)  # half a unit above the greatest finite value
    assert F.literal(limit - Fraction(1, 10**60)) == 0x7F7FFFFF
    for exact in (limit, -limit, Fraction(10) ** 99):
        with pytest.raises(OverflowError):
            F.literal(exact)


def test_literal_equals_the_independent_rounding() -> None:
    """Random rationals over the whole range of exponents."""
    stream = list(words(1200 * SCALE, seed=5))
    for n, d, e in zip(stream[::3], stream[1::3], stream[2::3], strict=True):
        exact = Fraction(n, d | 1) * Fraction(2) ** (e % 280 - 150)
        expected = exact32.nearest(exact)
        if expected == INF:
            with pytest.raises(OverflowError):
                F.literal(exact)
        else:
            assert F.literal(exact) == expected
            assert F.literal(-exact) == expected | SIGN


DECIMALS = {
    0x3F000000: "0.5",
    0x3F000001: "0.50000006",
    0x80000000: "-0.0",
    0x00000000: "0.0",
    0x00000001: "1e-45",
    0x7F7FFFFF: "3.4028235e+38",
    0x4B800000: "16777216.0",
    0x3DCCCCCD: "0.1",
    0xFFC00000: "NaN",
    0x7F800000: "inf",
    0xFF800000: "-inf",
    0x42C80000: "100.0",
    0x4C000004: "33554450.0",  # eight digits suffice
}


def test_known_decimals() -> None:
    """What people are shown."""
    assert {a: F.decimal(a) for a in DECIMALS} == DECIMALS


def test_decimals_read_back_and_are_short() -> None:
    """At most nine digits, one rounding gives the cell again, and one digit less would not."""
    for a in (*FLOAT, *patterns(1500 * SCALE)):
        if not F.is_finite(a):
            continue
        text = F.decimal(a)
        assert F.literal(Fraction(text), negative_zero=text.startswith("-")) == a, hex(a)
        digits = text.split("e")[0].replace(".", "").lstrip("-0").rstrip("0")
        assert len(digits) <= 9
        if len(digits) > 1:
            shorter = Fraction(f"{Fraction(text).__float__():.{len(digits) - 2}e}")
            assert exact32.nearest(shorter) != a, hex(a)
