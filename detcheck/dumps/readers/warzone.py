"""Warzone 2100 sync debug logs: a block a game time, an event a line, long lines cut into their parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from detcheck.dumps import names, tokens
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side, put
from detcheck.dumps.sample import Sample
from detcheck.model.record import Event, Group, Items, Node, Record, Scalar

_BEGIN = re.compile(r"=+ BEGIN gameTime=(\d{1,18}), (\d{1,18}) entries, CRC (0x[0-9A-Fa-f]{1,32}) =+\s*")
_END = re.compile(r"=+ END gameTime=.*")
_ENTRY = re.compile(r"\[([^\]]{1,200})\] ?(.*)")
_VALUE = re.compile(r"(?:(-?\d+) )?([A-Za-z_][^=]{0,100}?) = (-?\d{1,40})")
_OBJECT = re.compile(r"(?:([<>M*!?~^v+-]{1,2}|[A-Z]) )?([^=]{1,200}?) = (.*)")
_PART = re.compile(r"([A-Za-z_]+)(-?[0-9][0-9A-Za-z./:-]*)?(.*)", re.DOTALL)
_MAX_DEPTH = 24
#: the engine cuts its lines at 512
_LONGEST = 8192


def sniff(sample: Sample) -> Fit:
    """The line a block begins with."""
    return Fit(97, "a Warzone 2100 sync log") if any(_BEGIN.fullmatch(line) for line in sample.lines) else NO_FIT


def read(side: Side) -> Iterator[Record]:
    """A record a block; backtrace lines hold addresses and are left out, as the writer leaves them out of the CRC."""
    lines = side.lines()
    record: Record | None = None
    stated = seen = traces = size = 0
    for text in lines:
        begin = _BEGIN.fullmatch(text)
        if begin or _END.fullmatch(text):
            if record is not None:
                _check(record, stated, seen, side)
                yield record
            record = None
            if begin:
                record = Record(int(begin[1]), lines.number, hashes={"CRC": tokens.hashed(begin[3], 16)})
                stated, seen, size = int(begin[2]), 0, 0
            continue
        if record is None or not text.strip():
            continue
        size += len(text)
        if size > side.options.max_record:
            raise side.fault("dump.record_too_long", "a block is larger than --max-record", lines.number)
        seen += 1
        if text.startswith("[BT]"):
            traces += 1
        else:
            record.events.append(event_of(text, lines.number))
    if record is not None:
        side.remark(f"the block of gameTime {record.tick} has no end; the file is cut short at line {lines.number}")
        whole = record.events[:-1] if lines.cut else record.events
        record.cut = (lines.number, replace(record, events=whole))
        yield record
    if traces:
        side.remark(f"{traces} backtrace lines ([BT]) hold addresses and were left out")


def _check(record: Record, stated: int, seen: int, side: Side) -> None:
    if stated != seen:
        side.remark(f"the block of gameTime {record.tick} states {stated} entries and holds {seen}")


def event_of(text: str, line: int) -> Event:
    """`[droidUpdate] < droid5021 = p3;pos(…)` and `[gameRand] 4 rand = 91827`."""
    entry = _ENTRY.fullmatch(text)
    function, rest = (entry[1], entry[2]) if entry else ("", text)
    is_rng = any(part in ("rand", "random", "rng") for part in names.words(function))
    value = _VALUE.fullmatch(rest)
    if value:
        label = f"{function} {value[1]}" if value[1] else function
        return Event(label, Group({value[2]: tokens.integer(value[3])}), line, is_rng)
    made = _OBJECT.fullmatch(rest)
    if made:
        label = " ".join(part for part in (function, made[1], made[2]) if part)
        return Event(label, parts_of(made[3]), line, is_rng)
    numbers = re.findall(r"-?\d+(?:\.\d+)?", rest[:4096])
    label = re.sub(r"-?\d+(?:\.\d+)?", "#", rest[:200]).strip()
    fields: dict[str, Node] = {f"[{i}]": tokens.bare(n) for i, n in enumerate(numbers)}
    if len(rest) > 200:
        fields["text"] = Scalar("str", rest, rest)  # the label holds only its beginning
    return Event(f"{function} {label}".strip(), Group(fields), line, is_rng)


def parts_of(text: str, depth: int = 0) -> Group:
    """`p3;pos(1,2,3),body712` as p=3, pos=[1, 2, 3], body=712."""
    items: dict[str, Node] = {}
    if len(text) > _LONGEST:
        return Group({"text": Scalar("str", text, text)})
    for place, part in enumerate(_split(text)):
        if not part:
            continue
        match = _PART.fullmatch(part)
        if match is None:
            items[f"[{place}]"] = _plain(part, depth)
            continue
        name, number, rest = match[1], match[2], match[3]
        if number and not rest:
            put(items, name, tokens.bare(number))
        elif rest.startswith("(") and rest.endswith(")") and not number:
            put(items, name, _plain(rest, depth))
        else:
            put(items, name, _mixed(number, rest, depth))
    return Group(items)


def _plain(part: str, depth: int) -> Node:
    """A bracket as a list (or a group, when its parts are named); anything else as a value."""
    if depth >= _MAX_DEPTH or not (part.startswith("(") and part.endswith(")")):
        return tokens.bare(part)
    inner = part[1:-1]
    if re.match(r"[A-Za-z_]+[-0-9(]", inner):
        return parts_of(inner, depth + 1)
    return Items([_plain(one, depth + 1) for one in _split(inner)])


def _mixed(number: str | None, rest: str, depth: int) -> Node:
    """`order2(900,3100)^0`: the number, the bracket and what follows it."""
    items: dict[str, Node] = {}
    if number:
        items["value"] = tokens.bare(number)
    end = rest.rfind(")") + 1
    if rest.startswith("(") and end:
        items["at"] = _plain(rest[:end], depth)
        rest = rest[end:]
    if rest:
        items["rest"] = tokens.bare(rest.lstrip("^"))
    return Group(items) if items else Scalar("str", "", "")


def _split(text: str) -> list[str]:
    """Cut at commas and semicolons outside brackets."""
    found, depth, start = [], 0, 0
    for match in re.finditer(r"[(),;]", text):
        if match[0] == "(":
            depth += 1
        elif match[0] == ")":
            depth -= 1
        elif depth <= 0:
            found.append(text[start : match.start()])
            start = match.end()
    found.append(text[start:])
    return found


READER = Reader("warzone", sniff, read)
