"""Several sessions in one file: how to name one, which of them diverge too, and which end early on one side."""

from __future__ import annotations

from collections.abc import Mapping

from detcheck.compare.wording import tick_words
from detcheck.errors import visible

MAX_TOLD = 8
#: no more sessions than these are remembered one by one
MAX_SESSIONS = 4096

Names = Mapping[int, str]


class Elsewhere:
    """Sessions behind that of the divergence: the first unlike tick of each."""

    def __init__(self) -> None:
        self.first: dict[int, int | None] = {}

    def add(self, session: int, tick: int | None, differs: bool) -> None:
        """One more tick of such a session."""
        if session in self.first or len(self.first) >= MAX_SESSIONS:
            return
        if differs:
            self.first[session] = tick

    def words(self, found: int | None, names: Names) -> list[str]:
        """`session 2 diverges too, at tick 10`."""
        told = []
        for session, tick in list(self.first.items())[:MAX_TOLD]:
            # files stand side by side; sessions of one file follow each other, and an early tick of one is later
            earlier = tick is not None and found is not None and tick < found and _is_file(names, session)
            told.append(
                f"{session_words(session, names)} diverges too, at {tick_words(tick)}{', which is earlier' * earlier}"
            )
        more = len(self.first) - MAX_TOLD
        return [*told, f"and {more} more sessions diverge too"] if more > 0 else told


def _is_file(names: Names, session: int) -> bool:
    return names.get(session, "").startswith("file ")


def session_words(session: int, names: Names) -> str:
    """`session 2`, `session 2 (match g2)`, `file p2.log`."""
    name = names.get(session)
    if name is None:
        return f"session {session + 1}"
    if name.startswith("file "):
        return visible(name, 120)
    return f"session {session + 1} ({visible(name, 80)})"


def ended_early(a: Mapping[int, tuple[int, int]], b: Mapping[int, tuple[int, int]], names: Names) -> str | None:
    """Which session ends early, or is not there, on one side. `a`, `b`: session to (last tick, step) of those over."""
    for session in sorted(a.keys() | b.keys()):
        mine, theirs = a.get(session), b.get(session)
        if mine is None or theirs is None:
            side = "a" if theirs is None else "b"
            return f"only {side} has {session_words(session, names)}"
        (side, (short, step)), (other, (long, _)) = sorted((("a", mine), ("b", theirs)), key=lambda one: one[1][0])
        if long >= short + step and long > short:
            return f"{side} ends {session_words(session, names)} after tick {short}, {other} goes on to tick {long}"
    return None
