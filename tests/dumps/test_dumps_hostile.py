"""Hostile input ends in a clear line, in bounded memory and time: never in a traceback, never on disk."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import resource
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from detcheck.dumps.open import open_source
from detcheck.dumps.options import ReadOptions
from detcheck.dumps.pair import open_pair
from detcheck.errors import DetcheckError
from detcheck.model.record import Source

#: DETCHECK_HOSTILE_MB=200 makes the long line as long as the promise says
LONG_MB = int(os.environ.get("DETCHECK_HOSTILE_MB", "8"))
DEEP = 100_000


def drain(source: Source) -> int:
    """Reads to the end; the number of records."""
    return sum(1 for _ in source.records)


def is_clear(error: DetcheckError, *codes: str) -> None:
    """One of the expected faults, in few words."""
    assert error.code in codes
    assert len(str(error)) < 2000


def fault(data: bytes, **options: object) -> DetcheckError:
    """The fault that reading ends with."""
    with pytest.raises(DetcheckError) as caught:
        drain(open_source(io.BytesIO(data), ReadOptions(**options)))  # type: ignore[arg-type]
    assert len(str(caught.value)) < 2000
    return caught.value


def test_random_bytes_are_compared_byte_by_byte() -> None:
    """Random bytes read as raw bytes, and the first unlike offset is named."""
    data = bytearray(random.Random(5).randbytes(20_000))
    other = bytearray(data)
    other[12_345] ^= 1
    a, b = open_pair(io.BytesIO(bytes(data)), io.BytesIO(bytes(other)))
    assert (a.reader, b.reader) == ("raw-bytes", "raw-bytes")
    assert drain(a) == drain(b) == 1
    assert any("0x3039" in text for text in a.remarks)
    assert a.skipped is not None
    assert a.skipped.bytes == 12_345


@pytest.mark.parametrize(
    "text",
    [
        "[" * DEEP,
        "[" * DEEP + "]" * DEEP,
        '{"a":' * DEEP + "1" + "}" * DEEP,
        '{"tick":1}\n' + '{"tick":2,"a":' + "[" * DEEP + "\n",
        '{"tick":1,"a":[1]}\n{"tick":2,"a":[2]}\n' + '{"a":' * DEEP + "1" + "}" * DEEP + "\n",
        "tick 1 {\n" + "a {\n" * DEEP,
        "tick 1\nx: 1\n" + "".join(" " * depth + f"k{depth}:\n" for depth in range(1, 3000)),
        "a = " + "{" * DEEP + "}" * DEEP + "\nb = {\n}\n",
        "===== BEGIN gameTime=1, 1 entries, CRC 0x1 =====\n[f] x = p" + "(" * DEEP + ")" * DEEP + "\n",
    ],
    ids=["lists", "closed-lists", "objects", "line", "deep-line", "braces", "indent", "inline-braces", "warzone"],
)
def test_deep_nesting_ends_in_a_clear_line(text: str) -> None:
    """100,000 levels are read flat, or refused in words; the interpreter's stack is never used up."""
    try:
        drain(open_source(io.BytesIO(text.encode())))
    except DetcheckError as error:
        is_clear(error, "dump.too_deep", "dump.json", "dump.record_too_long")


@pytest.mark.parametrize("start", [b"y", b'{"tick":1,"a":"', b"tick 1 hash ", b"1,2,3\n4,5,6\n", b"key: value\n a: "])
def test_a_single_long_line_stays_within_the_record_limit(start: bytes) -> None:
    """A line beyond max_record is refused by its number, without being held whole."""
    chunk = b"x" * (1 << 20)

    class Endless(io.RawIOBase):
        left = LONG_MB
        first = True

        def read(self, size: int = -1) -> bytes:
            if self.first:
                self.first = False
                return start
            self.left -= 1
            return chunk if self.left >= 0 else b""

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    source = open_source(Endless(), ReadOptions(max_record=4 << 20))
    try:
        drain(source)
    except DetcheckError as error:
        is_clear(error, "dump.record_too_long")
    else:
        assert source.reader == "raw-bytes"
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 100 * 1024, f"{grown} KiB"


