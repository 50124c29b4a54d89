"""A run in a simulated GitHub Actions job: annotations, groups, summary, colour, and names that try to forge them."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from cli_project import FIXED, STEP, Project

#: what a runner obeys at the start of a line; what it obeys anywhere
COMMAND = re.compile(r"^\s*::")
OLD_COMMAND = "##["

#: lines of our own
OURS = re.compile(r"^::(error|warning) (file=[^:,]*,(line=\d+,)?)?title=[^:,]*::|^::group::|^::endgroup::$")


def job(project: Project, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The environment of a job; gives its summary file."""
    summary = project.folder.parent / f"{project.folder.name}-summary.md"
    summary.write_text("earlier words\n")
    for name, value in {
        "GITHUB_ACTIONS": "true",
        "CI": "true",
        "GITHUB_WORKSPACE": str(project.folder),
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_OUTPUT": str(summary.with_suffix(".output")),
    }.items():
        monkeypatch.setenv(name, value)
    return summary


def break_line(golden: Path, tick: int) -> int:
    """Change the hash of a golden's line; gives its number."""
    lines = golden.read_text().splitlines(keepends=True)
    index = next(i for i, line in enumerate(lines) if line.startswith(f"{tick} "))
    tick_text, hash_text, rest = lines[index].split(" ", 2)
    lines[index] = f"{tick_text} {hash_text[::-1]} {rest}"
    golden.write_text("".join(lines), newline="\n")
    return index + 1


