"""mt19937: the 32-bit Mersenne Twister. Source: the seed document mars_rng, and the math page's "Generators"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from struct import Struct

from detcheck.errors import DetcheckError, Trap

WORDS = 624
_SHIFT = 397
STATE_BYTES = 4 * WORDS + 4
#: the binary64 nearest to 1 / (2^32 - 1), bits 0x3df0000000100000: (2^32 + 1) / 2^64 exactly
UNIT_SCALE = float.fromhex("0x1.00000001p-32")
_UNIT_SCALE_NUMERATOR = (1 << 32) + 1

_STATE = Struct("<624Ii")
_pack_float = Struct("<f").pack
_unpack_float: Callable[[bytes], tuple[float]] = Struct("<f").unpack
_unpack_bits: Callable[[bytes], tuple[int]] = Struct("<I").unpack


class MT19937:
    """The engine generator of the seed: one word stream, drawn in one order by every lockstep peer.

    State and seeding
    -----------------
    `seed` is 0 .. 2^32-1, spread by Knuth's initialiser over 624 words; one twist follows at once, so a fresh
    generator has `left` 624 and its first word is `state[0]`, tempered. A word is `state[624 - left]`; when `left` is 0
    the next draw twists first. The saved state is the 624 words and `left`, 2,500 bytes little-endian. `draws` counts
    words since seeding or loading; it is information, not state.

    `x87_precision` picks how `next_float` rounds: 53 (a binary64 product, then binary32) or 24 (the x87's single
    precision control, one rounding to 24 bits each for the unsigned fix-up and for the product).

    Compatibility guarantee
    -----------------------
    The words are those of `std::mt19937` and of the authors' C program (seed 5489: 3499211612, 581869302, ...; the
    10,000th is 4123659995). Words, saved states and every draw below are the same bits in every version of detcheck;
    a change would be another generator with another name.
    """

    kind = "mt19937"

    def __init__(self, seed: int, x87_precision: int = 53) -> None:
        if not 0 <= seed <= 0xFFFFFFFF:
            raise DetcheckError("rng.seed", f"mt19937 takes a seed of 0 to 2^32 - 1, not {seed}")
        if x87_precision not in (53, 24):
            raise DetcheckError("rng.x87_precision", f"x87_precision is 53 or 24, not {x87_precision}")
        self.x87_precision = x87_precision
        self.draws = 0
        self._words = twist(initialise(seed))
        self._left = WORDS

    @property
    def left(self) -> int:
        """Words still unread in this block, 0..624."""
        return self._left

    @property
    def index(self) -> int:
        """Where the next word stands in `state`; 624 when the next draw twists first."""
        return WORDS - self._left

    @property
    def state(self) -> tuple[int, ...]:
        """The 624 words of this block, untempered."""
        return tuple(self._words)

    def next_u32(self) -> int:
        """The next word, tempered."""
        left = self._left
        if left == 0:
            self._words = twist(self._words)
            left = WORDS
        word = self._words[WORDS - left]
        self._left = left - 1
        self.draws += 1
        word ^= word >> 11
        word ^= (word << 7) & 0x9D2C5680
        word ^= (word << 15) & 0xEFC60000
        return word ^ (word >> 18)

    def next_unit(self) -> float:
        """A word times 1 / (2^32 - 1) in binary64: [0, 1], both ends reached."""
        return self.next_u32() * UNIT_SCALE

    def next_float_bits(self) -> int:
        """`next_float` as a binary32 pattern: 0 to 0x3f800000."""
        word = self.next_u32()
        return unit_bits_24(word) if self.x87_precision == 24 else unit_bits_53(word)

    def next_float(self) -> float:
        """The same draw narrowed to binary32: [0, 1], 1.0 included."""
        return _unpack_float(self.next_float_bits().to_bytes(4, "little"))[0]

    def next_int_inclusive(self, n: int) -> int:
        """Uniform in 0..n (a u32): masked words, drawn again while above n. n = 0 consumes a word too."""
        mask = (1 << n.bit_length()) - 1
        while True:
            value = self.next_u32() & mask
            if value <= n:
                return value

    def rand_u32(self) -> int:
        """The next word."""
        return self.next_u32()

    def roll(self, lo: int, hi: int) -> int:
        """Uniform in lo..hi (i32, both included). Traps `roll_bounds` when hi < lo."""
        if hi < lo:
            raise Trap("roll_bounds")
        return lo + self.next_int_inclusive(hi - lo)

    def rand_unit_raw(self) -> int:
        """A Q16.16 raw in [0, 1): the word's upper 16 bits."""
        return self.next_u32() >> 16

    def rand_unit_bits(self) -> int:
        """A binary32 pattern: `next_float`."""
        return self.next_float_bits()

    def save_state(self) -> bytes:
        """624 words and `left`, 2,500 bytes little-endian."""
        return _STATE.pack(*self._words, self._left)

    def load_state(self, state: bytes | Sequence[int], left: int | None = None) -> None:
        """Take over a saved state: 2,500 bytes, or 624 words and `left`. `draws` starts again at 0.

        A malformed state is a DetcheckError `rng.state`, and nothing is taken over.
        """
        if left is None:
            words, left = unpack_state(bytes(state))
        else:
            words = list(state)
            check_state(words, left)
        self._words, self._left = words, left
        self.draws = 0