PACKERS = {"gzip": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zlib": zlib.compress}


@pytest.mark.parametrize("name", PACKERS)
def test_a_decompression_bomb_is_refused(name: str) -> None:
    """Zeros, newlines or one long line that unpack to far more than they take end in a fault before memory does."""
    for filler in (b"\0", b"\n", b"x", b"1 0123456789abcdef\n"):
        data = filler * ((3 << 20) // len(filler))
        error = fault(PACKERS[name](data), max_unpacked=2 << 20, max_record=1 << 20)
        assert error.code in ("dump.bomb", "dump.record_too_long")


def test_a_bomb_inside_a_bomb_is_refused() -> None:
    """Layers share one budget."""
    inner = gzip.compress(b"\0" * (32 << 20))
    error = fault(gzip.compress(inner), max_unpacked=16 << 20)
    assert error.code == "dump.bomb"


def test_a_high_ratio_alone_is_refused_past_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once unpacked data is large, more than max_ratio times the packed size is a bomb."""
    from detcheck.dumps import streams

    monkeypatch.setattr(streams, "RATIO_FROM_BYTES", 4 << 20)
    error = fault(gzip.compress(b"\n" * (16 << 20)))
    assert error.code == "dump.bomb"
    assert "times" in error.message


def zipped(members: list[tuple[str, bytes]]) -> bytes:
    """A zip file in memory; names as they are."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name)
            info.filename = name
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return out.getvalue()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_zip_names_are_only_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`../`, absolute, drive and repeated names are read and shown, never used as a path; nothing is written."""
    monkeypatch.chdir(tmp_path)
    evil = [
        ("../../evil_tick1.txt", b"0123456789abcdef\n"),
        ("/absolute/evil_tick2.txt", b"1123456789abcdef\n"),
        ("C:\\evil_tick3.txt", b"2123456789abcdef\n"),
        ("..\\evil_tick4.txt", b"3123456789abcdef\n"),
        ("evil_tick5.txt", b"4123456789abcdef\n"),
        ("evil_tick5.txt", b"5123456789abcdef\n"),
        ("\x1b[31mred_tick6.txt", b"6123456789abcdef\n"),
    ]
    source = open_source(io.BytesIO(zipped(evil)))
    assert drain(source) >= 6
    assert list(tmp_path.iterdir()) == []
    assert any("name of another" in text for text in source.remarks)


def test_an_encrypted_zip_is_refused() -> None:
    """Members that need a password are named as such."""
    data = bytearray(zipped([("tick1.txt", b"0123456789abcdef\n")]))
    data[6] |= 1
    at = data.find(b"PK\x01\x02")
    data[at + 8] |= 1
    assert fault(bytes(data)).code == "dump.encrypted"


def test_a_zip_bomb_is_refused() -> None:
    """A member that unpacks past the budget."""
    error = fault(zipped([("tick1.txt", b"\0" * (32 << 20))]), max_unpacked=16 << 20)
    assert error.code == "dump.bomb"


def test_a_damaged_zip_is_refused() -> None:
    """A wrong checksum inside, or half a directory."""
    data = zipped([("tick1.txt", b"0123456789abcdef\n" * 50)])
    assert fault(data[:-10]).code == "dump.damaged"
    broken = bytearray(data)
    broken[45] ^= 0xFF
    assert fault(bytes(broken)).code == "dump.damaged"


@pytest.mark.parametrize("name", PACKERS)
def test_damaged_and_cut_packing(name: str) -> None:
    """A cut end gives what there is, with a remark; damage inside is a fault."""
    rng = random.Random(7)
    data = b"".join(b"%d %016x\n" % (tick, rng.getrandbits(64)) for tick in range(5000))
    packed = PACKERS[name](data)
    cut = open_source(io.BytesIO(packed[: len(packed) // 2]))
    if name == "bz2":
        drain(cut)
    else:
        assert drain(cut) > 100
        assert any("cut short" in text for text in cut.remarks)
    damaged = bytearray(packed)
    for at in range(len(packed) // 2, len(packed) // 2 + 40):
        damaged[at] ^= 0xA5
    try:
        drain(open_source(io.BytesIO(bytes(damaged))))
    except DetcheckError as error:
        is_clear(error, "dump.damaged", "dump.record_too_long")


def test_terminal_escapes_never_reach_a_message(tmp_path: Path) -> None:
    """Names with escapes and bidirectional marks are made visible in faults."""
    path = tmp_path / "\x1b[2J\u202eevil.json"
    path.write_text('{"tick": 1, "\x1b[31mred": [}')
    with pytest.raises(DetcheckError) as caught:
        drain(open_source(path))
    assert "\x1b" not in str(caught.value)
    assert "\u202e" not in str(caught.value)


def test_a_missing_file_and_a_folder_without_files(tmp_path: Path) -> None:
    """What cannot be opened says so; an empty folder has no records."""
    with pytest.raises(DetcheckError, match="cannot be read"):
        open_source(tmp_path / "missing.txt")
    with pytest.raises(DetcheckError, match="cannot be read"):
        open_source("nul\0name")
    source = open_source(tmp_path)
    assert (source.reader, drain(source)) == ("empty", 0)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such device here")
def test_endless_devices_are_refused() -> None:
    """/dev/zero is no dump; /dev/null is an empty one."""
    with pytest.raises(DetcheckError, match="device"):
        open_source("/dev/zero")
    assert open_source("/dev/null").reader == "empty"


def test_both_sides_from_standard_input() -> None:
    """There is only one standard input."""
    with pytest.raises(DetcheckError, match="only one side"):
        open_pair("-", "-")


def lines_of(count: int) -> Iterator[bytes]:
    """Many short lines."""
    for tick in range(count):
        yield b'{"tick":%d,"x":%d.5}\n' % (tick, tick)


def test_memory_is_flat_in_the_number_of_lines() -> None:
    """Three times the JSON Lines take no more memory."""
    data = b"".join(lines_of(15_000))
    drain(open_source(io.BytesIO(data)))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    drain(open_source(io.BytesIO(data * 3)))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 * 1024
