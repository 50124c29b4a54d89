"""Shares of the replays: each replay in exactly one, and none moved by another scenario."""

from __future__ import annotations

import pytest

from detcheck.errors import DetcheckError
from detcheck.numbers import BACKENDS
from detcheck.runner.shard import Shard, parse_shard


@pytest.mark.parametrize("count", [1, 2, 3, 7, 40])
def test_every_replay_is_in_exactly_one_share(count: int) -> None:
    """n shares together hold everything once."""
    replays = [(f"s{i}", backend) for i in range(200) for backend in BACKENDS]
    shares = [Shard(index, count) for index in range(1, count + 1)]
    for scenario, backend in replays:
        assert sum(share.holds(scenario, backend) for share in shares) == 1


def test_shares_are_fixed_and_even() -> None:
    """Which share holds a replay is a committed fact, and shares are of like size."""
    assert [i for i in range(1, 6) if Shard(i, 5).holds("skirmish", "fixed_point_16_16")] == [5]
    sizes = [sum(Shard(i, 4).holds(f"s{k}", "float_pinned_32") for k in range(2000)) for i in range(1, 5)]
    assert all(400 < size < 600 for size in sizes)


@pytest.mark.parametrize("text", ["", "/", "1", "0/3", "4/3", "-1/3", "1/3/5", "a/b", "1/0", "1/999999", "٣/5", " 1/2"])
def test_anything_else_is_refused_with_the_form(text: str) -> None:
    """The error shows how a shard is written."""
    with pytest.raises(DetcheckError, match="--shard 2/5"):
        parse_shard(text)
    assert parse_shard("2/5") == Shard(2, 5)
