"""The head that two files share byte for byte: found at the speed of comparing bytes."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from itertools import pairwise

from detcheck.dumps.newlines import NewlineCounter
from detcheck.dumps.readers.base import Reader, Side
from detcheck.dumps.repeated import AHEAD, opened
from detcheck.dumps.settle import HASH_WINDOW, WINDOW
from detcheck.dumps.sizes import size_text
from detcheck.dumps.streams import Stream
from detcheck.errors import DetcheckError
from detcheck.model.record import Record, Skipped, Source

#: lines kept in front of the first unlike one, so that a rollback can still reach them; and bytes at most
_KEPT_LINES = {"hash-lines": HASH_WINDOW, "table": HASH_WINDOW, "event-lines": HASH_WINDOW, "text-tree": HASH_WINDOW}
_KEPT_BYTES = 4 * 1024 * 1024
_KEPT_WHOLE = 3


@dataclass
class _Head:
    """How far both streams are equal: `tail` is the last part of it, `total` its length, `lines` its newlines."""

    total: int
    lines: int
    tail: bytes
    whole: bool


def skip_equal_head(a: Side, b: Side, reader: Reader) -> Skipped | None:
    """Skips what can be skipped; both streams go on with the reader's head lines and the last equal lines."""
    if reader.head_lines is None:
        return None
    counts = [reader.head_lines(side.sample) for side in (a, b)]
    if any(count >= len(side.sample.lines) for count, side in zip(counts, (a, b), strict=True)):
        return None
    sides = (a,) if a.sample.data == b.sample.data else (a, b)
    if any(_several_sessions(side, reader) for side in sides):
        return None  # each goes on from its own tick
    heads = [_take_lines(side, count) for side, count in zip((a, b), counts, strict=True)]
    found = _compare(a, b)
    from_start = found.total == len(found.tail)
    kept = _last_lines(found.tail, _KEPT_LINES.get(reader.name, WINDOW), from_start)
    gone = found.total - len(kept)
    if not gone:
        for side, head in zip((a, b), heads, strict=True):
            side.stream.push(head + found.tail)
        return None
    first = _records(a, reader, _first_lines(a.sample.data, min(len(a.sample.lines), counts[0] + 24)), 3)
    one_line = _one_line_a_record(first)
    if one_line or reader.name == "hash-lines":
        gone_tail = found.tail[: len(found.tail) - len(kept)]
        last = _tick(_records(a, reader, heads[0] + _end_of(gone_tail, from_start), None)[-1:])
    else:
        kept, last = _from_a_whole_record(a, reader, heads[0], kept)
        gone = found.total - len(kept)
    lines = found.lines - kept.count(b"\n")
    skipped = Skipped(gone, lines, lines if one_line else None, _tick(first), last, found.whole)
    for side, head, count in zip((a, b), heads, counts, strict=True):
        side.stream.push(head + kept)
        side.skipped, side.head_lines = skipped, count
        side.state["resumed"] = True
        side.source.skipped = skipped
    return skipped


def _several_sessions(side: Side, reader: Reader) -> bool:
    """Whether the sample holds sessions that are told apart by name."""
    if reader.name == "hash-lines":
        from detcheck.dumps.readers.hash_spelling import layout_of

        return layout_of(side).sessions > 1
    data = side.sample.data[: side.sample.data.rfind(b"\n") + 1]
    return any(record.session for record in _records(side, reader, data, AHEAD))


def _from_a_whole_record(side: Side, reader: Reader, head: bytes, kept: bytes) -> tuple[bytes, int | None]:
    """`kept` from its second record on, since the first one may have lost its beginning; and the tick of that one.

    Where a record is larger than what is kept, its part stays, and the last tick before it is not known.
    """
    found = sorted(_records(side, reader, head + kept[: kept.rfind(b"\n") + 1], None), key=lambda record: record.line)
    later = [record.line for record in found if record.line > found[0].line]
    if not later:
        return kept, None
    start = len(_first_lines(kept, later[0] - 1 - head.count(b"\n")))
    return kept[start:], found[0].tick


def _take_lines(side: Side, count: int) -> bytes:
    """Reads the head lines off a stream."""
    head = _first_lines(side.sample.data, count)
    side.stream.push(side.stream.read()[len(head) :])
    return head


def _first_lines(data: bytes, count: int) -> bytes:
    end = 0
    for _ in range(count):
        end = data.find(b"\n", end) + 1
    return data[:end]


