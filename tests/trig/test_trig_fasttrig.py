"""FastTrig against its text, replayed op by op with the backend's own scalar ops."""

from __future__ import annotations

import struct
from fractions import Fraction

import pytest
import trig_exact

from detcheck import numbers
from detcheck.trig import tables

F = numbers.get("float_pinned_32")
SINE = struct.unpack("<4097I", tables.table_bytes(tables.SINE))
ARCTANGENT = struct.unpack("<8193I", tables.table_bytes(tables.ARCTANGENT))
NAN, INF, SIGN = 0x7FC00000, 0x7F800000, 0x80000000
PI, HALF_PI, SCALE = 0x40490FDB, 0x3FC90FDB, 0x4422F984
TWO_PI_64 = Fraction(0x1921FB54442D18, 2**50)  # the binary64 nearest to 2 pi
PER_TWO_PI_64 = Fraction(0x145F306DC9C883, 2**55)
BIG = F.from_int(4096)


def radians(count: int) -> list[int]:
    edges = [0, SIGN, 1, SIGN | 1, PI, PI | SIGN, HALF_PI, 0x40C90FDB, 0xC0C90FDB, 0x40C90FDA, 0x40C90FDC, 0xBF800000]
    edges += [0xD5CD3068, 0xDBD3D943, 0x7F7FFFFF, 0xFF7FFFFF, 0x42C80000, 0x4CBEBC20, INF, INF | SIGN, NAN, 0xFFC00001]
    edges += [0xD556735F, 0x5574F3DC, 0x53E5447E, 0x54EBA54F, 0xD4081F9A, 0xD3985FE7]  # u in (-2, 0), u past 4096
    words = [i * 2654435761 & 0xFFFFFFFF for i in range(1, count)]
    return edges + words + [(w & 0x807FFFFF) | (0x68 + w % 36) << 23 for w in words]


def round64(exact: Fraction) -> Fraction:
    """To nearest even with 53 bits (no exponent limit: none is met)."""
    if exact == 0:
        return exact
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (exponent - 52)
    return round(exact / unit) * unit


def value(bits: int) -> Fraction:
    return Fraction(struct.unpack(">f", bits.to_bytes(4, "big"))[0])


def interpolated(table: tuple[int, ...], i: int, t: int) -> int:
    return F.add(table[i], F.mul(F.sub(table[i + 1], table[i]), t))


def coordinate(r: int) -> int:
    if not F.is_finite(r):
        return NAN
    exact = value(r)
    turns = round64(exact * PER_TWO_PI_64).__floor__()
    reduced = round64(exact - round64(TWO_PI_64 * turns))
    u = F.mul(F.literal(reduced), SCALE)
    if F.ge(u, BIG):
        u = F.sub(u, BIG)
    inside = F.gt(u, F.from_int(-1)) and F.lt(u, BIG)
    return u if inside else NAN


def sine_at(u: int) -> int:
    if F.is_nan(u):
        return NAN
    i = int(value(u))
    return interpolated(SINE, i, F.sub(u, F.from_int(i)))


def cosine_at(u: int) -> int:
    u = F.add(u, F.from_int(1024))
    return sine_at(F.sub(u, BIG) if F.ge(u, BIG) else u)


def test_radian_functions_follow_the_text() -> None:
    """sin, cos, sincos and its cosine alone, over the whole range of patterns."""
    for r in radians(3000):
        u = coordinate(r)
        assert F.sin(r) == sine_at(u), hex(r)
        assert F.cos(r) == sine_at(coordinate(F.add(r, HALF_PI))), hex(r)
        assert F.sincos(r) == (sine_at(u), cosine_at(u)), hex(r)
        assert F.sincos_cos(r) == cosine_at(u), hex(r)


@pytest.mark.parametrize("bits", [0xD5CD3068, 0xDBD3D943])
def test_the_known_arguments_that_leave_the_table(bits: int) -> None:
    """Where the reduction's error leaves the table the answer is NaN; the neighbours need not be."""
    assert (F.sin(bits), F.sincos(bits)) == (NAN, (NAN, NAN))


def test_the_reductions_overshoot_is_used_or_refused() -> None:
    """A coordinate in (-1, 0) extends the first step backwards; at -1 or below there is no table, so NaN."""
    value_at = {bits: coordinate(bits) for bits in (0x53E5447E, 0x54EBA54F, 0xD556735F, 0x5574F3DC)}
    assert [F.is_nan(u) for u in value_at.values()] == [0, 0, 1, 1]
    assert [F.sin(bits) for bits in value_at] == [
        F.mul(u, SINE[1]) if not F.is_nan(u) else NAN for u in value_at.values()
    ]


def test_tiny_negative_angles_wrap_to_the_tables_start() -> None:
    """They reduce to binary32's 2 pi, past the table's end: the wrap lands in its first step, not past entry 4096."""
    assert [F.sin(bits) for bits in (0x80000001, 0x80800000, 0xB3000000)] == [0x35490FD5] * 3
    assert F.sincos(0x80000001) == (0x35490FD5, 0x3F800000)


