"""Traps: which one is told, where, with which operands, in the same words from every executor."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hand_built import FIXED, FLOAT, SPLITMIX, WRAPPING, Build, compiled, ref, table

from detcheck.engine.executor import Executor
from detcheck.engine.executors import make_executor, native_available
from detcheck.errors import TrapError
from detcheck.scenario.compiled import CompiledScenario

EXECUTORS = ["reference", "generated", *(["native", "native:baseline"] if native_available() else [])]

ONE = 65536


def trapped(scenario: CompiledScenario, name: str = "reference") -> TrapError:
    with pytest.raises(TrapError) as caught:
        _run(make_executor(name, scenario), scenario.ticks)
    return caught.value


def _run(executor: Executor, ticks: int) -> None:
    executor.setup()
    executor.advance(ticks)


def _op(code: str, *cells: tuple[int, str], kind: str, backend: str = FIXED, **extra: object) -> CompiledScenario:
    """A scenario whose one system runs one op on constants."""
    build = Build("system", "unit")
    sources = [build.const(cell, lane) for cell, lane in cells]
    build.op(code, *sources, kind=kind, **extra)
    return compiled([table("unit", 2, n="i32"), table("none", 0, n="i32")], [build], backend=backend)


def num(*cells: int) -> tuple[tuple[int, str], ...]:
    return tuple((cell, "num") for cell in cells)


def i32(*cells: int) -> tuple[tuple[int, str], ...]:
    return tuple((cell, "i32") for cell in cells)


def u32(*cells: int) -> tuple[tuple[int, str], ...]:
    return tuple((cell, "u32") for cell in cells)


NAN, INF, F1 = 0x7FC00000, 0x7F800000, 0x3F800000

TRAPPING: dict[str, tuple[CompiledScenario, str, str]] = {
    "wrapping div": (
        _op("num.div", *num(ONE * 3 // 2, 0), kind="num", backend=WRAPPING),
        "num_div_zero",
        "num.div, a = 1.5 (raw 98304), b = 0.0 (raw 0)",
    ),
    "wrapping sqrt": (
        _op("num.sqrt", *num(-1), kind="num", backend=WRAPPING),
        "num_sqrt_negative",
        "num.sqrt, x = -0.0000152587890625 (raw -1)",
    ),
    "fixed clamp": (
        _op("num.clamp", *num(0, ONE, -ONE), kind="num"),
        "clamp_bounds",
        "num.clamp, x = 0.0 (raw 0), lo = 1.0 (raw 65536), hi = -1.0 (raw -65536)",
    ),
    "float clamp nan": (
        _op("num.clamp", *num(0, NAN, F1), kind="num", backend=FLOAT),
        "clamp_bounds",
        "lo = NaN (bits 7fc00000), hi = 1.0 (bits 3f800000)",
    ),
    "float clamp inf": (
        _op("num.clamp", *num(0, 0, INF), kind="num", backend=FLOAT),
        "clamp_bounds",
        "hi = inf (bits 7f800000)",
    ),
    "i32 floordiv": (_op("i32.floordiv", *i32(7, 0), kind="i32"), "int_div_zero", "i32.floordiv, a = 7, b = 0"),
    "i32 mod": (_op("i32.mod", *i32(-7, 0), kind="i32"), "int_div_zero", "i32.mod, a = -7, b = 0"),
    "u32 floordiv": (_op("u32.floordiv", *u32(4294967295, 0), kind="u32"), "int_div_zero", "a = 4294967295, b = 0"),
    "u32 mod": (_op("u32.mod", *u32(0, 0), kind="u32"), "int_div_zero", "u32.mod, a = 0, b = 0"),
    "i32 clamp": (_op("i32.clamp", *i32(5, 2, 1), kind="i32"), "clamp_bounds", "i32.clamp, x = 5, lo = 2, hi = 1"),
    "u32 clamp": (_op("u32.clamp", *u32(5, 2, 1), kind="u32"), "clamp_bounds", "u32.clamp, x = 5, lo = 2, hi = 1"),
    "gather past": (
        _op("gather.i32", *i32(2), kind="i32", imm=ref("unit.n")),
        "index",
        "gather.i32, index = 2, unit has rows 0..1",
    ),
    "gather negative": (
        _op("gather.i32", *i32(-1), kind="i32", imm=ref("unit.n")),
        "index",
        "gather.i32, index = -1, unit has rows 0..1",
    ),
    "gather u32": (
        _op("gather.u32", *u32(0xFFFFFFFF), kind="i32", imm=ref("unit.n")),
        "index",
        "gather.u32, index = 4294967295, unit has rows 0..1",
    ),
    "gather of none": (
        _op("gather.i32", *i32(0), kind="i32", imm=ref("none.n")),
        "index",
        "gather.i32, index = 0, none has no rows",
    ),
    "roll": (_op("draw.roll", *i32(3, 2), kind="i32"), "roll_bounds", "draw.roll, lo = 3, hi = 2"),
}


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("case", list(TRAPPING))
def test_each_trap_names_reason_operands_and_place(case: str, executor: str) -> None:
    """Every op that traps: reason, raws with decimals, tick, system, row, line; the same from every executor."""
    scenario, reason, words = TRAPPING[case]
    trap = trapped(scenario, executor)
    assert trap.reason == reason
    assert words in trap.message
    assert (trap.tick, trap.system, trap.row) == (0, "system", 0)
    assert "at tick 0, system, row 0 of unit" in trap.message
    assert trap.where is not None
    assert trap.where.file == "hand.toml"
    assert trap.where.source == f"line {trap.where.line} of the file"
    assert str(trap) == str(trapped(scenario))
    assert trap.operands == trapped(scenario).operands
    assert trap.exit_code == 2


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("how", ["min", "max"])
def test_fold_of_an_empty_table_reports_the_lowest_active_row(how: str, executor: str) -> None:
    """min and max of no rows trap, for the first row the guard lets through."""
    build = Build("system", "unit")
    build.end_guard(build.op("i32.gt", build.op("row", kind="i32"), build.const(0), kind="bool"))
    value = build.load("none.n", "i32")
    body = build.body(0)
    build.op(f"fold.{how}", value, kind="i32", imm="none", body=body)
    trap = trapped(compiled([table("unit", 3, n="i32"), table("none", 0, n="i32")], [build]), executor)
    assert (trap.reason, trap.row, trap.operands) == ("fold_empty", 1, ())
    assert f"row 1 of unit: fold.{how}, table none has no rows" in trap.message


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_trap_in_a_fold_names_the_folded_tables_row(executor: str) -> None:
    """In the body of a fold the row counts in the folded table."""
    setup = Build("setup", "other")
    third = setup.op("i32.sub", setup.op("row", kind="i32"), setup.const(2), kind="i32")
    setup.store("other.n", third)
    build = Build("system", "unit")
    value = build.op("i32.floordiv", build.const(1), build.load("other.n", "i32"), kind="i32")
    body = build.body(0)
    build.op("fold.sum", value, kind="i32", imm="other", body=body)
    scenario = compiled([table("unit", 1, n="i32"), table("other", 4, n="i32")], [build], [setup])
    trap = trapped(scenario, executor)
    assert (trap.reason, trap.row, trap.op) == ("int_div_zero", 2, "i32.floordiv")
    assert "row 2 of other" in trap.message


def _order(write: Callable[[Build], None]) -> CompiledScenario:
    """unit.a traps when divided by at row 2, unit.b at row 1, unit.c at row 0."""
    setup = Build("setup", "unit")
    for column, row in (("a", 2), ("b", 1), ("c", 0)):
        difference = setup.op("i32.sub", setup.op("row", kind="i32"), setup.const(row), kind="i32")
        setup.store(f"unit.{column}", difference)
    build = Build("system", "unit")
    write(build)
    return compiled([table("unit", 3, a="i32", b="i32", c="i32")], [build], [setup], ticks=2)


def _divided(build: Build, column: str) -> int:
    return build.op("i32.floordiv", build.const(1), build.load(f"unit.{column}", "i32"), kind="i32")


@pytest.mark.parametrize("executor", EXECUTORS)
def test_the_earliest_operation_wins_over_the_lowest_row(executor: str) -> None:
    """Of several traps the first operation's is told, though a later one traps in a lower row."""

    def write(build: Build) -> None:
        for column in ("a", "b", "c"):
            _divided(build, column)

    trap = trapped(_order(write), executor)
    assert trap.row == 2
    assert trap.where is not None
    assert trap.where.line == 3


