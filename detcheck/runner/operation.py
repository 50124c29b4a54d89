"""A result with the first operation on which its executor and the reference part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from detcheck.errors import TrapError
from detcheck.model.run_report import ScenarioResult
from detcheck.runner.stepper import Stepper
from detcheck.runner.work import Work

if TYPE_CHECKING:
    from detcheck.scenario.compiled import CompiledScenario
    from detcheck.scenario.scenario import Scenario

Stop = Callable[[], bool]

#: rows x ops x ticks that the reference is asked for without being told to: some twenty seconds
REFERENCE_LIMIT = 2 * 10**7


def with_operation(
    result: ScenarioResult, compiled: CompiledScenario, tick: int, expected: str, actual: str, stop: Stop
) -> ScenarioResult:
    """The result with the operation that made two executors part at `tick`, one of them the reference.

    What was looked for and not found stands in the remarks.
    """
    from detcheck.engine.first_operation import REFERENCE, first_operation

    if result.operation is not None and result.operation.tick == tick:
        return result
    if (expected == REFERENCE) == (actual == REFERENCE):
        return result
    answer = first_operation(compiled, tick, actual if expected == REFERENCE else expected, stop)
    fault = answer.fault
    if fault is not None and actual == REFERENCE:
        fault = replace(fault, expected=fault.actual, actual=fault.expected, expected_from=expected, actual_from=actual)
    return replace(result, operation=fault, remarks=(*result.remarks, *answer.remarks))


def trap_held(result: ScenarioResult, work: Work, scenario: Scenario, trap: TrapError, stop: Stop) -> ScenarioResult:
    """The result of a run that trapped, with the operation where the reference goes on instead of trapping.

    The reference is asked only where that is cheap.
    """
    from detcheck.runner.cost import replay_cost
    from detcheck.scenario.compile import compile_scenario

    compiled = compile_scenario(scenario, work.backend)
    if work.executor == "reference" or replay_cost(compiled, trap.tick + 1) > REFERENCE_LIMIT:
        return result
    try:
        reference = Stepper("reference", compiled, stop)
        reference.to(trap.tick + 1)
    except TrapError as expected:
        if str(expected) == str(trap):
            return result
    words = f"the reference does not stop here as {work.executor} does"
    result = replace(result, remarks=(*result.remarks, words))
    return with_operation(result, compiled, trap.tick + 1, "reference", work.executor, stop)
