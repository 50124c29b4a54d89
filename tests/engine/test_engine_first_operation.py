"""The first divergent operation: deliberate faults of an executor are each named by tick, system, line, op and row."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import faults
import pytest
from hand_built import FIXED, FLOAT, MT, SPLITMIX, WRAPPING, Build, compiled, ref, table

from detcheck.engine import generated
from detcheck.engine.emit import Emitter
from detcheck.engine.executors import EXECUTORS, make_executor
from detcheck.engine.first_operation import Answer, first_operation
from detcheck.engine.generated import GeneratedExecutor
from detcheck.engine.reference import ReferenceExecutor
from detcheck.language.ir import Op
from detcheck.model.operation import OperationFault
from detcheck.model.schema import RngSpec
from detcheck.numbers import get
from detcheck.scenario.compiled import CompiledInput, CompiledScenario

GENERATED = "generated"


def answer(scenario: CompiledScenario, executor: str = GENERATED) -> Answer:
    """The answer at the first tick where the executor and the reference differ, which has to exist."""
    tick = faults.first_unlike(scenario, executor)
    assert tick is not None, "the fault does not show"
    return first_operation(scenario, tick, executor)


def found(scenario: CompiledScenario, executor: str = GENERATED) -> OperationFault:
    """The fault of an answer that has one, and nothing else to say."""
    given = answer(scenario, executor)
    assert given.fault is not None, given.remarks
    assert given.remarks == ()
    return given.fault


def where(fault: OperationFault) -> tuple[object, ...]:
    """Tick, system, line, op, row and how."""
    return fault.tick, fault.system, fault.line, fault.op, fault.row, fault.how


def pair(code: str, cells: tuple[int, int], backend: str, rows: int = 4, each: int = 2) -> CompiledScenario:
    """`unit.n = code(a, b)`, where only row `each` has these operands and the others have 3 and 1; from tick 3 on.

    a and b come from columns; another system runs before.
    """
    number = get(backend)
    setup, other, build = Build("fill", "unit"), Build("before", "unit"), Build("faulty", "unit")
    here = setup.op("i32.eq", setup.op("row", kind="i32"), setup.const(each), kind="bool")
    for column, cell in zip("ab", cells, strict=True):
        plain = setup.const(number.from_int(3 if column == "a" else 1), "num")
        setup.store(f"unit.{column}", setup.op("select", here, setup.const(cell, "num"), plain, kind="num"))
    one = other.const(number.one, "num")
    other.store("unit.c", other.op("num.add", other.load("unit.c", "num"), one, kind="num"))
    late = build.op("i32.ge", build.op("tick", kind="i32"), build.const(2), kind="bool")
    build.end_guard(late)
    value = build.op(code, build.load("unit.a", "num"), build.load("unit.b", "num"), kind="num")
    build.store("unit.n", value)
    return compiled(
        [table("unit", rows, a="num", b="num", c="num", n="num")], [other, build], [setup], backend, ticks=5
    )


def lines_of(scenario: CompiledScenario, code: str) -> list[int]:
    """The lines of the ops with that code in the last system."""
    program = scenario.systems[-1]
    return [op.line for top in (*program.guard, *program.ops) for op in (*top.body, top) if op.code == code]


#: what is faulty: backend, op, the faulty text, operands, expected and actual raw
WRONG_OPS: dict[str, tuple[str, str, str, tuple[int, int], int, int]] = {
    "mul rounds half up": (FIXED, "num.mul", faults.HALF_UP, (1, 32768), 0, 1),
    "div by the sign of the truncated quotient": (FIXED, "num.div", faults.BY_TRUNCATED_SIGN, (-1, 98304), -1, 1),
    "wrapping mul truncates": (WRAPPING, "num.mul", "{0} * {1} >> 16", (1, 32768), 1, 0),
    "binary32 division through a reciprocal": (
        *(FLOAT, "num.div", "?{0} * ((1.0 + 2.0**-24) / {1} if {1} == 3.0 else 1.0)", (0x40A00000, 0x40400000)),
        *(0x3FD55555, 0x3FD55556),
    ),
    "min of equal zeros takes the other": (FLOAT, "num.min", "{1} if {1} <= {0} else {0}", (0, 0x80000000), 0, 1 << 31),
}


@pytest.mark.parametrize("case", WRONG_OPS)
def test_an_op_that_computes_otherwise_is_named(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tick, system, line, op, row, operands and both results with raw, decimal and bits; nothing else differs."""
    backend, code, text, cells, expected, actual = WRONG_OPS[case]
    faults.template(monkeypatch, backend, code, text)
    scenario = pair(code, cells, backend)
    fault = found(scenario)
    (line,) = lines_of(scenario, code)
    assert where(fault) == (3, "faulty", line, code, 2, "alone")
    assert (fault.table, fault.file, fault.source) == ("unit", "hand.toml", f"line {line} of the file")
    assert [(value.name, value.type, value.raw) for value in fault.operands] == [
        ("a", "num", cells[0]),
        ("b", "num", cells[1]),
    ]
    assert (fault.expected.raw, fault.actual.raw) == (expected, actual)
    assert (fault.expected_from, fault.actual_from) == ("reference", GENERATED)
    number = get(backend)
    for value in (*fault.operands, fault.expected, fault.actual):
        assert value.raw is not None
        assert value.decimal == number.decimal(value.raw)
        assert int(value.bits, 16) == value.raw & 0xFFFFFFFF


