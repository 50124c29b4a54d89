"""Where a command may write: named on purpose, in a folder that is there, never over what it reads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_project import FIXED, FLOAT, Project, child_environment

#: each command that writes a file: its words, then the file's name
WRITERS = (
    ("run", "step", "--json"),
    ("run", "step", "--junit"),
    ("run", "step", "--markdown"),
    ("dump", "step", "-o"),
    ("dump", "step", "--csv", "-o"),
    ("diff", "scenarios", "golden", "--json"),
    ("matrix", "report.json", "--markdown"),
    ("vectors", "make", "--backend", FIXED, "-n", "1", "-o"),
    ("run", "step", "--artifacts"),
)


@pytest.mark.parametrize("argv", WRITERS)
def test_a_name_is_given_on_purpose(project: Project, argv: tuple[str, ...]) -> None:
    """Nothing, and what looks like an option, are no names of files: 2, nothing is written."""
    before = project.files()
    for name, words in (("", "without a name"), ("-q", "looks like an option"), ("--yes", "looks like an option")):
        done = project.run(*argv, name)
        assert done.code == 2, name
        assert done.has(argv[-1].replace("--output", "-o"), words), done
    assert project.files() == before


@pytest.mark.parametrize("argv", WRITERS[:-1])
def test_a_missing_folder_is_said(project: Project, argv: tuple[str, ...]) -> None:
    """No folder is made for a report or a dump: 2 with the command that makes it."""
    before = project.files()
    done = project.run(*argv, "no/such folder/x.out")
    assert done.code == 2
    assert done.has("no/such folder/x.out", "there is no folder", "mkdir -p 'no/such folder'")
    done = project.run(*argv, "scenarios/step.toml/x.out")
    assert done.code == 2
    assert done.has("scenarios/step.toml is not a folder")
    assert "mkdir" not in done.words
    assert project.files() == before


def test_no_input_is_overwritten(project: Project) -> None:
    """A scenario, its goldens (there or not), a dump, a report: whatever way the path is spelled, it is refused."""
    assert project.run("run", "step", "--json", "report.json").code == 0
    assert project.run("dump", "step", "-o", "good.jsonl").code == 0
    (project.folder / "dumps").mkdir()
    (project.folder / "dumps" / "a.jsonl").write_bytes((project.folder / "good.jsonl").read_bytes())
    (project.folder / "link.json").symlink_to("report.json")
    project.golden("duel", FLOAT).unlink()
    before = project.files()
    golden = f"golden/step/{FIXED}.txt"
    refused = (
        ("run", "step", "--json", golden),
        ("run", "step", "--json", f"./golden/../golden/step/./{FIXED}.txt"),
        ("run", "step", "--markdown", str(project.folder / "scenarios" / "step.toml")),
        ("run", "step", "--junit", "scenarios/duel.toml"),
        ("run", "step", "--junit", f"golden/duel/{FIXED}.txt"),
        ("run", "duel", "--json", f"golden/duel/{FLOAT}.txt"),
        ("run", "step", "--json", f"golden/step/{FIXED}.states.jsonl.gz"),
        ("run", "step", "--expected", "good.jsonl", "--json", "good.jsonl"),
        ("run", "step", "--expected", "dumps", "--json", "dumps/a.jsonl"),
        ("dump", "step", "-o", golden),
        ("dump", "scenarios/step.toml", "-o", "scenarios/step.toml"),
        ("diff", "good.jsonl", golden, "--json", golden),
        ("diff", "good.jsonl", "dumps", "--json", "dumps/a.jsonl"),
        ("matrix", "report.json", "--json", "report.json"),
        ("matrix", "report.json", "--markdown", "link.json"),
        ("matrix", "link.json", "--markdown", "report.json"),
        ("run", "step", "--artifacts", "golden"),
        ("run", "step", "--artifacts", "golden/red"),
    )
    for argv in refused:
        done = project.run(*argv)
        assert done.code == 2, argv
        assert done.has("--" if argv[0] != "dump" else "-o", "give it another"), (argv, done)
        assert project.files() == before, argv


def test_settings_decide_what_a_golden_is(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The golden folder of the environment is kept from a dump too."""
    (project.folder / "golden").rename(project.folder / "kept")
    monkeypatch.setenv("DETCHECK_GOLDEN", "kept")
    before = project.files()
    for argv in (["dump", "step", "-o"], ["run", "duel", "--json"]):
        assert project.run(*argv, f"kept/step/{FIXED}.txt").code == 2
    assert project.files() == before


def test_other_files_are_replaced(project: Project) -> None:
    """A report of an earlier run, a file beside the goldens or beside a dump: written as asked."""
    (project.folder / "dumps").mkdir()
    (project.folder / "-q").write_text("old")
    assert project.run("dump", "step", "-o", "dumps/a.jsonl").code == 0
    for target in ("r.json", "r.json", "golden/notes.md", "scenarios/r.json", "dumps/r.json", "./-q"):
        done = project.run("run", "step", "-q", "--expected", "dumps", "--json", target)
        assert done.code == 0, (target, done)
        assert Path(target).read_text().startswith("{")
        if target.startswith("dumps"):
            os.unlink(target)


def test_two_reports_of_one_file_are_refused(project: Project) -> None:
    """However the two names are spelled."""
    done = project.run("run", "--json", "x", "--junit", "./x")
    assert done.code == 2
    assert done.has("--json and --junit name one file")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_device_is_named(project: Project) -> None:
    """What cannot be written is called by its name, once, without Python's error number."""
    for argv in (["dump", "step", "-o"], ["dump", "step", "--csv", "-o"], ["run", "step", "--json"]):
        done = project.run(*argv, "/dev/full")
        assert done.code == 2
        assert done.err == "error: /dev/full: cannot be written: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk_hides_no_verdict(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that cannot be written is exit 2 after summary, annotations and the other reports."""
    project.golden("duel", FLOAT).unlink()
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    done = project.run("run", "--json", "/dev/full", "--markdown", "r.md", "--artifacts", "left")
    assert done.code == 2
    assert "1 inconclusive, 4 equal" in done.out
    assert "::warning file=scenarios/duel.toml" in done.out
    assert (project.folder / "r.md").is_file()
    assert (project.folder / "left" / "report.json").is_file()
    merged = project.run("run", "-q", "--json", "base.json", "--backend", FIXED)
    assert merged.code == 0
    full = project.run("matrix", "base.json", "--json", "/dev/full")
    assert full.code == 2
    assert "every platform agrees" in full.out


@pytest.mark.parametrize("kind", ["markdown", "junit", "json"])
def test_a_report_on_standard_output_is_utf_8(project: Project, kind: str) -> None:
    """Whatever the console's encoding: other tools read what the document declares."""
    environment = child_environment(PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    command = [sys.executable, "-m", "detcheck", "run", "duel", f"--{kind}", "-"]
    done = subprocess.run(command, cwd=project.folder, env=environment, capture_output=True)
    assert done.returncode == 0, done
    text = done.stdout.decode("utf-8")
    assert "\\u2705" not in text
    assert ("✅" in text) == (kind == "markdown")
    assert b"\r" not in done.stdout


@pytest.mark.parametrize("only", [["rng"], ["rng", "rng.*"], ["rng.draws"]])
def test_a_csv_without_rows_is_refused(project: Project, only: list[str]) -> None:
    """--csv of the generator alone: 2 and no file, never a bare header."""
    words = [word for path in only for word in ("--only", path)]
    done = project.run("dump", "step", "--csv", *words, "-o", "x.csv")
    assert done.code == 2
    assert done.out == ""
    assert sorted(os.listdir()) == ["golden", "scenarios"]
