"""The machine around the kernels: shipped scenarios, vectors, draws, inputs, traps, interruption, bad plans."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from array import array
from pathlib import Path

import pytest
from hand_built import FIXED, FLOAT, SPLITMIX, WRAPPING, Build, compiled, ref, table
from native_outcomes import outcome

from detcheck import numbers
from detcheck.engine import native
from detcheck.engine.native import NativeExecutor
from detcheck.engine.native_plan import Planner
from detcheck.engine.reference import ReferenceExecutor
from detcheck.engine.replay import checkpoints_of
from detcheck.errors import DetcheckError, Interrupted, TrapError
from detcheck.model.schema import RngSpec
from detcheck.rng import MT19937
from detcheck.scenario.compile import compile_scenario
from detcheck.scenario.compiled import CompiledInput, CompiledScenario
from detcheck.scenario.load import load
from detcheck.vectors.executors import ExecutorEngine
from detcheck.vectors.ops import OPS
from detcheck.vectors.read import open_vectors

pytestmark = pytest.mark.skipif(not native.available(), reason=native.why_not() or "native")

EXAMPLES = int(os.environ.get("DETCHECK_EXAMPLES", "1"))
LOOPS = native.build_info().loops if native.available() else ()
ROOT = Path(__file__).parents[2]
TRAPPING_GUARDS = (
    "1 // world.zero > 0",
    "7 % world.zero == 0",
    "unit[{rows}].i > 0",
    "max(none.i) > 0",
    "min(1 // unit.i - 1 // (unit.i - unit.i)) > 0",
    "i > 0 and unit[-1].i > 0",
    "1 // world.zero > i",
)
SCENARIOS = sorted((ROOT / "scenarios").rglob("*.toml"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_every_shipped_scenario_gives_the_references_bytes(path: Path) -> None:
    """Every tick of its beginning, then the end in uneven spans, on every backend and both loop builds."""
    scenario = load(path)
    for backend in scenario.backends:
        ready = compile_scenario(scenario, backend)
        ticks = min(ready.ticks, 25 * EXAMPLES)
        expected = outcome(ReferenceExecutor(ready), ticks)
        for loops in LOOPS:
            assert outcome(NativeExecutor(ready, loops), ticks) == expected, (backend, loops)
        whole = [NativeExecutor(ready, loops) for loops in LOOPS]
        for executor, step in zip(whole, (ready.ticks, 7), strict=False):
            outcome(executor, ready.ticks, max(1, step))
        assert len({tuple(bytes(part) for _, part in executor.part_buffers()) for executor in whole}) == 1


@pytest.mark.parametrize("backend", [FIXED, WRAPPING, FLOAT])
def test_known_answers(backend: str) -> None:
    """Every line of the known-answer vectors, asked of both loop builds."""
    rows: dict[str, list[tuple[int, ...]]] = {}
    expected: dict[str, list[tuple[int, ...] | None]] = {}
    with open_vectors(ROOT / "tests" / "data" / "vectors" / f"{backend}.jsonl") as file:
        for line in file.lines:
            rows.setdefault(line.shape.name, []).append(line.inputs)
            expected.setdefault(line.shape.name, []).append(line.outputs)
    for executor in ("native", "native:baseline"):
        engine = ExecutorEngine(executor, numbers.get(backend))
        asked = {op: engine(OPS[op], inputs) for op, inputs in rows.items()}
        assert {op for op, answers in asked.items() if answers is None} <= {"from_f32", "to_f32"}
        for op, answers in asked.items():
            assert answers in (None, expected[op]), op


def drawing(code: str, kind: str, rows: int, rng: RngSpec, backend: str, *bounds: int) -> CompiledScenario:
    """A scenario that draws once a row and stores it."""
    build = Build("s", "t")
    types = ("i32", "i32") if code == "roll" else ("u32",)
    sources = [build.const(bound, types[i]) for i, bound in enumerate(bounds)]
    build.store("t.r", build.op(f"draw.{code}", *sources, kind=kind))
    return compiled([table("t", rows, r=kind)], [build], backend=backend, rng=rng, ticks=3)


def untempered(word: int) -> int:
    """The state word that is tempered to `word`."""
    y = word ^ word >> 18
    y ^= y << 15 & 0xEFC60000
    x = y
    for _ in range(5):
        x = y ^ x << 7 & 0x9D2C5680
    z = x
    for _ in range(3):
        z = x ^ z >> 11
    return z & 0xFFFFFFFF


@pytest.mark.parametrize("backend", [FIXED, WRAPPING, FLOAT])
@pytest.mark.parametrize("precision", [53, 24])
@pytest.mark.parametrize("code", ["next_float", "rand_unit"])
def test_words_become_numbers_as_the_generator_says(code: str, precision: int, backend: str) -> None:
    """Chosen words, where the two roundings of either x87 precision differ or reach 1.0, and random ones."""
    chance = random.Random(precision)
    words = [0, 1, 0xFFFFFFFF, 0xFFFFFF7F, 0xFFFFFF80, 0xFFFFFF00, 0x80000000, 0x7FFFFFFF, 0x80000080, 0x80000081]
    words += [1 << k for k in range(32)] + [(1 << k) - 1 for k in range(32)] + [0x00FFFFFF, 0x01000001, 0x01000003]
    words += [chance.getrandbits(32) >> chance.randrange(9) for _ in range(624 - len(words))]
    scenario = drawing(code, "num", 624, RngSpec("mt19937", precision), backend)
    number, generator = numbers.get(backend), MT19937(5489, precision)
    state = array("I", (*map(untempered, words), 624)).tobytes()
    generator.load_state(state)
    unit = generator.rand_unit_raw if number.number == "q16.16" else generator.rand_unit_bits
    draw = (lambda: number.from_f32(generator.next_float_bits())) if code == "next_float" else unit
    expected = [draw() for _ in words]
    for loops in LOOPS:
        executor = NativeExecutor(scenario, loops)
        executor._memory[: len(state)] = state
        executor.advance(1)
        assert executor.lane("t", "r", 0) == expected
        assert executor.rng_state() == generator.save_state()


@pytest.mark.parametrize("rng", [RngSpec("mt19937", 53), SPLITMIX], ids=lambda rng: rng.kind)
@pytest.mark.parametrize(
    "bounds", [(0, 0), (-3, 3), (-37, 41), (0, 255), (0, 256), (-0x80000000, 0x7FFFFFFF), (1, 0x7FFFFFFF), (5, 4)]
)
def test_rolls_of_many_rows(bounds: tuple[int, int], rng: RngSpec) -> None:
    """Bounds the same for every row: refused words, whole ranges and a trap, over several blocks of the generator."""
    scenario = drawing("roll", "i32", 1500, rng, FIXED, *bounds)
    expected = outcome(ReferenceExecutor(scenario), 3)
    for loops in LOOPS:
        assert outcome(NativeExecutor(scenario, loops), 3) == expected


@pytest.mark.parametrize("bound", [0, 1, 2, 6, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])
@pytest.mark.parametrize(("code", "rng"), [("next_int_inclusive", RngSpec("mt19937", 53)), ("below", SPLITMIX)])
def test_bounded_words_of_many_rows(code: str, rng: RngSpec, bound: int) -> None:
    """A bound of 0 takes a word too; the greatest bound refuses none."""
    scenario = drawing(code, "u32", 700, rng, FIXED, bound)
    expected = outcome(ReferenceExecutor(scenario), 3)
    for loops in LOOPS:
        assert outcome(NativeExecutor(scenario, loops), 3) == expected


def test_scripts_are_laid_over_what_programs_wrote() -> None:
    """Players' rows that a program writes begin every tick as the script says, and keep what was written until then."""
    build = Build("s", "players")
    build.store("players.n", build.op("i32.add", build.load("players.n", "i32"), build.const(1), kind="i32"))
    build.store("players.b", build.op("bool.not", build.load("players.b", "bool"), kind="bool"))
    inputs = [
        CompiledInput(1, 3, 0, (("n", 0, 10), ("b", 0, 1))),
        CompiledInput(2, 1, 0, (("n", 0, -5),)),
        CompiledInput(2, 9, 1, (("b", 0, 1),)),
        CompiledInput(2_147_483_000, 5000, 1, (("b", 0, 0),)),
    ]
    scenario = compiled([table("players", 2, n="i32", b="bool")], [build], ticks=14, inputs=inputs)
    expected = outcome(ReferenceExecutor(scenario), 14)
    for loops in LOOPS:
        assert outcome(NativeExecutor(scenario, loops), 14) == expected
        assert outcome(NativeExecutor(scenario, loops), 14, 5)[-1] == expected[-1]


