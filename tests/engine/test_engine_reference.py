"""The plain walk: order, guards, folds, draws and scatter as the scenarios page says."""

from __future__ import annotations

import pytest
from hand_built import FIXED, FLOAT, MT, SPLITMIX, WRAPPING, Build, compiled, ref, table

from detcheck.engine.reference import ReferenceExecutor
from detcheck.errors import Interrupted, TrapError
from detcheck.rng import MT19937, SplitMix64
from detcheck.scenario.compiled import CompiledScenario

ONE = 65536


def after(scenario: CompiledScenario, ticks: int = 1) -> ReferenceExecutor:
    executor = ReferenceExecutor(scenario)
    executor.setup()
    executor.advance(ticks)
    return executor


def test_state_starts_as_zero_bits() -> None:
    """Every lane of every type is zero bits before setup."""
    executor = ReferenceExecutor(compiled([table("unit", 2, pos="vec3", on="bool", a="angle")], backend=FLOAT))
    assert [executor.lane("unit", "pos", lane) for lane in range(3)] == [[0, 0]] * 3
    assert executor.lane("unit", "on", 0) == [0, 0]


def test_setup_runs_before_tick_zero_in_file_order() -> None:
    """A later setup program sees what an earlier one left, and the tick is 0 in both."""
    first = Build("setup world", "world")
    first.store("world.a", first.const(7))
    second = Build("setup unit", "unit")
    total = second.op(
        "i32.add", second.op("world", kind="i32", imm=ref("world.a")), second.op("tick", kind="i32"), kind="i32"
    )
    second.store("unit.n", total)
    executor = ReferenceExecutor(
        compiled([table("world", 1, a="i32"), table("unit", 2, n="i32")], setup=[first, second])
    )
    executor.setup()
    assert executor.tick == 0
    assert executor.lane("unit", "n", 0) == [7, 7]


def test_tick_row_and_rows_are_those_of_the_run() -> None:
    """`tick` counts completed ticks, `row` the rows from 0."""
    build = Build("s", "unit")
    build.store("unit.t", build.op("tick", kind="i32"))
    build.store("unit.r", build.op("row", kind="i32"))
    executor = after(compiled([table("unit", 3, t="i32", r="i32")], [build]), 3)
    assert executor.lane("unit", "t", 0) == [2, 2, 2]
    assert executor.lane("unit", "r", 0) == [0, 1, 2]
    assert executor.tick == 3


def test_statement_reads_what_lies_before_it() -> None:
    """A gather of the column just being assigned reads all old values: a rotation loses none."""
    setup = Build("setup", "unit")
    setup.store("unit.n", setup.op("row", kind="i32"))
    build = Build("rotate", "unit")
    following = build.op("i32.add", build.op("row", kind="i32"), build.const(1), kind="i32")
    index = build.op("i32.mod", following, build.const(4), kind="i32")
    build.store("unit.n", build.op("gather.i32", index, kind="i32", imm=ref("unit.n")))
    executor = after(compiled([table("unit", 4, n="i32")], [build], [setup]))
    assert executor.lane("unit", "n", 0) == [1, 2, 3, 0]


def test_draws_are_taken_call_by_call() -> None:
    """All rows of the first call draw, then all rows of the second."""
    build = Build("s", "unit")
    a = build.op("draw.rand_u32", kind="u32")
    b = build.op("draw.rand_u32", kind="u32")
    build.store("unit.b", b)
    build.store("unit.a", a)
    executor = after(compiled([table("unit", 3, a="u32", b="u32")], [build]))
    words = [3499211612, 581869302, 3890346734, 3586334585, 545404204, 4161255391]
    assert executor.lane("unit", "a", 0) == words[:3]
    assert executor.lane("unit", "b", 0) == words[3:]
    assert executor.draws() == 6


