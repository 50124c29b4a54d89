"""A JSON document (or several, one after another): one record of bounded size, or the list of ticks it holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from detcheck.dumps.readers import documents
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side
from detcheck.dumps.readers.json_repair import LOOSE, closed, mended
from detcheck.dumps.readers.json_values import LARGE, fault_of, of_large, parse
from detcheck.dumps.sample import Sample
from detcheck.dumps.sizes import size_text
from detcheck.dumps.streams import VISIBLE
from detcheck.errors import DetcheckError, Where
from detcheck.model.record import Node, Record

_BEGINS = re.compile(r'\s*(?:\{\s*(?:"(?:[^"\\\n]|\\.)*"\s*:|\}|$)|\[\s*(?:[\[{"\]\-0-9tfnNI]|$))')


def sniff(sample: Sample) -> Fit:
    """Text that begins as an object or list."""
    if sample.binary or not _BEGINS.match(sample.text):
        return NO_FIT
    begins = sample.text.lstrip()
    if begins[0] == "[" and not re.match(
        r"\[\s*(?:[\"{\[\]\d-]|true\b|false\b|null\b|nan\b|inf|$)", begins[:200], re.I
    ):
        return NO_FIT  # a name or a mark in brackets
    if re.match(r"\[[A-Za-z][\w .:-]*\]|\[\s*-?[\d.]+\s*\][ \t]*[^\s,\]]|\[\s*\d+[-/:]", begins[:200]):
        return NO_FIT  # an INI section, or a tick, a date, a clock in brackets
    return Fit(70, "begins as a JSON document")


def read(side: Side) -> Iterator[Record]:
    """Every record of every document in the stream."""
    side.slim()
    text = whole_text(side)
    gap = re.compile(r"[\s,;\0]*")
    place, count = gap.match(text).end(), 0  # type: ignore[union-attr]
    loose = False
    values = of_large() if len(text) > LARGE else None
    while place < len(text):
        line = text.count("\n", 0, place) + 1 if count else 1
        try:
            document, place = values.parse_large(text, place) if values else parse(text, place)
        except json.JSONDecodeError as error:
            looser = None if loose else mended(text[place:])
            if looser is not None and _begins_well(looser):
                text, place, loose = looser, 0, True
                continue
            cut = _cut_off(text, place, error, side)
            if cut is None:
                raise fault_of(error, side.name) from None
            document, place = cut, len(text)
        except DetcheckError as error:
            raise DetcheckError(error.code, error.message, Where(side.name, line), error.hint) from None
        count += 1
        place = gap.match(text, place).end()  # type: ignore[union-attr]
        if place == len(text):
            text, place = "", 0  # it may be large, and so is what comes of it
        yield from documents.records(document, side, line)
    if loose:
        side.remark(LOOSE)


def _begins_well(text: str) -> bool:
    """Whether the first value of a text can be parsed, or only its end is missing."""
    try:
        parse(text, len(text) - len(text.lstrip()))
    except (json.JSONDecodeError, DetcheckError):
        return closed(text) is not None
    return True


def whole_text(side: Side) -> str:
    """The whole stream as text, at most max_record bytes."""
    parts, have = [], 0
    while chunk := side.stream.read():
        parts.append(chunk)
        have += len(chunk)
        if have > side.options.max_record:
            raise side.fault(
                "dump.record_too_long",
                f"a document larger than {size_text(side.options.max_record)} has to be held in memory as one record",
                hint="--max-record raises the limit; JSON Lines (one object a line) need no more than a line of memory",
            )
    data = b"".join(parts).strip(b"\0")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        side.remark("bytes that are no UTF-8 were made visible as escapes")
        return data.decode("utf-8", VISIBLE)


def _cut_off(text: str, start: int, error: json.JSONDecodeError, side: Side) -> Node | None:
    """A document that ends too early, as far as it goes; None where it is broken before its end."""
    found = closed(text, start)
    if found is None:
        return None
    whole, depth = found
    try:
        document, _ = parse(whole)
    except (json.JSONDecodeError, DetcheckError):
        return None
    line = text.count("\n", 0, len(text.rstrip())) + 1
    documents.mark_open(document, depth, line, side)
    side.remark(f"the document is cut short at line {line}")
    return document


READER = Reader("json", sniff, read)
