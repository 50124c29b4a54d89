"""Writing dumps: the form of the design page byte by byte, selection, compression, CSV, whole files."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
from pathlib import Path

import pytest
from hand_built import FIXED, FLOAT, MT, SPLITMIX, compiled, identity, ref, table

from detcheck.dumps.open import open_source
from detcheck.dumps.state_record import record_of
from detcheck.dumps.write import CsvWriter, DumpHead, DumpWriter
from detcheck.engine.reference import ReferenceExecutor
from detcheck.engine.replay import checkpoint_of
from detcheck.errors import DetcheckError
from detcheck.model.record import Record
from detcheck.model.schema import RngSpec

TABLES = [table("world", 1, score="i32"), table("unit", 2, pos="vec2", a="angle", on="bool"), table("none", 0, n="i32")]


def standing(backend: str = FIXED, rng: RngSpec = SPLITMIX) -> ReferenceExecutor:
    executor = ReferenceExecutor(compiled(TABLES, backend=backend, rng=rng, seed=5489))
    lanes = executor.state.lanes
    lanes[ref("world.score")][:] = [-7]
    lanes[ref("unit.pos.x")][:] = [98304, 1]
    lanes[ref("unit.pos.y")][:] = [0x7FC00001, 0x80000000] if backend == FLOAT else [-1, -0x80000000]
    lanes[ref("unit.a")][:] = [0xFFFFFFFF, 0]
    lanes[ref("unit.on")][:] = [1, 0]
    executor.tick = 60
    return executor


def head(executor: ReferenceExecutor, source: str = "peer A", platform: str | None = "linux") -> DumpHead:
    return DumpHead(identity(), executor.number, executor.tables, source, platform)


def dumped(executor: ReferenceExecutor, only: tuple[str, ...] = (), **options: object) -> list[str]:
    stream = io.BytesIO()
    with DumpWriter(stream, head(executor), only, **options) as writer:  # type: ignore[arg-type]
        writer.write(executor, checkpoint_of(executor))
        assert writer.written == len(stream.getvalue())
    return stream.getvalue().decode("ascii").splitlines()


def test_the_form_is_that_of_the_design_page() -> None:
    """Head and record, field by field in order, compact; one array a lane, raw numbers, hex strings for 64 bits."""
    executor = standing()
    first, second = dumped(executor)
    assert first == (
        '{"detcheck":"dump","version":1,"identity":{"scenario":"hand","backend":"fixed_point_16_16",'
        '"rng":"mt19937 x87_precision=53","seed":"0x0000000000001571",'
        '"inputs":"11111111111111111111111111111111","config":"22222222222222222222222222222222",'
        '"math":1,"format":1},"source":{"name":"peer A","platform":"linux"},"number":"q16.16",'
        '"schema":{"world":{"score":"i32"},"unit":{"pos":"vec2","a":"angle","on":"bool"},"none":{"n":"i32"}}}'
    )
    checkpoint = checkpoint_of(executor)
    parts = ",".join(f'"{name}":"{digest}"' for name, digest in checkpoint.parts)
    assert second == (
        f'{{"tick":60,"hash":"{checkpoint.state_hash}","parts":{{{parts}}},"state":{{'
        '"rng":{"kind":"splitmix64","state":"0x0000000000001571","draws":0},'
        '"world":{"score":[-7]},'
        '"unit":{"pos.x":[98304,1],"pos.y":[-1,-2147483648],"a":[4294967295,0],"on":[1,0]},'
        '"none":{"n":[]}}}'
    )


def test_binary32_and_mersenne_states() -> None:
    """Patterns are unsigned and NaN canonical; mt19937 is left, words, draws."""
    executor = standing(FLOAT, MT)
    executor.state.rng.rand_u32()
    record = json.loads(dumped(executor)[1])
    assert record["state"]["unit"]["pos.y"] == [0x7FC00000, 0x80000000]
    rng = record["state"]["rng"]
    assert (rng["kind"], rng["left"], len(rng["words"]), rng["draws"]) == ("mt19937", 623, 624, 1)
    assert list(rng) == ["kind", "left", "words", "draws"]


@pytest.mark.parametrize("contents", [(), ("hash",), ("parts",), ("state",), ("hash", "state")])
def test_contents_are_optional(contents: tuple[str, ...]) -> None:
    """hash, parts and state are each optional."""
    record = json.loads(dumped(standing(), contents=contents)[1])
    assert list(record) == ["tick", *[name for name in ("hash", "parts", "state") if name in contents]]


@pytest.mark.parametrize(
    ("only", "state", "parts"),
    [
        (("unit",), {"unit": ["pos.x", "pos.y", "a", "on"]}, ["unit.pos", "unit.a", "unit.on"]),
        (("unit.pos",), {"unit": ["pos.x", "pos.y"]}, ["unit.pos"]),
        (("unit.pos.y", "world.score"), {"world": ["score"], "unit": ["pos.y"]}, ["world.score", "unit.pos"]),
        (("rng",), {"rng": ["kind", "state", "draws"]}, ["rng"]),
        (("*.y",), {"unit": ["pos.y"]}, ["unit.pos"]),
        (("*.o*",), {"unit": ["on"]}, ["unit.on"]),
    ],
)
def test_only(only: tuple[str, ...], state: dict[str, list[str]], parts: list[str]) -> None:
    """A table, a column, a lane, rng or a pattern: state, parts and schema hold what was asked for."""
    first, second = (json.loads(line) for line in dumped(standing(), only))
    assert {name: list(lanes) for name, lanes in second["state"].items()} == state
    assert list(second["parts"]) == parts
    assert {f"{name}.{column}" for name, columns in first["schema"].items() for column in columns} == {
        part for part in parts if part != "rng"
    }
    assert second["hash"] == checkpoint_of(standing()).state_hash


@pytest.mark.parametrize("path", ["", "units", "unit.vel", "unit.pos.z", "unit[0].pos", "UNIT", "rng.words", "\x1b"])
def test_only_nothing_is_a_fault(tmp_path: Path, path: str) -> None:
    """A path that names nothing, or a row, is a fault that says what there is, and writes nothing."""
    executor = standing()
    with pytest.raises(DetcheckError) as caught:
        DumpWriter(tmp_path / "x.jsonl", head(executor), [path])
    assert caught.value.code == "dump.only"
    assert "unit.pos" in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".GZ"])
def test_compression_goes_by_the_suffix_and_bytes_are_reproducible(tmp_path: Path, suffix: str) -> None:
    """The same content whatever the packing, the same bytes every time."""
    executor = standing()
    plain = "\n".join(dumped(executor)).encode() + b"\n"
    packed = []
    for name in ("a", "b"):
        with DumpWriter(tmp_path / f"{name}.jsonl{suffix}", head(executor)) as writer:
            writer.write(executor, checkpoint_of(executor))
        packed.append((tmp_path / f"{name}.jsonl{suffix}").read_bytes())
    unpack = {"": bytes, ".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}[suffix.lower()]
    assert unpack(packed[0]) == plain
    assert packed[0] == packed[1]


@pytest.mark.parametrize("backend", [FIXED, FLOAT])
@pytest.mark.parametrize("rng", [MT, SPLITMIX], ids=str)
def test_our_reader_gives_back_the_record(tmp_path: Path, backend: str, rng: RngSpec) -> None:
    """A dump read back is the record the state itself gives: kinds, hashes, generator, every lane."""
    executor = standing(backend, rng)
    checkpoint = checkpoint_of(executor)
    path = tmp_path / "x.jsonl.xz"
    with DumpWriter(path, head(executor)) as writer:
        writer.write(executor, checkpoint)
    (found,) = list(open_source(path).records)
    expected: Record = record_of(executor, checkpoint)
    assert (found.tick, found.hashes, found.rng) == (expected.tick, expected.hashes, expected.rng)
    assert found.fields.items == expected.fields.items


def test_writing_leaves_the_state_alone() -> None:
    """Writing a state reads it only."""
    executor = standing()
    before = checkpoint_of(executor)
    dumped(executor)
    assert checkpoint_of(executor) == before


def test_csv() -> None:
    """A row a tick, table and row; a column a lane, empty where a table has none."""
    executor = standing()
    stream = io.BytesIO()
    with CsvWriter(stream, head(executor)) as writer:
        writer.write(executor, checkpoint_of(executor))
    assert list(csv.reader(stream.getvalue().decode().splitlines())) == [
        ["tick", "table", "row", "score", "pos.x", "pos.y", "a", "on", "n"],
        ["60", "world", "0", "-7", "", "", "", "", ""],
        ["60", "unit", "0", "", "98304", "-1", "4294967295", "1", ""],
        ["60", "unit", "1", "", "1", "-2147483648", "0", "0", ""],
    ]
    only = io.BytesIO()
    with CsvWriter(only, head(executor), ["unit.pos.x"]) as writer:
        writer.write(executor, checkpoint_of(executor))
    assert only.getvalue() == b"tick,table,row,pos.x\n60,unit,0,98304\n60,unit,1,1\n"


@pytest.mark.parametrize("form", [DumpWriter, CsvWriter])
@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
def test_the_file_appears_when_it_is_whole(tmp_path: Path, form: type[DumpWriter | CsvWriter], suffix: str) -> None:
    """Until close the target is as it was; an exception leaves it so, without a temporary file."""
    executor = standing()
    path = tmp_path / f"x{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError):
        _failing(form, path, executor)
    assert path.read_bytes() == b"old"
    with form(path, head(executor)) as writer:
        writer.write(executor, checkpoint_of(executor))
        assert path.read_bytes() == b"old"
    assert path.read_bytes() != b"old"
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def _failing(form: type[DumpWriter | CsvWriter], path: Path, executor: ReferenceExecutor) -> None:
    with form(path, head(executor)) as writer:
        writer.write(executor, checkpoint_of(executor))
        raise ZeroDivisionError


class _Full(io.BytesIO):
    def write(self, content: object) -> int:
        raise OSError(28, "No space left on device")


class _Gone(io.BytesIO):
    def write(self, content: object) -> int:
        raise BrokenPipeError


def test_streams_that_fail() -> None:
    """A full disk is a fault; a pipe whose reader went away stays a broken pipe, for the command to end quietly."""
    executor = standing()
    with pytest.raises(DetcheckError, match="No space left"):
        DumpWriter(_Full(), head(executor))
    with pytest.raises(BrokenPipeError):
        DumpWriter(_Gone(), head(executor))
