"""Short words about values that several places need."""

from __future__ import annotations

import re

from detcheck.compare.scalars import delta_ulps, is_nan, is_zero, text_bits32
from detcheck.errors import visible
from detcheck.model.record import Scalar

#: texts longer than this are shown by the token that differs
LONG_TEXT = 60
#: equal characters of a token shown before it parts; of a longer one only some, or both would be cut alike
LEAD = 40
#: a distance in binary32 is worth telling up to this
CLOSE_ULPS = 16
_CUT = re.compile(r"[\s,;()<>{}\[\]|\"']+")


def tick_words(tick: int | None) -> str:
    """`tick 17`, or words for a record without one."""
    return "the record without a tick" if tick is None else f"tick {tick}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 field`, `1,204 fields`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def short_note(a: Scalar, b: Scalar) -> str | None:
    """What a reader would miss: the sign of a zero, NaN bits, the token within a long text, binary32 ulps."""
    if is_nan(a) and is_nan(b):
        return "NaN of other bits"
    if is_zero(a) and is_zero(b):
        return "sign of zero"
    if a.kind == b.kind == "str" and max(len(a.text), len(b.text)) > LONG_TEXT:
        return differing_token(a.text, b.text)
    if a.kind == b.kind == "int" and max(len(a.text), len(b.text)) > LONG_TEXT:
        return differing_token(a.text, b.text)
    mine, theirs = text_bits32(a), text_bits32(b)
    if mine is not None and theirs is not None and mine != theirs:
        ulps = delta_ulps(Scalar("f32", mine, ""), Scalar("f32", theirs, ""))
        if ulps is not None and ulps <= CLOSE_ULPS:
            return f"{plural(ulps, 'ulp')} if binary32"
    return None


def first_difference(a: str, b: str) -> int:
    """The place of the first unlike character of two texts, found by halves: a value may have millions."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[low:middle] == b[low:middle] else (low, middle - 1)
    return low


def differing_token(a: str, b: str) -> str:
    """Where two long texts part: `at column 131: body712 / body711`."""
    start = first_difference(a, b)
    begin = max((m.end() for m in _CUT.finditer(a, 0, start)), default=0)
    if start - begin > LEAD:
        begin = start - LEAD // 2
        return f"at column {start + 1}: …{_token(a, begin)} / …{_token(b, begin)}"
    return f"at column {begin + 1}: {_token(a, begin)} / {_token(b, begin)}"


def _token(text: str, begin: int) -> str:
    end = _CUT.search(text, begin)
    return visible(text[begin : end.start() if end else len(text)] or "(end)", 60)
