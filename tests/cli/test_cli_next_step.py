"""What to do next: hints that name it, and command lines that can be pasted and do what they say."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from cli_project import FIXED, FLOAT, STEP, WRAPPING, Done, Project

from detcheck.engine.executors import EXECUTORS
from detcheck.runner import regen as runner_regen

AGAIN = "take the file from version control again"


def pasted(project: Project, done: Done, start: str) -> Done:
    """Run the first command line of an output that follows `start`."""
    (line, *_) = [text.partition(start)[2] for text in (done.out + done.err).splitlines() if start in text]
    words = shlex.split(line)
    assert words[0] == "detcheck"
    return project.run(*words[1:])


def test_a_missing_golden_is_recorded_by_the_pasted_line(project: Project) -> None:
    """Off a terminal too."""
    project.golden("step", FLOAT).unlink()
    done = project.run("run", "step")
    assert done.code == 3
    assert pasted(project, done, "record it with: ").code == 0
    assert project.run("run", "step").code == 0


@pytest.mark.parametrize(("origin", "fields"), [(("step", WRAPPING), "backend is"), (("duel", FIXED), "scenario is")])
def test_a_golden_copied_over_another(project: Project, origin: tuple[str, str], fields: str) -> None:
    """Version control comes first; the pasted line replaces it."""
    project.golden("step").write_bytes(project.golden(*origin).read_bytes())
    done = project.run("run", "step")
    assert done.code == 3
    assert done.has(fields, AGAIN)
    assert done.words.index(AGAIN) < done.words.index("if the change is meant: ")
    assert pasted(project, done, "if the change is meant: ").code == 0
    assert project.run("run", "step").code == 0


@pytest.mark.parametrize("lines", [11, 12, 14])
def test_a_golden_that_lost_lines(project: Project, lines: int) -> None:
    """Whole lines missing: version control, or the pasted line; counted is what was compared."""
    path = project.golden("step")
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:lines]))
    done = project.run("run", "step", "--backend", FIXED)
    assert done.code == 3
    assert done.has("if lines were lost by accident", AGAIN)
    compared = lines - 11
    ticks = max(0, 2 * (compared - 1))
    counted = (
        f"{compared} checkpoint{'s' * (compared != 1)} and {ticks} ticks compared" if compared else "nothing compared"
    )
    assert done.has(f"1 inconclusive: 1 scenario on 1 backend, 1 replay, {counted} in ")
    assert pasted(project, done, "to record it anew: ").code == 0
    assert project.run("run", "step").code == 0


def test_a_scenario_with_another_range_has_lost_no_lines(project: Project) -> None:
    """What the header implies is there: nothing is said of lost lines."""
    project.scenario("step", STEP.replace("ticks = 6", "ticks = 8"))
    done = project.run("run", "step")
    assert done.code == 3
    assert not done.has("lost by accident")
    assert done.has("4 checkpoints in common equal", "to record it anew: ")


def test_nothing_replayed_is_not_counted(project: Project) -> None:
    """Missing goldens and broken files are no replays."""
    for path in (project.folder / "golden").rglob("*.txt"):
        path.unlink()
    (project.folder / "scenarios" / "bad.toml").write_text("x")
    done = project.run("run")
    assert done.has("1 error, 5 inconclusive: 3 scenarios on 3 backends, nothing replayed in ")
    assert project.run("run", "bad").has("1 error: 1 scenario, nothing replayed in ")
    project.record("step")
    done = project.run("run", "duel", "step", "--json", "out.json")
    assert done.has("3 replays (2 not done), 12 checkpoints and 18 ticks compared")
    summary = json.loads((project.folder / "out.json").read_text())["summary"]
    assert (summary["replays"], summary["checkpoints"], summary["ticks"]) == (3, 12, 18)


def test_a_regen_says_how_to_write(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line can be pasted: the same names and settings, with --yes, and a reason where one is needed."""
    project.scenario("step", STEP.replace("seed = 1", "seed = 2"))
    project.golden("duel", FLOAT).unlink()
    (project.folder / "golden").rename(project.folder / "kept here")
    monkeypatch.setenv("DETCHECK_GOLDEN", "kept here")
    done = project.run("regen", "duel", "--backend", FLOAT)
    assert done.code == 1
    assert "--reason" not in done.err
    monkeypatch.delenv("DETCHECK_GOLDEN")
    assert pasted(project, done, "to write it: ").has("1 new: 1 written")
    done = project.run("regen", "--golden", "kept here", "--states")
    assert done.code == 1
    assert pasted(project, done, "to write it: ").has("2 unchanged, 3 identity changed: 5 written")
    assert project.run("run", "--golden", "kept here").code == 0


