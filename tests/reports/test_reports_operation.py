"""How the first divergent operation is shown, on faults made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from detcheck.model.operation import HOW, OperationFault, OperationValue
from detcheck.model.run_report import ScenarioResult
from detcheck.reports import console, operation, run_json
from detcheck.reports.operation_console import operation_lines
from detcheck.reports.plain import failure_lines

FAULT = OperationFault(
    tick=23,
    system="drift",
    op="num.mul",
    table="unit",
    row=2,
    operands=(
        OperationValue("a", "num", -1234, "-0.018829345703125", "fffffb2e"),
        OperationValue("b", "num", 8520, "0.1300048828125", "00002148"),
    ),
    expected=OperationValue("result", "num", -160, "-0.00244140625", "ffffff60"),
    actual=OperationValue("result", "num", -161, "-0.0024566650390625", "ffffff5f"),
    expected_from="reference",
    actual_from="generated",
    file="scenarios/duel.toml",
    line=38,
    column=14,
    source="vel = (vel + normalize(to) * 0.13) * drag",
)
#: as long as cells and names of the language commonly are
LONG = replace(
    FAULT,
    operands=(
        OperationValue("x", "num", -2147483648, "-32768.0", "80000000"),
        OperationValue("lo", "num", -2147483647, "-32767.9999847412109375", "80000001"),
    ),
)
RED = ScenarioResult("duel", "fixed_point_16_16", "generated", "diverged", "differs", operation=FAULT)


def test_a_wide_line_has_a_table() -> None:
    """Place, source and caret, then one line a value: raw, decimal, bits."""
    assert [line.plain for line in operation_lines(FAULT, 78)] == [
        "first divergent operation: tick 23, drift, num.mul, row 2 of unit",
        "  scenarios/duel.toml:38:14",
        "    vel = (vel + normalize(to) * 0.13) * drag",
        "                 ^",
        "               raw    decimal              bits",
        "    a          -1234  -0.018829345703125   fffffb2e",
        "    b          8520   0.1300048828125      00002148",
        "  - reference  -160   -0.00244140625       ffffff60",
        "  + generated  -161   -0.0024566650390625  ffffff5f",
    ]


@pytest.mark.parametrize("width", [50, 80, 120])
@pytest.mark.parametrize("fault", [FAULT, LONG], ids=["short", "long"])
def test_no_line_is_wider_than_it_may_be(fault: OperationFault, width: int) -> None:
    """At 80 and at 50 columns nothing is cut and nothing wraps, in the whole text of a result."""
    lines = [line.plain for line in console.details(replace(RED, operation=fault), width, wrap=True)]
    assert all(len(line) <= width for line in lines), [line for line in lines if len(line) > width]
    shown = "\n".join(lines)
    for value in (*fault.operands, fault.expected, fault.actual):
        assert all(form in shown for form in (str(value.raw), value.decimal, value.bits))
    assert all(words in " ".join(shown.split()) for words in (HOW["alone"], "scenarios/duel.toml:38:14", "num.mul"))


def test_a_trap_and_a_generator_are_told_in_words() -> None:
    """What has no cell says what it is instead of raw, decimal and bits."""
    odd = replace(
        FAULT,
        operands=(OperationValue("generator", "generator", None, "before the first row", "0123456789abcdef"),),
        expected=OperationValue("result", "trap", None, "trap: division by zero", ""),
    )
    for width in (40, 80):
        lines = [line.plain for line in operation_lines(odd, width)]
        assert any("0123456789abcdef before the first row" in line for line in lines)
        assert any("trap: division by zero" in line for line in lines)
    assert "reference trap: division by zero, generated -0.0024566650390625 (raw -161" in operation.line(odd)


@pytest.mark.parametrize("how", HOW)
def test_every_way_to_find_it_has_its_sentence(how: str) -> None:
    """Each `how` is said in all reports; where only the state is known the cell is named instead of an op."""
    fault = replace(FAULT, how=how, op="", expected=replace(FAULT.expected, name="unit.vel.x"))
    assert operation.headline(fault) == "tick 23, drift, unit.vel.x, row 2 of unit"
    lines = failure_lines(replace(RED, operation=fault))
    assert HOW[how] in lines
    assert sum("first divergent operation" in line for line in lines) == 1


def test_an_input_script_has_no_place() -> None:
    """The players' rows belong to no line of a system."""
    fault = replace(FAULT, how="inputs", system="", op="", file="", line=None, column=None, source=None, operands=())
    assert operation.headline(fault) == "tick 23, input script, row 2 of unit"
    assert operation.place(fault) == ""
    assert len(operation_lines(fault, 80)) == 4


def test_names_are_data_everywhere() -> None:
    """Control characters and workflow commands in names and source lines reach no report."""
    bad = "x\x1b[2J\n##[error]::error::"
    fault = replace(
        FAULT,
        system=bad,
        table=bad,
        file=bad,
        source=bad,
        expected_from=bad,
        operands=(OperationValue(bad, "num", 1, bad, bad),),
        expected=OperationValue(bad, "num", 1, bad, bad),
    )
    result = replace(RED, operation=fault)
    texts = [*failure_lines(result), *(line.plain for line in console.details(result, 80))]
    assert all(character.isprintable() for text in texts for character in text.strip("\n"))
    assert not any("##[" in line for line in failure_lines(result))


def test_json_has_every_field() -> None:
    """The document has each field of the model; a value its name, type, raw, decimal and bits."""
    found = operation.document(FAULT)
    assert set(found) == set(FAULT.__dataclass_fields__)
    assert found["actual"] == {
        "name": "result",
        "type": "num",
        "raw": -161,
        "decimal": "-0.0024566650390625",
        "bits": "ffffff5f",
    }
    assert run_json._result(RED)["operation"] == found
    assert run_json._result(replace(RED, operation=None))["operation"] is None
