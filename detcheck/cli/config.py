"""`detcheck config`: every setting, its value, and where it came from."""

from __future__ import annotations

import click

from detcheck.cli import exits, options


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
    from detcheck.runner.settings import SETTINGS

    settings = options.settings_of(backends=backends, **given)
    output = options.output_of(settings)
    values = {name: "-" if s.value is None else visible(s.value) for name, s in settings.items()}
    names = max(len(name) for name in settings)
    width = max(len(value) for value in values.values())
    for name, setting in settings.items():
        origin = shown_path(setting.origin) if setting.origin.endswith(".toml") else setting.origin
        output.result(f"{name:<{names}}  {values[name]:<{width}}  from {visible(origin)}")
    variables = ", ".join(spec.variable for spec in SETTINGS.values())
    output.result("", f"Environment: {variables}.", "In pyproject.toml: the same names in lower case, [tool.detcheck].")
    return exits.EQUAL
