"""Folders that hold something beside the files of one tick each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from detcheck.compare.api import diff
from detcheck.model.comparison import Comparison

BESIDE: dict[str, str | bytes] = {
    "notes.dat": "loading textures\nready\n",
    "setup.ini": "[video]\nwidth=640\nheight=480\n",
    "info.json": '{"players": 4, "map_name": "Delta"}',
    "nothing.log": "",
    "thumb.dat": b"\x00\x01\x02\xff" * 9,
    "draws.txt": "draws: 7\n",
}


def states(changed_from: int = 99, turned: bool = False) -> dict[str, str]:
    """A file a tick, 20 to 29."""
    files = {}
    for tick in range(20, 30):
        ships = [{"id": one, "fuel": one * tick + (tick >= changed_from and one == 5)} for one in (3, 5, 9)]
        files[f"world_{tick:04d}.json"] = json.dumps({"ships": ships[:: -1 if turned else 1]})
    return files


def compared(path: Path, a: dict[str, str | bytes], b: dict[str, str | bytes]) -> Comparison:
    """Two folders of files, compared."""
    for side, files in (("a", a), ("b", b)):
        for name, data in files.items():
            (path / side / name).parent.mkdir(parents=True, exist_ok=True)
            (path / side / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return diff(str(path / "a"), str(path / "b"))


@pytest.mark.parametrize("name", [*BESIDE, "all"])
def test_an_odd_file_does_not_spoil_the_others(tmp_path: Path, name: str) -> None:
    """Each file is read by what it is; the ticks come from the names of those that have one."""
    odd = BESIDE if name == "all" else {name: BESIDE[name]}
    found = compared(tmp_path / "x", {**states(), **odd}, {**states(26), **odd})
    assert (found.verdict, found.first_divergent_tick, found.last_equal_tick) == ("diverged", 26, 25)
    assert found.findings[0].path == "ships[id=5].fuel"
    same = compared(tmp_path / "y", {**states(), **odd}, {**states(turned=True), **odd})
    assert same.verdict == "same"


@pytest.mark.parametrize("name", ["notes.dat", "nothing.log", "thumb.dat"])
def test_what_is_left_out_is_told(tmp_path: Path, name: str) -> None:
    """A file that is no dump, or empty, is named on both sides."""
    found = compared(tmp_path, {**states(), name: BESIDE[name]}, {**states(), name: BESIDE[name]})
    assert {side for note in found.notes for side in "ab" if note.startswith(f"{side}: {name}")} == {"a", "b"}


@pytest.mark.parametrize(("name", "old", "new"), [("info.json", "4", "5"), ("draws.txt", "7", "8")])
def test_a_state_beside_the_ticks_is_compared(tmp_path: Path, name: str, old: str, new: str) -> None:
    """What differs only there is a difference, told with the file's name; behind a tick that differs it is no first."""
    data = str(BESIDE[name])
    found = compared(tmp_path / "x", {**states(), name: data}, {**states(), name: data.replace(old, new)})
    assert (found.verdict, name in found.reason) == ("diverged", True)
    both = compared(tmp_path / "y", {**states(), name: data}, {**states(23), name: data.replace(old, new)})
    assert (both.first_divergent_tick, both.findings[0].path) == (23, "ships[id=5].fuel")


@pytest.mark.parametrize("dump", ["state_0015.json", "late.json"])
@pytest.mark.parametrize("hashes", ["checksums.log", "a_hashes.txt"])
def test_hashes_beside_a_dump(tmp_path: Path, dump: str, hashes: str) -> None:
    """The first bad hash is the divergence; the dump shows what differs later, and says how much later."""
    sides = []
    for bad in (False, True):
        lines = "".join(f"tick {n} crc {n * 0x9E3779B1 + (bad and n >= 11):08x}\n" for n in range(20))
        state = {"tick": 15, "units": [{"id": 4, "x": 7 + bad}]}
        sides.append({hashes: lines, dump: json.dumps(state)})
    found = compared(tmp_path, *sides)
    assert (found.verdict, found.first_divergent_tick, found.last_equal_tick) == ("diverged", 11, 10)
    assert any("4 ticks later" in note and "units[id=4].x" in note for note in found.notes)


def test_files_of_a_tick_in_a_folder_below(tmp_path: Path) -> None:
    """A file of another name with the number of a tick is of that tick."""
    found = compared(
        tmp_path,
        {**states(), "ai/plan_0024.json": '{"goal": 1}', "draws.txt": "draws: 7\n"},
        {**states(), "ai/plan_0024.json": '{"goal": 2}', "draws.txt": "draws: 7\n"},
    )
    assert (found.first_divergent_tick, found.last_equal_tick) == (24, 23)
    assert found.findings[0].path.endswith("goal")


def test_files_without_a_last_newline_are_whole(tmp_path: Path) -> None:
    """No file of a tick ends in a newline: none of them is cut short, its last line counts."""
    lines = ["id=8 ore=4", "id=6 ore=5", "id=2 ore=6"]
    a = {f"tick{n}.txt": "\n".join(lines) for n in range(5)}
    b = {name: text if name < "tick3" else text.replace("ore=6", "ore=61") for name, text in a.items()}
    found = compared(tmp_path, a, b)
    assert (found.first_divergent_tick, [f.path for f in found.findings]) == (3, ["row[id=2].ore"])
    assert not any("cut short" in note for note in found.notes)


def test_equal_files_beside_unlike_ticks_decide_nothing(tmp_path: Path) -> None:
    """Windows that do not overlap are inconclusive, whatever stands beside them."""
    files: dict[str, str | bytes] = {**states()}
    early = {name: data for name, data in files.items() if name < "world_0024"}
    late = {name: data for name, data in files.items() if name > "world_0025"}
    found = compared(tmp_path, {**early, "draws.txt": "draws: 7\n"}, {**late, "draws.txt": "draws: 7\n"})
    assert (found.verdict, found.findings) == ("inconclusive", ())
