"""Canonical bytes: every bit of every part reaches its part's digest and the state hash."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hand_built import FIXED, FLOAT, MT, SPLITMIX, Build, compiled, table

from detcheck.engine.executor import Executor
from detcheck.engine.executors import make_executor, native_available
from detcheck.engine.reference import ReferenceExecutor
from detcheck.engine.replay import checkpoint_of, checkpoints_of
from detcheck.model.schema import LaneRef, RngSpec
from detcheck.scenario.compiled import CompiledScenario

COLUMNS = {"n": "num", "p": "vec2", "q": "vec3", "i": "i32", "u": "u32", "a": "angle", "b": "bool"}
TABLES = [table("world", 1, **COLUMNS), table("players", 2, **COLUMNS), table("unit", 3, **COLUMNS)]


def scenario(backend: str, rng: RngSpec) -> CompiledScenario:
    return compiled(TABLES, backend=backend, rng=rng)


def flips(executor: ReferenceExecutor) -> Iterator[tuple[str, LaneRef, int, int]]:
    """(part, lane, row, cell with one bit flipped): every lane of every part, every row, every bit."""
    for lane, kind in executor.state.lane_types.items():
        signed = kind == "i32" or (kind == "num" and executor.number == "q16.16")
        for row in range(len(executor.state.lanes[lane])):
            for bit in range(1 if kind == "bool" else 32):
                flipped = 1 << bit
                yield f"{lane.table}.{lane.column}", lane, row, flipped - (1 << 32) * (signed and bit == 31)


@pytest.mark.parametrize("backend", [FIXED, FLOAT])
@pytest.mark.parametrize("rng", [MT, SPLITMIX], ids=str)
def test_every_bit_of_every_part_changes_the_hash(backend: str, rng: RngSpec) -> None:
    """Flipping any one bit of any cell gives a state hash never seen before and changes that part's digest alone."""
    executor = ReferenceExecutor(scenario(backend, rng))
    before = checkpoint_of(executor)
    seen = {before.state_hash}
    for part, lane, row, cell in flips(executor):
        executor.state.lanes[lane][row] = cell
        after = checkpoint_of(executor)
        changed = [name for (name, a), (_, b) in zip(before.parts, after.parts, strict=True) if a != b]
        assert changed == [part]
        assert after.state_hash not in seen
        seen.add(after.state_hash)
        executor.state.lanes[lane][row] = 0
    assert checkpoint_of(executor) == before


@pytest.mark.parametrize("rng", [MT, SPLITMIX], ids=str)
def test_every_byte_of_the_generator_changes_the_hash(rng: RngSpec) -> None:
    """Any word of the generator's state, and mt19937's `left`, is in the part rng."""
    executor = ReferenceExecutor(scenario(FIXED, rng))
    before = checkpoint_of(executor)
    saved = executor.rng_state()
    seen = {before.state_hash}
    for position in dict.fromkeys([*range(0, len(saved), 1 if len(saved) == 8 else 97), len(saved) - 4]):
        blob = bytearray(saved)
        blob[position] ^= 0x10
        executor.state.rng.load_state(bytes(blob))
        after = checkpoint_of(executor)
        assert [name for (name, a), (_, b) in zip(before.parts, after.parts, strict=True) if a != b] == ["rng"]
        assert after.state_hash not in seen
        seen.add(after.state_hash)


def test_tick_is_in_the_hash() -> None:
    """The same state at another tick has another hash and the same parts."""
    executor = ReferenceExecutor(scenario(FIXED, MT))
    before = checkpoint_of(executor)
    executor.tick = 1
    after = checkpoint_of(executor)
    assert (after.parts, after.state_hash == before.state_hash) == (before.parts, False)


def test_part_order_and_bytes_are_canonical() -> None:
    """rng, then world, players and tables as declared; lanes one after the other, rows in order, little-endian."""
    executor = ReferenceExecutor(scenario(FIXED, SPLITMIX))
    lanes = executor.state.lanes
    lanes[LaneRef("unit", "p", 0)][:] = [1, -1, 0x01020304]
    lanes[LaneRef("unit", "p", 1)][:] = [2, -2, -0x80000000]
    lanes[LaneRef("unit", "b", 0)][:] = [1, 0, 1]
    parts = dict(executor.part_buffers())
    assert list(parts) == ["rng", *(f"{name}.{column}" for name in ("world", "players", "unit") for column in COLUMNS)]
    assert parts["unit.p"] == bytes.fromhex("01000000ffffffff0403020102000000feffffff00000080")
    assert parts["unit.b"] == bytes([1, 0, 1])
    assert parts["rng"] == (5489).to_bytes(8, "little")


def test_table_without_rows_has_empty_parts() -> None:
    """A part of no rows is zero bytes, and is there."""
    executor = ReferenceExecutor(compiled([table("none", 0, p="vec2", b="bool")]))
    assert list(executor.part_buffers())[1:] == [("none.p", b""), ("none.b", b"")]


def _lively() -> CompiledScenario:
    """A small scenario whose state has every lane type filled, from draws."""
    setup = Build("setup", "unit")
    for column in ("p", "q"):
        for lane in range(2 if column == "p" else 3):
            value = setup.op("draw.rand_unit", kind="num")
            setup.op("store", value, imm=LaneRef("unit", column, lane))
    setup.store("unit.n", setup.op("draw.rand_unit", kind="num"))
    setup.store("unit.u", setup.op("draw.rand_u32", kind="u32"))
    setup.store("unit.i", setup.op("draw.roll", setup.const(-9), setup.const(9), kind="i32"))
    setup.store("unit.b", setup.op("i32.lt", setup.load("unit.i", "i32"), setup.const(0), kind="bool"))
    build = Build("s", "unit")
    total = build.op("num.add", build.load("unit.n", "num"), build.op("draw.rand_unit", kind="num"), kind="num")
    build.store("unit.n", total)
    build.store("unit.a", build.op("u32.add", build.load("unit.a", "u32"), build.load("unit.u", "u32"), kind="u32"))
    return compiled(TABLES, [build], [setup], ticks=5, hash_every=2, rng=MT, seed=0x1DE7C0DE)


#: committed, so that the canonical bytes and digests of a state stay what they are
HASHES = {0: "9d283784ad00bee5", 2: "46f215b5f32817d8", 4: "9c7b14f3845f6e87", 5: "feb4c48764ad0da4"}

PARTS = {
    "rng": "29b9fa05f253ec69",
    "unit.n": "4ac7d8d8e3101004",
    "unit.p": "26d07ef2b8dcd1d6",
    "unit.q": "fbdc63ce9d4a4463",
    "unit.i": "99f785f118ff1220",
    "unit.u": "f19d99f92f97420e",
    "unit.a": "8e14eb5d2cbf011f",
    "unit.b": "bac0c69c15810e04",
}


@pytest.mark.parametrize(
    "name", ["reference", "generated", *(["native", "native:baseline"] if native_available() else [])]
)
def test_committed_digests_of_a_small_state(name: str) -> None:
    """Hash and parts of a small replay are those recorded once, from every executor."""
    executor: Executor = make_executor(name, _lively())
    found = {checkpoint.tick: checkpoint for checkpoint in checkpoints_of(executor, 2, 5)}
    assert {tick: checkpoint.state_hash for tick, checkpoint in found.items()} == HASHES
    assert {name: digest for name, digest in found[5].parts if name.startswith(("rng", "unit"))} == PARTS
