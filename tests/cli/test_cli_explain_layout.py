"""The manual laid to a width, complete, and its examples held to the product."""

from __future__ import annotations

import ast
import importlib
import json
import re
from pathlib import Path

import pytest
from cli_project import FIXED, Project

import detcheck
from detcheck import explain
from detcheck.dumps.readers import READERS
from detcheck.explain.layout import NARROWEST, WIDEST, laid
from detcheck.explain.limits import LIMITS, count, size
from detcheck.language.ops import TRAPS
from detcheck.scenario.load import load

PACKAGE = Path(detcheck.__file__).parent

#: public constants that sound like limits and that no user meets: how something is done, not how much of it
INNER = {
    "cli.console": {"LINE_LIMIT"},
    "compare.again": {"MAX_TOLD"},
    "compare.aftermath": {"MAX_SERIES", "MAX_PARTS"},
    "compare.causes.contraction": {"MAX_SEARCHED"},
    "compare.causes.draw_count": {"MAX_SEARCHED"},
    "compare.causes.evidence": {"MAX_ROW"},
    "compare.compare": {"MAX_WINDOW_RECORDS"},
    "compare.context": {"MAX_FIELDS"},
    "compare.contradictions": {"MAX_SHOWN", "MAX_GROUPS", "MAX_NODES"},
    "compare.fields": {"MAX_FOLLOWING"},
    "compare.head": {"MAX_SHOWN"},
    "compare.method": {"MAX_NAMED", "MAX_NODES"},
    "compare.notes": {"MAX_SHOWN", "MAX_MARKS"},
    "compare.pairing": {"MAX_ALIGN_WORK", "MAX_VECTOR"},
    "compare.paths": {"LONGEST"},
    "compare.rng_forms": {"MAX_NAMES"},
    "compare.rng_hoist": {"MAX_CHILDREN", "MAX_DEPTH", "MAX_GROUPS"},
    "compare.rng_streams": {"MAX_NESTED"},
    "compare.seen": {"MAX_CONTEXT_VALUES"},
    "compare.session_ends": {"MAX_TOLD"},
    "compare.strip": {"MAX_BUCKETS"},
    "compare.told_fields": {"MAX_SEARCHED"},
    "compare.unmatched": {"MAX_SEARCHED", "MAX_VALUES"},
    "dumps.encoding": {"SAMPLE_BYTES"},
    "dumps.raw_pair": {"MAX_ROWS"},
    "dumps.readers.raw_bytes": {"MAX_ROWS"},
    "dumps.readers.hash_template": {"LIMIT"},
    "dumps.sessions": {"MAX_NAMED"},
    "dumps.settle": {"HELD_BYTES"},
    "golden.read": {"TICK_LIMIT"},
    "language.scan": {"MAX_PROGRAM_BYTES"},
    "numbers.fixed": {"MAX"},
    "reports.diff_console": {"MAX_NOTE"},
    "reports.plain": {"LINE_LIMIT", "OPERATION_LIMIT", "REPRODUCE_LIMIT"},
    "rng.mt19937": {"STATE_BYTES"},
    "rng.splitmix64": {"STATE_BYTES"},
    "runner.artifact_dump": {"CELL_BYTES", "TICK_BYTES"},
    "scenario.constants": {"SHARED_MAX"},
    "scenario.ranges": {"SEED_MAX"},
}

_LIMIT_WORD = re.compile(r"(^|_)(LIMIT|MAX|MOST|LONGEST|LARGEST|SHOWN|FEW|KEEP|BYTES|TRIED)(_|$)")


def constants(path: Path) -> set[str]:
    """The public names of a module's integers that sound like a limit; what begins with _ is its own affair."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                found |= {name.id for name in names if isinstance(name, ast.Name) and name.id.isupper()}
    limits = {name for name in found if _LIMIT_WORD.search(name) and not name.startswith("_")}
    if not limits:  # a module that needs a development library is not imported for nothing
        return set()
    module = importlib.import_module(module_of(path))
    return {name for name in limits if isinstance(getattr(module, name), int | dict)}


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_every_limit_of_the_code_is_on_the_page_or_inner() -> None:
    """A constant that sounds like a limit is in the manual's table or named here as none that a user meets."""
    listed = {(module, name) for limits in LIMITS.values() for _, module, name, _ in limits}
    inner = {(module, name) for module, names in INNER.items() for name in names}
    found = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        if "_native" not in path.parts:
            found |= {(module_of(path).removeprefix("detcheck."), name) for name in constants(path)}
    assert found - listed - inner == set()
    assert inner - found == set()
    assert inner & listed == set()
    for module, name in listed:
        assert isinstance(getattr(importlib.import_module(f"detcheck.{module}"), name), int)


