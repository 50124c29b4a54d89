"""Shell completion: what is offered where, for each shell, and silence where something is wrong."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_project import FIXED, FLOAT, WRAPPING, Project, child_environment
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from detcheck.cli.main import COMMANDS, cli, main
from detcheck.dumps.readers import READERS
from detcheck.engine.executors import EXECUTORS
from detcheck.explain import TOPICS


def offered(line: str, shell: type[ShellComplete] = BashComplete) -> list[str]:
    """What a shell is offered after this line, the last word being typed."""
    words = line.split(" ")
    completion = shell(cli, {}, "detcheck", "_DETCHECK_COMPLETE")
    return [f"{item.type}:{item.value}" for item in completion.get_completions(words[1:-1], words[-1])]


def plain(*values: str) -> list[str]:
    return [f"plain:{value}" for value in values]


@pytest.mark.parametrize("shell", [BashComplete, ZshComplete, FishComplete])
def test_names_and_ids(project: Project, shell: type[ShellComplete]) -> None:
    """Commands, scenario names, backends, executors, topics, colours."""
    assert offered("detcheck re", shell) == plain("regen")
    assert offered("detcheck ", shell) == plain(*COMMANDS)
    for command in ("run", "regen", "list", "check", "dump"):
        assert offered(f"detcheck {command} ", shell) == plain("duel", "step")
    assert offered("detcheck run duel ", shell) == plain("step")
    assert offered("detcheck run s", shell) == plain("step")
    assert offered("detcheck run --backend ", shell) == plain(FIXED, WRAPPING, FLOAT)
    assert offered("detcheck dump duel --backend fl", shell) == plain(FLOAT)
    assert offered("detcheck run --executor ", shell) == plain(*EXECUTORS)
    assert offered("detcheck explain ", shell) == plain(*TOPICS)
    assert offered("detcheck run --color a", shell) == plain("auto", "always")
    assert offered("detcheck diff --reader ", shell) == plain(*dict.fromkeys(reader.name for reader in READERS))
    assert "plain:--artifacts" in offered("detcheck run --a", shell)


def test_files_and_folders(project: Project) -> None:
    """Where a file or folder goes the shell completes it itself; so does a name with a slash."""
    assert offered("detcheck run --scenarios sc") == ["dir:sc"]
    assert offered("detcheck run --json r") == ["file:r"]
    assert offered("detcheck matrix r") == ["file:r"]
    assert offered("detcheck diff r") == ["file:r"]
    assert offered("detcheck run scenarios/d") == ["file:scenarios/d"]
    assert offered("detcheck init ") == ["dir:"]


def test_the_folder_on_the_line_is_looked_at(project: Project) -> None:
    """--scenarios before the name decides whose names are offered."""
    shutil.copytree(project.folder / "scenarios", project.folder / "sims")
    (project.folder / "sims" / "third.toml").write_text("")
    assert offered("detcheck run --scenarios sims t") == plain("third")
    (project.folder / "pyproject.toml").write_text('[tool.detcheck]\nscenarios = "sims"\n')
    assert offered("detcheck run t") == plain("third")


def test_nothing_is_offered_where_something_is_wrong(empty: Project, capsys: pytest.CaptureFixture[str]) -> None:
    """No folder, settings that do not hold, names that are no plain words: silence."""
    assert offered("detcheck run ") == []
    (empty.folder / "scenarios").mkdir()
    for name in ("a b", "$(touch x)", "-rf", "x;y", "\x1b[31m", "ok"):
        with contextlib.suppress(OSError):  # not every system takes every name
            (empty.folder / "scenarios" / f"{name}.toml").write_text("")
    assert offered("detcheck run ") == plain("ok")
    (empty.folder / "pyproject.toml").write_text("[tool.detcheck]\nx = 1\n")
    assert offered("detcheck run ") == []
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`_DETCHECK_COMPLETE=<shell>_source detcheck` prints a script that calls back with that variable."""
    monkeypatch.setattr(BashComplete, "_check_version", staticmethod(lambda: None))
    monkeypatch.setenv("_DETCHECK_COMPLETE", f"{shell}_source")
    assert main([]) == 0
    assert f"_DETCHECK_COMPLETE={shell}_complete" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32" or shutil.which("bash") is None, reason="no bash of this system")
def test_a_real_bash_completes(project: Project) -> None:
    """The line of the manual, then the function bash would call on TAB."""
    tools = project.folder / "tools"
    tools.mkdir()
    (tools / "detcheck").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m detcheck "$@"\n')
    (tools / "detcheck").chmod(0o755)
    manual = (Path(__file__).parents[2] / "detcheck" / "explain" / "ci.md").read_text("utf-8")
    (line,) = [text.strip() for text in manual.splitlines() if "_DETCHECK_COMPLETE=bash_source" in text]
    load = line.split("'")[1]
    script = f"""
        {load}
        COMP_WORDS=(detcheck run --backend fixed_p); COMP_CWORD=3
        _detcheck_completion detcheck
        echo "${{COMPREPLY[@]}}"
        COMP_WORDS=(detcheck run st); COMP_CWORD=2; COMPREPLY=()
        _detcheck_completion detcheck
        echo "${{COMPREPLY[@]}}"
    """
    environment = child_environment()
    environment["PATH"] = f"{tools}:{environment['PATH']}"
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, env=environment)
    if "4.4" in done.stderr:
        pytest.skip("this bash is too old for completion functions of this form")
    assert done.stdout.splitlines() == [FIXED, "step"], done.stderr
