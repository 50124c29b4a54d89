"""`detcheck check`: load and type scenarios without replaying, for editors and pre-commit hooks."""

from __future__ import annotations

from collections.abc import Sequence

import click

from detcheck.cli import completion, exits, options


@click.command("check", short_help="Load and type scenarios without replaying.")
@click.argument("names", nargs=-1, metavar="[FILE|NAME|GLOB]...", shell_complete=completion.scenario_names)
@options.scenarios_option
@options.output_options
def command(names: Sequence[str], scenarios: str | None, color: str | None, quiet: bool, verbose: bool) -> int:
    """Load and type scenario files; every fault of every file is shown with its line. Nothing is replayed.

    Without a name: all of the scenarios folder.
    """
    from detcheck.errors import visible
    from detcheck.runner.files import shown_path
    from detcheck.runner.selection import faults_of

    settings = options.settings_of(scenarios=scenarios, color=color)
    output = options.output_of(settings, quiet, verbose)
    selection = options.selected(names, settings, every_backend=True)
    faults = 0
    for selected in selection.scenarios:
        if selected.fault is not None:
            found = faults_of(selected.fault)
            faults += len(found)
            output.result(*(str(fault) for fault in found))
        elif selected.scenario is not None and not quiet:
            backends = ", ".join(selected.scenario.backends)
            output.result(f"{visible(shown_path(selected.file.path), 1000)}: fine, on {backends}")
    count = len(selection.scenarios)
    files = f"{count} file{'s' * (count != 1)}"
    if faults:
        output.result(f"{faults} fault{'s' * (faults != 1)} in {len(selection.broken)} of {files}")
        return exits.INVALID
    output.result(f"{files} checked, no faults")
    return exits.EQUAL
