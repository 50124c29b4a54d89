"""JUnit, Markdown and GitHub reports: what they say, and that no name from a file can break or forge any of them."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from detcheck.model.comparison import Comparison, Finding
from detcheck.model.matrix import Cell, Matrix, Platform, Row
from detcheck.model.record import Scalar
from detcheck.model.run_report import Canary, RunReport, ScenarioResult
from detcheck.reports import github, junit, markdown, matrix_markdown
from detcheck.reports.plain import failure_lines, headline, inert

HOSTILE = "ev|il`\n::error::forged\x1b[31m <script> & ]]> \ud800 \x00 %0A,:"

RED = ScenarioResult(
    scenario="skirmish",
    backend="float_pinned_32",
    executor="native",
    verdict="diverged",
    reason="checkpoint 60 differs in unit.pos",
    scenario_file="scenarios/skirmish.toml",
    checkpoints=11,
    equal_checkpoints=1,
    first_divergent_checkpoint=60,
    last_equal_tick=0,
    parts=(("unit.pos", "00" * 8, "11" * 8),),
    comparison=Comparison(
        "diverged",
        "1 field differs",
        60,
        findings=(
            Finding("unit[3].pos.x", "value", Scalar("f32", 0x3F000000, "0.5"), Scalar("f32", 1, "0.50000006"), 1),
        ),
    ),
    golden_file="golden/skirmish/float_pinned_32.txt",
    golden_line=13,
    reproduce="detcheck run skirmish --backend float_pinned_32",
    exit_code=1,
)
GREEN = replace(RED, verdict="equal", reason="", equal_checkpoints=11, parts=(), comparison=None, exit_code=0)
MISSING = replace(
    GREEN, scenario="orbits", verdict="inconclusive", reason="no golden", golden_file=None, golden_line=None
)
ERROR = replace(GREEN, scenario="broken", verdict="error", reason="trap: division by zero")


def report(*results: ScenarioResult) -> RunReport:
    return RunReport("0.1.0", {"os": "linux", "arch": "x86_64"}, (Canary("rounding", True, ""),), results, seconds=0.5)


def hostile(result: ScenarioResult) -> ScenarioResult:
    return replace(
        result,
        scenario=HOSTILE,
        backend=HOSTILE,
        reason=HOSTILE,
        scenario_file=HOSTILE,
        golden_file=HOSTILE,
        parts=((HOSTILE, "0", "1"),),
        remarks=(HOSTILE,),
        hint=HOSTILE,
        comparison=Comparison(
            "diverged",
            HOSTILE,
            findings=(Finding(HOSTILE, "value", Scalar("str", HOSTILE, HOSTILE), Scalar("str", HOSTILE, HOSTILE)),),
        ),
    )


def test_junit_counts_and_kinds() -> None:
    """A diverged replay is a failure, an error or an inconclusive one an error, an equal one neither."""
    root = ET.fromstring(junit.render(report(RED, GREEN, MISSING, ERROR)))
    suite = root.find("testsuite")
    assert suite is not None
    assert {k: suite.get(k) for k in ("tests", "failures", "errors")} == {"tests": "4", "failures": "1", "errors": "2"}
    cases = suite.findall("testcase")
    assert cases[0].get("name") == "skirmish [float_pinned_32]"
    assert [[child.tag for child in c] for c in cases] == [["failure"], [], ["error"], ["error"]]
    text = cases[0][0].text or ""
    assert "unit[3].pos.x: expected 0.5, actual 0.50000006 (1 ulp)" in text
    assert "ticks (0, 60]" in text


def test_junit_of_hostile_names_is_well_formed() -> None:
    """Names with control characters, surrogates and markup still give XML 1.0 that parses."""
    root = ET.fromstring(junit.render(report(hostile(RED))).encode("utf-8"))
    case = root.find("testsuite/testcase")
    assert case is not None
    assert "forged" in (case.get("name") or "")


#: element -> its attributes, its children: what is used of the schema of Jenkins' xunit plugin (junit-10.xsd)
SCHEMA: dict[str, tuple[set[str], set[str]]] = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, {"properties", "testcase"}),
    "properties": (set(), {"property"}),
    "property": ({"name", "value"}, set()),
    "testcase": ({"name", "time", "classname"}, {"error", "failure", "skipped"}),
    "failure": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
}


def test_junit_keeps_to_the_common_schema() -> None:
    """Only elements, attributes and times that the strictest common schema has."""
    root = ET.fromstring(junit.render(report(RED, GREEN, MISSING, ERROR)))
    for element in root.iter():
        attributes, children = SCHEMA[element.tag]
        assert set(element.keys()) <= attributes
        assert {child.tag for child in element} <= children
        assert re.fullmatch(r"[0-9]*\.[0-9]{3}", element.get("time", ".000"))


def test_junit_is_read_by_a_public_reader() -> None:
    """junitparser reads the same counts that the run has."""
    junitparser = pytest.importorskip("junitparser")
    suites = junitparser.JUnitXml.fromstring(junit.render(report(RED, GREEN, MISSING)).encode())
    suite = next(iter(suites))
    assert (suite.tests, suite.failures, suite.errors) == (3, 1, 1)
    assert [bool(case.is_passed) for case in suite] == [False, True, False]


def test_markdown_table_survives_hostile_names() -> None:
    """Every table row has exactly five cells, and no raw tag, command or fence end comes out of a name."""
    text = markdown.render(report(hostile(RED), GREEN))
    outside = "\n".join(text.split("```")[::2])
    rows = [line for line in outside.splitlines() if line.startswith("| ")]
    assert len(rows) == 4
    assert all(line.count("|") == 6 for line in rows)
    assert "\x1b" not in text
    assert "<script>" not in outside
    assert not any(line.startswith("::") for line in text.splitlines())


def test_only_underscores_inside_words_stay() -> None:
    """Names stay readable in the raw file; an underscore that could open emphasis does not."""
    assert markdown.cell("fixed_point_16_16 _x_ a_ __b *c*") == (
        "fixed_point_16_16 &#95;x&#95; a&#95; &#95;&#95;b &#42;c&#42;"
    )


def test_markdown_is_cut_under_its_limit_with_a_sentence() -> None:
    """A summary over the limit is cut at a whole line and says so."""
    many = report(*(replace(RED, scenario=f"s{i}") for i in range(3000)))
    for limit in (2_000, 60_000, 200_000):
        text = markdown.render(many, limit)
        assert len(text.encode()) <= limit
        assert "was cut to fit" in text.splitlines()[-1]
    assert "was cut" not in markdown.render(report(RED), 60_000)


def test_fence_is_longer_than_any_run_inside() -> None:
    """A code block cannot be ended by its own content."""
    lines = markdown.fence(["a ```` b", "`````"]).splitlines()
    assert lines[0] == "``````text"
    assert lines[-1] == "``````"


def test_annotations_stand_on_the_goldens_line() -> None:
    """A divergence is annotated where the golden's first divergent line stands."""
    (line,) = github.annotation_lines(report(RED, GREEN))
    assert line.startswith("::error file=golden/skirmish/float_pinned_32.txt,line=13,title=detcheck%3A skirmish")
    assert "%0A" in line
    assert "\n" not in line


