"""JSON Lines: one object a line, a record each; also behind a log prefix. Other lines are counted, not fatal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

from detcheck.dumps import names
from detcheck.dumps.readers import classify, documents, rows
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side
from detcheck.dumps.readers.json_repair import LOOSE, closed, mended
from detcheck.dumps.readers.json_tokens import READ_FIRST, unread
from detcheck.dumps.readers.json_values import LARGE, Values, fault_of, of_large, parse
from detcheck.dumps.sample import Sample
from detcheck.errors import DetcheckError
from detcheck.model.record import Group, Node, Record, Scalar

_SNIFFED = 40


def sniff(sample: Sample) -> Fit:
    """Several lines that are each a whole object (or one line too long for the sample that begins as one)."""
    lines = sample.content[:_SNIFFED]
    if not lines:
        begins = sample.cut_line.lstrip()[:64]
        return Fit(75, "one very long line of JSON") if begins[:2] in ('{"', "[{") else NO_FIT
    good = sum(1 for line in lines if _is_object(line))
    if good and (len(lines) > 1 or sample.cut_line) and good >= 0.6 * len(lines):
        return Fit(96 if good == len(lines) else 90, f"{good} of the first {len(lines)} lines are JSON objects")
    return NO_FIT


def _is_object(line: str) -> bool:
    start = line.find("{")
    if start < 0:
        return False
    try:
        value, end = json.JSONDecoder().raw_decode(line, start)
    except RecursionError:
        return False
    except ValueError:
        looser = mended(line[start:])
        return looser is not None and _group_of(looser) is not None
    return isinstance(value, dict) and bool(value) and not line[end:].strip(" ,;\t")


def read(side: Side) -> Iterator[Record]:
    """A record a line; a head line without a tick in front of lines with one goes to the head."""
    yield from rows.grouped(_plain(side), side)


def _plain(side: Side) -> Iterator[Record]:
    side.state.setdefault("rising", _rising(side.sample))
    side.slim()
    lines = side.lines()
    bad: list[int] = []
    failed: json.JSONDecodeError | None = None
    last = ""
    read = 0
    for line in lines:
        if read >= READ_FIRST and (known := unread(line, side, lines.number)) is not None:
            known.beside, lines.stepped, lines.last_tick = lines.stepped, None, known.tick
            yield known
            continue
        start = line.find("{")
        if start < 0:
            if line.strip(" \t,;[]"):
                bad.append(lines.number)
            continue
        try:
            value = _parsed(line, start, side)
        except json.JSONDecodeError as error:
            loose = _group_of(line[start:])
            if loose is None:
                failed = failed or error
                bad.append(lines.number)
                last = line[start:]
                continue
            value = loose
            side.remark(LOOSE)
        if isinstance(value, Group):
            for record in _records(value, side, lines.number, line[:start]):
                read += 1
                yield record
    if bad and bad[-1] == lines.number and lines.cut:
        yield from _cut_line(last, side, lines.number)
    _report(bad, failed, side, lines.number, lines.cut)


def _parsed(line: str, start: int, side: Side) -> Node:
    if len(line) < LARGE:
        return parse(line, start)[0]
    values = side.state.setdefault("values", of_large())
    assert isinstance(values, Values)
    return values.parse_large(line, start)[0]


def _cut_line(text: str, side: Side, line: int) -> Iterator[Record]:
    """The whole values of a last line that is cut short, where these name its tick (or it is the only line)."""
    found = closed(text) or closed(mended(text) or "")
    value = None if found is None else _group_of(found[0])
    if value is None or not value.items:
        return
    if not side.state.get("ticked"):
        assert found is not None
        documents.mark_open(value, found[1], line, side)
        yield from documents.records(value, side, line)
        side.state["ticked"] = side.state["cut_read"] = True
        return
    record = classify.record_of(value.items, side, line)
    if record.tick is not None and (record.fields.items or record.hashes or record.rng or record.inputs):
        record.cut = (line, record)
        side.state["cut_read"] = True
        yield record


def _tick_before(prefix: str, side: Side) -> int | None:
    """The tick in front of an object, `[tick 12] {…}`, where such numbers rise through the sample (no pid does)."""
    if "before" not in side.state:
        found = [_before(line[: line.find("{")], side) for line in side.sample.content[:_SNIFFED] if "{" in line]
        known = [tick for tick in found if tick is not None]
        rise = all(x <= y for x, y in pairwise(known)) and (len(set(known)) > 1 or len(known) == 1)
        side.state["before"] = len(known) == len(found) and rise
    return _before(prefix, side) if side.state["before"] else None


def _before(prefix: str, side: Side) -> int | None:
    from detcheck.dumps.readers.event_lines import split_tick

    return split_tick(f"{prefix}_", side.options.tick_field)[0] if prefix.strip() else None


def _records(value: Group, side: Side, line: int, prefix: str = "") -> Iterator[Record]:
    record = classify.record_of(value.items, side, line)
    if record.tick is None and prefix:
        record.tick = _tick_before(prefix, side)
    if record.tick is None and _holds_ticks(value, side):
        yield from documents.records(value, side, line)
        return
    if record.tick is None and not side.state.get("ticked") and not record.hashes and _is_head(value, side.sample):
        for name, node in value.items.items():
            (side.writer if names.is_writer(name) or names.plain(name) == "source" else side.head)(name, node)
        return
    side.state["ticked"] = True
    yield record


def _holds_ticks(value: Group, side: Side) -> bool:
    """Whether a line is a document of several ticks. Looked for in the first lines without a tick only."""
    looked = side.state.get("looked", 0)
    assert isinstance(looked, int)
    side.state["looked"] = looked + 1
    return looked < _SNIFFED and documents.list_of(value, side.options.tick_field) is not None


def _rising(sample: Sample) -> str | None:
    """The field whose numbers rise where lines name no tick plainly."""
    found = (_group_of(line) for line in sample.content[:_SNIFFED])
    return classify.rising_field([one.items for one in found if one is not None])


def _group_of(line: str) -> Group | None:
    """The object of a line, also one written looser than JSON."""
    begins = max(0, line.find("{"))
    value: Node | None
    try:
        value, _ = parse(line, begins)
    except json.JSONDecodeError:
        looser = mended(line[begins:])
        try:
            value = parse(looser)[0] if looser is not None else None
        except (json.JSONDecodeError, DetcheckError):
            return None
    except DetcheckError:
        return None
    return value if isinstance(value, Group) else None


def _is_head(value: Group, sample: Sample) -> bool:
    """A line that names something of the run, or holds a few values in front of lines that all name a tick.

    Lines of the same names throughout are records, whatever they name.
    """
    names_here = list(value.items)
    if sum(one is not None and list(one.items) == names_here for one in map(_group_of, sample.content[:3])) > 1:
        return False
    if any(names.is_head(name) or names.is_writer(name) for name in value.items):
        return True
    return all(isinstance(node, Scalar) for node in value.items.values()) and _ticks_follow(sample)


def _ticks_follow(sample: Sample) -> bool:
    following = sample.content[1:3]
    return bool(following) and all(_names_tick(line) for line in following)


def _names_tick(line: str) -> bool:
    value = _group_of(line)
    return value is not None and classify.find_tick(value.items, None) is not None


def _report(bad: list[int], failed: json.JSONDecodeError | None, side: Side, last: int, cut: bool) -> None:
    if bad and bad[-1] == last and cut:
        what = "" if side.state.get("cut_read") else " and was left out"
        side.remark(f"line {bad.pop()} is cut short{what}")
    if bad:
        side.remark(f"{len(bad)} lines are no JSON and were left out, the first is line {bad[0]}")
    if bad and not side.state.get("ticked") and failed:
        raise fault_of(failed, side.name, bad[0])


def head_lines(sample: Sample) -> int:
    """One where the first line names no tick and no hash but something of the run or its writer."""
    if not sample.content:
        return 0
    value = _group_of(sample.content[0])
    if value is None:
        return 1
    headless = classify.find_tick(value.items, _rising(sample)) is None and _is_head(value, sample)
    return sample.lines.index(sample.content[0]) + 1 if headless else 0


def tick_of(line: bytes, side: Side) -> int | None:
    """The tick of a line that is a record by itself."""
    try:
        known = unread(line.decode("utf-8"), side, 0)
    except UnicodeDecodeError:
        return None
    return None if known is None else known.tick


READER = Reader("json-lines", sniff, read, head_lines, tick_of=tick_of)
