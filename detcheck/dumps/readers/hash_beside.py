"""What else a line of a hash log says: counts and state beside the tick and the hashes, and which of it is noise.

`units=3`, `units: 3`, `alive 40`, `(40 entities)`, and the further columns of `120 <hash> 40`, named c3, c4, ….
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from detcheck.dumps import names

#: `units=3`, and a number behind a colon: `Units: 3`
_PAIR = re.compile(
    r"(?<![\w./\\])([A-Za-z_][\w.]{0,60})(?:=|: ?(?=-?\d+(?:\.\d+)?(?:[\s,;|)]|$)))([^\s,;=\])}]{1,200})(?![^\s,;\])}])"
)
#: a number that is no part of a name, a path, a place in a source, a clock or a fraction
_NUMBER = re.compile(
    r"(?<![\w.@/\\:$%+-])([-+]?\d{1,40}(?:\.\d{1,40})?)(ms|us|µs|ns|s|fps|[kKMG]i?[bB]|[kM]?[hH]z)?"
    r"(?![\w\\/:%]|\.\w)(?!\s?%)"
)
_BEFORE = re.compile(r"([A-Za-z][\w.-]{0,40})['\"]?(?:[ ]{0,2}[:=#>]{1,2}[ ]{0,2}#?|[ ]{1,4}#?)$")
_AFTER = re.compile(r"[ ]([A-Za-z][\w-]{0,40})(?![\w=:])")
_MEASURED = re.compile(r"[-+]?[\d.]+\s*(?:ms|us|µs|ns|s|fps|%|[kKMG]i?[bB]?|hz|Hz)|[\d:.TZ/-]*:[\d:.TZ/-]*")
_WORD_BEFORE = 60
_PLACE = re.compile(r".*\.(?:rs|cpp|cc|c|h|hpp|cs|py|js|ts|gd|go|lua|java|kt|swift|zig|hx)", re.IGNORECASE)
_CELL = re.compile(r"[^,;\t|]+")

_NOISE = names.word_set(
    "ms dt fps ping rtt latency jitter lag time ts elapsed took duration wall us ns cpu gpu mem heap rss thread tid "
    "delta frametime steptime now clock late queue ahead behind delay loss bytes sent received recv bandwidth addr ptr "
    "match session game room run world lobby uptime framerate walltime wallclock realtime systime address pointer "
    "memory memusage allocs line col column timestamp date datetime utc unixtime attempt retry retries port socket "
    "packets pkts pid process"
)
_UNITS = names.word_set(
    "ms us ns s sec secs second seconds msec usec millis milliseconds microseconds fps hz khz mhz ghz kb mb gb kib mib "
    "gib b byte bytes kbps mbps bps percent"
)
#: the end of a name that says in what it is measured: `frame_ms`, `simMs`
_UNIT_ENDS = frozenset(("ms", "us", "ns", "fps", "millis", "usec", "msec", "hz"))
_QUALIFIERS = names.word_set(
    "player peer client system part module layer entity unit channel category slot phase stage"
)
#: words in front of a number that say nothing of it
_FILLERS = names.word_set(
    "of in at to from for with and after the is was on by took as or than over until since has have hash checksum crc "
    "digest got but no"
)


class Beside(NamedTuple):
    """A value, where it stands in the line, and whether it is noise: it measures the machine, or is of the log."""

    name: str
    value: str
    start: int
    end: int
    noise: bool


def is_measured(value: str) -> bool:
    """Whether a value has a unit of the machine, or is a clock's: `16ms`, `12:00:01`."""
    return _MEASURED.fullmatch(value) is not None


def unquoted(value: str) -> str:
    """A value without quotation marks."""
    return value.strip("\"'")


def is_place(name: str) -> bool:
    """Whether what stands in front of a colon is a file of source: `sync.rs:88`."""
    return _PLACE.fullmatch(name) is not None


def measures(name: str) -> bool:
    """Whether a name beside a hash measures the machine, or is of the log."""
    said = names.words(name)
    return names.plain(name) in _NOISE or (len(said) > 1 and said[-1] in _UNIT_ENDS)


def is_noise(name: str) -> bool:
    """The same, or whether it is the name of a writer."""
    return measures(name) or names.is_writer(name)


def beside(text: str, taken: list[tuple[int, int]], tokens: frozenset[str], tick_at: int, cells: bool) -> list[Beside]:
    """The values of a line in their order; `taken` are the spans of its tick, its hashes and their names.

    Numbers without a name count behind the tick, which ends at `tick_at`: in front of it loggers number their lines.
    `cells`: the line is plain columns, so that words between commas are values too.
    """
    masked = text
    for start, end in taken:
        masked = f"{masked[:start]}{';' * (end - start)}{masked[end:]}"
    found: list[Beside] = []
    for match in _PAIR.finditer(masked):
        name, value = match[1], match[2]
        named = names.is_hash(name) or names.plain(name) in _QUALIFIERS or is_place(name)
        noise = measures(name)
        if value not in tokens and not named and not value.startswith(";") and (noise or not is_measured(value)):
            found.append(Beside(name, unquoted(value), match.start(2), match.end(2), noise))
        masked = f"{masked[: match.start()]}{';' * (match.end() - match.start())}{masked[match.end() :]}"
    found += _numbers(text, masked, tick_at)
    if cells:
        found += _cells(text, masked, found)
    return sorted(found, key=lambda one: one.start)


def _numbers(text: str, masked: str, tick_at: int) -> Iterator[Beside]:
    """Numbers by the word in front of them, else by the one behind, else by their column."""
    used = 0
    for match in _NUMBER.finditer(masked):
        (start, end), value = match.span(1), match[1]
        after = _AFTER.match(masked, match.end())
        before = _BEFORE.search(masked, max(used, start - _WORD_BEFORE), start)
        if match[2] or (after and names.plain(after[1]) in _UNITS):
            yield Beside("", value, start, end, True)
        elif before and names.plain(before[1]) not in _FILLERS:
            if names.plain(before[1]) not in _QUALIFIERS:
                yield Beside(before[1], value, start, end, measures(before[1]))
        elif start < tick_at:
            yield Beside("", value, start, end, True)
        elif after and names.plain(after[1]) not in _FILLERS:
            used = after.end()
            yield Beside(after[1], value, start, end, measures(after[1]))
        else:
            yield Beside(_column(text, start), value, start, end, False)


def _column(text: str, start: int) -> str:
    """`c3` for what stands in the third column."""
    before = text[:start]
    signs = re.sub(r"[^,;|\t]", "", before)
    return f"c{len(signs) + 1 if signs else len(before.split()) + 1}"


def _cells(text: str, masked: str, found: list[Beside]) -> Iterator[Beside]:
    """Words in columns of their own: `12,<hash>,paused`."""
    for match in _CELL.finditer(masked):
        value = match[0].strip()
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        held = any(match.start() <= one.start < match.end() for one in found)
        if value and not held and re.fullmatch(r"[A-Za-z][\w .-]{0,60}", value):
            yield Beside(_column(text, start), value, start, start + len(value), False)
