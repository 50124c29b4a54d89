"""What a verdict says of columns, sessions, long values and names that were mapped."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from made import compared, record, said

from detcheck.compare.api import diff
from detcheck.reports.diff_console import coverage_words, plain
from detcheck.reports.diff_console import lines as lines_of
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
    assert said(found, "only b has the column shield", "not compared")
    found = diff(plain, _table(tmp_path / "c.csv", 6, True, bad=4))
    assert (found.verdict, found.first_divergent_tick, found.findings[0].path[-2:]) == ("diverged", 4, "hp")
    assert not any("shield" in finding.path for finding in found.findings)
    one_tick = diff(_table(tmp_path / "d.csv", 1, True), _table(tmp_path / "e.csv", 1, False))
    assert one_tick.verdict == "same"
    assert said(one_tick, "only a has the column shield")


def test_a_row_that_comes_later_has_the_column_too(tmp_path: Path) -> None:
    """The header says what only one side has: rows that appear in the middle of the run are not blamed for it."""
    sides = []
    for name, more in (("a.csv", ""), ("b.csv", ",8")):
        lines = ["tick,id,hp" + (",dbg" if more else "")]
        lines += [f"{n},{row},{n + row}{more}" for n in range(9) for row in range(3 if n < 4 else 5)]
        sides.append(tmp_path / name)
        sides[-1].write_text("\n".join(lines) + "\n", encoding="ascii")
    found = diff(*sides)
    assert found.verdict == "same"
    assert said(found, "only b has the column dbg")


def test_tables_without_a_column_in_common(tmp_path: Path) -> None:
    """Nothing would be left to compare: never the same."""
    (tmp_path / "a.csv").write_text("tick,gold\n1,5\n2,6\n3,7\n", encoding="ascii")
    (tmp_path / "b.csv").write_text("tick,wood\n1,5\n2,6\n3,7\n", encoding="ascii")
    assert diff(tmp_path / "a.csv", tmp_path / "b.csv").verdict != "same"


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


def test_records_without_a_tick_are_told_by_their_place() -> None:
    """Where nothing names a tick, the place of the record stands for it, and what is before and behind it is told."""
    a = [record(None, {"x": n, "y": 0}, line=n + 1) for n in range(9)]
    b = [record(None, {"x": n + (n > 3), "y": int(n > 5)}, line=n + 1) for n in range(9)]
    found = compared(a, b)
    assert found.reason.startswith("diverged at record 5, which names no tick: x is 4 / 5")
    assert found.reason.endswith("; the 4 records before it are equal")
    assert said(found, "lasts to the last record compared; 5 of 5 records")
    assert said(found, "grows: 1 difference at first, 2 at the end")
    screen = plain(lines_of(found, 80))
    assert "-1" not in screen
    assert "tick" not in screen.splitlines()[0].replace("names no tick", "")
    assert document(found)["follows"][0]["tick"] is None
    assert said(compared(a, [*b[:4], b[4], *a[5:]]), "heals: equal again in the last record compared; 1 of 5")


def test_a_lone_record_without_a_tick() -> None:
    """Two states and nothing else: no tick is spoken of."""
    found = compared([record(None, {"x": 1}, line=0)], [record(None, {"x": 2}, line=0)])
    assert found.reason == "diverged: x is 1 / 2"


def test_a_head_equal_byte_for_byte_is_counted_in_words(tmp_path: Path) -> None:
    """Where a tick is several lines, ticks that were not looked at are no wrong number; where it is one, they count."""

    def stream(name: str, tick_lines: int, bad: int | None = None) -> Path:
        rows = [f"tick {n // tick_lines} part{n % tick_lines} hash {n * 40503 % 65521:08x}" for n in range(30_000)]
        if bad is not None:
            rows[bad] = rows[bad][:-8] + "ffffffff"
        (tmp_path / name).write_text("\n".join(rows) + "\n", encoding="ascii")
        return tmp_path / name

    several = diff(stream("a", 2), stream("b", 2))
    assert several.reason == "all ticks in common are equal (0 to 14999)"
    assert not several.coverage.ticks_counted
    words = coverage_words(several.coverage)[0]
    assert words.startswith(f"compared: the first {several.coverage.byte_equal_lines:,} lines byte for byte, then ")
    one_line = diff(stream("c", 1), stream("d", 1))
    assert one_line.reason == "all 30,000 ticks in common are equal (0 to 29999)"
    assert "30,000 ticks (" in coverage_words(one_line.coverage)[0]
    early = diff(stream("e", 2), stream("f", 2, bad=20_001))
    assert early.first_divergent_tick == 10_000
    assert early.strip.index("x") > len(early.strip) // 2
    assert coverage_words(early.coverage)[0].endswith("as far as read") == (not early.coverage.read_to_end)
