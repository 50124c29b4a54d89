"""The two generators and their draws.

Part of the second implementation: written from the design pages alone, it imports nothing of detcheck.
"""

from __future__ import annotations

import struct
from fractions import Fraction

import independent_binary32 as b32
from independent_binary32 import MASK, wrap32

#: the binary64 nearest to 1 / (2^32 - 1), as the exact rational it is
PER_WORD = Fraction(*(1 / MASK).as_integer_ratio())


class Mt19937:
    """32-bit Mersenne Twister: Knuth's initialiser, one twist at seeding, then a twist when all words are used."""

    kind = "mt19937"

    def __init__(self, seed: int, x87_precision: int) -> None:
        words = [seed & MASK]
        for i in range(1, 624):
            words.append((1812433253 * (words[-1] ^ (words[-1] >> 30)) + i) & MASK)
        self.words, self.x87_precision = words, x87_precision
        self.twist()

    def twist(self) -> None:
        words = self.words
        for i in range(624):
            y = words[i] & 0x80000000 | words[(i + 1) % 624] & 0x7FFFFFFF
            words[i] = words[(i + 397) % 624] ^ (y >> 1) ^ (0x9908B0DF if y & 1 else 0)
        self.left = 624

    def u32(self) -> int:
        if self.left == 0:
            self.twist()
        y = self.words[624 - self.left]
        self.left -= 1
        y ^= y >> 11
        y ^= y << 7 & 0x9D2C5680
        y ^= y << 15 & 0xEFC60000
        return y ^ y >> 18

    def inclusive(self, highest: int) -> int:
        mask = (1 << highest.bit_length()) - 1
        while (masked := self.u32() & mask) > highest:
            pass
        return masked

    def roll(self, low: int, width: int) -> int:
        return wrap32(low + self.inclusive(width))

    def unit_bits(self) -> int:
        """next_float: rounded to binary64 and then to binary32, or word and product to 24 bits."""
        word = self.u32()
        if self.x87_precision == 53:
            product = PER_WORD * word
            return b32.from_double(product.numerator / product.denominator)
        if word >= 1 << 31:
            word = int(b32.exact(b32.from_ratio(word)))
        product = PER_WORD * word
        return b32.from_ratio(product.numerator, product.denominator)

    def state(self) -> bytes:
        return struct.pack("<624Ii", *self.words, self.left)


class SplitMix64:
    """splitmix64; its u32 is the upper half of a word."""

    kind = "splitmix64"

    def __init__(self, seed: int) -> None:
        self.word = seed

    def u64(self) -> int:
        self.word = (self.word + 0x9E3779B97F4A7C15) % 2**64
        z = self.word
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    def u32(self) -> int:
        return self.u64() >> 32

    def below(self, count: int) -> int:
        return self.u32() * count >> 32

    def roll(self, low: int, width: int) -> int:
        return wrap32(low + self.below(width + 1))

    def unit_bits(self) -> int:
        return b32.from_ratio(self.u64() >> 40, 1 << 24)

    def state(self) -> bytes:
        return self.word.to_bytes(8, "little")


def generator(kind: str, seed: int, x87_precision: int) -> Mt19937 | SplitMix64:
    """The generator of a scenario's `rng`."""
    return Mt19937(seed, x87_precision) if kind == "mt19937" else SplitMix64(seed)
