"""The entry point: the command table, and the one place where an outcome becomes an exit code.

Only click is imported at start; a command's own module is imported when it is called (design: performance, target 3).
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from detcheck.cli import exits, streams

#: command -> one line of help; its code is `command` in detcheck.cli.<command>
COMMANDS: dict[str, str] = {
    "run": "Replay scenarios and compare with goldens: the main job.",
    "regen": "Recompute goldens, show what changes, write only when told.",
    "diff": "Compare dumps, hash streams, goldens or folders of them.",
    "dump": "Replay a scenario and write its states.",
    "check": "Load and type scenarios without replaying.",
    "list": "Show scenarios with backends, ticks, parts and goldens.",
    "doctor": "Run this machine's canaries; show compiler, loops, versions.",
    "explain": "The manual, one page a topic.",
    "vectors": "Check or make files of known answers.",
    "matrix": "Merge reports of many platforms into the support list.",
    "init": "Write a first scenario, its golden, settings and a workflow.",
    "config": "Show each setting and where it came from.",
}

PROGRAM = "detcheck"

#: allocations between two searches for cycles: hardly any are made, and the searches cost a twentieth of a short run
GC_THRESHOLD = 50_000


class CommandTable(click.Group):
    """A group that knows its commands from the table and imports one only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"detcheck.cli.{name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from detcheck.cli.words import did_you_mean

            ctx.fail(f"no command named {args[0]!r}.{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from detcheck.cli.about import version_text

    click.echo(version_text())
    ctx.exit(0)


@click.group(
    cls=CommandTable,
    name=PROGRAM,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: detcheck explain exits.  First steps: detcheck explain scenarios.",
    no_args_is_help=False,
    invoke_without_command=True,
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show versions."
)
@click.pass_context
def cli(ctx: click.Context) -> int:
    """Replay scripted tick sequences through bit-pinned math, compare state hashes with goldens, and show the first
    divergent field."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
    return exits.EQUAL


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and give its exit code; never raises, never shows a traceback unless asked."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    streams.stand_in()
    gc.set_threshold(GC_THRESHOLD)
    try:
        code = _invoke(arguments)
    except BaseException as error:
        from detcheck.cli.failures import exit_of

        code = exit_of(error, arguments)
    return _flushed(code)


def _invoke(arguments: list[str]) -> int:
    if "_DETCHECK_COMPLETE" in os.environ:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, PROGRAM, "_DETCHECK_COMPLETE", os.environ["_DETCHECK_COMPLETE"])
    with cli.make_context(PROGRAM, arguments) as ctx:
        result = cli.invoke(ctx)
    return result if isinstance(result, int) else exits.EQUAL


def _flushed(code: int) -> int:
    """A full disk or a closed standard output is an exit 2, a reader that left is quiet."""
    try:
        fault = streams.fault_of_stdout()
    except BrokenPipeError:
        fault = None
        code = exits.combine((code, exits.INTERRUPTED)) if code == exits.EQUAL else code
    if fault is not None:
        if code != exits.INVALID:  # then it was said already
            from detcheck.cli.failures import say

            say(f"error: {fault}")
        code = exits.combine((code, exits.INVALID))
    streams.settle_stderr()
    return code


if __name__ == "__main__":
    sys.exit(main())
