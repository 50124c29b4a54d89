"""`detcheck init`: what it writes passes `detcheck run` at once, and nothing that was there is touched."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path

import pytest
from cli_project import STEP, Project

WRITTEN = {
    "scenarios/first.toml",
    "pyproject.toml",
    ".gitattributes",
    ".gitignore",
    ".github/workflows/detcheck.yml",
    "golden/first/fixed_point_16_16.txt",
    "golden/first/fixed_wrapping_16_16.txt",
    "golden/first/float_pinned_32.txt",
}


@pytest.fixture(autouse=True)
def _quick(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second replay of each golden in a fresh process is regen's own promise: here it is made once only."""
    if "empty_folder" not in request.node.name:
        monkeypatch.setattr("detcheck.runner.regen.confirmed", list)


def paths(project: Project) -> set[str]:
    return {name.replace("\\", "/") for name in project.files()}


def test_in_an_empty_folder(empty: Project) -> None:
    """Seven files; run, list and check are green at once; the words say what to do next."""
    done = empty.run("init")
    assert done.code == 0
    assert paths(empty) == WRITTEN
    assert done.has("written", "recorded", "Next:", "detcheck run", "detcheck regen first --reason", "git add")
    assert empty.run("run").has("equal: 1 scenario on 3 backends, 3 replays")
    assert empty.run("run").code == empty.run("check").code == empty.run("regen", "--check").code == 0
    assert "golden = " in (empty.folder / "pyproject.toml").read_text()


def test_a_second_time_nothing_changes(empty: Project) -> None:
    """Every file is kept, byte for byte, and said to be."""
    empty.run("init")
    before = empty.files()
    done = empty.run("init")
    assert done.code == 0
    assert empty.files() == before
    assert [line.split()[0] for line in done.out.splitlines() if line[:1].isalpha() and line != "Next:"] == ["kept"] * 8


def test_an_interrupted_init_is_finished_by_the_next(empty: Project) -> None:
    """What is missing is written again, goldens of the scenario it wrote included."""
    empty.run("init")
    before = empty.files()
    (empty.folder / "golden" / "first" / "float_pinned_32.txt").unlink()
    (empty.folder / ".gitattributes").unlink()
    assert empty.run("init").code == 0
    assert empty.files() == before


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_existing_pyproject_gets_the_table_at_its_end(empty: Project, end: str) -> None:
    """Every byte that was there stays in front, and the file keeps its line ends."""
    old = f'# mine{end}[project]{end}name = "game"{end}{end}[tool.ruff]{end}line-length = 99'.encode()
    (empty.folder / "pyproject.toml").write_bytes(old)
    done = empty.run("init")
    assert done.has("added to", "pyproject.toml")
    new = (empty.folder / "pyproject.toml").read_bytes()
    assert new.startswith(old)
    assert new.count(b"\n") == new.count(end.encode())
    table = tomllib.loads(new.decode())["tool"]
    assert table["detcheck"] == {"scenarios": "scenarios", "golden": "golden"}
    assert table["ruff"] == {"line-length": 99}
    assert empty.run("run").code == 0


def test_a_pyproject_with_other_folders_is_followed(empty: Project) -> None:
    """The scenario goes where the settings look for it, and the attributes name those folders."""
    text = '[tool.detcheck]\nscenarios = "sim/cases"\ngolden = "sim/hashes"\nbackends = ["fixed_wrapping_16_16"]\n'
    (empty.folder / "pyproject.toml").write_text(text, newline="\n")
    done = empty.run("init")
    assert done.code == 0
    assert (empty.folder / "pyproject.toml").read_text() == text
    assert {"sim/cases/first.toml", "sim/hashes/first/fixed_wrapping_16_16.txt"} < paths(empty)
    assert "sim/hashes/** text eol=lf" in (empty.folder / ".gitattributes").read_text()
    assert empty.run("run").has("equal: 1 scenario on 1 backend")
    added = shlex.split(next(line for line in done.out.splitlines() if "git add" in line))[2:]
    assert all((empty.folder / path).exists() for path in added)
    assert {"sim/cases", "sim/hashes"} < set(added)


@pytest.mark.parametrize(
    "text", ["[tool]\ndetcheck = {}\n", '["tool" . detcheck]\n', "tool.detcheck.jobs = 1\n", "[tool.detcheck]\n"]
)
def test_a_table_is_found_however_it_is_spelled(empty: Project, text: str) -> None:
    """A pyproject that has the table is kept as it is."""
    (empty.folder / "pyproject.toml").write_text(text, newline="\n")
    assert empty.run("init").has("it has a [tool.detcheck] already")
    assert (empty.folder / "pyproject.toml").read_text() == text
    assert empty.run("run").code == 0


def test_a_mention_is_no_table(empty: Project) -> None:
    """A comment that speaks of tool.detcheck does not keep the table away."""
    (empty.folder / "pyproject.toml").write_text("# see [tool.detcheck]\n")
    empty.run("init")
    assert "detcheck" in tomllib.loads((empty.folder / "pyproject.toml").read_text())["tool"]


def test_a_tool_table_that_takes_no_more_is_left_alone(empty: Project) -> None:
    """TOML does not allow adding to an inline table: the words say what to add by hand, and the defaults fit."""
    (empty.folder / "pyproject.toml").write_text("tool = { ruff = {} }\n")
    done = empty.run("init")
    assert done.code == 0
    assert done.has("kept", "add by hand", 'scenarios = "scenarios"')
    assert (empty.folder / "pyproject.toml").read_text() == "tool = { ruff = {} }\n"
    assert empty.run("run").code == 0


