"""The generated executor, held to the plain walk bit by bit and trap by trap."""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import pytest
from hand_built import FIXED, FLOAT, WRAPPING, Build, compiled, ref, table
from hypothesis import HealthCheck, given, settings
from random_ops import cell, compiled_scenarios, random_scenario, scalar_codes

from detcheck import numbers
from detcheck.engine import generated
from detcheck.engine.executor import Executor
from detcheck.engine.generated import GeneratedExecutor
from detcheck.engine.reference import ReferenceExecutor
from detcheck.engine.segments import cut
from detcheck.engine.templates import Form, forms_of
from detcheck.errors import Interrupted, TrapError
from detcheck.language.ops import OPS
from detcheck.numbers import binary32
from detcheck.scenario.compiled import CompiledScenario

EXAMPLES = int(os.environ.get("DETCHECK_EXAMPLES", "1"))


def seen_parts(executor: Executor) -> list[tuple[str, bytes]]:
    return [(name, bytes(buffer)) for name, buffer in executor.part_buffers()]


def outcome(executor: Executor, scenario: CompiledScenario) -> list[object]:
    """Everything that can be seen of a replay, tick by tick, up to its end or its trap."""
    seen: list[object] = []
    try:
        executor.setup()
        seen.append((seen_parts(executor), executor.draws()))
        for _ in range(scenario.ticks):
            executor.advance(1)
            seen.append((executor.tick, seen_parts(executor), executor.draws()))
    except TrapError as trap:
        seen.append((str(trap), trap.tick, trap.system, trap.row, trap.op, trap.operands, trap.where))
    return seen


@pytest.mark.parametrize("block", range(8))
def test_random_programs_give_the_same_bytes_and_traps(block: int) -> None:
    """Random op lists on every backend: the same state after every tick, the same words drawn, the same trap."""
    for seed in range(block * 40 * EXAMPLES, (block + 1) * 40 * EXAMPLES):
        scenario = random_scenario(Random(seed))
        expected = outcome(ReferenceExecutor(scenario), scenario)
        for form in forms_of(scenario.backend):
            assert outcome(GeneratedExecutor(scenario, form), scenario) == expected, f"seed {seed}, {form.carrier}"


