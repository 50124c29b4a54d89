"""`detcheck matrix`: the reports of many platforms, merged into the support list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from detcheck.cli import completion, options
from detcheck.cli.actions import annotate_matrix, in_actions
from detcheck.errors import visible

if TYPE_CHECKING:
    from rich.text import Text


@click.command("matrix", short_help="Merge reports of many platforms into the support list.")
@click.argument("reports", nargs=-1, required=True, metavar="REPORT...", shell_complete=completion.files)
@click.option("--json", "json_target", metavar="FILE", help="Write the support list as JSON to FILE (- is stdout).")
@click.option("--markdown", "markdown_target", metavar="FILE", help="Write it as Markdown to FILE (- is stdout).")
@click.option("--expect", metavar="N", help="How many reports there should be; fewer is incomplete (exit 3).")
@options.output_options
def command(
    reports: Sequence[str],
    json_target: str | None,
    markdown_target: str | None,
    expect: str | None,
    color: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Merge what `detcheck run --json FILE` wrote on many machines, or in many shards, into one support list.

    A fixed-point backend is the same everywhere: a divergence there fails (exit 1). For float_pinned_32 a diverging
    platform is declared unsupported; no golden is refitted for it.
    """
    from detcheck.cli.outputs import MATRIX_REPORTS, Reports
    from detcheck.reports import matrix_console
    from detcheck.runner.matrix import merge
    from detcheck.runner.run_reports import read_run_report

    targets = {"json": json_target, "markdown": markdown_target}
    writers = Reports({name: t for name, t in targets.items() if t is not None}, MATRIX_REPORTS)
    writers.keep_apart(reports)
    output = options.output_of(options.settings_of(color=color), quiet, verbose, writers.own_stdout)
    matrix = merge((read_run_report(path) for path in reports), None if expect is None else _count(expect))
    lines = matrix_console.verdict_lines(matrix) if quiet else matrix_console.render(matrix, output.out.width)
    output.result(*_styled(lines))
    if in_actions():
        annotate_matrix(output, matrix)
    writers.write(matrix)
    return matrix.exit_code


def _count(text: str) -> int:
    """The number of --expect. Raises UsageError (exit 2)."""
    if text.isascii() and text.isdigit() and len(text) <= 6 and int(text) > 0:
        return int(text)
    raise click.UsageError(f"--expect is a number of reports from 1, not {visible(text)!r}")


#: how a line of the list begins -> its colour
_STYLES = {"FAILED: ": "red", "unsupported: ": "yellow", "note: ": "yellow"}


def _styled(lines: list[str]) -> list[Text]:
    from rich.text import Text

    return [Text(line, next((s for start, s in _STYLES.items() if line.startswith(start)), "")) for line in lines]