def test_a_span_is_the_same_as_its_ticks() -> None:
    """One call of many ticks, or many calls: observation between them changes nothing."""
    scenario = drawing("roll", "i32", 700, RngSpec("mt19937", 53), FIXED, -5, 12)
    one, many = NativeExecutor(scenario), NativeExecutor(scenario)
    one.advance(40)
    for _ in range(40):
        many.advance(1)
        list(many.part_buffers())
        many.lane("t", "r", 0)
    assert [bytes(part) for _, part in one.part_buffers()] == [bytes(part) for _, part in many.part_buffers()]
    assert (one.draws(), one.tick) == (many.draws(), many.tick)


def test_the_earliest_op_traps_though_a_later_block_holds_it() -> None:
    """Row 0 traps at the second division, row 1400 at the first: the first division is reported."""
    build = Build("s", "t")
    row = build.op("row", kind="i32")
    first = build.op("i32.sub", row, build.const(1400), kind="i32")
    build.op("i32.floordiv", build.const(7), first, kind="i32")
    build.op("i32.floordiv", build.const(9), row, kind="i32")
    scenario = compiled([table("t", 1500, n="i32")], [build])
    for loops in LOOPS:
        with pytest.raises(TrapError) as trap:
            NativeExecutor(scenario, loops).advance(1)
        assert (trap.value.row, trap.value.operands) == (1400, (("a", 7), ("b", 0)))
    assert outcome(NativeExecutor(scenario), 1) == outcome(ReferenceExecutor(scenario), 1)


