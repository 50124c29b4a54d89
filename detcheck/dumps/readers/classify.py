"""From the named values of one record to a Record: which is the tick, a hash, a generator, an input, the writer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from detcheck.dumps import names, tokens
from detcheck.dumps.readers.base import Side
from detcheck.model.record import Event, Group, Items, Node, Record, Scalar

#: where a document may keep its tick, beside the top
_HEADS = names.word_set("header head meta metadata info snapshot state world game sim simulation time clock sync")
#: those of them that say of what a record is, not what is in it
HEADER_WORDS = names.word_set("header head meta metadata info")
_LIMIT = 2**63
#: numbers from here on are seconds since 1970, not ticks
_EPOCH = 10**9
#: how many sorts of records are remembered, and up to how many names of each
_SHAPES, _LONG_SHAPE = 256, 256


def tick_value(node: Node | None) -> int | None:
    """The tick a value states: an integer, a whole decimal, or digits in a string."""
    if not isinstance(node, Scalar):
        return None
    value = node.value
    if node.kind == "int" and isinstance(value, int):
        return value if abs(value) < _LIMIT else None
    if node.kind == "float" and isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if node.kind == "str" and node.text.isascii() and node.text.isdigit() and len(node.text) < 19:
        return int(node.text)
    return None


def find_tick(items: dict[str, Node], tick_field: str | None) -> tuple[tuple[str, ...], int] | None:
    """The path and value of the tick: as told, else the best name at the top, else in a head one level down."""
    if tick_field:
        return _told(items, tick_field)
    found = _best(items)
    if found:
        return (found[0],), found[1]
    for name, node in items.items():
        if isinstance(node, Group) and names.plain(name) in _HEADS:
            found = _best(node.items)
            if found:
                return (name, found[0]), found[1]
    return None


def tick_field_of(side: Side) -> str | None:
    """The field told as the tick, or the one whose numbers were seen to rise."""
    told = side.options.tick_field or side.state.get("rising")
    return told if isinstance(told, str) else None


def rising_field(records: Sequence[dict[str, Node]]) -> str | None:
    """A name that may mean the tick, and does where its numbers rise from record to record: `seq`, `block`, `round`.

    None where a record names its tick plainly, and for fewer than three records.
    """
    if len(records) < 3 or any(find_tick(items, None) for items in records):
        return None
    paths: list[tuple[str, ...]] = [(name,) for name in records[0]]
    for name, node in records[0].items():
        if isinstance(node, Group) and names.plain(name) in _HEADS:
            paths.extend((name, inner) for inner in node.items)
    ranked = [(rank, path) for path in paths if (rank := names.weak_tick_rank(path[-1])) is not None]
    for _, path in sorted(ranked, key=lambda pair: pair[0]):
        if rises([tick_value(_at(items, path)) for items in records], path[-1]):
            return ".".join(path)
    return None


def rises(ticks: Sequence[int | None], name: str) -> bool:
    """Whether numbers are those of ticks: there, mostly rising, few twice; of a clock's name only in even steps."""
    known = [tick for tick in ticks if tick is not None]
    if len(known) < 0.9 * len(ticks) or len(set(known)) < 3:
        return False
    steps = [y - x for x, y in pairwise(known) if x != y]
    rising = [step for step in steps if step > 0]
    if len(rising) < 0.75 * len(steps):
        return False
    if names.plain(name) in names.TIME_WORDS:
        return max(known) < _EPOCH and rising.count(min(rising)) >= 0.9 * len(rising)
    return True


def _at(items: dict[str, Node], path: tuple[str, ...]) -> Node | None:
    node: Node | None = Group(items)
    for name in path:
        node = node.items.get(name) if isinstance(node, Group) else None
    return node


def _told(items: dict[str, Node], tick_field: str) -> tuple[tuple[str, ...], int] | None:
    path = (tick_field,) if tick_field in items else tuple(tick_field.split("."))
    tick = tick_value(_at(items, path))
    return None if tick is None else (path, tick)


def _best(items: dict[str, Node]) -> tuple[str, int] | None:
    best: tuple[int, str, int] | None = None
    for name, node in items.items():
        rank = names.tick_rank(name)
        if rank is not None and (best is None or rank < best[0]):
            tick = tick_value(node)
            if tick is not None:
                best = (rank, name, tick)
    return None if best is None else (best[1], best[2])


def without(items: dict[str, Node], path: tuple[str, ...]) -> dict[str, Node]:
    """The values without the one at `path`."""
    if len(path) == 1:
        return {name: node for name, node in items.items() if name != path[0]}
    inner = items[path[0]]
    rest = without(inner.items, path[1:]) if isinstance(inner, Group) else {}
    kept = dict(items)
    if rest:
        kept[path[0]] = Group(rest)
    else:
        del kept[path[0]]
    return kept


