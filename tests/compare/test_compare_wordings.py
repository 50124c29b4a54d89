"""What a verdict says of columns, sessions, long values and names that were mapped."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from made import compared, record, said

from detcheck.compare.api import diff
from detcheck.reports.diff_console import lines as lines_of
from detcheck.reports.diff_console import plain
from detcheck.reports.diff_json import document


def _table(path: Path, ticks: int, column: bool, bad: int = 99) -> Path:
    lines = ["tick,id,hp" + (",shield" if column else "")]
    lines += [f"{n},{row},{n + row + (n >= bad)}{',5' if column else ''}" for n in range(ticks) for row in range(3)]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return path


def test_a_column_of_one_side(tmp_path: Path) -> None:
    """A column that only one table has is a matter of coverage; what else differs is found as ever."""
    plain = _table(tmp_path / "a.csv", 6, False)
    found = diff(plain, _table(tmp_path / "b.csv", 6, True))
    assert found.verdict == "same"
    assert said(found, "column shield", "not compared")
    found = diff(plain, _table(tmp_path / "c.csv", 6, True, bad=4))
    assert (found.verdict, found.first_divergent_tick, found.findings[0].path[-2:]) == ("diverged", 4, "hp")
    one_tick = diff(_table(tmp_path / "d.csv", 1, False), _table(tmp_path / "e.csv", 1, True))
    assert one_tick.verdict == "diverged"


def test_a_row_of_one_side_is_no_column(tmp_path: Path) -> None:
    """A row that one table lacks at every tick is a difference of state."""
    a = _table(tmp_path / "a.csv", 5, False)
    b = tmp_path / "b.csv"
    b.write_text("".join(x for x in a.read_text().splitlines(True) if x.split(",")[1] != "2"), encoding="ascii")
    assert diff(a, b).verdict == "diverged"


@pytest.mark.parametrize("value", ["q" * 900 + "{}" + "r" * 900, "9" * 5000 + "{}" + "1"])
def test_a_long_value_is_shown_where_it_parts(value: str) -> None:
    """Two texts cut for showing never look the same."""
    found = compared([record(1, {"v": value.format("x7")})], [record(1, {"v": value.format("x8")})])
    mine, _, theirs = (found.findings[0].note or "").partition(": ")[2].partition(" / ")
    assert mine != theirs
    assert "x7" in mine


def test_the_session_of_the_divergence(tmp_path: Path) -> None:
    """With several sessions the first is named too, and what follows is told of that session alone."""
    for side in "ab":
        rows = [(n, f"{n * 77 + 0x1234567:016x}") for n in range(1, 12)]
        bad = [(n, h if side == "a" or n < 6 else h[::-1]) for n, h in rows]
        (tmp_path / side).write_text("".join(f"{n} {h}\n" for n, h in [*bad, *rows]), encoding="ascii")
    found = diff(tmp_path / "a", tmp_path / "b")
    assert "tick 6 of session 1" in found.reason
    assert said(found, "lasts to the last tick compared, tick 11")


def test_mapped_names() -> None:
    """A comparison with --map says whose names its paths are."""
    found = compared([record(1, {"mine": 3})], [record(1, {"yours": 4})], mapping=["mine=yours"])
    assert said(found, "names of b")


def test_verbose_says_why_and_how(tmp_path: Path) -> None:
    """-v adds why each reader was chosen, what was unwrapped, how rows are paired, what was asked for and skipped."""
    lines = [f'{{"tick":{t},"who":"x","units":[{{"id":7,"hp":{900 - t}}}]}}' for t in range(400)]
    plain_file, packed = tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"
    plain_file.write_text("\n".join(lines) + "\n", encoding="ascii")
    packed.write_bytes(gzip.compress(("\n".join([*lines[:399], lines[399].replace("501", "502")]) + "\n").encode()))
    found = diff(plain_file, packed, ignore=["who"])
    assert "JSON objects" in found.why[0]
    assert "unwrapped from gzip" in found.why[1]
    told = "\n".join(found.how)
    for words in ("units by id", "--ignore who", "equal byte for byte", "compared exactly"):
        assert words in told
    screen = plain(lines_of(found, 80, verbose=True))
    assert "chosen because: " in screen
    assert "rows are paired: units by id" in screen
    assert all(len(line) <= 80 for line in screen.splitlines()[1:] if str(tmp_path) not in line)
    assert "chosen because" not in plain(lines_of(found, 80))
    assert document(found)["why"]["b"] == found.why[1]