GUARDED = """[scenario]
summary = "A guard that traps"
backends = ["{backend}"]
rng = "splitmix64"
seed = 1
ticks = 2
tick_rate = 60
hash_every = 1
[world]
a = "i32"
zero = "i32"
[tables.unit]
rows = {rows}
i = "i32"
[tables.none]
rows = 0
i = "i32"
[setup]
world = "a = 0x10000000"
[[systems]]
name = "leave"
each = "unit"
do = "i = world.a + world.a * 2"
[[systems]]
name = "guarded"
each = "unit"
where = "{where}"
do = "i = 1"
"""


@pytest.mark.parametrize("rows", [1, 3, 1300])
@pytest.mark.parametrize("where", TRAPPING_GUARDS)
def test_a_guard_of_uniform_ops_that_traps_lists_no_row(where: str, rows: int, tmp_path: Path) -> None:
    """What stood in the condition's register before is no list of rows: the reference's trap, and nothing else."""
    path = tmp_path / "guarded.toml"
    for backend in (FIXED, WRAPPING, FLOAT):
        path.write_text(GUARDED.format(backend=backend, where=where.format(rows=rows), rows=rows), encoding="utf-8")
        scenario = compile_scenario(load(path), backend)
        expected = outcome(ReferenceExecutor(scenario), 2)
        assert len(expected) == 2, "it traps in the first tick"
        for loops in LOOPS:
            assert outcome(NativeExecutor(scenario, loops), 2) == expected


def test_a_compact_with_the_id_of_an_op_is_refused() -> None:
    """The machine holds the encoder to it: what lists rows stands above every op that can trap."""
    from detcheck._native import core

    build = Build("s", "t")
    build.end_guard(build.op("i32.gt", build.load("t.n", "i32"), build.const(0), kind="bool"))
    build.store("t.n", build.const(1))
    plan = Planner(compiled([table("t", 3, n="i32")], [build]), core.OPS, core.BLOCK).plan()
    arrays = plan.arrays
    parts = [plan.header, arrays.programs, arrays.segments, arrays.items, arrays.steps, plan.events]
    core.Machine(*parts, "baseline")
    compact = next(at for at in range(0, len(arrays.steps), 12) if core.OPS[arrays.steps[at]] == "compact")
    arrays.steps[compact + 1] = 0
    with pytest.raises(ValueError, match="compact"):
        core.Machine(*parts, "baseline")
    other = 0 if compact else 12
    arrays.steps[compact + 1], arrays.steps[other + 1] = (1 << 31) - 1, (1 << 31) - 1
    with pytest.raises(ValueError, match="compact"):
        core.Machine(*parts, "baseline")


