"""What loggers put in front of a line: dates, clocks, levels, source places, threads."""

from __future__ import annotations

import re

_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,:]\d{1,9})?)?"
_DATE = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|VERBOSE|LOG|DBG|INF|WRN|ERR|TRC|Display|Verbose)"
_PLACE = r"[\w/\\.+-]{1,200}\.(?:rs|cpp|cc|c|h|hpp|cs|py|js|ts|gd|go|lua|java|kt|swift|zig|hx):\d+(?::\d+)?:?"
_PIECE = re.compile(
    rf"""(?:
      (?:[\[(<]\s*+)?(?:{_DATE})(?:[T\ _-]{{1,3}}{_CLOCK})?+
      (?:\s*+(?:Z|UTC|[+-]\d{{2}}:?\d{{2}}|[AP]M))?+(?:\s*+[\])>])?+
    | (?:[\[(<]\s*+)?(?:t=)?{_CLOCK}(?:\s*+(?:Z|[AP]M))?+(?:\s*+[\])>])?+
    | (?:[\[(<]\s*+)?{_LEVEL}(?:\s*+[\])>])?+(?=[\s:|\]\[-]|$)
    | \[\s*+\d+\.\d{{2,9}}s?\s*+\]
    | [\[(]\s*+1[5-9]\d{{8}}(?:\.\d{{1,9}})?\s*+[\])](?=\s*+[\[(<]\s*+\d)
    | [\[(]\s*+(?:pid|tid|thread|thr|proc)\W{{0,2}}\w++\s*+[\])]
    | (?:{_PLACE})
    | (?-i:Log[A-Z]\w{{0,60}}:(?=\s))
    | (?:[A-Za-z_]\w{{0,80}}::){{1,8}}\w{{1,80}}:?(?=\s)
    )(?:\s*+[|:;,-])?+(?=\s|\[|\(|$|\w)""",
    re.VERBOSE | re.IGNORECASE,
)
_BLANKS = re.compile(r"\s*")
_MONTH = re.compile(r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2}\s+\d{2}:\d{2}:\d{2}\s+\S+\s")


_COLOUR = re.compile(r"\x1b\[[0-9;:]{0,40}[A-Za-z]")


def stripped(line: str) -> str:
    """The line behind its log prefix and without colours; a line without them comes back as it is."""
    if "\x1b" in line:
        line = _COLOUR.sub("", line)
    start = _BLANKS.match(line).end()  # type: ignore[union-attr]
    margin = start
    month = _MONTH.match(line, start)
    if month:
        start = month.end()
    for _ in range(8):
        match = _PIECE.match(line, start)
        if match is None or match.end() == start:
            break
        start = _BLANKS.match(line, match.end()).end()  # type: ignore[union-attr]
    return line[start:] if start > margin else line
