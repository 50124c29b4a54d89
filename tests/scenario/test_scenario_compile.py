"""Backends of a scenario, and what an executor gets: programs lowered and script values as cells."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from scenario_texts import changed, faults_of, loaded, refused, write

from detcheck.errors import DetcheckError, Faults
from detcheck.numbers import BACKENDS
from detcheck.scenario.compile import compile_scenario
from detcheck.scenario.load import load

LISTED = 'backends = ["fixed_point_16_16", "float_pinned_32"]\n'
SUM = 'do = "score = sum(unit.hp)"'


def test_without_a_list_every_backend_that_supports_all_ops_is_chosen(tmp_path: Path) -> None:
    """Radians leave float_pinned_32, raw() leaves the fixed backends, neither leaves all."""
    base = (LISTED, "")
    assert loaded(tmp_path, base).backends == BACKENDS
    assert not loaded(tmp_path, base).backends_listed
    radians = (SUM, 'do = "score = round(sin(0.5))"')
    assert loaded(tmp_path, base, radians).backends == ("float_pinned_32",)
    raw = (SUM, 'do = "score = round(raw(70000))"')
    assert loaded(tmp_path, base, raw).backends == ("fixed_point_16_16", "fixed_wrapping_16_16")


def test_a_file_that_no_backend_can_run_is_refused(tmp_path: Path) -> None:
    """raw() in one program and radians in another leave nothing."""
    raw = ("hp = 100", "hp = round(raw(70000))")
    fault = refused(tmp_path, (LISTED, ""), raw, (SUM, 'do = "score = round(sin(0.5))"'))
    assert fault.code == "scenario.backends"


def test_a_listed_backend_that_lacks_an_op_is_refused_with_op_and_place(tmp_path: Path) -> None:
    """The caret stands at the op, and the message names both."""
    fault = refused(tmp_path, (SUM, 'do = "score = round(atan2(0.5, 2))"'))
    assert fault.where is not None
    assert (fault.where.source or "")[(fault.where.column or 1) - 1 :].startswith("atan2")
    assert "atan2" in str(fault)
    assert "fixed_point_16_16" in str(fault)


def test_a_constant_out_of_a_backend_s_range_is_refused_at_load(tmp_path: Path) -> None:
    """A literal, a config constant and an input that only binary32 can hold: faults while a fixed backend is chosen."""
    literal = ("0.5) * drag", "40000.5) * drag")
    config = ("drag = 0.98", "drag = 98e9")
    entry = ("power = 0.1", "power = 32768")
    for edit, spot in ((literal, "40000.5"), (config, "drag"), (entry, "32768")):
        fault = refused(tmp_path, edit)
        assert fault.where is not None
        assert (fault.where.source or "")[(fault.where.column or 1) - 1 :].startswith(spot), str(fault)
        assert loaded(tmp_path, edit, (LISTED, 'backends = ["float_pinned_32"]\n'))


def test_the_ends_of_q16_16_are_values_of_inputs(tmp_path: Path) -> None:
    """-32768 is a num of the fixed backends, 32768 is not."""
    scenario = loaded(tmp_path, ("power = 0.1", "power = -32768"), ("[1, -0.25]", "[32767.99998, -32767]"))
    compiled = compile_scenario(scenario, "fixed_point_16_16")
    assert compiled.inputs[1].cells == (("power", 0, -(1 << 31)),)
    assert compiled.inputs[0].cells[0] == ("move", 0, (1 << 31) - 1)


@pytest.mark.parametrize(
    ("backend", "move", "power"),
    [
        ("fixed_point_16_16", (65536, -16384), 6554),
        ("fixed_wrapping_16_16", (65536, -16384), 6554),
        ("float_pinned_32", (0x3F800000, 0xBE800000), 0x3DCCCCCD),
    ],
)
def test_inputs_are_cells_of_the_backend(tmp_path: Path, backend: str, move: tuple[int, int], power: int) -> None:
    """Values are converted as literals are; booleans and integers are the same everywhere."""
    scenario = loaded(tmp_path, ("fire = true", "fire = true\nmode = 4294967295\nshift = -1\nturn_to = 7"))
    first, second = compile_scenario(scenario, backend).inputs
    assert (first.tick, first.hold, first.player) == (30, 60, 1)
    assert first.cells == (
        ("move", 0, move[0]),
        ("move", 1, move[1]),
        ("fire", 0, 1),
        ("mode", 0, 4294967295),
        ("shift", 0, -1),
        ("turn_to", 0, 7),
    )
    assert second.cells == (("power", 0, power),)


def test_a_compiled_scenario_holds_the_run_s_settings(tmp_path: Path) -> None:
    """Tables in canonical order, programs in file order, and overrides of seed and ticks."""
    scenario = loaded(tmp_path).having(seed=9, ticks=11)
    compiled = compile_scenario(scenario, "float_pinned_32")
    assert (compiled.name, compiled.backend, compiled.seed, compiled.ticks, compiled.hash_every) == (
        "base",
        "float_pinned_32",
        9,
        11,
        60,
    )
    assert [table.name for table in compiled.tables] == ["world", "players", "unit"]
    assert [program.table for program in compiled.setup] == ["unit", "world"]
    assert [program.name for program in compiled.systems] == ["walk", "tally"]
    assert compiled.systems[0].guard_register is not None


def test_overrides_are_held_to_the_ranges_of_the_file(tmp_path: Path) -> None:
    """A seed the generator cannot take and a number of ticks beyond i32 are faults."""
    scenario = loaded(tmp_path)
    for wrong in ({"seed": -1}, {"seed": 1 << 32}, {"ticks": -1}, {"ticks": 1 << 31}):
        with pytest.raises(DetcheckError) as caught:
            scenario.having(**wrong)
        assert caught.value.code == "scenario.range"


def test_a_backend_that_was_not_chosen_is_compiled_or_refused_when_asked_for(tmp_path: Path) -> None:
    """fixed_wrapping_16_16 can run the base, radians it cannot; no backend of another name is there."""
    assert compile_scenario(loaded(tmp_path), "fixed_wrapping_16_16").backend == "fixed_wrapping_16_16"
    radians = load(write(tmp_path, changed((LISTED, ""), (SUM, 'do = "score = round(sin(0.5))"'))))
    with pytest.raises(Faults):
        compile_scenario(radians, "fixed_wrapping_16_16")
    big = loaded(tmp_path, ("power = 0.1", "power = 1e9"), (LISTED, 'backends = ["float_pinned_32"]\n'))
    with pytest.raises(Faults) as caught:
        compile_scenario(big, "fixed_point_16_16")
    assert caught.value.where is not None
    assert big.path.read_text().split("\n")[(caught.value.where.line or 0) - 1] == "[[inputs]]"
    assert "power" in str(caught.value)
    with pytest.raises(DetcheckError) as unknown:
        compile_scenario(big, "fixed")
    assert unknown.value.code == "backend.unknown"


def test_nothing_of_a_file_executes(tmp_path: Path) -> None:
    """Loading a file whose programs would do harm as Python reports them and touches nothing."""
    mark = tmp_path / "touched"
    harm = f"score = __import__('os').mkdir('{mark}')".replace("\\", "/")
    faults = faults_of(write(tmp_path, changed((SUM, f'do = """{harm}"""'))))
    assert faults
    assert not mark.exists()


def test_loading_needs_no_engine_and_no_console(tmp_path: Path) -> None:
    """`check` and editors pay for the loader alone."""
    path = write(tmp_path, changed())
    code = (
        "import sys; from detcheck.scenario.load import load; load(sys.argv[1]);"
        "assert not {'rich', 'click', 'detcheck.engine', 'detcheck.dumps'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code, str(path)], check=True)
