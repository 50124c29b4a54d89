"""Several rows a tick: one record a tick, its rows under one name, paired by their key. For CSV and for JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator

from detcheck.dumps import names
from detcheck.dumps.readers.base import Side
from detcheck.model.record import Event, Group, Items, Node, Record, Scalar

_EVENT_KEYS = ("event", "type", "op", "call", "func", "function", "kind", "what", "action", "label", "source", "name")


def grouped(records: Iterator[Record], side: Side) -> Iterator[Record]:
    """Consecutive records of one tick that differ in their id (or name an event) become one record of that tick."""
    held: list[Record] = []
    for record in records:
        if held and (record.tick is None or record.tick != held[0].tick):
            yield merged(held, side)
            held = []
        held.append(record)
        if record.tick is None:
            yield held.pop()
    if held:
        yield merged(held, side)


def merged(held: list[Record], side: Side) -> Record:
    """One record of several lines of a tick; the last line alone when they are the same state computed again."""
    first = held[0]
    key = row_key(held, side)
    if key is None and _is_trace(first):
        return _trace(held)
    if key is None:
        if len(held) > 1:
            side.remark(f"tick {first.tick} stands on {len(held)} lines; the last one counts (corrected)")
        return held[-1]
    if len(held) == 1 and not side.state.get("rowed"):
        return first
    side.state["rowed"] = True
    result = Record(first.tick, first.line)
    rows: list[Node] = []
    for record in held:
        fields = dict(record.fields.items)
        keyed = fields.get(key)
        label = keyed.text if isinstance(keyed, Scalar) else str(len(rows))
        for name, scalar in record.hashes.items():
            fields[name] = scalar
        for name, node in record.rng.items():
            result.rng[f"{name}[{key}={label}]"] = node
        if record.inputs is not None:
            result.inputs = Items([*(result.inputs.items if isinstance(result.inputs, Items) else []), record.inputs])
        rows.append(Group(fields))
    result.fields = Group({row_name(key): Items(rows, key)})
    return result


def row_name(key: str) -> str:
    """The name of a table whose rows have that key: `entity_id` makes `entity`, `id` makes `row`."""
    word = key.lower().removesuffix("id").rstrip("_-")
    return word if word and names.plain(word) not in ("u", "e", "gu", "uu", "index") else "row"


def row_key(held: list[Record], side: Side) -> str | None:
    """The field that tells the rows of one tick apart."""
    told = side.options.key_field
    first = held[0].fields.items
    if told:
        return told if all(told in record.fields.items for record in held) else None
    known = side.state.get("row_key")
    if isinstance(known, str) and all(isinstance(r.fields.items.get(known), Scalar) for r in held):
        return known
    if len(held) < 2:
        return None
    candidates = sorted((rank, name) for name in first if (rank := names.id_rank(name)) is not None)
    for _, name in candidates:
        values = [record.fields.items.get(name) for record in held]
        texts = {value.text for value in values if isinstance(value, Scalar)}
        if len(texts) == len(held):
            side.state["row_key"] = name
            return name
    return None


def _is_trace(record: Record) -> bool:
    return any(isinstance(record.fields.items.get(name), Scalar) for name in _EVENT_KEYS) and all(
        isinstance(node, Scalar) for node in record.fields.items.values()
    )


def _trace(held: list[Record]) -> Record:
    """Lines that each name an event: an ordered stream, aligned by the comparison."""
    result = Record(held[0].tick, held[0].line)
    for record in held:
        fields = dict(record.fields.items)
        words = [fields.pop(name) for name in _EVENT_KEYS if name in fields]
        label = " ".join(word.text for word in words if isinstance(word, Scalar))
        fields.update(record.rng)
        fields.update(record.hashes)
        if record.inputs is not None:
            fields["input"] = record.inputs
        is_rng = bool(record.rng) or any(names.is_rng(word) for word in label.split())
        result.events.append(Event(label, Group(fields), record.line, is_rng))
    return result
