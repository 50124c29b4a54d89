"""How a table is written: delimiter, header, which column is the tick, the key, a checksum; decimal commas."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from detcheck.dumps import names, tokens
from detcheck.dumps.readers.classify import rises, tick_value
from detcheck.dumps.readers.table_header import (
    BLANKS,
    are_units,
    begins_table,
    is_blank_table,
    is_comment,
    is_title,
    names_columns,
)
from detcheck.dumps.readers.table_keys import telling_apart
from detcheck.dumps.readers.tick_lines import tick_of
from detcheck.dumps.readers.time_steps import is_time, step_of
from detcheck.dumps.sample import Sample

DELIMITERS = ("\t", ";", ",", "|")
#: lines of the sample that are looked at
SNIFFED = 60
#: how surely something beside the rows is their tick: the one number of a file's name may be that of a match
_NOWHERE, _PERHAPS, _SURELY = range(3)


@dataclass(frozen=True)
class Layout:
    """How the table is written. `tick`, `key`, `sub` and `value` are places of columns.

    sub     the column that tells rows of one tick and key apart (`field`, `component`); value: what it names a value of
    named   whether something names the columns
    header  how many rows stand above the data: names, units of measurement; a comment may name columns as well
    decimal_comma   never beside commas
    one_tick  no column is the tick: it stands in the name of the file, or in lines above the rows
    """

    delimiter: str
    header: int
    columns: tuple[str, ...]
    tick: int | None
    key: int | None
    decimal_comma: bool
    skip: int
    hashes: frozenset[int]
    named: bool = True
    sub: int | None = None
    value: int | None = None
    step: Fraction | None = None
    one_tick: bool = False


def cells_of(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    """Rows of cells."""
    if delimiter == BLANKS:
        return (line.split() for line in lines)
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True)


def sampled(lines: Iterable[str], delimiter: str) -> list[list[str]]:
    """The cells of some sample lines; none where they are no table."""
    try:
        return [row for row in cells_of([line.replace("\r", " ") for line in lines], delimiter) if row]
    except csv.Error:
        return []


def layout_of(sample: Sample, tick_field: str | None = None, key_field: str | None = None) -> Layout | None:
    """The layout of the sample's rows; None when they are no table."""
    lines = [line for line in sample.lines[: SNIFFED * 2] if line.strip()]
    stated = _NOWHERE if sample.tick is None else _PERHAPS if names.tick_in_name(sample.stem) is None else _SURELY
    return layout_in(lines, tick_field, key_field, stated)


def layout_in(
    lines: list[str], tick_field: str | None = None, key_field: str | None = None, stated: int = _NOWHERE
) -> Layout | None:
    """The layout of rows, comments in front of them included. `stated`: how surely the file's name is their tick."""
    skip = next((place for place, line in enumerate(lines) if not _is_above(line)), len(lines))
    stated = _SURELY if any(tick_of(line, None) is not None for line in lines[:skip]) else stated
    above = lines[skip - 1].lstrip("#%/ \t") if skip else ""
    lines = [line for line in first_table(lines[skip:]) if not is_comment(line)][:SNIFFED]
    for delimiter in (*DELIMITERS, BLANKS):
        found = sampled(lines, delimiter)
        widths = [len(row) for row in found]
        usual = max(set(widths), key=widths.count) if widths else 0
        if usual < 2 or widths[0] != usual or widths.count(usual) < 0.7 * len(widths):
            continue
        named = sampled([above], delimiter) if above else []
        rows = [row for row in found if len(row) == usual]
        if delimiter != BLANKS or is_blank_table(rows, named):
            return _layout(rows, delimiter, skip, named[0] if named else [], (tick_field, key_field), stated)
    return None


def _is_above(line: str) -> bool:
    return is_comment(line.lstrip()) or is_title(line) or tick_of(line, None) is not None


