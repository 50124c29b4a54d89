"""A whole run: the selected replays one after the other or several at a time, and the report of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from detcheck.model.run_report import Canary, RunReport, ScenarioResult
from detcheck.runner.files import shown_path
from detcheck.runner.jobs import in_order, pool_kind
from detcheck.runner.paste import Paste
from detcheck.runner.run import Progress, Stop, broken_result, golden_file_of, run_work
from detcheck.runner.selection import Pair, Selection
from detcheck.runner.work import Outcome, Work
from detcheck.version import __version__


def works_of(
    selection: Selection,
    executor: str,
    flags: Sequence[str] = (),
    *,
    cross_check: bool = False,
    expected: str | None = None,
    repeat: int = 1,
) -> tuple[Work, ...]:
    """The work of a selection. `flags` are those of this run that a pasted command needs to find the same files."""
    paste = partial(paste_of, selection, tuple(flags))
    return tuple(
        Work(
            name=pair.selected.name,
            scenario_file=shown_path(pair.selected.file.path),
            scenario=pair.selected.scenario,
            backend=pair.backend,
            golden_file=golden_file_of(pair.selected.file.golden_folder, pair.selected.name, pair.backend),
            executor=executor,
            paste=paste(pair),
            cross_check=cross_check,
            expected=expected,
            repeat=repeat,
        )
        for pair in selection.pairs
    )


def paste_of(selection: Selection, flags: tuple[str, ...], pair: Pair) -> Paste:
    """How a command line names this replay: by name where the scenarios folder has it, else by file."""
    file = pair.selected.file
    argument = file.name if file in selection.files else shown_path(file.path)
    if "/" not in argument and argument != file.name:
        argument = f"./{argument}"
    return Paste(argument, pair.backend, flags)


def outcomes(
    works: Sequence[Work], jobs: int, executor: str, progress: Callable[[int, int, int], None] | None = None
) -> Iterator[Outcome]:
    """Do the work, `jobs` at a time, outcomes in its order. `progress` is told (index, tick, ticks).

    `executor` is a resolved name: it decides between threads and processes. Closing the iterator stops what runs.
    """
    kind = pool_kind(executor)
    if jobs > 1 and len(works) > 1:
        items = [replace(work, scenario=None) for work in works] if kind == "processes" else list(works)
        yield from in_order(_quietly, items, jobs, kind)
        return
    for index, work in enumerate(works):
        told: Progress | None = None if progress is None else partial(progress, index)
        yield run_work(work, _never, told)


def _quietly(work: Work, stop: Stop) -> Outcome:
    return run_work(work, stop)


def _never() -> bool:
    return False


def broken_results(selection: Selection) -> tuple[ScenarioResult, ...]:
    """An error result for every selected file that is not a scenario."""
    return tuple(
        broken_result(s.name, shown_path(s.file.path), s.fault) for s in selection.broken if s.fault is not None
    )


def merged_canaries(many: Iterable[Iterable[Canary]]) -> tuple[Canary, ...]:
    """Each canary once; one that failed anywhere has failed."""
    found: dict[str, Canary] = {}
    for canaries in many:
        for canary in canaries:
            if canary.name not in found or not canary.ok:
                found[canary.name] = canary
    return tuple(found.values())


def report_of(
    results: Sequence[ScenarioResult],
    canaries: tuple[Canary, ...],
    remarks: Sequence[str],
    platform: dict[str, str],
    seconds: float,
    exit_code: int,
) -> RunReport:
    """Everything a report says, as one value."""
    summary = dict.fromkeys(("equal", "diverged", "inconclusive", "error"), 0)
    for result in results:
        summary[result.verdict] += 1
    summary["checkpoints"] = sum(r.checkpoints for r in results)
    summary["ticks"] = sum(r.compared_tick or 0 for r in results)
    summary["replays"] = sum(1 for r in results if r.actual)
    return RunReport(__version__, platform, canaries, tuple(results), tuple(remarks), seconds, exit_code, summary)
