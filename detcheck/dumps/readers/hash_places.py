"""Lines whose tick stands in an unusual place: behind the hash, in a file's name, in the brackets of the hash."""

from __future__ import annotations

import re
from typing import NamedTuple

_HEX = r"(?:0[xX])?[0-9a-fA-F]{8,128}"
_WORD = r"(?:state|sync|world|game|sim)?[ _.]?(?:hash|checksum|crc(?:16|32|64)?|digest|md5|sha1|sha256)(?:es|s)?"
_ENDING = r"(?:\.[A-Za-z]\w{0,9}){0,3}"
_TABLE = (
    # `0x00000025 0x…`
    re.compile(r"\W{0,4}(?P<tick>0[xX][0-9a-fA-F]{1,8})[\s,;:|=>-]+(?P<hash>0[xX][0-9a-fA-F]{4,128})\W{0,4}"),
    # `hash[37] = 0x…`, `checksum(frame 37): …`
    re.compile(
        rf"\W{{0,4}}(?P<word>{_WORD})\s?[\[(](?:[a-z]{{1,8}}[ #:=])?(?P<tick>\d{{1,18}})[\])]\s*(?:[:=]|->|=>|is)?\s*"
        rf"(?P<hash>0[xX][0-9a-fA-F]{{1,128}}|[0-9a-fA-F]{{4,128}}|-?\d{{1,40}})\W{{0,4}}",
        re.IGNORECASE,
    ),
    # `H(37) = …`, `T+37 …`, `snapshot[37].hash = …`, `frames/37: …`
    re.compile(
        r"\W{0,4}(?:sim|state|snapshot|frames?|ticks?|turns?|hash|crc|sync|[htfs])"
        r"[ @(/\[+#_-]{1,2}(?P<tick>\d{1,18})[\])]?"
        rf"(?:\.?[ ]?{_WORD}|\sh)?\s*(?:[:=,]|->|=>|\s)\s*(?P<hash>{_HEX})\W{{0,4}}",
        re.IGNORECASE,
    ),
    # `MD5 (frame_000037.sav) = …`
    re.compile(rf"\s*[A-Za-z0-9/-]{{2,12}} ?\([^()\s]*?(?P<tick>\d{{1,18}}){_ENDING}\) ?= ?(?P<hash>{_HEX})\s*"),
    # what md5sum writes, and `… @ 37`
    re.compile(
        rf"\W{{0,4}}(?P<hash>(?![0-9]{{8,15}}\s){_HEX})\s*(?:[\s*@#:,;>-]|\bat\s)+"
        rf"(?:(?=\S*[g-wyzG-WYZ_./-])\S*?[^\d\s])??(?P<tick>\d{{1,18}}){_ENDING}\W{{0,4}}"
    ),
)


class Place(NamedTuple):
    """The tick, the hash as (name, token), and whether a word says that it is one."""

    tick: int
    hash: tuple[str, str]
    named: bool


def placed(text: str) -> Place | None:
    """Tick and hash of a whole line that is one of these forms."""
    for pattern in _TABLE:
        match = pattern.fullmatch(text)
        if match:
            base = 16 if match["tick"][:2].lower() == "0x" else 10
            return Place(int(match["tick"], base), ("", match["hash"]), "word" in match.groupdict())
    return None


_ALONE = re.compile(r"[\[(<{#=*@_-]+\s?#?(\d{1,18})\s?[\])>}#=*@:_-]*")


def alone(text: str) -> int | None:
    """The number of a line that is nothing but one between signs: `[37]`, `--- 37 ---`."""
    match = _ALONE.fullmatch(text)
    return int(match[1]) if match else None