def test_one_row_of_many_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ceil that is wrong for row 5 only: the row is 5, though others have the same operand."""
    faults.template(monkeypatch, FIXED, "num.ceil", "num_ceil({0}) + (1 if r == 5 else 0)")
    build = Build("up", "unit")
    build.store("unit.n", build.op("num.ceil", build.const(98305, "num"), kind="num"))
    fault = found(compiled([table("unit", 9, n="num")], [build]))
    assert where(fault) == (1, "up", 2, "num.ceil", 5, "alone")
    assert (fault.operands[0].name, fault.operands[0].raw) == ("x", 98305)
    assert (fault.expected.raw, fault.actual.raw) == (131072, 131073)


def test_the_first_in_list_order_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two ops differ, or one at two places, the one that runs first is it, even when its row is higher."""
    faults.template(monkeypatch, FIXED, "i32.add", "{0} + {1} + (1 if r == 3 else 0)")
    faults.template(monkeypatch, FIXED, "i32.sub", "{0} - {1} + 1")
    build = Build("two", "unit")
    total = build.op("i32.add", build.op("row", kind="i32"), build.const(7), kind="i32")
    build.store("unit.i", build.op("i32.sub", total, build.const(7), kind="i32"))
    build.store("unit.j", build.op("i32.add", total, total, kind="i32"))
    fault = found(compiled([table("unit", 5, i="i32", j="i32")], [build]))
    assert where(fault) == (1, "two", 3, "i32.add", 3, "alone")


def test_setup_is_tick_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault that a setup program meets is of tick 0."""
    faults.template(monkeypatch, FIXED, "i32.mul", "{0} * {1} + 1")
    build = Build("fill", "unit")
    build.store("unit.i", build.op("i32.mul", build.op("row", kind="i32"), build.const(3), kind="i32"))
    fault = found(compiled([table("unit", 3, i="i32")], (), [build]))
    assert where(fault) == (0, "fill", 3, "i32.mul", 0, "alone")


def test_a_guard_is_part_of_its_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison of `where` that differs is named, over all rows."""
    faults.template(monkeypatch, FIXED, "i32.gt", "{0} >= {1}")
    build = Build("some", "unit")
    build.end_guard(build.op("i32.gt", build.op("row", kind="i32"), build.const(2), kind="bool"))
    build.store("unit.i", build.const(1))
    fault = found(compiled([table("unit", 6, i="i32")], [build]))
    assert where(fault) == (1, "some", 3, "i32.gt", 2, "alone")
    assert (fault.expected.type, fault.expected.decimal, fault.actual.decimal) == ("bool", "false", "true")


def drawing(code: str, kind: str, bounds: tuple[int, ...] = (), rng: RngSpec = MT) -> CompiledScenario:
    """Two columns drawn one after the other, in odd rows."""
    build = Build("roll", "unit")
    bit = build.op("i32.and", build.op("row", kind="i32"), build.const(1), kind="i32")
    build.end_guard(build.op("i32.ne", bit, build.const(0), kind="bool"))
    build.store("unit.u", build.op("draw.rand_u32", kind="u32"))
    build.store("unit.d", build.op(code, *(build.const(cell) for cell in bounds), kind=kind))
    return compiled([table("unit", 8, u="u32", d=kind)], [build], rng=rng, ticks=3)


