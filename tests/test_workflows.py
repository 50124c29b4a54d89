"""The workflows, the action and the hooks: valid YAML, pinned, least permissions, nothing of others inside a script."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from detcheck.cli.main import main
from detcheck.runner.starter_texts import WORKFLOW

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[1]
FILES = {
    **{path.name: path.read_text("utf-8") for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))},
    "action": (ROOT / ".github" / "actions" / "detcheck" / "action.yml").read_text("utf-8"),
    "starter": WORKFLOW,
}
PINNED = re.compile(r"[a-z0-9-]+/[a-z0-9./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def steps(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every step of a workflow or action."""
    yield from document.get("runs", {}).get("steps", [])
    for job in document.get("jobs", {}).values():
        yield from job.get("steps", [])


@pytest.mark.parametrize("name", FILES)
def test_it_parses_and_has_steps(name: str) -> None:
    """Each file is YAML with at least one step, each of them a `run` or a `uses`."""
    found = list(steps(yaml.safe_load(FILES[name])))
    assert found
    assert all(("run" in step) != ("uses" in step) for step in found)


@pytest.mark.parametrize("name", FILES)
def test_actions_are_pinned_by_commit(name: str) -> None:
    """Every `uses` names a commit of 40 hex digits and, beside it, the version it was."""
    used = re.findall(r"uses: (.*)", FILES[name])
    assert used
    assert [use for use in used if not PINNED.fullmatch(use)] == []
    commits: dict[str, set[str]] = {}
    for use in (use for text in FILES.values() for use in re.findall(r"uses: (.*)", text)):
        commits.setdefault(use.split("@")[0], set()).add(use)
    assert all(len(forms) == 1 for forms in commits.values()), commits


@pytest.mark.parametrize("name", FILES)
def test_nothing_of_others_stands_inside_a_script(name: str) -> None:
    """Inputs and events reach scripts through the environment only: no expression stands in a `run`."""
    scripts = [step["run"] for step in steps(yaml.safe_load(FILES[name])) if "run" in step]
    assert scripts
    assert [script for script in scripts if "${{" in script] == []


@pytest.mark.parametrize("name", [name for name in FILES if name != "action"])
def test_permissions_are_least(name: str) -> None:
    """The token reads contents; only the publishing job has another right, the one to prove who it is."""
    document = yaml.safe_load(FILES[name])
    assert document["permissions"] == {"contents": "read"}
    more = {job: body["permissions"] for job, body in document["jobs"].items() if "permissions" in body}
    assert more == ({"publish": {"id-token": "write"}} if name == "wheels.yml" else {})
    checkouts = [step for step in steps(document) if step.get("uses", "").startswith("actions/checkout@")]
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)
    assert "secrets." not in FILES[name]
    assert "pull_request_target" not in FILES[name]


