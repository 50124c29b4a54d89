"""detcheck's own dumps (design: formats): a head line, then a tick a line with hash, parts and state held by lanes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from detcheck.dumps import names, tokens
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side
from detcheck.dumps.sample import Sample
from detcheck.model.record import Group, Items, Lanes, Node, Record, Scalar

_HEAD = re.compile(r'\s*\{\s*"detcheck"\s*:\s*"dump"')
_NUMBERS = {"q16.16": "q16", "f32": "f32", "f64": "f64"}
#: lane kinds by column type; "num" is the dump's number
_TYPES = {"num": "num", "vec2": "num", "vec3": "num", "i32": "int", "u32": "int", "angle": "int", "bool": "bool"}


def sniff(sample: Sample) -> Fit:
    """The head line says so."""
    return Fit(100, "a detcheck dump") if _HEAD.match(sample.text) else NO_FIT


def read(side: Side) -> Iterator[Record]:
    """A record a line, its tables as Lanes."""
    import json

    from detcheck.dumps.readers.json_values import fault_of, parse

    lines = side.lines()
    for text in lines:
        if not text.strip():
            continue
        try:
            value, end = parse(text)
        except json.JSONDecodeError as error:
            if lines.cut:
                side.remark(f"line {lines.number} is cut short and was left out")
                continue
            raise fault_of(error, side.name, lines.number) from None
        if not isinstance(value, Group) or text[end:].strip():
            raise side.fault("dump.form", "a line of a dump is one JSON object", lines.number)
        if "detcheck" in value.items:
            _head(value, side)
        else:
            yield _record(value, side, lines.number)


def _head(value: Group, side: Side) -> None:
    for name, node in value.items.items():
        if name == "source":
            side.writer(name, node)
        elif name == "schema" and isinstance(node, Group):
            side.state["schema"] = node
            side.head(name, node)
        elif name != "detcheck":
            if name == "number" and isinstance(node, Scalar):
                side.state["number"] = _NUMBERS.get(node.text, "int")
            side.head("" if name == "identity" else name, node)


def _record(value: Group, side: Side, line: int) -> Record:
    from detcheck.dumps.readers import classify

    items = dict(value.items)
    record = Record(classify.tick_value(items.pop("tick", None)), line)
    whole, parts, state = items.pop("hash", None), items.pop("parts", None), items.pop("state", None)
    if isinstance(whole, Scalar):
        record.hashes["hash"] = _digest(whole)
    if isinstance(parts, Group):
        for name, node in parts.items.items():
            if isinstance(node, Scalar):
                record.hashes[name] = _digest(node)
    if isinstance(state, Group):
        for name, node in state.items.items():
            if names.is_rng(name):
                record.rng[name] = _generator(node)
            else:
                record.fields.items[name] = _table(name, node, side)
    inputs = {name: items.pop(name) for name in list(items) if names.is_input(name)}
    if inputs:
        record.inputs = Group(inputs)
    record.fields.items.update(items)
    return record


def _digest(node: Scalar) -> Scalar:
    text = node.text.removeprefix("0x")
    return tokens.hashed(text, 16) if node.kind in ("str", "int") else node


def _generator(node: Node) -> Node:
    """A generator's group; its 64-bit state reads as a hash."""
    state = node.items.get("state") if isinstance(node, Group) else None
    if isinstance(node, Group) and isinstance(state, Scalar):
        return Group({**node.items, "state": _digest(state)})
    return node


def _table(name: str, node: Node, side: Side) -> Node:
    """A table of columns as Lanes when every lane is a list of integers of one length; else as it is."""
    if not isinstance(node, Group) or not node.items:
        return node
    lanes: dict[str, tuple[str, list[int]]] = {}
    for lane, values in node.items.items():
        numbers = _integers(values)
        if numbers is None:
            return node
        lanes[lane] = (_kind(name, lane, side), numbers)
    lengths = {len(numbers) for _, numbers in lanes.values()}
    return Lanes(lengths.pop(), lanes) if len(lengths) == 1 else node


def _integers(node: Node) -> list[int] | None:
    if not isinstance(node, Items):
        return None
    numbers = []
    for one in node.items:
        if not isinstance(one, Scalar) or one.kind not in ("int", "bool") or not isinstance(one.value, int):
            return None
        numbers.append(int(one.value))
    return numbers


def _kind(table: str, lane: str, side: Side) -> str:
    """The kind of a lane by the schema; without one, coordinates are the dump's number."""
    number = str(side.state.get("number", "int"))
    schema = side.state.get("schema")
    columns = schema.items.get(table) if isinstance(schema, Group) else None
    column = columns.items.get(lane.partition(".")[0]) if isinstance(columns, Group) else None
    if isinstance(column, Scalar):
        kind = _TYPES.get(column.text, "int")
        return number if kind == "num" else kind
    return number if lane.endswith((".x", ".y", ".z")) else "int"


def head_lines(sample: Sample) -> int:
    """The head is one line."""
    return 1


READER = Reader("detcheck-dump", sniff, read, head_lines)
