"""Paths of fields and the patterns that select them.

A path reads `unit[3].pos.x` or `entities[id=7].pos.x`. A pattern is cut the same way; each segment may hold `*` and
`?`, `**` stands for any number of segments, and a pattern covers everything below what it names. A pattern of one
segment fits at any depth, as in a gitignore file: `hp` is every field called hp.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache


def child(path: str, name: str) -> str:
    """The path of a named child. A name that is itself an index (`[247 inf]`) follows without a dot."""
    if not path:
        return name
    return path + name if name.startswith("[") else f"{path}.{name}"


def row_of(path: str, row: int) -> str:
    """The path of a row of a table held by columns; world has one row and no index, as in the tick language."""
    return path if path == "world" else f"{path}[{row}]"


@lru_cache(maxsize=4096)
def segments(path: str) -> tuple[str, ...]:
    """`entities[id=7].pos.x` as ("entities", "id=7", "pos", "x"); dots inside brackets do not cut."""
    found: list[str] = []
    start = depth = 0
    for place, character in enumerate(path):
        if character == "[":
            if depth == 0:
                _take(found, path[start:place])
                start = place + 1
            depth += 1
        elif character == "]" and depth:
            depth -= 1
            if depth == 0:
                _take(found, path[start:place])
                start = place + 1
        elif character == "." and depth == 0:
            _take(found, path[start:place])
            start = place + 1
    _take(found, path[start:])
    return tuple(found)


def _take(found: list[str], piece: str) -> None:
    if piece:
        found.append(piece)


def part_of(path: str) -> str:
    """The first segment: what differences are counted by."""
    pieces = segments(path)
    return pieces[0] if pieces else path


@dataclass(frozen=True)
class Pattern:
    """A pattern as the user wrote it, and its segments."""

    text: str
    pieces: tuple[str, ...]

    def matches(self, path: str) -> bool:
        """Whether `path` is what the pattern names, or lies below it."""
        names = segments(path)
        if len(self.pieces) == 1 and self.pieces[0] != "**":
            return any(_fits(self.pieces[0], name) for name in names) or path == self.text
        return path == self.text or _covers(self.pieces, names)

    def touches(self, path: str) -> bool:
        """Whether something the pattern names may lie at, below or above `path`."""
        names = segments(path)
        return self.matches(path) or len(self.pieces) == 1 or _leads(self.pieces, names)


LONGEST = 1_000

#: a path under construction: (what is above, own piece); joined only for what is shown
Link = tuple["Link | None", str]


def text_of(link: Link | None) -> str:
    """The path of a link; the middle of one that is too long to read is left out."""
    pieces: list[str] = []
    while link is not None:
        pieces.append(link[1])
        link = link[0]
    pieces.reverse()
    if len(pieces) > LONGEST:
        pieces = [*pieces[: LONGEST // 4], "…", *pieces[-LONGEST // 4 :]]
    path = ""
    for piece in pieces:
        path = child(path, piece)
    return path if len(path) <= LONGEST else f"{path[: LONGEST // 2]}…{path[-LONGEST // 2 :]}"


def pattern(text: str) -> Pattern:
    """Parse a pattern."""
    stripped = text.strip()
    return Pattern(stripped, segments(stripped))


def _fits(piece: str, name: str) -> bool:
    """One segment; `7` also fits `id=7`."""
    return fnmatchcase(name, piece) or ("=" in name and fnmatchcase(name.partition("=")[2], piece))


def _covers(pieces: tuple[str, ...], names: tuple[str, ...]) -> bool:
    """Whether the pieces fit a head of the names. States of a small automaton, so never exponential."""
    states = _closed(pieces, {0})
    for name in names:
        if len(pieces) in states:
            return True
        stepped = {s if pieces[s] == "**" else s + 1 for s in states if pieces[s] == "**" or _fits(pieces[s], name)}
        states = _closed(pieces, stepped)
    return len(pieces) in states


def _leads(pieces: tuple[str, ...], names: tuple[str, ...]) -> bool:
    """Whether all the names fit a head of the pieces, so that what the pattern names lies below."""
    states = _closed(pieces, {0})
    for name in names:
        alive = {s for s in states if s < len(pieces)}
        stepped = {s if pieces[s] == "**" else s + 1 for s in alive if pieces[s] == "**" or _fits(pieces[s], name)}
        states = _closed(pieces, stepped)
    return bool(states)


def _closed(pieces: tuple[str, ...], states: set[int]) -> set[int]:
    found = set(states)
    for state in sorted(states):
        while state < len(pieces) and pieces[state] == "**":
            state += 1
            found.add(state)
    return found
