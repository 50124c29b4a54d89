"""Options that several commands share, declared once, and the settings they resolve to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from detcheck.cli.console import Output
    from detcheck.runner.settings import Setting

F = TypeVar("F", bound=Callable[..., Any])

scenarios_option = click.option("--scenarios", metavar="DIR", help="Folder of scenarios (default: scenarios).")
golden_option = click.option(
    "--golden", metavar="DIR", help="Folder of goldens (default: golden beside the scenarios folder)."
)
backend_option = click.option(
    "--backend", "backends", metavar="ID", multiple=True, help="Only this backend; may be given several times."
)
executor_option = click.option(
    "--executor", metavar="NAME", help="auto, native, native:baseline, generated or reference (default: auto)."
)
jobs_option = click.option("-j", "--jobs", metavar="N", help="Replays at a time (default: 1).")
color_option = click.option("--color", metavar="WHEN", help="auto, always or never (default: auto).")
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

    return Output(value_of(settings, "color"), quiet, verbose, machine_stdout)
