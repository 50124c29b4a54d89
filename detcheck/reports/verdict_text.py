"""The verdict line of a comparison as plain text: all that `-q` shows, without the cost of importing rich."""

from __future__ import annotations

from detcheck.errors import visible
from detcheck.model.comparison import Comparison

WORDS = {"same": "same", "diverged": "", "ends_early": "ends early", "inconclusive": "inconclusive"}


def verdict_text(comparison: Comparison) -> str:
    """`diverged at tick 17: ...`: one line, however long, so that it can be searched for."""
    word = WORDS.get(comparison.verdict, comparison.verdict)
    text = visible(comparison.reason, 2_000)
    return f"{word}: {text}" if word else text
