"""Standard streams that are closed, full or read-only: a verdict is kept or said to be lost, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from cli_project import Project, child_environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")

#: commands of every sort: settings, reports on standard output, a binary stream, the library's own help
COMMANDS = (
    "run -q step",
    "run -q --json - step",
    "dump step",
    "list",
    "explain exits",
    "config",
    "--version",
    "--help",
    "vectors make --backend fixed_point_16_16 -n 1 --op add",
)


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A command line with its redirections."""
    command = f"{sys.executable} -m detcheck {line}"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=child_environment())


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_stream_is_never_a_divergence(project: Project, command: str) -> None:
    """Without standard error or input the exit stays; without standard output it is 2 in words."""
    for redirections in ("2>&-", "<&-", "2>&- <&-"):
        done = shell(f"{command} {redirections}")
        assert done.returncode == 0, redirections
        assert "error" not in done.stderr
        assert done.stdout
    for redirections in (">&-", ">&- <&-"):
        done = shell(f"{command} {redirections}")
        assert done.returncode == 2, redirections
        assert done.stderr.endswith("error: standard output is closed\n")
    assert shell(f"{command} >&- 2>&- <&-").returncode == 2


def test_a_red_run_keeps_its_verdict_without_standard_error(project: Project) -> None:
    """A divergence is 1 whether or not remarks can be shown."""
    path = project.golden("step")
    text = path.read_text()
    path.write_text(text[:-2] + ("0" if text[-2] != "0" else "1") + "\n")
    for redirections in ("", "2>&-", "2</dev/null", "<&- 2>&-"):
        done = shell(f"run step {redirections}")
        assert done.returncode == 1
        assert "diverged" in done.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_stream_is_answered_for(project: Project) -> None:
    """A full standard output is 2 without Python's error number; a full standard error changes nothing."""
    for command in COMMANDS:
        done = shell(f"{command} > /dev/full")
        assert done.returncode == 2, command
        assert "standard output" in done.stderr
        assert "No space left on device" in done.stderr
        assert "Errno" not in done.stderr
        assert done.stderr.count("error: ") == 1
        assert shell(f"{command} 2> /dev/full").returncode == 0, command


def test_a_file_opened_later_never_becomes_standard_output(project: Project) -> None:
    """With descriptor 1 closed, what a dump or a report is written to stays apart from what is printed."""
    assert shell("run step --json out.json >&-").returncode == 2
    text = (project.folder / "out.json").read_text()
    assert text.startswith("{")
    assert text.endswith("}\n")
