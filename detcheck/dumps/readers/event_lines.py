"""Event and trace lines: a tick on each line, or in a line of its own, and what happened (draws, commands, calls)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from detcheck.dumps import names, tokens
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side, put
from detcheck.dumps.readers.line_noise import LineNoise
from detcheck.dumps.readers.log_prefix import stripped
from detcheck.dumps.readers.pair_rows import Parse, RowKeys
from detcheck.dumps.readers.pairs import value_of
from detcheck.dumps.readers.tick_lines import ALONE, tick_of
from detcheck.dumps.sample import Sample
from detcheck.model.record import Event, Group, Items, Node, Record, Scalar

_TICK = re.compile(
    r"(?<![A-Za-z])(?:(?:net|sim|game|logic|sync|current|server|world)[ _-]?)?"
    r"(?:tick|frame|turn|step|cycle|gametime|simtime|date)(?:[ _-]?(?:no|num|number|index|id))?"
    r"\s*+[:=#(\[]?+\s*+(-?\d{1,18})d?\b[)\]]?|(?:^|[\s\[(])[tfTF]\s*+[:=]\s*+(\d{1,18})\b[)\]]?"
    r"|^[\[(]?[tfTF](\d{1,18})(?=[\s:,;|\])])[\])]?",
    re.IGNORECASE,
)
_LEADING = re.compile(r"\s*[\[(<@#]?\s*(-?\d{1,18})(?:\s*[\])>])?(?:\s*+[:|,;>-]\s++|\s++|[;,|:](?=[A-Za-z\"]))(?=\S)")
#: `sync: 000b3a0a; 0f; 2e2ac0ea; 00062e26`: a date in hex, the part of that day, and hex values (OpenTTD)
_DATED = re.compile(r"(?:(\w+): )?([0-9a-fA-F]{8}); ([0-9a-fA-F]{2});")
_DAY_TICKS = 74
#: seconds since something, in front of a tick
_SECONDS = re.compile(r"[\[(]?\d{1,12}\.\d{1,9}s?[\])]?[:,;|]?")
#: a line of a stack trace
#: `Simulating tick #6...`
_SPOKEN = re.compile(r"\W*[A-Za-z]{3,}\s+(?:[A-Za-z]+\s+){0,4}(?:tick|frame|turn|step)\W", re.IGNORECASE)
_STACK = re.compile(r"\s+(?:at\s|#\d+\s|\[0x|from\s|in\s|by\s|<-|->|\.\.\.)")
_PAIR = re.compile(
    r"([A-Za-z_][\w.\-\[\]]{0,80})\s?=\s?(\"[^\"]{0,4000}\"|\([^()]{0,4000}\)|\[[^\[\]]{0,4000}\]|<[^<>]{0,4000}>"
    r"|[^\s,;]{1,4000})"
)
_COLON = re.compile(
    r"([A-Za-z_][\w.\-]{0,80}):\s?(\"[^\"]{0,4000}\"|\([^()]{0,4000}\)|[-+]?[\d.][^\s,;)\]]{0,200}|0x\w{1,80})"
)
_VALUE = re.compile(
    r"(?<![\w.#])(?:0x[0-9a-fA-F]{1,128}|[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|f32:[0-9a-fA-F]{8}"
    r"|\"[^\"]{0,4000}\"|[-+]?(?:(?:NaN|nan)(?:\(ind\))?|inf)"
    r"|(?<=; )[0-9a-fA-F]{2,64}(?=;|$)|(?=[a-fA-F]{0,63}\d)[0-9a-fA-F]{8,64}(?=[\s,;)\]]|$))"
    r"(?![\w#])"
)
#: the hash of the state whose tick a line names
_HASHED = re.compile(r"(?i)\b[A-Za-z]{0,12}_?(?:hash|checksum|crc(?:32|64)?|digest)\W{1,4}(?:0x)?[0-9a-f]{4}")
_OF_SESSION = re.compile(r"(?i)\W*(?:session|match|room|lobby|game)\b")
_MARKUP = re.compile(r"\s*[=\-*#_~]{3,}.*")
_LONGEST = 65536
_LONGEST_LABEL = 500


def sniff(sample: Sample) -> Fit:
    """Most lines name a tick and say something besides, ticks never fall much, and several lines share one."""
    lines = sample.content[:400]
    if sample.binary or len(lines) < 2 or sample.text.lstrip()[:1] == "{":
        return NO_FIT
    ticks: list[int] = []
    said = below = stack = spoken = hashed = state = 0
    leads = not has_headings(lines)
    for line in lines:
        tick, rest = split_tick(line, None, leads)
        if tick is None:
            below += bool(ticks)
            state += bool(ticks) and _is_state(rest)
            stack += bool(ticks and _STACK.match(line))
            continue
        ticks.append(tick)
        spoken += bool(_SPOKEN.match(line))
        hashed += bool(_HASHED.search(rest))
        said += bool(re.search(r"[A-Za-z]", rest))
    if len(ticks) < 2 or not (said or below):
        return NO_FIT
    rising = sum(a <= b for a, b in pairwise(ticks)) / (len(ticks) - 1)
    share = said / len(lines)
    if share >= 0.6 and rising > 0.6:
        shared = len(set(ticks)) < len(ticks)
        return Fit(58 if shared else 45, f"{said} of the first {len(lines)} lines name a tick and an event")
    if stack and said + stack >= len(lines) * 0.9 and rising > 0.6:
        return Fit(62, f"{said} of the first {len(lines)} lines name a tick and an event, with the calls below it")
    if spoken >= len(ticks) * 0.9 and said + below >= len(lines) * 0.9 and rising > 0.9 and len(set(ticks)) > 2:
        return Fit(62, f"what happened, below {len(ticks)} lines that name a tick among other words")
    flat = not any("{" in line for line in lines)
    if flat and min(hashed, state) >= len(ticks) * 0.9 and rising > 0.9 and len(set(ticks)) > 2:
        return Fit(63, f"what is below {len(ticks)} lines that name a tick and a hash")
    headed = len(ticks) - said
    if headed >= 2 and (below + said) >= len(lines) * 0.5 and rising > 0.9:
        return Fit(38, f"events below {len(ticks)} lines that name a tick")
    return NO_FIT


def _is_state(text: str) -> bool:
    """Whether a line has pairs that are not those of a session, the machine or the writer."""
    from detcheck.dumps.readers.hash_beside import is_noise

    found = [match[1] for pattern in (_PAIR, _COLON) for match in pattern.finditer(text)]
    return not all(is_noise(name) or names.is_head(name) for name in found) and _OF_SESSION.match(text) is None


def has_headings(lines: Sequence[str]) -> bool:
    """Whether lines that name the tick in words stand above others: a number those begin with is an id, no tick."""
    heading: int | None = None
    headings = ids = same = 0
    for line in lines:
        tick = tick_of(line, None)
        if tick is not None and ALONE.fullmatch(line) is None:
            heading, headings = tick, headings + 1
        elif heading is not None and (match := _found_tick(stripped(line[:_LONGEST]), None)) is not None:
            stated = next(group for group in match.groups() if group is not None)
            same += match.re is _DATED or int(stated) == heading
            ids += match.re is _LEADING
    return headings > 0 and ids > 2 * same


def split_tick(line: str, tick_field: str | None, leads: bool = True) -> tuple[int | None, str]:
    """The tick of a line, and the line without it and its log prefix. `leads`: whether it may be a leading number."""
    text = stripped(line[:_LONGEST])
    match = _found_tick(text, tick_field, leads)
    if match is None:
        return None, text
    if match.re is _DATED:
        date = int(match[2], 16) * _DAY_TICKS + int(match[3], 16)
        return date, f"{match[1] or ''} {text[match.end() :]}".strip()
    tick = next(group for group in match.groups() if group is not None)
    before = text[: match.start()].rstrip(" \t")
    if match[0][-1] in ")]":
        before = before.removesuffix("[").removesuffix("(")
    if _SECONDS.fullmatch(before):
        before = ""
    return int(tick), f"{before} {text[match.end() :]}".strip(" \t:|,;-")


def _found_tick(text: str, tick_field: str | None, leads: bool = True) -> re.Match[str] | None:
    """Where a line names its tick."""
    if tick_field:
        return re.search(rf"(?<!\w){re.escape(tick_field)}\s*+[:=#(\[]?+\s*+(-?\d{{1,18}})\b", text)
    match = _TICK.search(text[:400]) or (_LEADING.match(text) if leads else None)
    dated = _DATED.match(text) if match is None or match.re is _LEADING else None
    return dated or match or ALONE.fullmatch(text)


def read(side: Side) -> Iterator[Record]:
    """A record a tick; commands are inputs, everything else is an ordered stream of events."""
    lines = side.lines()
    leads = not has_headings(side.sample.content[:400])
    noise = LineNoise(side, _befores(side))
    keys = RowKeys(side, _pairs_of(side))
    record: Record | None = None
    size = 0
    for text in lines:
        if not text.strip():
            continue
        tick, rest = split_tick(text, side.options.tick_field, leads)
        bare = _MARKUP.match(text) and not re.search(r"[A-Za-z0-9]", rest)
        if tick is not None and (record is None or tick != record.tick):
            if record is not None:
                yield keys.settled(record)
            record, size = Record(tick, lines.number), 0
        if record is None and lines.number > side.head_lines and side.state.get("resumed"):
            continue  # of a tick whose line stands in the part that was skipped
        if record is None:
            key, sep, value = text.strip(" #/;").partition(":")
            if sep and len(key) < 60:
                (side.writer if names.is_writer(key) else side.head)(key.strip(), tokens.bare(value.strip()))
            continue
        if not rest or bare:
            continue
        size += len(text)
        if size > side.options.max_record:
            raise side.fault("dump.record_too_long", f"tick {record.tick} is larger than --max-record", record.line)
        if lines.cut:
            record.cut = (lines.number, keys.settled(_copy(record)))
        event = event_of(noise.cleaned(rest), lines.number)
        if len(text) > _LONGEST:
            event.fields.items["rest of the line"] = Scalar("str", text[_LONGEST:], text[_LONGEST:])
        add(record, event)
    if record is not None:
        record.ends = lines.number
        yield keys.settled(record)


def _befores(side: Side) -> Iterator[str]:
    """What stands in front of the tick, for each line of the sample that names one."""
    for line in side.sample.content[:200]:
        match = _found_tick(stripped(line[:_LONGEST]), side.options.tick_field)
        if match is not None:
            yield match.string[: match.start()].rstrip(" \t")


def _copy(record: Record) -> Record:
    """A record that does not change with the line that is still to come."""
    return replace(record, hashes=dict(record.hashes), events=list(record.events))


def _pairs_of(side: Side) -> Parse:
    """(tick, event) of a line of the sample, as RowKeys wants it."""

    def parse(line: str) -> tuple[int, Event] | None:
        tick, rest = split_tick(line, side.options.tick_field)
        return (tick, event_of(rest, 0)) if tick is not None and rest else None

    return parse


def add(record: Record, event: Event) -> None:
    """Puts an event where it belongs: commands and inputs are a class of their own, checksums are hashes."""
    words = names.words(event.label)
    if any(word in names.INPUT_WORDS for word in words) and not event.is_rng:
        items = record.inputs.items if isinstance(record.inputs, Items) else []
        record.inputs = Items([*items, Group({"what": tokens.text(event.label), **event.fields.items})])
        return
    fields = event.fields.items
    if len(fields) == 1 and (not words or names.is_hash(event.label)):
        name, node = next(iter(fields.items()))
        if names.is_hash(name) and isinstance(node, Scalar):
            scalar = tokens.as_hash(node)
            if "hash" not in record.hashes and scalar.kind == "hash":
                record.hashes["hash"] = scalar
                return
    record.events.append(event)


def event_of(text: str, line: int) -> Event:
    """`rng draw value=91827 by ai[3]`: named values and numbers are fields, the words are the label."""
    fields: dict[str, Node] = {}
    rest = text
    for pattern in (_PAIR, _COLON):
        pieces, start = [], 0
        for match in pattern.finditer(rest):
            put(fields, match[1], value_of(match[2]))
            pieces.append(rest[start : match.start()])
            start = match.end()
        rest = " ".join([*pieces, rest[start:]])
    place = 0

    def take(match: re.Match[str]) -> str:
        nonlocal place
        place += 1
        put(fields, f"value{place}" if place > 1 else "value", tokens.bare(match[0]))
        return " "

    rest = _VALUE.sub(take, rest)
    label = " ".join(re.sub(r"\(\s*\)|\[\s*\]|\s[:=|,;>-]+(?=\s|$)", " ", rest).split()).strip(" :=|,;-")
    said = names.words(label)
    is_rng = any(word in _RNG for word in said) or any(names.is_rng(name) for name in fields)
    if len(label) > _LONGEST_LABEL:
        put(fields, "text", Scalar("str", label, label))  # what is aligned on is cut, what is compared is not
    return Event(label[:_LONGEST_LABEL], Group(fields), line, is_rng)


_RNG = names.word_set("rng prng rand random draw draws roll rolls gamerand randint randrange nextint")


def head_lines(sample: Sample) -> int:
    """What stands in front of the first tick."""
    return next((i for i, line in enumerate(sample.lines) if split_tick(line, None)[0] is not None), len(sample.lines))


READER = Reader("event-lines", sniff, read, head_lines)
