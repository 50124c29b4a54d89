"""`--map a=b`: names of side a as side b calls them, for sides that write from their own seat (local and remote)."""

from __future__ import annotations

from detcheck.model.record import Event, Group, Items, Node, Record, Scalar


def swaps(mapping: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """a's name -> b's name. Where b's name is not renamed itself, it becomes a's: the two change places."""
    table = dict(mapping)
    for mine, theirs in mapping:
        table.setdefault(theirs, mine)
    return table


def renamed_record(record: Record, mapping: tuple[tuple[str, str], ...]) -> Record:
    """A copy of a record with names, and texts that are such a name, replaced."""
    table = swaps(mapping)
    fields = renamed(record.fields, table)
    assert isinstance(fields, Group)
    return Record(
        record.tick,
        record.line,
        record.session,
        {table.get(name, name): value for name, value in record.hashes.items()},
        {table.get(name, name): renamed(node, table) for name, node in record.rng.items()},
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
            stack.extend((inner, made, table.get(key, key)) for key, inner in reversed(one.items.items()))
        elif isinstance(one, Items) and isinstance(made, Items):
            stack.extend((inner, made, "") for inner in reversed(one.items))
    return root.items[""]


def _copy(node: Node, table: dict[str, str]) -> Node:
    if isinstance(node, Scalar):
        new = table.get(node.text) if node.kind == "str" else None
        return node if new is None else Scalar("str", new, new)
    if isinstance(node, Group):
        return Group({})
    return Items([], node.key) if isinstance(node, Items) else node
