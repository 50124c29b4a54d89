"""Where every key and value of a TOML text stands, and the bounds that keep a parser of it cheap.

The scanner runs before tomllib and is more lenient: it stops without a word at what it does not know, and tomllib then
says what is wrong there. It refuses only what would cost tomllib unbounded time or stack: deep nesting and long dotted
keys (they make it recursive or quadratic) and number tokens that no rule allows.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass

MAX_NESTING = 32
MAX_KEY_PARTS = 16
MAX_TOKEN = 1000

Path = tuple[str | int, ...]

_GAP = re.compile(r"(?:[ \t\n]++|#[^\n]*+)*+")
_BLANKS = re.compile(r"[ \t]*+")
_REST_OF_LINE = re.compile(r"[ \t]*+(?:#[^\n]*+)?+(?=\n|\Z)")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]++")
_BASIC = re.compile(r'"(?:[^"\\\n]++|\\.)*+"')
_LITERAL = re.compile(r"'[^'\n]*+'")
_LONG_BASIC = re.compile(r'"""(?:[^"\\]++|\\.|"(?!""))*+"{3,5}', re.DOTALL)
_LONG_LITERAL = re.compile(r"'''(?:[^']++|'(?!''))*+'{3,5}")
_TOKEN = re.compile(r"\d{4}-\d\d-\d\d \d[^\s,\]}#]*+|[^\s,\]}#=\[{\"']++")
_ESCAPE = re.compile(r'\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|([btnfre"\\]))')
_SHORT_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b", '"': '"', "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Mark:
    """Offsets of a key, and of the begin and end of its value. A header's key is its value; an array item has the
    value's begin as its key."""

    key: int
    begin: int
    end: int


class TooDeep(Exception):
    """The text is not worth a parser: `message` says why, `offset` where."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class _Unknown(Exception):
    """Here the scanner no longer understands the text."""


def scan(text: str) -> dict[Path, Mark]:
    """The marks of every path of a TOML text with LF line ends: ("tables", "unit", "pos"), ("systems", 0, "do").

    Incomplete for a text that is not valid TOML. Raises TooDeep.
    """
    scanner = _Scanner(text)
    with contextlib.suppress(_Unknown):
        scanner.document()
    return scanner.marks


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.marks: dict[Path, Mark] = {}
        self.counts: dict[Path, int] = {}

    def document(self) -> None:
        prefix: Path = ()
        end = len(self.text)
        while True:
            self.skip(_GAP)
            if self.at >= end:
                return
            if self.text[self.at] == "[":
                prefix = self.header()
            else:
                self.pair(prefix, 0)
            self.need(_REST_OF_LINE)

    def skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()

    def need(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise _Unknown
        self.at = found.end()
        return found.group()

    def expect(self, token: str) -> None:
        if not self.text.startswith(token, self.at):
            raise _Unknown
        self.at += len(token)

    def header(self) -> Path:
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        self.skip(_BLANKS)
        parts = self.key()
        path: Path = ()
        for i, (name, begin, end) in enumerate(parts):
            path = (*path, name)
            last = i == len(parts) - 1
            self.marks.setdefault(path, Mark(begin, begin, end))
            if last and many:
                self.counts[path] = self.counts.get(path, 0) + 1
            if path in self.counts:
                path = (*path, self.counts[path] - 1)
                self.marks.setdefault(path, Mark(begin, begin, end))
        self.expect("]]" if many else "]")
        return path

    def key(self) -> list[tuple[str, int, int]]:
        parts: list[tuple[str, int, int]] = []
        while True:
            if len(parts) == MAX_KEY_PARTS:
                raise TooDeep(f"a dotted key of more than {MAX_KEY_PARTS} parts", parts[0][1])
            begin = self.at
            parts.append((self.key_part(), begin, self.at))
            self.skip(_BLANKS)
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1
            self.skip(_BLANKS)

    def key_part(self) -> str:
        first = self.text[self.at : self.at + 1]
        if first == '"':
            return _ESCAPE.sub(_unescape, self.need(_BASIC)[1:-1])
        if first == "'":
            return self.need(_LITERAL)[1:-1]
        return self.need(_BARE_KEY)

    def pair(self, prefix: Path, depth: int) -> None:
        parts = self.key()
        self.expect("=")
        self.skip(_BLANKS)
        path = prefix
        for name, begin, end in parts[:-1]:
            path = (*path, name)
            self.marks.setdefault(path, Mark(begin, begin, end))
        self.value((*path, parts[-1][0]), parts[-1][1], depth)

    def value(self, path: Path, key: int | None, depth: int) -> None:
        if depth > MAX_NESTING:
            raise TooDeep(f"arrays or inline tables nested deeper than {MAX_NESTING} levels", self.at)
        begin = self.at
        first = self.text[begin : begin + 1]
        if first == "[":
            self.items(path, depth)
        elif first == "{":
            self.inline_table(path, depth)
        elif first in ('"', "'"):
            self.string(first)
        elif len(self.need(_TOKEN)) > MAX_TOKEN:
            raise TooDeep(f"a value of {self.at - begin:,} characters", begin)
        self.marks[path] = Mark(begin if key is None else key, begin, self.at)

    def string(self, quote: str) -> None:
        long = self.text.startswith(quote * 3, self.at)
        basic = quote == '"'
        self.need((_LONG_BASIC if basic else _LONG_LITERAL) if long else (_BASIC if basic else _LITERAL))

    def items(self, path: Path, depth: int) -> None:
        self.at += 1
        count = 0
        while True:
            self.skip(_GAP)
            if self.text.startswith("]", self.at):
                self.at += 1
                return
            self.value((*path, count), None, depth + 1)
            count += 1
            self.skip(_GAP)
            if self.text.startswith(",", self.at):
                self.at += 1

    def inline_table(self, path: Path, depth: int) -> None:
        self.at += 1
        while True:
            self.skip(_GAP)
            if self.text.startswith("}", self.at):
                self.at += 1
                return
            self.pair(path, depth + 1)
            self.skip(_GAP)
            if self.text.startswith(",", self.at):
                self.at += 1


def _unescape(found: re.Match[str]) -> str:
    digits = found[1] or found[2] or found[3]
    if digits is None:
        return _SHORT_ESCAPES[found[4]]
    code = int(digits, 16)
    return chr(code) if code < 0x110000 else "?"
