"""The pytest plugin: nothing without `--detcheck`; with it scenarios are items, in processes of their own.

The suite may run with detcheck installed (the entry point loads the plugin) or from the folder: each run here switches
the entry point off by its name and names the module, so that it is loaded exactly once either way.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_project import DUEL, FIXED, FLOAT, STEP, child_environment

from detcheck.cli.main import main


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with two scenarios, goldens and one ordinary test file."""
    folder = tmp_path_factory.mktemp("plugin")
    for name, text in (("duel", DUEL), ("step", STEP)):
        (folder / "scenarios").mkdir(exist_ok=True)
        (folder / "scenarios" / f"{name}.toml").write_text(text, newline="\n")
    (folder / "test_mine.py").write_text("def test_mine():\n    pass\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("detcheck.runner.regen.confirmed", list)
        assert main(["regen", "--yes", "--scenarios", str(folder / "scenarios"), "-q"]) == 0
    return folder


def run_pytest(folder: Path, *argv: str, plugin: bool = True) -> subprocess.CompletedProcess[str]:
    """pytest in a process of its own, without the plugins of this environment but xdist."""
    named = ["-p", "detcheck.pytest_plugin"] if plugin else []
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *named, *argv]
    if any(word.startswith("-n") for word in argv):
        command[3:3] = ["-p", "xdist"]
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=child_environment(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_ADDOPTS="", PYTHONWARNINGS="error"),
    )


@pytest.fixture
def project(recorded: Path, tmp_path: Path) -> Path:
    """A copy to change."""
    return Path(shutil.copytree(recorded, tmp_path / "project"))


def test_off_by_default(recorded: Path) -> None:
    """Without the flag nothing is collected and nothing of detcheck but the plugin's own module is imported."""
    script = (
        "import sys, pytest\n"
        "code = pytest.main(['-q', '-p', 'no:cacheprovider', '-p', 'detcheck.pytest_plugin'])\n"
        "print(sorted(name for name in sys.modules if name.startswith('detcheck')), int(code))\n"
    )
    environment = child_environment(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_ADDOPTS="")
    done = subprocess.run([sys.executable, "-c", script], cwd=recorded, capture_output=True, text=True, env=environment)
    assert "1 passed" in done.stdout
    assert done.stdout.splitlines()[-1] == "['detcheck', 'detcheck.pytest_plugin', 'detcheck.version'] 0"


def test_scenarios_are_items_beside_tests(recorded: Path) -> None:
    """Every scenario and backend is one item of its file, and the ordinary tests run too."""
    done = run_pytest(recorded, "--detcheck", "-v")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout
    assert f"scenarios/duel.toml::{FIXED} PASSED" in done.stdout
    assert f"scenarios/step.toml::{FLOAT} PASSED" in done.stdout


SELECTED: list[tuple[list[str], int]] = [
    (["-k", "duel"], 2),
    (["-k", f"step and {FLOAT}"], 1),
    (["-m", "detcheck"], 5),
    (["--detcheck-scenario", "st*"], 4),
    (["--detcheck-scenario", "duel", "--detcheck-scenario", "scenarios/step.toml"], 6),
    ([f"scenarios/step.toml::{FIXED}"], 1),
    (["scenarios"], 5),
    (["."], 6),
    (["test_mine.py"], 6),
]

#: collects once for each command line it is given, all in one process
COLLECT = """
import json, pytest, sys

class Count:
    def pytest_collection_finish(self, session):
        self.items = len(session.items)

counts = []
for argv in json.loads(sys.argv[1]):
    count = Count()
    common = ["-q", "--collect-only", "-p", "no:cacheprovider", "-p", "detcheck.pytest_plugin", "--detcheck"]
    code = pytest.main([*common, *argv], [count])
    counts.append(count.items if code == 0 else f"exit {int(code)}")
print(json.dumps(counts))
"""


def test_what_is_selected(recorded: Path) -> None:
    """-k, -m, node ids, paths and --detcheck-scenario select as they do elsewhere."""
    lines = json.dumps([argv for argv, _ in SELECTED])
    environment = child_environment(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_ADDOPTS="")
    done = subprocess.run(
        [sys.executable, "-c", COLLECT, lines], cwd=recorded, capture_output=True, text=True, env=environment
    )
    assert json.loads(done.stdout.splitlines()[-1]) == [count for _, count in SELECTED], done.stdout


def test_in_two_processes(recorded: Path) -> None:
    """With xdist every item runs once."""
    pytest.importorskip("xdist")
    done = run_pytest(recorded, "--detcheck", "-n", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout


def test_a_red_item_shows_the_short_text(project: Path) -> None:
    """The words of the other reports, without a traceback of ours; the others still pass."""
    golden = project / "golden" / "step" / f"{FIXED}.txt"
    lines = golden.read_text().splitlines()
    tick, digest, rest = lines[-1].split(" ", 2)
    lines[-1] = f"{tick} {digest[::-1]} {rest}"
    golden.write_text("\n".join(lines) + "\n", newline="\n")
    (project / "golden" / "duel" / f"{FLOAT}.txt").unlink()
    (project / "scenarios" / "bad.toml").write_text("[scenario]\nticks = 'x'\n")
    (project / "scenarios" / "::x [y].toml").write_text("x") if sys.platform != "win32" else None
    done = run_pytest(project, "--detcheck", "-rN")
    assert done.returncode == 1
    words = " ".join(done.stdout.split())
    assert f"_ detcheck step [{FIXED}] _" in words
    assert f"diverged: golden/step/{FIXED}.txt:{len(lines)}" in words
    assert f"reproduce: detcheck run step --backend {FIXED}" in words
    assert f"inconclusive: there is no golden golden/duel/{FLOAT}.txt" in words
    assert "error: scenarios/bad.toml: no table has a column" in words
    assert "scenarios/bad.toml:2:9: ticks is a string" in words
    assert "Traceback" not in done.stdout
    assert "pytest_items" not in done.stdout
    assert f"{4 if sys.platform != 'win32' else 3} failed, 4 passed" in words


@pytest.mark.parametrize(
    ("argv", "settings", "words"),
    [
        (["--detcheck"], 'scenarios = "nowhere"', ["nowhere", "the scenarios folder is not there"]),
        (["--detcheck"], "scenaros = 'x'", ["unknown key", "did you mean scenarios"]),
        (["--detcheck", "--detcheck-scenario", "dule"], "", ["no scenario 'dule'", "did you mean duel"]),
        (["--detcheck", "--detcheck-scenario", "x*"], "", ["nothing was selected"]),
        (["--detcheck-scenario", "duel"], "", ["does nothing without --detcheck"]),
    ],
)
def test_what_run_would_refuse_is_a_usage_error(
    project: Path, argv: list[str], settings: str, words: list[str]
) -> None:
    """pytest ends with its usage error and our words, never green, never with a traceback."""
    (project / "pyproject.toml").write_text(f"[tool.detcheck]\n{settings}\n")
    done = run_pytest(project, *argv)
    assert done.returncode == 4
    assert all(word in done.stderr + done.stdout for word in words), done.stderr
    assert "Traceback" not in done.stderr + done.stdout