def first_table(lines: list[str]) -> list[str]:
    """The lines up to the header of a second table."""
    start = next((place for place, line in enumerate(lines) if not _is_above(line)), len(lines))
    for place in range(start + 1, len(lines)):
        if (
            is_title(lines[place])
            or tick_of(lines[place], None) is not None
            or any(begins_table(lines[place], one, ()) for one in DELIMITERS)
        ):
            return lines[:place]
    return lines


def _layout(
    found: list[list[str]],
    delimiter: str,
    skip: int,
    above: list[str],
    told: tuple[str | None, str | None],
    stated: int,
) -> Layout:
    tick_field, key_field = told
    width = len(found[0])
    header = int(names_columns(found[0], width))
    if header and len(found) > 2 and are_units(found[1]) and not are_units(found[2]):
        header = 2
    body = found[header:]
    named = found[0] if header else (above if names_columns(above, width) else [])
    columns = _columns([cell.strip() for cell in named], width)
    comma = delimiter != "," and any(re.fullmatch(r"[+-]?\d+,\d+", cell.strip()) for row in body for cell in row)
    tick = _column(columns, tick_field, names.tick_rank) if named or tick_field else None
    if tick is None and not named and not tick_field and not stated:
        tick = _rising(body)
    step = None
    if named and not tick_field and (tick is None or is_time(columns[tick])) and stated < _SURELY:
        tick = tick if tick is not None and _whole(body, tick) else _weak_tick(columns, body)
        tick, step = (tick, None) if tick is not None else _time_steps(columns, body, comma)
    key = _column(columns, key_field, names.id_rank, tick)
    if key is not None and key_field is None and _one_row_a_tick(body, tick) and not names.is_strong_id(columns[key]):
        key = None
    one_tick = tick is None and stated > _NOWHERE and not tick_field
    if one_tick:
        # as if a column behind the others had the tick, the same one in all rows
        body, tick = [[*row[:width], ""] for row in body], width
    if key is None and tick is not None:
        key = _repeating_key(columns, body, tick)
    sub = _sub_key(columns, body, tick, key) if tick is not None and key is not None else None
    if sub is None and key is not None and tick is not None and key_field is None:
        key = telling_apart(columns, body, tick, key)
    value = _value_column(columns, tick, key, sub)
    tick = None if one_tick else tick
    places = (tick, key, sub, value)
    hashes = frozenset(i for i in range(len(columns)) if i not in places and _is_hashes(columns[i], body, i))
    return Layout(delimiter, header, columns, tick, key, comma, skip, hashes, bool(named), sub, value, step, one_tick)


def _columns(named: list[str], width: int) -> tuple[str, ...]:
    """Names for all columns: c1, c2 where nothing names them."""
    return tuple(name or f"c{i + 1}" for i, name in enumerate(named or [""] * width))


def _weak_tick(columns: tuple[str, ...], body: list[list[str]]) -> int | None:
    """A column that may be the tick, and is where its numbers rise."""
    ranked = [(rank, i) for i, name in enumerate(columns) if (rank := names.weak_tick_rank(name)) is not None]
    for _, place in sorted(ranked):
        cells = [tick_value(tokens.bare(row[place].strip())) for row in body]
        if names.id_rank(columns[place]) is None and rises(cells, columns[place]):
            return place
    return None


def _whole(body: list[list[str]], place: int) -> bool:
    return all(tick_value(tokens.bare(row[place].strip())) is not None for row in body)


def _time_steps(columns: tuple[str, ...], body: list[list[str]], comma: bool) -> tuple[int | None, Fraction | None]:
    """The column of a time in even steps, and its step."""
    for place, name in enumerate(columns):
        if is_time(name):
            step = step_of([tokens.bare(row[place].strip(), comma) for row in body])
            if step is not None:
                return place, step
    return None, None


