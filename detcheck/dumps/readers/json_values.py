"""JSON text to nodes: integers exact, decimals with their token, repeated names kept apart."""

from __future__ import annotations

import json
from typing import Any

from detcheck.dumps import tokens
from detcheck.dumps.readers.base import free_name
from detcheck.errors import DetcheckError, Where, json_words
from detcheck.model.record import Group, Items, Node, Scalar

_TRUE, _FALSE, _NULL = Scalar("bool", True, "true"), Scalar("bool", False, "false"), Scalar("null", None, "null")
_CONSTANTS = {name: Scalar("float", float(name), name) for name in ("NaN", "Infinity", "-Infinity")}


def _object(pairs: list[tuple[str, Any]]) -> Group:
    items: dict[str, Node] = {}
    for name, value in pairs:
        if name in items:
            name = free_name(items, name)
        items[name] = value if type(value) is Scalar or type(value) is Group else node(value)
    return Group(items)


def node(value: Any) -> Node:
    """What the decoder gives (Group, Scalar, list, str, bool, None) as a node."""
    if type(value) is Scalar or type(value) is Group:
        return value
    if type(value) is str:
        return tokens.text(value)
    if type(value) is list:
        return Items([one if type(one) is Scalar or type(one) is Group else node(one) for one in value])
    return _NULL if value is None else (_TRUE if value else _FALSE)


DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=tokens.integer,
    parse_float=tokens.decimal,
    parse_constant=_CONSTANTS.__getitem__,
    strict=False,
)


def parse(text: str, start: int = 0) -> tuple[Node, int]:
    """The value at `start` and where it ends. Raises json.JSONDecodeError, or DetcheckError when it nests too deep."""
    try:
        value, end = DECODER.raw_decode(text, start)
        return node(value), end
    except RecursionError:
        raise DetcheckError("dump.too_deep", "JSON nests deeper than can be read") from None


def fault_of(error: json.JSONDecodeError, name: str, line: int | None = None) -> DetcheckError:
    """The fault of broken JSON, with its place and the text around it."""
    source = error.doc[max(0, error.pos - 200) : error.pos + 200]
    start = source.rfind("\n", 0, min(200, error.pos)) + 1
    column = min(200, error.pos) - start + 1
    shown = source[start:].split("\n", 1)[0]
    where = Where(name, line or error.lineno, column, shown)
    return DetcheckError("dump.json", f"is no JSON: {json_words(error.msg)}", where)
