"""The id of a game in every record decides comparability as one in a head does."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

import detcheck
from detcheck.model.comparison import Comparison

Lines = list[dict[str, Any]]


def both(a: Lines, b: Lines, **options: Any) -> list[Comparison]:
    """Compared in both orders."""
    sides = ["".join(json.dumps(one) + "\n" for one in side).encode() for side in (a, b)]
    return [detcheck.diff(*map(BytesIO, pair), **options) for pair in (sides, sides[::-1])]


def game(name: str, text: str, ticks: int, start: int = 0) -> Lines:
    return [{name: text, "tick": t, "wood": 5 * t, "ore": 2} for t in range(start, ticks)]


@pytest.mark.parametrize("ticks", [1, 12, 1_000])
@pytest.mark.parametrize("name", ["match_id", "gameId", "session"])
def test_two_games_are_not_compared(name: str, ticks: int) -> None:
    """No field is blamed; both ids and both windows are named."""
    for found in both(game(name, "red", ticks), game(name, "blue", ticks)):
        assert (found.verdict, found.findings) == ("inconclusive", ())
        assert all(word in found.reason for word in (name, "red", "blue"))
        assert found.coverage.a_ticks == found.coverage.b_ticks == (0, ticks - 1)
    assert [one.verdict for one in both(game(name, "red", ticks), game(name, "blue", ticks), ignore=[name])] == [
        "same"
    ] * 2


def test_columns_of_a_table_too() -> None:
    """A table of one row a tick."""
    tables = [f"tick,match_id,gold\n{''.join(f'{t},{name},{t}' + chr(10) for t in range(9))}" for name in ("x1", "x2")]
    found = detcheck.diff(*(BytesIO(text.encode()) for text in tables))
    assert found.verdict == "inconclusive"


def test_an_id_that_changes_is_a_value() -> None:
    """Where it is equal at first, or where one file holds several games, it is compared."""
    a, b = game("match_id", "red", 20), game("match_id", "red", 20)
    for line in b[9:]:
        line["match_id"] = "blue"
    assert [found.first_divergent_tick for found in both(a, b)] == [9, 9]
    mixed = [game("match_id", "red", 10) + game("match_id", "blue", 20, 10), game("match_id", "blue", 20)]
    assert [found.verdict for found in both(*mixed)] == ["diverged", "diverged"]
