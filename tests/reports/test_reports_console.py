"""The console report and the JSON of a run, on results made by hand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detcheck.model.checkpoint import Checkpoint
from detcheck.model.comparison import Comparison, Finding
from detcheck.model.record import Scalar
from detcheck.model.run_report import Canary, RunReport, ScenarioResult
from detcheck.reports import console, run_json
from detcheck.reports.strip import compress, fitted

FIXED = "fixed_point_16_16"

RED = ScenarioResult(
    "duel",
    FIXED,
    "native",
    "diverged",
    "checkpoint 20 differs in unit.pos",
    checkpoints=5,
    equal_checkpoints=2,
    first_divergent_checkpoint=20,
    last_equal_tick=10,
    parts=(("unit.pos", "0" * 16, "f" * 16),),
    strip="..xx ",
    comparison=Comparison(
        "diverged",
        "",
        findings=(Finding("unit[3].pos.x", "value", Scalar("q16", 98304, "98304"), Scalar("q16", 98305, "98305"), 1),),
    ),
    expected_from="states",
    golden_file=f"golden/duel/{FIXED}.txt",
    golden_line=14,
    actual=(Checkpoint(0, "0" * 16),),
    hint="look here",
    reproduce=f"detcheck run duel --backend {FIXED}",
    exit_code=1,
)


def text(lines: list) -> str:  # type: ignore[type-arg]
    """Plain text of rich lines."""
    return "\n".join(line.plain for line in lines)


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet=".x ", max_size=300), st.integers(1, 40))
def test_a_compressed_strip_tells_the_truth(strip: str, cells: int) -> None:
    """No divergence disappears, none is made up, a blank stays blank only where all of it is."""
    shown, group = compress(strip, cells)
    assert len(shown) <= max(cells, 1) or not strip
    for index, character in enumerate(shown):
        part = strip[index * group : (index + 1) * group]
        assert character == ("x" if "x" in part else "." if "." in part else " ")


@pytest.mark.parametrize(("strip", "width", "shown"), [("....", 4, "...."), ("." * 20, 12, "......./3"), ("", 8, "")])
def test_a_strip_that_is_compressed_says_how_much(strip: str, width: int, shown: str) -> None:
    """`/N` where one character stands for N checkpoints."""
    assert fitted(strip, width) == shown


@pytest.mark.parametrize("width", [30, 50, 80, 200])
def test_a_result_is_one_line_in_every_width(width: int) -> None:
    """Scenario, backend, strip, verdict with its checkpoint; within the width where names leave room for a strip."""
    layout = console.layout([("duel", FIXED)], width, 5)
    line = console.result_line(RED, layout).plain
    assert "\n" not in line
    assert line.split()[:2] == ["duel", FIXED]
    assert line.endswith("diverged at 20")
    assert width < 50 or len(line) <= width


def test_details_have_everything_a_red_run_promises() -> None:
    """Where, interval, parts, first divergent state, hint, and last the line to paste."""
    shown = text(console.details(RED, 80))
    for words in (
        f"golden/duel/{FIXED}.txt:14",
        "equal up to tick 10; the first divergent tick is in (10, 20]",
        "unit.pos  0000000000000000  ffffffffffffffff",
        "expected: states, actual: this run",
        "unit[3].pos.x",
        "98304",
        "98305",
        "look here",
    ):
        assert words in shown
    assert shown.splitlines()[-1] == f"  reproduce: detcheck run duel --backend {FIXED}"


def test_long_lists_say_what_was_cut() -> None:
    """Parts beyond the limit are counted; verbose shows all."""
    from dataclasses import replace

    many = replace(RED, parts=tuple((f"t.c{i}", "0" * 16, "1" * 16) for i in range(33)))
    assert "first 20 of 33 differing parts; -v shows all" in text(console.details(many, 80))
    assert "t.c32" in text(console.details(many, 80, verbose=True))


def test_text_from_files_is_never_markup_or_escape() -> None:
    """Brackets stay brackets, control characters are visible."""
    from dataclasses import replace

    odd = replace(RED, scenario="[red]x[/red]\x1b[2J", parts=((":smile:\x07", "0" * 16, "1" * 16),))
    shown = text(console.details(odd, 80)) + console.result_line(odd, console.layout([], 80)).plain
    assert "[red]x[/red]\\x1b[2J" in shown
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert ":smile:" in shown


def report(*results: ScenarioResult, exit_code: int = 1) -> RunReport:
    """A report of these results."""
    counts = {v: sum(r.verdict == v for r in results) for v in ("equal", "diverged", "inconclusive", "error")}
    summary = {**counts, "checkpoints": 5, "ticks": 1204}
    canary = Canary("rounding", True, "to nearest")
    return RunReport("0.1.0", {"os": "linux"}, (canary,), results, (), 0.5, exit_code, summary)


def test_the_summary_is_one_line() -> None:
    """The worst first, then what was compared and how long."""
    assert console.summary(report(RED)).plain == (
        "1 diverged: 1 scenario on 1 backend, 1 replay, 5 checkpoints and 1,204 ticks compared in 0.50 s"
    )
    assert console.summary(report(exit_code=0)).plain.startswith("equal: 0 scenarios")


def test_json_has_the_promised_fields() -> None:
    """The format page's names, at the document and at a result; numbers as numbers, hashes as strings."""
    document = json.loads(run_json.render(report(RED)))
    assert {"version", "detcheck", "platform", "canaries", "results", "summary", "exit_code"} <= set(document)
    (result,) = document["results"]
    promised = (
        "scenario backend executor identity verdict reason checkpoints equal_checkpoints first_divergent_checkpoint "
        "first_divergent_tick last_equal_tick parts findings hashes seconds"
    )
    assert set(promised.split()) <= set(result)
    assert result["hashes"] == {"0": "0" * 16}
    assert result["first_divergent_tick"] is None
    assert {"path", "kind", "a", "b", "delta_ulps", "bits_a", "bits_b"} <= set(result["findings"][0])
    assert result["findings"][0]["bits_b"] == "00018001"
