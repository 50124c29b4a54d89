"""What a whole JSON document is: one state, or a list of them at the top or under a key such as `checkpoints`."""

from __future__ import annotations

from collections.abc import Iterator

from detcheck.dumps import names, tokens
from detcheck.dumps.readers import classify
from detcheck.dumps.readers.base import Side
from detcheck.model.record import Group, Items, Node, Record, Scalar

#: a list under these is the list of ticks even beside a tick (or a count of them) at the top
_SURE_LISTS = names.word_set("checkpoints frames ticks states snapshots records steps turns timeline")


def list_of(document: Group, tick_field: str | None = None) -> tuple[str, ...] | None:
    """The path of what the document keeps its ticks in: a list of objects with ticks, pairs of tick and hash, or names
    that are ticks; at the top or one level down."""
    found = _list_in(document, tick_field)
    if found is not None:
        return (found,)
    for name, node in document.items.items():
        inner = _list_in(node, tick_field) if isinstance(node, Group) and names.plain(name) not in _STATES else None
        if inner is not None and classify.find_tick(document.items, tick_field) is None:
            return (name, inner)
    return None


_STATES = names.word_set("state world game sim entities units players objects teams")


def _list_in(group: Group, tick_field: str | None) -> str | None:
    has_tick = classify.find_tick(group.items, tick_field) is not None
    for name, node in group.items.items():
        if isinstance(node, Scalar):
            continue
        word = names.plain(name)
        if has_tick and word not in _SURE_LISTS:
            continue
        if isinstance(node, Items) and (_has_ticks(node, tick_field) or _are_pairs(node)):
            if tick_field or word in names.LIST_WORDS or not _are_entities(node):
                return name
            continue
        if isinstance(node, Items) and word in names.LIST_WORDS and not has_tick and _rising(node):
            return name
        if isinstance(node, Group) and word in _KEYED_LISTS and _keyed_by_tick(node):
            return name
    return None


_KEYED_LISTS = names.LIST_WORDS | names.HASH_GROUP_WORDS


def _has_ticks(items: Items, tick_field: str | None) -> bool:
    first = items.items[:20]
    ticked = [one for one in first if isinstance(one, Group) and classify.find_tick(one.items, tick_field)]
    return bool(ticked) and len(ticked) > len(first) // 2


def _are_entities(items: Items) -> bool:
    """Rows with ids of their own: the `frame` each names is that of its picture, not a tick."""
    ids = [_id_of(one.items) for one in items.items[:50] if isinstance(one, Group)]
    return len(ids) > 1 and None not in ids and len(set(ids)) == len(ids)


def _id_of(items: dict[str, Node]) -> str | None:
    strong = (node for name, node in items.items() if names.is_strong_id(name))
    return next((node.text for node in strong if isinstance(node, Scalar)), None)


def _rising(items: Items) -> str | None:
    """The name whose numbers rise through a list of objects that name no tick plainly."""
    return classify.rising_field([one.items for one in items.items[:40] if isinstance(one, Group)])


def _are_pairs(items: Items) -> bool:
    """`[[120, "a1b2…"], [121, "…"]]`: a tick and a checksum each, rising."""
    ticks: list[int] = []
    for one in items.items[:50]:
        if not isinstance(one, Items) or len(one.items) != 2:
            return False
        tick, value = one.items
        if not isinstance(value, Scalar) or tokens.as_hash(value).kind != "hash" or value.kind not in ("str", "int"):
            return False
        number = classify.tick_value(tick)
        if number is None or (ticks and number <= ticks[-1]):
            return False
        ticks.append(number)
    return len(ticks) > 1 and any(isinstance(one, Items) and _is_text(one.items[1]) for one in items.items[:50])


def _is_text(node: Node) -> bool:
    return isinstance(node, Scalar) and (node.kind == "str" or len(node.text) >= 6)


def _keyed_by_tick(group: Group) -> bool:
    """`"frames": {"120": {…}, "121": {…}}`"""
    return bool(group.items) and all(name.isascii() and name.isdigit() and len(name) < 19 for name in group.items)


