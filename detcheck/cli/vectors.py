"""`detcheck vectors`: check or make files of known answers."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from detcheck.cli import exits, options


@click.group("vectors", invoke_without_command=True, short_help="Check or make files of known answers.")
@click.pass_context
def command(ctx: click.Context) -> int:
    """Known answers of single operations: hold every executor to them, or make them for an engine of your own."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
    return exits.EQUAL


@command.command("check", short_help="Hold every executor to files of known answers.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--engine", "engines", metavar="NAME", multiple=True, help="Only this engine (default: all there are).")
@click.option("--all", "show_all", is_flag=True, help="Show every differing line instead of the first 20.")
@options.output_options
def check(
    files: Sequence[str], engines: Sequence[str], show_all: bool, color: str | None, quiet: bool, verbose: bool
) -> int:
    """Run files of known answers through the backend of each executor; the lines that differ are shown."""
    from detcheck.errors import DetcheckError, visible
    from detcheck.vectors import check as check_file
    from detcheck.vectors import report_lines

    output = options.output_of(options.settings_of(color=color), quiet, verbose)
    limit = sys.maxsize if show_all else 20
    codes = []
    for file in files:
        try:
            report = check_file(file, list(engines) or None, limit=limit if show_all else 1000)
        except DetcheckError as fault:
            codes.append(exits.INVALID)
            output.note(f"error: {fault}")
            continue
        codes.append(exits.EQUAL if report.equal else exits.DIVERGED)
        if not (quiet and report.equal):
            output.result(*(visible(line, 2000) for line in report_lines(report, limit)))
    return exits.combine(codes)


@command.command("make", short_help="Write a file of known answers.")
@click.option("--backend", metavar="ID", required=True, help="The backend that answers.")
@click.option("--op", metavar="OP", help="Only this op (default: every op of the backend).")
@click.option("-n", "count", type=click.IntRange(min=1), required=True, metavar="N", help="Lines an op.")
@click.option(
    "--seed", metavar="S", default="1", show_default=True, help="Seed of the arguments after the edge values."
)
@click.option("-o", "--output", "target", metavar="FILE", help="A file (default: standard output).")
def make(backend: str, op: str | None, count: int, seed: str, target: str | None) -> int:
    """Write known answers of the reference: edge values first, then arguments from splitmix64 of the seed."""
    from detcheck.cli.words import number_of
    from detcheck.runner.selection import check_backends
    from detcheck.vectors import make as make_lines

    check_backends([backend])
    if target is not None and target != "-":
        from detcheck.runner.outputs import require_output

        require_output("-o", target)
    lines = make_lines(backend, op, count, number_of("--seed", seed))
    if target is None or target == "-":
        for line in lines:
            sys.stdout.write(line + "\n")
        return exits.EQUAL
    from detcheck.runner.files import write_whole

    write_whole(target, "".join(line + "\n" for line in lines).encode("ascii"))
    return exits.EQUAL
