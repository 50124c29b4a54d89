"""How a table is written: delimiter, header, which column is the tick, the key, a checksum; decimal commas."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from detcheck.dumps import names
from detcheck.dumps.sample import Sample

DELIMITERS = ("\t", ";", ",", "|")
#: lines of the sample that are looked at
SNIFFED = 60
NUMBER = re.compile(r"\s*[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?\s*|\s*0x[0-9a-fA-F]+\s*|")


@dataclass(frozen=True)
class Layout:
    """How the table is written. `tick` and `key` are places of columns; `decimal_comma`: never beside commas."""

    delimiter: str
    header: bool
    columns: tuple[str, ...]
    tick: int | None
    key: int | None
    decimal_comma: bool
    skip: int
    hashes: frozenset[int]


def cells_of(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    """Rows of cells."""
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True)


def sampled(lines: Iterable[str], delimiter: str) -> list[list[str]]:
    """The cells of some sample lines; none where they are no table."""
    try:
        return [row for row in cells_of([line.replace("\r", " ") for line in lines], delimiter) if row]
    except csv.Error:
        return []


def layout_of(sample: Sample, tick_field: str | None = None, key_field: str | None = None) -> Layout | None:
    """The layout of the sample's rows; None when they are no table."""
    skip = 0
    lines = [line for line in sample.lines[: SNIFFED * 2] if line.strip()]
    while lines and lines[0].lstrip().startswith(("#", "sep=", "//")):
        lines.pop(0)
        skip += 1
    lines = lines[:SNIFFED]
    for delimiter in DELIMITERS:
        found = sampled(lines, delimiter)
        widths = [len(row) for row in found]
        usual = max(set(widths), key=widths.count) if widths else 0
        if usual >= 2 and widths[0] == usual and widths.count(usual) >= 0.7 * len(widths):
            return _layout([row for row in found if len(row) == usual], delimiter, skip, tick_field, key_field)
    return None


def _layout(found: list[list[str]], delimiter: str, skip: int, tick_field: str | None, key_field: str | None) -> Layout:
    first = [cell.strip() for cell in found[0]]
    header = all(cell and not NUMBER.fullmatch(cell) for cell in first) and not re.fullmatch(r"[0-9a-f]{8,}", first[-1])
    body = found[1:] if header else found
    columns = tuple(first) if header else tuple(f"c{i + 1}" for i in range(len(first)))
    comma = delimiter != "," and any(re.fullmatch(r"[+-]?\d+,\d+", cell.strip()) for row in body for cell in row)
    tick = _column(columns, tick_field, names.tick_rank) if header or tick_field else _rising(body)
    key = _column(columns, key_field, names.id_rank, tick)
    if key is not None and key_field is None and _one_row_a_tick(body, tick) and not names.is_strong_id(columns[key]):
        key = None
    if key is None and tick is not None:
        key = _repeating_key(columns, body, tick, header)
    hashes = frozenset(i for i in range(len(columns)) if i not in (tick, key) and _is_hashes(columns[i], body, i))
    return Layout(delimiter, header, columns, tick, key, comma, skip, hashes)


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


def _repeating_key(columns: tuple[str, ...], body: list[list[str]], tick: int, header: bool) -> int | None:
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
