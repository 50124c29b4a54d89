"""splitmix64: a 64-bit counter and a mixer. Source: the seed document deterministic_fixed_point."""

from __future__ import annotations

from detcheck.errors import DetcheckError, Trap

STATE_BYTES = 8
GAMMA = 0x9E3779B97F4A7C15
_MASK = 0xFFFFFFFFFFFFFFFF


class SplitMix64:
    """A small generator whose state is one 64-bit word.

    State and seeding
    -----------------
    `seed` is 0 .. 2^64-1 and is the state. Each draw first adds 0x9e3779b97f4a7c15 (mod 2^64), then mixes a copy. The
    saved state is 8 bytes little-endian. `draws` counts words since seeding or loading; it is information, not state.

    Compatibility guarantee
    -----------------------
    The words are those of Vigna's 2015 C program and of the seed document (seed 1: 0x910a2dec89025cc1). Words, saved
    states and every draw below are the same bits in every version of detcheck; a change would be another generator
    with another name.
    """

    kind = "splitmix64"

    def __init__(self, seed: int) -> None:
        if not 0 <= seed <= _MASK:
            raise DetcheckError("rng.seed", f"splitmix64 takes a seed of 0 to 2^64 - 1, not {seed}")
        self.draws = 0
        self._state = seed

    @property
    def state(self) -> int:
        """The 64-bit state."""
        return self._state

    def next_u64(self) -> int:
        """The next 64-bit word."""
        self.draws += 1
        self._state = z = (self._state + GAMMA) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """In [0, n) for a u32 n, by multiply-high; n = 0 gives 0. Always one word."""
        return ((self.next_u64() >> 32) * n) >> 32

    def rand_u32(self) -> int:
        """The upper half of the next word."""
        return self.next_u64() >> 32

    def roll(self, lo: int, hi: int) -> int:
        """In lo..hi (i32, both included), by multiply-high. Traps `roll_bounds` when hi < lo."""
        if hi < lo:
            raise Trap("roll_bounds")
        return lo + (((self.next_u64() >> 32) * (hi - lo + 1)) >> 32)

    def rand_unit_raw(self) -> int:
        """A Q16.16 raw in [0, 1): the word's upper 16 bits."""
        return self.next_u64() >> 48

    def rand_unit_bits(self) -> int:
        """The binary32 pattern of the word's upper 24 bits * 2^-24, exact: [0, 1)."""
        top = self.next_u64() >> 40
        if top == 0:
            return 0
        length = top.bit_length()
        # Bit 23 of the shifted mantissa carries one into the exponent field.
        return ((length - 1 - 24 + 127 - 1) << 23) + (top << (24 - length))

    def save_state(self) -> bytes:
        """8 bytes little-endian."""
        return self._state.to_bytes(STATE_BYTES, "little")

    def load_state(self, state: bytes | int) -> None:
        """Take over a saved state, 8 bytes or the word. A malformed one is a DetcheckError `rng.state`.

        `draws` starts again at 0.
        """
        self._state = state_word(state)
        self.draws = 0


def state_word(state: bytes | int) -> int:
    """The 64-bit word of a saved state. A malformed one is a DetcheckError `rng.state`."""
    if isinstance(state, int):
        if not 0 <= state <= _MASK:
            raise DetcheckError("rng.state", "a splitmix64 state is 0 to 2^64 - 1")
        return state
    if len(state) != STATE_BYTES:
        raise DetcheckError("rng.state", f"a splitmix64 state has {STATE_BYTES} bytes, not {len(state)}")
    return int.from_bytes(state, "little")