def record_of(items: dict[str, Node], side: Side, line: int = 0) -> Record:
    """One record; what names the writer goes to the side."""
    found = _known_tick(items, side)
    record = Record(None, line)
    if found:
        record.tick = found[1]
        items = without(items, found[0])
    inputs: dict[str, Node] = {}
    for name, node in items.items():
        _place(record, inputs, side, name, node)
    if inputs:
        record.inputs = Group(inputs)
    return record


def _known_tick(items: dict[str, Node], side: Side) -> tuple[tuple[str, ...], int] | None:
    """`find_tick`, which looks at names once for all records of the same names."""
    known: dict[tuple[str, ...], tuple[str, ...]] = side.state.setdefault("tick_paths", {})  # type: ignore[assignment]
    shape = tuple(items)
    path = known.get(shape)
    if path == ():
        return None
    if path is not None:
        tick = tick_value(_at(items, path))
        if tick is not None:
            return path, tick
    tick_field = tick_field_of(side)
    found = find_tick(items, tick_field)
    if len(known) < _SHAPES and len(shape) < _LONG_SHAPE:
        if found:
            known[shape] = found[0]
        elif tick_field is None and not any(names.tick_rank(n) is not None or names.plain(n) in _HEADS for n in shape):
            known[shape] = ()
    return found


def _place(record: Record, inputs: dict[str, Node], side: Side, name: str, node: Node) -> None:
    """Puts one named value where it belongs."""
    word = names.plain(name)
    if isinstance(node, Scalar):
        if names.is_input(name):
            inputs[name] = tokens.as_hash(node) if names.is_hash(name) else node
        elif names.is_rng(name):
            record.rng[name] = node
        elif names.is_hash(name) and word not in names.HEAD_WORDS and node.kind in ("int", "str", "hash"):
            record.hashes[hash_name(name, record)] = tokens.as_hash(node)
        else:
            if names.is_surely_writer(name):  # see writes_only
                side.writer(name, node)
            record.fields.items[name] = node
        return
    if names.is_input(name):
        inputs[name] = node
    elif word in names.HASH_GROUP_WORDS and isinstance(node, Group) and _all_hashes(node):
        for part, value in node.items.items():
            record.hashes[part] = tokens.as_hash(value) if isinstance(value, Scalar) else Scalar("str", "", "")
    elif word in names.EVENT_WORDS and isinstance(node, Items):
        record.events.extend(event_of(one) for one in node.items)
    elif names.is_rng(name):
        record.rng[name] = node
    elif isinstance(node, Group):
        if word in HEADER_WORDS:
            _keep_writer(name, node, side)
            record.fields.items[name] = node
        else:
            record.fields.items[name] = by_id(node)
    else:
        record.fields.items[name] = node


@lru_cache(maxsize=4096)
def is_field(name: str) -> bool:
    """Whether a value of that name at the top of a record is a field by the same name."""
    groups = names.plain(name) in names.HASH_GROUP_WORDS or names.plain(name) in names.EVENT_WORDS
    return not (groups or names.is_input(name) or names.is_rng(name) or names.is_hash(name))


def writes_only(name: str) -> bool:
    """Whether a single value of that name at the top of a record may say nothing but who wrote it."""
    return is_field(name) and names.is_surely_writer(name)


def _keep_writer(path: str, header: Group, side: Side) -> None:
    """What the header of a record names its writer by; whether it is that, the comparison sees (compare/writers.py)."""
    for name, node in header.items.items():
        if isinstance(node, Scalar) and names.is_surely_writer(name):
            side.writer(f"{path}.{name}", node)


def hash_name(name: str, record: Record) -> str:
    """ "hash" for the whole state's, once; parts by their names."""
    return "hash" if names.is_whole_hash(name) and "hash" not in record.hashes else name


def _all_hashes(group: Group) -> bool:
    return all(isinstance(node, Scalar) and node.kind in ("int", "str", "hash") for node in group.items.values())


def event_of(node: Node) -> Event:
    """An entry of a trace in JSON: an object with a name of its own, a string, a number."""
    if not isinstance(node, Group):
        label = node.text if isinstance(node, Scalar) and node.kind == "str" else "entry"
        return Event(label, Group({"value": node}), is_rng=True)
    label = " ".join(
        value.text
        for name, value in node.items.items()
        if isinstance(value, Scalar) and value.kind == "str" and not names.is_hash(name)
    )
    return Event(label or "entry", node, is_rng=any(names.is_rng(name) for name in node.items))


_ROLES = names.word_set("local remote self other me them opponent host guest client us mine theirs player1 player2")


def by_id(group: Group) -> Group | Items:
    """Players named by role (`local`, `remote`) are the same players under their ids: two peers name them crosswise."""
    if len(group.items) < 2 or not all(names.plain(name) in _ROLES for name in group.items):
        return group
    children = list(group.items.values())
    if not all(isinstance(child, Group) for child in children):
        return group
    for key in ("id", "player_id", "playerId", "peer_id", "slot", "index", "handle", "name", "seat"):
        ids = [child.items.get(key) for child in children if isinstance(child, Group)]
        texts = {one.text for one in ids if isinstance(one, Scalar)}
        if len(texts) == len(children):
            return Items(children, key)
    return group
