"""Where things stand: the origin of a program in its file, places in it, and the collector of faults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from detcheck.errors import DetcheckError, Where


class Place(NamedTuple):
    """A place in the scenario file, line and column from 1, columns in characters."""

    line: int
    column: int


@dataclass(frozen=True)
class Origin:
    """Where a program's text begins in its file.

    line, column   the place of the text's first character, from 1; later lines of the text begin at column 1
    lines          all lines of the file, for the source line of a fault
    """

    file: str
    line: int
    column: int
    lines: Sequence[str]

    def place(self, row: int, offset: int) -> Place:
        """The place of a character: `row` counts the text's lines from 0, `offset` the characters of that line."""
        return Place(self.line + row, offset + (self.column if row == 0 else 1))

    def where(self, place: Place) -> Where:
        """The place with its source line."""
        source = self.lines[place.line - 1] if 0 < place.line <= len(self.lines) else None
        return Where(self.file, place.line, place.column, source)


@dataclass
class Report:
    """Collects the faults of one text into `faults`. `origin` says where the text stands."""

    origin: Origin
    faults: list[DetcheckError]
    _seen: set[tuple[str, Place]] = field(default_factory=set)

    def add(self, code: str, message: str, place: Place, hint: str | None = None) -> None:
        """One more fault; the same fault at the same place is kept once."""
        if (message, place) in self._seen:
            return
        self._seen.add((message, place))
        fault = DetcheckError(f"program.{code}", message, self.origin.where(place), hint)
        self.faults.append(fault)
