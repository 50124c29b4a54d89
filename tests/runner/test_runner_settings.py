"""Settings: which source wins, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from detcheck.errors import DetcheckError
from detcheck.runner.settings import SETTINGS, resolve


def write(folder: Path, text: str) -> Path:
    """A pyproject.toml with this text."""
    path = folder / "pyproject.toml"
    path.write_text(text)
    return path


def test_flag_over_environment_over_file_over_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each source wins over the next, and says that it was the origin."""
    monkeypatch.chdir(tmp_path)
    assert resolve({}, {}, tmp_path)["jobs"].value == "1"
    file = write(tmp_path, "[tool.detcheck]\njobs = 2\n")
    from_file = resolve({}, {}, tmp_path)["jobs"]
    assert (from_file.value, from_file.origin) == ("2", str(file))
    from_environment = resolve({}, {"DETCHECK_JOBS": "3"}, tmp_path)["jobs"]
    assert (from_environment.value, from_environment.origin) == ("3", "$DETCHECK_JOBS")
    from_flag = resolve({"jobs": "4"}, {"DETCHECK_JOBS": "3"}, tmp_path)["jobs"]
    assert (from_flag.value, from_flag.origin) == ("4", "command line")


def test_the_nearest_file_counts_and_its_paths_are_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a subfolder, the file above is found; its paths are relative to it."""
    write(tmp_path, '[tool.detcheck]\nscenarios = "data/scenes"\nbackends = ["float_pinned_32", "fixed_point_16_16"]\n')
    inner = tmp_path / "one/two"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    found = resolve({}, {}, inner)
    assert (inner / str(found["scenarios"].value)).resolve() == (tmp_path / "data/scenes").resolve()
    assert found["backends"].value == "float_pinned_32,fixed_point_16_16"
    write(inner, "[project]\nname = 'x'\n")
    assert resolve({}, {}, inner)["scenarios"].value == "scenarios"


@pytest.mark.parametrize(
    "text",
    [
        "[tool.detcheck]\nscenario = 'x'\n",
        "[tool.detcheck]\njobs = '2'\n",
        "[tool.detcheck]\njobs = true\n",
        "[tool.detcheck]\njobs = 0\n",
        "[tool.detcheck]\ncolor = 'blue'\n",
        "[tool.detcheck]\nscenarios = ''\n",
        "[tool.detcheck]\nbackends = 'x'\n",
        "[tool.detcheck]\nbackends = [1]\n",
        "[tool]\ndetcheck = 3\n",
        "[tool.detcheck\n",
        "a = " + "[" * 3000,
    ],
)
def test_a_wrong_file_is_refused_with_its_name(tmp_path: Path, text: str) -> None:
    """Unknown keys, wrong kinds and values, broken TOML: a fault that names the file."""
    write(tmp_path, text)
    with pytest.raises(DetcheckError) as fault:
        resolve({}, {}, tmp_path)
    assert "pyproject.toml" in str(fault.value)
    assert fault.value.exit_code == 2


@pytest.mark.parametrize("value", ["0", "x", "-1", "999", "²", ""])
def test_a_wrong_number_of_jobs_is_refused(tmp_path: Path, value: str) -> None:
    """Whatever is no number of 1 to 256, from the command line too."""
    with pytest.raises(DetcheckError, match="jobs"):
        resolve({"jobs": value}, {}, tmp_path)


def test_every_setting_has_its_variable() -> None:
    """DETCHECK_ and the key in capitals."""
    assert [s.variable for s in SETTINGS.values()][:2] == ["DETCHECK_SCENARIOS", "DETCHECK_GOLDEN"]