def test_parts_are_views_that_cannot_be_written() -> None:
    """The state is hashed where it lies, and only read."""
    executor = NativeExecutor(compiled([table("t", 3, n="i32")]))
    name, part = list(executor.part_buffers())[1]
    assert name == "t.n"
    with pytest.raises(TypeError):
        part[0] = 1  # type: ignore[index]


def endless(rows: int = 400_000) -> NativeExecutor:
    """A replay that would take minutes."""
    build = Build("s", "t")
    value = build.load("t.n", "num")
    for _ in range(40):
        value = build.op("num.sqrt", build.op("num.div", value, value, kind="num"), kind="num")
    build.store("t.n", value)
    return NativeExecutor(compiled([table("t", rows, n="num")], [build], ticks=1 << 30))


def test_stop_ends_a_span_inside_a_tick() -> None:
    """The stop callable is asked while the span runs; after it the executor refuses to go on."""
    executor = endless()
    asked = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(Interrupted):
        executor.advance(1 << 29, stop)
    assert len(asked) == 4
    with pytest.raises(RuntimeError):
        executor.advance(1)


@pytest.mark.parametrize("uniform", [True, False], ids=["uniform", "by row"])
def test_stop_ends_a_long_list_of_ops(uniform: bool) -> None:
    """Ops done once for all rows are work too, and so is one block's long list: stop is asked within them."""
    from detcheck._native import core

    if uniform and core.BLOCK < 512:
        pytest.skip("a small block (sanitize.sh small) makes little work of what is done once")
    build = Build("s", "t")
    angle = build.op("world", kind="u32", imm=ref("world.a")) if uniform else build.load("t.a", "u32")
    for _ in range(8_000):
        build.op("num.sin_angle", angle, kind="num")
    scenario = compiled([table("world", 1, a="angle"), table("t", 512, a="angle")], [build])
    executor = NativeExecutor(scenario)
    asked = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 2

    with pytest.raises(Interrupted):
        executor.advance(1, stop)
    assert len(asked) == 3


def test_stop_ends_setup() -> None:
    """Setup is asked to stop like a span, before it and while it runs."""
    build = Build("setup t", "t")
    value = build.load("t.n", "num")
    for _ in range(40):
        value = build.op("num.sqrt", build.op("num.div", value, value, kind="num"), kind="num")
    build.store("t.n", value)
    scenario = compiled([table("t", 400_000, n="num")], setup=[build] * 40)
    asked = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 2

    with pytest.raises(Interrupted):
        list(checkpoints_of(NativeExecutor(scenario), 1, 1, stop))
    assert len(asked) == 3
    fresh = NativeExecutor(compiled([table("t", 2, n="num")]))
    with pytest.raises(Interrupted):
        fresh.setup(lambda: True)
    fresh.setup()


def test_stop_before_a_span_leaves_the_state_alone() -> None:
    """A stop that is already true changes nothing."""
    executor = NativeExecutor(drawing("rand_u32", "u32", 3, SPLITMIX, FIXED))
    with pytest.raises(Interrupted):
        executor.advance(3, lambda: True)
    executor.advance(3)
    assert executor.tick == 3


