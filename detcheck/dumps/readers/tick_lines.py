"""Lines that say nothing but the tick of what follows: `# tick 13`, `=== frame 13 ===`, `Turn 13:`."""

from __future__ import annotations

import re

from detcheck.dumps.readers.log_prefix import stripped
from detcheck.dumps.readers.pairs import pairs_of

_TICK_LINE = re.compile(
    r"[\s=#\-*\[<({|\"']*(?:begin|start|end of|dump|state|snapshot|sim|game|net|world|sync|current|#)?[ _-]?"
    r"(tick|frame|turn|step|cycle|gametime|simtime|checkpoint|iteration)(?:[ _-]?(?:no|num|number|index|id|count))?"
    r"[\"']?\s*[:=#]*\s*[\"']?(-?\d{1,18})[\"']?[\s\]=#\-*>):{};,|\"']*",
    re.IGNORECASE,
)
#: `=== Simulation state at turn 55 ===`
_BANNER = re.compile(
    r"\s*[=#*~_-]{2,}\s*(?:[A-Za-z]+\s+){0,6}(tick|frame|turn|step|cycle|gametime|simtime)\s*[:=#]*\s*(\d{1,18})\b"
    r"[\s=#*~_():.-]*",
    re.IGNORECASE,
)
_TICK_WORD = re.compile("tick|frame|turn|step|cycle|time|checkpoint|iteration", re.IGNORECASE)
#: `#12`, `== 12 ==`: a mark and a number, nothing else
ALONE = re.compile(r"\s*(?:[#@]|={2,}|-{3,}|\*{2,})\s*(\d{1,18})\s*(?:={2,}|-{3,}|\*{2,}|:)?\s*")


def tick_of(text: str, tick_field: str | None) -> int | None:
    """The tick of a line that begins a record: it says nothing but its tick."""
    if tick_field:
        key, value = pairs_of(text.strip(" \t{[]}"))[0]
        return int(value) if key == tick_field and re.fullmatch(r"-?\d{1,18}", value) else None
    if len(text) >= 200:
        return None
    alone = ALONE.fullmatch(text)
    if alone or not _TICK_WORD.search(text):
        return int(alone[1]) if alone else None
    match = _TICK_LINE.fullmatch(stripped(text)) or _BANNER.fullmatch(text)
    return int(match[2]) if match else None
