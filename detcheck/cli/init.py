"""`detcheck init`: a starter set that passes `detcheck run` at once."""

from __future__ import annotations

from pathlib import Path

import click

from detcheck.cli import exits, options


@click.command("init", short_help="Write a first scenario, its golden, settings and a workflow.")
@click.argument("folder", default=".", metavar="[FOLDER]")
@options.color_option
def command(folder: str, color: str | None) -> int:
    """Write a first scenario, its goldens, the [tool.detcheck] table and a workflow, and overwrite nothing.

    In a repository that has some of these already, only what is missing is written.
    """
    from detcheck.runner.starter import record_first, write_starter

    output = options.output_of(options.settings_of(color=color))
    home = Path(folder)
    outcomes = [*write_starter(home), *record_first(home)]
    width = max(len(outcome.done) for outcome in outcomes)
    for outcome in outcomes:
        detail = f"  ({outcome.detail})" if outcome.detail else ""
        output.result(f"{outcome.done:<{width}}  {outcome.path}{detail}")
    output.result("", *_next_steps(folder))
    return exits.EQUAL


def _next_steps(folder: str) -> list[str]:
    lines = [] if folder == "." else [f"  cd {folder}"]
    return [
        "Next:",
        *lines,
        "  detcheck run                          replay and compare: equal",
        "  change a number in scenarios/first.toml, then detcheck run: see it diverge",
        '  detcheck regen --reason "why"         when the change is meant',
        "  detcheck explain scenarios            how to write your own",
        "  git add scenarios golden .github      goldens are committed beside the scenarios",
    ]