@pytest.mark.parametrize("text", ["[tool\n", "[tool.detcheck]\nsceanrios = 'x'\n", "[tool.detcheck]\njobs = 'many'\n"])
def test_settings_that_do_not_hold_stop_it_before_anything(empty: Project, text: str) -> None:
    """Exit 2 with the file, and nothing written."""
    (empty.folder / "pyproject.toml").write_text(text)
    before = empty.files()
    done = empty.run("init")
    assert done.code == 2
    assert done.has("pyproject.toml")
    assert empty.files() == before


def test_a_folder_of_its_own(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """`init sub` writes below it only, whatever the settings around it say; run in it is green."""
    (empty.folder / "pyproject.toml").write_text('[tool.detcheck]\nscenarios = "elsewhere"\n')
    (empty.folder / "sub dir").mkdir()
    done = empty.run("init", "sub dir")
    assert done.code == 0, done
    assert paths(empty) == {f"sub dir/{path}" for path in WRITTEN} | {"pyproject.toml"}
    assert done.has("cd 'sub dir'")
    monkeypatch.chdir(empty.folder / "sub dir")
    assert empty.run("run").code == 0


def test_below_a_repository_root_the_workflow_is_told_of(empty: Project) -> None:
    """GitHub reads workflows at the root only: it is written in the folder and the words say where it belongs."""
    (empty.folder / ".git").mkdir()
    (empty.folder / "sub").mkdir()
    assert empty.run("init", "sub").has("at the repository's root only", ".github/workflows/detcheck.yml")
    assert not empty.run("init").has("at the repository's root only")


def test_ones_own_first_scenario_is_not_recorded(empty: Project) -> None:
    """A scenario of that name is kept, and recording it stays its owner's decision."""
    empty.scenario("first", STEP)
    done = empty.run("init")
    assert done.code == 0
    assert done.has("it is your own", "detcheck regen first")
    assert not (empty.folder / "golden").exists()
    assert (empty.folder / "scenarios" / "first.toml").read_text() == STEP


def test_a_twin_in_a_subfolder_is_no_second_first(empty: Project) -> None:
    """Names are unique below the folder: one that is there already is enough."""
    path = empty.folder / "scenarios" / "deep" / "first.toml"
    path.parent.mkdir(parents=True)
    path.write_text(STEP)
    assert empty.run("init").has("kept", "scenarios/deep/first.toml")
    assert not (empty.folder / "scenarios" / "first.toml").exists()


def test_beside_other_scenarios(project: Project) -> None:
    """In a project with scenarios and goldens these stay, and the whole is green."""
    before = project.files()
    assert project.run("init").code == 0
    after = project.files()
    assert {name: after[name] for name in before} == before
    assert project.run("run").has("equal: 3 scenarios")


@pytest.mark.parametrize("target", ["missing", "file"])
def test_a_folder_that_is_none(empty: Project, target: str) -> None:
    """Exit 2, nothing made."""
    (empty.folder / "file").write_text("")
    assert empty.run("init", target).has(target, "is not a folder")
    assert paths(empty) == {"file"}


def test_a_file_where_a_folder_is_needed(empty: Project) -> None:
    """Exit 2 with its name; the file stays."""
    (empty.folder / "scenarios").write_text("mine")
    done = empty.run("init")
    assert done.code == 2
    assert done.has("scenarios")
    assert (empty.folder / "scenarios").read_text() == "mine"


def test_the_workflow_is_valid_and_the_readme_shows_it(empty: Project) -> None:
    """YAML that parses, with the commands and flags there are; the README's block is the same text."""
    yaml = pytest.importorskip("yaml")
    empty.run("init")
    text = (empty.folder / ".github" / "workflows" / "detcheck.yml").read_text()
    jobs = yaml.safe_load(text)["jobs"]
    runs = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    for line in (run for run in runs if run.startswith("detcheck")):
        command, *words = line.split()[1:]
        shown = empty.run(command, "--help").out
        assert all(word in shown for word in words if word.startswith("--"))
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    assert f"```yaml\n{text}```" in readme


def test_narrow_screens_keep_commands_whole(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 50 columns each command stands on its line and what it is for below it."""
    monkeypatch.setenv("COLUMNS", "50")
    lines = empty.run("init").out.splitlines()
    index = lines.index("  detcheck run")
    assert lines[index + 1].strip() == "replay and compare with the goldens"
    assert all(len(line) <= 50 for line in lines if "git add" not in line)


def test_what_a_run_leaves_is_ignored_once(empty: Project) -> None:
    """The folder of artifacts and the report are added to an ignore list that lacks them, in its own line ends."""
    ignore = empty.folder / ".gitignore"
    ignore.write_bytes(b"build/\r\n/desync")
    assert empty.run("init").code == 0
    assert ignore.read_bytes() == b"build/\r\n/desync\r\n\r\nreport.json\r\n"
    assert empty.run("init").has("it speaks of desync/ and report.json already")
    assert ignore.read_bytes().count(b"report.json") == 1


def test_one_file_in_the_way_and_nothing_is_written(empty: Project) -> None:
    """A folder or a file where another kind is needed is found before the first file is written."""
    for name, folder in ((".gitignore", True), (".github", False), ("golden", False)):
        path = empty.folder / name
        path.mkdir() if folder else path.write_text("")
        before = empty.files()
        assert empty.run("init").code == 2, name
        assert empty.files() == before
        path.rmdir() if folder else path.unlink()
