"""A side that stops inside its last record: what stands before is compared, what would come behind is no divergence."""

from __future__ import annotations

from pathlib import Path

import pytest

from detcheck.compare.api import diff
from detcheck.model.comparison import Comparison

TREE = """turn: 40
camps:
    - id: 1
      food: 12
      walls: 3
    - id: 2
      food: 15
      walls: 8
    - id: 3
      food: 19
      walls: 1
market: open
"""
BRACES = """turn = 40
camp 1 {
  food = 12
  walls = 3
}
camp 2 {
  food = 15
  stock { wood = 40; iron = 7 }
}
"""


def _diff(folder: Path, a: str, b: str, swapped: bool = False) -> Comparison:
    paths = (folder / "a.txt", folder / "b.txt")
    for path, text in zip(paths, (a, b), strict=True):
        path.write_text(text, encoding="utf-8", newline="")
    return diff(*reversed(paths)) if swapped else diff(*paths)


both_orders = pytest.mark.parametrize("swapped", [False, True], ids=["a-b", "b-a"])


@both_orders
@pytest.mark.parametrize(
    ("whole", "end", "line"),
    [
        (TREE, "food: 15", 7),  # inside a value, its beginning left
        (TREE, "food: 15\n      walls: ", 8),
        (BRACES, "iron = 7", 8),
        (BRACES, "food = 15\n", 7),  # at the end of a line: the brace is open
        (BRACES, "walls = 3\n", 4),
    ],
)
def test_a_cut_state_is_compared_up_to_the_cut(tmp_path: Path, whole: str, end: str, line: int, swapped: bool) -> None:
    """Equal before the cut: ends early, inside its tick and with the line, and nothing is listed."""
    stop = whole.index(end) + len(end)
    cut = whole[:stop] if end.endswith(("\n", " ")) else whole[: stop - 1]
    found = _diff(tmp_path, whole, cut, swapped)
    assert (found.verdict, found.findings) == ("ends_early", ())
    side = "a" if swapped else "b"
    assert f"{side} is cut short at line {line}, inside tick 40" in found.reason


@both_orders
@pytest.mark.parametrize(
    ("whole", "end", "old", "new", "path"),
    [
        (TREE, "food: 15", "food: 12", "food: 13", "camps[id=1].food"),
        (BRACES, "food = 15\n", "walls = 3", "walls = 4", "camp[camp=1].walls"),
    ],
)
def test_a_divergence_before_the_cut(
    tmp_path: Path, whole: str, end: str, old: str, new: str, path: str, swapped: bool
) -> None:
    """It is the only finding: what the other side has behind the cut is neither missing nor extra."""
    cut = whole[: whole.index(end) + len(end)].replace(old, new, 1)
    cut = cut if end.endswith("\n") else cut[:-1]
    found = _diff(tmp_path, whole, cut, swapped)
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 40)
    assert [finding.path for finding in found.findings] == [path]
    assert any("cut short at line" in note for note in found.notes)


@both_orders
def test_a_row_missing_before_the_cut(tmp_path: Path, swapped: bool) -> None:
    """A row that stands before others the cut side has is missing, cut or not."""
    without = TREE.replace("    - id: 2\n      food: 15\n      walls: 8\n", "")
    found = _diff(tmp_path, TREE, without[: without.index("walls: 1")], swapped)
    assert found.verdict == "diverged"
    assert [finding.path for finding in found.findings] == ["camps[id=2]"]


@both_orders
def test_what_lacks_at_the_very_end(tmp_path: Path, swapped: bool) -> None:
    """A last section that one of two whole files lacks is a difference, with a word on the cut it may be."""
    found = _diff(tmp_path, TREE, TREE.replace("market: open\n", ""), swapped)
    assert (found.verdict, [f.path for f in found.findings]) == ("diverged", ["market"])
    assert any("may be cut short after line 11" in note for note in found.notes)


@both_orders
def test_a_row_and_the_sections_behind_it(tmp_path: Path, swapped: bool) -> None:
    """A row without its last field and nothing behind it can only be cut, at the end of a line too."""
    found = _diff(tmp_path, TREE, TREE[: TREE.index("      walls: 8")], swapped)
    assert (found.verdict, found.findings) == ("ends_early", ())


@both_orders
def test_a_file_without_a_last_newline_is_whole(tmp_path: Path, swapped: bool) -> None:
    """A missing newline alone is no cut."""
    assert _diff(tmp_path, TREE, TREE[:-1], swapped).verdict == "same"
    other = TREE[:-1].replace("food: 19", "food: 18")
    assert [f.path for f in _diff(tmp_path, TREE, other, swapped).findings] == ["camps[id=3].food"]


@both_orders
def test_a_log_that_stops_inside_a_tick(tmp_path: Path, swapped: bool) -> None:
    """A trace that lacks the last events of its last tick, while the other side goes on, ends early."""
    log = "".join(f"[turn {n}] {what} by {n % 3}\n" for n in range(9) for what in ("raid", "build", "sell"))
    found = _diff(tmp_path, log, log[: log.index("[turn 6] sell")], swapped)
    assert (found.verdict, found.last_equal_tick) == ("ends_early", 5)


@both_orders
@pytest.mark.parametrize("gone", ["}\n", "  }\n}\n"])
def test_only_the_last_brace_is_gone(tmp_path: Path, gone: str, swapped: bool) -> None:
    """A block that is not closed is cut, though nothing else lacks."""
    text = "world {\n  turn = 3\n  camp 1 {\n    food = 12\n  }\n}\n"
    found = _diff(tmp_path, text, text.removesuffix(gone), swapped)
    assert (found.verdict, found.findings) == ("ends_early", ())


@pytest.mark.parametrize("end", ["", "\n"])
def test_files_that_end_alike_are_whole(tmp_path: Path, end: str) -> None:
    """Rows in another order, or one row more, at the end of files that end alike are no sign of a cut."""
    rows = [[(t, seat, 3 * t + n) for n, seat in enumerate("xyz")] for t in range(6)]
    for head, row in (("", "tick={} player={} ore={}"), ("tick,player,ore\n", "{},{},{}")):
        texts = [head + "\n".join(row.format(*one) for some in rows for one in some[::way]) + end for way in (1, -1)]
        texts[1] = texts[1].replace("15", "99")
        more = head + "\n".join(
            row.format(*one) for some in rows for one in [*some, *[(5, "w", 1)] * (some[0][0] == 5)]
        )
        for a, b in (texts, texts[::-1], (texts[0], more + end)):
            found = _diff(tmp_path, a, b)
            assert found.first_divergent_tick == 5
            assert not any("cut short" in note for note in found.notes), found.notes
