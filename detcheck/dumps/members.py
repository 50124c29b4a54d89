"""Folders and zip files: files of one tick each become one stream of ticks; other files are sessions of their own."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, groupby

from detcheck.dumps.file_names import kinds_of, ticks_of, without_others
from detcheck.dumps.options import ReadOptions
from detcheck.dumps.readers.base import free_name, tick_or_itself
from detcheck.dumps.unwrap import Input, Member
from detcheck.errors import DetcheckError, Where, visible
from detcheck.model.record import Group, Record, Source

#: sessions of one member are numbered from its place times this
SESSIONS_A_MEMBER = 1000
#: files without a tick that are held open beside those of one tick each
MOST_BESIDE = 64
_NO_SHAPE = ("empty", "raw-bytes")


def chained(
    opened: Input, options: ReadOptions, order: dict[str, int] | None = None, shared: frozenset[str] | None = None
) -> Source:
    """All members as one source. `order` (shared by both sides of a pair) numbers the members that are no ticks.

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
    if order:
        members = sorted(members, key=lambda member: order.get(member.name, len(order)))
    known = dict(zip((member.name for member in members), ticks_of(members), strict=True))
    members = sorted(members, key=lambda member: known[member.name] is None)
    chain = _Chain(source, members, [known[member.name] for member in members], options, order)
    first = chain.opened_first()
    source.reader = first.reader
    source.why = f"{len(members)} files, the first: {first.why}"
    source.head, source.writer = first.head, first.writer
    source.records = chain.run(first)
    return source


def _inner(member: Member, options: ReadOptions, like: str = "", tick: int | None = None) -> Source:
    """A member's source; read `like` the first one of its kind where that reader fits at all."""
    from detcheck.dumps.open import choose, prepared, reader_named, source_of

    side = prepared(member.opener(), options, tick)
    chosen = choose(side)
    if like not in ("", *_NO_SHAPE, chosen[0].name) and chosen[1].score >= 0:
        reader = reader_named(like)
        fit = reader.sniff(side.sample)
        chosen = (reader, fit) if fit.score > 0 else chosen
    return source_of(side, options, chosen)


@dataclass
class _Odd:
    """A file whose name states no tick, opened: its place, and what has been read of it."""

    place: int
    source: Source
    head: list[Record]
    rest: Iterator[Record]

    @property
    def is_hashes(self) -> bool:
        """Whether it gives a hash a tick and nothing else."""
        return len(self.head) > 1 and all(
            one.tick is not None and one.hashes and not (one.fields.items or one.events or one.rng) for one in self.head
        )