def test_a_replay_unlike_itself_is_counted_once(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second replay that disagrees: not recorded, not changed too; what to do next is said."""
    project.golden("step", FLOAT).unlink()
    project.golden("step", WRAPPING).unlink()
    monkeypatch.setattr(
        runner_regen,
        "disagreement",
        lambda first, answer: "it is unlike itself" if "reference" in answer.hashes else None,
    )
    done = project.run("regen", "step", "--yes")
    assert done.code == 2
    assert done.has("1 unchanged, 2 not recorded: 0 written", "it is unlike itself", "detcheck doctor")
    assert pasted(project, done, "to see it again: ").code == 3


@pytest.mark.parametrize("how", ["environment", "flag", "file", "both"])
def test_pasted_lines_find_the_same_files(project: Project, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """Settings of this shell are written out; those of the project's file are found again."""
    for old, new in (("scenarios", "my sims"), ("golden", "kept")):
        (project.folder / old).rename(project.folder / new)
    path = Path("kept", "step", f"{FIXED}.txt")
    path.write_text(re.sub(r"world.n=.", "world.n=0", path.read_text().replace("world.n=0", "world.n=1")))
    argv = []
    if how == "file":
        (project.folder / "pyproject.toml").write_text('[tool.detcheck]\nscenarios = "my sims"\ngolden = "kept"\n')
    if how in ("environment", "both"):
        monkeypatch.setenv("DETCHECK_SCENARIOS", "my sims")
        monkeypatch.setenv("DETCHECK_EXECUTOR", "generated")
    if how == "environment":
        monkeypatch.setenv("DETCHECK_GOLDEN", "kept")
    if how in ("flag", "both"):
        argv = ["--golden", "kept"]
    if how == "flag":
        argv += ["--scenarios", "my sims"]
    done = project.run("run", "step", *argv)
    assert done.code == 1
    for name in ("SCENARIOS", "GOLDEN", "EXECUTOR"):
        monkeypatch.delenv(f"DETCHECK_{name}", raising=False)
    again = pasted(project, done, "reproduce: ")
    assert again.code == 1
    assert done.has("--executor generated") == (how in ("environment", "both"))
    assert done.has("--scenarios") == (how != "file")
    assert ("--golden kept" in done.out) == (how != "file")


@pytest.mark.parametrize(
    ("name", "value", "known"), [("BACKENDS", "float_pined_32", FLOAT), ("EXECUTOR", "nativ", "native")]
)
def test_an_unknown_name_says_where_it_is_set(
    project: Project, monkeypatch: pytest.MonkeyPatch, name: str, value: str, known: str
) -> None:
    """The variable, or file, line and column; config says it as run does."""
    key = name.lower()
    shown = f'["{value}"]' if name == "BACKENDS" else f'"{value}"'
    (project.folder / "pyproject.toml").write_text(f"[project]\nname = 'x'\n\n[tool.detcheck]\n  {key} = {shown}\n")
    for command in ("run", "config", "list"):
        done = project.run(command)
        assert done.code == 2
        assert done.has(f"pyproject.toml:5:3: [tool.detcheck] {key}: there is no", value, f"did you mean {known}")
    (project.folder / "pyproject.toml").unlink()
    monkeypatch.setenv(f"DETCHECK_{name}", value)
    for command in ("run", "config", "list"):
        done = project.run(command)
        assert done.code == 2
        assert done.has(f"DETCHECK_{name}: there is no", value, f"did you mean {known}")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[tool.detcheck]\njobs = = 2\n", "pyproject.toml:2:8: not valid TOML"),
        ("[tool.detcheck]\njobs = 2\n[tool", "pyproject.toml:3:6: not valid TOML"),
        ("\ufeffa = 1\nb = @\n", "pyproject.toml:2:5: not valid TOML"),
        ("[tool.detcheck]\n\nJobs = 2\n", "pyproject.toml:3:1: [tool.detcheck] has the unknown key 'Jobs'"),
        ("[tool]\ndetcheck = 3\n", "pyproject.toml:2:1: [tool.detcheck] is not a table"),
        ("[tool.detcheck]\njobs = true\n", "pyproject.toml:2:1: [tool.detcheck] jobs is not an integer"),
    ],
)
def test_a_fault_of_the_settings_has_its_place(empty: Project, text: str, place: str) -> None:
    """file:line:column, and what to do."""
    (empty.folder / "pyproject.toml").write_text(text, encoding="utf-8")
    done = empty.run("config")
    assert done.code == 2
    assert done.has(place)
    assert len(done.err.strip().splitlines()) > 1