@pytest.mark.parametrize("executor", EXECUTORS)
def test_for_one_operation_the_lowest_row_wins(executor: str) -> None:
    """Rows 1 and 2 both trap in one operation: row 1 is told."""

    def write(build: Build) -> None:
        product = build.op("i32.mul", build.load("unit.a", "i32"), build.load("unit.b", "i32"), kind="i32")
        build.op("i32.mod", build.const(5), product, kind="i32")

    assert trapped(_order(write), executor).row == 1


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_guard_traps_over_all_rows_before_the_statements(executor: str) -> None:
    """The guard comes first and is evaluated for every row, those it would leave out too."""

    def write(build: Build) -> None:
        build.end_guard(build.op("i32.gt", _divided(build, "a"), build.const(100), kind="bool"))
        _divided(build, "c")

    assert trapped(_order(write), executor).row == 2


@pytest.mark.parametrize("executor", EXECUTORS)
def test_rows_the_guard_leaves_out_do_not_trap(executor: str) -> None:
    """Only active rows trap; the row told counts in the table, not among the active ones."""

    def write(build: Build) -> None:
        build.end_guard(build.op("i32.gt", build.op("row", kind="i32"), build.const(0), kind="bool"))
        _divided(build, "c")
        _divided(build, "a")

    trap = trapped(_order(write), executor)
    assert (trap.row, trap.operands) == (2, (("a", 1), ("b", 0)))


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_scatters_target_traps_before_its_value(executor: str) -> None:
    """The index of `unit[i].hp += e` is checked where it stands, left of the value."""

    def write(build: Build) -> None:
        index = build.load("unit.a", "i32")
        build.op("check_index.i32", index, imm="unit")
        value = _divided(build, "c")
        build.op("scatter.add", index, value, imm=ref("unit.b"))

    trap = trapped(_order(write), executor)
    assert (trap.op, trap.row, trap.operands) == ("check_index.i32", 0, (("index", -2),))
    assert "unit has rows 0..2" in trap.message


@pytest.mark.parametrize("executor", EXECUTORS)
def test_tick_and_setup_are_told(executor: str) -> None:
    """A trap at tick 3 says so, one in setup says tick 0 and the setup program's name."""
    build = Build("late", "world")
    left = build.op("i32.sub", build.op("tick", kind="i32"), build.const(3), kind="i32")
    build.op("i32.mod", build.const(1), left, kind="i32")
    late = trapped(compiled([table("world", 1, n="i32")], [build], ticks=9, rng=SPLITMIX), executor)
    assert (late.tick, late.system) == (3, "late")
    assert "tick 3, late, row 0 of world" in late.message
    setup = Build("setup of unit", "unit")
    setup.op("i32.mod", setup.const(1), setup.const(0), kind="i32")
    early = trapped(compiled([table("unit", 1, n="i32")], setup=[setup], rng=SPLITMIX), executor)
    assert (early.tick, early.system) == (0, "setup of unit")
