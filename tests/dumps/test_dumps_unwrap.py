"""Under every shape: paths, pipes, folders, archives, packing, encodings, padding."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import threading
import zipfile
import zlib
from pathlib import Path

import pytest
from dump_text import opened

from detcheck.compare.api import diff
from detcheck.dumps.open import open_source
from detcheck.dumps.options import ReadOptions
from detcheck.dumps.pair import open_pair
from detcheck.dumps.unwrap import natural
from detcheck.errors import DetcheckError
from detcheck.model.record import Record, Source

TEXT = "".join(f'{{"tick": {tick}, "name": "Zoë", "x": {tick}.5}}\n' for tick in range(6))
TICKS = list(range(6))


def ticks(source: Source) -> list[int | None]:
    """The ticks of a source."""
    return [record.tick for record in source.records]


PACKERS = {"gzip": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zlib": zlib.compress}


@pytest.mark.parametrize("name", PACKERS)
def test_packing_is_seen_by_content(name: str) -> None:
    """Once, twice, and several streams one after another."""
    pack = PACKERS[name]
    source = opened(pack(TEXT.encode()), "dump.txt")
    assert (ticks(source), source.wrapping) == (TICKS, (name,))
    twice = opened(gzip.compress(pack(TEXT.encode())))
    assert (ticks(twice), twice.wrapping) == (TICKS, ("gzip", name))
    if name != "zlib":
        half = len(TEXT) // 2
        assert ticks(opened(pack(TEXT[:half].encode()) + pack(TEXT[half:].encode()))) == TICKS


def test_bytes_behind_the_packed_data_are_remarked_on() -> None:
    """Padding is nothing, anything else is said."""
    packed = gzip.compress(TEXT.encode())
    assert opened(packed + b"\0" * 600).remarks == []
    source = opened(packed + b"garbage")
    assert ticks(source) == TICKS
    assert any("after the end" in text for text in source.remarks)


@pytest.mark.parametrize(
    ("magic", "word"), [(b"\x28\xb5\x2f\xfd", "zstd"), (b"7z\xbc\xaf\x27\x1c", "7-zip"), (b"Rar!", "rar")]
)
def test_packing_that_is_not_read_is_named(magic: bytes, word: str) -> None:
    """A clear line instead of a comparison of packed bytes."""
    with pytest.raises(DetcheckError, match=word):
        opened(magic + b"x" * 100)


ENCODINGS = {
    "utf-8": TEXT.encode(),
    "utf-8 with a mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "utf-16 with a mark": TEXT.encode("utf-16"),
    "utf-16-le": TEXT.encode("utf-16-le"),
    "utf-16-be": TEXT.encode("utf-16-be"),
    "utf-16-be with a mark": b"\xfe\xff" + TEXT.encode("utf-16-be"),
    "utf-32 with a mark": TEXT.encode("utf-32"),
    "crlf": TEXT.replace("\n", "\r\n").encode(),
    "cr": TEXT.replace("\n", "\r").encode(),
    "utf-16 crlf": TEXT.replace("\n", "\r\n").encode("utf-16"),
    "NULs in front": b"\0" * 1000 + TEXT.encode(),
    "NULs behind": TEXT.encode() + b"\0" * 1000,
    "many NULs in front": b"\0" * 300_000 + TEXT.encode(),
    "NULs around lines": TEXT.replace("\n", "\0\0\n\0").encode(),
    "no last newline": TEXT.rstrip().encode(),
    "blank lines": TEXT.replace("\n", "\n\n\n").encode(),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_encodings_and_line_ends_are_no_difference(name: str) -> None:
    """The same records from every way to write the text."""
    found = [record.fields for record in opened(ENCODINGS[name]).records]
    assert found == [record.fields for record in opened(TEXT).records]


def test_bytes_that_are_no_text_are_shown_as_escapes() -> None:
    """Latin-1 among UTF-8 is read on, with a remark."""
    source = opened(TEXT.encode().replace("Zoë".encode(), b"Zo\xeb"))
    first = next(iter(records := list(source.records)))
    assert first.fields.items["name"].text == "Zo‹eb›"  # type: ignore[union-attr]
    assert len(records) == 6
    assert any("no UTF-8" in text for text in source.remarks)


def test_a_path_and_an_open_file(tmp_path: Path) -> None:
    """str, Path and binary files."""
    path = tmp_path / "a.jsonl"
    path.write_text(TEXT)
    assert ticks(open_source(path)) == ticks(open_source(str(path))) == TICKS
    with path.open("rb") as file:
        assert ticks(open_source(file)) == TICKS


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes(tmp_path: Path) -> None:
    """A named pipe, as process substitution gives one, read once from front to back; also one that is packed."""
    for data in (TEXT.encode(), gzip.compress(TEXT.encode())):
        path = tmp_path / f"pipe{len(data)}"
        os.mkfifo(path)
        writer = threading.Thread(target=path.write_bytes, args=(data,))
        writer.start()
        assert ticks(open_source(path)) == TICKS
        writer.join()


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` is standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    source = open_source("-")
    assert (source.name, ticks(source)) == ("standard input", TICKS)


def test_natural_order() -> None:
    """tick9 before tick10, and names without numbers still have an order."""
    names = ["t10.txt", "t9.txt", "a/2", "a/10", "t", "t9b"]
    assert sorted(names, key=natural) == ["a/2", "a/10", "t", "t9.txt", "t9b", "t10.txt"]


def folder_of(path: Path, files: dict[str, str]) -> Path:
    """A folder with files."""
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return path


def zip_of(path: Path, files: dict[str, str]) -> Path:
    """A zip file with members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