class _Chain:
    def __init__(
        self,
        source: Source,
        members: list[Member],
        ticks: list[int | None],
        options: ReadOptions,
        order: dict[str, int] | None,
    ) -> None:
        self.source = source
        self.members = members
        self.ticks = ticks
        self.options = options
        self.order = order or {member.name: place for place, member in enumerate(members)}
        #: the first one that is not empty
        self.start = 0
        #: the reader of each kind of file
        self.like: dict[str, str] = {}

    @property
    def has_ticks(self) -> bool:
        """Whether names state ticks: files whose names do not are beside those."""
        return self.ticks[0] is not None

    def opened_first(self) -> Source:
        """The source of the first member that is not empty."""
        while True:
            found = self._open(self.start)
            if found.reader != "empty" or self.start + 1 == len(self.members):
                return found
            self._empty(self.start)
            self.start += 1

    def _open(self, place: int) -> Source:
        member = self.members[place]
        kind = re.sub(r"\d+", "#", member.name)
        found = _inner(member, self.options, self.like.get(kind, ""), self.ticks[place])
        if found.reader not in _NO_SHAPE:
            self.like.setdefault(kind, found.reader)
        return found

    def _empty(self, place: int) -> None:
        if len(self.members) > 1:
            self.source.remarks.append(f"{visible(self.members[place].name, 80)} is empty")

    def run(self, first: Source) -> Iterator[Record]:
        """Records of all members; files that hold one record each are put in the order of their ticks."""
        singles: list[tuple[Record, str]] = []
        odd: list[_Odd] = []
        kinds = kinds_of(self.members)
        for place in range(self.start, len(self.members)):
            source = first if place == self.start else self._open(place)
            if source.reader == "empty":
                self._empty(place)
                continue
            if self.has_ticks and self.ticks[place] is None and source.reader == "raw-bytes":
                name = visible(self.members[place].name, 80)
                self.source.remarks.append(f"{name} beside the files of one tick each is in no known shape: left out")
                continue
            records = self._of_member(source, place)
            head = list(_take(records, 2))
            if len(head) < 2 and (self.ticks[place] is not None or all(one.tick is not None for one in head)):
                singles.extend((record, kinds[place]) for record in head)
                self._keep(source, self.members[place])
            elif self.ticks[place] is None and len(odd) < MOST_BESIDE:
                odd.append(_Odd(place, source, head, records))
            else:
                self._like_the_first(source, self.members[place])
                yield from self._session(_Odd(place, source, head, records))
        hashes = [one for one in odd if one.is_hashes]
        beside = hashes[0] if len(hashes) == 1 and singles else None
        yield from self._in_order(singles) if beside is None else self._with_hashes(singles, beside)
        for one in odd:
            if one is not beside:
                yield from self._session(one)

    def _with_hashes(self, singles: list[tuple[Record, str]], beside: _Odd) -> Iterator[Record]:
        """States of some ticks, and the hashes of all of them from a file beside these."""
        states = deque(self._in_order(singles))
        for record in chain(beside.head, beside.rest):
            while states and (record.session or (states[0].tick or 0) < (record.tick or 0)):
                yield states.popleft()
            if states and states[0].tick == record.tick:
                state = states.popleft()
                for name, scalar in record.hashes.items():
                    state.hashes[free_name(state.hashes, name)] = scalar
                record = state
            yield record
        yield from states
        self._keep(beside.source, self.members[beside.place])

    def _of_member(self, source: Source, place: int) -> Iterator[Record]:
        for count, record in enumerate(source.records):
            if record.tick is None and count == 0:
                record.tick = self.ticks[place]
            record.line = 0
            yield record

    def _session(self, one: _Odd) -> Iterator[Record]:
        """Records of a file that is no single tick: a session of its own."""
        member, source = self.members[one.place], one.source
        # ticks of files of one tick each are the session in front
        number = self.order.get(member.name, one.place) + (self.has_ticks and self.ticks[one.place] is None)
        for record in chain(one.head, one.rest):
            name = source.sessions.get(record.session)
            record.session += number * SESSIONS_A_MEMBER
            if len(self.members) > 1:
                self.source.sessions[record.session] = f"file {member.name}" + (f", {name}" if name else "")
            yield record
        self._keep(source, member)

    def _in_order(self, singles: list[tuple[Record, str]]) -> Iterator[Record]:
        """Files of one tick each by their ticks; several of one tick become one record, each under its name."""
        singles.sort(key=lambda one: (one[0].tick is None, one[0].tick or 0))
        _are_whole([record for record, _ in singles])
        runs = [list(run) for _, run in groupby(singles, key=lambda one: tick_or_itself(one[0]))]
        several = [run for run in runs if len(run) > 1]
        if several:
            ticks = "each tick has" if len(several) == len(runs) else f"{len(several)} of {len(runs)} ticks have"
            self.source.remarks.append(f"{ticks} several files ({', '.join(kind or 'file' for _, kind in several[0])})")
        for run in runs:
            yield together(run) if several else run[0][0]

    def _like_the_first(self, source: Source, member: Member) -> None:
        """Files of many ticks each are of one shape, unless their names say that they stand beside others."""
        if source.reader != self.source.reader:
            text = f"{member.name} reads as {source.reader}, the first file as {self.source.reader}"
            raise DetcheckError("dump.mixed", text, Where(self.source.name), "--reader NAME takes one for all")

    def _keep(self, source: Source, member: Member) -> None:
        for text in source.remarks:
            if len(self.source.remarks) < 50:
                self.source.remarks.append(f"{member.name}: {text}")
        for key, scalar in source.head.items():
            self.source.head.setdefault(key, scalar)
        for key, scalar in source.writer.items():
            self.source.writer.setdefault(key, scalar)


def _are_whole(records: list[Record]) -> None:
    """Where several files end without a newline they all do, and are whole; else only the last may have been cut."""
    without = [record for record in records if record.cut is not None and record.cut[1] is not record]
    for record in without if len(without) > 1 else ():
        record.cut = None
    for record in records[:-1]:
        record.ends = 0


def together(run: list[tuple[Record, str]]) -> Record:
    """One record of several files of one tick: what each holds stands under its name."""
    whole = Record(run[0][0].tick)
    for record, kind in run:
        name = free_name(whole.fields.items, kind or "file")
        whole.fields.items[name] = record.fields
        whole.hashes.update({name if key == "hash" else f"{name}.{key}": one for key, one in record.hashes.items()})
        whole.rng.update({f"{name}.{key}": one for key, one in record.rng.items()})
        whole.events.extend(record.events)
        whole.derived |= {f"{name}.{path}" for path in record.derived}
        if record.inputs is not None:
            whole.inputs = Group({}) if whole.inputs is None else whole.inputs
            assert isinstance(whole.inputs, Group)
            whole.inputs.items[name] = record.inputs
    return whole


def _take(records: Iterator[Record], count: int) -> Iterator[Record]:
    for _, record in zip(range(count), records, strict=False):
        yield record
