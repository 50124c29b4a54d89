"""Rows without a tick of their own: in a file a tick, or under lines that name the tick."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dump_text import fields, opened, records

from detcheck.compare.api import diff
from detcheck.model.comparison import Comparison

Rows = list[tuple[int, int]]
TICKS = {tick: [(owner, 40 * owner + tick) for owner in (31, 8, 19)] for tick in range(4, 12)}


def changed(at: int) -> dict[int, Rows]:
    """The same with another value of one row from a tick on."""
    return {
        tick: [(owner, value + (tick >= at and owner == 19)) for owner, value in rows] for tick, rows in TICKS.items()
    }


def turned(ticks: dict[int, Rows]) -> dict[int, Rows]:
    """The rows of each tick from the last to the first."""
    return {tick: rows[::-1] for tick, rows in ticks.items()}


def comma(rows: Rows) -> str:
    """A table with a header."""
    return "unit_id,fuel\n" + "".join(f"{owner},{value}\n" for owner, value in rows)


def bare(rows: Rows) -> str:
    """A table that nothing names."""
    return "".join(f"{owner}\t{value}\t{value - 9}\n" for owner, value in rows)


FORMS: dict[str, tuple[str, Callable[[Rows], str]]] = {
    "a word": ("gametick-{:04d}.csv", comma),
    "a number": ("{}.csv", comma),
    "no header": ("step{:02d}.tsv", bare),
    "no header, a number": ("{:03d}.txt", bare),
}


def folders(path: Path, form: str, *sides: dict[int, Rows]) -> Comparison:
    """Two folders of one file a tick, compared."""
    name, write = FORMS[form]
    for side, ticks in zip("ab", sides, strict=True):
        (path / side).mkdir()
        for tick, rows in ticks.items():
            (path / side / name.format(tick)).write_text(write(rows), "utf-8")
    return diff(str(path / "a"), str(path / "b"))


@pytest.mark.parametrize("form", FORMS)
def test_a_table_a_tick(tmp_path: Path, form: str) -> None:
    """The tick stands in the file's name; the row and the tick that differ are named, whatever the order of rows."""
    found = folders(tmp_path, form, TICKS, turned(changed(9)))
    assert (found.verdict, found.first_divergent_tick, found.last_equal_tick) == ("diverged", 9, 8)
    assert "=19]" in found.findings[0].path


@pytest.mark.parametrize("form", FORMS)
def test_order_and_windows_of_tables(tmp_path: Path, form: str) -> None:
    """The order of rows alone is no difference, and unlike ticks are not compared."""
    (tmp_path / "order").mkdir()
    assert folders(tmp_path / "order", form, TICKS, turned(TICKS)).verdict == "same"
    early = {tick: rows for tick, rows in TICKS.items() if tick < 7}
    late = {tick: rows for tick, rows in TICKS.items() if tick > 7}
    (tmp_path / "apart").mkdir()
    found = folders(tmp_path / "apart", form, early, late)
    assert (found.verdict, found.findings) == ("inconclusive", ())


def test_rows_of_one_entity_in_a_file_a_tick(tmp_path: Path) -> None:
    """Several rows of an entity are told apart by a second column: none of them is taken for written again."""
    text = "entity,component,value\n" + "".join(f"{e},{c},{e + ord(c)}\n" for e in (1, 2) for c in "xyz")
    for side, value in (("a", "121"), ("b", "777")):
        (tmp_path / side).mkdir()
        for tick in (1, 2):
            (tmp_path / side / f"tick{tick}.csv").write_text(text.replace("121", value) if tick > 1 else text, "utf-8")
    found = diff(str(tmp_path / "a"), str(tmp_path / "b"))
    assert (found.first_divergent_tick, [f.path for f in found.findings]) == (2, ["entity[entity=1].x"])


def test_numbered_matches_are_no_ticks() -> None:
    """A column that rises is the tick also where the name of the file is a number; unlike names are no ticks."""
    text = "round,gold,food\n" + "".join(f"{n},{n * 3},{n * 5}\n" for n in range(5))
    assert [record.tick for record in records(text, "2.csv")] == [0, 1, 2, 3, 4]


def test_two_files_named_by_their_numbers(tmp_path: Path) -> None:
    """`1.csv` and `2.csv` are two writers' files, `tick1.csv` and `tick2.csv` two ticks."""
    for name in ("1.csv", "2.csv", "tick1.csv", "tick2.csv"):
        (tmp_path / name).write_text(comma(TICKS[5]), "utf-8")
    assert diff(str(tmp_path / "1.csv"), str(tmp_path / "2.csv")).verdict == "same"
    assert diff(str(tmp_path / "tick1.csv"), str(tmp_path / "tick2.csv")).verdict == "inconclusive"


@pytest.mark.parametrize(
    "heading", ["-- turn {} --", "[frame {}]", "# tick {}", "Turn {}:", "=== Frame: {} ===", "#{}"]
)
def test_tables_under_lines_that_name_the_tick(heading: str) -> None:
    """The first column is a row's key there, also where it rises."""
    text = "".join(heading.format(tick) + "\n" + bare(sorted(rows)) for tick, rows in TICKS.items())
    source = opened(text)
    found = list(source.records)
    assert (source.reader, [record.tick for record in found]) == ("table", list(TICKS))
    assert fields(found[0])["c1"]["items"][0] == {"c1": "8", "c2": "324", "c3": "315"}