def test_ci_runs_what_it_promises() -> None:
    """Four systems, four Pythons, reports of each merged by one job that runs whatever came before."""
    jobs = yaml.safe_load(FILES["ci.yml"])["jobs"]
    matrix = jobs["test"]["strategy"]["matrix"]
    assert [name.rstrip("0123456789.-") for name in matrix["os"]] == ["ubuntu", "ubuntu-24.04-arm", "macos", "windows"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert jobs["support"]["needs"] == "test"
    assert "cancelled()" in jobs["support"]["if"]
    assert jobs["test"]["defaults"]["run"]["shell"] == "bash"


@pytest.mark.parametrize("name", FILES)
def test_every_command_and_flag_exists(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each `detcheck COMMAND --flag` of a script is one that this version has."""
    scripts = "\n".join(step["run"] for step in steps(yaml.safe_load(FILES[name])) if "run" in step)
    settings = "\n".join(
        str(step.get("env", {}).get("CIBW_TEST_COMMAND", "")) for step in steps(yaml.safe_load(FILES[name]))
    )
    text = (scripts + "\n" + settings).replace("\\\n", " ")
    calls = re.findall(r"(?:^|[/\s])detcheck (run|matrix|doctor)\b([^|&;\n]*)", text, re.M)
    for command, rest in calls:
        capsys.readouterr()
        assert main([command, "--help"]) == 0
        shown = capsys.readouterr().out
        assert [flag for flag in re.findall(r"--[a-z-]+", rest) if flag not in shown] == []
    assert calls


@pytest.mark.parametrize("script", ["tests of a step", ".ci/run"])
def test_scripts_are_shell(script: str) -> None:
    """Every `run` parses in bash."""
    bash = shutil.which("bash")
    if bash is None or sys.platform == "win32":
        pytest.skip("no bash of this system")
    texts = (
        [(ROOT / script).read_text("utf-8")]
        if script == ".ci/run"
        else [step["run"] for text in FILES.values() for step in steps(yaml.safe_load(text)) if "run" in step]
    )
    for text in texts:
        done = subprocess.run([bash, "-n"], input=text, text=True, capture_output=True)
        assert (done.returncode, done.stderr) == (0, "")


def test_the_hooks(capsys: pytest.CaptureFixture[str]) -> None:
    """Each pre-commit hook has what the format needs and calls a command that is there."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["id"] for hook in hooks] == ["detcheck-check", "detcheck-run"]
    for hook in hooks:
        assert {"id", "name", "entry", "language"} <= hook.keys()
        program, command = hook["entry"].split()
        assert program == "detcheck"
        assert main([command, "--help"]) == 0
        assert re.search(hook.get("files", ""), "scenarios/duel.toml")
        assert "files" not in hook or not re.search(hook["files"], "src/main.toml")


def test_a_red_test_hides_no_platform_from_the_list() -> None:
    """In CI the replay comes whatever the tests said, the native executor is built, and every report is counted."""
    jobs = yaml.safe_load(FILES["ci.yml"])["jobs"]
    named = {step.get("name"): step for step in jobs["test"]["steps"]}
    assert "!cancelled()" in named["Replay the shipped scenarios"]["if"]
    assert jobs["test"]["env"]["DETCHECK_REQUIRE_NATIVE"] == "1"
    matrix = jobs["test"]["strategy"]["matrix"]
    merge = next(step["run"] for step in jobs["support"]["steps"] if "detcheck matrix" in step.get("run", ""))
    assert f"--expect {len(matrix['os']) * len(matrix['python'])}" in merge
    starter = yaml.safe_load(WORKFLOW)["jobs"]
    assert f"--expect {len(starter['replay']['strategy']['matrix']['os'])}" in starter["support"]["steps"][-1]["run"]


def test_hooks_run_whatever_folders_are_set() -> None:
    """The replaying hook does not wait for files of a folder that settings may have renamed."""
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    assert hooks["detcheck-run"]["always_run"] is True
    assert "files" not in hooks["detcheck-run"]


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ("--backend x 'a b' \"\" 'ü→'", "0", ["--backend", "x", "a b", "", "ü→"]),
        ("", "0", []),
        ("'open", "2", None),
        ("a \\", "2", None),
    ],
)
def test_the_action_splits_arguments_or_fails(tmp_path: Path, given: str, code: str, words: list[str] | None) -> None:
    """Words reach the command as a shell would split them, in any console encoding; what cannot be split is exit 2."""
    bash = shutil.which("bash")
    if bash is None or sys.platform == "win32":
        pytest.skip("no bash of this system")
    script = next(s["run"] for s in steps(yaml.safe_load(FILES["action"])) if s.get("id") == "run")
    (tmp_path / "python").symlink_to(sys.executable)
    fake = tmp_path / "detcheck"
    fake.write_text('#!/bin/sh\nshift 7\nfor w in "$@"; do printf "%s\\n" "$w" >> "$RUNNER_TEMP/words"; done\n')
    fake.chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:/usr/bin:/bin",
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "DETCHECK_ARGUMENTS": given,
        "PYTHONUTF8": "1",
        "PYTHONIOENCODING": "cp1252",
    }
    done = subprocess.run([bash, "-eo", "pipefail", "-c", script], env=environment, capture_output=True)
    assert str(done.returncode) == code
    assert f"exit-code={code}" in (tmp_path / "output").read_text()
    found = (tmp_path / "words").read_text("utf-8").splitlines() if (tmp_path / "words").exists() else []
    assert found == (words or [])
