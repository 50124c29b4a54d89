"""How many words lie between two saved states of one generator: "b has drawn one word more"."""

from __future__ import annotations

from collections.abc import Callable

from detcheck.errors import DetcheckError, visible
from detcheck.rng import mt19937, splitmix64

#: 1 / GAMMA mod 2^64, so that a difference of states gives their distance at once
_PER_GAMMA = 0xF1DE83E19937733D


def _mt19937_ahead(state_a: bytes, state_b: bytes, limit: int) -> int | None:
    """Words from a to b, 0..limit, or None: twist a's block until it is b's."""
    words_a, left_a = mt19937.unpack_state(state_a)
    words_b, left_b = mt19937.unpack_state(state_b)
    ahead = left_a - left_b
    while ahead <= limit:
        if ahead >= 0 and words_a == words_b:
            return ahead
        words_a = mt19937.twist(words_a)
        ahead += mt19937.WORDS
    return None


def _mt19937(state_a: bytes, state_b: bytes, limit: int) -> int | None:
    ahead = _mt19937_ahead(state_a, state_b, limit)
    if ahead is not None:
        return ahead
    behind = _mt19937_ahead(state_b, state_a, limit)
    return None if behind is None else -behind


def _splitmix64(state_a: bytes, state_b: bytes, limit: int) -> int | None:
    words = ((splitmix64.state_word(state_b) - splitmix64.state_word(state_a)) * _PER_GAMMA) & 0xFFFFFFFFFFFFFFFF
    if words <= limit:
        return words
    words -= 1 << 64
    return words if -words <= limit else None


#: every generator that `distance` knows, by kind
DISTANCES: dict[str, Callable[[bytes, bytes, int], int | None]] = {"mt19937": _mt19937, "splitmix64": _splitmix64}


def distance(kind: str, state_a: bytes, state_b: bytes, limit: int = 10_000) -> int | None:
    """Words that b is ahead of a (negative: behind), 0 for the same place, None when neither reaches the other.

    States are saved states: 2,500 bytes (mt19937; `mt19937.pack_state` makes them of words and left) or 8
    (splitmix64). `limit` is how many words are tried in either direction. A malformed state or an unknown kind is a
    DetcheckError (`rng.state`, `rng.kind`).
    """
    measure = DISTANCES.get(kind)
    if measure is None:
        raise DetcheckError(
            "rng.kind", f"no generator is called {visible(kind)}", hint=f"generators: {', '.join(DISTANCES)}"
        )
    return measure(state_a, state_b, limit)
