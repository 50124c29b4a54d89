"""`detcheck regen`: recompute goldens, show what changes, write only when told."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from detcheck.cli import completion, exits, options
from detcheck.errors import visible

if TYPE_CHECKING:
    from detcheck.cli.console import Output
    from detcheck.runner.regen import Planned
    from detcheck.runner.selection import Selection
    from detcheck.runner.settings import Setting
    from detcheck.runner.work import Work


@click.command("regen", short_help="Recompute goldens; write only when told.")
@click.argument("names", nargs=-1, metavar="[NAME|GLOB|FILE]...", shell_complete=completion.scenario_names)
@options.scenarios_option
@options.golden_option
@options.backend_option
@options.executor_option
@options.jobs_option
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if anything would change.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--reason", metavar="TEXT", help="Why goldens are replaced; kept in their header. Needed to replace one.")
@click.option("--states", is_flag=True, help="Keep the full states of the checkpoints beside each golden.")
@click.option("--prune", is_flag=True, help="Delete goldens that no scenario owns; only when nothing is filtered.")
@options.output_options
def command(
    names: Sequence[str],
    scenarios: str | None,
    golden: str | None,
    backends: Sequence[str],
    executor: str | None,
    jobs: str | None,
    check: bool,
    yes: bool,
    reason: str | None,
    states: bool,
    prune: bool,
    color: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Recompute goldens and show for each what changes: new, changed, identity changed, unchanged, unreferenced.

    On a terminal it asks before it writes; elsewhere, or with CI set, it writes only with --yes.
    """
    from detcheck.golden.golden import checked_reason
    from detcheck.runner.paste import flags_of
    from detcheck.runner.whole import works_of

    if check and yes:
        raise click.UsageError("--check writes nothing and --yes writes without asking: give one of them")
    settings = options.settings_of(
        scenarios=scenarios, golden=golden, backends=backends, executor=executor, jobs=jobs, color=color
    )
    text = None if reason is None else checked_reason(reason)
    output = options.output_of(settings, quiet, verbose)
    name = options.checked_executor(options.value_of(settings, "executor"))
    selection = options.selected(names, settings)
    if prune and selection.filtered:
        raise click.UsageError("--prune needs all scenarios: leave out names and --backend")
    output.notes(selection.remarks)
    more = [word for word, given in (("--states", states), ("--prune", prune), ("--yes", True)) if given]
    found = _Found(selection, prune, text, _to_write(names, settings, more))
    works = works_of(selection, name, flags_of(settings))
    found.collect(output, works, int(options.value_of(settings, "jobs")), states)
    return found.conclude(output, _consent(check, yes))


def _consent(check: bool, yes: bool) -> str:
    """yes | no | ask: a person is asked, a pipe or CI never."""
    from detcheck.cli.console import is_ci, is_terminal

    if check or yes:
        return "yes" if yes else "no"
    return "ask" if is_terminal(sys.stdin) and is_terminal(sys.stderr) and not is_ci(os.environ) else "no"


def _to_write(names: Sequence[str], settings: dict[str, Setting], more: Sequence[str]) -> list[str]:
    """The command line that does the same and writes."""
    from detcheck.runner.paste import flags_of

    chosen = settings["backends"].origin
    own = chosen == "command line" or chosen.startswith("$")
    backends = [word for b in options.backends_of(settings) for word in ("--backend", b)] if own else []
    return ["detcheck", "regen", *names, *backends, *flags_of(settings), *more]


