"""The command table, usage errors and the exit table's edges."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest
from cli_project import STEP, Project, child_environment

from detcheck.cli import exits, main
from detcheck.errors import DetcheckError, Interrupted
from detcheck.version import __version__


def test_version_names_library_and_format_versions(empty: Project) -> None:
    """--version shows detcheck, what it runs on and every format."""
    done = empty.run("--version")
    assert done.code == 0
    assert done.has(f"detcheck {__version__}", "click ", "rich ", "xxhash ", "golden 1", "dump 1")
    assert "not found" not in done.out


def test_version_and_help_import_no_heavy_module() -> None:
    """--version and --help start with click alone: no rich, tomllib, xxhash, importlib.metadata."""
    code = (
        "import sys\n"
        "from detcheck.cli.main import main\n"
        "main(['--version']); main(['--help'])\n"
        "heavy = {'rich', 'tomllib', 'xxhash', 'importlib.metadata', 'detcheck.engine', 'detcheck.scenario', 'json'}\n"
        "found = heavy & set(sys.modules)\n"
        "sys.exit(f'imported {found}' if found else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=child_environment())
    assert done.returncode == 0, done.stderr


def test_help_lists_every_command_of_the_table(empty: Project) -> None:
    """--help and no argument at all show each command with its line."""
    for argv in (["--help"], ["-h"], []):
        done = empty.run(*argv)
        assert done.code == 0
        assert all(name in done.out for name in main.COMMANDS)


@pytest.mark.parametrize("name", list(main.COMMANDS))
def test_every_command_of_the_table_can_be_loaded(empty: Project, name: str) -> None:
    """A line of the table has its file, and its --help works."""
    done = empty.run(name, "--help")
    assert done.code == 0
    assert f"detcheck {name}" in done.out


def test_unknown_words_are_usage_errors_with_a_suggestion(empty: Project) -> None:
    """A mistyped command or option is exit 2 and names what was meant."""
    command = empty.run("rnu")
    assert command.code == 2
    assert command.has("'rnu'", "Did you mean 'run'?", "detcheck --help")
    option = empty.run("run", "--backed", "x")
    assert option.code == 2
    assert option.has("--backed", "--backend", "detcheck run --help")
    value = empty.run("dump", "x", "--every", "0")
    assert value.code == 2
    assert command.out == option.out == value.out == ""


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KeyboardInterrupt(), 130),
        (Interrupted(), 130),
        (click.Abort(), 130),
        (BrokenPipeError(), 130),
        (DetcheckError("x.y", "words"), 2),
        (MemoryError(), 2),
        (PermissionError(13, "Permission denied", "file"), 2),
        (ZeroDivisionError("oh"), 70),
        (AssertionError(), 70),
        (RecursionError(), 70),
    ],
)
def test_every_way_out_has_its_exit_code(
    empty: Project, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    """Faults of a user, bugs and interruptions end with the table's code, without a traceback."""

    def fail(arguments: list[str]) -> int:
        raise error

    monkeypatch.setattr(main, "_invoke", fail)
    done = empty.run("run")
    assert done.code == code
    assert ("bug in detcheck" in done.err) == (code == 70)


def test_a_bug_shows_its_traceback_only_when_asked(
    empty: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """-v shows where a bug is; without it, where to report it."""

    def fail(arguments: list[str]) -> int:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(main, "_invoke", fail)
    assert main.main(["run", "-v"]) == 70
    assert "Traceback" in capsys.readouterr().err
    assert main.main(["run"]) == 70
    captured = capsys.readouterr().err
    assert "Traceback" not in captured
    assert "report" in captured


def test_several_exits_combine_by_the_table() -> None:
    """130, 70, 2, 1, 3, 4, 0: the first that applies."""
    order = [130, 70, 2, 1, 3, 4, 0]
    assert list(exits.PRECEDENCE) == order
    assert set(exits.EXITS) == set(order)
    for index, code in enumerate(order):
        assert exits.combine(order[index:]) == code
    assert exits.combine([]) == 0


def _shell(line: str) -> subprocess.CompletedProcess[str]:
    command = line.replace("detcheck", f"{sys.executable} -m detcheck", 1)
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=child_environment())


def test_a_reader_that_leaves_is_quiet(empty: Project) -> None:
    """A broken pipe gives no message and no traceback."""
    assert _shell("detcheck explain math language formats dumps dumps dumps dumps | true").stderr == ""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_an_error(empty: Project) -> None:
    """Output that cannot be written is exit 2 in words."""
    done = _shell("detcheck explain math > /dev/full")
    assert done.returncode == 2
    assert "standard output" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_terminal_without_unicode_gets_escapes(empty: Project) -> None:
    """An ASCII-only stream never ends a command with an exception."""
    empty.scenario("odd", STEP.replace("[scenario]", '[scenario]\nsummary = "naïve → …"'))
    done = empty.spawn("list", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "\\u2192" in done.stdout