def _columns(group: Group, tick_field: str | None) -> list[dict[str, Node]] | None:
    """`{"tick": [0, 1], "hash": ["…", "…"]}`: one list a column, all of one length, one of them the tick."""
    lists = {name: node for name, node in group.items.items() if isinstance(node, Items)}
    named = [name for name in lists if name == tick_field or names.tick_rank(name) is not None]
    if not named or len(lists) < 2:
        return None
    ticks = [classify.tick_value(one) for one in lists[named[0]].items]
    same = all(len(node.items) == len(ticks) for node in lists.values())
    if len(ticks) < 2 or None in ticks or not same:
        return None
    return [{name: node.items[place] for name, node in lists.items()} for place in range(len(ticks))]


def records(document: Node, side: Side, line: int = 0) -> Iterator[Record]:
    """The records of a document; what stands beside a list of ticks goes to the head."""
    tick_field = side.options.tick_field
    if isinstance(document, Items):
        yield from _listed(document, side, line)
        return
    if not isinstance(document, Group):
        yield Record(None, line, fields=Group({"value": document}))
        return
    path = list_of(document, tick_field)
    if path is not None:
        yield from _beside(document, path, side, line)
    elif _keyed_by_tick(document):
        yield from _by_tick(document, side, line)
    elif (columns := _columns(document, tick_field)) is not None:
        _head_of(document, side, frozenset(columns[0]))
        for items in columns:
            yield classify.record_of(items, side, line)
    else:
        yield _ended(_state(document, side, line), document, side)


def _beside(document: Group, path: tuple[str, ...], side: Side, line: int) -> Iterator[Record]:
    """The ticks at `path`, everything beside them to the head."""
    inner: Node = document
    for name in path:
        if isinstance(inner, Group):
            _head_of(inner, side, frozenset((name,)))
            inner = inner.items[name]
    if isinstance(inner, Group):
        yield from _by_tick(inner, side, line)
    elif isinstance(inner, Items):
        yield from _listed(inner, side, line)


def mark_open(document: Node, depth: int, line: int, side: Side) -> None:
    """Notes which groups of a document the file ends in: the last ones, `depth` levels down."""
    found, node = set(), document
    for _ in range(depth):
        found.add(id(node))
        last = list(node.items.values() if isinstance(node, Group) else node.items if isinstance(node, Items) else ())
        if not last:
            break
        node = last[-1]
    side.state["open"] = (line, document, found)


def _ended(record: Record, node: Node, side: Side) -> Record:
    """A record of a group; where the file ends inside that, the record says so."""
    state = side.state.get("open")
    if isinstance(state, tuple) and id(node) in state[2]:
        record.cut = (state[0], record)
    return record


def _head_of(group: Group, side: Side, without: frozenset[str]) -> None:
    for name, node in group.items.items():
        if name not in without:
            (side.writer if names.is_writer(name) else side.head)(name, node)


def _listed(items: Items, side: Side, line: int) -> Iterator[Record]:
    pairs = _are_pairs(items)
    rising = None if side.options.tick_field else _rising(items)
    if rising:
        side.state["rising"] = rising
    for place, one in enumerate(items.items):
        if isinstance(one, Group):
            record = _ended(classify.record_of(one.items, side, line), one, side)
            if record.cut is None or record.tick is not None or not place:
                yield record
        elif pairs and isinstance(one, Items):
            value = one.items[1]
            record = Record(classify.tick_value(one.items[0]), line)
            record.hashes["hash"] = tokens.as_hash(value) if isinstance(value, Scalar) else Scalar("str", "", "")
            yield record
        else:
            yield Record(None, line, fields=Group({f"[{place}]": one}))


def _by_tick(group: Group, side: Side, line: int) -> Iterator[Record]:
    for name, node in sorted(group.items.items(), key=lambda pair: int(pair[0])):
        items: dict[str, Node] = {"hash" if isinstance(node, Scalar) else "value": node}
        if isinstance(node, Group):
            items = node.items
        record = classify.record_of(items, side, line)
        record.tick = int(name)
        yield _ended(record, node, side)


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
        elif isinstance(node, Group) and names.plain(name) in classify.HEADER_WORDS:
            rest = _without_head(node, side)
            if rest:
                fields[name] = Group(rest)
        else:
            fields[name] = node
    return classify.record_of(fields, side, line)
