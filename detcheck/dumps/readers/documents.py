"""What a whole JSON document is: one state, or a list of them at the top or under a key such as `checkpoints`."""

from __future__ import annotations

from collections.abc import Iterator

from detcheck.dumps import names
from detcheck.dumps.readers import classify
from detcheck.dumps.readers.base import Side
from detcheck.model.record import Group, Items, Node, Record, Scalar


def list_of(document: Group) -> str | None:
    """The key under which the document keeps its ticks: a list of objects of which most have a tick."""
    for name, node in document.items.items():
        if isinstance(node, Items) and _has_ticks(node):
            return name
    for name, node in document.items.items():
        if isinstance(node, Group) and names.plain(name) in names.LIST_WORDS and _keyed_by_tick(node):
            return name
    return None


def _has_ticks(items: Items) -> bool:
    groups = [one for one in items.items[:20] if isinstance(one, Group)]
    ticked = [one for one in groups if classify.find_tick(one.items, None)]
    return bool(groups) and len(ticked) > len(items.items[:20]) // 2


def _keyed_by_tick(group: Group) -> bool:
    """`"frames": {"120": {…}, "121": {…}}`"""
    return bool(group.items) and all(name.isascii() and name.isdigit() and len(name) < 19 for name in group.items)


def records(document: Node, side: Side, line: int = 0) -> Iterator[Record]:
    """The records of a document; what stands beside a list of ticks goes to the head."""
    if isinstance(document, Items):
        yield from _listed(document, side, line)
        return
    if not isinstance(document, Group):
        yield Record(None, line, fields=Group({"value": document}))
        return
    key = list_of(document)
    if key is None and _keyed_by_tick(document):
        yield from _by_tick(document, side, line)
        return
    if key is None:
        yield _state(document, side, line)
        return
    for name, node in document.items.items():
        if name != key:
            (side.writer if names.is_writer(name) else side.head)(name, node)
    inner = document.items[key]
    if isinstance(inner, Group):
        yield from _by_tick(inner, side, line)
    elif isinstance(inner, Items):
        yield from _listed(inner, side, line)


def _listed(items: Items, side: Side, line: int) -> Iterator[Record]:
    for place, one in enumerate(items.items):
        if isinstance(one, Group):
            yield classify.record_of(one.items, side, line)
        else:
            yield Record(None, line, fields=Group({f"[{place}]": one}))


def _by_tick(group: Group, side: Side, line: int) -> Iterator[Record]:
    for name, node in sorted(group.items.items(), key=lambda pair: int(pair[0])):
        items: dict[str, Node] = {"hash" if isinstance(node, Scalar) else "value": node}
        if isinstance(node, Group):
            items = node.items
        record = classify.record_of(items, side, line)
        record.tick = int(name)
        yield record


_HEADS = names.word_set("header head meta metadata info")


def _without_head(group: Group, side: Side) -> dict[str, Node]:
    """A group that is a head by its name: its settings and its writer go to the side."""
    rest: dict[str, Node] = {}
    for name, node in group.items.items():
        if names.is_writer(name):
            side.writer(name, node)
        elif names.is_head(name):
            side.head(name, node)
        else:
            rest[name] = node
    return rest


def _state(document: Group, side: Side, line: int) -> Record:
    """One state: settings and versions at its top decide comparability, the rest is compared."""
    fields: dict[str, Node] = {}
    for name, node in document.items.items():
        if names.is_head(name) and not names.is_rng(name):
            side.head(name, node)
        elif isinstance(node, Scalar) and names.is_writer(name):
            side.writer(name, node)
        elif isinstance(node, Group) and names.plain(name) in _HEADS:
            rest = _without_head(node, side)
            if rest:
                fields[name] = Group(rest)
        else:
            fields[name] = node
    return classify.record_of(fields, side, line)
