"""gzip, bz2, xz and zlib, by their magic and as streams; a bomb or damage is a fault, a cut end is a remark."""

from __future__ import annotations

from typing import Protocol

from detcheck.dumps.streams import CHUNK, Budget, Stream
from detcheck.errors import DetcheckError, Where

MAX_LAYERS = 3
_XZ_MEMORY = 256 * 1024 * 1024
_UNSUPPORTED = {b"\x28\xb5\x2f\xfd": "zstd", b"\x04\x22\x4d\x18": "lz4", b"7z\xbc\xaf\x27\x1c": "7-zip", b"Rar!": "rar"}


class _Decoder(Protocol):
    """The common shape of the standard library's decompressors, after `_Zlib` has smoothed zlib's."""

    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Zlib:
    def __init__(self, bits: int) -> None:
        import zlib

        self._inner = zlib.decompressobj(bits)
        self._tail = b""

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        out = self._inner.decompress(self._tail + data, max_length)
        self._tail = self._inner.unconsumed_tail
        return out


def _decoder(kind: str) -> _Decoder:
    if kind in ("gzip", "zlib"):
        return _Zlib(31 if kind == "gzip" else 15)
    if kind == "bz2":
        import bz2

        return bz2.BZ2Decompressor()
    import lzma

    return lzma.LZMADecompressor(memlimit=_XZ_MEMORY)


def _damage() -> tuple[type[Exception], ...]:
    import lzma
    import zlib

    return (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError)


def packing_of(head: bytes) -> str | None:
    """The name of the compression that `head` begins with, or None."""
    if head.startswith(b"\x1f\x8b\x08"):
        return "gzip"
    if head.startswith(b"BZh") and head[4:10] == b"1AY&SY":
        return "bz2"
    if head.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    if head.startswith(b"\x5d\0\0") and head[5:13] in (b"\xff" * 8, head[5:8] + bytes(5)) and head[13:14] == b"\0":
        return "lzma"
    if head[:1] == b"\x78" and len(head) > 2 and int.from_bytes(head[:2], "big") % 31 == 0 and _opens_as_zlib(head):
        return "zlib"
    return None


def _opens_as_zlib(head: bytes) -> bool:
    import zlib

    try:
        return bool(zlib.decompressobj(15).decompress(head, 64))
    except zlib.error:
        return False


def unpack(stream: Stream, budget: Budget, remarks: list[str], wrapping: list[str]) -> Stream:
    """Takes off up to three layers of compression, appending their names to `wrapping`."""
    for _ in range(MAX_LAYERS):
        head = stream.peek(512)
        for magic, name in _UNSUPPORTED.items():
            if head.startswith(magic):
                raise DetcheckError(
                    "dump.packing", f"is packed with {name}, which is not read here", Where(budget.name)
                )
        if head[257:262] == b"ustar":
            raise DetcheckError("dump.tar", "is a tar archive", Where(budget.name), "unpack it and give the folder")
        kind = packing_of(head)
        if kind is None:
            return stream
        wrapping.append(kind)
        stream = _Layer(kind, stream, budget, remarks).stream()
    return stream


class _Layer:
    """One decompression, member after member."""

    def __init__(self, kind: str, inner: Stream, budget: Budget, remarks: list[str]) -> None:
        self.kind = kind
        self.inner = inner
        self.budget = budget
        self.remarks = remarks
        self.decoder = _decoder(kind)
        self.damage = _damage()
        self.read = 0
        self.made = 0
        self.done = False

    def stream(self) -> Stream:
        return Stream(self.chunk)

    def chunk(self) -> bytes:
        while not self.done:
            data = b""
            if self.decoder.needs_input and not self.decoder.eof:
                data = self.inner.read()
                self.read += len(data)
                if not data:
                    self.remarks.append(f"the {self.kind} data is cut short; what could be unpacked was read")
                    self.done = True
            out = self._step(data)
            if self.decoder.eof:
                self._next_member()
            if out:
                self.made += len(out)
                self.budget.spend(len(out), self.read, self.made, self.kind)
                return out
        return b""

    def _step(self, data: bytes) -> bytes:
        if self.done:
            return b""
        try:
            return self.decoder.decompress(data, 4 * CHUNK)
        except self.damage as error:
            text = f"the {self.kind} data is damaged after {self.made} unpacked bytes: {error}"
            raise DetcheckError("dump.damaged", text, Where(self.budget.name)) from None

    def _next_member(self) -> None:
        """gzip, bz2 and xz files may be several, one after another; other bytes after the end are padding."""
        left = self.decoder.unused_data
        while not left.strip(b"\0") and (left := self.inner.read()):
            self.read += len(left)
        if left and self.kind != "zlib" and packing_of(left + self.inner.peek(16)[:16]) == self.kind:
            self.inner.push(left)
            self.read -= len(left)
            self.decoder = _decoder(self.kind)
            return
        if left:
            self.remarks.append(f"bytes after the end of the {self.kind} data were left out")
        self.done = True
