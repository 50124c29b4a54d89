"""A program's text cut into logical lines, before Python's parser sees any of it.

Hostile text stops here: characters outside printable ASCII, strings, backslashes, brackets that nest too deeply or do
not match, long chains of prefix operators, long numbers. Comments are dropped (anything may stand in them). Each
logical line is later parsed by itself, so that all faults of a program are found and none spoils the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from detcheck.errors import visible
from detcheck.language.constants import MAX_NUMBER_CHARACTERS
from detcheck.language.places import Place, Report

MAX_PROGRAM_BYTES = 65536
MAX_DEPTH = 50

_CLOSER_OF = {"(": ")", "[": "]", "{": "}"}
_BLANK = re.compile(r"[ \t]*")
_PREFIXES = re.compile(rf"(?:(?:[-+~]|not\b)\s*){{{MAX_DEPTH + 1}}}")
_NUMBER = re.compile(r"(?<![\w.])(?:0[xXoObB]\w*|(?:\d|\.\d)(?:[eE][+-]|[\w.])*)", re.ASCII)
_ASSIGNMENT = re.compile(r"\s*[A-Za-z_]\w*\s*(?:\.\s*\w+\s*)?(?:[-+*/%&|^]|//|<<|>>)?=(?!=)", re.ASCII)


@dataclass
class LogicalLine:
    """One statement's text without comments, from its first character.

    row, offset   where it begins: the text's line, from 0, and the character of that line
    indent        the white space before it; None for what follows a semicolon
    broken        a fault was reported in it, it must not be parsed
    """

    row: int
    offset: int
    indent: str | None
    text: str = ""
    broken: bool = False

    def place_in(self, report: Report, row: int, offset: int) -> Place:
        """The place of a character of this line's own text; `row` counts from 0."""
        return report.origin.place(self.row + row, offset + (self.offset if row == 0 else 0))


@dataclass
class _Scanner:
    report: Report
    resync: bool = False
    lines: list[LogicalLine] = field(default_factory=list)
    brackets: list[tuple[str, Place]] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    current: LogicalLine | None = None
    semicolon_row: int = -1

    def fault(self, code: str, message: str, row: int, offset: int, hint: str | None = None) -> None:
        """One fault a logical line; what follows in it is not looked at."""
        assert self.current is not None
        if not self.current.broken:
            self.report.add(code, message, self.report.origin.place(row, offset), hint)
            self.current.broken = True

    def physical(self, row: int, text: str) -> None:
        """One line of the text, without its line end."""
        if self.brackets and self.resync and _ASSIGNMENT.match(text):
            self.unclosed()
            self.close()
        start = self.begin(row, text, 0, is_first=True) if self.current is None else 0
        end = len(text)
        for offset in range(start, end):
            character = text[offset]
            if character == "#":
                end = offset
                break
            if character == ";" and not self.brackets:
                self.semicolon(row, offset)
                self.close(text[start:offset])
                start = self.begin(row, text, offset + 1, is_first=False)
            elif not (character.isalnum() and character.isascii()):
                self.character(row, offset, character)
        if self.brackets:
            self.parts.append(text[start:end] + "\n")
        else:
            self.close(text[start:end])

    def begin(self, row: int, text: str, offset: int, *, is_first: bool) -> int:
        blank = _BLANK.match(text, offset)
        begin = offset if blank is None else blank.end()
        self.current = LogicalLine(row, begin, text[offset:begin] if is_first else None)
        return begin

    def character(self, row: int, offset: int, character: str) -> None:
        if character in _CLOSER_OF:
            self.open(row, offset, character)
        elif character in ")]}":
            self.shut(row, offset, character)
        elif character in "\"'":
            self.fault("syntax", "the tick language has no strings", row, offset)
        elif character == "\\":
            hint = "inside brackets a statement may go on over several lines"
            self.fault("character", "a backslash has no meaning in a program", row, offset, hint)
        elif character != "\t" and not " " <= character <= "~":
            message = f"the character {visible(character)} (U+{ord(character):04X}) may stand only in a comment"
            self.fault("character", message, row, offset, "programs hold printable ASCII, tabs and newlines")

    def open(self, row: int, offset: int, character: str) -> None:
        self.brackets.append((character, self.report.origin.place(row, offset)))
        if len(self.brackets) > MAX_DEPTH:
            self.fault("limit", f"brackets nest more than {MAX_DEPTH} deep", row, offset, "use a local for a part")

    def shut(self, row: int, offset: int, character: str) -> None:
        if not self.brackets:
            self.fault("syntax", f"`{character}` closes nothing", row, offset)
            return
        opener, place = self.brackets.pop()
        if _CLOSER_OF[opener] != character:
            message = f"`{character}` does not close the `{opener}` of line {place.line}, column {place.column}"
            self.fault("syntax", message, row, offset, f"close it with `{_CLOSER_OF[opener]}`")

    def semicolon(self, row: int, offset: int) -> None:
        """One fault a line of the text, however many statements stand in it."""
        if self.semicolon_row == row:
            return
        self.semicolon_row = row
        self.report.add(
            "syntax", "one statement a line: there is no `;`", self.report.origin.place(row, offset), "begin a new line"
        )

    def unclosed(self) -> None:
        assert self.current is not None
        if not self.current.broken:
            opener, place = self.brackets[-1]
            self.report.add("syntax", f"`{opener}` is never closed", place)
        self.current.broken = True

    def close(self, rest: str = "") -> None:
        line = self.current
        self.current = None
        self.brackets.clear()
        if line is None:
            return
        line.text = ("".join(self.parts) + rest).rstrip(" \t\n")
        self.parts.clear()
        if line.text or line.broken:
            self.lines.append(line)


