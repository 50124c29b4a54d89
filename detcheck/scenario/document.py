"""A TOML file as parsed: its data, and the place of every key and value in it."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from detcheck.errors import DetcheckError, Where, visible
from detcheck.scenario.positions import Mark, Path, TooDeep, scan

#: faults of one file that are listed; a hostile file could have hundreds of thousands
MAX_FAULTS = 100

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_KEY_TUPLE = re.compile(r"\('[^\n]*'(?:,|, '[^\n]*')\)")  # tomllib shows a dotted key as Python would
_TOML_PLACE = re.compile(r"^(.*) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class DecimalText:
    """A TOML float as it was written, inf and nan too: binary64 never sees it."""

    text: str


class FaultLog(list[DetcheckError]):
    """Faults in the order they were found; past MAX_FAULTS they are only counted."""

    def __init__(self) -> None:
        super().__init__()
        self.dropped = 0

    @property
    def full(self) -> bool:
        """Whether another fault would only be counted: looking for more is not worth the time."""
        return len(self) >= MAX_FAULTS

    def append(self, fault: DetcheckError) -> None:
        """Add a fault, or count it when there are too many to list."""
        if len(self) < MAX_FAULTS:
            super().append(fault)
        else:
            self.dropped += 1


class Document:
    """A parsed TOML text. `text` has LF line ends and no BOM; `lines` are its lines, the first is line 1."""

    def __init__(self, file: str, text: str, data: dict[str, Any], marks: dict[Path, Mark]) -> None:
        self.file = file
        self.text = text
        self.lines = tuple(text.split("\n"))
        self.data = data
        self._marks = marks
        self._starts = _line_starts(self.lines)

    def at(self, offset: int) -> Where:
        """The place of an offset into the text."""
        line = bisect_right(self._starts, offset)
        return Where(self.file, line, offset - self._starts[line - 1] + 1, self.lines[line - 1])

    def key(self, path: Path) -> Where:
        """The place of a key; of the nearest table around it where it is not known; of the file for the root."""
        mark = self._mark(path)
        return Where(self.file) if mark is None else self.at(mark.key)

    def value(self, path: Path, skip: int = 0) -> Where:
        """The place of a value, `skip` characters into it, else as `key`."""
        mark = self._mark(path)
        return Where(self.file) if mark is None else self.at(mark.begin + skip)

    def written(self, path: Path) -> str:
        """A value as it stands in the file; empty where that is not known."""
        mark = self._marks.get(path)
        return "" if mark is None else self.text[mark.begin : mark.end]

    def text_begin(self, path: Path) -> tuple[int, int]:
        """Line and column where a string's own text begins: behind its quotes and the newline that may follow them."""
        mark = self._marks.get(path)
        if mark is None:
            return 1, 1
        quotes = 3 if self.text[mark.begin : mark.begin + 3] in ('"""', "'''") else 1
        begin = mark.begin + quotes
        if quotes == 3 and self.text.startswith("\n", begin):
            begin += 1
        line = bisect_right(self._starts, begin)
        return line, begin - self._starts[line - 1] + 1

    def _mark(self, path: Path) -> Mark | None:
        while path:
            mark = self._marks.get(path)
            if mark is not None:
                return mark
            path = path[:-1]
        return None


def _line_starts(lines: tuple[str, ...]) -> list[int]:
    starts, offset = [], 0
    for line in lines:
        starts.append(offset)
        offset += len(line) + 1
    return starts


def decode(data: bytes, file: str) -> str:
    """The text of a file: UTF-8, a BOM dropped, CRLF made LF. Raises DetcheckError scenario.encoding."""
    if data.startswith(_UTF16):
        raise DetcheckError("scenario.encoding", "this is UTF-16", Where(file), "save it as UTF-8")
    if b"\0" in data[:4]:  # no text begins with NUL characters, but ASCII in two or four bytes has them
        raise DetcheckError("scenario.encoding", "this is UTF-16 or UTF-32", Where(file), "save it as UTF-8")
    body = data.removeprefix(_BOM)
    if b"\r" in body and b"\n" not in body:
        message = "its lines end in CR alone, which TOML takes for no line end"
        raise DetcheckError("scenario.encoding", message, Where(file), "save it with LF or CRLF line ends")
    try:
        return body.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        begin = len(data) - len(body) + error.start
        line = data.count(b"\n", 0, begin) + 1
        raise DetcheckError(
            "scenario.encoding",
            f"byte {begin + 1} of the file (0x{data[begin]:02x}) is not UTF-8",
            Where(file, line),
            "save it as UTF-8",
        ) from None


def parse_document(file: str, data: bytes) -> Document:
    """Parse a TOML file. Raises DetcheckError with the place of the first thing that is not TOML."""
    text = decode(data, file)
    blank = Document(file, text, {}, {})
    try:
        marks = scan(text)
    except TooDeep as error:
        raise DetcheckError(
            "scenario.syntax", error.message, blank.at(error.offset), "no scenario needs that"
        ) from None
    try:
        parsed = tomllib.loads(text, parse_float=DecimalText)
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise syntax_fault(error, blank) from None
    return Document(file, text, parsed, marks)


def _as_key(found: re.Match[str]) -> str:
    return ".".join(visible(part, 60) for part in re.findall(r"'((?:[^'\\]|\\.)*)'", found[0]))


def syntax_fault(error: Exception, document: Document) -> DetcheckError:
    """What the TOML parser refused, with its place in the document's text."""
    hint = 'the file is TOML: key = value lines under [section] headers, text in "quotes", programs in """ quotes'
    if isinstance(error, RecursionError | MemoryError):
        return DetcheckError("scenario.syntax", "nested too deeply to be read", Where(document.file), hint)
    found = _TOML_PLACE.match(str(error))
    if found is None:  # a number or date that Python's own types refuse
        return DetcheckError("scenario.syntax", f"not valid TOML: {error}", Where(document.file), hint)
    if found[2] is None:
        last = len(document.lines)
        column = len(document.lines[-1]) + 1
        where = Where(document.file, last, column, document.lines[-1])
    else:
        line = min(int(found[2]), len(document.lines))
        where = Where(document.file, line, int(found[3]), document.lines[line - 1])
    message = _KEY_TUPLE.sub(_as_key, found[1][:1].lower() + found[1][1:])
    return DetcheckError("scenario.syntax", f"not valid TOML: {message}", where, hint)