@settings(max_examples=40 * EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(compiled_scenarios())
def test_small_random_programs(scenario: CompiledScenario) -> None:
    """The same with hypothesis, which makes a failure small."""
    assert outcome(GeneratedExecutor(scenario), scenario) == outcome(ReferenceExecutor(scenario), scenario)


@pytest.mark.parametrize("backend", [FIXED, WRAPPING, FLOAT])
def test_each_scalar_op_gives_the_same_cells(backend: str) -> None:
    """Every op of the backend on random and edge values, stored as it comes; ops that trap run by themselves."""
    rnd = Random(backend)
    codes = scalar_codes(backend)
    for sample in range(60 * EXAMPLES):
        trapping = rnd.choice([code for code in codes if OPS[code].traps])
        chosen = [trapping] if sample % 2 else [code for code in codes if not OPS[code].traps]
        build = Build("s", "t")
        columns: dict[str, str] = {}
        for index, code in enumerate(chosen):
            some = rnd.choice(["num", "i32", "u32", "bool"])
            kinds = [some if kind == "*" else kind for kind in OPS[code].params]
            result = some if OPS[code].result == "*" else OPS[code].result
            assert result is not None
            sources = [build.const(cell(rnd, kind, backend), kind) for kind in kinds]
            columns[f"r{index}"] = result
            build.store(f"t.r{index}", build.op(code, *sources, kind=result))
        scenario = compiled([table("t", 1, **columns)], [build], backend=backend)
        expected = outcome(ReferenceExecutor(scenario), scenario)
        for form in forms_of(backend):
            assert outcome(GeneratedExecutor(scenario, form), scenario) == expected, (chosen, form.carrier)


def _near_ties(rnd: Random, backend: str) -> tuple[int, int]:
    """Operands whose quotient, product or root lies at a tie or next to one, or anywhere."""
    top = 0x7FFFFFFF
    near = rnd.randint(-2, 2)
    if backend == FLOAT:
        if rnd.randrange(2):  # a square of 25 bits, which no binary32 is exactly, and its neighbours
            root = rnd.randrange(1 << 24, 1 << 25) | 1
            return binary32.nearest(root * root, 1 << 20) + near, cell(rnd, "num", backend)
        return cell(rnd, "num", backend), cell(rnd, "num", backend)
    kind = rnd.randrange(4)
    divisor = rnd.randint(1, 1 << rnd.randint(1, 31)) * rnd.choice([1, -1])
    a = cell(rnd, "num", backend)
    if kind == 0:  # a / b in the middle between two raws
        a = ((2 * rnd.randint(-(1 << 20), 1 << 20) + 1) * divisor >> 17) + near
    elif kind == 1:  # a * b with sixteen low bits of 0x8000
        a, divisor = (2 * rnd.randint(-(1 << 14), 1 << 14) + 1) << 7, (2 * rnd.randint(-(1 << 15), 1 << 15) + 1) << 8
        divisor += near
    elif kind == 2:  # the square of a root and a half
        root = rnd.randint(0, 11863283)
        a = (root * root + root >> 16) + near
    return max(-top - 1, min(top, a)), max(-top - 1, min(top, divisor))


@pytest.mark.parametrize(
    ("backend", "form"), [(backend, form) for backend in (FIXED, WRAPPING, FLOAT) for form in forms_of(backend)]
)
def test_shortcuts_of_arithmetic_are_exact(backend: str, form: Form) -> None:
    """add, sub, mul, div, sqrt, neg, abs, floor on many operands at and beside ties: the backend's own cells."""
    rnd, number, rows = Random(backend), numbers.get(backend), 4000 * EXAMPLES
    build = Build("s", "t")
    a, b = build.load("t.a", "num"), build.load("t.b", "num")
    binary = ("add", "sub", "mul", "div", "min", "max")
    unary = ("sqrt", "neg", "abs", "floor", "ceil")
    for name in binary:
        build.store(f"t.{name}", build.op(f"num.{name}", a, b, kind="num"))
    for name in unary:
        build.store(f"t.{name}", build.op(f"num.{name}", a, kind="num"))
    build.store("t.round", build.op("num.round", a, kind="i32"))
    columns = dict.fromkeys(("a", "b", *binary, *unary), "num") | {"round": "i32"}
    pairs = [_near_ties(rnd, backend) for _ in range(rows)]
    if backend == WRAPPING:  # no traps here
        pairs = [(abs(x) & 0x7FFFFFFF, y or 1) for x, y in pairs]
    executor = GeneratedExecutor(compiled([table("t", rows, **columns)], [build], backend=backend), form)
    executor.state.set_cells(ref("t.a"), [x for x, _ in pairs])
    executor.state.set_cells(ref("t.b"), [y for _, y in pairs])
    executor.advance(1)
    for name in binary:
        method = getattr(number, name)
        assert executor.lane("t", name, 0) == [number.canonical(method(x, y)) for x, y in pairs], name
    for name in unary:
        method = getattr(number, name)
        assert executor.lane("t", name, 0) == [number.canonical(method(x)) for x, _ in pairs], name
    assert executor.lane("t", "round", 0) == [number.to_int(x) for x, _ in pairs]


def test_a_form_that_the_machine_is_not_right_for_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where binary64 does not round to nearest even once, raws stay integers."""
    first, second = forms_of(FIXED)
    assert GeneratedExecutor(compiled([table("t", 1, n="num")])).form is first
    unsound = replace(first, prelude="def sound():\n    return 0.5 + 1.0 == 1.0\n")
    assert not generated.is_sound(unsound)
    monkeypatch.setattr(generated, "forms_of", lambda backend: (unsound, second))
    assert GeneratedExecutor(compiled([table("t", 1, n="num")])).form is second


def _rotating(rows: int) -> Build:
    build = Build("rotate", "unit")
    following = build.op("i32.add", build.op("row", kind="i32"), build.const(1), kind="i32")
    index = build.op("i32.mod", following, build.const(rows), kind="i32")
    build.store("unit.n", build.op("gather.i32", index, kind="i32", imm=ref("unit.n")))
    return build


def test_a_gather_of_a_written_lane_cuts_the_span() -> None:
    """Rows may only be fused where none sees another's new value."""
    spans = cut(_rotating(4).program().ops, one_row=False)
    assert [[op.code for op in span.ops] for span in spans] == [
        ["row", "const", "i32.add", "const", "i32.mod", "gather.i32"],
        ["store"],
    ]
    assert len(cut(_rotating(1).program().ops, one_row=True)) == 1


def _next_row(build: Build, rows: int) -> int:
    following = build.op("i32.add", build.op("row", kind="i32"), build.const(1), kind="i32")
    return build.op("i32.mod", following, build.const(rows), kind="i32")


def _hazard(name: str, build: Build) -> None:
    """Two ops of which a row's second would see another row's first, or the other way round."""
    target, value = _next_row(build, 3), build.op("row", kind="i32")
    steps = {
        "load": lambda: build.store("unit.m", build.load("unit.n", "i32")),
        "store": lambda: build.store("unit.n", value),
        "gather": lambda: build.store("unit.m", build.op("gather.i32", target, kind="i32", imm=ref("unit.n"))),
        "scatter": lambda: build.op("scatter.add", target, build.const(5), imm=ref("unit.n")),
        "world": lambda: build.store("unit.m", build.op("world", kind="i32", imm=ref("world.n"))),
        "world scatter": lambda: build.op("scatter.add", build.const(0), build.const(5), imm=ref("world.n")),
        "draw": lambda: build.store("unit.m", build.op("draw.roll", build.const(0), build.const(9), kind="i32")),
        "draw n": lambda: build.store("unit.n", build.op("draw.roll", build.const(0), build.const(9), kind="i32")),
    }
    for step in name.split(", "):
        steps[step]()


@pytest.mark.parametrize(
    "name",
    [
        "scatter, load",
        "load, scatter",
        "scatter, store",
        "store, scatter",
        "gather, store",
        "store, gather",
        "gather, scatter",
        "scatter, gather",
        "world, world scatter",
        "world scatter, world",
        "draw, draw n",
    ],
)
def test_each_hazard_between_rows(name: str) -> None:
    """Every pair of ops that rows may not be fused over runs op by op."""
    build = Build("s", "unit")
    _hazard(name, build)
    scenario = compiled([table("world", 1, n="i32"), table("unit", 3, n="i32", m="i32")], [build], ticks=3)
    assert len(cut(build.program().ops, one_row=False)) == 2
    assert outcome(GeneratedExecutor(scenario), scenario) == outcome(ReferenceExecutor(scenario), scenario)


def test_a_fold_of_a_written_lane_cuts_the_span() -> None:
    """A fold reads what the statement before it left in every row."""
    build = Build("s", "unit")
    build.store("unit.n", build.op("i32.add", build.op("row", kind="i32"), build.op("tick", kind="i32"), kind="i32"))
    start = len(build.ops)
    value = build.load("unit.n", "i32")
    body = build.body(start)
    build.store("unit.m", build.op("fold.sum", value, kind="i32", imm="unit", body=body))
    scenario = compiled([table("unit", 3, n="i32", m="i32")], [build], ticks=3)
    executor = GeneratedExecutor(scenario)
    executor.advance(3)
    assert executor.lane("unit", "m", 0) == [9, 9, 9]


def test_names_of_the_file_never_enter_the_source() -> None:
    """Columns, tables and systems are numbers in the generated text."""
    build = Build("os.system('x')", "evil")
    build.store("evil.payload", build.const(1))
    source = GeneratedExecutor(compiled([table("evil", 2, payload="i32")], [build])).source
    assert "evil" not in source
    assert "payload" not in source
    assert "system(" not in source


def test_a_trap_many_ticks_in_is_told_as_the_plain_walk_does() -> None:
    """Ticks since the last copy are run again on the plain walk: message, row and state are the reference's."""
    build = Build("s", "unit")
    count = build.op(
        "i32.add",
        build.load("unit.n", "i32"),
        build.op("draw.roll", build.const(1), build.const(3), kind="i32"),
        kind="i32",
    )
    build.store("unit.n", count)
    left = build.op("i32.sub", build.const(400), count, kind="i32")
    positive = build.op("i32.max", left, build.const(0), kind="i32")
    build.op("i32.floordiv", build.const(7), positive, kind="i32")
    scenario = compiled([table("unit", 3, n="i32")], [build], ticks=500)
    with pytest.raises(TrapError) as expected:
        ReferenceExecutor(scenario).advance(500)
    generated = GeneratedExecutor(scenario)
    with pytest.raises(TrapError) as found:
        generated.advance(500)
    assert found.value.tick > 128
    assert (str(found.value), found.value.tick, found.value.row) == (
        str(expected.value),
        expected.value.tick,
        expected.value.row,
    )


def test_a_trap_in_setup() -> None:
    """A setup program's trap is the reference's too."""
    build = Build("setup", "unit")
    build.op("i32.mod", build.const(1), build.const(0), kind="i32")
    scenario = compiled([table("unit", 3, n="i32")], setup=[build])
    assert outcome(GeneratedExecutor(scenario), scenario) == outcome(ReferenceExecutor(scenario), scenario)


def test_stop_interrupts_between_ticks() -> None:
    """A stop flag ends an advance with Interrupted."""
    executor = GeneratedExecutor(compiled([table("unit", 1, n="i32")]))
    answers = iter([False, False, True])
    with pytest.raises(Interrupted):
        executor.advance(100, lambda: next(answers))
    assert executor.tick == 2


def test_a_program_of_many_ops_compiles() -> None:
    """Twenty thousand ops in one program are one flat function, without nesting that Python would refuse."""
    build = Build("s", "unit")
    value = build.load("unit.n", "i32")
    for _ in range(20_000):
        value = build.op("i32.add", value, value, kind="i32")
    build.store("unit.n", value)
    executor = GeneratedExecutor(compiled([table("unit", 1, n="i32")], [build]))
    executor.advance(1)
    assert executor.lane("unit", "n", 0) == [0]
