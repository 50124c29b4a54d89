"""Small words of the command line: did you mean, counts, durations."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """ " Did you mean 'x'?" for the closest known words, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f" Did you mean {' or '.join(repr(c) for c in close)}?" if close else ""


def number_of(option: str, text: str) -> int:
    """An integer as people write seeds: decimal or 0x…. Raises DetcheckError."""
    from detcheck.errors import DetcheckError, visible

    try:
        if len(text) > 64:
            raise ValueError
        return int(text, 0)
    except ValueError:
        hint = f"as in {option} 42 or {option} 0x1DE7C0DE"
        raise DetcheckError("option.number", f"{option} {visible(text, 70)!r} is not an integer", None, hint) from None
