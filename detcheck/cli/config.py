"""`detcheck config`: every setting, its value, and where it came from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from detcheck.cli import exits, options

if TYPE_CHECKING:
    from detcheck.runner.settings import Setting


@click.command("config", short_help="Show each setting and where it came from.")
@options.scenarios_option
@options.golden_option
@options.backend_option
@options.executor_option
@options.jobs_option
@options.color_option
def command(backends: tuple[str, ...], **given: str | None) -> int:
    """Show what a run in this folder would use: flag over environment over [tool.detcheck] over the default."""
    from detcheck.errors import visible
    from detcheck.runner.files import shown_path

    settings = options.settings_of(backends=backends, **given)
    output = options.output_of(settings)
    values = {name: visible(_value(setting, settings)) for name, setting in settings.items()}
    names = max(len(name) for name in settings)
    width = max(len(value) for value in values.values())
    for name, setting in settings.items():
        origin = shown_path(setting.origin) if setting.origin.endswith(".toml") else setting.origin
        output.result(f"{name:<{names}}  {values[name]:<{width}}  from {visible(origin)}")
    output.result("", "Over the default stands [tool.detcheck] in pyproject.toml (the same names),")
    output.result("over that the environment (DETCHECK_JOBS=2 and so on), over that a flag.")
    return exits.EQUAL


def _value(setting: Setting, settings: dict[str, Setting]) -> str:
    """A value as a run takes it; what nobody set is what it comes to."""
    from detcheck.runner.files import shown_path
    from detcheck.runner.found import golden_folder_of

    if setting.value is not None:
        return setting.value
    if setting.name == "golden":
        return shown_path(golden_folder_of(Path(options.value_of(settings, "scenarios"))))
    return "all of a scenario"
