"""Text with too few digits: a binary32 needs 9, a binary64 needs 17 to come back as it was."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from detcheck.compare.causes.evidence import Evidence, all_floats, as_binary32, named, ulps, value_at
from detcheck.compare.nodes import scalars
from detcheck.compare.paths import segments
from detcheck.compare.scalars import digits, text_bits32
from detcheck.compare.wording import plural
from detcheck.errors import visible
from detcheck.model.comparison import Finding
from detcheck.model.record import Record, Scalar

#: fewer digits than this are a short number, not a cut one
MIN_DIGITS = 4
#: a difference of a few ulps is no cut text; of shortest texts of binary32, neighbours look like one
MIN_ULPS, NEIGHBOUR_ULPS = 64, 2
#: a longer token is no number that somebody printed
_LONGEST = 400
#: digits that a side lost in all: by chance one in ten texts is the other's, rounded, for each digit
MIN_LOST = 4
#: tokens that all break off at the same place, where every value agrees and the hash does not; how many of 100
MIN_TOKENS, MIN_SHARE = 4, 60
#: longest tokens of dumps whose text is short, and how many of 100 are as long; of shortest binary32, most have 7 or 8
_LENGTHS = {6: 50, 7: 50, 8: 85}
_DECIMALS = range(1, 5)


def find(evidence: Evidence) -> str | None:
    """The tokens of one side are the other's, cut; or all values agree, break off early, and the hash differs."""
    floats = [f for f in evidence.values() if f.a.kind == f.b.kind == "float"]
    if floats:
        return next((told for side in (0, 1) if (told := _cut_side(evidence, floats, side))), None)
    if evidence.findings and all(f.kind == "hash" for f in evidence.findings):
        return _all_cut(evidence)
    return None


def _cut_side(evidence: Evidence, floats: list[Finding], side: int) -> str | None:
    """Every token of the side is a shorter text of the other side's number."""
    pairs = [(f.b, f.a) if side else (f.a, f.b) for f in floats]
    if not all(_shortens(short, full) for short, full in pairs):
        return None
    lost = sum(_lost(finding, short, full) for finding, (short, full) in zip(floats, pairs, strict=True))
    if lost < MIN_LOST and not (lost and _short_column(evidence, floats[0], side)):
        return None
    first = max(range(len(pairs)), key=lambda place: digits(pairs[place][1].text))
    short, full = pairs[first]
    return (
        f"{named(floats)}: {visible(short.text, 40)} is {visible(full.text, 40)} written with "
        f"{plural(digits(short.text), 'digit')}; 9 are needed for a binary32, 17 for a binary64"
    )


def _shortens(short: Scalar, full: Scalar) -> bool:
    """Whether `short` is `full` rounded to fewer decimals, once or by way of more digits, or broken off there."""
    mine, theirs = _decimal(short), _decimal(full)
    if mine is None or theirs is None or _exponent(mine) <= _exponent(theirs):
        return False
    unit = Decimal(1).scaleb(_exponent(mine))
    broken_off = abs(theirs) >= abs(mine) and abs(theirs) - abs(mine) < unit and mine.is_signed() == theirs.is_signed()
    return abs(mine - theirs) * 2 <= unit or broken_off


def _decimal(value: Scalar) -> Decimal | None:
    if len(value.text) > _LONGEST:
        return None
    try:
        number = Decimal(value.text.rstrip("fF").replace(",", ".").replace("_", ""))
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < 400 else None


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    return exponent


def _lost(finding: Finding, short: Scalar, full: Scalar) -> int:
    """Digits that the short text lost, where that tells anything."""
    have, need = digits(short.text), digits(full.text)
    if _one_binary32(short, full):
        return MIN_LOST
    if not MIN_DIGITS <= have < need or finding.delta_ulps is None or finding.delta_ulps < MIN_ULPS:
        return 0
    neighbours = as_binary32(finding) is not None and (ulps(finding) or 0) <= NEIGHBOUR_ULPS
    return 1 if neighbours else need - have


def _one_binary32(short: Scalar, full: Scalar) -> bool:
    """Whether both are texts of one binary32: `0.1` and `0.10000000149011612`."""
    bits, exact = _narrowed(full), text_bits32(full)
    if bits is None or bits != _narrowed(short):
        return False
    return exact is not None or struct.unpack(">f", bits)[0] == full.value


def _narrowed(value: Scalar) -> bytes | None:
    try:
        return struct.pack(">f", value.value)
    except OverflowError:
        return None


def _short_column(evidence: Evidence, finding: Finding, side: int) -> bool:
    """Whether the side writes no number of that column, in this tick or around it, with more digits or decimals."""
    short = finding.b if side else finding.a
    have, places = digits(short.text), _places(short)
    others = [value for value in _column(evidence, finding, side) if value.text != short.text]
    if len(others) < MIN_TOKENS:
        return False
    return all(digits(value.text) <= have for value in others) or all(_places(value) <= places for value in others)


def _column(evidence: Evidence, finding: Finding, side: int) -> Iterator[Scalar]:
    """Numbers that a side writes under the name of a finding, before, in and after the first unlike tick."""
    name = segments(finding.path)[-1]
    for pair in (evidence.previous, (evidence.a, evidence.b), evidence.next_pair):
        if pair is not None:
            yield from _under(pair[side], finding.path, name)


def _under(record: Record, path: str, name: str) -> Iterator[Scalar]:
    found = value_at(record, path)
    if found is not None and found.kind == "float":
        yield found
    for other, value in scalars(record.fields):
        if value.kind == "float" and other != path and segments(other)[-1] == name:
            yield value


def _places(value: Scalar) -> int:
    number = _decimal(value)
    return 0 if number is None else -_exponent(number)


def _all_cut(evidence: Evidence) -> str | None:
    """Tokens of a dump that all break off at six to eight digits, or at the same few decimals."""
    tokens = list(all_floats(evidence.a))
    if len(tokens) < MIN_TOKENS:
        return None
    ends: tuple[tuple[Counter[int], str, dict[int, int]], ...] = (
        (Counter(digits(value.text) for value in tokens), "digit", _LENGTHS),
        (Counter(map(_places, tokens)), "decimal", dict.fromkeys(_DECIMALS, MIN_SHARE)),
    )
    for lengths, word, shares in ends:
        longest = max(lengths)
        if lengths[longest] * 100 < shares.get(longest, 101) * len(tokens) or lengths[longest] < MIN_TOKENS:
            continue
        if word == "decimal" and all(value.text[-1] in "05" for value in tokens):
            continue  # halves, quarters, eighths: complete as they are
        return (
            f"every value agrees and the hash does not, and {plural(lengths[longest], 'number')} of the dump break off "
            f"at {plural(longest, word)}; of digits, 9 are needed for a binary32, 17 for a binary64"
        )
    return None
