"""`detcheck init`: a starter set that passes `detcheck run` at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from detcheck.cli import completion, exits, options

if TYPE_CHECKING:
    from detcheck.runner.starter import Home, Outcome


@click.command("init", short_help="Write a first scenario, its golden, settings and a workflow.")
@click.argument("folder", default=".", metavar="[FOLDER]", shell_complete=completion.folders)
@options.color_option
def command(folder: str, color: str | None) -> int:
    """Write a first scenario, its goldens, the [tool.detcheck] table and a workflow, and overwrite nothing.

    In a repository that has some of these already, only what is missing is written.
    """
    from detcheck.runner.starter import home_of, record_first, write_starter

    home = home_of(Path(folder))
    output = options.output_of(options.settings_of(color=color))
    outcomes = [*write_starter(home), *record_first(home)]
    width = max(len(outcome.done) for outcome in outcomes)
    for outcome in outcomes:
        output.result(*_outcome_lines(outcome, width))
    output.result("", "Next:", *_next_lines(folder, home, output.out.width))
    return exits.EQUAL


def _outcome_lines(outcome: Outcome, width: int) -> list[str]:
    from detcheck.errors import visible
    from detcheck.runner.files import shown_path

    line = f"{outcome.done:<{width}}  {visible(shown_path(outcome.path))}"
    return [line, f"{'':<{width}}  ({visible(outcome.detail, 1000)})"] if outcome.detail else [line]


def _next_lines(folder: str, home: Home, width: int) -> list[str]:
    """Commands and what they are for, side by side where there is room."""
    import shlex

    from detcheck.errors import visible
    from detcheck.runner.files import shown_path
    from detcheck.runner.starter_texts import SCENARIO_NAME

    inside = [home.inside(path) for path in (home.scenarios, home.golden)]
    added = [
        "pyproject.toml",
        ".gitattributes",
        ".gitignore",
        ".github",
        *(path for path in inside if path is not None),
    ]
    steps = [
        (f"cd {shlex.quote(folder)}", "")
        if folder != "."
        else (f"$EDITOR {visible(shown_path(home.scenario))}", "the first scenario, to change as you like"),
        ("detcheck run", "replay and compare with the goldens"),
        (f"detcheck regen {SCENARIO_NAME} --reason 'why'", "after a meant change"),
        ("detcheck explain scenarios", "how to write your own"),
        (f"git add {shlex.join(added)}", "goldens are committed"),
    ]
    column = max(len(command) for command, words in steps[:-1] if words)
    side_by_side = width >= column + 4 + max(len(words) for _, words in steps)
    lines = []
    for command, words in steps:
        if side_by_side and len(command) <= column:
            lines.append(f"  {command:<{column}}  {words}".rstrip())
        else:
            lines.extend([f"  {command}", *([f"      {words}"] if words else [])])
    return lines