def _last_lines(tail: bytes, count: int, from_start: bool) -> bytes:
    """The last `count` whole lines of `tail`, and the beginning of a line behind them.

    `from_start`: the tail is all there was; otherwise its own first line has lost its beginning.
    """
    end = tail.rfind(b"\n") + 1
    for _ in range(count):
        before = tail.rfind(b"\n", 0, max(0, end - 1)) + 1
        if before == 0:
            break
        end = before
    else:
        return tail[end:]
    # the line at `end` is left to what is skipped, so that its last tick is known
    return tail if from_start else tail[tail.find(b"\n", end) + 1 :]


def _compare(a: Side, b: Side) -> _Head:
    """Reads both streams as long as they are equal; pushes back what is behind the first difference."""
    tail = _Tail(a)
    left_a, left_b = _equal_chunks(a.stream, b.stream, tail)
    while left_a and left_b:
        size = min(len(left_a), len(left_b))
        same = left_a[:size]
        if same != left_b[:size]:
            same = same[: _first_difference(same, left_b[:size])]
        if same:
            tail.add(same)
        left_a, left_b = left_a[len(same) :], left_b[len(same) :]
        if len(same) < size:
            break
        if not left_a and not left_b:
            left_a, left_b = _equal_chunks(a.stream, b.stream, tail)
        left_a = left_a or a.stream.read()
        left_b = left_b or b.stream.read()
    a.stream.push(left_a)
    b.stream.push(left_b)
    return _Head(tail.total, tail.lines, b"".join(chunk for chunk, _ in tail.kept), not left_a and not left_b)


def _equal_chunks(a: Stream, b: Stream, tail: _Tail) -> tuple[bytes, bytes]:
    """Takes whole chunks that are equal, gives the first two that are not: most of a large pair is read here."""
    read_a, read_b, add = a.read, b.read, tail.add
    one, other = read_a(), read_b()
    while one == other and one:
        add(one)
        one, other = read_a(), read_b()
    return one, other


class _Tail:
    """The last part of what is equal: enough bytes, and some whole lines however long they are."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.kept: deque[tuple[bytes, int]] = deque()
        self.held = self.held_lines = self.open = 0
        self._counter = NewlineCounter()

    @property
    def total(self) -> int:
        """Bytes so far."""
        return self._counter.size

    @property
    def lines(self) -> int:
        """Newlines so far."""
        return self._counter.total

    def add(self, chunk: bytes) -> None:
        """Takes the next equal chunk, lets go of what is no longer needed."""
        newlines = self._counter.add(chunk)
        self.kept.append((chunk, newlines))
        self.held += len(chunk)
        self.held_lines += newlines
        self.open = len(chunk) - chunk.rfind(b"\n") - 1 if newlines else self.open + len(chunk)
        if self.held <= _KEPT_BYTES:
            return
        while self.held - len(self.kept[0][0]) > _KEPT_BYTES and self.held_lines - self.kept[0][1] > _KEPT_WHOLE:
            gone, count = self.kept.popleft()
            self.held -= len(gone)
            self.held_lines -= count
        limit = self.side.options.max_record
        if self.open > limit:
            text = f"a line (or record) is longer than {size_text(limit)}"
            raise self.side.fault("dump.record_too_long", text, self.lines + 1, "--max-record raises the limit")


def _first_difference(one: bytes, other: bytes) -> int:
    """The place of the first unlike byte of two that are not equal."""
    low, high = 0, len(one)
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _end_of(skipped: bytes, from_start: bool) -> bytes:
    """The last few whole lines of a part that ends in a newline."""
    end = len(skipped)
    for _ in range(4):
        before = skipped.rfind(b"\n", 0, max(0, end - 1)) + 1
        if before == 0:
            return skipped if from_start else skipped[end:]
        end = before
    return skipped[end:]


def _records(side: Side, reader: Reader, data: bytes, count: int | None) -> list[Record]:
    chunks = iter((data,))
    source = Source(side.name, reader.name, iter(()))
    probe = replace(
        side, stream=Stream(lambda: next(chunks, b"")), source=source, state={**side.state, "resumed": True}
    )
    found: list[Record] = []
    try:
        for record in opened(reader, probe):
            if record.tick is not None:
                found.append(record)
            if count is not None and len(found) >= count:
                break
    except DetcheckError:
        return found
    return found


def _tick(records: list[Record]) -> int | None:
    return records[0].tick if records else None


def _one_line_a_record(first: list[Record]) -> bool:
    """Whether the first records stand on consecutive lines."""
    lines = [record.line for record in first]
    return len(lines) > 1 and all(b == a + 1 for a, b in pairwise(lines))