def test_the_limits_page_has_the_numbers_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers as people write them, and another constant gives another page."""
    assert [count(n) for n in (100, 10_000, 10**6, 2 * 10**7, 2**26, 2**31 - 1)] == [
        "100", "10,000", "10^6", "2 * 10^7", "2^26", "2^31 - 1",
    ]  # fmt: skip
    assert [size(n) for n in (1 << 20, 64 << 10, 8 << 30, 1000)] == ["1 MiB", "64 KiB", "8 GiB", "1,000 bytes"]
    page = explain.page("limits")
    for line in (
        "arrays and inline tables of the TOML, within each other: 32",
        "a line of an inputs file: 64 KiB",
        "a file of known answers: 256 MiB",
        "faults of one file that are listed: 100; more are counted",
        "repetitions (`--repeat`): 10^6",
    ):
        assert f"- {line}" in page
    monkeypatch.setattr("detcheck.scenario.load.FILE_MAX", 3 << 20)
    assert "a scenario file: 3 MiB" in explain.page("limits")


@pytest.mark.parametrize("width", [NARROWEST, 50, 80, 132])
@pytest.mark.parametrize("topic", list(explain.TOPICS))
def test_a_page_keeps_its_words_and_the_width(topic: str, width: int) -> None:
    """Laid to any width a page has every word in its order, code untouched, and no prose or table beyond the width."""
    page = explain.page(topic)
    shown = laid(page, width)
    words = [re.sub(r"-{2,}", "--", text).replace("|", " ").split() for text in (page, shown)]
    assert sorted(words[0]) == sorted(words[1])
    code = [[line for line in text.split("\n") if line.startswith("    ")] for text in (page, shown)]
    assert [line for line in code[0] if line not in code[1]] == []
    fenced = False
    for line in shown.split("\n"):
        fenced ^= line.startswith("```")
        one_word = len(line.split()) <= 2 or line.startswith(("#", "|")) or "`" in line
        if not fenced and not line.startswith("    ") and width > NARROWEST:
            assert len(line) <= min(width, WIDEST) or (one_word and width <= 50), line


@pytest.mark.parametrize("topic", list(explain.TOPICS))
def test_code_outside_programs_fits_80_columns(topic: str) -> None:
    """An example that is indented has lines of at most 80 characters, but for a command that has to be one line."""
    for line in explain.page(topic).split("\n"):
        if line.startswith("    ") and "Write" not in line and "```" not in line:
            fenced = topic == "dumps"
            assert len(line) <= 90 or fenced or line.split()[0] in ("bash", "zsh", "fish"), line


def test_what_flows_and_what_stays() -> None:
    """Paragraphs and items flow, terms keep their column, tables their columns, code is never broken nor joined."""
    page = "\n".join(
        [
            "# Title",
            "one two three",
            "four `a b c d` five six seven",
            "- item one two three four five",
            "  six",
            "1. first",
            "2. second",
            "- `k`  words of a term and more of them",
            "",
            "    code that is longer than the width is",
            "    x",
            "",
            "| a | b |",
            "|---|---|",
            "| 1 | some words in a cell of a table |",
            "",
            "```text",
            "- not an item, and longer than the width",
            "```",
        ]
    )
    assert laid(page, 30).split("\n") == [
        "# Title",
        "one two three four `a b c d`",
        "five six seven",
        "- item one two three four five",
        "  six",
        "1. first",
        "2. second",
        "- `k`  words of a term and",
        "       more of them",
        "",
        "    code that is longer than the width is",
        "    x",
        "",
        "| a | b                      |",
        "|---|------------------------|",
        "| 1 | some words in a cell   |",
        "|   | of a table             |",
        "",
        "```text",
        "- not an item, and longer than the width",
        "```",
    ]


def test_pages_follow_columns(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """80 columns off a terminal, COLUMNS where it is set; the same words."""
    monkeypatch.delenv("COLUMNS", raising=False)
    plain = empty.run("explain", "math").out
    assert max(map(len, plain.splitlines())) <= 80
    monkeypatch.setenv("COLUMNS", "60")
    narrow = empty.run("explain", "math").out
    assert max(len(line) for line in narrow.splitlines() if not line.startswith(("    ", "#"))) <= 60
    assert [line for line in narrow.split() if line[0] != "|"] == [line for line in plain.split() if line[0] != "|"]


def code_blocks(topic: str) -> list[str]:
    """The indented blocks of a page, without their indent."""
    page = explain.page(topic)
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", page, re.M)
    return ["\n".join(line[4:] for line in block.split("\n")).strip("\n") + "\n" for block in blocks if block.strip()]


def test_the_first_scenario_and_both_forms_of_inputs_load(empty: Project) -> None:
    """The page's scenario loads; with its [[inputs]] and with its inputs file it has the same two entries."""
    blocks = code_blocks("scenarios")
    walk = next(block for block in blocks if block.startswith("[scenario]"))
    inline = next(block for block in blocks if "[[inputs]]" in block)
    lines = next(block for block in blocks if block.startswith('{"tick"'))
    alone = load(empty.scenario("walk", walk))
    assert alone.inputs == ()
    a = load(empty.scenario("walk", walk + inline))
    (empty.folder / "scenarios" / "walk.jsonl").write_text(lines)
    players = inline[: inline.index("[[inputs]]")]
    b = load(empty.scenario("walk", walk.replace("[config]", 'inputs_file = "walk.jsonl"\n\n[config]') + players))
    assert len(a.inputs) == len(b.inputs) == 2
    assert a.inputs_hash == b.inputs_hash