def logical_lines(text: str, report: Report) -> list[LogicalLine]:
    """The statements of a program's text with LF line ends, faulty ones marked `broken`."""
    try:
        size = len(text.encode("utf-8", "surrogatepass"))
    except UnicodeError:  # pragma: no cover - surrogatepass encodes everything
        size = MAX_PROGRAM_BYTES + 1
    if size > MAX_PROGRAM_BYTES:
        hint = "split it into several systems"
        report.add("limit", f"a program is longer than {MAX_PROGRAM_BYTES} bytes", report.origin.place(0, 0), hint)
        return []
    rows = text.split("\n")
    scanner = _scanned(rows, Report(report.origin, []), resync=False)
    # a bracket that is never closed must not swallow the statements after it
    scanner = _scanned(rows, report, resync=scanner.brackets != [])
    if scanner.brackets:
        scanner.unclosed()
    scanner.close()
    for line in scanner.lines:
        if not line.broken:
            _chains(line, report)
    return scanner.lines


def _scanned(rows: list[str], report: Report, *, resync: bool) -> _Scanner:
    scanner = _Scanner(report, resync)
    for row, text in enumerate(rows):
        scanner.physical(row, text)
    return scanner


def _chains(line: LogicalLine, report: Report) -> None:
    """What would cost Python's parser its stack or its patience: prefix chains and long numbers."""
    chain = _PREFIXES.search(line.text)
    if chain is not None:
        message = f"more than {MAX_DEPTH} prefix operators in a row"
        report.add("limit", message, _at(line, report, chain.start()))
        line.broken = True
        return
    for number in _NUMBER.finditer(line.text):
        if len(number.group()) > MAX_NUMBER_CHARACTERS:
            message = f"a number longer than {MAX_NUMBER_CHARACTERS} characters"
            report.add("limit", message, _at(line, report, number.start()))
            line.broken = True


def _at(line: LogicalLine, report: Report, index: int) -> Place:
    before = line.text[:index]
    row = before.count("\n")
    return line.place_in(report, row, index - (before.rfind("\n") + 1))
