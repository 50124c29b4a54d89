"""`detcheck explain`: the manual, and the dump writers it shows."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_project import Project

from detcheck import explain
from detcheck.cli.exits import EXITS
from detcheck.cli.main import COMMANDS
from detcheck.compare.api import diff
from detcheck.explain.tables import TABLES
from detcheck.language.functions import FUNCTIONS
from detcheck.language.ops import TRAPS
from detcheck.runner.settings import SETTINGS

#: language of a code block -> file suffix
WRITERS = {"cpp": "cpp", "csharp": "cs", "rust": "rs", "gdscript": "gd", "typescript": "ts", "python": "py"}


def writer(language: str) -> str:
    """The program of a language on the page about dumps."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", explain.page("dumps"), re.S | re.M)
    assert len(found) == 1
    return found[0]


def test_explain_alone_lists_every_topic(empty: Project) -> None:
    """Without a topic: all topics with a line each."""
    done = empty.run("explain")
    assert done.code == 0
    assert all(topic in done.out for topic in explain.TOPICS)


def test_an_unknown_topic_is_a_usage_error_with_a_suggestion(empty: Project) -> None:
    """A mistyped topic: exit 2, what was meant, what there is."""
    done = empty.run("explain", "langauge")
    assert done.code == 2
    assert done.has("Did you mean language?", "topics: scenarios")


@pytest.mark.parametrize("topic", list(explain.TOPICS))
def test_every_topic_has_a_page_without_marks_left(empty: Project, topic: str) -> None:
    """A page is there, begins with a title, has no unfilled table, and its text fits a wide terminal."""
    done = empty.run("explain", topic)
    assert done.code == 0
    assert done.out.startswith("# ")
    assert not [name for name in TABLES if "{{" + name + "}}" in done.out]
    assert all(len(line) <= 140 for line in done.out.splitlines() if not line.startswith("    "))


def test_pages_are_made_from_the_tables_of_the_code() -> None:
    """Exits, functions, traps, settings: what the code has stands in the manual."""
    assert all(words in explain.page("exits") for words in EXITS.values())
    language = explain.page("language")
    assert all(function.signature() in language for function in FUNCTIONS.values())
    assert all(words in language for words in TRAPS.values())
    assert all(spec.variable in explain.page("ci") for spec in SETTINGS.values())
    assert all(table() for table in TABLES.values())


def test_commands_that_pages_show_exist(empty: Project) -> None:
    """`detcheck <command>` in a page is a command of the table; an `explain <topic>` is a topic."""
    for topic in explain.TOPICS:
        text = explain.page(topic)
        for name in re.findall(r"(?:^    |`)detcheck ([a-z]+)", text, re.M):
            assert name in COMMANDS, (topic, name)
        for name in re.findall(r"detcheck explain ([a-z]+)", text):
            assert name in explain.TOPICS, (topic, name)


def test_there_is_a_writer_in_every_language() -> None:
    """Six complete writers, one a language."""
    assert all(writer(language).strip() for language in WRITERS)


def _built(language: str, source: str, folder: Path, name: str) -> str:
    """What a writer's program prints; skips where its language is not here."""
    file = folder / f"{name}.{WRITERS[language]}"
    file.write_text(source)
    program = folder / name
    commands = {
        "cpp": ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(file)],
        "rust": ["rustc", "-o", str(program), str(file)],
    }
    run = [sys.executable, str(file)] if language == "python" else [str(program)]
    if language in commands:
        if shutil.which(commands[language][0]) is None:
            pytest.skip(f"no {commands[language][0]} here")
        built = subprocess.run(commands[language], capture_output=True, text=True)
        if built.returncode and language == "rust":
            pytest.skip("no Rust toolchain here")
        assert built.returncode == 0, built.stderr
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("language", ["cpp", "rust"])
def test_writers_give_the_same_dump_and_a_planted_fault_is_found(tmp_path: Path, language: str) -> None:
    """A compiled writer's dump is byte for byte the Python one's; a changed constant is found at its tick and field."""
    mine = _built("python", writer("python"), tmp_path, "a")
    theirs = _built(language, writer(language), tmp_path, "b")
    assert mine == theirs
    assert len(mine.splitlines()) == 7
    three = {"cpp": "tick == 3 ? 4 : 3", "rust": "if tick == 3 { 4 } else { 3 }"}[language]
    faulty = _built(language, writer(language).replace("hp[1] -= 3", f"hp[1] -= {three}"), tmp_path, "c")
    for name, text in (("a", mine), ("b", theirs), ("c", faulty)):
        (tmp_path / f"{name}.jsonl").write_text(text)
    assert diff(tmp_path / "a.jsonl", tmp_path / "b.jsonl").verdict == "same"
    red = diff(tmp_path / "a.jsonl", tmp_path / "c.jsonl")
    assert (red.verdict, red.first_divergent_tick, red.last_equal_tick) == ("diverged", 4, 3)
    assert red.findings[0].path == "unit[1].hp"