def initialise(seed_u32: int) -> list[int]:
    """Knuth's initialiser: 624 words, not yet twisted."""
    words = [seed_u32]
    for i in range(1, WORDS):
        last = words[-1]
        words.append((1812433253 * (last ^ (last >> 30)) + i) & 0xFFFFFFFF)
    return words


def twist(words: Sequence[int]) -> list[int]:
    """The next block of 624 words."""
    # Each new word takes the old word's top bit, its right neighbour's low 31 bits, and the word 397 further on, which
    # from the 227th on is itself new.
    mixed = [(a & 0x80000000) | (b & 0x7FFFFFFF) for a, b in pairwise(words)]
    mixed = [(y >> 1) ^ 0x9908B0DF if y & 1 else y >> 1 for y in mixed]
    new = [m ^ y for m, y in zip(words[_SHIFT:], mixed, strict=False)]
    span = WORDS - _SHIFT
    new += [m ^ y for m, y in zip(new, mixed[span:], strict=False)]
    new += [m ^ y for m, y in zip(new[span:], mixed[2 * span :], strict=False)]
    y = (words[-1] & 0x80000000) | (new[0] & 0x7FFFFFFF)
    new.append(new[_SHIFT - 1] ^ ((y >> 1) ^ 0x9908B0DF if y & 1 else y >> 1))
    return new


def unit_bits_53(word: int) -> int:
    """word / (2^32 - 1) with 53-bit precision control: a binary64 product, stored to binary32 (two roundings)."""
    return _unpack_bits(_pack_float(word * UNIT_SCALE))[0]


def unit_bits_24(word: int) -> int:
    """word / (2^32 - 1) with 24-bit precision control, exactly.

    The word is loaded as a signed integer without rounding; only a negative one gets 2^32 added, rounded to 24 bits.
    The product with the 53-bit constant rounds once to 24 bits.
    """
    if word & 0x80000000:
        word = _round_to_24_bits(word)
    product = _round_to_24_bits(word * _UNIT_SCALE_NUMERATOR)  # in units of 2^-64
    if product == 0:
        return 0
    length = product.bit_length()
    mantissa = product << (24 - length) if length < 24 else product >> (length - 24)
    return ((length - 1 - 64 + 127 - 1) << 23) + mantissa


def _round_to_24_bits(value: int) -> int:
    """`value` with at most 24 significant bits, nearest, ties to even."""
    drop = value.bit_length() - 24
    if drop <= 0:
        return value
    half = (1 << (drop - 1)) - 1
    return (value + half + ((value >> drop) & 1)) >> drop << drop


def pack_state(words: Sequence[int], left: int) -> bytes:
    """The saved form of 624 words and `left`. A malformed one is a DetcheckError `rng.state`."""
    check_state(words, left)
    return _STATE.pack(*words, left)


def unpack_state(blob: bytes) -> tuple[list[int], int]:
    """(624 words, left) of a saved state. A malformed one is a DetcheckError `rng.state`."""
    if len(blob) != STATE_BYTES:
        raise DetcheckError("rng.state", f"an mt19937 state has {STATE_BYTES} bytes, not {len(blob)}")
    *words, left = _STATE.unpack(blob)
    check_state(words, left)
    return words, left


def check_state(words: Sequence[int], left: int) -> None:
    """Raise the DetcheckError that says what is wrong with a state."""
    if len(words) != WORDS:
        raise DetcheckError("rng.state", f"an mt19937 state has {WORDS} words, not {len(words)}")
    if not all(0 <= word <= 0xFFFFFFFF for word in words):
        raise DetcheckError("rng.state", "a word of an mt19937 state is outside 0..2^32-1")
    if not 0 <= left <= WORDS:
        raise DetcheckError("rng.state", f"left of an mt19937 state is 0..{WORDS}, not {left}")
