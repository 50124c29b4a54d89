"""`detcheck config`: each value and where it came from, by the order flag, environment, file, default."""

from __future__ import annotations

import pytest
from cli_project import FIXED, FLOAT, Project

NAMES = ("scenarios", "golden", "backends", "executor", "jobs", "color")


def values(project: Project, *argv: str) -> dict[str, tuple[str, str]]:
    """name -> (value, where from)."""
    done = project.run("config", *argv)
    assert done.code == 0, done
    rows = (line.split("  from ") for line in done.out.splitlines()[: len(NAMES)])
    return {left.split()[0]: (" ".join(left.split()[1:]), origin) for left, origin in rows}


def test_defaults(empty: Project) -> None:
    """Without anything set, every value a run would take, from default."""
    found = values(empty)
    assert tuple(found) == NAMES
    assert {origin for _, origin in found.values()} == {"default"}
    assert found["scenarios"][0] == "scenarios"
    assert found["golden"][0] == "golden"
    assert found["executor"][0] == "auto"


def test_flag_over_environment_over_file(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other is laid over what is below it, and each says where it came from."""
    text = f'scenarios = "a"\ngolden = "g"\nbackends = ["{FIXED}"]\nexecutor = "reference"\njobs = 2\ncolor = "never"\n'
    (empty.folder / "pyproject.toml").write_text(f"[tool.detcheck]\n{text}")
    found = values(empty)
    assert {origin for _, origin in found.values()} == {"pyproject.toml"}
    assert [value for value, _ in found.values()] == ["a", "g", FIXED, "reference", "2", "never"]
    for name, value in zip(NAMES, ("b", "h", FLOAT, "generated", "3", "auto"), strict=True):
        monkeypatch.setenv(f"DETCHECK_{name.upper()}", value)
    found = values(empty)
    assert [origin for _, origin in found.values()] == [f"$DETCHECK_{name.upper()}" for name in NAMES]
    assert [value for value, _ in found.values()] == ["b", "h", FLOAT, "generated", "3", "auto"]
    flags = [
        "--scenarios",
        "c",
        "--golden",
        "i",
        "--backend",
        FIXED,
        "--executor",
        "auto",
        "-j",
        "4",
        "--color",
        "never",
    ]
    found = values(empty, *flags)
    assert {origin for _, origin in found.values()} == {"command line"}
    assert [value for value, _ in found.values()] == ["c", "i", FIXED, "auto", "4", "never"]


def test_the_golden_folder_follows_the_scenarios(empty: Project) -> None:
    """Unset, it is shown as what it comes to: beside the scenarios folder."""
    assert values(empty, "--scenarios", "deep/sims")["golden"] == ("deep/golden", "default")


def test_paths_of_a_file_above_are_seen_from_here(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a subfolder the nearest pyproject is a parent's, and its paths are relative to it."""
    (empty.folder / "pyproject.toml").write_text('[tool.detcheck]\nscenarios = "sims"\n')
    (empty.folder / "sub").mkdir()
    monkeypatch.chdir(empty.folder / "sub")
    value, origin = values(empty)["scenarios"]
    assert value.replace("\\", "/") == "../sims"
    assert origin.endswith("pyproject.toml")


def test_the_nearest_file_is_the_only_one(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pyproject without the table hides one above that has it."""
    (empty.folder / "pyproject.toml").write_text("[tool.detcheck]\njobs = 7\n")
    (empty.folder / "sub").mkdir()
    (empty.folder / "sub" / "pyproject.toml").write_text("")
    monkeypatch.chdir(empty.folder / "sub")
    assert values(empty)["jobs"] == ("1", "default")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('colour = "never"', ["unknown key 'colour'", "did you mean color?"]),
        ('sceanrios = "x"\nJobs = 2', ["unknown keys 'sceanrios', 'Jobs'", "did you mean scenarios and jobs?"]),
        ("zzz = 1", ["unknown key 'zzz'", "known keys: scenarios, golden"]),
        ('"a\\u001bb|" = 1', ["unknown key 'a\\\\x1bb|'"]),
        ("jobs = 0", ["jobs", "0"]),
        ('jobs = "2"', ["jobs is not an integer"]),
        ("jobs = true", ["jobs is not an integer"]),
        ('color = "blue"', ["blue", "auto"]),
        ("scenarios = 3", ["scenarios is not a text"]),
        (f'backends = "{FIXED}"', ["backends is not a list"]),
    ],
)
def test_what_the_file_cannot_say_is_refused(empty: Project, text: str, words: list[str]) -> None:
    """Unknown keys and values of the wrong kind: exit 2 with the file, for config and run alike."""
    (empty.folder / "pyproject.toml").write_text(f"[tool.detcheck]\n{text}\n")
    for command in ("config", "run"):
        done = empty.run(command)
        assert done.code == 2
        assert done.out == ""
        assert done.has("pyproject.toml", *words), done
        assert "\x1b" not in done.err


@pytest.mark.parametrize(("name", "value"), [("JOBS", "9" * 5000), ("JOBS", "-1"), ("COLOR", "x\x1b")])
def test_what_the_environment_cannot_say_is_refused(
    empty: Project, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """Exit 2 with the variable's name."""
    monkeypatch.setenv(f"DETCHECK_{name}", value)
    done = empty.run("config")
    assert done.code == 2
    assert done.has(f"DETCHECK_{name}")
    assert "\x1b" not in done.err
