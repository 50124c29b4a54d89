"""Byte streams under every reader: chunks with look-ahead, a bound, lines."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from detcheck.dumps.options import RATIO_FROM_BYTES, ReadOptions
from detcheck.dumps.sizes import size_text
from detcheck.errors import DetcheckError, Where

if TYPE_CHECKING:
    from detcheck.dumps.twins import Twins
    from detcheck.model.record import Skipped

CHUNK = 128 * 1024

#: the error handler that shows a byte that is no UTF-8 as ‹eb›: printable, and no escape of any format
VISIBLE = "detcheck.visible"


def _visible_bytes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(f"\u2039{byte:02x}\u203a" for byte in error.object[error.start : error.end]), error.end


codecs.register_error(VISIBLE, _visible_bytes)


class Bytes(Protocol):
    """Anything with a binary `read`."""

    def read(self, size: int = -1, /) -> bytes | None:
        """Up to `size` bytes; b"" at the end."""


class Stream:
    """A chunk source with look-ahead. `peek` never consumes, `push` puts bytes back in front."""

    def __init__(self, chunks: Callable[[], bytes]) -> None:
        self._chunks = chunks
        self._front = b""
        self._ended = False

    def read(self) -> bytes:
        """The next chunk of whatever size; b"" at the end."""
        if self._front:
            front, self._front = self._front, b""
            return front
        return self._next()

    def _next(self) -> bytes:
        if self._ended:
            return b""
        chunk = self._chunks()
        self._ended = not chunk
        return chunk

    def peek(self, size: int) -> bytes:
        """At least `size` bytes without consuming them, fewer only at the end."""
        if len(self._front) < size:
            parts, have = [self._front], len(self._front)
            while have < size and (chunk := self._next()):
                parts.append(chunk)
                have += len(chunk)
            self._front = b"".join(parts)
        return self._front

    def push(self, data: bytes) -> None:
        """Puts `data` in front of what is still unread."""
        self._front = data + self._front

    def take(self, size: int) -> bytes:
        """The first `size` bytes of what was peeked at."""
        taken, self._front = self._front[:size], self._front[size:]
        return taken


def of_file(file: Bytes, name: str) -> Stream:
    """A stream over a binary file object; a failing read is a fault of the file `name`."""

    def chunks() -> bytes:
        try:
            return file.read(CHUNK) or b""
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise DetcheckError("dump.unreadable", f"cannot be read: {reason}", Where(name)) from None

    return Stream(chunks)


class Budget:
    """What one side may unpack to, over all its layers and members."""

    def __init__(self, name: str, options: ReadOptions) -> None:
        self.name = name
        self.options = options
        self.unpacked = 0

    def spend(self, produced: int, layer_in: int, layer_out: int, what: str) -> None:
        """Counts `produced` bytes of a layer that has read `layer_in` and given `layer_out`; a bomb is a fault."""
        self.unpacked += produced
        limit, ratio = self.options.max_unpacked, self.options.max_ratio
        if self.unpacked > limit:
            raise self._fault(f"unpacks to more than {size_text(limit)}")
        if layer_out > RATIO_FROM_BYTES and layer_out > ratio * layer_in:
            raise self._fault(f"{what}: {layer_in} bytes unpack to more than {layer_out} (over {ratio} times)")

    def _fault(self, text: str) -> DetcheckError:
        return DetcheckError("dump.bomb", text, Where(self.name), "unpack it yourself if it is meant to be that large")


class Lines:
    """A UTF-8 stream as lines without their ends. `number` is that of the last line given, from 1.

    `taken` counts the bytes of the lines given. `cut` tells at the end whether the last line had no newline.
    A line longer than the options' max_record is a fault.
    `jump` = (after, by): behind line `after` the numbers go on `by` higher, for lines that were skipped.
    Iterating may pass over blank lines. NUL padding around a line and a carriage return at its end are dropped.
    With `twins` (twins.py) stretches that the other side has too are stepped over: `stepped` says so to the reader,
    which says which tick it has read last (`last_tick`); `ahead` is one that this side has yet to come to, `given` how
    many lines stand in front of the next block.
    """

    def __init__(self, stream: Stream, name: str, options: ReadOptions, jump: tuple[int, int] | None = None) -> None:
        self.stream = stream
        self.name = name
        self.limit = options.max_record
        self.number = jump[1] if jump and not jump[0] else 0
        self._jump = jump if jump and jump[0] else None
        self.cut = False
        self.undecodable = 0
        self.taken = 0
        self.twins: Twins | None = None
        self.stepped: Skipped | None = None
        self.ahead: Skipped | None = None
        self.last_tick: int | None = None
        self.given = 0

    def step_over(self, gone: Skipped) -> None:
        """Lines that were taken from the stream without being read."""
        self.number += gone.lines
        self.given += gone.lines
        self.last_tick, self.stepped = gone.last_tick, gone

    def blocks(self) -> Iterator[bytes]:
        """Runs of whole lines, each ending in a newline (the last perhaps not). Counts no numbers."""
        if self.twins is not None:
            yield from self._blocks_beside(self.twins)
        rest: list[bytes] = []
        held = 0
        while chunk := self.stream.read():
            end = chunk.rfind(b"\n") + 1
            if not end:
                rest.append(chunk)
                held += len(chunk)
                if held > self.limit:
                    raise self.too_long(rest)
                continue
            rest.append(chunk[:end])
            yield b"".join(rest)
            rest, held = [chunk[end:]], len(chunk) - end
        last = b"".join(rest)
        if last.strip(b"\0"):
            self.cut = True
            yield last

    def _blocks_beside(self, twins: Twins) -> Iterator[bytes]:
        """The same while each block ends where the next line begins; a line longer than a chunk ends it."""
        while True:
            until = twins.meet(self)
            data = self.stream.peek(CHUNK)
            end = until or data.rfind(b"\n") + 1
            if not end:
                return
            block = self.stream.take(end)
            self.given += block.count(b"\n")
            yield block

    def too_long(self, rest: list[bytes]) -> DetcheckError:
        """The fault of a line past the limit."""
        return DetcheckError(
            "dump.record_too_long",
            f"a line (or record) is longer than {size_text(self.limit)}",
            Where(self.name, self.number + 1),
            "--max-record raises the limit; a dump with one record a line needs no more than one record of memory",
        )

    def __iter__(self) -> Iterator[str]:
        for block in self.blocks():
            if block.isspace():
                self.number += block.count(b"\n")
                continue
            lines = block.split(b"\n")
            if not lines[-1]:
                lines.pop()
            for raw in lines:
                self.number += 1
                if self._jump and self.number == self._jump[0] + 1:
                    self.number += self._jump[1]
                    self._jump = None
                self.taken += len(raw)
                if len(raw) > self.limit:
                    raise self.too_long([])
                yield self.decode(raw)

    def decode(self, raw: bytes) -> str:
        """One line as text; bytes that are no UTF-8 become visible escapes and are counted."""
        raw = raw.strip(b"\0").rstrip(b"\r")
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            self.undecodable += 1
            return raw.decode("utf-8", VISIBLE)