def test_at_most_nine_annotations_and_the_rest_counted() -> None:
    """Ten failures give nine annotations and one that says 1 more."""
    lines = github.annotation_lines(report(*(replace(RED, scenario=f"s{i}") for i in range(10))))
    assert len(lines) == 10
    assert "1 more results" in lines[-1]
    assert len(github.annotation_lines(report(*[RED] * 9))) == 9


def test_inconclusive_is_a_warning_on_the_scenario() -> None:
    """A replay without golden warns on its scenario file."""
    (line,) = github.annotation_lines(report(MISSING))
    assert line.startswith("::warning file=scenarios/skirmish.toml,title=")


def test_no_name_forges_a_workflow_command() -> None:
    """Only lines of our own begin with `::`, whatever the names hold, and properties cannot be split."""
    lines = github.annotation_lines(report(hostile(RED)))
    assert len(lines) == 1
    assert "\n" not in lines[0]
    properties = lines[0].removeprefix("::error ").split("::")[0]
    assert [p.split("=")[0] for p in properties.split(",")] == ["file", "line", "title"]
    assert github.group_start("a%0A::error::b\r\n") == "::group::a%250A::error::b\\r\\n"


@pytest.mark.parametrize(
    "line", ["::error::x", "  ::add-mask::x", "\t::x", "a ##[error]x", "###[stop-commands]x", "##["]
)
def test_no_line_of_a_short_text_is_a_command(line: str) -> None:
    """A runner obeys `::` at a line's start and `##[` anywhere: neither is left in an inert line or a failure text."""
    made = [
        inert(line),
        *failure_lines(replace(RED, reason=f"why\n{line}", remarks=(line,), hint=line, reproduce=line)),
    ]
    assert not any(text.lstrip().startswith("::") or "##[" in text for text in made)
    assert inert("a :: b ## [c]") == "a :: b ## [c]"


