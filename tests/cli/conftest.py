"""Projects for command line tests. Environment variables that change what a command does are taken away."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cli_project import DUEL, STEP, Project

VARIABLES = (
    "NO_COLOR",
    "FORCE_COLOR",
    "CI",
    "GITHUB_ACTIONS",
    "GITHUB_STEP_SUMMARY",
    "GITHUB_WORKSPACE",
    "COLUMNS",
    "TERM",
)


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    import os

    # what failed last time is remembered for the user; a test's user is new
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))

    for name in (*VARIABLES, *(n for n in os.environ if n.startswith("DETCHECK_") and n != "DETCHECK_EXAMPLES")):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Project:
    """A project folder with nothing in it."""
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path, capsys)


@pytest.fixture(scope="session")
def _recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {}


@pytest.fixture
def project(empty: Project, _recorded: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Project:
    """duel (two backends) and step (three), with goldens recorded once a session."""
    if "folder" not in _recorded:
        empty.scenario("duel", DUEL)
        empty.scenario("step", STEP)
        empty.record()
        folder = tmp_path_factory.mktemp("recorded")
        for name in ("scenarios", "golden"):
            shutil.copytree(empty.folder / name, folder / name)
        _recorded["folder"] = folder
        return empty
    for name in ("scenarios", "golden"):
        shutil.copytree(_recorded["folder"] / name, empty.folder / name)
    return empty
