"""A scenario made ready for one backend: programs lowered, script values converted to cells."""

from __future__ import annotations

from collections.abc import Callable

from detcheck import numbers
from detcheck.errors import DetcheckError, Faults, Where
from detcheck.language.analyse import Env
from detcheck.language.constants import convert
from detcheck.model.schema import ColumnSpec, Const, TableSpec
from detcheck.numbers import Backend
from detcheck.scenario.compiled import CompiledInput, CompiledScenario
from detcheck.scenario.lowered import lower_programs
from detcheck.scenario.scenario import Scenario, ScriptEntry

Cells = tuple[tuple[str, int, int], ...]
PlaceOf = Callable[[int, ColumnSpec, int], Where]
Values = tuple[tuple[str, tuple[Const, ...]], ...]


def compile_scenario(scenario: Scenario, backend_id: str) -> CompiledScenario:
    """The scenario for one backend.

    Raises DetcheckError: `backend.unknown`, or all faults together: an op the backend lacks, constants out of its range.
    """
    backend = numbers.get(backend_id)
    faults: list[DetcheckError] = []
    lowered = scenario.lowered.get(backend_id)
    if lowered is None:
        env = Env(scenario.tables, scenario.config, scenario.rng, scenario.tick_rate)
        lowered = lower_programs(scenario.setup, scenario.systems, env, backend_id, faults)
    inputs = convert_inputs(scenario, backend, faults)
    if faults or lowered is None:
        raise Faults(faults)
    return CompiledScenario(
        name=scenario.name,
        backend=backend_id,
        rng=scenario.rng,
        seed=scenario.seed,
        ticks=scenario.ticks,
        hash_every=scenario.hash_every,
        tables=scenario.tables,
        inputs=inputs,
        setup=lowered.setup,
        systems=lowered.systems,
    )


def convert_inputs(
    scenario: Scenario, backend: Backend, faults: list[DetcheckError], place: PlaceOf | None = None
) -> tuple[CompiledInput, ...]:
    """The script's cells on a backend, each distinct set of values converted once; out of range is a fault.

    `place` gives the place of an entry's value from the entry's index, the column and the lane.
    """
    players = scenario.table("players")
    if players is None:
        return ()
    file = str(scenario.inputs_path or scenario.path)
    known: dict[Values, Cells] = {}
    compiled = []
    for index, entry in enumerate(scenario.inputs):
        cells = known.get(entry.values)
        if cells is None:

            def found(column: ColumnSpec, lane: int, problem: str, index: int = index, line: int = entry.line) -> None:
                where = Where(file, line) if place is None else place(index, column, lane)
                hint = f"on {backend.id}; use another value, or list the backends that can hold this one"
                faults.append(DetcheckError("scenario.range", f"{column.name}: {problem}", where, hint))

            cells = known[entry.values] = _cells(entry, players, backend, found)
        compiled.append(CompiledInput(entry.tick, entry.hold, entry.player, cells))
    return tuple(compiled)


def _cells(
    entry: ScriptEntry, players: TableSpec, backend: Backend, found: Callable[[ColumnSpec, int, str], None]
) -> Cells:
    cells = []
    for name, consts in entry.values:
        column = players.column(name)
        assert column is not None
        for lane, const in enumerate(consts):
            try:
                cells.append((name, lane, _cell(column, const, backend)))
            except OverflowError as error:
                found(column, lane, str(error))
    return tuple(cells)


def _cell(column: ColumnSpec, const: Const, backend: Backend) -> int:
    if column.lane_type == "bool":
        return const.value.numerator
    return convert(const, column.lane_type, backend)
