"""A scenario made ready for one backend: programs lowered, script values converted to cells."""

from __future__ import annotations

from detcheck import numbers
from detcheck.errors import DetcheckError, Faults
from detcheck.language.analyse import Env
from detcheck.scenario.compiled import CompiledScenario
from detcheck.scenario.lowered import lower_programs
from detcheck.scenario.scenario import Scenario
from detcheck.scenario.scripted import convert_inputs


def compile_scenario(scenario: Scenario, backend_id: str) -> CompiledScenario:
    """The scenario for one backend.

    Raises DetcheckError `backend.unknown`, or Faults: every op that the backend lacks, every constant out of its range.
    """
    backend = numbers.get(backend_id)
    faults: list[DetcheckError] = []
    lowered = scenario.lowered.get(backend_id)
    if lowered is None:
        env = Env(scenario.tables, scenario.config, scenario.rng, scenario.tick_rate)
        lowered = lower_programs(scenario.setup, scenario.systems, env, backend_id, faults)
    inputs = convert_inputs(scenario, backend, faults)
    if faults or lowered is None:
        raise Faults(faults)
    return CompiledScenario(
        name=scenario.name,
        backend=backend_id,
        rng=scenario.rng,
        seed=scenario.seed,
        ticks=scenario.ticks,
        hash_every=scenario.hash_every,
        tables=scenario.tables,
        inputs=inputs,
        setup=lowered.setup,
        systems=lowered.systems,
    )
