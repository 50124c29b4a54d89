"""What is there and cannot be read is said, never taken for missing: goldens, settings, what init would write."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli_project import FIXED, FLOAT, WRAPPING, Project

from detcheck.golden.read import golden_is_there
from detcheck.numbers.fixed_point_16_16 import FixedPoint1616

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")

Spoil = Callable[[Path], object]


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


#: what can stand where a file is expected, and a word of what is said of it
KINDS: tuple[tuple[Spoil, str], ...] = (
    (os.mkfifo, "FIFO"),
    (Path.mkdir, "directory"),
    (_loop, "loop"),
    (lambda path: path.symlink_to("nowhere"), "not there"),
)


@pytest.fixture(autouse=True)
def _impatient() -> Iterator[None]:
    """What waits for the other end of a pipe fails instead of hanging."""

    def late(number: int, frame: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def refuse(monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    """The system denies everything below a folder, as it does an unprivileged user (root is never denied)."""
    for name in ("lstat", "stat"):
        real = getattr(os, name)

        def denied(path: object, *more: object, _real: Callable[..., object] = real, **named: object) -> object:
            if isinstance(path, str | Path) and f"{folder}{os.sep}" in str(path):
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
            return _real(path, *more, **named)

        monkeypatch.setattr(os, name, denied)


def test_a_golden_folder_without_permission_is_no_missing_golden(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """run, list, regen: 2 and `Permission denied`; never `no golden`, never `new`."""
    before = project.files()
    refuse(monkeypatch, f"golden{os.sep}step")
    run = project.run("run")
    assert run.code == 2
    assert run.has("cannot be read: Permission denied", "let this user read it", "3 errors, 2 equal")
    assert not run.has("no golden")
    listed = project.run("list", "step")
    assert listed.code == 2
    assert listed.has("unreadable golden", "Permission denied")
    assert not listed.has("no golden")
    for argv in (["--check"], ["--yes", "--reason", "x"]):
        regen = project.run("regen", "step", *argv)
        assert regen.code == 2
        assert regen.has("not recorded", "Permission denied", "3 not recorded")
        assert not regen.has("new")
    monkeypatch.undo()
    assert project.files() == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root is never denied")
def test_a_folder_that_the_system_closes(project: Project) -> None:
    """The same with a real folder without permissions."""
    folder = project.golden("step").parent
    folder.chmod(0)
    try:
        done = project.run("run", "step")
        assert done.code == 2
        assert done.has("Permission denied")
    finally:
        folder.chmod(0o755)


def test_a_file_or_a_loop_in_place_of_a_folder_is_no_missing_golden(project: Project) -> None:
    """--golden with a file, a scenario's folder that is a file, a loop or a link to nothing: 2."""
    done = project.run("run", "step", "--golden", "scenarios/step.toml")
    assert done.code == 2
    assert done.has("cannot be read", "--golden DIR")
    folder = project.golden("step").parent
    folder.rename(project.folder / "away")
    for spoil in (Path.touch, _loop, lambda path: path.symlink_to("nowhere"), os.mkfifo):
        spoil(folder)
        for argv in (["run", "step"], ["list", "step"], ["regen", "step", "--yes"]):
            done = project.run(*argv)
            assert done.code == 2, (argv, done)
            assert done.has("cannot be read")
            assert not done.has("no golden")
        folder.unlink()
    assert project.run("run", "step").code == 3  # nothing at all is a missing golden


@pytest.mark.parametrize(("spoil", "word"), KINDS)
def test_a_golden_that_is_no_file_is_not_replaced(project: Project, spoil: Spoil, word: str) -> None:
    """A folder, a pipe, a loop at a golden's place: run and regen say so (2), the others are compared."""
    path = project.golden("step", FLOAT)
    path.unlink()
    spoil(path)
    run = project.run("run", "step")
    assert run.code == 2
    assert run.has("1 error, 2 equal")
    if word != "not there":
        regen = project.run("regen", "step", "--yes", "--reason", "x")
        assert regen.code == 2
        assert regen.has("2 unchanged, 1 not recorded: nothing to write")


@pytest.mark.parametrize("spoil", [kind for kind, _ in KINDS])
def test_states_that_are_no_file_are_a_remark(project: Project, spoil: Spoil, monkeypatch: pytest.MonkeyPatch) -> None:
    """A states file is a convenience: whatever stands there, the verdict stays."""
    spoil(project.folder / "golden" / "step" / f"{FIXED}.states.jsonl.gz")
    assert project.run("run", "step").code == 0
    monkeypatch.setattr(FixedPoint1616, "mul", staticmethod(lambda a, b: ((a * b) >> 16) + 1))
    done = project.run("run", "step", "--backend", FIXED, "--executor", "reference")
    assert done.code == 1
    assert done.has("the states file was not used")


@pytest.mark.parametrize(("spoil", "word"), KINDS)
def test_a_settings_file_that_is_no_file_is_refused(empty: Project, spoil: Spoil, word: str) -> None:
    """The nearest pyproject.toml counts; one that cannot be read is never passed over for one above or none."""
    inner = empty.folder / "inner"
    inner.mkdir()
    (empty.folder / "pyproject.toml").write_text("[tool.detcheck]\njobs = 7\n")
    spoil(inner / "pyproject.toml")
    os.chdir(inner)
    for command in ("config", "run", "list"):
        done = empty.run(command)
        assert done.code == 2
        assert done.out == ""
        assert done.has("pyproject.toml", word, "[tool.detcheck]"), done


@pytest.mark.parametrize("name", ["pyproject.toml", ".gitattributes", ".github/workflows/detcheck.yml"])
@pytest.mark.parametrize(("spoil", "word"), KINDS)
def test_init_writes_nothing_where_something_is_in_the_way(empty: Project, name: str, spoil: Spoil, word: str) -> None:
    """A pipe, a folder, a loop, a link to nothing: 2 before anything is written, and init does not wait."""
    path = empty.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    spoil(path)
    for folder in (".", str(empty.folder)):
        done = empty.run("init", folder)
        assert done.code == 2
        assert done.has(path.name, word)
        assert empty.files() == {}
        assert not (empty.folder / "scenarios").exists()


@pytest.mark.parametrize("name", ["scenarios", "golden", ".github", ".github/workflows", "golden/first"])
def test_init_looks_at_its_folders_first(empty: Project, name: str) -> None:
    """A file where a folder is needed: 2, nothing is written."""
    path = empty.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine")
    before = empty.files()
    done = empty.run("init")
    assert done.code == 2
    assert done.has(name, "is not a folder")
    assert empty.files() == before


def test_init_finds_a_name_that_no_file_system_has(tmp_path: Path) -> None:
    """A golden's place whose name is too long cannot be there: said, not `missing`."""
    with pytest.raises(Exception, match="cannot be read"):
        golden_is_there(tmp_path / ("x" * 5000) / "y.txt")
    assert not golden_is_there(tmp_path / "no" / "where" / "y.txt")


def test_a_line_break_in_a_file_name_forges_no_line(project: Project) -> None:
    """list, list -q, check, run and regen show control characters of a name as escapes."""
    name = f"x\nduel: equal\r\n  {WRAPPING}  golden\x1b[2J"
    (project.folder / "scenarios" / f"{name}.toml").write_text("")
    for argv in (["list"], ["list", "-q"], ["check"], ["run"], ["regen"], ["regen", "--check"]):
        done = project.run(*argv)
        assert done.code in (1, 2)
        lines = (done.out + done.err).splitlines()
        assert "duel: equal" not in lines
        assert not any("\x1b" in line or "\r" in line for line in lines)
        assert any("x\\nduel: equal" in line for line in lines)
