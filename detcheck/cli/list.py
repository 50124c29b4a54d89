"""`detcheck list`: what there is to replay, and whether its goldens are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from detcheck.cli import completion, exits, options
from detcheck.errors import visible

if TYPE_CHECKING:
    from detcheck.runner.selection import Pair, Selected


@click.command("list", short_help="Show scenarios with backends, ticks, parts and goldens.")
@click.argument("names", nargs=-1, metavar="[NAME|GLOB|FILE]...", shell_complete=completion.scenario_names)
@options.scenarios_option
@options.golden_option
@options.backend_option
@options.output_options
def command(
    names: Sequence[str],
    scenarios: str | None,
    golden: str | None,
    backends: Sequence[str],
    color: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Show scenarios with their backends, ticks, parts and the state of each golden. With -q names only."""

    settings = options.settings_of(scenarios=scenarios, golden=golden, backends=backends, color=color)
    output = options.output_of(settings, quiet, verbose)
    selection = options.selected(names, settings)
    output.notes(selection.remarks)
    unreadable = 0
    for selected in selection.scenarios:
        if quiet:
            output.result(visible(selected.name))
            continue
        pairs = [p for p in selection.pairs if p.selected is selected]
        standings = [_standing(pair) for pair in pairs]
        unreadable += sum(fault for fault, _ in standings)
        output.result(*_lines(selected, verbose), *(line for _, lines in standings for line in lines))
    return exits.INVALID if selection.broken or unreadable else exits.EQUAL


def _standing(pair: Pair) -> tuple[bool, list[str]]:
    """Whether a golden is unreadable, and the lines of its state."""
    from detcheck.errors import DetcheckError
    from detcheck.runner.run import golden_file_of
    from detcheck.runner.standing import golden_standing

    selected = pair.selected
    assert selected.scenario is not None
    width = max(len(backend) for backend in selected.scenario.backends)
    file = golden_file_of(selected.file.golden_folder, selected.name, pair.backend)
    start = f"  {pair.backend.ljust(width)}  "
    try:
        return False, [start + golden_standing(selected.scenario, pair.backend, file)]
    except DetcheckError as fault:
        return True, [f"{start}unreadable golden", *(f"    {line}" for line in str(fault).splitlines())]


def _lines(selected: Selected, verbose: bool) -> list[str]:
    from detcheck.golden.compare import implied_checkpoints
    from detcheck.reports.console import plural
    from detcheck.runner.standing import part_names

    scenario = selected.scenario
    if scenario is None:
        return [f"{visible(selected.name)}: error", *(f"  {line}" for line in str(selected.fault).splitlines())]
    parts = part_names(scenario)
    checkpoints = implied_checkpoints(scenario.hash_every, scenario.ticks)
    rows = sum(t.rows for t in scenario.tables if t.name not in ("world", "players"))
    facts = [plural(scenario.ticks, "tick"), plural(checkpoints, "checkpoint"), plural(len(parts), "part")]
    lines = [
        f"{selected.name}: {visible(scenario.summary)}" if scenario.summary else selected.name,
        f"  {', '.join([*facts, plural(rows, 'row')])}, {scenario.rng}",
    ]
    if verbose:
        lines += [f"  parts: {' '.join(parts)}", f"  config {scenario.config_hash}  inputs {scenario.inputs_hash}"]
    return lines
