"""Options that several commands share, declared once, and the settings they resolve to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from detcheck.cli import completion

if TYPE_CHECKING:
    from detcheck.cli.console import Output
    from detcheck.runner.selection import Selection
    from detcheck.runner.settings import Setting

F = TypeVar("F", bound=Callable[..., Any])

scenarios_option = click.option(
    "--scenarios", metavar="DIR", shell_complete=completion.folders, help="Folder of scenarios (default: scenarios)."
)
golden_option = click.option(
    "--golden",
    metavar="DIR",
    shell_complete=completion.folders,
    help="Folder of goldens (default: golden beside the scenarios folder).",
)
backend_option = click.option(
    "--backend",
    "backends",
    metavar="ID",
    multiple=True,
    shell_complete=completion.backends,
    help="Only this backend; may be given several times.",
)
executor_option = click.option(
    "--executor",
    metavar="NAME",
    shell_complete=completion.executors,
    help="auto, native, native:baseline, generated or reference (default: auto).",
)
jobs_option = click.option("-j", "--jobs", metavar="N", help="Replays at a time (default: 1).")
color_option = click.option(
    "--color", metavar="WHEN", shell_complete=completion.colors, help="auto, always or never (default: auto)."
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Only what is not as it should be, and the summary.")
verbose_option = click.option("-v", "--verbose", is_flag=True, help="More: hashes, timings, tracebacks of bugs.")


def stacked(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, shown in this order."""

    def apply(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return apply


output_options = stacked(color_option, quiet_option, verbose_option)


def report_options(function: F) -> F:
    """One option a report of the table; the command takes them as `**targets`, option name to target or None."""
    from detcheck.cli.outputs import REPORTS

    for name, (_, words) in reversed(REPORTS.items()):
        help_text = f"Write {words} to FILE (- is standard output)."
        function = click.option(f"--{name}", metavar="FILE", shell_complete=completion.files, help=help_text)(function)
    return function


def checked_repeat(text: str | None) -> int:
    """How often each replay is done. Raises DetcheckError for what is no such number."""
    from detcheck.errors import DetcheckError, visible
    from detcheck.runner.repeat import REPEAT_LIMIT

    if text is None:
        return 1
    if text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= REPEAT_LIMIT:
        return int(text)
    message = f"--repeat {visible(text)!r} is not a number of replays"
    raise DetcheckError("options.repeat", message, None, f"give 1 to {REPEAT_LIMIT}")


def checked_executor(name: str) -> str:
    """An executor's name. Raises DetcheckError for one that is not there or not built here."""
    from detcheck.cli.words import did_you_mean
    from detcheck.engine.executors import EXECUTORS, native_available
    from detcheck.errors import DetcheckError, visible

    if name not in EXECUTORS:
        close = did_you_mean(name, EXECUTORS)
        hint = f"executors: {', '.join(EXECUTORS)}"
        raise DetcheckError("executor.unknown", f"there is no executor {visible(name)!r}.{close}", None, hint)
    if name.startswith("native") and not native_available():
        hint = "install detcheck where a C compiler is found, or use --executor auto; detcheck doctor says more"
        raise DetcheckError("executor.no_native", "the native executor is not built here", None, hint)
    return name


def settings_of(
    *,
    scenarios: str | None = None,
    golden: str | None = None,
    backends: Sequence[str] = (),
    executor: str | None = None,
    jobs: str | None = None,
    color: str | None = None,
) -> dict[str, Setting]:
    """Flags over environment over file over defaults. Raises DetcheckError."""
    from detcheck.runner.settings import resolve

    if any(not b.strip() or "," in b for b in backends):
        raise click.UsageError("--backend takes the id of one backend; give it several times for several")
    asked = ",".join(backends) if backends else None
    return resolve(
        {
            "scenarios": scenarios,
            "golden": golden,
            "backends": asked,
            "executor": executor,
            "jobs": jobs,
            "color": color,
        }
    )


def selected(names: Sequence[str], settings: dict[str, Setting], every_backend: bool = False) -> Selection:
    """What a command line selects. Raises DetcheckError; a folder that is not there is said with where it is set."""
    from detcheck.errors import DetcheckError, visible
    from detcheck.runner.selection import select

    scenarios = settings["scenarios"]
    backends = [] if every_backend else backends_of(settings)
    try:
        return select(names, value_of(settings, "scenarios"), settings["golden"].value, backends)
    except DetcheckError as fault:
        if not fault.code.startswith("scenarios.") or scenarios.origin in ("default", "command line"):
            raise
        hint = f"the folder is set in {visible(scenarios.origin, 1000)}; detcheck config shows all settings"
        raise DetcheckError(fault.code, fault.message, fault.where, hint) from None


def backends_of(settings: dict[str, Setting]) -> list[str]:
    """The backends setting as a list."""
    value = settings["backends"].value
    return [b.strip() for b in value.split(",") if b.strip()] if value else []


def value_of(settings: dict[str, Setting], name: str) -> str:
    """A setting that always has a value."""
    value = settings[name].value
    assert value is not None, name
    return value


def output_of(
    settings: dict[str, Setting], quiet: bool = False, verbose: bool = False, machine_stdout: bool = False
) -> Output:
    """The command's output, coloured as the settings say."""
    from detcheck.cli.console import Output
    from detcheck.runner.settings import misspelled

    output = Output(value_of(settings, "color"), quiet, verbose, machine_stdout)
    output.notes(misspelled())
    return output
