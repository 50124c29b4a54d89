"""Which names a scenario may give to its tables, columns, constants, systems and locals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from detcheck.language.functions import FUNCTIONS

#: spelled out, so that what is accepted does not depend on the Python that runs
_KEYWORDS = """
    False None True and as assert async await break class continue def del elif else except finally for from global
    if import in is lambda nonlocal not or pass raise return try while with yield __debug__
"""
KEYWORDS = frozenset(_KEYWORDS.split())
RESERVED = ("row", "rows", "tick", "dt", "world", "players", "rng", "number", "where")

#: how many known names a hint is looked for among
_MAX_CANDIDATES = 300

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


def nearest(name: str, known: Sequence[str]) -> str | None:
    """A hint naming a known name that is one slip away from `name`, or None. Cheap: a hostile file has many faults."""
    folded = name.lower()
    for other in known[:_MAX_CANDIDATES]:
        if other != name and _is_one_slip(folded, other.lower()):
            return f"did you mean {other}?"
    return None


def _is_one_slip(a: str, b: str) -> bool:
    """Whether one letter more, less or other, two letters swapped, or the case, makes the one of the other."""
    if abs(len(a) - len(b)) > 1 or min(len(a), len(b)) < 2:
        return False
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    rest_a, rest_b = a[start:], b[start:]
    if rest_a[1:] == rest_b[1:] or rest_a[1:] == rest_b or rest_a == rest_b[1:]:
        return True
    return rest_a[:2] == rest_b[:2][::-1] and rest_a[2:] == rest_b[2:]