def test_files_are_named_from_the_repositorys_root() -> None:
    """GitHub finds files from there: each is placed by the caller, one elsewhere has no place."""
    (line,) = github.annotation_lines(report(RED), lambda file: f"game/sim/{file}")
    assert "file=game/sim/golden/skirmish/float_pinned_32.txt,line=13," in line
    (comma,) = github.annotation_lines(report(RED), lambda file: "golden/a,b.txt")
    assert "file=golden/a%2Cb.txt,line=13," in comma
    (outside,) = github.annotation_lines(report(RED), lambda file: None)
    assert "file=" not in outside
    assert "line=" not in outside


def test_an_error_is_annotated_where_the_fault_is() -> None:
    """A damaged golden on its own line, a trap or a scenario's fault on the program's; never a line of another file."""
    damaged = replace(ERROR, fault_file="golden/broken/x.txt", fault_line=20)
    (line,) = github.annotation_lines(report(damaged))
    assert "file=golden/broken/x.txt,line=20," in line
    (whole,) = github.annotation_lines(report(replace(damaged, fault_line=None)))
    assert "file=golden/broken/x.txt,title" in whole
    (mismatch,) = github.annotation_lines(report(replace(RED, verdict="inconclusive", golden_line=3)))
    assert "file=golden/skirmish/float_pinned_32.txt,line=3," in mismatch


def test_a_short_text_keeps_the_lines_of_a_reason() -> None:
    """Every fault of a file stands on its own line, up to a limit that says what it cut; the headline is the first."""
    lines = failure_lines(replace(ERROR, reason="\n".join(f"fault {n}" for n in range(100))))
    assert lines[0] == headline(replace(ERROR, reason="fault 0\nmore")) == "error: fault 0"
    assert lines[1] == "fault 1"
    assert any("and 59 more lines" in line for line in lines)


@pytest.mark.parametrize(
    "text", ["https://evil.example", "see www.evil.example", "mailto:a@b.example", "FTP://x.y", "@all"]
)
def test_a_name_links_to_nowhere(text: str) -> None:
    """What GitHub would link or mention without any markup is parted by an empty comment; a place stays readable."""
    made = markdown.cell(text)
    assert "<!-- -->" in made
    assert not re.search(r"://|www\.\w|@\w", made.replace("&#64;", "@"), re.IGNORECASE)
    assert markdown.cell("scenarios/a.toml:26:17 a:b") == "scenarios/a.toml:26:17 a:b"


def test_a_cut_support_list_keeps_what_fails() -> None:
    """Failures stand before the table of rows, and a list that is too long is cut at a line."""
    cells = (("p", Cell("equal")), ("q", Cell("diverged", "", 2)))
    rows = tuple(Row(f"r{n}", "fixed_point_16_16", cells, (), ()) for n in range(500))
    platforms = tuple(Platform(name, (("os", name),), ()) for name in "pq")
    support = tuple(("fixed_point_16_16", name, "diverged") for name in "pq")
    matrix = Matrix(platforms, rows, support, tuple(f"failure {n}" for n in range(3)), exit_code=1)
    text = matrix_markdown.render(matrix, 2000)
    assert len(text.encode()) <= 2000
    assert all(f"- failure {n}\n" in text for n in range(3))
    many = replace(matrix, failures=tuple(f"failure {n}" for n in range(900)))
    cut = matrix_markdown.render(many, 2000)
    assert len(cut.encode()) <= 2000
    assert "- failure 80\n" in cut
    assert "was cut" in cut
