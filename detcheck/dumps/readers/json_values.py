"""JSON text to nodes: integers exact, decimals with their token, repeated names kept apart."""

from __future__ import annotations

import gc
import json
import weakref
from collections.abc import Callable
from typing import Any

from detcheck.dumps import tokens
from detcheck.dumps.readers.base import free_name
from detcheck.errors import DetcheckError, Where, json_words
from detcheck.model.record import Group, Items, Node, Scalar

_TRUE, _FALSE, _NULL = Scalar("bool", True, "true"), Scalar("bool", False, "false"), Scalar("null", None, "null")
_CONSTANTS = {name: Scalar("float", float(name), name) for name in ("NaN", "Infinity", "-Infinity")}
#: how many values are remembered while lines are read; of large texts one for each so many characters
_FEW, _EACH = 4096, 16
#: a text from here on is worth remembering all its values
LARGE = 1_000_000


class _Known(dict[str, Scalar]):
    """Values by their token: the same token again, on whichever side, is the same object and costs no memory."""

    def __init__(self, made: Callable[[str], Scalar], limit: int) -> None:
        super().__init__()
        self.made = made
        self.limit = limit

    def __missing__(self, token: str) -> Scalar:
        scalar = self.made(token)
        if len(self) >= self.limit:
            self.clear()
        if len(token) <= 64:
            self[token] = scalar
        return scalar


class Values:
    """A decoder and the values it remembers."""

    def __init__(self, limit: int) -> None:
        self.texts, self.integers, self.decimals = (
            _Known(made, limit) for made in (tokens.text, tokens.integer, tokens.decimal)
        )
        self.decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_int=self.integers.__getitem__,
            parse_float=self.decimals.__getitem__,
            parse_constant=_CONSTANTS.__getitem__,
            strict=False,
        )

    def _object(self, pairs: list[tuple[str, Any]]) -> Group:
        items: dict[str, Node] = {}
        for name, value in pairs:
            if name in items:
                name = free_name(items, name)
            items[name] = value if type(value) is Scalar or type(value) is Group else self.node(value)
        return Group(items)

    def node(self, value: Any) -> Node:
        """What the decoder gives (Group, Scalar, list, str, bool, None) as a node."""
        if type(value) is Scalar or type(value) is Group:
            return value
        if type(value) is str:
            return self.texts[value]
        if type(value) is list:
            return Items([one if type(one) is Scalar or type(one) is Group else self.node(one) for one in value])
        return _NULL if value is None else (_TRUE if value else _FALSE)

    def parse(self, text: str, start: int = 0) -> tuple[Node, int]:
        """The value at `start` and where it ends. Raises json.JSONDecodeError; DetcheckError when it nests too deep."""
        try:
            value, end = self.decoder.raw_decode(text, start)
            return self.node(value), end
        except RecursionError:
            raise DetcheckError("dump.too_deep", "JSON nests deeper than can be read") from None

    def parse_large(self, text: str, start: int = 0) -> tuple[Node, int]:
        """`parse`. A large text is nothing but new objects, which the collector would visit over and over."""
        for known in (self.texts, self.integers, self.decimals):
            known.limit = max(known.limit, len(text) // _EACH)
        paused = gc.isenabled()
        gc.disable()
        try:
            return self.parse(text, start)
        finally:
            if paused:
                gc.enable()


parse = Values(_FEW).parse
_shared: weakref.ref[Values] | None = None


def of_large() -> Values:
    """One for large texts, shared by all sides that hold it while they are read."""
    global _shared
    found = _shared() if _shared is not None else None
    if found is None:
        found = Values(_FEW)
        _shared = weakref.ref(found)
    return found


def fault_of(error: json.JSONDecodeError, name: str, line: int | None = None) -> DetcheckError:
    """The fault of broken JSON, with its place and the text around it."""
    source = error.doc[max(0, error.pos - 200) : error.pos + 200]
    start = source.rfind("\n", 0, min(200, error.pos)) + 1
    column = min(200, error.pos) - start + 1
    shown = source[start:].split("\n", 1)[0]
    where = Where(name, line or error.lineno, column, shown)
    return DetcheckError("dump.json", f"is no JSON: {json_words(error.msg)}", where)
