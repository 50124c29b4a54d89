"""What a command line selects, and the files it may name."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_project import DUEL, FIXED, FLOAT, STEP, WRAPPING

from detcheck.errors import DetcheckError
from detcheck.runner.found import golden_folder_of, home_of, scenario_files
from detcheck.runner.selection import NothingSelected, check_backends, is_file_argument, select


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """scenarios/duel.toml, scenarios/deep/step.toml and a file that is no scenario."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenarios/deep").mkdir(parents=True)
    (tmp_path / "scenarios/duel.toml").write_text(DUEL)
    (tmp_path / "scenarios/deep/step.toml").write_text(STEP)
    (tmp_path / "scenarios/notes.txt").write_text("")
    return tmp_path


def chosen(*arguments: str, backends: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """(name, backend) of every selected replay."""
    return [(p.selected.name, p.backend) for p in select(arguments, "scenarios", None, backends).pairs]


def test_all_is_every_scenario_by_name_with_its_backends(folder: Path) -> None:
    """No argument: subfolders too, sorted by name, backends in the table's order."""
    assert chosen() == [("duel", FIXED), ("duel", FLOAT), ("step", FIXED), ("step", WRAPPING), ("step", FLOAT)]


def test_arguments_keep_their_order_and_select_once(folder: Path) -> None:
    """The same scenario by name, glob and path is one; the order is that of the arguments."""
    names = [name for name, _ in chosen("step", "*", "./scenarios/duel.toml", backends=(FIXED,))]
    assert names == ["step", "duel"]


@pytest.mark.parametrize(
    ("argument", "is_file"),
    [("a/b", True), ("a.toml", True), ("./x", True), ("a*", False), ("a", False), ("a/*", True)],
)
def test_what_is_a_file_argument(argument: str, is_file: bool) -> None:
    """With / or ending .toml a file, else a name or glob."""
    assert is_file_argument(argument) == is_file


def test_nothing_selected_is_exit_4_and_missing_is_2(folder: Path) -> None:
    """A glob or backend filter that leaves nothing; a name, file, folder or backend that is not there."""
    for arguments, backends in ((("x*",), ()), (("duel",), (WRAPPING,))):
        with pytest.raises(NothingSelected) as nothing:
            chosen(*arguments, backends=backends)
        assert nothing.value.exit_code == 4
    for arguments, backends in ((("x",), ()), (("x.toml",), ()), (("deep/",), ()), ((), ("fixed",))):
        with pytest.raises(DetcheckError) as missing:
            chosen(*arguments, backends=backends)
        assert missing.value.exit_code == 2


def test_goldens_lie_beside_the_scenarios_folder(folder: Path) -> None:
    """By name and path below the folder alike; a file elsewhere has the nearest `scenarios` above it."""
    (file,) = [f for f in scenario_files(Path("scenarios"), None) if f.name == "step"]
    assert file.golden_folder == Path("golden")
    elsewhere = folder / "other/scenarios/sub/x.toml"
    assert golden_folder_of(home_of(elsewhere)) == folder / "other/golden"
    assert golden_folder_of(home_of(folder / "lone/x.toml")) == folder / "golden"
    selected = select(["scenarios/deep/step.toml"], "nowhere")
    assert selected.scenarios[0].file.golden_folder == folder / "golden"


def test_a_broken_file_keeps_its_fault_beside_the_others(folder: Path) -> None:
    """One file that is no scenario: the rest is selected."""
    (folder / "scenarios/bad.toml").write_text("[")
    selection = select([], "scenarios")
    assert [b.name for b in selection.broken] == ["bad"]
    assert len(selection.pairs) == 5


def test_twins_are_both_told_of_the_other(folder: Path) -> None:
    """One name in two files below the folder, or chosen twice from two places: both are faults."""
    (folder / "scenarios/deep/duel.toml").write_text(DUEL)
    selection = select([], "scenarios")
    assert [b.name for b in selection.broken] == ["duel", "duel"]
    (folder / "other").mkdir()
    (folder / "other/step.toml").write_text(STEP)
    both = select(["step", "other/step.toml"], "scenarios")
    assert [b.fault.code for b in both.broken if b.fault] == ["selection.twin"] * 2


def test_left_out_backends_are_remarks(folder: Path) -> None:
    """A backend asked for that a scenario does not run on: a remark that names what it runs on."""
    selection = select([], "scenarios", None, (WRAPPING,))
    assert [p.selected.name for p in selection.pairs] == ["step"]
    assert selection.remarks == (f"duel: left out on {WRAPPING}; it runs on {FIXED}, {FLOAT}",)
    assert selection.filtered
    assert not select([], "scenarios").filtered


def test_backends_are_in_the_tables_order_once() -> None:
    """However they are asked for."""
    assert check_backends([FLOAT, FIXED, FLOAT]) == (FIXED, FLOAT)