STATES = {
    "tick in content": {f"s{i}.json": f'{{"tick": {t}, "x": 1}}' for i, t in enumerate((5, 9, 10))},
    "word in name": {f"peer1/tick_{t:06d}.json": '{"x": 1}' for t in (5, 9, 10)},
    "number in name": {f"peer1_{t}_p0.json": '{"x": 1}' for t in (5, 9, 10)},
    "hash only": {f"frame{t}.txt": f"{t * 7919:016x}\n" for t in (5, 9, 10)},
    "hidden beside": {".DS_Store": "\0\1\2", **{f"tick{t}.json": '{"x": 1}' for t in (5, 9, 10)}},
}


@pytest.mark.parametrize("name", STATES)
def test_a_file_a_tick(tmp_path: Path, name: str) -> None:
    """A folder and a zip of files with one tick each are one stream in the order of ticks."""
    assert ticks(open_source(folder_of(tmp_path / "d", STATES[name]))) == [5, 9, 10]
    if not name.startswith("hidden"):
        source = open_source(zip_of(tmp_path / "z.zip", STATES[name]))
        assert (ticks(source), source.wrapping) == ([5, 9, 10], ("zip",))


def test_packed_members(tmp_path: Path) -> None:
    """Files of a folder may each be packed."""
    (tmp_path / "tick3.json.gz").write_bytes(gzip.compress(b'{"x": 1}'))
    (tmp_path / "tick4.json.xz").write_bytes(lzma.compress(b'{"x": 1}'))
    assert ticks(open_source(tmp_path)) == [3, 4]


