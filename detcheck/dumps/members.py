"""Folders and zip files: files of one tick each become one stream of ticks; other files are sessions of their own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from detcheck.dumps import names
from detcheck.dumps.options import ReadOptions
from detcheck.dumps.unwrap import Input, Member
from detcheck.errors import DetcheckError, Where, visible
from detcheck.model.record import Record, Source

#: sessions of one member are numbered from its place times this
SESSIONS_A_MEMBER = 1000


def ticks_of(members: list[Member]) -> list[int] | None:
    """The tick each name states, when all do and no two the same: by a word, else by the one number that varies."""
    stated = [names.tick_in_name(member.name) for member in members]
    ticks = [tick for tick in stated if tick is not None]
    if len(ticks) == len(members) and len(set(ticks)) == len(ticks):
        return ticks
    numbers = [re.findall(r"\d{1,18}", member.name) for member in members]
    if len(members) < 2 or len({len(found) for found in numbers}) != 1 or not numbers[0]:
        return None
    varying = [i for i in range(len(numbers[0])) if len({found[i] for found in numbers}) == len(members)]
    return [int(found[varying[-1]]) for found in numbers] if varying else None


_DOCUMENT = re.compile(
    r"(?i)(?:.*/)?(?:(?:readme|license|licence|notice|changelog|thumbs\.db|desktop\.ini|\.ds_store|\.git\w*)(?:\.\w+)?"
    r"|.*\.(?:md|rst|html?|png|jpe?g|gif|bmp|pdf|sh|bat|py|exe|dll|so))"
)


def without_others(members: list[Member], shared: frozenset[str] | None) -> tuple[list[Member], list[Member]]:
    """Members that are dumps, and others beside files of one tick each: documents, and what the other side lacks."""
    stated = [member for member in members if names.tick_in_name(member.name) is not None]
    if len(stated) < 2:
        shape = Counter(re.sub(r"\d+", "#", member.name) for member in members).most_common(1)
        most = shape[0][0] if shape and "#" in shape[0][0] and shape[0][1] > 1 else None
        stated = [member for member in members if re.sub(r"\d+", "#", member.name) == most]
    if len(stated) * 2 <= len(members) or len(stated) < 2:
        return members, []
    kept = {id(member) for member in stated}
    others = [
        member
        for member in members
        if id(member) not in kept
        and (_DOCUMENT.fullmatch(member.name) or (shared is not None and member.name not in shared))
        and not re.search(r"\d", member.name.rpartition(".")[0])
    ]
    gone = {id(member) for member in others}
    return [member for member in members if id(member) not in gone], others


def chained(
    opened: Input, options: ReadOptions, order: list[str] | None = None, shared: frozenset[str] | None = None
) -> Source:
    """All members as one source. `order` (names of both sides of a pair) numbers the members that are no ticks.

    `shared` are the names that both sides have.
    """
    source = Source(opened.name, "", iter(()), remarks=opened.remarks, wrapping=tuple(opened.wrapping))
    if not opened.members:
        source.reader, source.why = "empty", "there is no file in it"
        return source
    members, others = without_others(opened.members, shared)
    if others:
        listed = ", ".join(visible(member.name, 80) for member in others[:5])
        more = f" and {len(others) - 5} more" if len(others) > 5 else ""
        source.remarks.append(f"{listed}{more} beside the files of one tick each: left out")
    ticks = ticks_of(members)
    first = _inner(members[0], options)
    source.reader = first.reader
    source.why = f"{len(members)} files, the first: {first.why}"
    source.head, source.writer = first.head, first.writer
    source.records = _Chain(source, members, ticks, options, order).run(first)
    return source


def _inner(member: Member, options: ReadOptions, like: str = "") -> Source:
    """A member's source; read `like` the first one where that reader fits at all."""
    from detcheck.dumps.open import choose, prepared, reader_named, source_of

    side = prepared(member.opener(), options)
    chosen = choose(side)
    if like not in ("", "empty", chosen[0].name) and chosen[1].score >= 0:
        reader = reader_named(like)
        fit = reader.sniff(side.sample)
        chosen = (reader, fit) if fit.score > 0 else chosen
    return source_of(side, options, chosen)


class _Chain:
    def __init__(
        self,
        source: Source,
        members: list[Member],
        ticks: list[int] | None,
        options: ReadOptions,
        order: list[str] | None,
    ) -> None:
        self.source = source
        self.members = members
        self.ticks = ticks
        self.options = options
        self.order = {name: place for place, name in enumerate(order or [member.name for member in members])}

    def run(self, first: Source) -> Iterator[Record]:
        """Records of all members; files that hold one record each are put in the order of their ticks."""
        singles: list[Record] = []
        inner: Source | None = first
        for place, member in enumerate(self.members):
            source = inner or _inner(member, self.options, self.source.reader)
            inner = None
            records = self._of_member(source, place)
            head = list(_take(records, 2))
            if len(head) < 2 and (self.ticks is not None or all(record.tick is not None for record in head)):
                singles.extend(head)
            else:
                yield from _numbered(head, self.order.get(member.name, place))
                yield from _numbered(records, self.order.get(member.name, place))
            self._keep(source, member)
        yield from self._in_order(singles)

    def _of_member(self, source: Source, place: int) -> Iterator[Record]:
        for count, record in enumerate(source.records):
            if record.tick is None and self.ticks is not None and count == 0:
                record.tick = self.ticks[place]
            record.line = 0
            yield record

    def _in_order(self, singles: list[Record]) -> Iterator[Record]:
        last: int | None = None
        for record in sorted(singles, key=lambda record: (record.tick is None, record.tick or 0)):
            if record.tick is not None and record.tick == last:
                self.source.remarks.append(f"two files state tick {last}; the first one counts")
                continue
            last = record.tick
            yield record

    def _keep(self, source: Source, member: Member) -> None:
        for text in source.remarks:
            if len(self.source.remarks) < 50:
                self.source.remarks.append(f"{member.name}: {text}")
        for key, scalar in source.head.items():
            self.source.head.setdefault(key, scalar)
        for key, scalar in source.writer.items():
            self.source.writer.setdefault(key, scalar)
        if source.reader != self.source.reader and source.reader != "empty":
            text = f"{member.name} reads as {source.reader}, the first file as {self.source.reader}"
            raise DetcheckError("dump.mixed", text, Where(self.source.name), "--reader NAME takes one for all")


def _take(records: Iterator[Record], count: int) -> Iterator[Record]:
    for _, record in zip(range(count), records, strict=False):
        yield record


def _numbered(records: object, place: int) -> Iterator[Record]:
    for record in records:  # type: ignore[attr-defined]
        record.session += place * SESSIONS_A_MEMBER
        yield record