def test_a_fault_of_the_stop_callable_comes_out() -> None:
    """What stop raises ends the span and is raised."""

    def stop() -> bool:
        if threading.current_thread().name == "calls":
            raise KeyError("stop")
        threading.current_thread().name = "calls"
        return False

    name = threading.current_thread().name
    try:
        with pytest.raises(KeyError):
            endless().advance(1 << 29, stop)
    finally:
        threading.current_thread().name = name


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals to a thread here")
def test_ctrl_c_ends_a_span() -> None:
    """SIGINT while a span runs raises KeyboardInterrupt out of it, though no stop callable was given."""
    executor = endless()
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(0.2, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        executor.advance(1 << 29)
    timer.join()


def test_other_threads_run_during_a_span() -> None:
    """The interpreter lock is released: another thread works while the span goes on, and can stop it."""
    flag = threading.Event()
    counted = []

    def work() -> None:
        begin = time.monotonic()
        while time.monotonic() - begin < 0.05:
            counted.append(1)
        flag.set()

    worker = threading.Thread(target=work)
    worker.start()
    with pytest.raises(Interrupted):
        endless().advance(1 << 29, flag.is_set)
    worker.join()
    assert len(counted) > 100


def test_unknown_loops_are_a_fault() -> None:
    """Loops this processor or build does not have are named."""
    with pytest.raises(DetcheckError, match="no avx1024 loops"):
        NativeExecutor(compiled([table("t", 1, n="i32")]), "avx1024")


def test_damaged_plans_are_refused_and_never_run() -> None:
    """Any int32 of a plan put to another value: the machine says no, or still only touches its own workspace."""
    from detcheck._native import core

    build = Build("s", "t")
    build.op("check_index.i32", build.load("t.n", "i32"), imm="t")
    total = build.load("t.n", "i32")
    body = build.ops.pop()
    fold = build.op("fold.sum", total, kind="i32", imm="t", body=(body,))
    build.op("scatter.add", build.op("u32.from_i32", build.load("t.n", "i32"), kind="u32"), fold, imm=ref("t.n"))
    scenario = compiled([table("t", 3, n="i32")], [build], [_drawn()], rng=SPLITMIX, inputs=())
    chance = random.Random(5489)
    refused = 0
    for _ in range(400 * EXAMPLES):
        plan = Planner(scenario, core.OPS, core.BLOCK).plan()
        arrays = plan.arrays
        parts = [plan.header, arrays.programs, arrays.segments, arrays.items, arrays.steps, plan.events]
        part = chance.choice([part for part in parts if part])
        value = chance.choice((-1, 0, 1, 2, 3, 5, 1000, 100_000, 0x7FFFFFFF, -0x80000000, chance.getrandbits(10)))
        at = chance.randrange(len(part))
        if part is plan.header and at == 2:
            continue  # the size itself: a greater workspace is only that
        part[at] = value
        try:
            core.Machine(*parts, "baseline")
        except ValueError:
            refused += 1
    assert refused > 50
    with pytest.raises(ValueError, match="length"):
        core.Machine(array("i", [0]), array("i"), array("i"), array("i"), array("i"), array("i"), "baseline")


def _drawn() -> Build:
    build = Build("setup", "t")
    build.store("t.n", build.op("draw.roll", build.const(0), build.const(2), kind="i32"))
    return build


def test_memory_beyond_the_machine_is_a_fault_not_a_crash() -> None:
    """A scenario whose columns cannot be laid out is refused with what to do."""
    build = Build("s", "t")
    drawn = [build.op("draw.rand_u32", kind="u32") for _ in range(40)]
    for register in drawn:
        build.store("t.c0", register)
    scenario = compiled([table("t", 1 << 26, c0="u32", c1="u32")], [build], rng=SPLITMIX)
    with pytest.raises(DetcheckError, match="MiB"):
        NativeExecutor(scenario)


def test_many_draws_keep_their_order() -> None:
    """More draws than one segment hoists, some with bounds that depend on the row and on earlier draws."""
    build = Build("s", "t")
    drawn = [build.op("draw.rand_u32", kind="u32") for _ in range(20)]
    for register in drawn[:9]:
        low = build.op("i32.from_u32", register, kind="i32")
        drawn.append(build.op("draw.roll", low, build.const(0x7FFFFFFF), kind="i32"))
        drawn.append(build.op("draw.next_int_inclusive", register, kind="u32"))
    total = build.load("t.n", "u32")
    for register in drawn:
        total = build.op("u32.add", total, register, kind="u32")
    build.store("t.n", total)
    scenario = compiled([table("t", 700, n="u32")], [build], ticks=2)
    expected = outcome(ReferenceExecutor(scenario), 2)
    for loops in LOOPS:
        assert outcome(NativeExecutor(scenario, loops), 2) == expected
