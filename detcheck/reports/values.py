"""How one value of a finding is shown: as written, decimal, hex bits; and how far apart two are.

Shared by every report. Text from dumps is data: what leaves here is visible and cut to a length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from detcheck.compare.scalars import FLOAT_KINDS, bits64, from_bits64, hex_bits
from detcheck.compare.wording import first_difference
from detcheck.errors import visible
from detcheck.model.comparison import Comparison, Finding
from detcheck.model.record import Scalar
from detcheck.numbers import get
from detcheck.numbers.base import Backend

#: the most characters of one value
LONGEST = 64
#: and of them in front of the first one that differs, where only a part is shown
_LEAD = 24


@dataclass(frozen=True)
class Shown:
    """One side of a finding: as written, decimal, bits; a form is empty where it is the text of another."""

    raw: str
    decimal: str
    bits: str


@cache
def _backend(number: str) -> Backend:
    return get("float_pinned_32" if number == "f32" else "fixed_point_16_16")


def shown_pair(a: Scalar, b: Scalar) -> tuple[Shown, Shown]:
    """The three forms of both sides of a finding; of two long texts the part in which they begin to differ."""
    first, second = shown(a), shown(b)
    if min(len(a.text), len(b.text)) <= LONGEST or first.decimal or second.decimal:
        return first, second
    start = first_difference(a.text, b.text) - _LEAD
    if start <= 0:
        return first, second
    return replace(first, raw=_part(a.text, start)), replace(second, raw=_part(b.text, start))


def _part(text: str, start: int) -> str:
    return "…" + visible(text[start:], LONGEST - 1)


def shown(value: Scalar) -> Shown:
    """The three forms of a value."""
    raw, decimal, bits = raw_text(value), decimal_text(value), hex_bits(value) or ""
    if decimal == raw:
        decimal = ""
    elif decimal and raw.lower().rpartition(":")[2].removeprefix("0x") == bits:
        raw = ""
    return Shown(raw, decimal, bits)


def raw_text(value: Scalar) -> str:
    """As it was written; an empty text and a string that looks like a number are quoted."""
    if value.kind == "str" and (not value.text or value.text != value.text.strip() or _looks_numeric(value.text)):
        return f'"{visible(value.text, LONGEST)}"'
    return visible(value.text, LONGEST)


def _looks_numeric(text: str) -> bool:
    return text[0] in "+-.0123456789" and " " not in text and any(c.isdigit() for c in text) and len(text) < 40


def decimal_text(value: Scalar) -> str:
    """The number in decimal: shortest for floats, exact for Q16.16; empty for what is no number or decimal already."""
    if value.kind in ("f32", "q16") and isinstance(value.value, int):
        raw = value.value & 0xFFFFFFFF if value.kind == "f32" else value.value
        return _backend(value.kind).decimal(raw)
    if value.kind == "f64":
        return repr(from_bits64(bits64(value)))
    return ""


def distance_text(finding: Finding) -> str:
    """`1 ulp`, `3 raw` for Q16.16, `-1` for integers; empty where there is no distance."""
    a, b = finding.a, finding.b
    if finding.kind not in ("value", "count", "input"):
        return ""
    if finding.delta_ulps is not None:
        if finding.delta_ulps == 0:
            return ""
        unit = "raw" if a.kind == "q16" else "ulp" if finding.delta_ulps == 1 else "ulps"
        return f"{finding.delta_ulps:,} {unit}" if finding.delta_ulps < 10**9 else f"{finding.delta_ulps:.1e} {unit}"
    if a.kind == b.kind == "int" and isinstance(a.value, int) and isinstance(b.value, int):
        apart = b.value - a.value
        return f"{apart:+,}" if abs(apart) < 10**15 else ""
    return ""


_ROW = re.compile(r"\[[^\]]*\]")


def without_repeats(comparison: Comparison) -> tuple[tuple[Finding, ...], int]:
    """The findings, and how many there are in all, without the digests of states whose fields are among them.

    For a report that has named the parts already: the state's hash and a part's digest follow from the fields.
    """
    fields = [_ROW.sub("", finding.path) for finding in comparison.findings if finding.kind != "hash"]
    parts = {path[:end] for path in fields for end in _ends(path)}
    kept = tuple(
        finding
        for finding in comparison.findings
        if finding.kind != "hash" or not (finding.path in parts or (finding.path == "hash" and fields))
    )
    total = max(comparison.findings_total, len(comparison.findings))
    return kept, total - (len(comparison.findings) - len(kept))


def _ends(path: str) -> list[int]:
    """Where the names of a path end: of `unit`, of `unit.pos`, of `unit.pos.x`."""
    return [index for index, character in enumerate(path) if character == "."] + [len(path)]


def is_number(value: Scalar) -> bool:
    """Whether it is shown in columns of figures."""
    return value.kind in FLOAT_KINDS or value.kind in ("int", "q16")
