"""Lines of a hash log that state no hash but state: `tick=19 unit=2 x=38`, `  units: 49` below a checkpoint."""

from __future__ import annotations

import re

from detcheck.dumps import names, tokens
from detcheck.dumps.readers.base import free_name
from detcheck.dumps.readers.hash_beside import beside, is_noise, unquoted
from detcheck.dumps.readers.log_prefix import stripped
from detcheck.dumps.readers.rows import row_name
from detcheck.model.record import Group, Items, Node, Record

_PAIR = re.compile(
    r"[\s,;|]*([A-Za-z_][\w.]{0,60})(?:\s?=\s?(\"[^\"]{0,200}\"|[^\s,;|=\"]{1,200})"
    r"|:\s{0,8}([-+]?\d[\d.]{0,40}|0[xX][0-9a-fA-F]{1,40}|true|false)(?=[\s,;|]|$))"
)
_LONGEST = 4096

Pairs = list[tuple[str, str]]


def pairs_of(line: str) -> Pairs:
    """The pairs of a line that holds nothing else, its tick left out; empty for other lines, and for mere noise."""
    text = stripped(line[:_LONGEST]).rstrip(" \t\r,;|")
    found: Pairs = []
    place = 0
    while place < len(text):
        match = _PAIR.match(text, place)
        if match is None:
            return []
        found.append((match[1], unquoted(match[2] or match[3])))
        place = match.end()
    return [(name, value) for name, value in found if names.tick_rank(name) is None and not _left_out(name)]


def _left_out(name: str) -> bool:
    return is_noise(name) and names.id_rank(name) is None


def has_values(line: str) -> bool:
    """Whether a line that is not read holds something that may be state: no measure of the machine."""
    text = stripped(line[:_LONGEST])
    return any(not one.noise and not is_noise(one.name) for one in beside(text, [], frozenset(), 0, False))


def keep(record: Record, pairs: Pairs) -> None:
    """Puts what a line states into the record of its tick: as a row where it begins with an id, else as fields."""
    key = pairs[0][0]
    fields = record.fields.items
    if len(pairs) > 1 and names.id_rank(key) is not None:
        row: dict[str, Node] = {}
        for name, value in pairs:
            row[free_name(row, name)] = tokens.bare(value)
        table = fields.setdefault(row_name(key), Items([], key))
        if isinstance(table, Items):
            table.items.append(Group(row))
            return
    for name, value in pairs:
        place = record.rng if names.is_rng(name) else fields
        place[free_name(place, name)] = tokens.bare(value)
