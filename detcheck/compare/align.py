"""Two streams of records side by side, by session and tick; plain hash streams in bulk.

One record a side is held at a time. Readers promise rising ticks within a session (model/record.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from operator import ne

from detcheck.model.record import HashBlock, Record, Source

_Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pair:
    """The records of one tick; one of them None where only the other side has that tick."""

    a: Record | None
    b: Record | None


@dataclass(frozen=True, slots=True)
class Run:
    """Entries of two hash blocks with the same ticks, one after the other: places `at_a`, `at_b`, `length` of them."""

    a: HashBlock
    b: HashBlock
    at_a: int
    at_b: int
    length: int

    def records(self, index: int) -> tuple[Record, Record]:
        """Entry `index` of the run as records."""
        return self.a.record(self.at_a + index), self.b.record(self.at_b + index)

    def tick(self, index: int) -> int:
        """The tick of entry `index`."""
        return self.a.ticks[self.at_a + index]

    def unlike(self) -> list[int]:
        """Entries whose hashes differ, rising."""
        mine = self.a.tokens[self.at_a : self.at_a + self.length]
        theirs = self.b.tokens[self.at_b : self.at_b + self.length]
        if mine == theirs:
            return []
        return list(compress(range(self.length), map(ne, mine, theirs)))


class Cursor:
    """One side: the record or block that comes next, and what has been read of it.

    Sessions are counted from the first that is not skipped; `sessions` is how many were seen, with those.
    """

    def __init__(self, source: Source, skip_sessions: int = 0) -> None:
        self.sessions = 0
        stream: Iterator[HashBlock | Record] = source.records if source.blocks is None else source.blocks
        self._stream = self._counted(stream, skip_sessions)
        self.block: HashBlock | None = None
        self.place = 0
        self.record: Record | None = None
        self.count = 0
        self.take()

    @property
    def ended(self) -> bool:
        """Whether nothing is left."""
        return self.block is None and self.record is None

    def key(self) -> _Key | None:
        """(session, tick) of what comes next; None for a record without a tick."""
        if self.block is not None:
            return (self.block.session, self.block.ticks[self.place])
        assert self.record is not None
        tick = self.record.tick
        return None if tick is None else (self.record.session, tick)

    def next_record(self) -> Record:
        """What comes next, as a record, and step over it."""
        if self.block is not None:
            record = self.block.record(self.place)
            self.advance(1)
            return record
        record_now = self.record
        assert record_now is not None
        self.count += 1
        self.take()
        return record_now

    def advance(self, entries: int) -> None:
        """Step over entries of the block."""
        assert self.block is not None
        self.place += entries
        self.count += entries
        if self.place >= len(self.block.ticks):
            self.take()

    def _counted(self, stream: Iterator[HashBlock | Record], skip: int) -> Iterator[HashBlock | Record]:
        for item in stream:
            self.sessions = item.session + 1
            item.session -= skip
            if item.session >= 0:
                yield item

    def take(self) -> None:
        """Fetch the next record or block that holds something."""
        self.block, self.record, self.place = None, None, 0
        for item in self._stream:
            if isinstance(item, Record):
                self.record = item
                return
            if item.ticks:
                self.block = item
                return

    def put_back(self, record: Record) -> None:
        """Undo one look ahead."""
        following, rest = self.record if self.block is None else self.block, self._stream

        def again() -> Iterator[HashBlock | Record]:
            if following is not None:
                yield following
            yield from rest

        self._stream = again()
        self.block, self.place, self.record = None, 0, record


def aligned(a: Cursor, b: Cursor, bulk: bool) -> Iterator[Pair | Run]:
    """Pairs in the order of sessions and ticks. With `bulk`, runs of hash blocks come whole."""
    while not a.ended and not b.ended:
        if bulk and a.block is not None and b.block is not None and a.key() == b.key():
            yield _run(a, b)
            continue
        mine, theirs = a.key(), b.key()
        if mine == theirs or _only_records(a, b, mine, theirs):
            yield Pair(a.next_record(), b.next_record())
        elif theirs is None or (mine is not None and mine < theirs):
            yield Pair(a.next_record(), None)
        else:
            yield Pair(None, b.next_record())
    while not a.ended:
        yield Pair(a.next_record(), None)
    while not b.ended:
        yield Pair(None, b.next_record())


def _only_records(a: Cursor, b: Cursor, mine: _Key | None, theirs: _Key | None) -> bool:
    """Whether each side is a single record and one of them names no tick: there is nothing else it could belong to."""
    if (mine is None) == (theirs is None) or a.count or b.count or a.record is None or b.record is None:
        return False
    first_a, first_b = a.record, b.record
    a.take()
    b.take()
    alone = a.ended and b.ended
    a.put_back(first_a)
    b.put_back(first_b)
    return alone


def _run(a: Cursor, b: Cursor) -> Run:
    """The longest run of equal ticks from where both blocks stand."""
    block_a, block_b = a.block, b.block
    assert block_a is not None
    assert block_b is not None
    at_a, at_b = a.place, b.place
    length = min(len(block_a.ticks) - at_a, len(block_b.ticks) - at_b)
    ticks_a, ticks_b = block_a.ticks[at_a : at_a + length], block_b.ticks[at_b : at_b + length]
    if ticks_a != ticks_b:
        length = next(i for i, (x, y) in enumerate(zip(ticks_a, ticks_b, strict=True)) if x != y)
    a.advance(length)
    b.advance(length)
    return Run(block_a, block_b, at_a, at_b, length)
