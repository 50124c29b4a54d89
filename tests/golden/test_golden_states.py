"""The states file beside a golden: written in one form, bounded, used only where its hash is the golden's."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hand_built import FIXED, FLOAT, Build, compiled, identity, ref, table

from detcheck.dumps.write import DumpHead
from detcheck.engine.reference import ReferenceExecutor
from detcheck.engine.replay import checkpoints_of
from detcheck.errors import DetcheckError
from detcheck.golden import states
from detcheck.golden.golden import golden_path, states_path
from detcheck.golden.states import StatesWriter, expected_states
from detcheck.model.checkpoint import Checkpoint
from detcheck.model.record import Lanes, Record


def replayed(backend: str) -> tuple[ReferenceExecutor, DumpHead]:
    build = Build("s", "unit")
    build.store("unit.n", build.op("i32.add", build.load("unit.n", "i32"), build.op("row", kind="i32"), kind="i32"))
    build.store("unit.u", build.op("draw.rand_u32", kind="u32"))
    build.store("unit.b", build.op("i32.gt", build.load("unit.n", "i32"), build.const(2), kind="bool"))
    scenario = compiled([table("unit", 3, n="i32", u="u32", v="vec2", b="bool")], [build], backend=backend, ticks=3)
    executor = ReferenceExecutor(scenario)
    executor.state.lanes[ref("unit.v.y")][:] = [1, 0x7FFFFFFF - (1 << 23), 3]
    return executor, DumpHead(identity(backend=backend), executor.number, executor.tables, "golden")


def written(path: Path, backend: str = FIXED) -> tuple[StatesWriter, list[Checkpoint], list[Record]]:
    from detcheck.dumps.state_record import record_of

    executor, head = replayed(backend)
    writer = StatesWriter(path, head)
    found, records = [], []
    for checkpoint in checkpoints_of(executor, 1, 3):
        writer.write(executor, checkpoint)
        found.append(checkpoint)
        records.append(record_of(executor, checkpoint))
    writer.close()
    return writer, found, records


@pytest.mark.parametrize("backend", [FIXED, FLOAT])
def test_records_read_back_are_the_executors_own(tmp_path: Path, backend: str) -> None:
    """What the dump reader makes of the file is what record_of gives, kinds, generator and hashes included."""
    path = states_path(golden_path(tmp_path, "hand", backend))
    writer, checkpoints, records = written(path, backend)
    assert writer.remark is None
    assert path.name == f"{backend}.states.jsonl.gz"
    found = expected_states(path, {checkpoint.tick: checkpoint.state_hash for checkpoint in checkpoints})
    assert list(found) == [0, 1, 2, 3]
    for record in records:
        assert record.tick is not None
        read = found[record.tick]
        assert (read.hashes, read.fields) == (record.hashes, record.fields)
        assert read.rng == record.rng


def test_a_record_is_used_only_when_its_hash_is_the_goldens(tmp_path: Path) -> None:
    """Records of another recording are left out; no file gives none."""
    path = tmp_path / "x.states.jsonl.gz"
    _, checkpoints, _ = written(path)
    hashes = {1: checkpoints[1].state_hash, 2: "0" * 16}
    assert list(expected_states(path, hashes)) == [1]
    assert expected_states(tmp_path / "none.states.jsonl.gz", hashes) == {}


def test_bytes_are_reproducible(tmp_path: Path) -> None:
    """The same replay gives the same bytes: no time, no name, no platform in them."""
    paths = [tmp_path / "a.states.jsonl.gz", tmp_path / "b.states.jsonl.gz"]
    for path in paths:
        written(path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    head = json.loads(gzip.decompress(paths[0].read_bytes()).splitlines()[0])
    assert head["source"] == {"name": "golden"}


def test_beyond_the_limit_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many bytes: a remark, no file, and an older one is removed."""
    path = tmp_path / "x.states.jsonl.gz"
    written(path)
    monkeypatch.setattr(states, "STATES_LIMIT", 9000)
    writer, _, _ = written(path)
    assert writer.remark is not None
    assert "none are kept" in writer.remark
    assert list(tmp_path.iterdir()) == []


def test_discarded_states_leave_what_was_there(tmp_path: Path) -> None:
    """A replay that traps leaves the old states file as it was."""
    path = tmp_path / "x.states.jsonl.gz"
    written(path)
    before = path.read_bytes()
    executor, head = replayed(FIXED)
    writer = StatesWriter(path, head)
    writer.write(executor, next(checkpoints_of(executor, 1, 3)))
    writer.discard()
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    "content", [b"", b"garbage", gzip.compress(b"\0" * 1000), gzip.compress(b'{"detcheck":"dump"')]
)
def test_a_damaged_states_file_is_a_fault_or_gives_nothing(tmp_path: Path, content: bytes) -> None:
    """Whatever lies there, nothing but the product's own error comes out, and no record that was not asked for."""
    path = tmp_path / "x.states.jsonl.gz"
    path.write_bytes(content)
    try:
        assert expected_states(path, {0: "0" * 16}) == {}
    except DetcheckError as error:
        text = str(error)
        assert text


def test_lanes_have_the_kinds_of_the_backend() -> None:
    """q16 or f32 for num, int for integers, bool for bool."""
    from detcheck.dumps.state_record import record_of

    for backend, kind in ((FIXED, "q16"), (FLOAT, "f32")):
        executor, _ = replayed(backend)
        record = record_of(executor, next(checkpoints_of(executor, 1, 3)))
        unit = record.fields.items["unit"]
        assert isinstance(unit, Lanes)
        assert {name: lane for name, (lane, _) in unit.lanes.items()} == {
            "n": "int",
            "u": "int",
            "v.x": kind,
            "v.y": kind,
            "b": "bool",
        }
