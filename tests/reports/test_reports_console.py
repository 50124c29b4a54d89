"""The console report and the JSON of a run, on results made by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detcheck.golden.changes import Change
from detcheck.model.checkpoint import Checkpoint
from detcheck.model.comparison import Comparison, Finding
from detcheck.model.record import Scalar
from detcheck.model.run_report import Canary, RunReport, ScenarioResult
from detcheck.reports import console, run_json
from detcheck.reports.findings_table import findings_lines
from detcheck.reports.plain import failure_lines
from detcheck.reports.regen_console import change_lines
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


@pytest.mark.parametrize("verbose", [False, True])
@pytest.mark.parametrize("width", [30, 50, 80, 200])
@pytest.mark.parametrize("tick", [20, 120_000])
def test_a_result_keeps_to_every_width(width: int, tick: int, verbose: bool) -> None:
    """Scenario, backend, strip where there is room, verdict with its checkpoint; what is too long goes on below."""
    result = replace(RED, first_divergent_checkpoint=tick)
    line = console.result_line(result, console.layout([("duel", FIXED)], width, 5), verbose).plain
    assert line.split()[:2] == ["duel", FIXED]
    assert f"diverged at {tick}" in line
    assert ("0" * 16 in line) == verbose
    assert all(len(part) <= width for part in line.split("\n")), line
    assert width < 50 or verbose or "\n" not in line


def test_columns_stay_columns_when_there_is_no_room_for_strips() -> None:
    """At 50 columns verdicts stand below each other, and no strip is shown; at 80 it is."""
    pairs = [("sim_math_4096", FIXED), ("duel", "float_pinned_32")]
    for width, strips in ((50, False), (80, True)):
        layout = console.layout(pairs, width, 40)
        results = [replace(RED, scenario=s, backend=b, strip="." * 40) for s, b in pairs]
        lines = [console.result_line(result, layout).plain for result in results]
        assert len({line.index("diverged") for line in lines}) == 1, lines
        assert all(("..." in line) == strips and "\n" not in line and len(line) <= width for line in lines), lines


WIDE = replace(
    RED,
    parts=tuple((f"unit.{name}", "0" * 16, "f" * 16) for name in ("position", "velocity_of_the_turret")),
    comparison=Comparison(
        "diverged",
        "",
        findings=(
            Finding("unit[3].velocity_of_the_turret.x", "value", Scalar("q16", -95822, "-95822"),
                    Scalar("q16", -2147483647, "-2147483647"), 2147387825),
            Finding("unit.velocity_of_the_turret", "hash", Scalar("str", "0" * 16, "0" * 16),
                    Scalar("str", "f" * 16, "f" * 16)),
            Finding("hash", "hash", Scalar("str", "a" * 16, "a" * 16), Scalar("str", "b" * 16, "b" * 16)),
            Finding("unit.lost", "hash", Scalar("str", "c" * 16, "c" * 16), Scalar("str", "d" * 16, "d" * 16)),
        ),
    ),
    hint="detcheck dump duel --backend fixed_point_16_16 --ticks 10:20 --every 1 -o expected.jsonl",
)  # fmt: skip


@pytest.mark.parametrize("width", [50, 60, 80, 120])
def test_details_keep_to_the_width_and_break_nothing(width: int) -> None:
    """No line but a path, a command or a place is too long; every hash and every value is whole, on one line."""
    lines = [line.plain for line in console.details(WIDE, width, wrap=True)]
    long = [line for line in lines if len(line) > width]
    assert all("detcheck " in line or "golden/" in line for line in long), long
    assert f"  {WIDE.hint}" in lines
    whole = ("0" * 16, "f" * 16, "-95822", "-2147483647", "-32767.9999847412109375", "fffe89b2", "80000001")
    for value in whole:
        assert any(value in line.split() for line in lines), value
    assert not any("…" in line for line in lines)


def test_digests_that_follow_from_fields_are_left_out() -> None:
    """The parts above name them: the state's hash and a part's digest stay only where no field of it is shown."""
    shown = text(console.details(WIDE, 120))
    assert "a" * 16 not in shown
    assert shown.count("unit.velocity_of_the_turret ") == 1
    assert "unit.lost" in shown
    only = replace(WIDE, comparison=replace(WIDE.comparison, findings=WIDE.comparison.findings[1:]))  # type: ignore
    assert "a" * 16 in text(console.details(only, 120))
    many = replace(WIDE.comparison, findings_total=5000)  # type: ignore[type-var]
    assert "first 2 of 4,998" in text(console.details(replace(WIDE, comparison=many), 120))
    lines = failure_lines(WIDE)
    assert not any("a" * 16 in line for line in lines)


@pytest.mark.parametrize("width", [50, 80, 100])
def test_heads_stand_over_their_columns(width: int) -> None:
    """Wherever the table has heads, each begins where its column does, the path on its own line or not."""
    findings = WIDE.comparison.findings[:1]  # type: ignore[union-attr]
    short = (Finding("u.x", "value", Scalar("q16", -95822, "-95822"), Scalar("q16", 5, "5"), 1),)
    for labels, listed in product((("a", "b"), ("expected", "actual")), (findings, short)):
        lines = [line.plain for line in findings_lines(listed, labels, width)]
        if not lines[0].startswith("path"):
            assert width == 50
            continue
        side = next(line for line in lines if f"+ {labels[1]}" in line)
        other = next(line for line in lines if f"- {labels[0]}" in line)
        for head, value in zip(("raw", "decimal", "bits"), other.split()[-3:], strict=True):
            assert lines[0].index(head) == other.index(value, lines[0].index(head) - 1), lines
        assert "apart" not in lines[0] or side[lines[0].index("apart") - 1] == " "
        assert side[lines[0].index("apart")] != " "


@pytest.mark.parametrize("text_of", ["3f000001", "f32:3f000001", "0x3f000001", "0X3F000001"])
def test_bits_of_a_float_are_shown_once(text_of: str) -> None:
    """A binary32 that was written as its bits has no raw column; one written as a number has."""
    value = Scalar("f32", 0x3F000001, text_of)
    lines = findings_lines((Finding("x", "value", value, Scalar("f32", 0x3F000002, "3f000002"), 1),), ("a", "b"), 80)
    assert lines[0].plain.split() == ["path", "decimal", "bits", "apart"]
    assert text(lines).count("3f000001") == 1
    decimal = Scalar("float", 0.1, "0.1")
    lines = findings_lines((Finding("x", "value", decimal, Scalar("float", 0.2, "0.2"), 1),), ("a", "b"), 80)
    assert lines[0].plain.split()[:2] == ["path", "raw"]


def test_a_long_text_leaves_the_columns_of_the_others() -> None:
    """A text that fits no column stands beside its label; the rows around it keep theirs."""
    long = Scalar("str", "x" * 60, "x" * 60)
    findings = (
        Finding("a", "value", Scalar("int", 1, "1"), Scalar("int", 2, "2")),
        Finding("name", "value", long, Scalar("str", "y" * 60, "y" * 60)),
    )
    lines = [line.plain for line in findings_lines(findings, ("expected", "actual"), 76)]
    assert lines[0].split() == ["path", "raw", "apart"]
    assert any(line.endswith("- expected  " + "x" * 60) for line in lines)


@pytest.mark.parametrize(("ulps", "kind", "words"), [(1, "q16", "1 raw"), (3, "q16", "3 raw"), (1, "f32", "1 ulp"),
                                                     (2, "f32", "2 ulps")])  # fmt: skip
def test_a_distance_has_one_unit_in_every_report(ulps: int, kind: str, words: str) -> None:
    """Console, annotations, Markdown and replay.txt say raw for Q16.16 and ulp for floats."""
    finding = Finding("unit.x", "value", Scalar(kind, 4, "4"), Scalar(kind, 5, "5"), ulps)  # type: ignore[arg-type]
    result = replace(RED, comparison=Comparison("diverged", "", findings=(finding,)))
    assert f"unit.x: expected 4, actual 5 ({words})" in failure_lines(result)
    assert words in text(console.details(result, 80))


@pytest.mark.parametrize("width", [50, 80])
def test_a_regen_breaks_no_name_and_no_hash(width: int) -> None:
    """Every part, digest and field is whole on its line, and no line is longer than the width."""
    parts = tuple(f"unit.column_{n}" for n in range(30))
    fields = (("inputs", "0" * 32, "f" * 32), ("seed", "0x01", "0x02"))
    spans = ("every 60, ticks 600", "every 30, ticks 600")
    change = Change("identity", fields, 120, parts, spans, "the old golden has damaged lines: 3, 4, 5 " * 3)
    lines = [line.plain for line in change_lines("sim_math_4096", FIXED, change, 13, True, width)]
    assert all(len(line) <= width for line in lines), lines
    words = " ".join(lines).replace(",", " ").split()
    assert all(word in words for word in (*parts, "0" * 32, "f" * 32, "sim_math_4096", FIXED))
    short = Change("changed", first_changed=60, parts=("world.best",))
    (line,) = change_lines("duel", FIXED, short, 4, False, 80)
    assert line.plain == f"changed           duel  {FIXED}  from checkpoint 60 on: world.best"


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
    many = replace(RED, parts=tuple((f"t.c{i}", "0" * 16, "1" * 16) for i in range(33)))
    assert "first 20 of 33 differing parts; -v shows all" in text(console.details(many, 80))
    assert "t.c32" in text(console.details(many, 80, verbose=True))


def test_text_from_files_is_never_markup_or_escape() -> None:
    """Brackets stay brackets, control characters are visible."""
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
    broken = replace(RED, verdict="error")
    assert console.summary(report(RED, broken)).plain.startswith("1 diverged, 1 error: ")
    assert console.summary(report(RED, broken, broken)).plain.startswith("1 diverged, 2 errors: ")


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