#: columns that name a field of the entity in the same row
_FIELD_NAMES = names.word_set(
    "field fieldname attribute attr property prop variable var component comp param parameter metric channel stat "
    "sensor column quantity measure signal what kind type name key item part"
)
#: those of them that mean nothing else
_PART_NAMES = names.word_set(
    "field fieldname attribute attr property prop variable var component comp param parameter metric channel"
)
_VALUE_NAMES = names.word_set("value val values fieldvalue data reading")


def _sub_key(columns: tuple[str, ...], body: list[list[str]], tick: int | None, key: int | None) -> int | None:
    """Where most entities have several rows a tick: the column of few values that tells these apart."""
    assert tick is not None
    assert key is not None
    pairs = Counter((row[tick], row[key]) for row in body)
    often = sum(count > 1 for count in pairs.values()) * 2 > len(pairs)
    ranked = sorted(
        (names.plain(name) not in _FIELD_NAMES, i) for i, name in enumerate(columns) if i not in (tick, key)
    )
    for unnamed, place in ranked:
        triples = {(row[tick], row[key], row[place]) for row in body}
        few = len({row[place] for row in body}) * 2 <= len(body)
        # rows in no order show few pairs in a sample: there the name has to say it
        sure = often or (not unnamed and names.plain(columns[place]) in _PART_NAMES and len(pairs) < len(body))
        if sure and len(triples) == len(body) and (few or not unnamed):
            return place
    return None


def _value_column(columns: tuple[str, ...], tick: int | None, key: int | None, sub: int | None) -> int | None:
    """The one column of values, where each row is one field of an entity (or of the world)."""
    rest = [i for i in range(len(columns)) if i not in (tick, key, sub)]
    naming = sub if sub is not None else key
    if len(rest) != 1 or naming is None or tick is None or names.plain(columns[rest[0]]) not in _VALUE_NAMES:
        return None
    return rest[0] if names.plain(columns[naming]) in _FIELD_NAMES else None


_HEX = re.compile(r"0x[0-9a-fA-F]{6,128}|[0-9a-fA-F]{8,128}")


def _is_hashes(name: str, body: list[list[str]], place: int) -> bool:
    """A column of checksums: by its name, or hexadecimal of one width throughout."""
    cells = [row[place].strip() for row in body if len(row) > place]
    if names.is_hash(name):
        return True
    if not cells or names.is_rng(name) or len({len(cell) for cell in cells}) > 1:
        return False
    return all(map(_HEX.fullmatch, cells)) and any(re.search("[a-fA-FxX]", cell) for cell in cells)


def _column(
    columns: tuple[str, ...], told: str | None, rank: Callable[[str], int | None], other: int | None = None
) -> int | None:
    if told:
        return columns.index(told) if told in columns else None
    ranked = [(r, i) for i, name in enumerate(columns) if i != other and (r := rank(name)) is not None]
    return min(ranked)[1] if ranked else None


def _one_row_a_tick(body: list[list[str]], tick: int | None) -> bool:
    return tick is not None and len({row[tick] for row in body}) == len(body)


def _rising(body: list[list[str]]) -> int | None:
    """Without a header: the first column of integers that never fall."""
    for place in range(len(body[0]) if body else 0):
        values = [row[place].strip() for row in body if len(row) > place]
        if values and all(value.isascii() and value.isdigit() and len(value) < 19 for value in values):
            numbers = [int(value) for value in values]
            if numbers == sorted(numbers):
                return place
    return None


def _repeating_key(columns: tuple[str, ...], body: list[list[str]], tick: int) -> int | None:
    """Several rows a tick: the first column after which no two rows of a tick are alike."""
    ticks = [row[tick] for row in body if len(row) > tick]
    if len(set(ticks)) == len(ticks):
        return None
    for place in range(len(columns)):
        if place == tick:
            continue
        pairs = [(row[tick], row[place]) for row in body if len(row) > max(tick, place)]
        simple = all(re.fullmatch(r"\s*(?:\d+|[A-Za-z_][\w.#-]*)\s*", row[place]) for row in body if len(row) > place)
        if simple and len(set(pairs)) == len(pairs):
            return place
    return None
