"""The inputs file: JSON Lines beside the scenario, one script entry a line, read line by line."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from detcheck.errors import DetcheckError, Where, json_words, visible
from detcheck.language.constants import MAX_NUMBER_CHARACTERS
from detcheck.model.schema import TableSpec
from detcheck.scenario.document import DecimalText
from detcheck.scenario.files import is_device_name, open_regular, unreadable
from detcheck.scenario.inputs import ENTRIES_MAX, EntryFault, EntryReader
from detcheck.scenario.scenario import ScriptEntry
from detcheck.scenario.section import kind_of

MAX_LINE = 64 * 1024

_BOM = b"\xef\xbb\xbf"
_BARE_NAME = re.compile(r"[^/\\:\x00]+\.jsonl")
_FEW_FAULTS = 100
_SHAPE = 'one JSON object a line, for example {"tick": 30, "hold": 60, "player": 0, "move": [1, 0]}'


class _Refused(ValueError):
    """What JSON would let pass and we do not."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _Refused(f'the key "{visible(twice, 60)}" stands twice')
    return values


def _constant(name: str) -> Any:
    raise _Refused(f"{name} is not a number")


_DECODER = json.JSONDecoder(parse_float=DecimalText, parse_constant=_constant, object_pairs_hook=_pairs)


def inputs_path(scenario_path: Path, name: str) -> Path | None:
    """The inputs file's path: beside the scenario. None unless `name` is a bare file name ending .jsonl."""
    if not _BARE_NAME.fullmatch(name) or name.startswith(".") or is_device_name(name.split(".")[0]):
        return None
    return scenario_path.parent / name


def read_inputs_file(
    path: Path, players: TableSpec, unclear: Collection[str], faults: list[DetcheckError]
) -> tuple[ScriptEntry, ...]:
    """The entries of the file in order; faults are noted with file and line. Empty lines are skipped."""
    entries: list[ScriptEntry] = []
    reader = EntryReader(players, unclear)
    found: list[DetcheckError] = []
    for number, data in _lines(path):
        if len(found) >= _FEW_FAULTS:
            found.append(_fault("scenario.inputs", "reading stopped here after many faults", path, number, None))
            break
        text = _text(data, path, number, found)
        if text is None or not text.strip(" \t\r"):
            continue
        if len(entries) == ENTRIES_MAX:
            found.append(_fault("scenario.too_large", f"more than {ENTRIES_MAX:,} script entries", path, number, text))
            break
        entry = _entry(text, path, number, reader, found)
        if entry is not None:
            entries.append(entry)
    faults.extend(found)
    return tuple(entries)


def place_in_file(path: Path, line: int, value: tuple[str | int, ...]) -> Where:
    """The place of a value of the entry in that line: the file is read again, since only a fault asks."""
    try:
        data = next((data for number, data in _lines(path) if number == line), b"")
        text = data.decode("utf-8").rstrip("\r\n")
        return Where(str(path), line, _column_of(text, EntryFault("", "", value)), text)
    except (DetcheckError, ValueError):  # it has changed meanwhile
        return Where(str(path), line)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with open_regular(path, "a .jsonl file of script entries") as stream:
        number = 0
        while True:
            try:
                data = stream.readline(MAX_LINE + 1)
            except OSError as error:
                raise unreadable(path, error) from None
            if not data:
                return
            number += 1
            if len(data) > MAX_LINE:
                message = f"a line of more than {MAX_LINE:,} bytes"
                raise _fault("scenario.too_large", message, path, number, None)
            yield number, data.removeprefix(_BOM) if number == 1 else data


def _text(data: bytes, path: Path, number: int, found: list[DetcheckError]) -> str | None:
    try:
        return data.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        message = f"byte {error.start + 1} of the line (0x{data[error.start]:02x}) is not UTF-8"
        found.append(_fault("scenario.encoding", message, path, number, None))
        return None


def _entry(text: str, path: Path, number: int, reader: EntryReader, found: list[DetcheckError]) -> ScriptEntry | None:
    try:
        values = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = Where(str(path), number, error.colno, text)
        found.append(DetcheckError("scenario.syntax", f"not valid JSON: {json_words(error.msg)}", where, _SHAPE))
        return None
    except _Refused as error:
        found.append(_fault("scenario.syntax", str(error), path, number, text, hint=_SHAPE))
        return None
    except RecursionError:
        found.append(_fault("scenario.syntax", "nested too deeply to be read", path, number, text, hint=_SHAPE))
        return None
    except ValueError:  # Python reads no integer of thousands of digits
        message = f"an integer of more than {MAX_NUMBER_CHARACTERS} digits"
        longest = max(re.finditer(r"\d+", text), key=lambda digits: len(digits[0]))
        found.append(_fault("scenario.number", message, path, number, text, longest.start() + 1, _SHAPE))
        return None
    if not isinstance(values, dict):
        message = f"the line is {kind_of(values)}, it has to be an object"
        found.append(_fault("scenario.type", message, path, number, text, hint=_SHAPE))
        return None

    def report(fault: EntryFault) -> None:
        column = _column_of(text, fault)
        found.append(_fault(fault.code, fault.message, path, number, text, column, fault.hint))

    return reader.read(values, number, report)


def _fault(
    code: str, message: str, path: Path, line: int, text: str | None, column: int | None = None, hint: str | None = None
) -> DetcheckError:
    place = column if column is not None else (1 if text is not None else None)
    return DetcheckError(code, message, Where(str(path), line, place, text), hint)


def _column_of(text: str, fault: EntryFault) -> int:
    """Where the fault's key or value stands in its line: by walking the object again, since json keeps no places."""
    at = text.index("{") + 1
    space = re.compile(r"[\s,:]*")
    while fault.path:
        at = space.match(text, at).end()  # type: ignore[union-attr]
        if text[at : at + 1] != '"':
            break
        name, end = _DECODER.raw_decode(text, at)
        value_at = space.match(text, end).end()  # type: ignore[union-attr]
        if name == fault.path[0]:
            return (at if fault.at_key else _item_at(text, value_at, fault.path[1:])) + 1
        at = _DECODER.raw_decode(text, value_at)[1]
    return 1


def _item_at(text: str, at: int, path: tuple[str | int, ...]) -> int:
    """The offset of an array's item, `path` being () for the value itself or (index,)."""
    if not path:
        return at
    gap = re.compile(r"[\s,\[]*")
    at = gap.match(text, at).end()  # type: ignore[union-attr]
    for _ in range(int(path[0])):
        at = _DECODER.raw_decode(text, at)[1]
        at = gap.match(text, at).end()  # type: ignore[union-attr]
    return at