def test_a_zip_through_a_pipe_and_inside_gzip() -> None:
    """What cannot be sought is held in memory, within the limit of one record."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("tick1.json", '{"x": 1}')
    assert ticks(opened(data.getvalue())) == [1]
    assert ticks(opened(gzip.compress(data.getvalue()))) == [1]
    with pytest.raises(DetcheckError, match="from a pipe"):
        opened(data.getvalue(), max_record=20)


def test_logs_in_folders_are_paired_by_name(tmp_path: Path) -> None:
    """Files of several ticks each are sessions of their own, numbered alike on both sides."""
    log = "".join(f"{tick} {tick * 77777:016x}\n" for tick in range(5))
    a = folder_of(tmp_path / "a", {"east.log": log, "west.log": log})
    b = folder_of(tmp_path / "b", {"mid.log": log, "west.log": log})
    left, right = open_pair(a, b)
    one, other = ({record.session for record in side.records} for side in (left, right))
    assert one & other
    assert len(one) == len(other) == 2
    assert len(one & other) == 1


def test_a_folder_of_unlike_files_is_refused(tmp_path: Path) -> None:
    """Files of different shapes are no dump."""
    folder_of(tmp_path, {"a1.json": '{"tick": 1, "x": 1}', "b2.csv": "tick,x\n1,2\n2,3\n3,3\n"})
    with pytest.raises(DetcheckError, match="reads as"):
        ticks(open_source(tmp_path))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tick_{t}_{kind}.txt", "{h}\n"),
        ("tick_{t}_{kind}.json", '{{"tick": {t}, "sum_x": "{h}"}}'),
        ("{t:05d}/{kind}.json", '{{"sum_x": "{h}"}}'),
        ("{kind}/{t}.txt", "{h}"),
        ("{kind}_{t}.txt", "hash {h}\n"),
        ("frame{t}.{kind}.log", "tick {t} hash {h}\n"),
    ],
)
def test_several_files_of_one_tick(tmp_path: Path, name: str, text: str) -> None:
    """Each counts, under what tells its name apart (only the first one did, and what the others held was lost)."""
    kinds = ("mind", "body", "luck")
    for side in "ab":
        folder_of(
            tmp_path / side,
            {
                name.format(t=t, kind=kind): text.format(
                    t=t, h=f"{t * 31 + place + 16**15 + (side == 'b' and t > 6 and kind == 'luck'):x}"
                )
                for t in range(3, 12)
                for place, kind in enumerate(kinds)
            },
        )
    found = diff(tmp_path / "a", tmp_path / "b")
    assert (found.verdict, found.first_divergent_tick, found.last_equal_tick) == ("diverged", 7, 6)
    assert all("luck" in finding.path for finding in found.findings)
    assert any("several files" in note for note in found.notes)


def test_two_files_that_state_one_tick(tmp_path: Path) -> None:
    """Both are of that tick, and it is said."""
    source = open_source(folder_of(tmp_path, {"a.json": '{"tick": 1, "x": 1}', "b.json": '{"tick": 1, "x": 2}'}))
    (record,) = source.records
    assert record.tick == 1
    assert list(record.fields.items) == ["a", "b"]
    assert any("several files (a, b)" in text for text in source.remarks)


def test_files_under_other_names(tmp_path: Path) -> None:
    """One each, or as many: they are a pair although each peer names its own."""
    log = "".join(f"{t} {t * 7919:016x}\n" for t in range(30))
    bad = log.replace(f"20 {20 * 7919:016x}", f"20 {1:016x}")
    for names in (("peerA.log",), ("north.log", "peerA.log"), ("A_match1.log", "A_match2.log")):
        other = [name.replace("peerA", "peerB").replace("north", "east").replace("A_", "B_") for name in names]
        one = zip_of(tmp_path / "a.zip", dict.fromkeys(names, log))
        two = zip_of(tmp_path / "b.zip", {name: log if name != other[-1] else bad for name in other})
        found = diff(one, two)
        assert (found.verdict, found.first_divergent_tick) == ("diverged", 20)
        assert len(names) == 1 or names[-1] in found.reason


def test_the_reader_can_be_told() -> None:
    """By its name or a common one; an unknown one lists what there is."""
    assert opened("a,b\n1,2\n", reader="csv").reader == "table"
    assert opened(TEXT, reader="raw-bytes").reader == "raw-bytes"
    with pytest.raises(DetcheckError, match="no reader") as caught:
        opened(TEXT, reader="xml")
    assert "json-lines" in str(caught.value)


def test_an_empty_file() -> None:
    """Nothing in it is a reader of its own, and no record."""
    for data in (b"", b"\n\n", b"\0\0\0"):
        assert [record for record in opened(data).records if record.fields.items] == []


def test_options_have_defaults() -> None:
    """Without options everything is guessed."""
    assert isinstance(next(open_source(io.BytesIO(TEXT.encode()), ReadOptions()).records), Record)
