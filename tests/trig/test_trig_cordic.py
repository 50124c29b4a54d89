"""CORDIC: the seed's sine and cosine, and vectoring with the same constants."""

from __future__ import annotations

import trig_exact

from detcheck import numbers
from detcheck.trig import cordic


def angles(count: int) -> list[int]:
    quarters = [(q << 30) + d & 0xFFFFFFFF for q in range(4) for d in (-2, -1, 0, 1, 2)]
    return quarters + [i * 2654435761 & 0xFFFFFFFF for i in range(count)]


def test_constants_are_those_of_the_angles() -> None:
    """ATAN[i] is atan(2^-i) in units of 2^-32 turns, cut to an integer; the gain is the product of the steps'."""
    for i, step in enumerate(cordic.ATAN):
        exact = trig_exact.arctangent(1, 1 << i) * 2**31 // trig_exact.PI
        assert abs(step - exact) <= 1, i
    # gain^2 = prod 1 / (1 + 4^-i), in units of 2^-60
    square = 1 << 160
    for i in range(24):
        square = square * 4**i // (4**i + 1)
    assert cordic.GAIN**2 <= square >> 100 < (cordic.GAIN + 1) ** 2


def test_sin_cos_is_the_seeds_loop() -> None:
    """Every step as the seed writes it, on angles too whose rotation meets 0 exactly on the way."""

    def to_i32(n: int) -> int:
        return (n + 2**31) % 2**32 - 2**31

    def sin_cos(angle: int) -> tuple[int, int]:
        z, flip = to_i32(angle), False
        if z > 1 << 30 or z < -(1 << 30):
            z, flip = to_i32((angle + 2**31) % 2**32), True
        x, y = 652032874, 0
        for i in range(24):
            dx, dy = y >> i, x >> i
            if z >= 0:
                x, y, z = x - dx, y + dy, z - cordic.ATAN[i]
            else:
                x, y, z = x + dx, y - dy, z + cordic.ATAN[i]
        s, c = to_i32(y + (1 << 13) >> 14), to_i32(x + (1 << 13) >> 14)
        return (-s, -c) if flip else (s, c)

    meeting_zero = [0]
    for step in cordic.ATAN[:9]:
        meeting_zero += [z + step for z in meeting_zero] + [z - step for z in meeting_zero]
    for a in angles(2000) + [z & 0xFFFFFFFF for z in dict.fromkeys(meeting_zero[:4000])] + [0x359483D0, 0x0A6B7C30]:
        assert cordic.sin_cos(a) == sin_cos(a), hex(a)


def test_sine_and_cosine_stay_within_051_units() -> None:
    """Against an exact series on 3,000 angles, and at the quarter turns."""
    for a in angles(3000):
        sine, cosine = cordic.sin_cos(a)
        for found, angle in ((sine, a), (cosine, (a + 2**30) & 0xFFFFFFFF)):
            inside = angle & 0x7FFFFFFF
            folded = min(inside, 2**31 - inside)
            exact = trig_exact.sine(2 * trig_exact.PI * folded >> 32)
            exact = -exact if angle >> 31 else exact
            assert abs((found << trig_exact.BITS - 16) - exact) * 100 <= 51 << trig_exact.BITS - 16, hex(a)


def test_both_fixed_backends_share_it() -> None:
    """sin_cos, sin_angle and cos_angle agree, on either backend."""
    for a in angles(300):
        for name in ("fixed_point_16_16", "fixed_wrapping_16_16"):
            backend = numbers.get(name)
            assert backend.sin_cos(a) == (backend.sin_angle(a), backend.cos_angle(a)) == cordic.sin_cos(a)


def test_known_headings() -> None:
    """The known answers of the math page: not 0 on the axis, not the nearest for tiny vectors."""
    cases = {(65536, 0): 0x33, (1, 0): 0x8027, (-65536, 1): 0x7FFFD773, (0, 0): 0}
    assert {vector: cordic.heading(*vector) for vector in cases} == cases


def test_heading_undoes_sine_and_cosine() -> None:
    """The heading of (cos a, sin a) is a, within the rounding of the components to 2^-16."""
    for a in angles(2000):
        sine, cosine = cordic.sin_cos(a)
        away = (cordic.heading(cosine, sine) - a) & 0xFFFFFFFF
        assert min(away, 2**32 - away) < 12_000, hex(a)


def test_heading_of_the_longest_vectors() -> None:
    """The diagonals of the whole range do not overflow 64 bits and point where they should."""
    least, greatest = -(2**31), 2**31 - 1
    for x, y, eighth in ((greatest, greatest, 1), (least, greatest, 3), (least, least, 5), (greatest, least, 7)):
        away = (cordic.heading(x, y) - eighth * 2**29) & 0xFFFFFFFF
        assert min(away, 2**32 - away) < 600


def test_heading_is_the_pages_loop() -> None:
    """Every step as the page writes it, both right sides old values."""

    def heading(x: int, y: int) -> int:
        if (x, y) == (0, 0):
            return 0
        x, y, z = x << 14, y << 14, 0
        if x < 0:
            x, y, z = -x, -y, 2**31
        for i in range(24):
            old_x, old_y = x, y
            if y > 0:
                x, y, z = old_x + (old_y >> i), old_y - (old_x >> i), z + cordic.ATAN[i]
            else:
                x, y, z = old_x - (old_y >> i), old_y + (old_x >> i), z - cordic.ATAN[i]
            assert abs(x) < 2**63
            assert abs(y) < 2**63
        return z % 2**32

    values = [0, 1, -1, 65536, -65536, 2**31 - 1, -(2**31), 12345, -999_999_999]
    for x in values:
        for y in values:
            assert cordic.heading(x, y) == heading(x, y)
