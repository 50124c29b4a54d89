"""More than two sides: who agrees with whom, who left first; what ended before has no vote."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from detcheck.compare.many import diff_many
from detcheck.compare.options import Options
from detcheck.dumps.options import ReadOptions
from detcheck.errors import DetcheckError
from detcheck.model.comparison import Comparison

#: name -> (the first tick that differs, the digit it differs by, ticks)
SIDES = {
    "a": (99, 0, 40),
    "b": (99, 0, 40),
    "c": (20, 1, 40),
    "c2": (20, 1, 40),
    "late": (30, 2, 40),
    "short": (99, 0, 10),
    "other": (20, 3, 40),
}


def many(folder: Path, *names: str) -> Comparison:
    """The sides of these names as hash streams, compared."""
    for name in names:
        bad, digit, ticks = SIDES[name]
        lines = [f"{t} {t * 0x9E3779B97F4A7C15 % 2**60:015x}{digit if t >= bad else 0}\n" for t in range(ticks)]
        (folder / name).write_text("".join(lines))
    return diff_many([str(folder / name) for name in names], ReadOptions(), Options())


def groups(found: Comparison) -> list[set[str]]:
    """The groups of sides that agree, by name."""
    return [{Path(name).name for name in group} for group in found.sides]


@pytest.mark.parametrize("order", list(permutations(["a", "b", "c", "short"])))
def test_what_ended_early_has_no_vote(tmp_path: Path, order: tuple[str, ...]) -> None:
    """A side that ended before the others part counts for neither, whatever the order; it stands with the majority."""
    found = many(tmp_path, *order)
    assert found.first_divergent_tick == 20
    assert found.reason.startswith(f"{tmp_path}/c left the majority (")
    assert groups(found) == [{"a", "b", "short"}, {"c"}]


@pytest.mark.parametrize("order", list(permutations(["a", "c", "late"])))
def test_who_parts_later_was_with_the_majority(tmp_path: Path, order: tuple[str, ...]) -> None:
    """Of three sides that all differ at the end, the one that left first is named, and when the other did."""
    found = many(tmp_path, *order)
    assert found.first_divergent_tick == 20
    assert "/c left the majority (2 of 3 sides) first, at tick 20" in found.reason
    assert any("at tick 30" in note for note in found.notes)


@pytest.mark.parametrize("names", [("a", "c", "b", "c2"), ("a", "c", "other"), ("short", "a", "c")])
def test_no_majority(tmp_path: Path, names: tuple[str, ...]) -> None:
    """Two against two, one against one against one, and one against one beside a side that ended: nobody is blamed."""
    found = many(tmp_path, *names)
    assert found.first_divergent_tick == 20
    assert found.reason.startswith("no majority, ")


def test_all_agree_and_one_is_unreadable(tmp_path: Path) -> None:
    """Sides that agree as far as they go end early; one that is not there is a fault that names it."""
    assert many(tmp_path, "a", "short", "b").verdict == "ends_early"
    assert many(tmp_path, "a", "b", "b").verdict == "same"
    with pytest.raises(DetcheckError, match="nowhere"):
        diff_many([str(tmp_path / "a"), str(tmp_path / "b"), str(tmp_path / "nowhere")], ReadOptions(), Options())


def test_half_of_the_sides_is_no_majority(tmp_path: Path) -> None:
    """Two of four beside one that is empty are the largest group; letters of another comparison are explained."""
    sides = {"p": 0, "q": 0, "r": 4, "void": 0}
    for name, bad in sides.items():
        lines = "" if name == "void" else "".join(f"{t} {t * 7919 + (t == bad):016x}\n" for t in range(1, 9))
        (tmp_path / name).write_text(lines)
    found = diff_many([str(tmp_path / name) for name in sides], ReadOptions(), Options())
    assert "/r left the largest group (2 of 4 sides) first, at tick 4" in found.reason
    assert any("/void as b, " in note for note in found.notes)
