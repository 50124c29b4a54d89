"""`detcheck doctor`: this machine's canaries, and what there is to know about it when bits differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from detcheck.cli import exits, options

if TYPE_CHECKING:
    from detcheck.model.run_report import Canary


@click.command("doctor", short_help="Run this machine's canaries; show compiler, loops, versions.")
@options.output_options
def command(color: str | None, quiet: bool, verbose: bool) -> int:
    """Run every canary of every executor and backend, and show versions, compiler, flags and loops in use.

    Exit 0 when all hold, 2 when one fails: replays that rest on it are refused until its cause is gone.
    """
    from detcheck.cli.about import LIBRARIES, library_version
    from detcheck.cli.platform import platform_fields
    from detcheck.engine.native import available, why_not
    from detcheck.version import __version__

    output = options.output_of(options.settings_of(color=color), quiet, verbose)
    facts = {"detcheck": __version__, **platform_fields()}
    facts |= {name: library_version(name) for name in LIBRARIES}
    facts["native executor"] = "built" if available() else f"not in use: {why_not()}; the generated one is used"
    canaries = _canaries(available())
    if not quiet:
        width = max(map(len, facts))
        output.result(*(f"{name.ljust(width)}  {value}" for name, value in facts.items()), "")
    width = max((len(c.name) for c in canaries), default=0)
    for canary in canaries:
        if not canary.ok or not quiet:
            output.result(f"{'ok  ' if canary.ok else 'FAIL'}  {canary.name.ljust(width)}  {canary.detail}")
    failed = sum(not c.ok for c in canaries)
    if failed:
        output.result(f"{failed} of {len(canaries)} canaries failed: replays that rest on them are refused")
        return exits.INVALID
    output.result(f"{len(canaries)} canaries hold")
    return exits.EQUAL


def _canaries(native: bool) -> tuple[Canary, ...]:
    """Every canary of every executor there is and every backend, each once."""
    from detcheck.engine.canaries import run_canaries
    from detcheck.numbers import BACKENDS
    from detcheck.runner.whole import merged_canaries

    executors = ("native", "native:baseline", "generated", "reference") if native else ("generated", "reference")
    return merged_canaries(run_canaries(executor, backend) for executor in executors for backend in BACKENDS)
