"""What failed last time is remembered outside the project, and a broken memory is as good as none."""

from __future__ import annotations

from pathlib import Path

import pytest

from detcheck.model.run_report import ScenarioResult
from detcheck.runner.last_failed import cache_file, read_failed, remember


def result(scenario: str, verdict: str) -> ScenarioResult:
    return ScenarioResult(scenario, "fixed_point_16_16", "reference", verdict, "")


def test_remembers_what_failed_and_forgets_what_passed(tmp_path: Path) -> None:
    """A later run changes only what it ran."""
    file = cache_file(tmp_path / "scenarios", {"XDG_CACHE_HOME": str(tmp_path / "cache")})
    remember(file, [result("a", "diverged"), result("b", "equal"), result("c", "error")])
    assert [name for name, _ in read_failed(file)] == ["a", "c"]
    remember(file, [result("a", "equal"), result("d", "inconclusive")])
    assert [name for name, _ in read_failed(file)] == ["c", "d"]


def test_two_folders_have_two_memories(tmp_path: Path) -> None:
    """The memory belongs to one scenarios folder, however it is spelled."""
    env = {"XDG_CACHE_HOME": str(tmp_path)}
    (tmp_path / "a").mkdir()
    assert cache_file(tmp_path / "a", env) == cache_file(tmp_path / "a" / ".." / "a", env)
    assert cache_file(tmp_path / "a", env) != cache_file(tmp_path / "b", env)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"version":2,"failed":[["a","b"]]}', '{"version":1,"failed":[1]}'])
def test_a_broken_memory_is_none(tmp_path: Path, text: str) -> None:
    """Nothing in the file can fail a run."""
    file = tmp_path / "memory.json"
    file.write_text(text)
    assert read_failed(file) == ()


def test_a_memory_that_cannot_be_written_is_silent(tmp_path: Path) -> None:
    """A file where the folder should be: nothing is said, nothing is raised."""
    (tmp_path / "detcheck").write_text("")
    remember(tmp_path / "detcheck" / "x.json", [result("a", "diverged")])
    assert read_failed(tmp_path / "detcheck" / "x.json") == ()
