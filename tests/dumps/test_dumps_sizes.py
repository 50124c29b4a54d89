"""Sizes and faults are told in words: whole units, the file's name, no number of the system's."""

from __future__ import annotations

from pathlib import Path

import pytest

from detcheck.compare.api import diff
from detcheck.dumps import encoding
from detcheck.dumps.options import ReadOptions
from detcheck.dumps.pair import open_pair
from detcheck.dumps.sizes import size_text
from detcheck.errors import DetcheckError


@pytest.mark.parametrize(
    ("size", "told"),
    [(3 << 20, "3 MiB"), (1 << 30, "1 GiB"), (5 << 10, "5 KiB"), (1500, "1,500 bytes"), (0, "0 bytes")],
)
def test_a_size_is_told_in_whole_units(size: int, told: str) -> None:
    """As they are given to --max-record."""
    assert size_text(size) == told


def test_a_line_past_the_limit_is_told_in_units(tmp_path: Path) -> None:
    """The fault of a record that is too long names the limit as it was given."""
    for side in "ab":
        (tmp_path / side).write_text('{"tick":1}\n{"tick":2,"x":"' + side * (2 << 20) + '"}\n')
    with pytest.raises(DetcheckError, match="1 MiB"):
        _read_all(str(tmp_path / "a"), str(tmp_path / "b"), ReadOptions(max_record=1 << 20))


def _read_all(a: str, b: str, options: ReadOptions) -> None:
    for source in open_pair(a, b, options):
        list(source.records)


def test_too_many_nuls_name_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which of the sides begins with them is said."""
    monkeypatch.setattr(encoding, "_MOST_NULS", 1 << 18)
    (tmp_path / "hollow").write_bytes(b"\0" * (1 << 20))
    (tmp_path / "b").write_text("1 0123456789abcdef\n")
    with pytest.raises(DetcheckError, match="256 KiB of NUL bytes") as raised:
        diff(str(tmp_path / "hollow"), str(tmp_path / "b"))
    assert raised.value.where is not None
    assert "hollow" in raised.value.where.file


def test_no_equal_record_is_shown_with_a_context_of_none(tmp_path: Path) -> None:
    """--context 0 means none, --context 1 one."""
    for side in "ab":
        lines = (f'{{"tick":{t},"x":{t + (side == "b" and t == 6)}}}\n' for t in range(9))
        (tmp_path / side).write_text("".join(lines))
    shown = [diff(str(tmp_path / "a"), str(tmp_path / "b"), context=count).context for count in (0, 1)]
    assert [len(one) for one in shown] == [0, 1]
