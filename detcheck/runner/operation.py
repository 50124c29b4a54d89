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

#: cells moved and row-ops run in the search for an operation, where executors are asked to be held to each other
CROSS_CHECK_LIMIT = 2 * 10**8


def with_operation(
    result: ScenarioResult, work: Work, compiled: CompiledScenario, tick: int, stop: Stop, expected: str = "reference"
) -> ScenarioResult:
    """The result with the operation that made the work's executor and `expected` part at `tick`, one the reference.

    What was looked for and not found stands in the remarks.
    """
    from detcheck.engine.first_operation import REFERENCE, WORK_LIMIT, first_operation

    actual = work.executor
    if result.operation is not None and result.operation.tick == tick:
        return result
    if (expected == REFERENCE) == (actual == REFERENCE):
        return result
    limit = CROSS_CHECK_LIMIT if work.cross_check else WORK_LIMIT
    answer = first_operation(compiled, tick, actual if expected == REFERENCE else expected, stop, limit)
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
    in_setup = trap.tick == 0 and any(program.name == trap.system for program in compiled.setup)
    tick = 0 if in_setup else trap.tick + 1
    if work.executor == "reference" or replay_cost(compiled, tick) > REFERENCE_LIMIT:
        return result
    try:
        Stepper("reference", compiled, stop).to(tick)
    except TrapError as expected:
        if str(expected) == str(trap):
            return result
    words = f"the reference does not stop here as {work.executor} does"
    result = replace(result, remarks=(*result.remarks, words))
    return with_operation(result, work, compiled, tick, stop)
