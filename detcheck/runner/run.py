"""One replay against its golden: identity, canaries, checkpoints, then the state where they part."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from detcheck.errors import DetcheckError, Faults, Interrupted, TrapError
from detcheck.model import exits
from detcheck.model.checkpoint import Checkpoint
from detcheck.model.record import Record
from detcheck.model.run_report import Canary, ScenarioResult
from detcheck.runner.work import Outcome, Work

if TYPE_CHECKING:
    from detcheck.golden.compare import GoldenVerdict
    from detcheck.golden.golden import Golden
    from detcheck.scenario.scenario import Scenario

Stop = Callable[[], bool]
#: told of completed ticks out of all
Progress = Callable[[int, int], None]


class CanaryFailed(DetcheckError):
    """The machine does not compute as it has to: nothing it says of a replay would mean anything."""

    def __init__(self, failed: Canary) -> None:
        super().__init__(
            "canary.failed",
            f"canary {failed.name} failed, nothing was replayed: {failed.detail}",
            None,
            "detcheck doctor shows every canary of this machine",
        )


@dataclass
class Replay:
    """What one pass over the checkpoints left: all of them, the state at the first unlike one, a trap."""

    actual: list[Checkpoint] = field(default_factory=list)
    record: Record | None = None
    trap: TrapError | None = None
    executor: str = ""


def run_work(work: Work, stop: Stop, progress: Progress | None = None) -> Outcome:
    """Do one replay and say what came of it. Raises only Interrupted and KeyboardInterrupt."""
    began = time.perf_counter()
    canaries: list[Canary] = []
    trace = None
    try:
        result = _compared(work, stop, progress, canaries)
    except Interrupted:
        raise
    except DetcheckError as fault:
        result = pointed(_failed(work, str(fault), exits.VERDICTS["error"]), fault)
    except Exception as bug:
        import traceback

        trace = "".join(traceback.format_exception(bug))
        result = _failed(work, f"a bug in detcheck: {type(bug).__name__}: {bug}", exits.BUG)
    return Outcome(replace(result, seconds=time.perf_counter() - began), tuple(canaries), trace)


def broken_result(name: str, file: str, fault: DetcheckError) -> ScenarioResult:
    """The result of a scenario file that could not be loaded."""
    result = ScenarioResult(
        name, "", "", "error", str(fault), scenario_file=file, exit_code=exits.VERDICTS["error"], reproduce=None
    )
    return pointed(result, fault)


def pointed(result: ScenarioResult, fault: DetcheckError) -> ScenarioResult:
    """The result with the place of its fault, the first that has a line, for whoever shows it there."""
    faults = fault.faults if isinstance(fault, Faults) else (fault,)
    places = [f.where for f in faults if f.where is not None]
    where = next((w for w in places if w.line is not None), places[0] if places else None)
    return result if where is None else replace(result, fault_file=where.file, fault_line=where.line)


def _failed(work: Work, reason: str, exit_code: int) -> ScenarioResult:
    return replace(_blank(work), verdict="error", reason=reason, exit_code=exit_code)


def _blank(work: Work) -> ScenarioResult:
    return ScenarioResult(
        work.name,
        work.backend,
        work.executor,
        "error",
        "",
        scenario_file=work.scenario_file,
        golden_file=work.golden_file,
        reproduce=work.paste.run(),
    )


def _compared(work: Work, stop: Stop, progress: Progress | None, canaries: list[Canary]) -> ScenarioResult:
    from detcheck.engine.executors import resolve
    from detcheck.scenario.identity import identity_of

    scenario = work.load()
    work = replace(work, executor=resolve(work.executor))
    blank = replace(_blank(work), identity=identity_of(scenario, work.backend))
    result = _against_golden(blank, work, scenario, stop, progress, canaries)
    if work.cross_check:
        from detcheck.runner.crosscheck import cross_checked, other_executor

        for name in (other_executor(work.executor), work.executor):
            check_canaries(name, work.backend, canaries)
        result = cross_checked(result, work, scenario, stop)
    if work.repeat > 1 and result.actual:
        from detcheck.runner.repeat import repeated

        result = repeated(result, work, scenario, stop)
    return result


def _against_golden(
    blank: ScenarioResult,
    work: Work,
    scenario: Scenario,
    stop: Stop,
    progress: Progress | None,
    canaries: list[Canary],
) -> ScenarioResult:
    from detcheck.golden.compare import compare_identity
    from detcheck.golden.read import golden_is_there, read_golden

    if not golden_is_there(work.golden_file):
        hint = f"record it with: {work.paste.record()}"
        reason = f"there is no golden {work.golden_file}; nothing was replayed"
        return _verdict(replace(blank, golden_file=None, reason=reason, hint=hint), "inconclusive")
    golden = read_golden(work.golden_file, work.paste.replace())
    assert blank.identity is not None
    unlike = compare_identity(golden, blank.identity, work.paste.replace())
    if unlike is not None:
        return _filled(blank, unlike)
    check_canaries(work.executor, work.backend, canaries)
    done = _replayed(work, scenario, golden, stop, progress)
    result = _judged(blank, work, scenario, golden, done)
    if result.verdict == "diverged" and done.record is not None:
        from detcheck.runner.expected import explained

        result = explained(result, work, scenario, golden, done.record, stop)
    elif done.trap is not None:
        from detcheck.runner.operation import trap_held

        result = trap_held(result, work, scenario, done.trap, stop)
    return result


def check_canaries(executor: str, backend: str, ran: list[Canary]) -> None:
    """Run the canaries a replay rests on. Raises CanaryFailed for the first that fails."""
    from detcheck.engine.canaries import run_canaries

    found = run_canaries(executor, backend)
    ran.extend(found)
    failed = next((c for c in found if not c.ok), None)
    if failed is not None:
        raise CanaryFailed(failed)


def _replayed(work: Work, scenario: Scenario, golden: Golden, stop: Stop, progress: Progress | None) -> Replay:
    """Replay to the end; the state at the first checkpoint that is unlike the golden's line is kept."""
    from detcheck.dumps.state_record import record_of
    from detcheck.engine.executors import make_executor
    from detcheck.runner.pace import paced_checkpoints
    from detcheck.scenario.compile import compile_scenario

    lines = {line.checkpoint.tick: line for line in golden.lines}
    compiled = compile_scenario(scenario, work.backend)
    executor = make_executor(work.executor, compiled)
    done = Replay(executor=executor.name)
    told = None if progress is None else partial(_tell, progress, scenario.ticks)
    try:
        for checkpoint in paced_checkpoints(executor, scenario.hash_every, scenario.ticks, stop, told):
            done.actual.append(checkpoint)
            line = lines.get(checkpoint.tick)
            if done.record is None and line is not None and not line.damaged and not same(line.checkpoint, checkpoint):
                done.record = record_of(executor, checkpoint)
    except TrapError as trap:
        done.trap = trap
    return done