@pytest.mark.parametrize("backend", [FIXED, WRAPPING, FLOAT])
@pytest.mark.parametrize("spec", [MT, SPLITMIX], ids=str)
def test_draw_ops_are_the_generators_own(backend: str, spec: object) -> None:
    """Each draw op takes what the generator's method gives, in the backend's own number form."""
    mersenne = spec == MT
    other = MT19937(5489) if mersenne else SplitMix64(5489)
    build = Build("s", "unit")
    kinds = {"draw.rand_u32": "u32", "draw.rand_unit": "num"}
    kinds.update({"draw.next_float": "num"} if mersenne else {})
    for index, (code, kind) in enumerate(kinds.items()):
        build.store(f"unit.c{index}", build.op(code, kind=kind))
    bound = "draw.next_int_inclusive" if mersenne else "draw.below"
    build.store("unit.d", build.op(bound, build.const(1000, "u32"), kind="u32"))
    build.store("unit.e", build.op("draw.roll", build.const(-5), build.const(5), kind="i32"))
    columns = {f"c{index}": kind for index, kind in enumerate(kinds.values())}
    spec_table = table("unit", 1, **columns, d="u32", e="i32")
    executor = after(compiled([spec_table], [build], backend=backend, rng=spec))  # type: ignore[arg-type]
    unit = other.rand_unit_bits if backend == FLOAT else other.rand_unit_raw
    expected = [other.rand_u32(), unit()]
    if mersenne:
        bits = other.next_float_bits()  # type: ignore[union-attr]
        expected.append(bits if backend == FLOAT else executor.state.number.from_f32(bits))
    expected.append(other.next_int_inclusive(1000) if mersenne else other.below(1000))  # type: ignore[union-attr]
    expected.append(other.roll(-5, 5))
    found = [executor.lane("unit", column.name, 0)[0] for column in spec_table.columns]
    assert found == expected
    assert executor.rng_state() == other.save_state()


def _guarded(rows_on: int, then: str) -> Build:
    """A system over unit whose guard holds for the first `rows_on` rows."""
    build = Build("s", "unit")
    build.end_guard(build.op("i32.lt", build.op("row", kind="i32"), build.const(rows_on), kind="bool"))
    if then == "draw":
        build.store("unit.u", build.op("draw.rand_u32", kind="u32"))
    elif then == "trap":
        build.op("i32.mod", build.const(1), build.const(0), kind="i32")
    return build


def test_only_active_rows_draw_and_are_assigned() -> None:
    """Rows the guard leaves out keep their cells and take no word."""
    executor = after(compiled([table("unit", 4, u="u32")], [_guarded(2, "draw")]))
    assert executor.lane("unit", "u", 0) == [3499211612, 581869302, 0, 0]
    assert executor.draws() == 2


def test_without_an_active_row_nothing_happens() -> None:
    """No row active: no draw, no trap, no fold of an empty table."""
    fold = _guarded(0, "nothing")
    fold.op("fold.min", 0, kind="i32", imm="none")
    systems = [_guarded(0, "draw"), _guarded(0, "trap"), fold]
    executor = after(compiled([table("unit", 3, u="u32"), table("none", 0, n="i32")], systems))
    assert executor.draws() == 0


def test_table_without_rows_runs_nothing_of_its_guard() -> None:
    """A guard over no rows cannot trap: there is no row it would be evaluated for."""
    build = Build("s", "none")
    build.types.append("i32")
    least = build.op("fold.min", 0, kind="i32", imm="none")
    build.end_guard(build.op("i32.lt", least, build.const(0), kind="bool"))
    executor = after(compiled([table("none", 0, n="i32")], [build]))
    assert executor.tick == 1


def _fold(how: str, kind: str, cells: list[int], backend: str = FIXED) -> int:
    """A fold of a table `t` whose column holds `cells`, from a world system."""
    build = Build("s", "world")
    value = build.op("load", kind=kind, imm=ref("t.v"))
    body = build.body(0)
    result = {"count": "i32"}.get(how, kind)
    build.store("world.r", build.op(f"fold.{how}", value, kind=result, imm="t", body=body))
    scenario = compiled([table("world", 1, r=result), table("t", len(cells), v=kind)], [build], backend=backend)
    executor = ReferenceExecutor(scenario)
    executor.state.lanes[ref("t.v")][:] = cells
    executor.advance(1)
    return executor.lane("world", "r", 0)[0]


def test_folds_go_up_from_row_zero_with_the_backends_op() -> None:
    """A saturating sum depends on the order, and the order is ascending; a wrapping one comes back."""
    top, bottom = 0x7FFFFFFF, -0x80000000
    assert _fold("sum", "num", [top, ONE, -ONE]) == top - ONE
    assert _fold("sum", "num", [-ONE, top, ONE]) == top
    assert _fold("sum", "num", [top, 1, 0], WRAPPING) == bottom
    assert _fold("sum", "i32", [top, 1]) == bottom
    assert _fold("sum", "u32", [0xFFFFFFFF, 2]) == 1


def test_float_sum_rounds_at_every_step() -> None:
    """1 is lost beside 2^24 when it is added one at a time, and kept when the ones come first."""
    one, big = 0x3F800000, 0x4B800000
    assert _fold("sum", "num", [big, one, one], FLOAT) == big
    assert _fold("sum", "num", [one, one, big], FLOAT) == big + 1


