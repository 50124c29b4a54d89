"""Several rows a tick: one record a tick, its rows under one name, paired by their key. For CSV and for JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, groupby, islice

from detcheck.dumps import names
from detcheck.dumps.readers.base import Side, record_of_rows, shared_writers, tick_or_itself
from detcheck.model.record import Event, Group, Record, Scalar

#: how many records are looked at before the first one is given
_AHEAD = 64
_EVENT_KEYS = ("event", "type", "op", "call", "func", "function", "kind", "what", "action", "label", "source", "name")


def grouped(records: Iterator[Record], side: Side) -> Iterator[Record]:
    """A record a tick: consecutive records of one tick are its rows or its events, as the first lines show."""
    ahead = list(islice(records, min(_AHEAD, len(side.sample.lines))))
    shape = _Shape(side, ahead)
    for _, group in groupby(chain(ahead, records), key=tick_or_itself):
        held = list(group)
        merged = shape.merged(held)
        yield from held if merged is None else (merged,)


class _Shape:
    """What several lines of one tick are: rows told apart by `key`, a trace, or neither."""

    def __init__(self, side: Side, ahead: list[Record]) -> None:
        self.side = side
        self.key: str | None = None
        self.trace = False
        groups = (list(group) for _, group in groupby(ahead, key=tick_or_itself))
        several = next((group for group in groups if len(group) > 1), [])
        if several:
            self.key = row_key(several, side)
            self.trace = self.key is None and _is_trace(several[0])

    def merged(self, held: list[Record]) -> Record | None:
        """One record of the lines of a tick; None when nothing tells them apart: repeated.py sees to them."""
        if self.key is None and not self.trace and len(held) > 1:
            self.key = row_key(held, self.side)
        if self.key is not None and all(self.key in record.fields.items for record in held):
            return _rows(held, self.key)
        if self.trace:
            return _trace(held)
        return None


def _rows(held: list[Record], key: str) -> Record:
    result = record_of_rows(held, row_name(key), key, f"{key}=")
    if held[-1].cut is not None:
        result.cut = (held[-1].cut[0], result)
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
    candidates = sorted((rank, name) for name in first if (rank := names.id_rank(name)) is not None)
    for _, name in candidates:
        values = [record.fields.items.get(name) for record in held]
        texts = {value.text for value in values if isinstance(value, Scalar)}
        if len(texts) == len(held):
            return name
    return None


def _is_trace(record: Record) -> bool:
    return any(isinstance(record.fields.items.get(name), Scalar) for name in _EVENT_KEYS) and all(
        isinstance(node, Scalar) for node in record.fields.items.values()
    )


def _trace(held: list[Record]) -> Record:
    """Lines that each name an event: an ordered stream, aligned by the comparison."""
    result = Record(held[0].tick, held[0].line, fields=Group(shared_writers(held)))
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
    if held[-1].cut is not None:
        result.cut = (held[-1].cut[0], result)
    return result
