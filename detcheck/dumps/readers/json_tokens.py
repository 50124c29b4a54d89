"""Lines of JSON as tokens: ten times as fast as nodes, and enough to see that two lines say the same.

Only lines of a form that the reader has read before are left as tokens; anything else is read as it always is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

from detcheck.dumps.readers import classify
from detcheck.dumps.readers.base import Side
from detcheck.dumps.readers.json_values import parse
from detcheck.model.record import Group, Record
from detcheck.model.unread import Unread

#: records that are read to know the forms of a file
READ_FIRST = 8
#: the other side mostly has the same line, a few lines further on at most
_REMEMBERED, _LONGEST_REMEMBERED = 256, 16_384
_LONGEST_TICK = 18

_DECODER = json.JSONDecoder(
    object_pairs_hook=tuple, parse_int=str.encode, parse_float=str.encode, parse_constant=str.encode, strict=False
)


def _decoded(text: str) -> tuple[Any, ...] | None:
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value if type(value) is tuple and not text[end:].strip() else None


_remembered = lru_cache(maxsize=_REMEMBERED)(_decoded)


def tokens_of(text: str) -> tuple[Any, ...] | None:
    """The object of a line as tokens (model/unread.py); None for whatever is no line of one object."""
    return _remembered(text) if len(text) <= _LONGEST_REMEMBERED else _decoded(text)


def unread(text: str, side: Side, line: int) -> Unread | None:
    """The record of a line, not taken apart, when lines of the same names are known to name their tick at the top."""
    tokens = tokens_of(text)
    if tokens is None:
        return None
    paths: Mapping[tuple[str, ...], tuple[str, ...]] = side.state.get("tick_paths", {})  # type: ignore[assignment]
    path = paths.get(tuple([name for name, _ in tokens]))
    if not path or len(path) != 1:
        return None
    digits = next(value for name, value in tokens if name == path[0])
    if type(digits) is not bytes or not digits.isdigit() or len(digits) > _LONGEST_TICK:
        return None
    return Unread(int(digits), line, tokens=tokens, read=partial(_read, text, side, line))


def _read(text: str, side: Side, line: int) -> Record:
    value, _ = parse(text)
    assert isinstance(value, Group)
    return classify.record_of(value.items, side, line)
