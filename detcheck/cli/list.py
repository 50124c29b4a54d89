"""`detcheck list`: what there is to replay, and whether its goldens are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from detcheck.cli import completion, exits, options

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
    from detcheck.runner.selection import select

    settings = options.settings_of(scenarios=scenarios, golden=golden, backends=backends, color=color)
    output = options.output_of(settings, quiet, verbose)
    folder = options.value_of(settings, "scenarios")
    selection = select(names, folder, settings["golden"].value, options.backends_of(settings))
    output.notes(selection.remarks)
    for selected in selection.scenarios:
        if quiet:
            output.result(selected.name)
            continue
        pairs = [p for p in selection.pairs if p.selected is selected]
        output.result(*_lines(selected, pairs, verbose))
    return exits.INVALID if selection.broken else exits.EQUAL


def _lines(selected: Selected, pairs: Sequence[Pair], verbose: bool) -> list[str]:
    from detcheck.errors import visible
    from detcheck.golden.compare import implied_checkpoints
    from detcheck.reports.console import plural
    from detcheck.runner.run import golden_file_of
    from detcheck.runner.standing import golden_standing, part_names

    scenario = selected.scenario
    if scenario is None:
        return [f"{selected.name}: error", *(f"  {line}" for line in str(selected.fault).splitlines())]
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
    width = max((len(p.backend) for p in pairs), default=0)
    for pair in pairs:
        file = golden_file_of(selected.file.golden_folder, selected.name, pair.backend)
        lines.append(f"  {pair.backend.ljust(width)}  {golden_standing(scenario, pair.backend, file)}")
    return lines
