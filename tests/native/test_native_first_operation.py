"""The first divergent operation of the native executor: its plan is given wrong kernels, and they are named."""

from __future__ import annotations

from typing import Any

import faults
import pytest
from hand_built import FIXED, FLOAT, Build, compiled, ref, table

from detcheck.engine import native, native_pass
from detcheck.engine.executors import make_executor
from detcheck.engine.first_operation import first_operation
from detcheck.model.operation import OperationFault
from detcheck.scenario.compiled import CompiledScenario

pytestmark = pytest.mark.skipif(not native.available(), reason=native.why_not() or "native")


def kernels(monkeypatch: pytest.MonkeyPatch, names: dict[str, str]) -> None:
    """Steps of the plan run other kernels than their own."""
    real: Any = native_pass.Pass._write

    def write(self: Any, name: str, *rest: Any) -> None:
        real(self, names.get(name, name), *rest)

    monkeypatch.setattr(native_pass.Pass, "_write", write)


def found(scenario: CompiledScenario, executor: str = "native") -> OperationFault:
    tick = faults.first_unlike(scenario, executor)
    assert tick is not None
    fault = first_operation(scenario, tick, executor).fault
    assert fault is not None
    return fault


def guarded(rows: int = 700, backend: str = FIXED) -> CompiledScenario:
    """Rows from 600 on: `unit.b = max(unit.a, 3)`, and a flag."""
    setup, build = Build("fill", "unit"), Build("some", "unit")
    setup.store("unit.a", setup.op("num.from_i32", setup.op("row", kind="i32"), kind="num"))
    build.end_guard(build.op("i32.ge", build.op("row", kind="i32"), build.const(600), kind="bool"))
    three = build.const(3 << 16 if backend == FIXED else 0x40400000, "num")
    build.store("unit.b", build.op("num.max", build.load("unit.a", "num"), three, kind="num"))
    build.store("unit.f", build.op("num.gt", build.load("unit.b", "num"), three, kind="bool"))
    return compiled([table("unit", rows, a="num", b="num", f="bool")], [build], [setup], backend)


@pytest.mark.parametrize("executor", ["native", "native:baseline"])
@pytest.mark.parametrize("backend", [FIXED, FLOAT])
def test_a_wrong_kernel_is_named(backend: str, executor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a guard, in a second block: the lowest active row."""
    kernels(monkeypatch, {"num.max": "num.min"})
    fault = found(guarded(backend=backend), executor)
    assert (fault.tick, fault.system, fault.line, fault.op, fault.row) == (1, "some", 6, "num.max", 600)
    assert (fault.how, fault.actual_from) == ("alone", executor)
    assert [value.decimal for value in fault.operands] == ["600.0", "3.0"]
    assert (fault.expected.decimal, fault.actual.decimal) == ("600.0", "3.0")


def test_a_wrong_store_through_the_active_list_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store kernel that writes to the wrong cells: what carries results out is not taken for the op before it."""
    monkeypatch.setitem(native_pass._STORES, "num", ("store.num", "store.at.8"))
    fault = found(guarded())
    assert (fault.system, fault.op, fault.expected.name, fault.how) == ("some", "store", "unit.b", "alone")


def test_a_wrong_fold_is_named_where_it_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folded row, the accumulator before it and its value."""
    kernels(monkeypatch, {"fold.max.i32": "fold.sum.i32"})
    build = Build("top", "world")
    value = build.op("load", kind="i32", imm=ref("unit.i"))
    build.store("world.t", build.op("fold.max", value, kind="i32", imm="unit", body=build.body(0)))
    fill = Build("fill", "unit")
    fill.store("unit.i", fill.op("i32.sub", fill.op("row", kind="i32"), fill.const(4), kind="i32"))
    fault = found(compiled([table("world", 1, t="i32"), table("unit", 9, i="i32")], [build], [fill]))
    assert (fault.op, fault.table, fault.row, fault.how) == ("fold.max", "unit", 1, "alone")
    assert [(value.name, value.raw) for value in fault.operands] == [("accumulator", -4), ("value", -3)]
    assert (fault.expected.raw, fault.actual.raw) == (-3, -7)


@pytest.mark.parametrize("kind", ["num", "i32", "u32", "angle", "bool"])
def test_standing_writes_every_type_of_cell(kind: str) -> None:
    """Cells taken over read back as they were, the generator too."""
    scenario = compiled([table("unit", 5, c=kind, v="vec2")], [], backend=FIXED)
    machine, other = (make_executor(name, scenario) for name in ("native", "reference"))
    cells = {"num": [-1, 5, -(1 << 31), 0, 1 << 16], "i32": [-1, 5, -(1 << 31), 0, 7], "bool": [1, 0, 1, 1, 0]}.get(
        kind, [0, 1, 1 << 31, (1 << 32) - 1, 9]
    )
    lanes = {ref("unit.c"): cells, ref("unit.v.y"): [-7] * 5}
    for executor in (machine, other):
        executor.stand(lanes, bytes(2499) + b"\0")
    assert machine.lane("unit", "c", 0) == other.lane("unit", "c", 0) == cells
    assert machine.lane("unit", "v", 1) == [-7] * 5
    assert machine.rng_state() == other.rng_state()
