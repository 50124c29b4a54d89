"""Several tables of one file as one record a tick: each table under its name."""

from __future__ import annotations

from detcheck.dumps.readers.base import free_name
from detcheck.model.record import Group, Items, Node, Record


def merged(tables: list[tuple[str, list[Record]]]) -> list[Record]:
    """The records of all tables by tick, rising; those of a further session of a tick stay apart behind them."""
    found: dict[tuple[int, int | None], Record] = {}
    used: dict[str, Node] = {}
    for title, records in tables:
        name = free_name(used, title or "table")
        used[name] = Group({})
        seen: dict[int | None, int] = {}
        for record in records:
            time = seen[record.tick] = seen.get(record.tick, -1) + 1
            into = found.setdefault((time, record.tick), Record(record.tick, record.line))
            _add(into, name, record)
    order = sorted(found, key=lambda at: (at[0], at[1] is None, at[1] or 0))
    return [found[at] for at in order]


def _add(into: Record, title: str, record: Record) -> None:
    """One table's part of a tick."""
    into.hashes.update({f"{title}.{name}": value for name, value in record.hashes.items()})
    into.rng.update({f"{title}.{name}": node for name, node in record.rng.items()})
    into.events.extend(record.events)
    if record.inputs is not None:
        inputs = into.inputs if isinstance(into.inputs, Group) else Group({})
        inputs.items[title] = record.inputs
        into.inputs = inputs
    fields = list(record.fields.items.values())
    only = fields[0] if len(fields) == 1 else None
    if isinstance(only, Items):
        into.fields.items[title] = only
    elif fields:
        into.fields.items[title] = record.fields
    if record.cut is not None:
        whole = Record(into.tick, into.line, 0, dict(into.hashes), dict(into.rng), into.inputs)
        whole.fields = Group(dict(into.fields.items))
        rest = record.cut[1].fields.items
        whole.fields.items[title] = next(iter(rest.values())) if isinstance(only, Items) and rest else Group(rest)
        into.cut = (record.cut[0], whole)
