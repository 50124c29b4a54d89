"""The exit table as the commands know it. It lies in the model: results, reports and the manual speak of it too."""

from detcheck.model.exits import (
    BUG,
    DIVERGED,
    EQUAL,
    EXITS,
    INCONCLUSIVE,
    INTERRUPTED,
    INVALID,
    NOTHING,
    PRECEDENCE,
    combine,
)

__all__ = [
    "BUG",
    "DIVERGED",
    "EQUAL",
    "EXITS",
    "INCONCLUSIVE",
    "INTERRUPTED",
    "INVALID",
    "NOTHING",
    "PRECEDENCE",
    "combine",
]
