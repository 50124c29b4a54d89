"""Which names a scenario may give to its tables, columns, constants, systems and locals."""

from __future__ import annotations

import re

from detcheck.language.functions import FUNCTIONS

#: spelled out, so that what is accepted does not depend on the Python that runs
_KEYWORDS = """
    False None True and as assert async await break class continue def del elif else except finally for from global
    if import in is lambda nonlocal not or pass raise return try while with yield __debug__
"""
KEYWORDS = frozenset(_KEYWORDS.split())
RESERVED = ("row", "rows", "tick", "dt", "world", "players", "rng", "number", "where")

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)


def name_problem(name: str) -> str | None:
    """Why `name` cannot be given to anything, as a clause ("is a function"); None when it can."""
    if not _NAME.match(name):
        return "is not a name: letters, digits and _ of ASCII, not beginning with a digit"
    if name in KEYWORDS:
        return "is a keyword"
    if name in FUNCTIONS:
        return "is a function"
    if name in RESERVED:
        return "is a reserved name"
    return None


def nearest(name: str, known: list[str]) -> str | None:
    """A hint naming the known name most like `name`, or None."""
    import difflib  # late: only a fault needs it

    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}?" if close else None
