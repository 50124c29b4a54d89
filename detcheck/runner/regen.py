"""Recomputing goldens: what each replay would change, and writing it when told (design: formats, regen)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from detcheck.dumps.write import DumpHead
from detcheck.engine.executors import make_executor, resolve
from detcheck.engine.replay import checkpoints_of
from detcheck.errors import DetcheckError, visible
from detcheck.golden.changes import Change, classify
from detcheck.golden.golden import Golden, left_over, make_golden, scenario_folders, states_path, unreferenced
from detcheck.golden.read import golden_is_there, read_golden
from detcheck.golden.states import StatesWriter
from detcheck.golden.write import write_golden
from detcheck.model.checkpoint import Checkpoint
from detcheck.numbers import BACKENDS, get
from detcheck.runner.again import Again, disagreement, repeat
from detcheck.runner.jobs import in_order, pool_kind
from detcheck.runner.pace import paced_checkpoints
from detcheck.runner.run import check_canaries
from detcheck.runner.selection import Selection
from detcheck.runner.work import Work
from detcheck.scenario.compile import compile_scenario
from detcheck.scenario.identity import identity_of

#: the reason of a golden that replaces none
FIRST_REASON = "first recording"

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Recorded:
    """A replay done for recording: its checkpoints, or why there are none."""

    checkpoints: tuple[Checkpoint, ...] = ()
    fault: str | None = None


@dataclass(frozen=True)
class Planned:
    """What a regen found for one golden. `change` is None when the replay cannot be recorded: `fault` says why.

    states   the states file is to be written too: it is asked for and missing, or of another recording
    """

    work: Work
    change: Change | None
    new: Golden | None
    fault: str | None = None
    states: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def writes(self) -> bool:
        """Whether there is something to write."""
        return self.change is not None and (self.change.writes or self.states)


def planned(
    works: Sequence[Work], jobs: int, states: bool, progress: Callable[[int, int, int], None] | None = None
) -> Iterator[Planned]:
    """Replay each and see what it would change, in order; nothing is written.

    `progress` is told (index, tick, ticks) where replays are done one after the other.
    """
    if jobs <= 1 or len(works) <= 1:
        for index, work in enumerate(works):
            told = None if progress is None else partial(progress, index)
            yield _plan(work, record(work, lambda: False, told), states)
        return
    kind = pool_kind(resolve(works[0].executor)) if works else "threads"
    items = [replace(w, scenario=None) for w in works] if kind == "processes" else works
    for work, recorded in zip(works, in_order(record, items, jobs, kind), strict=True):
        yield _plan(work, recorded, states)


def record(work: Work, stop: Stop, progress: Callable[[int, int], None] | None = None) -> Recorded:
    """One replay. A trap, a failed canary, a fault of the file: why it cannot be recorded."""
    try:
        scenario = work.load()
        name = resolve(work.executor)
        check_canaries(name, work.backend, [])
        executor = make_executor(name, compile_scenario(scenario, work.backend))
        ticks = scenario.ticks
        told = None if progress is None else lambda tick: progress(tick, ticks)
        return Recorded(tuple(paced_checkpoints(executor, scenario.hash_every, ticks, stop, told)))
    except DetcheckError as fault:
        return Recorded(fault=str(fault))


def _plan(work: Work, recorded: Recorded, states: bool) -> Planned:
    if recorded.fault is not None:
        return Planned(work, None, None, recorded.fault)
    scenario = work.load()
    identity = identity_of(scenario, work.backend)
    file = work.golden_file
    new = make_golden(identity, scenario.hash_every, scenario.ticks, FIRST_REASON, recorded.checkpoints, file)
    try:
        change = _change(file, new)
    except DetcheckError as fault:
        return Planned(work, None, None, str(fault))
    stored = states_path(Path(file))
    wanted = states and (change.writes or not _states_fit(stored, new))
    stale = change.replaces and not states and os.path.lexists(stored)
    remark = f"{visible(stored, 1000)} is of the former golden and is not used from now on; --states writes it anew"
    return Planned(work, change, new, states=wanted, remarks=(remark,) if stale else ())


def _change(file: str, new: Golden) -> Change:
    """Raises DetcheckError where something is in the way that cannot be read: it is nothing to be replaced."""
    if not golden_is_there(file):
        return classify(None, new)
    try:
        return classify(read_golden(file), new)
    except DetcheckError as fault:
        if fault.code == "golden.file":
            raise
        return Change("changed", note=f"what is there is no golden: {fault.message}")


def _states_fit(path: Path, golden: Golden) -> bool:
    from detcheck.golden.states import expected_states

    hashes = {line.checkpoint.tick: line.checkpoint.state_hash for line in golden.lines}
    try:
        return len(expected_states(path, hashes)) == len(hashes)
    except DetcheckError:
        return False


def confirmed(plans: Sequence[Planned]) -> list[Planned]:
    """The plans after the second replays: one that came out otherwise has a fault and is not written."""
    writing = [p for p in plans if p.writes]
    asked = [Again(p.work.scenario_file, p.work.backend, resolve(p.work.executor)) for p in writing]
    answers = dict(zip((id(p) for p in writing), repeat(asked), strict=True))
    checked = []
    for plan in plans:
        unlike = None
        if plan.new is not None and id(plan) in answers:
            unlike = disagreement([line.checkpoint for line in plan.new.lines], answers[id(plan)])
            unlike = f"{unlike}\n{_next(plan.work)}" if unlike is not None else None
        checked.append(plan if unlike is None else replace(plan, change=None, fault=unlike))
    return checked


def _next(work: Work) -> str:
    return f"  detcheck doctor tests this machine; to see it again: {work.paste.run('--repeat', '10', '--cross-check')}"


def write(plan: Planned, reason: str | None) -> tuple[str, ...]:
    """Write one golden, its states before it; remarks. Raises DetcheckError; each file is old or new, whole."""
    assert plan.new is not None
    assert plan.change is not None
    remark = _write_states(plan) if plan.states else None
    if plan.change.writes:
        golden = plan.new if reason is None else replace(plan.new, reason=reason)
        write_golden(plan.work.golden_file, golden)
    return (remark,) if remark else ()


def _write_states(plan: Planned) -> str | None:
    scenario = plan.work.load()
    compiled = compile_scenario(scenario, plan.work.backend)
    executor = make_executor(plan.work.executor, compiled)
    assert plan.new is not None
    head = DumpHead(plan.new.identity, get(plan.work.backend).number, executor.tables)
    writer = StatesWriter(states_path(Path(plan.work.golden_file)), head)
    try:
        for checkpoint in checkpoints_of(executor, scenario.hash_every, scenario.ticks):
            writer.write(executor, checkpoint)
    except BaseException:
        writer.discard()
        raise
    writer.close()
    return writer.remark


def unreferenced_goldens(selection: Selection) -> tuple[Path, ...]:
    """Goldens that no scenario owns; none when something was filtered. A broken scenario keeps all of its goldens."""
    if selection.filtered:
        return ()
    owned = []
    for selected in selection.scenarios:
        backends = BACKENDS if selected.scenario is None else selected.scenario.backends
        owned += [(selected.name, backend) for backend in backends]
    return unreferenced(selection.golden, owned)


def left_over_files(selection: Selection) -> tuple[Path, ...]:
    """Temporary files of killed recordings: below the golden folder, of a part of it in the folders of that part."""
    if selection.filtered:
        return left_over(dict.fromkeys(s.file.golden_folder / s.name for s in selection.scenarios))
    return left_over(scenario_folders(selection.golden))


def prune(paths: Sequence[Path]) -> None:
    """Delete unreferenced goldens, and their folders where nothing is left. Raises DetcheckError."""
    from detcheck.errors import Where

    for path in paths:
        try:
            path.unlink()
        except OSError as error:
            where = Where(visible(path, 1000))
            raise DetcheckError("regen.prune", f"cannot be deleted: {error.strerror}", where) from None
    for folder in {path.parent for path in paths}:
        if not any(folder.iterdir()):
            folder.rmdir()