@dataclass
class _Found:
    """What a regen found, and what it then does about it."""

    selection: Selection
    prune: bool
    reason: str | None
    to_write: list[str]
    plans: list[Planned] = field(default_factory=list)
    loose: tuple[Path, ...] = ()
    left: tuple[Path, ...] = ()
    width: int = 0

    def collect(self, output: Output, works: Sequence[Work], jobs: int, states: bool) -> None:
        """Replay all and show what each would change."""
        from detcheck.reports import regen_console
        from detcheck.runner.files import shown_path
        from detcheck.runner.regen import left_over_files, planned, unreferenced_goldens

        self.width = max((len(work.name) for work in works), default=0)
        for broken in self.selection.broken:
            output.result(*regen_console.fault_lines(broken.name, "", str(broken.fault)))
        told = self._teller(output, works) if output.progress.enabled else None
        for plan in planned(works, jobs, states, told):
            self.plans.append(plan)
            self._show(output, plan)
        self.loose = unreferenced_goldens(self.selection)
        for path in self.loose:
            output.result(regen_console.unreferenced_line(shown_path(path)))
        self.left = left_over_files(self.selection)
        for path in self.left:
            output.result(f"{'left over':<16}  {visible(shown_path(path), 1000)}")

    def _teller(self, output: Output, works: Sequence[Work]) -> Callable[[int, int, int], None]:
        def told(index: int, tick: int, ticks: int) -> None:
            work = works[index]
            output.progress.ticks(f"{work.name} on {work.backend}", tick, ticks, index, len(works))

        return told

    def _show(self, output: Output, plan: Planned) -> None:
        from detcheck.reports import regen_console

        who = plan.work.name, plan.work.backend
        if plan.fault is not None:
            output.result(*regen_console.fault_lines(*who, plan.fault))
        elif plan.change is not None and (plan.writes or output.verbose):
            width = output.out.width
            output.result(*regen_console.change_lines(*who, plan.change, self.width, plan.states, width))
        output.notes(plan.remarks)

    def conclude(self, output: Output, consent: str) -> int:
        """Write, or say what would be written. Gives the exit code."""
        writing = [p for p in self.plans if p.writes]
        deleting = self.loose if self.prune else ()
        faults = [exits.INVALID] * (len(self.selection.broken) + sum(p.fault is not None for p in self.plans))
        if self.loose and not self.prune:
            output.notes(["--prune deletes the unreferenced ones"])
        if not writing and not deleting:
            output.result(self._summary("nothing to write" + self._tidied(output, consent)))
            return exits.combine(faults)
        if consent == "ask":
            consent = "yes" if self._ask(output, len(writing), len(deleting)) else "no"
        if consent == "no":
            output.result(self._summary("nothing written"))
            output.notes([f"to write it: {self._command(writing)}"])
            return exits.combine([*faults, exits.DIVERGED])
        self._need_reason(writing)
        return exits.combine([*faults, *self._write(output, deleting)])

    def _ask(self, output: Output, writing: int, deleting: int) -> bool:
        self._need_reason([p for p in self.plans if p.writes])
        words = [f"write {writing}"] * bool(writing) + [f"delete {deleting}"] * bool(deleting)
        output.progress.clear()
        return click.confirm(f"{' and '.join(words)}?", default=False, err=True)

    def _command(self, writing: Sequence[Planned]) -> str:
        """The command that writes it, to paste; a reason where one is needed."""
        import shlex

        from detcheck.runner.paste import REASON

        needed = any(p.change is not None and p.change.replaces for p in writing)
        reason = ["--reason", self.reason or REASON] if needed or self.reason is not None else []
        return shlex.join([*self.to_write, *reason])

    def _tidied(self, output: Output, consent: str) -> str:
        """Remove what killed recordings left, where it may be written; how many, in words."""
        from detcheck.runner.regen import prune

        if not self.left:
            return ""
        if consent != "yes":
            output.notes(["what is left over of an interrupted regen goes with the next one that writes (--yes)"])
            return ""
        prune(self.left)
        return f", {len(self.left)} left over removed"

    def _need_reason(self, writing: Sequence[Planned]) -> None:
        from detcheck.errors import DetcheckError

        replaced = [p for p in writing if p.change is not None and p.change.replaces]
        if replaced and self.reason is None:
            message = f"{len(replaced)} existing golden{'s' * (len(replaced) > 1)} would be replaced without a reason"
            raise DetcheckError(
                "regen.reason", message, None, "nothing was written; add --reason 'what changed and why'"
            )

    def _write(self, output: Output, deleting: Sequence[Path]) -> list[int]:
        from detcheck.reports import regen_console
        from detcheck.runner.regen import confirmed, prune, write

        codes = []
        written = 0
        output.progress.say("the same once more in a fresh process ...")
        before_all, self.plans = self.plans, confirmed(self.plans)
        output.progress.clear()
        for before, plan in zip(before_all, self.plans, strict=True):
            if plan.fault is not None:
                if before.fault is None:
                    output.result(*regen_console.fault_lines(plan.work.name, plan.work.backend, plan.fault))
                    codes.append(exits.INVALID)
            elif plan.writes:
                output.notes(write(plan, self.reason))
                written += 1
        prune(deleting)
        done = f"{written} written" + (f", {len(deleting)} deleted" if deleting else "")
        output.result(self._summary(done + self._tidied(output, "yes")))
        return codes

    def _summary(self, done: str) -> str:
        kinds: dict[str, int] = {}
        for plan in self.plans:
            kind = "not recorded" if plan.change is None else plan.change.kind.replace("identity", "identity changed")
            kinds[kind] = kinds.get(kind, 0) + 1
        if self.selection.broken:
            kinds["not recorded"] = kinds.get("not recorded", 0) + len(self.selection.broken)
        kinds |= {"unreferenced": len(self.loose)} if self.loose else {}
        found = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "no goldens"
        return f"{found}: {done}"
