"""CORDIC: sine, cosine and heading of binary angles by shifts and adds, for the fixed-point backends.

Angles are u32, 2^32 = one turn; results are Q16.16 raws. Source: the seed document deterministic_fixed_point with its
24 constants; `heading` (vectoring with the same constants) is the design's own choice.
"""

from __future__ import annotations

#: atan(2^-i) in angle units, i = 0..23
ATAN: tuple[int, ...] = (
    *(536870912, 316933406, 167458907, 85004756, 42667331, 21354465, 10679838, 5340245),
    *(2670163, 1335087, 667544, 333772, 166886, 83443, 41722, 20861),
    *(10430, 5215, 2608, 1304, 652, 326, 163, 81),
)

#: prod 1 / sqrt(1 + 2^-2i) over the 24 steps, in Q2.30
GAIN = 652032874

_STEPS: tuple[tuple[int, int], ...] = tuple(enumerate(ATAN))
_QUARTER = 1 << 30
_HALF_TURN = 1 << 31
_MASK = 0xFFFFFFFF


def _signed(angle: int) -> int:
    return angle - (1 << 32) if angle & _HALF_TURN else angle


def sin_cos(angle: int) -> tuple[int, int]:
    """(sine, cosine) raws of a u32 angle, each within 0.51 units of 2^-16."""
    z = _signed(angle)
    flip = z > _QUARTER or z < -_QUARTER
    if flip:
        z = _signed((angle + _HALF_TURN) & _MASK)
    x, y = GAIN, 0
    for i, step in _STEPS:
        if z >= 0:
            x, y, z = x - (y >> i), y + (x >> i), z - step
        else:
            x, y, z = x + (y >> i), y - (x >> i), z + step
    sine, cosine = (y + 0x2000) >> 14, (x + 0x2000) >> 14
    # The values stay within 65537, where negation is the same on either backend.
    return (-sine, -cosine) if flip else (sine, cosine)


def heading(x: int, y: int) -> int:
    """The u32 angle of the vector of raws (x, y); 0 for the zero vector. Not 0 on the axis: (65536, 0) gives 0x33."""
    if x == 0 and y == 0:
        return 0
    x, y, z = x << 14, y << 14, 0
    if x < 0:
        x, y, z = -x, -y, _HALF_TURN
    for i, step in _STEPS:
        if y > 0:
            x, y, z = x + (y >> i), y - (x >> i), z + step
        else:
            x, y, z = x - (y >> i), y + (x >> i), z - step
    return z & _MASK
