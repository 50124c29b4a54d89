"""Lines with a tick and a hash, in every spelling: plain columns at speed, logs line by line."""

from __future__ import annotations

from collections.abc import Iterator

from detcheck.dumps.readers.base import Reader, Side
from detcheck.dumps.readers.hash_log import Log
from detcheck.dumps.readers.hash_sniff import sniff
from detcheck.dumps.readers.hash_spelling import PLAIN_BYTES, PLAIN_ENTRY, layout_of, spelling_of
from detcheck.dumps.sample import Sample
from detcheck.dumps.settle import HASH_WINDOW, Settler
from detcheck.model.record import HashBlock, Record


def read(side: Side) -> Iterator[Record]:
    """Every checkpoint as a Record."""
    for one in blocks(side):
        if isinstance(one, HashBlock):
            yield from one.records()
        else:
            yield one


def blocks(side: Side) -> Iterator[HashBlock | Record]:
    """Runs of plain rising lines in bulk, everything else settled and one by one.

    A block is held back until the next one has been seen: a rollback at its start may reach into it.
    """
    return _Blocks(side).run()


def _rise(ticks: list[int]) -> bool:
    """Whether each tick is above the one before; at once for ticks without a gap."""
    return ticks == list(range(ticks[0], ticks[0] + len(ticks))) or not any(map(int.__ge__, ticks, ticks[1:]))


#: enough for a format to prove right, and to learn a second one
_FIRST_LINES = 32


class _Blocks:
    def __init__(self, side: Side) -> None:
        self.side = side
        self.spelling = spelling_of(side)
        self.base = self.spelling.base
        self.told = side.options.tick_field is not None
        self.lines = side.lines()
        self.log = Log(side, self.base, layout=layout_of(side))
        self.settler = Settler(side.source.remarks, HASH_WINDOW, side.skipped)
        self.log.earlier = lambda tick: self.settler.pending.get(tick)

    def run(self) -> Iterator[HashBlock | Record]:
        held: tuple[HashBlock, bytes] | None = None
        for data in self._pieces():
            floor = held[0].ticks[-1] if held else self.settler.last
            block = self._plain_block(data, floor)
            if block:
                if held:
                    yield from self._given(held[0])
                held = block, data
                self.lines.number += len(block.ticks)
                continue
            if held:
                self.lines.number = held[0].line - 1
                yield from self._slowly(held[1])
                held = None
            yield from self._slowly(data)
        if held:
            yield from self._given(held[0])
        yield from self._end()

    def _pieces(self) -> Iterator[bytes]:
        """Blocks of lines; the first few by themselves, so that the format they show serves the rest of the first."""
        blocks = self.lines.blocks()
        first = next(blocks, b"")
        end = 0
        for _ in range(_FIRST_LINES):
            end = first.find(b"\n", end) + 1 or len(first)
        yield from filter(None, (first[:end], first[end:]))
        yield from blocks

    def _given(self, block: HashBlock) -> Iterator[HashBlock | Record]:
        yield from self.settler.flush()
        block.session = self.settler.session
        self.settler.rises_to(block.ticks[0], block.ticks[-1])
        yield block

    def _plain_block(self, data: bytes, floor: int) -> HashBlock | None:
        """The lines in bulk when every one is plain and the ticks rise from `floor`; None otherwise."""
        if self.log.busy() or not data.endswith(b"\n"):
            return None
        low = data.lower()
        if low.translate(None, PLAIN_BYTES):
            found = None if self.log.layout.lead else self.log.templates.block(data)
            return self._block(*found, floor) if found else None
        parts = low.replace(b",", b" ").replace(b"0x", b"").decode("ascii").split()
        hashes = parts[1::2]
        try:
            ticks = list(map(int, parts[0::2]))
        except ValueError:
            return None
        if len(ticks) != len(hashes) or data.count(b"\n") != len(ticks):
            return None
        return self._block(ticks, hashes, floor)

    def _block(self, ticks: list[int], hashes: list[str], floor: int) -> HashBlock | None:
        """A block, unless a tick falls or repeats or a hash is spelled unlike the others."""
        if not self.spelling.fits(hashes):
            return None
        started = self.settler.first is not None or self.lines.number > 0
        if (started and ticks[0] <= floor) or not _rise(ticks):
            return None
        return HashBlock(ticks, hashes, self.base, 0, self.lines.number + 1)

    def _slowly(self, data: bytes) -> Iterator[Record]:
        if data.isspace():
            self.lines.number += data.count(b"\n")
            return
        texts = data.split(b"\n")
        if not texts[-1]:
            texts.pop()
        for text in texts:
            self.lines.number += 1
            plain = PLAIN_ENTRY.fullmatch(text)
            if plain and not self.told:
                found = self.log.plain(int(plain[1]), plain[2].decode("ascii"), self.lines.number)
            elif words := self.log.templates.words(text):
                found = self.log.said(words, self.lines.number)
            else:
                found = self.log.line(self.lines.decode(text), self.lines.number)
            for record in found:
                yield from self.settler.feed(record)
        uniform = self.log.was_plain or self.log.templates.block(data) is not None
        if uniform and not self.log.layout.several and data.endswith(b"\n"):
            for record in self.log.done():
                yield from self.settler.feed(record)

    def _end(self) -> Iterator[Record]:
        if self.lines.cut:
            self.log.cut_at(self.lines.number)
        for record in self.log.end():
            yield from self.settler.feed(record)
        yield from self.settler.end()


def head_lines(sample: Sample) -> int:
    """None: whatever is no hash is passed over."""
    return 0


READER = Reader("hash-lines", sniff, read, head_lines, settled=True, blocks=blocks)
