"""Temporary files of killed recordings: named, and removed by the next regen that writes; nothing else is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_project import FIXED, FLOAT, Project, child_environment

from detcheck.dumps.atomic import AtomicFile, is_abandoned, temporary_target

KILLED = """
import os, sys
from detcheck.dumps.atomic import AtomicFile
file = AtomicFile(sys.argv[1])
file.stream.write(b"half")
file.stream.flush()
os._exit(9)
"""


def kill_a_writer(path: Path) -> Path:
    """What a process killed while it wrote `path` leaves."""
    before = set(path.parent.iterdir())
    subprocess.run([sys.executable, "-c", KILLED, str(path)], env=child_environment(), check=False)
    (left,) = set(path.parent.iterdir()) - before
    return left


def test_what_a_killed_regen_left_is_named_and_goes_with_the_next(project: Project) -> None:
    """--check and a pipe name it; --yes removes it, whether or not there is anything else to write."""
    left = [
        kill_a_writer(project.golden("step")),
        kill_a_writer(project.golden("duel").with_name(f"{FLOAT}.states.jsonl.gz")),
    ]
    for argv in (["--check"], []):
        done = project.run("regen", *argv)
        assert done.code == 0
        assert all(done.has(f"left over golden/{path.parent.name}/{path.name}") for path in left)
        assert all(path.exists() for path in left)
    done = project.run("regen", "--yes")
    assert done.code == 0
    assert done.has("5 unchanged: nothing to write, 2 left over removed")
    assert not any(path.exists() for path in left)
    assert not project.run("regen", "--check").has("left over")


def test_a_filtered_regen_looks_at_its_own_folders(project: Project) -> None:
    """What belongs to another scenario is left to its own regen."""
    mine, other = kill_a_writer(project.golden("step")), kill_a_writer(project.golden("duel"))
    done = project.run("regen", "step", "--yes")
    assert done.has(mine.name, "1 left over removed")
    assert not mine.exists()
    assert other.exists()


def test_only_our_own_files_go(project: Project) -> None:
    """Other names, folders, links, pipes and files outside a scenario's folder stay and are not named."""
    folder = project.golden("step").parent
    name = f".detcheck-{FIXED}.txt-0123456789ab.tmp"
    kept = [
        folder / f".detcheck-{FIXED}.txt-0123456789a.tmp",
        folder / f".detcheck-{FIXED}.txt-0123456789AB.tmp",
        folder / f"x.detcheck-{FIXED}.txt-0123456789ab.tmp",
        folder / ".detcheck-notes.md-0123456789ab.tmp",
        folder / f".detcheck-{FIXED}.txt-0123456789ab.tmp.bak",
        folder.parent / name,
        project.folder / name,
    ]
    for path in kept:
        path.write_text("mine")
    (folder / name).mkdir()
    (folder / name.replace("0", "1")).symlink_to(kept[0])
    done = project.run("regen", "--yes")
    assert done.code == 0
    assert not done.has("left over")
    assert all(path.read_text() == "mine" for path in kept)
    assert (folder / name).is_dir()
    assert (folder / name.replace("0", "1")).is_symlink()


def test_a_file_that_is_being_written_is_not_left_over(project: Project) -> None:
    """Another regen at work keeps its temporary file, however old it is."""
    pytest.importorskip("fcntl")
    with AtomicFile(project.golden("step")) as file:
        (temporary,) = project.golden("step").parent.glob(".detcheck-*")
        os.utime(temporary, (0, 0))
        assert not project.run("regen", "--yes").has("left over")
        assert temporary.exists()
        file.discard()


def test_a_temporary_name_says_what_it_was_to_become(tmp_path: Path) -> None:
    """The name that is written is the name that is recognised."""
    with AtomicFile(tmp_path / "a-b.txt"):
        (name,) = os.listdir(tmp_path)
        assert temporary_target(name) == "a-b.txt"
    assert temporary_target("a-b.txt") is None
    assert not is_abandoned(tmp_path / "nothing")
