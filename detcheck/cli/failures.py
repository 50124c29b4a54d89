"""An exception that ends a command: its words on stderr, and its exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from detcheck.cli import exits
from detcheck.errors import DetcheckError, Interrupted, visible
from detcheck.version import __version__


def exit_of(error: BaseException, arguments: Sequence[str]) -> int:
    """Say what went wrong, once, on stderr; give the exit code of the table."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else exits.EQUAL
    if isinstance(error, KeyboardInterrupt | Interrupted | click.Abort | EOFError):
        say("interrupted")
        return exits.INTERRUPTED
    if isinstance(error, BrokenPipeError):
        return exits.INTERRUPTED
    if isinstance(error, click.ClickException):
        return _usage(error)
    if isinstance(error, DetcheckError):
        say(f"error: {error}")
        return error.exit_code
    if isinstance(error, OSError):
        say(f"error: {os_words(error)}")
        return exits.INVALID
    if isinstance(error, MemoryError):
        say("error: out of memory")
        return exits.INVALID
    return _bug(error, arguments)


def say(text: str) -> None:
    """One message on stderr; a stderr that is gone is not worth a second failure."""
    from detcheck.cli.actions import in_actions, without_commands

    try:
        sys.stderr.write((without_commands(text) if in_actions() else text) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return


def os_words(error: OSError) -> str:
    """The system's words for a failed file operation, with the file; without one it is our own output."""
    words = error.strerror or str(error)
    return f"{visible(error.filename)}: {words}" if error.filename else f"standard output: {words}"


def _usage(error: click.ClickException) -> int:
    context = getattr(error, "ctx", None)
    message = "\n".join(visible(line, 1000) for line in error.format_message().splitlines())
    message = message[:1].lower() + message[1:]
    path = context.command_path if context is not None else "detcheck"
    say(f"error: {message}\n  {path} --help shows what there is")
    return exits.INVALID


def _bug(error: BaseException, arguments: Sequence[str]) -> int:
    say(f"error: a bug in detcheck {__version__}: {type(error).__name__}: {visible(error)}")
    if wants_traceback(arguments):
        import traceback

        say("".join(traceback.format_exception(error)).rstrip())
    else:
        say(
            "  nothing can be concluded from this run. Please report it in the issue tracker of the repository that\n"
            "  detcheck came from, with the output of the same command and -v."
        )
    return exits.BUG


def wants_traceback(arguments: Sequence[str]) -> bool:
    """Whether -v or --verbose stands on the command line (the parser may not have got that far)."""
    return any(
        word == "--verbose" or (word.startswith("-") and not word.startswith("--") and "v" in word[1:])
        for word in arguments
    )
