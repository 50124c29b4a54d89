"""A strip of checkpoints in the width there is: `.` equal, `x` diverged, blank not reached."""

from __future__ import annotations

#: what one character says of a group of checkpoints: the worst of it
_WORST = ("x", ".", " ")

LEGEND = "strip: . equal, x diverged, blank not reached; a checkpoint each, or N with /N"


def compress(strip: str, cells: int) -> tuple[str, int]:
    """(the strip in at most `cells` characters, checkpoints a character).

    A group with a divergence shows `x`, a group reached in part `.`, so that no divergence disappears; the group size
    is told, and all groups but the last have it.
    """
    if len(strip) <= cells:
        return strip, 1
    group = -(-len(strip) // max(1, cells))
    groups = (strip[start : start + group] for start in range(0, len(strip), group))
    return "".join(next(c for c in _WORST if c in part) for part in groups), group


def fitted(strip: str, width: int) -> str:
    """The strip in at most `width` characters (but not under 4 of it), `/N` behind it when a character stands for N."""
    if len(strip) <= width:
        return strip
    suffix = 1 + len(str(len(strip)))
    shown, group = compress(strip, max(4, width - suffix))
    return f"{shown}/{group}"
