"""`run --cross-check`: the same replay on two executors, every tick compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from detcheck.errors import TrapError
from detcheck.model import exits
from detcheck.model.checkpoint import Checkpoint
from detcheck.model.comparison import Comparison
from detcheck.model.record import Record
from detcheck.model.run_report import ScenarioResult
from detcheck.runner.operation import with_operation
from detcheck.runner.stepper import Stepper
from detcheck.runner.work import Work

if TYPE_CHECKING:
    from detcheck.scenario.compiled import CompiledScenario
    from detcheck.scenario.scenario import Scenario


def other_executor(executor: str) -> str:
    """What a (resolved) executor is held to: the reference, and the reference to what `auto` is here."""
    from detcheck.engine.executors import resolve

    return "reference" if executor != "reference" else resolve("auto")


def cross_checked(result: ScenarioResult, work: Work, scenario: Scenario, stop: Callable[[], bool]) -> ScenarioResult:
    """The result with a remark that both agree, or a divergence between them, which outweighs what it was."""
    from detcheck.scenario.compile import compile_scenario

    other = other_executor(work.executor)
    compiled = compile_scenario(scenario, work.backend)
    sides = [_Side(name, compiled, stop) for name in (other, work.executor)]
    agreement = _compared(sides[0], sides[1], scenario.ticks)
    tick = agreement.unlike
    if tick is None:
        words = f"{other} and {work.executor} agree at every tick from 0 to {agreement.reached}"
        return replace(result, remarks=(*result.remarks, f"cross-check: {words}"))
    reason = f"cross-check: {other} (expected) and {work.executor} (actual) differ at tick {tick}"
    if result.verdict == "equal":
        reason += f"\n{work.executor} is equal to the golden at every checkpoint (the strip); {other} is what differs"
    else:
        reason += f"\nagainst the golden: {result.reason}"
    result = replace(
        result,
        verdict="diverged",
        reason=reason,
        first_divergent_tick=tick,
        last_equal_tick=tick - 1 if tick else None,
        comparison=agreement.comparison,
        expected_from=other,
        exit_code=exits.VERDICTS["diverged"],
        reproduce=work.paste.run("--cross-check"),
        hint=None,
    )
    return with_operation(result, work, compiled, tick, stop, expected=other)


class _Side:
    """One executor's replay; a trap is an outcome like a checkpoint, compared by its words."""

    def __init__(self, executor: str, compiled: CompiledScenario, stop: Callable[[], bool]) -> None:
        self.begin = partial(Stepper, executor, compiled, stop)
        self.stepper: Stepper | None = None

    def at(self, tick: int) -> Checkpoint | str:
        """The checkpoint at a tick that is not behind, or the words of the trap on the way there."""
        try:
            if self.stepper is None:
                self.stepper = self.begin()
            return self.stepper.to(tick)
        except TrapError as trap:
            return str(trap)

    def record(self, checkpoint: Checkpoint) -> Record:
        """The state at the checkpoint that `at` just gave."""
        assert self.stepper is not None
        return self.stepper.record(checkpoint)


@dataclass(frozen=True)
class _Agreement:
    """Up to where both agree; `unlike` is the first tick where they do not, `comparison` its diff."""

    reached: int
    unlike: int | None = None
    comparison: Comparison | None = None


def _compared(expected: _Side, actual: _Side, ticks: int) -> _Agreement:
    from detcheck.compare.states import compare_state

    for tick in range(ticks + 1):
        mine, theirs = expected.at(tick), actual.at(tick)
        if isinstance(mine, str) or isinstance(theirs, str):
            return _Agreement(max(0, tick - 1), None if mine == theirs else tick)
        if mine != theirs:
            comparison = compare_state(expected.record(mine), actual.record(theirs))
            return _Agreement(max(0, tick - 1), tick, comparison)
    return _Agreement(ticks)