def _tell(progress: Progress, ticks: int, tick: int) -> None:
    progress(tick, ticks)


def same(expected: Checkpoint, actual: Checkpoint) -> bool:
    """Whether a checkpoint is a golden line's: the hash, and every part where the golden has parts."""
    return expected.state_hash == actual.state_hash and (not expected.parts or expected.parts == actual.parts)


def _judged(blank: ScenarioResult, work: Work, scenario: Scenario, golden: Golden, done: Replay) -> ScenarioResult:
    from detcheck.golden.compare import compare_checkpoints

    every, ticks, regen = scenario.hash_every, scenario.ticks, work.paste.replace()
    verdict = compare_checkpoints(golden, done.actual, every=every, ticks=ticks, regen=regen)
    result = replace(_filled(blank, verdict), actual=tuple(done.actual))
    if done.trap is None:
        return result
    reason = str(done.trap)
    if result.first_divergent_checkpoint is not None:
        reason = f"{reason}\nbefore the trap: {result.reason}"
    result = replace(result, reason=reason, hint=None, reproduce=work.paste.run())
    return pointed(_verdict(result, "error"), done.trap)


def _filled(blank: ScenarioResult, verdict: GoldenVerdict) -> ScenarioResult:
    """A golden's verdict as a result."""
    filled = replace(
        blank,
        reason=verdict.reason,
        strip=verdict.strip,
        checkpoints=verdict.checkpoints,
        equal_checkpoints=verdict.equal_checkpoints,
        first_divergent_checkpoint=verdict.first_divergent_checkpoint,
        first_divergent_tick=verdict.first_divergent_tick,
        last_equal_tick=verdict.last_equal_tick,
        parts=verdict.parts,
        golden_line=verdict.golden_line,
        compared_tick=verdict.compared_tick,
        damaged=any(line.line == verdict.golden_line for line in verdict.damaged),
        remarks=verdict.remarks,
        hint=verdict.hint,
    )
    return _verdict(filled, verdict.verdict)


def _verdict(result: ScenarioResult, verdict: str) -> ScenarioResult:
    reproduce = None if verdict == "equal" else result.reproduce
    return replace(result, verdict=verdict, exit_code=exits.VERDICTS[verdict], reproduce=reproduce)


def golden_file_of(folder: Path, name: str, backend: str) -> str:
    """The golden of a scenario and backend, as shown to people."""
    from detcheck.golden.golden import golden_path
    from detcheck.runner.files import shown_path

    return shown_path(golden_path(folder, name, backend))
