"""How far two saved states are apart, in words."""

from __future__ import annotations

import pytest

from detcheck import rng
from detcheck.errors import DetcheckError


def states(kind: str, places: list[int]) -> dict[int, bytes]:
    generator = rng.MT19937(12) if kind == "mt19937" else rng.SplitMix64(12)
    found = {}
    for place in range(max(places) + 1):
        if place in places:
            found[place] = generator.save_state()
        generator.rand_u32()
    return found


@pytest.mark.parametrize("kind", ["mt19937", "splitmix64"])
def test_distance_counts_words_in_both_directions(kind: str) -> None:
    """b ahead is positive, behind negative, across block boundaries, up to the limit and not beyond."""
    places = [0, 1, 2, 623, 624, 625, 1247, 1248, 1249, 9999, 10_000, 10_001, 10_624]
    saved = states(kind, places)
    for a in places:
        for b in places:
            expected = b - a if abs(b - a) <= 10_000 else None
            assert rng.distance(kind, saved[a], saved[b]) == expected, (a, b)


@pytest.mark.parametrize("kind", ["mt19937", "splitmix64"])
def test_distance_respects_its_limit(kind: str) -> None:
    """A limit of n finds n words and not n + 1, 0 finds the same place."""
    saved = states(kind, [100, 110, 800])
    assert rng.distance(kind, saved[100], saved[110], limit=10) == 10
    assert rng.distance(kind, saved[110], saved[100], limit=10) == -10
    assert rng.distance(kind, saved[100], saved[110], limit=9) is None
    assert rng.distance(kind, saved[100], saved[100], limit=0) == 0
    assert rng.distance(kind, saved[100], saved[800], limit=699) is None


def test_streams_of_other_seeds_never_meet() -> None:
    """Another seed is no distance away."""
    assert rng.distance("mt19937", rng.MT19937(1).save_state(), rng.MT19937(2).save_state()) is None
    assert rng.distance("splitmix64", rng.SplitMix64(1).save_state(), rng.SplitMix64(2).save_state()) is None


def test_a_block_about_to_twist_and_the_twisted_block_are_one_place() -> None:
    """left 0 and the next block with left 624 have drawn the same words."""
    generator = rng.MT19937(5)
    for _ in range(624):
        generator.next_u32()
    at_end = generator.save_state()
    generator.load_state(rng.mt19937.twist(generator.state), 624)
    assert rng.distance("mt19937", at_end, generator.save_state()) == 0
    assert rng.distance("mt19937", generator.save_state(), at_end) == 0


def test_malformed_states_and_kinds_are_errors() -> None:
    """A cut state is an error, not a distance."""
    with pytest.raises(DetcheckError):
        rng.distance("mt19937", b"short", rng.MT19937(1).save_state())
    with pytest.raises(DetcheckError):
        rng.distance("splitmix64", b"12345678", b"")
    with pytest.raises(DetcheckError) as caught:
        rng.distance("pcg", b"", b"")
    assert caught.value.code == "rng.kind"
