"""Arguments that are hard on purpose, and a stream of patterns that needs no seed of the platform's."""

from __future__ import annotations

import os
from collections.abc import Iterator

#: more cases when asked for
SCALE = max(1, int(os.environ.get("DETCHECK_EXAMPLES", "1")))

FIXED = (
    *(0, 1, -1, 2, -2, 3, -3, 32767, 32768, 32769, -32767, -32768, -32769, 65535, 65536, 65537, -65535, -65536, -65537),
    *(98304, -98304, 163840, 46341, -46341, 11863283, 2**31 - 1, -(2**31), 2**31 - 2, -(2**31) + 1, 2**30, -(2**30)),
)

FLOAT = (
    *(0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00000002, 0x00000003, 0x007FFFFF, 0x00800000, 0x00800001),
    *(0x3F800000, 0xBF800000, 0x3F7FFFFF, 0x3F800001, 0x3F000000, 0xBF000000, 0x3FC00000, 0xC0200000, 0x3EAAAAAB),
    *(0x40490FDB, 0x4AFFFFFF, 0xCAFFFFFF, 0x4B000000, 0x4B000001, 0x4B7FFFFF, 0x4B800000, 0x4EFFFFFF, 0x4F000000),
    *(0xCF000000, 0x33800000, 0x34000000, 0x1A000000, 0x1A3504F3, 0x7F000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000),
    *(0xFF800000, 0x7FC00000, 0x7F800001, 0xFFC12345, 0x5F3504F3, 0x80800000),
)


def words(count: int, seed: int = 1) -> Iterator[int]:
    """`count` 32-bit words of an xorshift generator."""
    x = seed
    for _ in range(count):
        x ^= (x << 13) & 0xFFFFFFFFFFFFFFFF
        x ^= x >> 7
        x ^= (x << 17) & 0xFFFFFFFFFFFFFFFF
        yield x >> 24 & 0xFFFFFFFF


def raws(count: int, seed: int = 1) -> Iterator[int]:
    """Signed 32-bit values of many sizes."""
    for word in words(count, seed):
        signed = word - 2**32 if word >= 2**31 else word
        yield signed >> (word % 5 * 6)


def patterns(count: int, seed: int = 1) -> Iterator[int]:
    """binary32 patterns: any, near 1, and near each other's last bits."""
    for word in words(count, seed):
        pick = word % 4
        if pick == 0:
            yield word
        elif pick == 1:
            yield (word & 0x807FFFFF) | (0x78 + (word >> 8) % 16) << 23
        elif pick == 2:
            yield (word & 0x80000000) | 0x3F800000 | (word >> 4 & 0x1F) | (word >> 9 & 1) << 22
        else:
            yield word & 0x80FFFFFF
