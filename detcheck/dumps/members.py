"""Folders and zip files: files of one tick each become one stream of ticks; other files are sessions of their own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from detcheck.dumps import names
from detcheck.dumps.options import ReadOptions
from detcheck.dumps.readers.base import free_name
from detcheck.dumps.repeated import tick_or_itself
from detcheck.dumps.unwrap import Input, Member, natural
from detcheck.errors import DetcheckError, Where, visible
from detcheck.model.record import Group, Record, Source

#: sessions of one member are numbered from its place times this
SESSIONS_A_MEMBER = 1000


def ticks_of(members: list[Member]) -> list[int] | None:
    """The tick each name states, when all do: by a word, else by the one number that varies.

    Several files may be of one tick (`tick_5_units.json`, `tick_5_rng.json`), where the rest of their names differs.
    """
    stated = [names.tick_in_name(member.name) for member in members]
    ticks = [tick for tick in stated if tick is not None]
    if len(ticks) == len(members) and (len(set(ticks)) == len(ticks) or len(set(ticks)) > 1):
        return ticks
    numbers = [re.findall(r"\d{1,18}", member.name) for member in members]
    if len(members) < 2 or len({len(found) for found in numbers}) != 1 or not numbers[0]:
        return None
    varying = [i for i in range(len(numbers[0])) if len({found[i] for found in numbers}) == len(members)]
    if not varying:
        varying = [i for i in range(len(numbers[0])) if _is_grid([found[i] for found in numbers], members)]
    return [int(found[varying[-1]]) for found in numbers] if varying else None


def _is_grid(values: list[str], members: list[Member]) -> bool:
    """Whether there are some kinds of files, nearly each of them for every value."""
    kinds = {re.sub(r"\d+", "#", member.name) for member in members}
    return len(set(values)) > 1 and 5 * len(members) >= 4 * len(set(values)) * len(kinds)


def kinds_of(members: list[Member]) -> list[str]:
    """What tells files of one tick apart: the pieces of their names that are not all the same and no numbers."""
    pieces = [[one for one in re.split(r"[\W\d_]+", member.name) if one] for member in members]
    common = set(pieces[0]).intersection(*pieces)
    return [" ".join(one for one in found if one not in common) for found in pieces]


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


def order_of(a: list[str], b: list[str]) -> tuple[tuple[dict[str, int], dict[str, int]], str]:
    """The place of each name of two sides, the same one for those that are a pair, and what to say of unlike names.

    Names that are the same are a pair. Where none is (`peerA.log`, `peerB.log`): those with the same numbers, or all in
    their order.
    """
    both = sorted({*a, *b}, key=natural)
    places = {name: place for place, name in enumerate(both)}
    if not a or not b or set(a) & set(b):
        return (places, places), ""
    keys = [[tuple(re.findall(r"\d+", name)) for name in side] for side in (a, b)]
    numbered = all(len(set(side)) == len(side) and () not in side for side in keys) and set(keys[0]) & set(keys[1])
    if numbered:
        order = {
            key: place
            for place, key in enumerate(sorted({*keys[0], *keys[1]}, key=lambda key: (len(key), [*map(int, key)])))
        }
        found = tuple(
            {name: order[key] for name, key in zip(side, one, strict=True)}
            for side, one in zip((a, b), keys, strict=True)
        )
        return (found[0], found[1]), "files are paired by the numbers in their names"
    if len(a) != len(b):
        return (places, places), ""
    found = tuple({name: place for place, name in enumerate(sorted(side, key=natural))} for side in (a, b))
    return (found[0], found[1]), "" if len(
        a
    ) == 1 else "no file has the name of one of the other side; they are paired in their order"


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
        order: dict[str, int] | None,
    ) -> None:
        self.source = source
        self.members = members
        self.ticks = ticks
        self.options = options
        self.order = order or {member.name: place for place, member in enumerate(members)}

    def run(self, first: Source) -> Iterator[Record]:
        """Records of all members; files that hold one record each are put in the order of their ticks."""
        singles: list[tuple[Record, str]] = []
        kinds = kinds_of(self.members)
        inner: Source | None = first
        for place, member in enumerate(self.members):
            source = inner or _inner(member, self.options, self.source.reader)
            inner = None
            records = self._of_member(source, place)
            head = list(_take(records, 2))
            single = len(head) < 2 and (self.ticks is not None or all(record.tick is not None for record in head))
            if single:
                singles.extend((record, kinds[place]) for record in head)
            else:
                number = self.order.get(member.name, place)
                yield from self._numbered(head, number, member, source)
                yield from self._numbered(records, number, member, source)
            self._keep(source, member, single)
        yield from self._in_order(singles)

    def _of_member(self, source: Source, place: int) -> Iterator[Record]:
        for count, record in enumerate(source.records):
            if record.tick is None and self.ticks is not None and count == 0:
                record.tick = self.ticks[place]
            record.line = 0
            yield record

    def _numbered(self, records: Iterable[Record], place: int, member: Member, source: Source) -> Iterator[Record]:
        """Records of a file that is no single tick: a session of its own."""
        for record in records:
            name = source.sessions.get(record.session)
            record.session += place * SESSIONS_A_MEMBER
            if len(self.members) > 1:
                self.source.sessions[record.session] = f"file {member.name}" + (f", {name}" if name else "")
            yield record

    def _in_order(self, singles: list[tuple[Record, str]]) -> Iterator[Record]:
        """Files of one tick each by their ticks; several of one tick become one record, each under its name."""
        singles.sort(key=lambda one: (one[0].tick is None, one[0].tick or 0))
        runs = [list(run) for _, run in groupby(singles, key=lambda one: tick_or_itself(one[0]))]
        several = [run for run in runs if len(run) > 1]
        if several:
            ticks = "each tick has" if len(several) == len(runs) else f"{len(several)} of {len(runs)} ticks have"
            self.source.remarks.append(f"{ticks} several files ({', '.join(kind or 'file' for _, kind in several[0])})")
        for run in runs:
            yield together(run) if several else run[0][0]

    def _keep(self, source: Source, member: Member, single: bool) -> None:
        for text in source.remarks:
            if len(self.source.remarks) < 50:
                self.source.remarks.append(f"{member.name}: {text}")
        for key, scalar in source.head.items():
            self.source.head.setdefault(key, scalar)
        for key, scalar in source.writer.items():
            self.source.writer.setdefault(key, scalar)
        if source.reader not in (self.source.reader, "empty") and not single:
            text = f"{member.name} reads as {source.reader}, the first file as {self.source.reader}"
            raise DetcheckError("dump.mixed", text, Where(self.source.name), "--reader NAME takes one for all")


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
