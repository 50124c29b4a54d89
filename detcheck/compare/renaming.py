"""`--map a=b`: names of side a as side b calls them, for sides that write from their own seat (local and remote)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from detcheck.model.record import Event, Group, Items, Lanes, Node, Record, Scalar


def swaps(mapping: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """a's name -> b's name. Where b's name is not renamed itself, it becomes a's: the two change places."""
    table = dict(mapping)
    for mine, theirs in mapping:
        table.setdefault(theirs, mine)
    return table


@lru_cache(maxsize=4096)
def parts_of(name: str) -> tuple[str, ...]:
    """The words of a name with what stands between them: `p1_x` is ("p1", "_", "x")."""
    return tuple(re.findall(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+|[^A-Za-z\d]+", name[:200])) if name else ()


def names_in(names: Iterable[str], table: dict[str, str]) -> dict[str, str]:
    """The names of one group by what the other side calls them: whole, or by a word in front or at the end.

    A word is replaced only where the name that so comes about is one of the group too: `local_x` beside `remote_x`.
    """
    found = {name: table[name] for name in names if name in table}
    known = set(names)
    for name in known - found.keys():
        parts = parts_of(name)
        for place in (0, -1) if len(parts) > 1 else ():
            new = _like(parts[place], table)
            made = list(parts)
            made[place] = new or ""
            if new is not None and "".join(made) in known:
                found[name] = "".join(made)
                break
        if "[" in name and name.endswith("]"):  # a generator of a row: `seed[player=local]`
            start, equals, value = name[:-1].rpartition("=")
            if equals and value in table:
                found[name] = f"{start}={table[value]}]"
    return found


def _like(part: str, table: dict[str, str]) -> str | None:
    """What a word becomes, `Local` beside `local` as well."""
    if part in table:
        return table[part]
    lower = part[:1].lower() + part[1:]
    return table[lower][:1].upper() + table[lower][1:] if lower in table and part[:1].isupper() else None


def renamed_record(record: Record, mapping: tuple[tuple[str, str], ...]) -> Record:
    """A copy of a record with names, and texts that are such a name, replaced."""
    table = swaps(mapping)
    fields = renamed(record.fields, table)
    assert isinstance(fields, Group)
    hashes, rng = names_in(record.hashes, table), names_in(record.rng, table)
    return Record(
        record.tick,
        record.line,
        record.session,
        {hashes.get(name, name): value for name, value in record.hashes.items()},
        {rng.get(name, name): renamed(node, table) for name, node in record.rng.items()},
        None if record.inputs is None else renamed(record.inputs, table),
        fields,
        [_event(event, table) for event in record.events],
        record.derived,
    )


def _event(event: Event, table: dict[str, str]) -> Event:
    fields = renamed(event.fields, table)
    assert isinstance(fields, Group)
    return Event(table.get(event.label, event.label), fields, event.line, event.is_rng)


def renamed(node: Node, table: dict[str, str]) -> Node:
    """A copy of a tree with its names replaced; without recursion."""
    root = Group({})
    stack: list[tuple[Node, Group | Items, str]] = [(node, root, "")]
    while stack:
        one, parent, name = stack.pop()
        made = _copy(one, table)
        if isinstance(parent, Group):
            parent.items[name] = made
        else:
            parent.items.append(made)
        if isinstance(one, Group) and isinstance(made, Group):
            names = names_in(one.items, table)
            stack.extend((inner, made, names.get(key, key)) for key, inner in reversed(one.items.items()))
        elif isinstance(one, Items) and isinstance(made, Items):
            stack.extend((inner, made, "") for inner in reversed(one.items))
    return root.items[""]


def _copy(node: Node, table: dict[str, str]) -> Node:
    if isinstance(node, Scalar):
        new = table.get(node.text) if node.kind == "str" else None
        return node if new is None else Scalar("str", new, new)
    if isinstance(node, Group):
        return Group({})
    if isinstance(node, Lanes):
        names = names_in(node.lanes, table)
        return Lanes(node.rows, {names.get(name, name): lane for name, lane in node.lanes.items()})
    return Items([], node.key)
