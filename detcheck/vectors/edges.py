"""The values at which arithmetic goes wrong, by kind; made files begin with them."""

from __future__ import annotations

from collections.abc import Iterator

#: ones, halves, ties, the ends of the range, the last squares that fit (181), the root of the greatest (11863283)
_Q16 = (
    *(0, 1, -1, 2, -2, 3, -3, 65536, -65536, 65535, 65537, -65535, -65537, 32768, -32768, 32767, 32769, -32767, -32769),
    *(98304, -98304, 163840, -163840, 6554, -21845, 256, 46341, -46341, 181 << 16, 182 << 16, 11863283, 16777217),
    *(0x7FFFFFFF, -0x80000000, 0x7FFFFFFE, -0x7FFFFFFF, 0x7FFF8000, 0x7FFF7FFF, -0x7FFF8000, 0x40000000, -0x40000000),
)

#: both zeros, denormals, neighbours of 1, ties at 2^23 and 2^24, pi, int32's ends, overflow, infinities, a NaN, and the
#: two arguments whose reduction leaves the sine table
_F32 = (
    *(0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000),
    *(0x00800001, 0x3F7FFFFF, 0x3F800001, 0xBF7FFFFF, 0xBF800001, 0x3F000000, 0xBF000000, 0x3FC00000, 0xC0200000),
    *(0x3EAAAAAB, 0x3E054880, 0x40490FDB, 0xC0490FDB, 0x3FC90FDB, 0x40C90FDB, 0x4AFFFFFF, 0xCAFFFFFF, 0x4B000001),
    *(0x4B800000, 0x4B7FFFFF, 0x33800000, 0x34000000, 0x4EFFFFFF, 0x4F000000, 0xCF000000, 0xCF000001, 0x7F7FFFFF),
    *(0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x1A000000, 0x5F800000, 0x42C80000, 0xD5CD3068, 0xDBD3D943),
)

#: patterns whose value is a tie of raws, or an end of the Q16.16 range, besides those of binary32
_PATTERNS = (
    *(0x37000000, 0xB7000000, 0x37C00000, 0xB7C00000, 0x36FFFFFF, 0x37000001, 0x3F800040, 0x3F8000C0),
    *(0x46FFFFFF, 0x47000000, 0xC7000000, 0xC7000001, 0x7F800001, 0xFFC00001),
)

_I32 = (
    *(0, 1, -1, 2, -2, 100, 32767, 32768, -32767, -32768, -32769, 65535, 65536, -65536, 131071),
    *(
        0xFFFFFF,
        0x1000000,
        0x1000001,
        -0x1000001,
        0x1000003,
        0x2000002,
        0x2000006,
        0x7FFFFFFF,
        -0x80000000,
        -0x7FFFFFFF,
    ),
)

_QUARTER = 1 << 30
_ANGLE = (
    *(0, 1, 0xFFFFFFFF, 0x33, 0x000FFFFF, 0x00100000, 0x20000000, 0xE0000000, 0x15555555),
    *((quarter * _QUARTER + step) & 0xFFFFFFFF for quarter in (1, 2, 3) for step in (-1, 0, 1)),
)

#: kind of value (see detcheck.vectors.ops) -> edge values; "bits" is a binary32 pattern that a Q16.16 backend takes
EDGES: dict[str, tuple[int, ...]] = {
    "q16.16": _Q16,
    "f32": _F32,
    "bits": (*_F32, *_PATTERNS),
    "i32": _I32,
    "angle": _ANGLE,
}


def combined(kinds: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """Rows of edge values: all of one argument, all pairs of two; of more, as many rows that meet in ever new ways."""
    lists = [EDGES[kind] for kind in kinds]
    longest = max(len(values) for values in lists)
    for turn in range(longest if len(lists) > 1 else 1):
        for i in range(longest):
            yield tuple(values[(i + turn * (2 * j - 1 if j else 0)) % len(values)] for j, values in enumerate(lists))
