"""The script's values on a backend: each distinct constant is converted once, however long the script is.

Entries share their values and constants (see inputs.EntryReader), so caches go by object identity: hashing a Fraction
costs more than converting it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from detcheck import numbers
from detcheck.errors import DetcheckError, Where
from detcheck.language.constants import convert
from detcheck.model.schema import ColumnSpec, Const
from detcheck.numbers import Backend
from detcheck.scenario.compiled import CompiledInput
from detcheck.scenario.scenario import Scenario, ScriptEntry

#: gives the place of an entry's value: index of the entry, column, lane
PlaceOf = Callable[[int, ColumnSpec, int], Where]

Cells = tuple[tuple[str, int, int], ...]

#: every backend holds numbers of at most this magnitude; only larger ones have to be tried
_SAFE = 32767


def check_ranges(scenario: Scenario, backends: Sequence[str], place: PlaceOf, faults: list[DetcheckError]) -> None:
    """A fault for each distinct num of the script that a backend cannot hold, at its first use."""
    players = scenario.table("players")
    if players is None:
        return
    nums = {column.name: column for column in players.columns if column.lane_type == "num"}
    seen: set[int] = set()
    for index, entry in enumerate(scenario.inputs):
        if id(entry.values) in seen:
            continue
        seen.add(id(entry.values))
        for name, consts in entry.values:
            for lane, const in enumerate(consts if name in nums else ()):
                value = const.value
                if abs(value.numerator) > _SAFE * value.denominator and id(const) not in seen:
                    seen.add(id(const))
                    where = place(index, nums[name], lane)
                    faults.extend(_range_faults(name, const, backends, where))


def _range_faults(name: str, const: Const, backends: Sequence[str], where: Where) -> list[DetcheckError]:
    faults = []
    for backend_id in backends:
        try:
            convert(const, "num", numbers.get(backend_id))
        except OverflowError as error:
            faults.append(_fault(f"{name}: {error}", backend_id, where))
    return faults


def _fault(problem: str, backend_id: str, where: Where) -> DetcheckError:
    hint = f"on {backend_id}; use another value, or list the backends that can hold this one"
    return DetcheckError("scenario.range", problem, where, hint)


def convert_inputs(scenario: Scenario, backend: Backend, faults: list[DetcheckError]) -> tuple[CompiledInput, ...]:
    """The script's cells on a backend; a num out of its range is a fault, with the entry's line."""
    players = scenario.table("players")
    if players is None:
        return ()
    kinds = {column.name: column.lane_type for column in players.columns}
    converted: dict[tuple[int, str], int] = {}
    known: dict[int, Cells] = {}

    def cells_of(entry: ScriptEntry) -> Cells:
        cells = []
        for name, consts in entry.values:
            kind = kinds[name]
            for lane, const in enumerate(consts):
                cell = converted.get((id(const), kind))
                if cell is None:
                    cell = converted[id(const), kind] = _cell(name, const, kind, backend)
                cells.append((name, lane, cell))
        return tuple(cells)

    compiled = []
    for entry in scenario.inputs:
        cells = known.get(id(entry.values))
        if cells is None:
            try:
                cells = cells_of(entry)
            except OverflowError as error:
                where = Where(str(scenario.inputs_path or scenario.path), entry.line)
                faults.append(_fault(str(error), backend.id, where))
                cells = ()
            known[id(entry.values)] = cells
        compiled.append(CompiledInput(entry.tick, entry.hold, entry.player, cells))
    return tuple(compiled)


def _cell(name: str, const: Const, kind: str, backend: Backend) -> int:
    if kind == "bool":
        return const.value.numerator
    try:
        return convert(const, kind, backend)
    except OverflowError as error:
        raise OverflowError(f"{name}: {error}") from None
