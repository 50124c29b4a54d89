"""What stands beside or behind a dump: documents in a folder, cut tails, bytes that go on, text of no shape."""

from __future__ import annotations

from pathlib import Path

import pytest
from dump_text import opened, records

from detcheck.compare.api import diff
from detcheck.compare.head import is_wall_clock
from detcheck.dumps.readers.warzone import event_of
from detcheck.model.record import Scalar


def _write(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("extra", ["NOTES.md", "summary.log", "screen.png"])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_file_beside_the_ticks(tmp_path: Path, extra: str, swapped: bool) -> None:
    """A document that only one folder has is left out by name, and the ticks are compared."""
    ticks = {f"turn-{n:03}.json": f'{{"gold": {n * 3}}}' for n in range(6)}
    a = _write(tmp_path / "a", {**ticks, extra: "Recorded on the north machine.\n"})
    b = _write(tmp_path / "b", {**ticks, "turn-004.json": '{"gold": 13}'})
    found = diff(b, a) if swapped else diff(a, b)
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 4)
    assert any(extra in note and "left out" in note for note in found.notes)


def test_a_session_of_another_name_is_kept(tmp_path: Path) -> None:
    """Files that name no ticks are all dumps."""
    log = "".join(f"{n} {n * 7919:08x}\n" for n in range(9))
    files = {"alice.log": log, "bob.log": log}
    found = diff(_write(tmp_path / "a", files), _write(tmp_path / "b", {**files, "bob.log": log.replace("5 ", "5 f")}))
    assert found.verdict == "diverged"


def test_a_last_line_without_an_end_keeps_the_record_before_it() -> None:
    """The record says where it was cut, and what it is without that line."""
    found = records("tick=1 hit a=5\ntick=1 hit b=6\ntick=2 hit a=7\ntick=2 hit b=8")
    assert found[0].cut is None
    assert found[1].cut is not None
    assert found[1].cut[0] == 4
    assert (len(found[1].events), len(found[1].cut[1].events)) == (2, 1)


@pytest.mark.parametrize(("last", "verdict"), [("9", "ends_early"), ("95", "same"), ("93", "diverged")])
def test_only_the_beginning_of_a_value_is_a_cut(tmp_path: Path, last: str, verdict: str) -> None:
    """A whole value that differs in a last line without an end is a divergence."""
    text = "tick=1 hit hp=80\ntick=1 hit hp=81\ntick=2 hit hp=90\ntick=2 hit hp=95\n"
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "b.txt").write_text(text[:-3] + last)
    assert diff(tmp_path / "a.txt", tmp_path / "b.txt").verdict == verdict


def test_bytes_that_go_on(tmp_path: Path) -> None:
    """Bytes that are the beginning of the other side's end early."""
    (tmp_path / "a.bin").write_bytes(bytes(range(256)) * 9)
    (tmp_path / "b.bin").write_bytes(bytes(range(256)) * 7)
    assert diff(tmp_path / "a.bin", tmp_path / "b.bin").verdict == "ends_early"
    assert not any("first 0 lines" in note for note in diff(tmp_path / "a.bin", tmp_path / "b.bin").notes)


def test_text_of_no_shape_names_the_options() -> None:
    """Text that only the last resort takes says which options tell how it is read."""
    source = opened("lorem ipsum dolor\nsit amet consectetur\nadipiscing elit sed\n")
    list(source.records)
    assert source.reader == "raw-bytes"
    assert any("--reader" in text and "--tick-field" in text for text in source.remarks)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-01T10:00:00Z", True),
        ("2024-05-01 10:00:00.123456 +02:00", True),
        ("20240501T100000Z", True),
        ("Wed, 01 May 2024 10:00:00 GMT", True),
        ("01.05.2024 10:00", True),
        ("2024.05.1", False),
        ("2025-01-01", False),
        ("20240501", False),
        ("1209876543", False),
    ],
)
def test_a_wall_clock_by_its_value(text: str, expected: bool) -> None:
    """A date with a time of day is when something was written; a version or a seed is not."""
    one = Scalar("str", text, text)
    assert is_wall_clock(one, one) is expected


def test_a_long_warzone_line_is_kept_whole() -> None:
    """A line of no known form is compared to its end."""
    one, other = (event_of("[debug] " + "word " * 200 + end, 1) for end in ("left", "right"))
    assert one.label == other.label
    assert one.fields != other.fields


def test_files_that_are_one_hash_each(tmp_path: Path) -> None:
    """A bare hash in a numbered file is a hash, whatever the file is called."""
    files = {f"sum-{n:04}.out": f"{n * 0x9E3779B97F4A7C15 % 2**64:016x}" for n in range(20, 30)}
    a = _write(tmp_path / "a", files)
    found = diff(a, _write(tmp_path / "b", {**files, "sum-0026.out": "00ff00ff00ff00ff"}))
    assert (found.verdict, found.first_divergent_tick, found.findings[0].path) == ("diverged", 26, "hash")
