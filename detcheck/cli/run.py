"""`detcheck run`: replay and compare with goldens."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from detcheck.cli import completion, exits, options
from detcheck.cli.actions import annotate, folded, in_actions
from detcheck.errors import visible

if TYPE_CHECKING:
    from detcheck.cli.console import Output
    from detcheck.cli.outputs import Reports
    from detcheck.model.run_report import Canary, RunReport, ScenarioResult
    from detcheck.runner.selection import Selection
    from detcheck.runner.work import Work


@click.command("run", short_help="Replay scenarios and compare with goldens.")
@click.argument("names", nargs=-1, metavar="[NAME|GLOB|FILE]...", shell_complete=completion.scenario_names)
@options.scenarios_option
@options.golden_option
@options.backend_option
@options.executor_option
@options.jobs_option
@click.option("-x", "--exit-first", is_flag=True, help="Stop at the first result that is not equal.")
@click.option("--cross-check", is_flag=True, help="Replay on a second executor too and compare every tick.")
@click.option("--repeat", metavar="N", help="Replay each N times; all have to agree with the first.")
@click.option("--shard", metavar="I/N", help="Only a fixed share of the replays, to split a run over N machines.")
@click.option("--last-failed", is_flag=True, help="Only what was not equal the last time (all when nothing was).")
@click.option(
    "--artifacts",
    metavar="DIR",
    shell_complete=completion.folders,
    help="On failure leave report, actual states, golden and commands in DIR.",
)
@click.option(
    "--expected",
    metavar="DUMP",
    shell_complete=completion.files,
    help="A dump of the expected states, to show the first divergent field.",
)
@options.report_options
@options.output_options
def command(
    names: Sequence[str],
    scenarios: str | None,
    golden: str | None,
    backends: Sequence[str],
    executor: str | None,
    jobs: str | None,
    exit_first: bool,
    cross_check: bool,
    expected: str | None,
    repeat: str | None,
    shard: str | None,
    last_failed: bool,
    artifacts: str | None,
    color: str | None,
    quiet: bool,
    verbose: bool,
    **targets: str | None,
) -> int:
    """Replay scenarios and compare every checkpoint with their goldens: the main job.

    Without a name: all of the scenarios folder. An argument with / or ending .toml is a file, one with * ? [ a glob.
    """
    from detcheck.cli.outputs import Reports
    from detcheck.engine.executors import resolve
    from detcheck.runner.artifacts import require_folder
    from detcheck.runner.expected_dump import require_dump
    from detcheck.runner.last_failed import cache_file, remember
    from detcheck.runner.paste import flags_of
    from detcheck.runner.whole import works_of

    settings = options.settings_of(
        scenarios=scenarios, golden=golden, backends=backends, executor=executor, jobs=jobs, color=color
    )
    writers = Reports({name: target for name, target in targets.items() if target is not None})
    output = options.output_of(settings, quiet, verbose, writers.own_stdout)
    began = time.perf_counter()
    name = options.checked_executor(options.value_of(settings, "executor"))
    if expected is not None:
        require_dump(expected)
    if artifacts is not None:
        require_folder(artifacts)
    folder = options.value_of(settings, "scenarios")
    selection = options.selected(names, settings)
    _keep_apart(selection, writers, artifacts, expected, Path(folder))
    flags = flags_of(settings)
    times = options.checked_repeat(repeat)
    works = works_of(selection, name, flags, cross_check=cross_check, expected=expected, repeat=times)
    selected = len(works)
    works, narrowing = _narrowed(works, shard, last_failed, folder)
    output.notes((*selection.remarks, *narrowing))
    run = _Run(output, exit_first, selection, works)
    output.notes(_unrelated(expected, works))
    run.go(int(options.value_of(settings, "jobs")), resolve(name))
    output.notes(_unused(expected, run.results))
    report = _placed(run.report(time.perf_counter() - began), selected, shard)
    _conclude(output, report, run.tracebacks)
    remember(cache_file(Path(folder)), report.results)
    try:
        writers.write(report)
    finally:  # one that cannot be written keeps no artifact from being left
        if artifacts is not None:
            _leave(output, artifacts, report, works)
    return report.exit_code


def _keep_apart(
    selection: Selection, writers: Reports, artifacts: str | None, expected: str | None, folder: Path
) -> None:
    """Nothing that this run writes replaces what it reads. Raises DetcheckError."""
    from detcheck.runner.outputs import golden_folders, inputs_of, require_folder_apart, scenario_folders

    goldens = golden_folders(selection)
    writers.keep_apart((*inputs_of(selection), *([expected] if expected is not None else [])), goldens)
    if artifacts is not None:
        kept = [*goldens, *scenario_folders(selection, folder), *([Path(expected)] if expected is not None else [])]
        require_folder_apart("--artifacts", artifacts, kept)


def _narrowed(
    works: Sequence[Work], shard: str | None, last_failed: bool, folder: str
) -> tuple[tuple[Work, ...], tuple[str, ...]]:
    """What --shard and --last-failed leave, and remarks."""
    if shard is None and not last_failed:
        return tuple(works), ()
    from detcheck.runner.narrow import narrowed
    from detcheck.runner.shard import parse_shard

    share = None if shard is None else parse_shard(shard)
    return narrowed(works, shard=share, last_failed_of=Path(folder) if last_failed else None)


def _placed(report: RunReport, selected: int, shard: str | None) -> RunReport:
    """The report with what it is a share of, so that a merge sees which shares are missing."""
    from dataclasses import replace

    from detcheck.runner.shard import parse_shard

    share = None if shard is None else parse_shard(shard)
    return replace(report, selected=selected, shard=None if share is None else (share.index, share.count))


def _unrelated(expected: str | None, works: Sequence[Work]) -> list[str]:
    """A remark on a dump of something else."""
    if expected is None:
        return []
    from detcheck.runner.expected_dump import unrelated

    words = unrelated(expected, works)
    return [] if words is None else [words]


def _unused(expected: str | None, results: Sequence[ScenarioResult]) -> list[str]:
    """A remark on a dump that nothing asked for; where an expected state was, the result says what became of it."""
    if expected is None or any(r.expected_from == "dump" or _speaks_of(r, visible(expected)) for r in results):
        return []
    diverged = any(r.verdict == "diverged" for r in results)
    why = "no expected state can be told from what diverged" if diverged else "nothing diverged"
    return [f"--expected {visible(expected)} was not used: {why}"]


def _speaks_of(result: ScenarioResult, expected: str) -> bool:
    return any(expected in remark for remark in result.remarks)


def _leave(output: Output, folder: str, report: RunReport, works: Sequence[Work]) -> None:
    """--artifacts, after everything else was said."""
    from detcheck.runner.artifacts import leave

    files = leave(folder, report, works)
    if files:
        output.note(
            f"artifacts: {len(files)} files in {visible(folder)}; replay.txt in each folder there says what to do"
        )


class _Run:
    """A run in progress: prints each result as it comes, keeps all of them."""

    def __init__(self, output: Output, exit_first: bool, selection: Selection, works: Sequence[Work]) -> None:
        from detcheck.reports.console import layout

        self.output = output
        self.exit_first = exit_first
        self.selection = selection
        self.works = works
        self.results: list[ScenarioResult] = []
        self.canaries: list[tuple[Canary, ...]] = []
        self.tracebacks: list[str] = []
        longest = max((_lines_of(work) for work in works), default=0)
        self.layout = layout([(w.name, w.backend) for w in works], output.out.width, longest)

    def go(self, jobs: int, executor: str) -> None:
        """All of it, or up to the first result that is not equal with -x."""
        from detcheck.runner.whole import broken_results, outcomes

        for result in broken_results(self.selection):
            if not self._take(result):
                return
        pending = outcomes(self.works, jobs, executor, self._progress if self.output.progress.enabled else None)
        try:
            for outcome in pending:
                self.canaries.append(outcome.canaries)
                if outcome.traceback is not None:
                    self.tracebacks.append(outcome.traceback)
                if not self._take(outcome.result):
                    return
        finally:
            pending.close()  # type: ignore[attr-defined]
            self.output.progress.clear()

    def _take(self, result: ScenarioResult) -> bool:
        """Keep and print a result; whether to go on."""
        from detcheck.reports.console import result_line

        self.results.append(result)
        equal = result.verdict == "equal"
        if not equal or not self.output.quiet:
            self.output.result(result_line(result, self.layout, self.output.verbose))
        return equal or not self.exit_first

    def _progress(self, index: int, done: int, ticks: int) -> None:
        work = self.works[index]
        self.output.progress.ticks(f"{work.name} on {work.backend}", done, ticks, index, len(self.works))

    def report(self, seconds: float) -> RunReport:
        """The whole run as one value."""
        from detcheck.cli.platform import platform_fields
        from detcheck.runner.whole import merged_canaries, report_of

        left_out = len(self.works) + len(self.selection.broken) - len(self.results)
        remarks = list(self.selection.remarks)
        if left_out:
            remarks.append(f"-x: stopped before {left_out} more")
        code = exits.combine(r.exit_code for r in self.results)
        return report_of(self.results, merged_canaries(self.canaries), remarks, platform_fields(), seconds, code)


def _lines_of(work: Work) -> int:
    """How many checkpoints a replay has: the length of its strip."""
    from detcheck.golden.compare import implied_checkpoints

    assert work.scenario is not None
    return implied_checkpoints(work.scenario.hash_every, work.scenario.ticks)


def _conclude(output: Output, report: RunReport, tracebacks: Sequence[str]) -> None:
    """What was found, in words, before anything else is written: a full disk hides no verdict."""
    from detcheck.reports import console

    unequal = [r for r in report.results if r.verdict != "equal"]
    for result in unequal:
        with folded(output, result):
            output.result(*console.details(result, output.out.width, output.verbose, output.out.terminal))
    for result in report.results:
        if result.verdict == "equal":
            output.notes(console.remark_lines(result))
    if tracebacks:
        output.note("\n".join(tracebacks) if output.verbose else "a bug in detcheck: -v shows where; please report it")
    output.notes(r for r in report.remarks if r.startswith("-x"))
    if unequal:
        output.result("")
        legend = console.legend(report.results)
        if legend is not None:
            output.result(legend)
    output.result(console.summary(report))
    if in_actions():
        annotate(output, report)
