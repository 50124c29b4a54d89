"""Sentences broken at words where the line would end; a command in them is one word, so that it can be pasted."""

from __future__ import annotations

import re
from textwrap import wrap

#: a command that is to be typed begins a text or stands behind a colon, and goes on to the end of its sentence
_COMMAND = re.compile(r"(?:^\s*|(?<=: )|(?<=:  ))detcheck [^;]*")
_HELD = "\x00"
_NARROWEST = 20


def flowed(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """Lines of at most `width` characters, but for words and commands that are longer; `first`, `later` begin them."""
    lines = wrap(
        _COMMAND.sub(lambda command: command[0].replace(" ", _HELD), text),
        max(_NARROWEST, width),
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_HELD, " ") for line in lines] or [first.rstrip()]