@pytest.mark.parametrize("rng", [MT, SPLITMIX], ids=["mt19937", "splitmix64"])
def test_a_wrong_draw_is_named(rng: RngSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    """The generators agree before the op and the words do not: the first row whose word differs, and its bounds."""
    real = generated.draw_ops

    def draws(generator: Any, number: Any) -> dict[str, Callable[..., int]]:
        table = real(generator, number)
        return {**table, "draw.roll": lambda lo, hi: min(table["draw.roll"](lo, hi), hi - 1)}

    monkeypatch.setattr(generated, "draw_ops", draws)
    scenario = drawing("draw.roll", "i32", (1, 2), rng)
    fault = found(scenario)
    assert (fault.op, fault.how, fault.row is not None and fault.row % 2) == ("draw.roll", "alone", 1)
    assert [(value.name, value.raw) for value in fault.operands[:2]] == [("lo", 1), ("hi", 2)]
    assert (fault.operands[2].type, len(fault.operands[2].bits)) == ("generator", 16)
    assert (fault.expected.raw, fault.actual.raw) == (2, 1)
    rolls = make_executor("reference", scenario)
    rolls.setup()
    rolls.advance(fault.tick)
    assert fault.row == next(r for r in range(1, 8, 2) if rolls.lane("unit", "d", 0)[r] == 2)


def test_a_word_too_many_is_the_draws_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Right words that leave another generator behind: the draw is named, by the states after it."""
    real = generated.draw_ops

    def draws(generator: Any, number: Any) -> dict[str, Callable[..., int]]:
        table = real(generator, number)

        def once_more() -> int:
            cell = table["draw.rand_unit"]()
            if generator.draws % 4 == 0:
                generator.next_u32()
            return cell

        return {**table, "draw.rand_unit": once_more}

    monkeypatch.setattr(generated, "draw_ops", draws)
    fault = found(drawing("draw.rand_unit", "num"))
    assert (fault.op, fault.how, fault.row) == ("draw.rand_unit", "alone", 7)
    assert (fault.expected.type, fault.actual.type) == ("generator", "generator")
    assert fault.expected.bits != fault.actual.bits


def test_a_wrong_gather_is_named_with_the_cell_it_should_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Index and cell of the gather stand among the operands."""

    def gather(self: Emitter, depth: int, op: Op) -> None:
        (index,) = self._operands(op)
        self._assign(depth, op, f"{self._lane(op)}[{index} - ({index} == 3)]")

    faults.state_op(monkeypatch, "gather.i32", gather)
    build = Build("look", "unit")
    build.store("unit.i", build.op("i32.add", build.op("row", kind="i32"), build.const(40), kind="i32"))
    index = build.op("i32.sub", build.const(4), build.op("row", kind="i32"), kind="i32")
    build.store("unit.j", build.op("gather.i32", index, kind="i32", imm=ref("unit.i")))
    fault = found(compiled([table("unit", 5, i="i32", j="i32")], [build]))
    assert where(fault) == (1, "look", 8, "gather.i32", 1, "alone")
    assert [(value.name, value.raw) for value in fault.operands] == [("index", 3), ("unit.i[3]", 43)]
    assert (fault.expected.raw, fault.actual.raw) == (43, 42)


def f32(text: str) -> int:
    """The binary32 pattern of a decimal."""
    return get(FLOAT).literal(Fraction(text))


def folding() -> CompiledScenario:
    """`world.t = sum(unit.n)` over cells whose sum depends on the order."""
    setup, build = Build("fill", "unit"), Build("total", "world")
    value = setup.const(f32("0.1"), "num")
    for row, number in ((1, "100000000"), (3, "-100000000"), (4, "3.3")):
        here = setup.op("i32.eq", setup.op("row", kind="i32"), setup.const(row), kind="bool")
        value = setup.op("select", here, setup.const(f32(number), "num"), value, kind="num")
    setup.store("unit.n", value)
    value = build.load("unit.n", "num")
    build.store("world.t", build.op("fold.sum", value, kind="num", imm="unit", body=build.body(0)))
    return compiled([table("world", 1, t="num"), table("unit", 6, n="num")], [build], [setup], FLOAT)


def test_a_fold_in_another_order_is_named_where_it_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum from the last row down: the folded row at which it first differs, accumulator and value."""
    faults.text_of_functions(
        monkeypatch, lambda emitter, text: re.sub(r"for e in range\((\d+)\)", r"for e in range(\1 - 1, -1, -1)", text)
    )
    fault = found(folding())
    assert (fault.op, fault.table, fault.system, fault.how) == ("fold.sum", "unit", "total", "alone")
    assert [value.name for value in fault.operands] == ["accumulator", "value"]
    assert fault.row is not None
    assert 2 <= fault.row <= 4
    assert fault.expected.name == "accumulator"
    assert fault.expected.raw != fault.actual.raw


def test_the_body_of_a_fold_is_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    """An op that differs in a fold's body is named there, with the row of the folded table."""
    faults.template(monkeypatch, FIXED, "i32.mul", "{0} * {1} + 1")
    build = Build("total", "unit")
    start = len(build.ops)
    square = build.op("i32.mul", *[build.load("other.i", "i32")] * 2, kind="i32")
    inner = build.body(start)
    build.store("unit.i", build.op("fold.sum", square, kind="i32", imm="other", body=inner))
    scenario = compiled([table("unit", 2, i="i32"), table("other", 4, i="i32")], [build])
    fault = found(scenario)
    assert where(fault) == (1, "total", 2, "i32.mul", 0, "alone")
    assert fault.table == "other"


def test_a_scatter_is_named_with_what_went_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The target's row, the index and value of the row that sent it, and the cell as it was."""
    faults.template(monkeypatch, FIXED, "i32.add", "{0} + {1} + ({1} == 30)")
    build = Build("send", "unit")
    row = build.op("row", kind="i32")
    index = build.op("u32.from_i32", build.op("i32.sub", build.const(3), row, kind="i32"), kind="u32")
    build.op("scatter.add", index, build.op("i32.mul", row, build.const(10), kind="i32"), imm=ref("unit.i"))
    fault = found(compiled([table("unit", 4, i="i32")], [build]))
    assert where(fault) == (1, "send", 7, "scatter.add", 0, "alone")
    assert [(value.name, value.raw) for value in fault.operands] == [("index", 0), ("value", 30), ("unit.i[0]", 0)]
    assert (fault.expected.name, fault.expected.raw, fault.actual.raw) == ("unit.i", 30, 31)


def test_a_store_that_drops_rows_is_the_stores_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing arrives through a store, no op whose result would have is blamed for it."""
    faults.text_of_functions(monkeypatch, lambda emitter, text: text.replace("[r] = ", "[r if r < 512 else 0] = "))
    build = Build("far", "unit")
    value = build.op("i32.add", build.op("row", kind="i32"), build.const(1), kind="i32")
    build.store("unit.i", build.op("i32.mul", value, value, kind="i32"))
    fault = found(compiled([table("unit", 600, i="i32")], [build]))
    assert (fault.system, fault.op, fault.how) == ("far", "store", "alone")
    assert (fault.expected.name, fault.row) == ("unit.i", 0)


def trapping() -> CompiledScenario:
    """`8 // (row - 2)`: traps at row 2."""
    build = Build("deep", "unit")
    below = build.op("i32.sub", build.op("row", kind="i32"), build.const(2), kind="i32")
    build.store("unit.i", build.op("i32.floordiv", build.const(8), below, kind="i32"))
    return compiled([table("unit", 4, i="i32")], [build])


def test_a_trap_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference traps and the executor goes on: the op, the row, its operands, and what came of them."""
    faults.template(monkeypatch, FIXED, "i32.floordiv", "{0} // {1} if {1} else 0")
    fault = found(trapping())
    assert where(fault) == (1, "deep", 5, "i32.floordiv", 2, "alone")
    assert [value.raw for value in fault.operands] == [8, 0]
    assert (fault.expected.type, fault.expected.decimal) == ("trap", "trap: integer division by zero")
    assert fault.actual.raw == 0


def test_a_trap_too_many_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The executor stops where the reference goes on: the same, the other way round."""
    faults.template(monkeypatch, FIXED, "i32.min", "{0} if {0} != 3 else stop()")
    build = Build("low", "unit")
    build.store("unit.i", build.op("i32.min", build.op("row", kind="i32"), build.const(9), kind="i32"))
    fault = found(compiled([table("unit", 5, i="i32")], [build]))
    assert where(fault) == (1, "low", 3, "i32.min", 3, "alone")
    assert (fault.expected.raw, fault.actual.type) == (3, "trap")


# What only shows in combination.


def lerp_scenario() -> CompiledScenario:
    """a + (b - a) * t with cells that show a contraction, in row 1."""
    setup, build = Build("fill", "unit"), Build("blend", "unit")
    here = setup.op("i32.eq", setup.op("row", kind="i32"), setup.const(1), kind="bool")
    for column, number in (("a", "0.7"), ("b", "5.3")):
        cell = setup.const(f32(number), "num")
        setup.store(f"unit.{column}", setup.op("select", here, cell, setup.const(0, "num"), kind="num"))
    a, b = build.load("unit.a", "num"), build.load("unit.b", "num")
    t = build.const(f32("0.13"), "num")
    product = build.op("num.mul", build.op("num.sub", b, a, kind="num"), t, kind="num")
    build.store("unit.n", build.op("num.add", a, product, kind="num"))
    return compiled([table("unit", 3, a="num", b="num", n="num")], [build], [setup], FLOAT)


def test_a_fused_lerp_is_named_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """No op alone is wrong where a sum is fused with its product: the sum is named, and that it is a combination."""
    faults.fused(monkeypatch)
    fault = found(lerp_scenario())
    assert where(fault) == (1, "blend", 6, "num.add", 1, "in_place")
    assert [value.name for value in fault.operands] == ["a", "b"]
    assert fault.expected.raw == 0x3FA624DE
    assert abs(fault.actual.raw - 0x3FA624DE) == 1  # type: ignore[operator]


def storing() -> CompiledScenario:
    """Two columns stored one after the other."""
    build = Build("two", "unit")
    row = build.op("row", kind="i32")
    build.store("unit.i", row)
    twice = build.op("i32.add", row, row, kind="i32")
    build.store("unit.j", build.op("i32.add", twice, row, kind="i32"))
    return compiled([table("unit", 600, i="i32", j="i32", k="i32")], [build])


def test_a_dropped_second_store_is_named_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that is lost only as a program's second, in its second block: no op before it is blamed."""

    def second_only(emitter: Emitter, text: str) -> str:
        lines = text.splitlines(keepends=True)
        stores = [i for i, line in enumerate(lines) if "[r] = " in line]
        if len(stores) > 1:
            place, indent = stores[1], len(lines[stores[1]]) - len(lines[stores[1]].lstrip())
            lines[place] = " " * indent + "if r < 512: " + lines[place].lstrip()
        return "".join(lines)

    faults.text_of_functions(monkeypatch, second_only)
    fault = found(storing())
    assert where(fault) == (1, "two", 5, "store", 512, "in_place")
    assert (fault.expected.name, fault.expected.raw, fault.actual.raw) == ("unit.j", 1536, 0)


def test_a_store_that_spoils_another_column_is_found_by_its_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    """What no op's own result shows is found by looking at the whole state after each statement."""

    def spoil(emitter: Emitter, text: str) -> str:
        lanes = {r.column: emitter.lane(r) for r in emitter.lane_types if r.table == "unit"}
        if "k" not in lanes or f"{lanes.get('j')}[r] = " not in text:
            return text
        return text + f"    {lanes['k']}[7] = 1\n"

    faults.text_of_functions(monkeypatch, spoil)
    fault = found(storing())
    assert (fault.system, fault.how, fault.row) == ("two", "statement", 7)
    assert (fault.expected.name, fault.expected.raw, fault.actual.raw) == ("unit.k", 0, 1)
    assert fault.line == 5


def test_a_fault_between_systems_is_found_in_sequence() -> None:
    """Each system right by itself, wrong after the other: the later one is named."""

    class Forgetful(GeneratedExecutor):
        def __init__(self, scenario: CompiledScenario) -> None:
            if len(scenario.systems) == 2:
                late = scenario.systems[1]
                ops = tuple(replace(op, code="i32.sub") if op.code == "i32.add" else op for op in late.ops)
                scenario = replace(scenario, systems=(scenario.systems[0], replace(late, ops=ops)))
            super().__init__(scenario)

    first, second = Build("first", "unit"), Build("second", "unit")
    first.store("unit.j", first.const(5))
    second.store("unit.i", second.op("i32.add", second.load("unit.j", "i32"), second.const(1), kind="i32"))
    scenario = compiled([table("unit", 2, i="i32", j="i32")], [first, second])
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(EXECUTORS, GENERATED, Forgetful)
        fault = found(scenario)
    assert where(fault) == (1, "second", 3, "i32.add", 0, "in_place")
    assert (fault.expected.raw, fault.actual.raw) == (6, 4)


class Spoiled(ReferenceExecutor):
    """At one tick a cell is changed behind the programs' back."""

    def advance(self, ticks: int, stop: Callable[[], bool] | None = None) -> None:
        for _ in range(ticks):
            super().advance(1, stop)
            if self.tick == 3:
                self.state.lanes[ref("unit.i")][1] ^= 1


def counting(ticks: int = 5) -> CompiledScenario:
    """`unit.i += 1`."""
    build = Build("count", "unit")
    build.store("unit.i", build.op("i32.add", build.load("unit.i", "i32"), build.const(1), kind="i32"))
    return compiled([table("unit", 3, i="i32")], [build], ticks=ticks)


def test_what_does_not_repeat_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that is spoiled between ticks: no operation is made up, a remark says what that means."""
    monkeypatch.setitem(EXECUTORS, GENERATED, Spoiled)
    given = answer(counting())
    assert given.fault is None
    (remark,) = given.remarks
    assert "not found" in remark
    assert "carried from tick to tick, or does not repeat" in remark


def test_the_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound the system that differs is named where it is known, and a remark says that it was cut."""
    faults.template(monkeypatch, FIXED, "i32.add", "{0} + {1} + (1 if r == 1 else 0)")
    scenario = counting()
    assert first_operation(scenario, 1, GENERATED, limit=10).remarks == (
        "first divergent operation: not found within 10 cells and row-ops",
    )
    cut = first_operation(scenario, 1, GENERATED, limit=10_000)
    assert cut.fault is not None
    assert (cut.fault.how, cut.fault.system, cut.fault.row, cut.fault.op) == ("system", "count", 1, "")
    assert (cut.fault.expected.name, cut.fault.expected.raw, cut.fault.actual.raw) == ("unit.i", 1, 2)
    assert "was cut" in cut.remarks[0]


def pressing() -> CompiledScenario:
    """One key held for two ticks, read by a system."""
    build = Build("move", "unit")
    build.store("unit.i", build.op("gather.i32", build.const(0), kind="i32", imm=ref("players.key")))
    tables = [table("players", 2, key="i32", aim="vec2"), table("unit", 1, i="i32")]
    entries = [CompiledInput(1, 2, 0, (("key", 0, 9),)), CompiledInput(2, 4, 1, (("aim", 1, 65536),))]
    return compiled(tables, [build], inputs=entries, ticks=6)


def test_a_script_applied_otherwise_is_no_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    """An executor that holds an entry a tick too long: the players' column and row, and that it is the script."""

    class Late(GeneratedExecutor):
        def __init__(self, scenario: CompiledScenario) -> None:
            longer = tuple(replace(entry, hold=entry.hold + (entry.player == 0)) for entry in scenario.inputs)
            super().__init__(replace(scenario, inputs=longer))

    monkeypatch.setitem(EXECUTORS, GENERATED, Late)
    fault = found(pressing())
    assert (fault.tick, fault.how, fault.table, fault.row, fault.system) == (4, "inputs", "players", 0, "")
    assert (fault.expected.name, fault.expected.raw, fault.actual.raw) == ("players.key", 0, 9)


def test_players_rows_are_operands_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """An op that reads a player's row meets there what the script has put, and the table is called players."""

    def gather(self: Emitter, depth: int, op: Op) -> None:
        self._assign(depth, op, f"{self._lane(op)}[{self._operands(op)[0]}] ^ 1")

    faults.state_op(monkeypatch, "gather.i32", gather)
    scenario = pressing()
    fault = first_operation(scenario, 3, GENERATED).fault
    assert fault is not None
    assert [(value.name, value.raw) for value in fault.operands] == [("index", 0), ("players.key[0]", 9)]


@pytest.mark.parametrize("executor", ["reference", GENERATED])
def test_standing_is_the_same_as_having_come_there(executor: str) -> None:
    """An executor that takes over cells and generator goes on as the one they were taken from."""
    scenario = drawing("draw.roll", "i32", (-3, 12))
    came = make_executor("reference", scenario)
    came.setup()
    came.advance(1)
    stands = make_executor(executor, scenario)
    lanes = {r: came.lane(r.table, r.column, r.lane) for r in (ref("unit.u"), ref("unit.d"))}
    stands.stand(lanes, came.rng_state())
    for side in (came, stands):
        side.advance(2)
    assert [(n, bytes(b)) for n, b in stands.part_buffers()] == [(n, bytes(b)) for n, b in came.part_buffers()]
