"""The scenarios that ship: they load, they replay, together they execute every op, and the known answers come out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from detcheck import numbers
from detcheck.engine.reference import ReferenceExecutor
from detcheck.engine.replay import replay
from detcheck.language.ir import Op, Program
from detcheck.language.ops import OPS
from detcheck.scenario.compile import compile_scenario
from detcheck.scenario.load import load
from detcheck.scenario.scenario import Scenario

FOLDER = Path(__file__).parents[2] / "scenarios"
FILES = sorted(FOLDER.glob("*.toml"))

#: ops that the language cannot reach on a backend
FLOAT_ONLY = {"num.sin", "num.cos", "num.sincos_cos", "num.atan2", "num.asin", "num.acos"}
UNREACHABLE = {
    "fixed_point_16_16": FLOAT_ONLY,
    "fixed_wrapping_16_16": FLOAT_ONLY,
    "float_pinned_32": set(),
}


@cache
def scenarios() -> tuple[Scenario, ...]:
    return tuple(load(path) for path in FILES)


def programs_on(backend: str) -> Iterator[Program]:
    for scenario in scenarios():
        if backend in scenario.backends:
            compiled = compile_scenario(scenario, backend)
            yield from (*compiled.setup, *compiled.systems)


def ops_of(program: Program) -> Iterator[Op]:
    stack = [*program.guard, *program.ops]
    while stack:
        op = stack.pop()
        yield op
        stack.extend(op.body)


def test_there_are_the_twelve_and_more() -> None:
    """Every scenario that the product promises to ship is there."""
    names = {path.stem for path in FILES}
    assert names >= {
        "sim_math_4096",
        "wrapped_walk",
        "skirmish",
        "research_rolls",
        "research_rolls_x87_24",
        "splitmix_spawns",
        "orbits",
        "flock",
        "projectiles",
        "trig_angles",
        "trig_radians",
        "saturation_edges",
        "wrap_edges",
        "binary32_specials",
        "rounding_ties",
    }


def test_each_summary_says_what_it_guards() -> None:
    """A summary is one line and names what a red run of it would mean."""
    for scenario in scenarios():
        assert "guards" in scenario.summary, scenario.name
        assert len(scenario.summary) <= 120, scenario.name
        assert scenario.summary.isprintable()


@pytest.mark.parametrize("backend", numbers.BACKENDS)
def test_together_they_execute_every_op_on_each_backend(backend: str) -> None:
    """Every op that the language can reach on a backend stands in a lowered program of a shipped scenario."""
    used = {op.code for program in programs_on(backend) for op in ops_of(program)}
    assert set(OPS) - used == UNREACHABLE[backend]


@pytest.mark.parametrize("backend", numbers.BACKENDS)
def test_every_op_runs_on_some_row(backend: str) -> None:
    """No op stands only behind a guard that is never true or in a table without rows: each one is seen at work."""
    ran: set[str] = set()

    def tracer(program: Program, op: Op, rows: Sequence[int], operands: object, results: object) -> None:
        if rows:
            ran.add(op.code)

    for scenario in scenarios():
        if backend in scenario.backends and scenario.name != "sim_math_4096":
            executor = ReferenceExecutor(compile_scenario(scenario, backend), tracer)
            executor.setup()
            executor.advance(scenario.ticks)
    assert set(OPS) - ran == UNREACHABLE[backend]


def test_the_4096_tick_known_answer_comes_out() -> None:
    """The final raws and their FNV-1a 64 are those that the engine of the first seed publishes."""
    path = FOLDER / "sim_math_4096.toml"
    executor = list(replay(load(path), "fixed_point_16_16", "reference", every=4096))[-1].executor
    raws = [executor.lane("world", column, lane)[0] for column in ("pos", "vel") for lane in (0, 1)]
    assert raws == [1925574, -2097152, 64, -128882]
    fnv = 0xCBF29CE484222325
    for byte in b"".join(raw.to_bytes(4, "big", signed=True) for raw in raws):
        fnv = (fnv ^ byte) * 0x100000001B3 % (1 << 64)
    assert f"{fnv:016x}" == "f02728762777c581"


def test_the_two_draw_mappings_of_mt19937_are_told_apart() -> None:
    """The research rolls differ in nothing but the mapping, and their final states differ on every backend."""
    exact, x87 = load(FOLDER / "research_rolls.toml"), load(FOLDER / "research_rolls_x87_24.toml")
    assert [s.tree.canonical() for s in exact.systems] == [s.tree.canonical() for s in x87.systems]
    for backend in exact.backends:
        ends = [list(replay(s, backend, "reference", every=s.ticks))[-1].checkpoint for s in (exact, x87)]
        unlike = {name for (name, a), (_, b) in zip(ends[0].parts, ends[1].parts, strict=True) if a != b}
        assert "lab.fate" in unlike
        assert "rng" not in unlike