def test_cos_and_sincos_are_two_ops() -> None:
    """The cosine of sincos differs from cos in the last bits, as the document's does."""
    unlike = [r for r in radians(300) if F.cos(r) != F.sincos(r)[1]]
    assert unlike


def arctangent_at(a: int) -> int:
    v = F.mul(a, F.from_int(8192))
    i = min(int(value(v)), 8191)
    return interpolated(ARCTANGENT, i, F.sub(v, F.from_int(i)))


def atan2(y: int, x: int) -> int:
    if F.is_nan(x) or F.is_nan(y) or (F.is_inf(x) and F.is_inf(y)):
        return NAN
    if F.eq(x, 0):
        return 0 if F.eq(y, 0) else HALF_PI if F.gt(y, 0) else HALF_PI | SIGN
    ay, ax = F.abs(y), F.abs(x)
    if F.le(ay, ax):
        base = arctangent_at(F.div(ay, ax))
    else:
        base = F.sub(HALF_PI, arctangent_at(F.div(ax, ay)))
    if F.lt(x, 0):
        base = F.sub(PI, base)
    return F.neg(base) if F.lt(y, 0) else base


def test_atan2_follows_the_text() -> None:
    """All quadrants, both zeros, infinities, NaN, ratios of 1 and of underflow."""
    some = [0, SIGN, 1, SIGN | 1, 0x3F800000, 0xBF800000, 0x7F7FFFFF, 0xFF7FFFFF, INF, INF | SIGN, NAN, 0x3F7FFFFF]
    pairs = [(y, x) for y in some for x in some] + list(zip(radians(1500), reversed(radians(1500)), strict=True))
    for y, x in pairs:
        assert F.atan2(y, x) == atan2(y, x), (hex(y), hex(x))


def test_arcs_follow_the_text() -> None:
    """asin is atan2(x, sqrt(1 - x * x)), 0 beyond 1, NaN for a NaN; acos is half pi less it."""
    ones = [0x3F800000, 0x3F800001, 0x3F7FFFFF, 0xBF800000, 0xBF800001, 0x3F3504F3, 0x3F3504F4]
    for x in (*ones, *radians(1500), *((w & 0x807FFFFF) | 0x3F000000 for w in radians(500))):
        if F.is_nan(x):
            expected = NAN
        elif F.gt(F.abs(x), 0x3F800000):
            expected = 0
        else:
            expected = atan2(x, F.sqrt(F.sub(0x3F800000, F.mul(x, x))))
        assert F.asin(x) == expected, hex(x)
        assert F.acos(x) == F.sub(HALF_PI, expected), hex(x)


def test_angles_need_no_reduction() -> None:
    """The upper 12 bits pick the entry, the lower 20 interpolate; the cosine is a quarter turn on."""
    for a in (0, 1, 2**20 - 1, 2**20, 2**30 - 1, 2**30, 2**31, 2**32 - 1, *(w * 7 & 0xFFFFFFFF for w in radians(1500))):
        t = F.literal(Fraction(a & 0xFFFFF, 2**20))
        assert F.sin_angle(a) == interpolated(SINE, a >> 20, t)
        assert F.cos_angle(a) == F.sin_angle((a + 2**30) % 2**32)
        assert F.sin_cos(a) == (F.sin_angle(a), F.cos_angle(a))
    assert F.sin_cos(0) == (0, 0x3F800000)


def test_heading_is_atan2_in_angle_units() -> None:
    """Nearest, ties to even, of the product in binary64; NaN gives 0; negative directions wrap."""
    factor = Fraction(0x145F306DC9C883, 2**23)
    for x, y in zip(radians(1500), reversed(radians(1500)), strict=True):
        direction = atan2(y, x)
        expected = 0 if F.is_nan(direction) else round(round64(value(direction) * factor)) % 2**32
        assert F.heading(x, y) == expected, (hex(x), hex(y))
    assert F.heading(0, 0) == 0
    assert F.heading(0x3F800000, 0) == 0


def test_accuracy_of_the_sine() -> None:
    """A coarse sweep of [-100, 100] stays within the promised 9e-7, against an exact series."""
    limit = 9 * trig_exact.ONE // 10**7
    two_pi = 2 * trig_exact.PI
    for i in range(-1000, 1001):
        r = F.literal(Fraction(i, 10) + Fraction(i, 7919))
        exact = value(r)
        inside = (exact.numerator * trig_exact.ONE // exact.denominator) % two_pi
        half, sign = (inside - trig_exact.PI, -1) if inside > trig_exact.PI else (inside, 1)
        true = sign * trig_exact.sine(min(half, trig_exact.PI - half))
        found = value(F.sin(r))
        assert abs(found.numerator * trig_exact.ONE // found.denominator - true) <= limit, i
