"""A record whose text is taken apart only when a field of it is asked for.

Two sides that agree but for a clock are millions of records whose fields nobody looks at. What such a record says is
known as tokens, by which two of them are seen to be equal; its nodes are made when a comparison needs them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from detcheck.model.record import Record

_LATE = frozenset(("hashes", "rng", "inputs", "fields", "events", "derived"))


class Unread(Record):
    """A Record of which tick, line and session are known.

    tokens  its content as nested tuples (objects: pairs of name and value), lists, str, bool, None, and numbers as the
            bytes they are written in: equal tokens are equal records. Never changed.
    read    makes the whole record of it
    """

    __slots__ = ("read", "tokens")

    def __new__(cls, *given: Any, **named: Any) -> Any:
        """`dataclasses.replace` makes one with other values: that is a plain Record."""
        return super().__new__(cls) if "tokens" in named else Record(*given, **named)

    def __init__(self, tick: int, line: int, *, tokens: tuple[Any, ...], read: Callable[[], Record]) -> None:
        self.tick, self.line, self.session = tick, line, 0
        self.cut, self.again, self.rows, self.ends, self.beside = None, (), False, 0, None
        self.tokens, self.read = tokens, read

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet."""
        if name not in _LATE:
            raise AttributeError(name)
        whole = self.read()
        for late in _LATE:
            setattr(self, late, getattr(whole, late))
        return getattr(self, name)

    @property
    def values(self) -> int:
        """How many values it holds, its tick not among them."""
        count = -1
        stack: list[Any] = [self.tokens]
        while stack:
            one = stack.pop()
            for item in one:
                value = item[1] if type(one) is tuple else item
                if type(value) is tuple or type(value) is list:
                    stack.append(value)
                else:
                    count += 1
        return count