def test_folds_of_an_empty_table() -> None:
    """sum and count are zero."""
    assert _fold("sum", "num", []) == 0
    assert _fold("count", "bool", []) == 0


def test_min_max_and_count() -> None:
    """min and max begin at row 0's value; a NaN there stays, one later is passed over."""
    assert _fold("min", "i32", [3, -5, 9]) == -5
    assert _fold("max", "u32", [3, 0xFFFFFFFF, 9]) == 0xFFFFFFFF
    assert _fold("count", "bool", [1, 0, 1, 1]) == 3
    nan, one = 0x7FC00000, 0x3F800000
    assert _fold("min", "num", [nan, one], FLOAT) == nan
    assert _fold("min", "num", [one, nan], FLOAT) == one


def test_sum_begins_at_zero() -> None:
    """sum is 0 and then every row by the op, so that a lone -0.0 gives 0.0 + -0.0 = 0.0."""
    assert _fold("sum", "num", [0x80000000], FLOAT) == 0


def test_scatter_adds_all_and_wraps() -> None:
    """Every active row adds into its target, several into one, wrapping to the column's type."""
    setup = Build("setup", "unit")
    setup.store("unit.hp", setup.const(0x7FFFFFFF))
    build = Build("s", "unit")
    index = build.op("i32.mod", build.op("row", kind="i32"), build.const(2), kind="i32")
    build.op("check_index.i32", index, imm="unit")
    build.op("scatter.add", index, build.const(1), imm=ref("unit.hp"))
    build.op("scatter.sub", index, build.const(-1, "u32"), imm=ref("unit.n"))
    executor = after(compiled([table("unit", 3, hp="i32", n="u32")], [build], [setup]))
    assert executor.lane("unit", "hp", 0) == [-0x7FFFFFFF, -0x80000000, 0x7FFFFFFF]
    assert executor.lane("unit", "n", 0) == [2, 1, 0]


def test_world_system_sees_one_row() -> None:
    """A world system runs once, its own columns are the world's."""
    build = Build("s", "world")
    build.store("world.n", build.op("i32.add", build.load("world.n", "i32"), build.const(1), kind="i32"))
    assert after(compiled([table("world", 1, n="i32")], [build]), 5).lane("world", "n", 0) == [5]


def test_nan_is_canonical_wherever_state_is_seen() -> None:
    """A NaN of other bits in a column reads, dumps and hashes as 7fc00000."""
    executor = ReferenceExecutor(compiled([table("unit", 3, v="num")], backend=FLOAT))
    executor.state.lanes[ref("unit.v")][:] = [0xFFC00001, 0x7F800001, 0xFF800000]
    assert executor.lane("unit", "v", 0) == [0x7FC00000, 0x7FC00000, 0xFF800000]
    assert dict(executor.part_buffers())["unit.v"] == bytes.fromhex("0000c07f0000c07f000080ff")


def test_tracer_changes_nothing() -> None:
    """Being watched op by op gives the same state."""
    build = Build("s", "unit")
    build.store("unit.u", build.op("draw.rand_u32", kind="u32"))
    scenario = compiled([table("unit", 3, u="u32")], [build])
    seen: list[str] = []
    watched = ReferenceExecutor(scenario, lambda program, op, rows, operands, results: seen.append(op.code))
    for executor in (watched, plain := ReferenceExecutor(scenario)):
        executor.setup()
        executor.advance(2)
    assert seen == ["draw.rand_u32", "store"] * 2
    assert list(watched.part_buffers()) == list(plain.part_buffers())


def test_stop_interrupts_between_ticks() -> None:
    """A stop flag ends an advance with Interrupted, after the tick in progress."""
    executor = ReferenceExecutor(compiled([table("unit", 1, n="i32")]))
    answers = iter([False, False, True])
    with pytest.raises(Interrupted):
        executor.advance(100, lambda: next(answers))
    assert executor.tick == 2


def test_trap_stops_at_once() -> None:
    """What the statements after the trap would do is not done; the tick is not completed."""
    build = Build("s", "unit")
    build.store("unit.n", build.const(1))
    build.op("i32.floordiv", build.const(1), build.load("unit.z", "i32"), kind="i32")
    build.store("unit.n", build.const(2))
    executor = ReferenceExecutor(compiled([table("unit", 1, n="i32", z="i32")], [build]))
    with pytest.raises(TrapError):
        executor.advance(1)
    assert executor.lane("unit", "n", 0) == [1]
    assert executor.tick == 0
