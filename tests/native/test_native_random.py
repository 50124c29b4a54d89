"""The native executor on random programs, held to the plain walk byte by byte and trap by trap."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from native_outcomes import outcome, with_rows
from programs import BACKENDS, scenario_texts
from random_ops import compiled_scenarios

from detcheck.engine import native
from detcheck.engine.native import NativeExecutor
from detcheck.engine.reference import ReferenceExecutor
from detcheck.scenario.compile import compile_scenario
from detcheck.scenario.compiled import CompiledScenario
from detcheck.scenario.load import load

pytestmark = pytest.mark.skipif(not native.available(), reason=native.why_not() or "native")

EXAMPLES = int(os.environ.get("DETCHECK_EXAMPLES", "1"))
LOOPS = native.build_info().loops if native.available() else ()


def same_on_all_loops(scenario: CompiledScenario) -> None:
    """Both loop builds see what the reference sees."""
    expected = outcome(ReferenceExecutor(scenario), scenario.ticks)
    for loops in LOOPS:
        assert outcome(NativeExecutor(scenario, loops), scenario.ticks) == expected, loops


@settings(max_examples=80 * EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(compiled_scenarios())
def test_random_op_lists_give_the_same_bytes_and_traps(scenario: CompiledScenario) -> None:
    """Every op, hazard between rows, guard, fold, draw and input on every backend: the same states, the same trap."""
    same_on_all_loops(scenario)


@settings(max_examples=12 * EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(compiled_scenarios(), st.integers(100, 260))
def test_blocks_of_rows_change_nothing(scenario: CompiledScenario, factor: int) -> None:
    """Tables of several blocks and a rest: rows of one block never see another block's too early."""
    same_on_all_loops(with_rows(scenario, factor))


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=12 * EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_scenario_files_give_the_same_bytes_and_traps(
    backend: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whole files, through the language: the same states after every tick, or the same trap."""
    path = Path(tmp_path_factory.mktemp("random")) / "random.toml"
    path.write_text(data.draw(scenario_texts(backend)), encoding="utf-8")
    same_on_all_loops(compile_scenario(load(path), backend))
