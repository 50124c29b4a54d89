"""A JSON document (or several, one after another): one record of bounded size, or the list of ticks it holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from detcheck.dumps.readers import documents
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side
from detcheck.dumps.readers.json_values import fault_of, parse
from detcheck.dumps.sample import Sample
from detcheck.dumps.streams import VISIBLE
from detcheck.errors import DetcheckError, Where
from detcheck.model.record import Items, Node, Record

_BEGINS = re.compile(r'\s*(?:\{\s*(?:"(?:[^"\\\n]|\\.)*"\s*:|\}|$)|\[\s*(?:[\[{"\]\-0-9tfnNI]|$))')


def sniff(sample: Sample) -> Fit:
    """Text that begins as an object or list."""
    if sample.binary or not _BEGINS.match(sample.text):
        return NO_FIT
    begins = sample.text.lstrip()
    if re.match(r"\[[A-Za-z][\w .:-]*\]|\[\s*-?[\d.]+\s*\][ \t]*[^\s,\]]|\[\s*\d+[-/:]", begins[:200]):
        return NO_FIT  # an INI section, or a tick, a date, a clock in brackets
    return Fit(70, "begins as a JSON document")


def read(side: Side) -> Iterator[Record]:
    """Every record of every document in the stream."""
    text = whole_text(side)
    place, count = 0, 0
    gap = re.compile(r"[\s,;\0]*")
    place = gap.match(text).end()  # type: ignore[union-attr]
    while place < len(text):
        line = text.count("\n", 0, place) + 1 if count else 1
        try:
            document, place = parse(text, place)
        except json.JSONDecodeError as error:
            salvaged = _salvage(text, place, error, side)
            if salvaged is None:
                raise fault_of(error, side.name) from None
            yield from salvaged
            return
        except DetcheckError as error:
            raise DetcheckError(error.code, error.message, Where(side.name, line), error.hint) from None
        count += 1
        yield from documents.records(document, side, line)
        place = gap.match(text, place).end()  # type: ignore[union-attr]


def whole_text(side: Side) -> str:
    """The whole stream as text, at most max_record bytes."""
    parts, have = [], 0
    while chunk := side.stream.read():
        parts.append(chunk)
        have += len(chunk)
        if have > side.options.max_record:
            raise side.fault(
                "dump.record_too_long",
                f"a document larger than {side.options.max_record} bytes has to be held in memory as one record",
                hint="--max-record raises the limit; JSON Lines (one object a line) need no more than a line of memory",
            )
    data = b"".join(parts).strip(b"\0")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        side.remark("bytes that are no UTF-8 were made visible as escapes")
        return data.decode("utf-8", VISIBLE)


def _salvage(text: str, start: int, error: json.JSONDecodeError, side: Side) -> Iterator[Record] | None:
    """A document cut off inside its list of ticks: the ticks before the cut, and a remark."""
    if text[error.pos :].strip(" \t\r\n") and len(text) - error.pos > 200 and not error.msg.startswith("Unterminated"):
        return None
    opened = re.compile(r'\s*(?:\{(?:[^\[\]{}"]|"(?:[^"\\]|\\.)*")*?)?\[\s*(?=\{)').match(text, start)
    if opened is None:
        return None
    found: list[Node] = []
    place = opened.end()
    separator = re.compile(r"\s*,?\s*")
    try:
        while place < len(text):
            value, place = parse(text, place)
            found.append(value)
            place = separator.match(text, place).end()  # type: ignore[union-attr]
    except (json.JSONDecodeError, DetcheckError):
        pass
    if not found:
        return None
    line = text.count("\n", 0, place) + 1
    side.remark(f"the document is cut short at line {line}; the {len(found)} entries before it were read")
    return documents.records(Items(found), side, 1)


READER = Reader("json", sniff, read)
