"""A red `detcheck run` names the first divergent operation, wherever the reference knows better than the executor."""

from __future__ import annotations

import json
from typing import Any

import faults
import pytest
from cli_project import FIXED, FLOAT, TRAP, WRAPPING, Project

from detcheck.engine import executors
from detcheck.engine.executors import EXECUTORS
from detcheck.engine.reference import ReferenceExecutor
from detcheck.errors import Trap
from detcheck.numbers import get
from detcheck.scenario.compiled import CompiledScenario

DUEL = ("run", "duel", "--backend", FLOAT)
SOURCE = "vel = (vel + normalize(to) * 0.13) * drag"


@pytest.fixture
def dividing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The generated executor's binary32 quotients are a little too large, after the goldens were recorded."""
    faults.template(monkeypatch, FLOAT, "num.div", "?{0} / {1} * 1.0000001")


def operation(project: Project) -> dict[str, Any]:
    """The operation of the only result in out.json."""
    (result,) = json.loads((project.folder / "out.json").read_text())["results"]
    found: dict[str, Any] = result["operation"]
    return found


@pytest.mark.usefixtures("dividing")
@pytest.mark.parametrize("option", [(), ("--cross-check",)], ids=["golden", "cross-check"])
def test_the_console_and_the_json_name_it(option: tuple[str, ...], project: Project) -> None:
    """Against a golden that the reference reproduces, and against it: tick, system, place, op, row, values."""
    done = project.run(*DUEL, "--executor", "generated", *option, "--json", "out.json")
    assert done.code == 1
    assert done.has("first divergent operation: tick 1, drift, num.div, row 0 of unit", "scenarios/duel.toml:38:14")
    assert f"      {SOURCE}\n                   ^\n" in done.out
    assert done.has("raw decimal bits a", "- reference", "+ generated", "given these operands alone")
    found = operation(project)
    assert [found[name] for name in ("tick", "system", "op", "table", "row", "how")] == [
        *(1, "drift", "num.div", "unit", 0, "alone")
    ]
    assert (found["file"], found["line"], found["column"]) == ("scenarios/duel.toml", 38, 14)
    assert found["source"].strip() == SOURCE
    assert [value["name"] for value in found["operands"]] == ["a", "b"]
    assert set(found["expected"]) == {"name", "type", "raw", "decimal", "bits"}
    assert found["expected"]["raw"] != found["actual"]["raw"]
    assert int(found["actual"]["bits"], 16) == found["actual"]["raw"]
    assert (found["expected_from"], found["actual_from"]) == ("reference", "generated")


@pytest.mark.usefixtures("dividing")
def test_other_reports_have_it_on_one_line(project: Project) -> None:
    """Markdown and JUnit carry the same line, with operands and both results."""
    project.run(*DUEL, "--executor", "generated", "--markdown", "out.md", "--junit", "out.xml")
    for name in ("out.md", "out.xml"):
        (line,) = [
            text for text in (project.folder / name).read_text().splitlines() if "first divergent operation" in text
        ]
        assert "tick 1, drift, num.div, row 0 of unit (scenarios/duel.toml:38:14): a = " in line
        assert ", bits " in line
        assert "reference -" in line
        assert "generated -" in line


@pytest.mark.usefixtures("dividing")
def test_states_beside_the_golden_do_not_keep_it_from_being_named(project: Project) -> None:
    """The expected state comes from the states file; the reference still gives the exact tick and the operation."""
    project.record("duel", "--states", "--executor", "reference")
    done = project.run(*DUEL, "--executor", "generated", "--json", "out.json")
    assert done.code == 1
    assert done.has("expected: states", "first divergent tick: 1", "first divergent operation: tick 1, drift, num.div")
    assert operation(project)["op"] == "num.div"


@pytest.mark.usefixtures("dividing")
def test_the_reference_may_be_the_one_that_is_run(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Held to the faulty executor, the reference is the actual side; its result stands there."""
    monkeypatch.setattr(executors, "native_available", lambda: False)
    done = project.run(*DUEL, "--executor", "reference", "--cross-check", "--json", "out.json")
    assert done.code == 1
    found = operation(project)
    assert (found["expected_from"], found["actual_from"], found["op"]) == ("generated", "reference", "num.div")
    quotient = get(FLOAT).div(*(value["raw"] for value in found["operands"]))
    assert found["actual"]["raw"] == quotient != found["expected"]["raw"]


def test_a_trap_that_one_executor_misses_is_named(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """--cross-check where only the reference traps: the op, and the quotient that came instead."""
    text = "0 if {1} == 0 else (abs({0}) << 16) // abs({1}) * (1 if ({0} < 0) == ({1} < 0) else -1)"
    faults.template(monkeypatch, WRAPPING, "num.div", text)
    empty.scenario("fall", TRAP)
    done = empty.run("run", "--executor", "generated", "--cross-check", "--json", "out.json")
    assert done.code == 1
    assert done.has("differ at tick 4", "tick 4, fall, num.div, row 0 of unit", "trap: division by zero")
    assert operation(empty)["expected"]["type"] == "trap"
    assert operation(empty)["actual"]["raw"] == 0


class Strict(ReferenceExecutor):
    """Traps where a difference of integers begins below 28."""

    name = "generated"

    def __init__(self, compiled: CompiledScenario) -> None:
        super().__init__(compiled)

        def sub(a: int, b: int) -> int:
            if a < 28:
                raise Trap("int_div_zero")
            return a - b

        self.walker.functions["i32.sub"] = sub


@pytest.mark.parametrize("option", [(), ("--cross-check",)], ids=["golden", "cross-check"])
def test_a_trap_that_only_one_executor_has_is_named(
    option: tuple[str, ...], project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that stops where the reference goes on says so and names the op, with or without --cross-check."""
    monkeypatch.setitem(EXECUTORS, "generated", Strict)
    done = project.run("run", "duel", "--backend", FIXED, "--executor", "generated", *option, "--json", "out.json")
    assert done.code == (1 if option else 2)
    assert done.has("the reference does not stop here as generated does", "first divergent operation", "i32.sub")
    found = operation(project)
    assert (found["system"], found["op"], found["actual"]["type"]) == ("drift", "i32.sub", "trap")
    assert found["operands"][0]["raw"] < 28


def test_a_trap_of_setup_is_of_tick_zero(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """An executor that stops while the state is set up: the setup's line, tick 0."""

    class Early(Strict):
        def __init__(self, compiled: CompiledScenario) -> None:
            super().__init__(compiled)

            def sub(a: int, b: int) -> int:
                raise Trap("num_div_zero")

            self.walker.functions["num.sub"] = sub

    monkeypatch.setitem(EXECUTORS, "generated", Early)
    done = project.run("run", "duel", "--backend", FIXED, "--executor", "generated", "--json", "out.json")
    assert done.code == 2
    found = operation(project)
    assert (found["tick"], found["op"], found["how"]) == (0, "num.sub", "alone")
    assert "rand_unit() - 0.4" in found["source"]


def test_equal_executors_have_none(project: Project) -> None:
    """Nothing is looked for where nothing differs; a trap that both have is an error as before, and they agree."""
    done = project.run(*DUEL, "--executor", "generated", "--cross-check", "--json", "out.json")
    assert done.code == 0
    assert operation(project) is None
    project.scenario("fall", TRAP)
    both = project.run("run", "fall", "--executor", "generated", "--cross-check")
    assert both.has("agree at every tick from 0 to 3")
