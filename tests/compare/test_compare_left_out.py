"""What was left out is said: a hash that covers it, a shift beside it, an option that fitted nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made import compared, record, said

from detcheck.compare.api import diff
from detcheck.model.comparison import Comparison
from detcheck.model.record import Record


def state(tick: int) -> dict[str, Any]:
    """Two units that move."""
    return {"u": [{"id": 1, "hp": 90 - tick, "x": tick * 1.25}, {"id": 2, "hp": 80 - tick, "x": tick * 0.5}], "cam": 5}


def hashed_pair(changed: Any, **options: Any) -> Comparison:
    """Twelve ticks; from tick 9 on (or as `changed` likes) side b's state and its hash are others."""
    a = [record(t, state(t), hash=f"{t:04x}aaaa") for t in range(12)]
    b = [record(t, changed(t), hash=f"{t:04x}" + ("bbbb" if t >= 9 else "aaaa")) for t in range(12)]
    return compared(a, b, **options)


def reversed_rows(tick: int) -> Any:
    """The same rows in another order."""
    fields = state(tick)
    return {**fields, "u": fields["u"][::-1]} if tick >= 9 else fields


def nudged(tick: int) -> Any:
    """A number a little off."""
    fields = state(tick)
    fields["u"][0]["x"] += 1e-9 * (tick >= 9)
    return fields


@pytest.mark.parametrize(
    ("changed", "options", "words"),
    [
        (reversed_rows, {}, "another order"),
        (nudged, {"tolerance": ["u.*.x=1e-6"]}, "within --tolerance"),
        (nudged, {"ignore": ["u.*.x"]}, "--ignore leaves out"),
        (nudged, {"only": ["u.*.hp", "hash"]}, "--only"),
        (lambda t: {**state(t), "cam": 7}, {}, "from the first tick on"),
    ],
    ids=["order", "tolerance", "ignore", "only", "background"],
)
def test_a_hash_may_cover_what_was_left_out(changed: Any, options: dict[str, list[str]], words: str) -> None:
    """A hash that differs alone makes no lossy dump where something it may cover was left out of the comparison."""
    found = hashed_pair(changed, **options)
    assert found.first_divergent_tick == 9
    assert said(found, "the hash differs at tick 9", words)
    assert not said(found, "lossy")


def moved(count: int, by: int, salt: str, parted: int = 99) -> list[Record]:
    """Ticks whose labels are off by some, with a hash that covers the label."""
    return [
        record(t, {"hp": (t + by) * 37 % 101 + (t >= parted)}, hash=f"{t:04x}{salt}", line=t + 1) for t in range(count)
    ]


def test_a_shift_beside_hashes_that_cover_the_label() -> None:
    """States that agree under a shift say so though their hashes do not."""
    found = compared(moved(20, 0, "aa"), moved(20, 1, "bb"))
    assert said(found, "agree under a shift", "t-1 of b", "the hashes do not")


def test_a_shift_and_a_divergence_behind_it() -> None:
    """A shift is named though the sides part later on, and where they do."""
    found = compared(moved(40, 0, "aa"), moved(40, 1, "bb", parted=25))
    assert said(found, "first 25 ticks tried", "from tick 26 of a on", "where to look")
    assert not said(compared(moved(40, 0, "aa"), moved(40, 1, "bb", parted=4)), "shift")


def test_the_number_of_inputs_is_an_input() -> None:
    """One input more is no state: the state is said to follow where it does."""
    a = [record(t, {"hp": 9}, inputs=[{"k": 1}] if t == 3 else []) for t in range(8)]
    b = [record(t, {"hp": 9 - (t >= 5)}, inputs=[]) for t in range(8)]
    found = compared(a, b)
    assert {finding.kind for finding in found.findings} == {"input", "count"}
    assert said(found, "the state follows at tick 5")


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("tolerance", "speed=0.5", "--tolerance speed=0.5"),
        ("mapping", "left=right", "--map left=right"),
        ("types", "speed=f32", "--types speed=f32"),
        ("ignore", "speed", "--ignore speed"),
    ],
)
@pytest.mark.parametrize("unlike", [False, True])
def test_options_that_fit_nothing_are_named(tmp_path: Path, option: str, value: str, text: str, unlike: bool) -> None:
    """A mistyped path of any option is told, in a verdict of same as well; one that fits is not."""
    for name, more in (("a", 0), ("b", int(unlike))):
        lines = [json.dumps({"tick": t, "u": [{"id": 1, "x": 3 + more * (t > 4), "side": "red"}]}) for t in range(9)]
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="ascii")
    found = diff(tmp_path / "a", tmp_path / "b", **{option: [value]})
    assert said(found, f"{text} matched nothing")
    fitting = {"tolerance": "u.*.x=5", "mapping": "red=blue", "types": "u.x=q16", "ignore": "u.*.x"}[option]
    assert not said(diff(tmp_path / "a", tmp_path / "b", **{option: [fitting]}), "matched nothing")
