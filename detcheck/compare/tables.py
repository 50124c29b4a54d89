"""One table under two names: where the rows of one tick have other keys on the two sides, readers name them so."""

from __future__ import annotations

from dataclasses import replace

from detcheck.dumps.readers.rows import row_name
from detcheck.model.record import Group, Items, Node, Record, Scalar


def same_tables(a: Record, b: Record) -> tuple[Record, Record]:
    """Both records with their rows under one name: that of a's key, or of b's where only b has one.

    Only for records that hold nothing but the rows of one tick, whose columns are mostly the same.
    """
    mine, theirs = _table(a), _table(b)
    if mine is not None and theirs is not None:
        name, rows = next(iter(mine.items())), next(iter(theirs.values()))
        if name[0] in theirs or not _alike(name[1], rows):
            return a, b
        return a, replace(b, fields=Group({name[0]: rows}))
    if mine is not None:
        return a, _as_table(b, mine)
    return (_as_table(a, theirs), b) if theirs is not None else (a, b)


def _table(record: Record) -> dict[str, Items] | None:
    """The only table of a record that holds nothing else, if it is called by its key."""
    if len(record.fields.items) != 1 or record.events:
        return None
    name, rows = next(iter(record.fields.items.items()))
    named = isinstance(rows, Items) and rows.key is not None and rows.items and row_name(rows.key) == name
    return {name: rows} if named and isinstance(rows, Items) else None


def _as_table(record: Record, other: dict[str, Items]) -> Record:
    """Lines of pairs, in which no key was found, as the rows that the other side has."""
    if record.fields.items or not record.events or any(event.label or event.is_rng for event in record.events):
        return record
    name, rows = next(iter(other.items()))
    lines: list[Node] = [event.fields for event in record.events]
    if not _alike(rows, Items(lines)):
        return record
    key = rows.key if all(_has(line, rows.key) for line in lines) else None
    return replace(record, fields=Group({name: Items(lines, key)}), events=[])


def _has(row: Node, key: str | None) -> bool:
    return isinstance(row, Group) and key is not None and isinstance(row.items.get(key), Scalar)


def _alike(a: Items, b: Items) -> bool:
    """Whether the first rows have most of their columns in common."""
    one, other = a.items[0], b.items[0]
    if not (isinstance(one, Group) and isinstance(other, Group)):
        return False
    both = len(one.items.keys() & other.items.keys())
    return both > 1 and 2 * both >= max(len(one.items), len(other.items))
