"""`run --repeat N`: the same replay N times must agree with itself at every checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from detcheck.errors import TrapError
from detcheck.model import exits
from detcheck.model.checkpoint import Checkpoint
from detcheck.model.run_report import ScenarioResult
from detcheck.runner.work import Work

if TYPE_CHECKING:
    from detcheck.scenario.compiled import CompiledScenario
    from detcheck.scenario.scenario import Scenario

#: more repetitions than anyone needs; a bound so that a typing error is one
REPEAT_LIMIT = 1_000_000


def repeated(result: ScenarioResult, work: Work, scenario: Scenario, stop: Callable[[], bool]) -> ScenarioResult:
    """The result with a remark that all replays agree, or the divergence of a replay from the first one.

    A replay that is unlike itself outweighs what the golden said: nothing can be said of it.
    """
    from detcheck.scenario.compile import compile_scenario

    compiled = compile_scenario(scenario, work.backend)
    for number in range(2, work.repeat + 1):
        again = _checkpoints(work.executor, compiled, scenario, stop)
        unlike = first_unlike(result.actual, again)
        if unlike is not None:
            return _unlike_itself(result, work, number, *unlike)
    return replace(result, remarks=(*result.remarks, f"repeat: {work.repeat} replays agree at every checkpoint"))


def first_unlike(first: Sequence[Checkpoint], again: Sequence[Checkpoint]) -> tuple[int, tuple[str, ...]] | None:
    """The first checkpoint (its tick) that differs, and the parts that do; a missing one differs too."""
    for a, b in zip(first, again, strict=False):
        if a != b:
            other = dict(b.parts)
            return a.tick, tuple(name for name, digest in a.parts if other.get(name) != digest)
    if len(first) != len(again):
        longer = max(first, again, key=len)
        return longer[min(len(first), len(again))].tick, ()
    return None


def _checkpoints(
    executor_name: str, compiled: CompiledScenario, scenario: Scenario, stop: Callable[[], bool]
) -> list[Checkpoint]:
    from detcheck.engine.executors import make_executor
    from detcheck.engine.replay import checkpoints_of

    executor = make_executor(executor_name, compiled)
    found: list[Checkpoint] = []
    with suppress(TrapError):  # the first replay reported its trap; one only here shows as checkpoints missing
        for checkpoint in checkpoints_of(executor, scenario.hash_every, scenario.ticks, stop):
            found.append(checkpoint)
    return found


def _unlike_itself(
    result: ScenarioResult, work: Work, number: int, tick: int, parts: tuple[str, ...]
) -> ScenarioResult:
    where = f" in {', '.join(parts)}" if parts else ""
    reason = f"replay {number} of {work.repeat} is unlike the first at checkpoint {tick}{where}"
    if result.verdict != "equal":
        reason += f"\nagainst the golden: {result.reason}"
    before = [c.tick for c in result.actual if c.tick < tick]
    return replace(
        result,
        verdict="diverged",
        reason=reason,
        first_divergent_checkpoint=tick,
        first_divergent_tick=None,
        last_equal_tick=before[-1] if before else None,
        comparison=None,
        operation=None,
        expected_from=None,
        exit_code=exits.VERDICTS["diverged"],
        reproduce=work.paste.run("--repeat", str(work.repeat)),
        hint="a replay that is unlike itself points at the machine or at a bug in detcheck: detcheck doctor",
    )
