"""Commands and inputs are told under the name the dump has for them."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

import detcheck
from detcheck.model.comparison import Comparison


def compared(a: list[dict[str, Any]], b: list[dict[str, Any]], **options: Any) -> Comparison:
    sides = (BytesIO("".join(json.dumps(one) + "\n" for one in side).encode()) for side in (a, b))
    return detcheck.diff(*sides, **options)


def game(name: str, unlike: int = 99) -> list[dict[str, Any]]:
    """Ticks with orders of two players, under a name; the second one's `to` is another from a tick on."""
    return [
        {
            "tick": tick,
            name: [{"player": 0, "to": tick * 3}, {"player": 1, "to": tick * 5 + (tick >= unlike)}],
            "gold": 7 + (tick > unlike),
        }
        for tick in range(12)
    ]


@pytest.mark.parametrize("name", ["orders", "cmds", "inputs"])
def test_an_input_has_the_path_of_the_dump(name: str) -> None:
    """The class is input, and the path begins with the dump's own name."""
    found = compared(game(name), game(name, 6))
    assert (found.first_divergent_tick, found.findings[0].kind) == (6, "input")
    assert found.findings[0].path == f"{name}[player=1].to"


@pytest.mark.parametrize("name", ["orders", "cmds"])
def test_patterns_name_inputs_as_the_dump_does(name: str) -> None:
    """--only, --ignore, --tolerance and --types fit the path that is shown."""
    a, b = game(name), game(name, 6)
    assert compared(a, b, only=[name]).first_divergent_tick == 6
    left = compared(a, b, ignore=[name])
    assert (left.first_divergent_tick, left.findings[0].path) == (7, "gold")
    assert not [note for note in left.notes if "matched nothing" in note]
    allowed = compared(a, b, tolerance=[f"{name}[player=1].to=1"], ignore=["gold"])
    assert (allowed.verdict, dict(allowed.coverage.ignored)["--tolerance"]) == ("same", 6)
    typed = compared(a, b, types=[f"{name}.*.to=q16"])
    assert typed.findings[0].a.kind == "q16"
    assert not [note for note in typed.notes if "matched nothing" in note]


def test_the_only_inputs_of_either_side_are_the_same() -> None:
    """Two writers may call them differently: they are compared under the name of a."""
    assert compared(game("orders"), game("commands")).verdict == "same"
    assert compared(game("orders"), game("commands", 4)).findings[0].path == "orders[player=1].to"


def test_inputs_of_rows_tell_which_row() -> None:
    """Several lines a tick, each with the orders of one player."""
    rows = [
        [
            {"tick": tick, "player": p, "hp": 5, "orders": [{"to": tick + p + (at <= tick)}]}
            for tick in range(9)
            for p in (1, 2)
        ]
        for at in (99, 5)
    ]
    found = compared(*rows)
    assert (found.first_divergent_tick, found.findings[0].kind) == (5, "input")
    assert found.findings[0].path == "orders[player=1][0].to"
