"""Small words of the command line: did you mean, counts, durations."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """" Did you mean 'x'?" for the closest known words, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f" Did you mean {' or '.join(repr(c) for c in close)}?" if close else ""
