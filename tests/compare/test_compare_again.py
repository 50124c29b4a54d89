"""Several records of one tick behind what a reader looks at first: rows are all compared, a rollback is the last."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from detcheck.compare.api import diff

LAST, ROWS_FROM = 900, 500


def mixed(*parts: object) -> str:
    """16 hex digits of the parts."""
    value = 14695981039346656037
    for byte in repr(parts).encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    return f"{value:016x}"


def hashes(bad: int | None, row: int) -> str:
    """One line a tick, and three from some tick on."""
    return "".join(
        f"{t} {mixed(t, k, bad is not None and t >= bad and k == row)}\n"
        for t in range(LAST)
        for k in range(1 if t < ROWS_FROM else 3)
    )


def lines(bad: int | None, row: int) -> str:
    """The same as JSON Lines, with the fields of a stage."""
    return "".join(
        json.dumps({"tick": t, "stage": "abc"[k], "sum_x": 7 * t + k + (bad is not None and t >= bad and k == row)})
        + "\n"
        for t in range(LAST)
        for k in range(1 if t < ROWS_FROM else 3)
    )


def rows(bad: int | None, row: int) -> str:
    """The same as CSV."""
    return "tick,stage,sum_x\n" + "".join(
        f"{t},{'abc'[k]},{7 * t + k + (bad is not None and t >= bad and k == row)}\n"
        for t in range(LAST)
        for k in range(1 if t < ROWS_FROM else 3)
    )


def both(tmp_path: Path, a: str, b: str) -> tuple[str, str]:
    """Two files."""
    (tmp_path / "a.txt").write_text(a)
    (tmp_path / "b.txt").write_text(b)
    return str(tmp_path / "a.txt"), str(tmp_path / "b.txt")


@pytest.mark.parametrize("made", [hashes, lines, rows])
@pytest.mark.parametrize("row", [0, 1, 2])
@pytest.mark.parametrize("bad", [ROWS_FROM, 700, LAST - 1])
def test_every_row_counts(tmp_path: Path, made: object, row: int, bad: int) -> None:
    """Whichever row of a tick differs, from the first tick that has several on."""
    found = diff(*both(tmp_path, made(None, row), made(bad, row)))  # type: ignore[operator]
    assert (found.verdict, found.first_divergent_tick) == ("diverged", bad)
    assert len(found.findings) == 1
    assert diff(*both(tmp_path, made(None, row), made(None, row))).verdict == "same"  # type: ignore[operator]


def test_now_and_then_is_a_rollback(tmp_path: Path) -> None:
    """A tick that stands twice by itself: the last one counts, and earlier ones that differ are named."""
    texts = [
        "".join((f"{t} {mixed(side, t)}\n" if t in (600, 650) else "") + f"{t} {mixed(t)}\n" for t in range(LAST))
        for side in "ab"
    ]
    found = diff(*both(tmp_path, *texts))
    assert found.verdict == "same"
    assert any("ticks 600, 650" in note and "only the last" in note for note in found.notes)


def test_one_side_alone_computes_every_tick_twice(tmp_path: Path) -> None:
    """Predicted and corrected: the corrected one is compared with the only one of the other side."""
    once = "".join(f"{t} {mixed(t)}\n" for t in range(LAST))
    twice = "".join((f"{t} {mixed('guess', t)}\n" if t > 450 else "") + f"{t} {mixed(t)}\n" for t in range(LAST))
    for one, other in ((once, twice), (twice, once)):
        found = diff(*both(tmp_path, one, other))
        assert found.verdict == "same"
        assert any("several records of one tick" in note for note in found.notes)


def test_a_row_less_is_found(tmp_path: Path) -> None:
    """A row that only one side has."""
    whole = lines(None, 0)
    less = "".join(line for line in whole.splitlines(True) if '"tick": 700, "stage": "b"' not in line)
    found = diff(*both(tmp_path, whole, less))
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 700)
    assert [finding.path for finding in found.findings] == ["row[stage=b]"]
    assert found.findings[0].kind == "missing"


def test_the_first_tick_at_once_again_is_no_session(tmp_path: Path) -> None:
    """Tick 0 saved twice before tick 1 follows."""
    texts = [first + "".join(f"{t} {mixed(t)}\n" for t in range(40)) for first in ("", f"0 {mixed('guess')}\n")]
    assert diff(*both(tmp_path, *texts)).verdict == "same"


def test_rows_of_one_tick_that_a_skipped_head_cuts(tmp_path: Path) -> None:
    """Equal lines of a tick that are not even read do not hide an unlike one behind them."""

    def text(bad: bool) -> str:
        return "".join(
            json.dumps({"tick": t, "hp": k + (bad and (t, k) == (200, 180))}) + "\n"
            for t in range(201)
            for k in range(1 if t < 200 else 190)
        )

    found = diff(*both(tmp_path, text(False), text(True)))
    assert found.verdict == "diverged" or any("only the last" in note for note in found.notes)


@pytest.mark.parametrize("made", ["jsonl", "log"])
def test_every_tick_twice_on_one_side_only(tmp_path: Path, made: str) -> None:
    """A side that saves each tick before and after its rollback, from the very first tick on."""

    def line(t: int, value: object) -> str:
        return json.dumps({"tick": t, "sum_x": value}) + "\n" if made == "jsonl" else f"tick {t} hash {mixed(value)}\n"

    once = "".join(line(t, 7 * t) for t in range(90))
    for bad in (90, 44):
        twice = "".join(line(t, -5) + line(t, 7 * t + (t >= bad)) for t in range(90))
        for one, other in ((once, twice), (twice, once)):
            found = diff(*both(tmp_path, one, other))
            assert found.first_divergent_tick == (None if bad == 90 else 44)
