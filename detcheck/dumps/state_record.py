"""The state where an executor stands, as the record that the comparison reads and as a dump's plain values."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from detcheck.engine.executor import Executor
from detcheck.model.checkpoint import Checkpoint
from detcheck.model.record import Group, Items, Lanes, Node, Record, Scalar
from detcheck.model.schema import TableSpec

#: bytes of a saved mt19937: 624 words and left
_MT_STATE = struct.Struct("<625I")

#: lane type -> kind of a record's values, but for num, which is the backend's
_KINDS = {"i32": "int", "u32": "int", "angle": "int", "bool": "bool"}

#: how a backend writes a number -> the kind of a record's values
NUMBER_KINDS = {"q16.16": "q16", "f32": "f32"}


def lane_names(table: TableSpec) -> Iterator[tuple[str, str, int, str]]:
    """(name in a dump, column, lane, lane type) of every lane, in canonical order; names as `pos.x`, `hp`."""
    for column in table.columns:
        for index, lane in enumerate(column.lane_names):
            yield (f"{column.name}.{lane}" if lane else column.name), column.name, index, column.lane_type


def rng_values(executor: Executor) -> dict[str, str | int | list[int]]:
    """The generator's state as a dump writes it; `draws` is information, not state."""
    saved = executor.rng_state()
    if len(saved) == _MT_STATE.size:
        *words, left = _MT_STATE.unpack(saved)
        return {"kind": "mt19937", "left": left, "words": words, "draws": executor.draws()}
    return {"kind": "splitmix64", "state": f"0x{int.from_bytes(saved, 'little'):016x}", "draws": executor.draws()}


def record_of(executor: Executor, checkpoint: Checkpoint) -> Record:
    """The whole state as one record; the executor has to stand at the checkpoint."""
    kinds = {**_KINDS, "num": NUMBER_KINDS[executor.number]}
    tables: dict[str, Node] = {}
    for table in executor.tables:
        if table.columns:
            lanes = {
                name: (kinds[kind], executor.lane(table.name, column, lane))
                for name, column, lane, kind in lane_names(table)
            }
            tables[table.name] = Lanes(table.rows, lanes)
    hashes = {"hash": _hash(checkpoint.state_hash), **{name: _hash(digest) for name, digest in checkpoint.parts}}
    return Record(checkpoint.tick, hashes=hashes, rng={"rng": _rng_group(executor)}, fields=Group(tables))


def _hash(digits: str) -> Scalar:
    return Scalar("hash", int(digits, 16), digits)


def _rng_group(executor: Executor) -> Group:
    items: dict[str, Node] = {}
    for name, value in rng_values(executor).items():
        if isinstance(value, list):
            items[name] = Items([_int(word) for word in value])
        elif isinstance(value, int):
            items[name] = _int(value)
        elif name == "state":
            items[name] = _hash(value.removeprefix("0x"))
        else:
            items[name] = Scalar("str", value, value)
    return Group(items)


def _int(value: int) -> Scalar:
    return Scalar("int", value, str(value))