def test_the_values_of_the_page_are_taken(empty: Project) -> None:
    """Every example in the table of column values is a value that a column of that type takes."""
    rows = re.findall(r"^\| (\w+) \| .*? \| `(.*)` \|$", explain.page("scenarios"), re.M)
    assert [kind for kind, _ in rows] == ["num", "vec2", "vec3", "i32", "u32", "angle", "bool"]
    walk = next(block for block in code_blocks("scenarios") if block.startswith("[scenario]"))
    columns = "".join(f'v_{kind} = "{kind}"\n' for kind, _ in rows)
    values = "".join(f"v_{kind} = {value}\n" for kind, value in rows)
    text = f"{walk}\n[players]\nrows = 1\n{columns}\n[[inputs]]\ntick = 0\nplayer = 0\n{values}"
    assert len(load(empty.scenario("walk", text)).inputs[0].values) == len(rows)


def test_the_example_of_known_answers_is_right(empty: Project) -> None:
    """The page's file of known answers is of the form and equal; what the page says make gives, check reads."""
    block = next(block for block in code_blocks("vectors") if block.startswith("{"))
    Path("page.jsonl").write_text(block)
    done = empty.run("vectors", "check", "page.jsonl")
    assert done.code == 0, done
    assert len([json.loads(line) for line in block.splitlines()]) == 4
    made = empty.run("vectors", "make", "--backend", FIXED, "--op", "mul", "-n", "10", "-o", "q16.jsonl")
    assert made.code == 0
    assert empty.run("vectors", "check", "-").code == 2


def test_readers_and_traps_say_what_they_are() -> None:
    """Each reader has its words and none is a Python value; each trap says what brings it about."""
    page = explain.page("diff")
    for entry in READERS:
        assert re.search(rf"^- {entry.name} +\w.*", page, re.M), entry.name
    assert "Entry(" not in page
    assert "module=" not in page
    language = explain.page("language")
    for words in TRAPS.values():
        assert re.search(rf"^- {re.escape(words)}: .+", language, re.M), words
    assert not any(re.search(r"<\w+ object|=None|\bfrozenset\b", explain.page(topic)) for topic in explain.TOPICS)


def test_the_language_page_says_how_programs_are_written() -> None:
    """Character set, booleans, one statement a line, order of evaluation."""
    page = " ".join(explain.page("language").split())
    for words in ("printable ASCII", "without a backslash", "`True` and `False`", "One statement a line", "## Order"):
        assert words in page