def commands(text: str) -> list[str]:
    """The lines a runner would take for commands, in either form."""
    return [line for line in text.splitlines() if COMMAND.match(line) or OLD_COMMAND in line]


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_a_green_run_annotates_nothing_and_summarises(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Green: no command at all, the summary is appended to what stood there, exit 0."""
    summary = job(project, monkeypatch)
    done = project.run("run")
    assert done.code == 0
    assert commands(done.out + done.err) == []
    text = summary.read_text()
    assert text.startswith("earlier words\n## ✅ detcheck: 5 of 5 replays equal their goldens")
    assert text.count("| ✅ equal |") == 5


def test_a_red_run_annotates_the_line_of_the_golden(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Red: the details are folded in a group, then one annotation on the golden's first divergent line."""
    summary = job(project, monkeypatch)
    number = break_line(project.golden("duel"), 20)
    done = project.run("run")
    assert done.code == 1
    group, end, annotation = commands(done.out)
    assert group == f"::group::duel [{FIXED}]"
    assert end == "::endgroup::"
    assert annotation.startswith(
        f"::error file=golden/duel/{FIXED}.txt,line={number},title=detcheck%3A duel [{FIXED}]::"
    )
    assert "%0Areproduce: detcheck run duel --backend" in annotation
    inside = plain(done.out).split(group)[1].split(end)[0]
    assert f"duel on {FIXED}: diverged" in inside
    assert "4 of 5 replays equal" in summary.read_text()
    assert f"golden/duel/{FIXED}.txt:{number}" in html.unescape(summary.read_text())


def test_colour_without_animation(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log shows colour though it is no terminal, and nothing rewrites a line; NO_COLOR still wins."""
    job(project, monkeypatch)
    done = project.run("run")
    assert "\x1b[32m" in done.out
    assert "\r" not in done.out + done.err
    assert not re.search(r"\x1b\[[0-9;]*[A-HJKfsu]", done.out + done.err)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in project.run("run").out


def test_nine_annotations_and_the_rest_counted(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve results without goldens: nine warnings and one line that says 3 more; the summary has all twelve."""
    for name in ("a", "b", "c", "d"):
        empty.scenario(name, STEP)
    summary = job(empty, monkeypatch)
    done = empty.run("run", "-q")
    assert done.code == 3
    annotations = [line for line in commands(done.out) if not line.startswith(("::group", "::endgroup"))]
    assert len(annotations) == 10
    assert all(line.startswith("::warning file=scenarios/") for line in annotations[:9])
    assert "3 more results" in annotations[9]
    assert summary.read_text().count("⚠️ inconclusive") == 12


def test_a_subfolder_is_annotated_from_the_root(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """With working-directory: game, files are named as the repository has them."""
    job(project, monkeypatch)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(project.folder.parent))
    break_line(project.golden("duel"), 10)
    annotation = commands(project.run("run", "duel").out)[-1]
    assert f"file={project.folder.name}/golden/duel/{FIXED}.txt," in annotation


def test_every_error_is_annotated_on_its_line(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken golden on the golden's line, a broken scenario on the scenario's, from any folder."""
    job(project, monkeypatch)
    golden = project.golden("duel")
    lines = golden.read_text().splitlines()
    golden.write_text("\n".join([*lines, "not a line"]) + "\n", newline="\n")
    bad = project.scenario("bad", STEP.replace("n += 3", "n += = 1"))
    wrong = next(n for n, text in enumerate(bad.read_text().splitlines(), 1) if "= = 1" in text)
    found = commands(project.run("run", "-q").out)
    assert any(f"file=golden/duel/{FIXED}.txt,line={len(lines) + 1}," in line for line in found)
    assert any(f"file=scenarios/bad.toml,line={wrong}," in line for line in found)
    outside = project.folder / "sub" / "inner"
    outside.mkdir(parents=True)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(outside.parent))
    assert not any("file=" in line for line in commands(project.run("run", "-q").out))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(project.folder))
    monkeypatch.chdir(outside)
    done = project.run("run", "-q", "--scenarios", "../../scenarios", "--golden", "../../golden")
    assert any(f"file=golden/duel/{FIXED}.txt,line={len(lines) + 1}," in line for line in commands(done.out))


HOSTILE = [
    "::error::forged.toml",
    "  ::warning::forged.toml",
    "##[error]forged.toml",
    "x##[stop-commands]forged.toml",
    "%0A::error::forged.toml",
    "a|b|c`<b>forged.toml",
    "forged\x1b[31m\x07.toml",
    "forged\n::error::forged.toml",
    "forged\r::error::forged.toml",
    "forged\u2028::error::x.toml",
    "forged\u202e.toml",
    "forged\udcff.toml",
]


def hostile_files(project: Project) -> int:
    """Scenario files whose names try to speak to the runner; how many the file system took."""
    made = 0
    for name in HOSTILE:
        try:
            (project.folder / "scenarios" / name).write_text("::error::forged = 1\n##[error]forged\n")
        except OSError:
            continue
        made += 1
    return made


@pytest.mark.parametrize("more", [[], ["-q"], ["-v"], ["--json", "-"], ["--junit", "-"], ["--markdown", "-"]])
def test_hostile_names_forge_nothing(project: Project, monkeypatch: pytest.MonkeyPatch, more: list[str]) -> None:
    """No line of either stream is a command, or a control character, but those of our own; the table stays a table."""
    summary = job(project, monkeypatch)
    made = hostile_files(project)
    assert made >= 2
    done = project.run("run", *more)
    assert done.code == 2
    output = plain(done.out + done.err)
    found = commands(output)
    assert [line for line in found if not OURS.match(line) or OLD_COMMAND in line] == []
    assert len([line for line in found if line.startswith("::error ")]) == min(10, made)
    assert len([line for line in found if line.startswith("::group::")]) == made
    assert all(c.isprintable() or c == "\n" for c in output)
    outside = "\n".join(summary.read_text().split("```")[::2])
    table = [line for line in outside.splitlines() if line.startswith("| ") and "forged" in line]
    assert [line.count("|") for line in table] == [6] * made


@pytest.mark.parametrize("argv", [["check"], ["list"], ["dump", "x"], ["regen"], ["run", "::error::x", "##[error]"]])
def test_no_other_command_forges_either(project: Project, monkeypatch: pytest.MonkeyPatch, argv: list[str]) -> None:
    """What other commands say of the same files, on stdout and stderr, holds no command."""
    job(project, monkeypatch)
    hostile_files(project)
    project.scenario("x", "::error::forged\n##[error]forged\n")
    done = project.run(*argv)
    assert done.code == 2
    assert commands(done.out + done.err) == []


def test_json_on_stdout_is_the_same_document(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The escape that keeps a command out of the JSON changes no value of it."""
    job(project, monkeypatch)
    project.scenario("x##[error]y", "##[error] = 1\n")
    done = project.run("run", "--json", "-")
    assert OLD_COMMAND not in done.out
    names = {result["scenario"] for result in json.loads(done.out)["results"]}
    assert "x##[error]y" in names


def test_the_summary_is_cut_under_its_limit(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """With little room left the summary ends with the sentence that it was cut; with none nothing is added."""
    summary = job(project, monkeypatch)
    for name in "abcdefgh":
        project.scenario(name, STEP)
    summary.write_text("x" * (1_000_000 - 1500))
    project.run("run", "-q")
    text = summary.read_text()
    assert len(text.encode()) <= 1_000_000
    assert "was cut to fit" in text.splitlines()[-1]
    full = "x" * 1_000_000
    summary.write_text(full)
    done = project.run("run", "-q")
    assert summary.read_text() == full
    assert done.has("the job summary is full")


def test_a_summary_that_cannot_be_written_is_a_warning(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run's own verdict stands."""
    job(project, monkeypatch)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.folder))
    done = project.run("run", "-q")
    assert done.code == 0
    assert done.has("the job summary cannot be written")


def test_several_reports_at_once(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON, JUnit and Markdown beside console, annotations and summary, all of one run; JUnit read by a reader."""
    from junitparser import JUnitXml

    job(project, monkeypatch)
    break_line(project.golden("step"), 4)
    (project.folder / "r").mkdir()
    done = project.run("run", "--json", "r/a.json", "--junit", "r/a.xml", "--markdown", "-")
    assert done.code == 1
    assert done.out.startswith("## ❌ detcheck: 4 of 5")
    assert commands(done.out) == []
    assert len(commands(done.err)) == 3
    data = json.loads((project.folder / "r" / "a.json").read_text())
    assert data["exit_code"] == 1
    suites = JUnitXml.fromfile(str(project.folder / "r" / "a.xml"))
    assert (suites.tests, suites.failures, suites.errors) == (5, 1, 0)
    red = [case for suite in suites for case in suite if not case.is_passed]
    assert [case.name for case in red] == [f"step [{FIXED}]"]
    assert "diverged" in red[0].result[0].message


@pytest.mark.skipif(os.name == "nt", reason="the shell of a Windows runner is not the one found here")
def test_the_actions_run_step_as_written(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The composite action's own script: hostile arguments stay words, the exit code is an output and the step's."""
    yaml = pytest.importorskip("yaml")
    bash = pytest.importorskip("shutil").which("bash")
    if bash is None:
        pytest.skip("no bash")
    root = Path(__file__).parents[2]
    action = yaml.safe_load((root / ".github/actions/detcheck/action.yml").read_text("utf-8"))
    script = next(s["run"] for s in action["runs"]["steps"] if s.get("id") == "run")
    summary = job(project, monkeypatch)
    tools = project.folder / "tools"
    tools.mkdir()
    import sys

    from cli_project import child_environment

    for name, module in (("detcheck", "-m detcheck"), ("python", "")):
        (tools / name).write_text(f'#!{bash}\nexec "{sys.executable}" {module} "$@"\n', newline="\n")
        (tools / name).chmod(0o755)
    out = project.folder / "out"
    out.mkdir()
    for arguments, code in (("'$(touch forged)' ';touch forged'", 2), ("step 'du*'", 0)):
        environment = child_environment(DETCHECK_ARGUMENTS=arguments, RUNNER_TEMP=str(out))
        environment["PATH"] = f"{tools}:{environment['PATH']}"
        done = subprocess.run([bash, "-e", "-o", "pipefail", "-c", script], env=environment, capture_output=True)
        assert done.returncode == code, done
        assert summary.with_suffix(".output").read_text().splitlines()[-1] == f"exit-code={code}"
    assert not (project.folder / "forged").exists()
    outputs = dict(line.split("=", 1) for line in summary.with_suffix(".output").read_text().splitlines())
    kept = Path(outputs["folder"])
    assert kept.parent == out
    assert json.loads((kept / "run.json").read_text())["summary"]["equal"] == 5
