"""Jobs, files, pasted commands, tick ranges, costs: the runner's small parts."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_project import FIXED

from detcheck.errors import DetcheckError
from detcheck.language.ir import Op, Program
from detcheck.model.exits import VERDICTS
from detcheck.model.schema import ColumnSpec, RngSpec, TableSpec
from detcheck.runner.cost import replay_cost
from detcheck.runner.dumping import TickRange, dump_ticks
from detcheck.runner.files import require_writable, shown_path, write_whole
from detcheck.runner.jobs import in_order, pool_kind
from detcheck.runner.paste import Paste
from detcheck.scenario.compiled import CompiledScenario


def square(item: int, stop: Callable[[], bool]) -> int:
    """Work that a process can be sent; -1 ends its process."""
    if item == -1:
        os._exit(3)
    return item * item


@pytest.mark.parametrize(("jobs", "kind"), [(1, "threads"), (3, "threads"), (2, "processes")])
def test_results_come_in_the_order_of_the_work(jobs: int, kind: str) -> None:
    """Whatever finishes first."""

    def slow_first(item: int, stop: Callable[[], bool]) -> int:
        time.sleep(0.02 * (item == 0))
        return item * item

    work = square if kind == "processes" else slow_first
    assert list(in_order(work, range(6), jobs, kind)) == [0, 1, 4, 9, 16, 25]


def test_closing_stops_what_runs_and_cancels_the_rest() -> None:
    """After a close `stop` answers true, and what had not begun never begins."""
    begun: list[int] = []
    stopped = threading.Event()

    def work(item: int, stop: Callable[[], bool]) -> int:
        begun.append(item)
        while item and not stop():
            time.sleep(0.001)
        stopped.set()
        return item

    results = in_order(work, range(50), 2, "threads")
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    assert stopped.is_set()
    assert len(begun) <= 4


def test_a_worker_that_dies_is_a_fault_in_words() -> None:
    """A killed worker process: an error, not a hang or a traceback."""
    with pytest.raises(DetcheckError, match="worker process died"):
        list(in_order(square, [1, -1, 2], 2, "processes"))


def test_native_runs_in_threads_and_the_rest_in_processes() -> None:
    """By the resolved executor's name."""
    assert {n: pool_kind(n) for n in ("native", "native:baseline", "generated", "reference")} == {
        "native": "threads",
        "native:baseline": "threads",
        "generated": "processes",
        "reference": "processes",
    }


def test_pasted_commands_are_quoted_and_find_the_same_files() -> None:
    """Names with blanks are quoted; a dump takes no --golden, and another machine no --executor."""
    paste = Paste("my scenes/a.toml", FIXED, ("--golden", "g", "--executor", "reference"))
    assert paste.run() == f"detcheck run 'my scenes/a.toml' --backend {FIXED} --golden g --executor reference"
    assert "--golden" not in paste.dump(3, 7, "x.gz")
    assert paste.dump(3, 7, "x.gz").endswith("--executor reference --every 1 --ticks 3:7 -o x.gz")
    assert "--executor" not in paste.dump(3, 7, "x.gz", here=False)


@pytest.mark.parametrize(
    ("text", "every", "ticks", "expected"),
    [
        ("3:5", 1, 9, [3, 4, 5]),
        (":2", 1, 9, [0, 1, 2]),
        ("8:", 1, 9, [8, 9]),
        ("8:99", 1, 9, [8, 9]),
        ("5", 1, 9, [5]),
        ("0:9", 4, 9, [0, 4, 8, 9]),
        ("0:8", 4, 9, [0, 4, 8]),
        ("9:9", 4, 9, [9]),
        ("5:7", 4, 9, []),
        ("10:12", 1, 9, []),
        ("0:0", 7, 0, [0]),
    ],
)
def test_tick_ranges_include_both_ends(text: str, every: int, ticks: int, expected: list[int]) -> None:
    """Multiples of `every` in the range, and the last tick where the range has it."""
    assert list(dump_ticks(TickRange.parse(text), every, ticks)) == expected


@pytest.mark.parametrize("text", ["", ":", "5:3", "a", "1:2:3", "-1:4", "1.5", "99999999999", "１"])
def test_what_is_no_tick_range_is_refused(text: str) -> None:
    """With what would be right."""
    with pytest.raises(DetcheckError, match="FIRST:LAST"):
        TickRange.parse(text)


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """A report replaces what was there; a place that cannot be written is known before, and leaves nothing."""
    target = tmp_path / "report.json"
    require_writable(str(target))
    assert list(tmp_path.iterdir()) == []
    target.write_text("old")
    write_whole(str(target), b"new")
    assert target.read_bytes() == b"new"
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]
    for wrong in (tmp_path, target / "below"):
        with pytest.raises(DetcheckError):
            require_writable(str(wrong))
    write_whole(os.devnull, b"nothing")


def test_paths_are_shown_relative_where_that_is_shorter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the current folder relative, elsewhere as they are."""
    monkeypatch.chdir(tmp_path)
    assert shown_path(tmp_path / "a/b") == "a/b"
    assert shown_path("../x") == "../x"
    assert shown_path(tmp_path.parent) == str(tmp_path.parent)


def test_a_replays_cost_counts_rows_ops_ticks_and_folds() -> None:
    """Two rows of three ops, and a fold over the two rows with one op inside and its accumulation."""
    body = (Op("load", (0,), (), None),)
    ops = (Op("const", (1,), (), 1), Op("fold.sum", (2,), (0,), "unit", body), Op("store", (), (2,), None))
    program = Program("x", "unit", (), None, ops, ("i32",) * 3, "x.toml", {})
    table = TableSpec("unit", 2, (ColumnSpec("n", "i32"),))
    compiled = CompiledScenario("x", FIXED, RngSpec("splitmix64"), 1, 10, 1, (table,), (), (), (program,))
    assert replay_cost(compiled, 10) == (2 * 3 + 2 * 2) * 10


def test_verdicts_have_the_exits_of_the_table() -> None:
    """equal 0, diverged 1, error 2, inconclusive 3."""
    assert VERDICTS == {"equal": 0, "diverged": 1, "error": 2, "inconclusive": 3}
