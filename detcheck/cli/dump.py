"""`detcheck dump`: replay a scenario and write its states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO

import click

from detcheck.cli import completion, exits, options

if TYPE_CHECKING:
    from detcheck.dumps.write import StateWriter
    from detcheck.engine.executor import Executor
    from detcheck.runner.selection import Selected
    from detcheck.scenario.scenario import Scenario


@click.command("dump", short_help="Replay a scenario and write its states.")
@click.argument("name", metavar="NAME|FILE", shell_complete=completion.scenario_names)
@options.scenarios_option
@click.option(
    "--backend",
    metavar="ID",
    shell_complete=completion.backends,
    help="The backend (default: the scenario's first).",
)
@options.executor_option
@click.option("--ticks", metavar="A:B", help="Only these ticks, both ends included; every one of them.")
@click.option(
    "--every", type=click.IntRange(min=1), metavar="N", help="Only ticks that are a multiple of N, and the last."
)
@click.option("--only", metavar="PATH", multiple=True, help="Only this table, column, lane or rng; * stands for any.")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values instead of JSON Lines.")
@click.option("--seed", metavar="N", help="Another seed (0x… or decimal).")
@click.option("--ticks-total", type=click.IntRange(min=0), metavar="N", help="Another number of ticks.")
@click.option(
    "-o", "--output", "target", metavar="FILE", help="A file; .gz .bz2 .xz compress (default: standard output)."
)
@options.output_options
def command(
    name: str,
    scenarios: str | None,
    backend: str | None,
    executor: str | None,
    ticks: str | None,
    every: int | None,
    only: Sequence[str],
    as_csv: bool,
    seed: str | None,
    ticks_total: int | None,
    target: str | None,
    color: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Replay a scenario and write its states as a dump, one record a tick.

    Without --ticks and --every: the checkpoints. With --ticks alone: every tick of the range.
    """
    from detcheck.cli.words import number_of
    from detcheck.engine.executors import make_executor, resolve
    from detcheck.errors import visible
    from detcheck.runner.dumping import TickRange, dump_ticks, write_states
    from detcheck.runner.files import output_target
    from detcheck.runner.outputs import inputs_of_one, require_apart, require_output
    from detcheck.runner.run import check_canaries
    from detcheck.runner.selection import NothingSelected, load_one
    from detcheck.scenario.compile import compile_scenario

    settings = options.settings_of(scenarios=scenarios, executor=executor, color=color)
    to_stdout = target is None or target == "-"
    output = options.output_of(settings, quiet, verbose, machine_stdout=to_stdout)
    if target is not None and not to_stdout:
        require_output("-o", target)
    wanted = TickRange() if ticks is None else TickRange.parse(ticks)
    runner = resolve(options.checked_executor(options.value_of(settings, "executor")))
    selected = load_one(name, options.value_of(settings, "scenarios"), settings["golden"].value)
    assert selected.scenario is not None
    if target is not None and not to_stdout:
        require_apart("-o", target, inputs_of_one(selected), [selected.file.golden_folder])
    chosen = _backend(selected, backend)
    scenario = selected.scenario.having(seed=None if seed is None else number_of("--seed", seed), ticks=ticks_total)
    step = every or (1 if ticks is not None else scenario.hash_every)
    if next(dump_ticks(wanted, step, scenario.ticks), None) is None:
        raise NothingSelected(f"no tick is in --ticks {ticks}", f"the scenario has ticks 0 to {scenario.ticks}")
    check_canaries(runner, chosen, [])
    running = make_executor(runner, compile_scenario(scenario, chosen))
    last = scenario.ticks if wanted.last is None else min(wanted.last, scenario.ticks)
    with output_target(None if to_stdout else target) as opened:
        written = write_states(
            running,
            dump_ticks(wanted, step, scenario.ticks),
            _writer(scenario, chosen, running, opened, only, as_csv),
            output.progress.teller(f"{selected.name} on {chosen}", last),
        )
    output.progress.clear()
    if not quiet and not to_stdout:
        output.result(
            f"{written:,} state{'s' * (written != 1)} of {selected.name} on {chosen} written to {visible(target)}"
        )
    return exits.EQUAL


def _backend(selected: Selected, asked: str | None) -> str:
    from detcheck.errors import DetcheckError
    from detcheck.runner.selection import check_backends

    assert selected.scenario is not None
    own = selected.scenario.backends
    if asked is None:
        return own[0]
    check_backends([asked])
    if asked not in own:
        hint = f"it runs on {', '.join(own)}"
        raise DetcheckError("dump.backend", f"{selected.name} does not run on {asked}", None, hint)
    return asked


def _writer(
    scenario: Scenario, backend: str, executor: Executor, target: str | BinaryIO, only: Sequence[str], as_csv: bool
) -> StateWriter:
    from detcheck.cli.platform import platform_words
    from detcheck.dumps.write import CsvWriter, DumpHead, DumpWriter
    from detcheck.numbers import get
    from detcheck.scenario.identity import identity_of

    head = DumpHead(
        identity_of(scenario, backend),
        get(backend).number,
        executor.tables,
        source=f"detcheck {executor.name}",
        platform=platform_words(),
    )
    form = CsvWriter if as_csv else DumpWriter
    return form(target, head, only)
