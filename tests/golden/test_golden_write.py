"""Writing goldens: old or new, whole, whenever the writer is killed; reasons; what is unreferenced."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from hand_built import identity
from test_golden_read import checkpoint, sample

from detcheck.dumps.atomic import AtomicFile, write_atomically
from detcheck.errors import DetcheckError
from detcheck.golden.golden import checked_reason, golden_path, make_golden, render, states_path, unreferenced
from detcheck.golden.read import read_golden
from detcheck.golden.write import write_golden

WRITER = """
import sys
from detcheck.dumps.atomic import write_atomically
path, size = sys.argv[1], int(sys.argv[2])
print("ready", flush=True)
turn = 0
while True:
    turn += 1
    write_atomically(path, bytes([97 + turn % 26]) * size)
"""


def test_killed_at_any_moment_the_file_is_whole(tmp_path: Path) -> None:
    """A writer killed at random moments leaves content of one write, complete, never a mixture or a part."""
    rnd = Random(1)
    path = tmp_path / "golden.txt"
    size = 300_000
    path.write_bytes(b"A" * size)
    left_over = 0
    for _ in range(6):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(size)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"ready"
        time.sleep(rnd.random() * 0.05)
        process.kill()
        process.wait()
        process.stdout.close()
        content = path.read_bytes()
        assert len(content) == size
        assert len(set(content)) == 1
        left_over += len([name for name in os.listdir(tmp_path) if name.startswith(".detcheck-")])
    for name in os.listdir(tmp_path):
        os.utime(tmp_path / name, (0, 0))
    write_atomically(path, b"new")
    assert os.listdir(tmp_path) == ["golden.txt"]
    assert path.read_bytes() == b"new"


def test_an_exception_leaves_the_old_content_and_nothing_else(tmp_path: Path) -> None:
    """Leaving without commit, an interrupt included, leaves the target and no temporary file."""
    path = tmp_path / "golden.txt"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        _interrupted(path)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["golden.txt"]


def _interrupted(path: Path) -> None:
    with AtomicFile(path) as file:
        file.stream.write(b"half")
        raise KeyboardInterrupt


def test_a_failing_rename_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the last step fails the fault is named and nothing is left behind."""
    path = tmp_path / "golden.txt"
    path.write_bytes(b"old")

    def refuse(source: object, target: object) -> None:
        raise PermissionError(13, "no")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(DetcheckError, match=r"golden\.txt: cannot be written: no"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["golden.txt"]


def test_what_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    """A folder or a FIFO in its place, a folder that is a file, a NUL in the name."""
    (tmp_path / "plain").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "fifo")
    else:
        (tmp_path / "fifo").mkdir()
    for path in (tmp_path / "folder", tmp_path / "fifo", tmp_path / "plain" / "golden.txt", str(tmp_path / "a\0b")):
        with pytest.raises(DetcheckError) as caught:
            write_golden(path, sample())
        assert caught.value.code == "file.write"


def test_another_process_still_writing_is_left_alone(tmp_path: Path) -> None:
    """A fresh temporary file of the same target is not taken for a left-over."""
    path = tmp_path / "golden.txt"
    with AtomicFile(path) as other:
        other.stream.write(b"other")
        write_atomically(path, b"mine")
        other.commit()
    assert path.read_bytes() == b"other"


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """Writing through a symbolic link replaces what it points to."""
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "golden.txt"
    target.write_bytes(b"old")
    link = tmp_path / "golden.txt"
    link.symlink_to(target)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_mode_follows_the_umask(tmp_path: Path) -> None:
    """A new golden can be read by whoever may read new files here, unlike a private temporary file."""
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    write_golden(tmp_path / "golden.txt", sample())
    assert (tmp_path / "golden.txt").stat().st_mode == plain.stat().st_mode


@pytest.mark.parametrize("reason", ["", "  ", "a\nb", "a\tb", "x" * 201, "a\x1b[31m", "a\u202eb", "\ud800"])
def test_reasons_that_cannot_stand_in_a_header(reason: str) -> None:
    """One line of 1 to 200 printable characters, or a fault."""
    with pytest.raises(DetcheckError) as caught:
        checked_reason(reason)
    assert caught.value.code == "golden.reason"
    assert str(caught.value).isprintable() or "\n" in str(caught.value)


@pytest.mark.parametrize("reason", ["x", "y" * 200, "  trimmed  ", "größer — 変更 # every 1"])
def test_reasons_that_can(tmp_path: Path, reason: str) -> None:
    """Any printable line survives the file."""
    golden = make_golden(identity(), 1, 0, reason, [checkpoint(0)])
    write_golden(tmp_path / "g.txt", golden)
    assert read_golden(tmp_path / "g.txt").reason == reason.strip()
    assert render(read_golden(tmp_path / "g.txt")) == render(golden)


def test_unreferenced_names_only_files_of_the_layout(tmp_path: Path) -> None:
    """Goldens and states no scenario owns; not the owned ones, temporaries, notes or hidden folders."""
    owned = golden_path(tmp_path, "duel", "fixed_point_16_16")
    paths = {
        "owned": owned,
        "states": states_path(owned),
        "old": golden_path(tmp_path, "duel", "float_pinned_32"),
        "gone": golden_path(tmp_path, "gone", "fixed_point_16_16"),
        "gone states": states_path(golden_path(tmp_path, "gone", "fixed_point_16_16")),
        "note": tmp_path / "duel" / "README.md",
        "left over": tmp_path / "duel" / ".detcheck-fixed_point_16_16.txt-1.tmp",
        "hidden": tmp_path / ".git" / "x.txt",
        "top": tmp_path / "notes.txt",
    }
    for path in paths.values():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    found = unreferenced(tmp_path, [("duel", "fixed_point_16_16")])
    assert found == (paths["old"], paths["gone states"], paths["gone"])
    assert unreferenced(tmp_path / "nothing", []) == ()
