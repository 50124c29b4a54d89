"""What a merge has not seen: shards without a report, stopped runs, replays that one kind of machine left out.

What was not seen is never agreement: each of these makes the merge incomplete (exit 3) and is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from detcheck.errors import visible
from detcheck.model.matrix import Platform, Row
from detcheck.runner.run_reports import ReportedRun

#: platform fields that always stand in a label; others only where they tell two platforms apart
LABEL_FIELDS = ("os", "arch")

#: names and numbers listed before the rest is counted
_LISTED = 5

_Fields = tuple[tuple[str, str], ...]
Base = tuple[str, ...]


@dataclass(frozen=True)
class Gap:
    """What is missing of machines of one os and arch: of one backend, or (None) of any."""

    base: Base
    backend: str | None
    words: str


def base_of(fields: _Fields) -> Base:
    """The os and arch of a platform."""
    values = dict(fields)
    return tuple(values.get(name, "?") for name in LABEL_FIELDS)


def gaps(runs: Sequence[ReportedRun], rows: tuple[Row, ...], platforms: tuple[Platform, ...]) -> tuple[Gap, ...]:
    """Everything missing, by os and arch: shards of one platform may run on machines that differ in a detail."""
    by_base: dict[Base, list[ReportedRun]] = {}
    for run in runs:
        by_base.setdefault(base_of(run.platform), []).append(run)
    out = _left_out(rows, platforms)
    for base, members in by_base.items():
        if not any(run.results for run in members):
            out.append(Gap(base, None, f"{_shown(base)}: its reports hold no replay"))
            continue
        out.extend(_stopped(base, members))
        for count in dict.fromkeys(run.shard[1] for run in members if run.shard is not None):
            out.extend(_shards(base, count, [r for r in members if r.shard is not None and r.shard[1] == count]))
    return tuple(out)


def few_reports(given: int, expected: int | None) -> tuple[str, ...]:
    """A remark when fewer reports came than were expected."""
    if expected is None or given >= expected:
        return ()
    return (f"{given} of {expected} expected reports came: a platform's is missing",)


def _stopped(base: Base, runs: Sequence[ReportedRun]) -> list[Gap]:
    """Whole runs that hold fewer replays than they selected, where no other report of the machine has the rest."""
    out = []
    for run in (run for run in runs if run.shard is None):
        done = len(_replays([run]))
        known = len(_replays([other for other in runs if other.platform == run.platform]))
        if run.selected is not None and known < run.selected:
            words = f"{visible(run.file)} holds {done} of {run.selected} selected replays: it was stopped or narrowed"
            out.append(Gap(base, None, words))
    return out


def _shards(base: Base, count: int, runs: Sequence[ReportedRun]) -> list[Gap]:
    """Shards of `count` without a report, or with fewer than the others have (one a Python, say).

    A shard that no replay falls into leaves no report, and none is missed once all selected replays are there.
    """
    machines: dict[int, set[_Fields]] = {}
    for run in runs:
        if run.shard is not None:
            machines.setdefault(run.shard[0], set()).add(run.platform)
    selected = max((run.selected for run in runs if run.selected is not None), default=None)
    done = len(_replays(runs))
    whole = selected is not None and done >= selected
    copies = max(len(found) for found in machines.values())
    missing = [i for i in range(1, count + 1) if i not in machines and not whole]
    fewer = [i for i in sorted(machines) if len(machines[i]) < copies]
    out = []
    if missing:
        out.append(Gap(base, None, f"{_shown(base)}: no report of shard {_listed(missing, count)}"))
    elif selected is not None and not whole:
        words = f"{_shown(base)}: the shards hold {done} of {selected} selected replays: one was stopped or narrowed"
        out.append(Gap(base, None, words))
    if fewer:
        words = f"{_shown(base)}: fewer reports of shard {_listed(fewer, count)} than of others ({copies})"
        out.append(Gap(base, None, words))
    return out


def _replays(runs: Iterable[ReportedRun]) -> set[tuple[str, str]]:
    return {(r.scenario, r.backend) for run in runs for r in run.results if r.backend}


def _left_out(rows: tuple[Row, ...], platforms: tuple[Platform, ...]) -> list[Gap]:
    """Replays of a backend that no machine of one os and arch did, though it did others of that backend."""
    labels: dict[Base, list[str]] = {}
    for platform in platforms:
        labels.setdefault(base_of(platform.fields), []).append(platform.label)
    out = []
    for backend in dict.fromkeys(row.backend for row in rows if row.backend):
        of_backend = [(row.scenario, dict(row.cells)) for row in rows if row.backend == backend]
        for base, members in labels.items():
            missing = [s for s, cells in of_backend if all(cells[m].verdict == "not run" for m in members)]
            if missing and len(missing) < len(of_backend):
                share = f"{len(missing)} of {len(of_backend)} replays were not run"
                words = f"{visible(backend)} on {_shown(base)}: {share}: {_some(missing)}; is a shard missing?"
                out.append(Gap(base, backend, words))
    return out


def _shown(base: Base) -> str:
    return visible(" ".join(base))


def _listed(shards: list[int], count: int) -> str:
    return _some([f"{index}/{count}" for index in shards])


def _some(names: list[str]) -> str:
    named = ", ".join(visible(name) for name in names[:_LISTED])
    return named + (f" and {len(names) - _LISTED} more" if len(names) > _LISTED else "")
