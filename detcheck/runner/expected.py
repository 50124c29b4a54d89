"""The expected side of a divergence, in the design's order: states file, reference, a dump, else how to get it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from detcheck.errors import DetcheckError, TrapError, visible
from detcheck.model.identity import Identity
from detcheck.model.record import Record
from detcheck.model.run_report import ScenarioResult
from detcheck.runner.operation import REFERENCE_LIMIT, with_operation
from detcheck.runner.stepper import Stepper, first_unlike
from detcheck.runner.work import Work

if TYPE_CHECKING:
    from detcheck.golden.golden import Golden
    from detcheck.scenario.compiled import CompiledScenario
    from detcheck.scenario.scenario import Scenario

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Found:
    """Both sides of one state. `exact` when its tick is the first divergent one."""

    source: str
    expected: Record
    actual: Record
    exact: bool


@dataclass
class Search:
    """What the sources look for: the golden's hash at the first divergent checkpoint, from the last equal one on.

    start   the last tick known to be equal; -1 when even the setup is in doubt
    exact   the first divergent tick, where a source knows it without having a state
    parted  the tick at which the reference, which reproduces the golden, and this run's executor part
    """

    work: Work
    compiled: CompiledScenario
    identity: Identity | None
    hashes: dict[int, str]
    first: int
    start: int
    actual: Record
    stop: Stop
    remarks: list[str]
    exact: int | None = None
    parted: int | None = None

    def stepper(self, executor: str) -> Stepper:
        """A fresh replay on an executor."""
        return Stepper(executor, self.compiled, self.stop)


def explained(
    result: ScenarioResult, work: Work, scenario: Scenario, golden: Golden, actual: Record, stop: Stop
) -> ScenarioResult:
    """The result with the diff of its first divergent state, where an expected side can be had."""
    from detcheck.scenario.compile import compile_scenario

    first = result.first_divergent_checkpoint
    assert first is not None
    hashes = {line.checkpoint.tick: line.checkpoint.state_hash for line in golden.lines if not line.damaged}
    if first not in hashes:
        return result
    compiled = compile_scenario(scenario, work.backend)
    start = -1 if result.last_equal_tick is None else result.last_equal_tick
    identity = result.identity
    search = Search(work, compiled, identity, hashes, first, start, actual, stop, list(result.remarks))
    found = next((f for f in (source(search) for source in SOURCES) if f is not None), None)
    search.remarks.extend(_unasked(search, found))
    if found is not None and found.source == "states":
        search.parted = _parted(search)
    result = replace(result, remarks=tuple(search.remarks))
    if search.parted is not None:
        result = replace(result, first_divergent_tick=search.parted)
        result = with_operation(result, work, compiled, search.parted, stop)
    hint = work.paste.exact_tick(max(0, start), first)
    if found is None:
        return replace(result, hint=hint, first_divergent_tick=search.exact or result.first_divergent_tick)
    from detcheck.compare.states import compare_state

    comparison = compare_state(found.expected, found.actual, previous=_before(search, found))
    tick = found.actual.tick if found.exact else result.first_divergent_tick
    shown = replace(result, comparison=comparison, expected_from=found.source, first_divergent_tick=tick)
    return shown if tick is not None else replace(shown, hint=hint)


def _parted(search: Search) -> int | None:
    """The tick at which a reference that reproduces the golden and this executor part; the state is had already."""
    quiet = replace(search, remarks=[])
    from_reference(quiet)
    return quiet.parted


def _before(search: Search, found: Found) -> tuple[Record, Record] | None:
    """The last equal state, twice, where it is the tick before: evidence for causes."""
    tick = found.actual.tick
    if not found.exact or not tick:
        return None
    mine = search.stepper(search.work.executor)
    record = mine.record(mine.to(tick - 1))
    return record, record


def from_states(search: Search) -> Found | None:
    """The golden's own states file, at the first divergent checkpoint."""
    from detcheck.golden.golden import states_path
    from detcheck.golden.states import expected_states

    path = states_path(Path(search.work.golden_file))
    try:
        expected = expected_states(path, {search.first: search.hashes[search.first]}).get(search.first)
    except DetcheckError as fault:
        search.remarks.append(f"the states file was not used: {fault}")
        return None
    if expected is None:
        return None
    return Found("states", expected, search.actual, search.first == search.start + 1)


def from_reference(search: Search) -> Found | None:
    """The reference, when it is another executor and reproduces the golden: then also the exact tick."""
    from detcheck.runner.cost import replay_cost

    if search.work.executor == "reference":
        return None
    cost = replay_cost(search.compiled, search.first)
    if cost > REFERENCE_LIMIT:
        search.remarks.append(
            f"the reference was not asked for the expected state: {cost:,} rows x ops x ticks are above "
            f"{REFERENCE_LIMIT:,}; --cross-check asks it whatever it costs"
        )
        return None
    try:
        reference, mine = search.stepper("reference"), search.stepper(search.work.executor)
        pair = first_unlike(reference, mine, range(search.start + 1, search.first + 1))
        last = reference.to(search.first)
    except TrapError:
        return None
    if last.state_hash != search.hashes[search.first]:
        search.remarks.append(
            "the reference does not reproduce the golden either, so it cannot show the expected state"
        )
        return None
    if pair is None:
        return None
    search.parted = pair[1].tick
    return Found("reference", pair[0], pair[1], True)


def from_dump(search: Search) -> Found | None:
    """The dump given by `--expected`: its first record after the last equal tick that is not as this run."""
    path = search.work.expected
    if path is None:
        return None
    from detcheck.runner.expected_dump import NotUsed, records_of

    wanted = range(search.start + 1, search.first + 1)
    try:
        records = records_of(path, wanted, search.hashes[search.first], search.identity, search.remarks)
        return _first_in_dump(search, records)
    except NotUsed as why:
        search.remarks.append(f"--expected {visible(path)} was not used: {why}")
    return None


def _first_in_dump(search: Search, records: dict[int, Record]) -> Found | None:
    from detcheck.compare.states import compare_state
    from detcheck.runner.expected_dump import NotUsed, may_be

    mine = search.stepper(search.work.executor)
    known_equal = search.start
    for tick, record in sorted(records.items()):
        checkpoint = mine.to(tick)
        if "hash" in record.hashes:
            unlike = not may_be(record, checkpoint.state_hash)
        else:
            unlike = compare_state(record, mine.record(checkpoint)).verdict != "same"
        if unlike:
            exact = known_equal == tick - 1
            if record.fields.items or record.rng:
                return Found("dump", record, mine.record(checkpoint), exact)
            search.exact = tick if exact else None
            search.remarks.append(f"{search.work.expected} holds hashes only; the first that differs is of tick {tick}")
            return None
        known_equal = tick
    raise NotUsed("its states are those of this run, so they cannot be the golden's")


def _unasked(search: Search, found: Found | None) -> tuple[str, ...]:
    """A remark on a dump that was given and not needed, and what else is wrong with it."""
    path = search.work.expected
    if path is None or found is None or found.source == "dump":
        return ()
    from detcheck.runner.expected_dump import NotUsed, records_of

    sources = {"states": "the golden's states file", "reference": "the reference"}
    words = f"--expected {visible(path)} was not used: {sources[found.source]} has the expected state"
    if os.path.isfile(path):
        wanted = range(search.start + 1, search.first + 1)
        try:
            records_of(path, wanted, search.hashes[search.first], search.identity, [])
        except NotUsed as why:
            words += f"; and {why}"
    return (words,)


#: in the design's order; the first that has the expected state is used
SOURCES: tuple[Callable[[Search], Found | None], ...] = (from_states, from_reference, from_dump)
