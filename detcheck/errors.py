"""Every fault a user can cause. This module imports nothing of the package, so that any room can raise from it.

A fault says what is wrong, where (file, line, column, the source line) and what to do next. `str(error)` is the whole
text on one or more lines, without markup; names taken from files are already made visible (see `visible`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


def visible(text: object, limit: int = 200) -> str:
    """`text` with control, bidirectional and other unprintable characters escaped, cut to `limit` characters.

    Text from files is data: it must never reach a terminal, a log or a report raw.
    """
    raw = str(text)
    cut = raw if len(raw) <= limit else raw[: limit - 1] + "…"
    return cut if cut.isprintable() else "".join(map(_visible_character, cut))


def _visible_character(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape", "backslashreplace").decode("ascii")


def json_words(message: str) -> str:
    """What Python's JSON parser found wrong, as a clause: some of its messages are made to end in a position."""
    words = message.rstrip(": ")
    for end in (" starting at", " at"):
        words = words.removesuffix(end)
    return words[:1].lower() + words[1:]


@dataclass(frozen=True)
class Where:
    """A place in a file. `line` and `column` count from 1; `source` is that line's text, for the caret."""

    file: str
    line: int | None = None
    column: int | None = None
    source: str | None = None

    def __str__(self) -> str:
        parts = [visible(self.file)]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        return ":".join(parts)


class DetcheckError(Exception):
    """A fault with a stable `code` (words with dots: `scenario.unknown_key`), a message, a place, a hint."""

    #: what the process exits with when this fault ends a command (the table is in detcheck.cli.exits)
    exit_code = 2

    def __init__(self, code: str, message: str, where: Where | None = None, hint: str | None = None) -> None:
        super().__init__(code, message, where, hint)
        self.code = code
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        head = f"{self.where}: {self.message}" if self.where else self.message
        lines = [head]
        if self.where and self.where.source is not None:
            lines.extend(caret_lines(self.where))
        if self.hint:
            lines.append(f"  {self.hint}")
        return "\n".join(lines)


def caret_lines(where: Where, width: int = 100) -> list[str]:
    """The source line of a place and a caret under its column; a long line is cut around the column."""
    source = (where.source or "").replace("\t", " ")
    column = max(1, where.column or 1)
    start = 0
    if len(source) > width:
        start = max(0, min(column - 1 - width // 2, len(source) - width))
    shown = "".join(c if c.isprintable() else "?" for c in source[start : start + width])
    lines = [f"    {shown}"]
    if where.column is not None:
        lines.append("    " + " " * (column - 1 - start) + "^")
    return lines


class Faults(DetcheckError):
    """All faults of one file, reported together, in the order of their places."""

    def __init__(self, faults: Iterable[DetcheckError]) -> None:
        self.faults = tuple(sorted(faults, key=_place))
        first = self.faults[0]
        super().__init__(first.code, first.message, first.where, first.hint)

    def __str__(self) -> str:
        return "\n".join(str(fault) for fault in self.faults)


def _place(fault: DetcheckError) -> tuple[str, int, int]:
    where = fault.where
    if where is None:
        return ("", 0, 0)
    return (where.file, where.line or 0, where.column or 0)


class Trap(ArithmeticError):
    """An operation that has no result (a division by zero on the wrapping backend, a root of a negative number, ...).

    Raised by numbers, rng and the executors' integer ops; an executor turns it into a `TrapError` that knows the place.
    `reason` is one of detcheck.language.ops.TRAPS.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TrapError(DetcheckError):
    """A trap stopped a replay. The same on every executor and platform: tick, system, line, row and operands."""

    def __init__(
        self,
        reason: str,
        *,
        tick: int,
        system: str,
        row: int,
        op: str,
        operands: tuple[tuple[str, int], ...],
        where: Where | None,
        text: str,
    ) -> None:
        super().__init__("trap", text, where, "the replay stopped here; nothing was compared after this tick")
        self.reason = reason
        self.tick = tick
        self.system = system
        self.row = row
        self.op = op
        self.operands = operands


class Interrupted(Exception):
    """Ctrl-C or a stop request, seen between or inside spans; the command ends with 130."""
