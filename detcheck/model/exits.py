"""The exit table: the one place that says what an exit code means and which one wins (design: formats, Commands)."""

from __future__ import annotations

from collections.abc import Iterable

EQUAL = 0
DIVERGED = 1
INVALID = 2
INCONCLUSIVE = 3
NOTHING = 4
BUG = 70
INTERRUPTED = 130

#: code -> meaning, in the order of the manual
EXITS: dict[int, str] = {
    EQUAL: "everything selected was compared and is equal",
    DIVERGED: "divergence; `diff`: diverged; `regen --check`: something would change",
    INVALID: "usage, unreadable or invalid input, a trap, a failed canary, an outside engine that failed",
    INCONCLUSIVE: "inconclusive: no golden, identity mismatch, no common tick, one side ends early",
    NOTHING: "nothing was selected",
    BUG: "a bug in detcheck (traceback on stderr with -v, else where to report it)",
    INTERRUPTED: "interrupted",
}

#: when several apply, the first of these that does
PRECEDENCE: tuple[int, ...] = (INTERRUPTED, BUG, INVALID, DIVERGED, INCONCLUSIVE, NOTHING, EQUAL)

#: verdict of `run` -> its share
VERDICTS: dict[str, int] = {"equal": EQUAL, "diverged": DIVERGED, "error": INVALID, "inconclusive": INCONCLUSIVE}


def combine(codes: Iterable[int]) -> int:
    """The exit of several outcomes together; 0 for none."""
    present = set(codes)
    return next((code for code in PRECEDENCE if code in present), EQUAL)