def test_a_misspelled_variable_is_noted(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name close to a setting's is remarked on; -q and names of something else are quiet."""
    for name in ("DETCHECK_OUT", "DETCHECK_ARGUMENTS", "DETCHECK_REQUIREMENT", "DETCHECK_EXAMPLES"):
        monkeypatch.setenv(name, "1")
    assert project.run("list").err == ""
    for name, meant in (("JOSB", "JOBS"), ("BACKEND", "BACKENDS"), ("COLOUR", "COLOR"), ("SCENARIO", "SCENARIOS")):
        monkeypatch.setenv(f"DETCHECK_{name}", "1")
        for command in ("list", "config", "run"):
            done = project.run(command)
            assert done.code == 0
            assert done.has(f"note: DETCHECK_{name} is set and is no setting: did you mean DETCHECK_{meant}?")
        assert project.run("run", "-q").err == ""
        monkeypatch.delenv(f"DETCHECK_{name}")


def test_a_missing_folder_says_where_it_is_set(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scenarios folder that is not there, of the file or the environment."""
    (empty.folder / "pyproject.toml").write_text('[tool.detcheck]\nscenarios = "sims"\n')
    assert empty.run("run").has("sims", "not there", "set in", "pyproject.toml", "detcheck config")
    monkeypatch.setenv("DETCHECK_SCENARIOS", "else")
    assert empty.run("run").has("else", "not there", "set in $DETCHECK_SCENARIOS")
    assert empty.run("run", "--scenarios", "given").has("given", "not there", "detcheck init")


def test_a_scenario_that_cannot_be_opened_has_a_next_step(project: Project) -> None:
    """A loop, a link to nothing, a name too long."""
    (project.folder / "scenarios" / "loop.toml").symlink_to("loop.toml")
    assert project.run("check", "loop").has("a loop of symbolic links", "ls -l")
    (project.folder / "scenarios" / "gone.toml").symlink_to("nowhere.toml")
    assert project.run("check", "gone").has("a link to a file that is not there", "detcheck list")
    done = project.run("check", f"{'x' * 300}.toml")
    assert done.code == 2
    assert len(done.err.splitlines()) + len(done.out.splitlines()) > 1


def test_every_executor_of_the_table_is_a_setting(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the table has can be set."""
    for name in EXECUTORS:
        monkeypatch.setenv("DETCHECK_EXECUTOR", name)
        assert empty.run("config").code == 0
