"""Script entries: what players do, from [[inputs]] or an inputs file. One entry's rules, whatever it was read from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from detcheck.errors import visible
from detcheck.language.constants import INTEGER_RANGES
from detcheck.model.schema import ColumnSpec, Const, TableSpec
from detcheck.scenario.constants import SHARED_MAX, ConstCache
from detcheck.scenario.document import DecimalText
from detcheck.scenario.ranges import I32_MAX
from detcheck.scenario.scenario import ScriptEntry
from detcheck.scenario.section import did_you_mean, kind_of, shown

ENTRIES_MAX = 1_000_000

#: the keys of an entry that are no columns
ENTRY_KEYS = ("tick", "hold", "player")

_FALSE, _TRUE = Const("i", Fraction(0)), Const("i", Fraction(1))


Key = tuple[object, ...]
Values = tuple[tuple[str, tuple[Const, ...]], ...]


@dataclass(frozen=True, slots=True)
class EntryFault:
    """A fault of one entry: `path` leads to what it is about, ("move", 1); `at_key` when it is the key itself."""

    code: str
    message: str
    path: tuple[str | int, ...] = ()
    hint: str | None = None
    at_key: bool = False


class EntryReader:
    """Turns one entry's keys and values into a ScriptEntry. Decimals come as DecimalText."""

    def __init__(self, players: TableSpec, unclear: Collection[str] = ()) -> None:
        self._unclear = unclear  # names of columns whose own declaration is faulty
        self._rows = players.rows
        self._columns = {column.name: column for column in players.columns}
        self._order = {column.name: i for i, column in enumerate(players.columns)}
        self._consts = ConstCache()
        self._shared: dict[Key, Values] = {}

    def read(self, values: Mapping[str, Any], line: int, report: Callable[[EntryFault], None]) -> ScriptEntry | None:
        """The entry, or None after every fault of it was reported."""
        found: list[EntryFault] = []
        tick = self._integer(values, "tick", 0, I32_MAX, found.append)
        player = self._player(values, found.append)
        hold = self._integer(values, "hold", 1, I32_MAX, found.append) if "hold" in values else 1
        key = _key_of(values)
        cells = None if key is None else self._shared.get(key)
        if cells is None:
            cells = self._cells(values, found.append)
            if key is not None and not found and len(self._shared) < SHARED_MAX:
                self._shared[key] = cells
        for fault in found:
            report(fault)
        return None if found else ScriptEntry(tick, hold, player, cells, line)

    def _cells(self, values: Mapping[str, Any], note: Callable[[EntryFault], None]) -> Values:
        cells: list[tuple[str, tuple[Const, ...]]] = []
        for name, value in values.items():
            column = self._columns.get(name)
            if column is not None:
                consts = self._consts_of(column, value, note)
                if consts is not None:
                    cells.append((name, consts))
            elif name not in ENTRY_KEYS and name not in self._unclear:
                message = f'[players] has no column "{visible(name, 60)}"'
                hint = did_you_mean(name, (*ENTRY_KEYS, *self._columns))
                note(EntryFault("scenario.unknown_key", message, (name,), hint, True))
        cells.sort(key=lambda cell: self._order[cell[0]])
        return tuple(cells)

    def _integer(
        self, values: Mapping[str, Any], key: str, low: int, high: int, note: Callable[[EntryFault], None]
    ) -> int:
        value = values.get(key)
        if type(value) is int:
            if low <= value <= high:
                return value
            note(EntryFault("scenario.range", f"{key} is {shown(value)}, it has to be {low} .. {high}", (key,)))
        elif key not in values:
            note(EntryFault("scenario.missing_key", f"the entry has no {key}", (), f"for example: {key} = {low}"))
        else:
            note(EntryFault("scenario.type", f"{key} is {kind_of(value)}, it has to be an integer", (key,)))
        return low

    def _player(self, values: Mapping[str, Any], note: Callable[[EntryFault], None]) -> int:
        if self._rows == 0 and type(values.get("player")) is int:
            note(EntryFault("scenario.range", "[players] has no rows, so no entry fits", ("player",)))
            return 0
        return self._integer(values, "player", 0, max(self._rows - 1, 0), note)

    def _consts_of(
        self, column: ColumnSpec, value: object, note: Callable[[EntryFault], None]
    ) -> tuple[Const, ...] | None:
        names = column.lane_names
        if len(names) == 1:
            const = self._const(column, value, (column.name,), note)
            return None if const is None else (const,)
        if not isinstance(value, list) or len(value) != len(names):
            what = f"an array of {len(value)}" if isinstance(value, list) else kind_of(value)
            message = f"{column.name} is {what}, a {column.type} takes an array of {len(names)} numbers"
            note(EntryFault("scenario.type", message, (column.name,)))
            return None
        consts = [self._const(column, item, (column.name, i), note) for i, item in enumerate(value)]
        good = tuple(const for const in consts if const is not None)
        return good if len(good) == len(names) else None

    def _const(
        self, column: ColumnSpec, value: object, path: tuple[str | int, ...], note: Callable[[EntryFault], None]
    ) -> Const | None:
        kind = column.lane_type
        if kind == "bool":
            if isinstance(value, bool):
                return _TRUE if value else _FALSE
            note(EntryFault("scenario.type", f"{column.name} is {kind_of(value)}, a bool takes true or false", path))
            return None
        if kind == "num":
            const, fault = self._consts.number(value)
            if fault is not None:
                note(EntryFault(fault[0], f"{column.name}: {fault[1]}", path))
            return const
        if type(value) is not int:
            message = f"{column.name} is {kind_of(value)}, {_article(kind)} takes an integer"
            note(EntryFault("scenario.type", message, path))
            return None
        low, high = INTEGER_RANGES[kind]
        if low <= value <= high:
            return self._consts.number(value)[0]
        message = f"{column.name} is {shown(value)}, {_article(kind)} takes {low} .. {high}"
        note(EntryFault("scenario.range", message, path))
        return None


def _key_of(values: Mapping[str, Any]) -> Key | None:
    """What an entry sets, as a cheap key (True and 1 apart); None for a value that no rule allows anyway."""
    key: list[object] = []
    for name, value in values.items():
        if name in ENTRY_KEYS:
            continue
        key += (name, type(value))
        if type(value) is list:
            key.append(len(value))
            for item in value:
                if type(item) is not int and type(item) is not DecimalText:
                    return None
                key.append(item)
        elif type(value) is dict:
            return None
        else:
            key.append(value)
    return tuple(key)


def _article(kind: str) -> str:
    return f"{'a' if kind == 'u32' else 'an'} {kind}"
