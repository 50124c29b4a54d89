"""From bytes to UTF-8: byte order marks, UTF-16, NUL padding, lone carriage returns. Text in UTF-8 passes untouched."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from detcheck.dumps.sizes import size_text
from detcheck.dumps.streams import CHUNK, Stream
from detcheck.errors import DetcheckError, Where

SAMPLE_BYTES = 64 * 1024
_MOST_NULS = 1 << 30

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINE_PADDING = re.compile(rb"\0*\r?\n\0*")
_TEXT_CONTROLS = frozenset(b"\t\n\r\f\x1b\0")
_CONTROLS = bytes(code for code in range(32) if code not in _TEXT_CONTROLS)


@dataclass(frozen=True)
class Encoding:
    """What the first bytes say. `mark` is the length of the byte order mark; `name` is "binary" for no text at all."""

    name: str
    mark: int = 0
    cr_only: bool = False


def encoding_of(head: bytes) -> Encoding:
    """The encoding of a text that begins with `head` (NULs in front already taken off)."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Encoding(name, len(mark), _cr_only(head[len(mark) :], name))
    guessed = _utf16_without_mark(head) or ("binary" if _is_binary(head) else "utf-8")
    return Encoding(guessed, 0, _cr_only(head, guessed))


def _cr_only(head: bytes, name: str) -> bool:
    text = head if name == "utf-8" else head.replace(b"\0", b"")
    return name != "binary" and b"\r" in text and b"\n" not in text


def _utf16_without_mark(head: bytes) -> str | None:
    """Text in a Latin script has a zero in nearly every second byte, and in the same half."""
    even, odd = head[0::2], head[1::2]
    if len(odd) < 8:
        return None
    zeros_even, zeros_odd = even.count(0) / len(even), odd.count(0) / len(odd)
    if zeros_odd > 0.7 and zeros_even < 0.1:
        return "utf-16-le"
    if zeros_even > 0.7 and zeros_odd < 0.1:
        return "utf-16-be"
    return None


def _is_binary(head: bytes) -> bool:
    body = head.strip(b"\0")
    if not body:
        return False
    controls = len(body) - len(body.translate(None, _CONTROLS))
    body = _LINE_PADDING.sub(b"\n", body) if b"\0" in body else body
    nuls = body.count(0)
    if nuls > len(body) // 100 and not _nuls_are_padding(body):
        return True
    if controls > len(body) // 50:
        return True
    broken = body.decode("utf-8", "replace").count("\ufffd")
    return broken > len(body) // 10


def _nuls_are_padding(body: bytes) -> bool:
    """A log of fixed blocks pads with long runs of NULs; numbers in binary have short ones."""
    runs = [len(run) for run in body.replace(b"\0", b" \0").split(b" ") if run.startswith(b"\0")]
    pieces = [piece for piece in body.split(b"\0") if piece]
    return bool(runs) and sum(map(len, pieces)) // max(1, len(pieces)) >= 64


def to_utf8(stream: Stream, remarks: list[str], wrapping: list[str], name: str = "") -> tuple[Stream, Encoding]:
    """The same text as UTF-8 without a mark; a binary stream comes back as it is."""
    head = stream.peek(SAMPLE_BYTES)[:SAMPLE_BYTES]
    text = head.lstrip(b"\0")
    nuls = len(head) - len(text)
    if nuls and text[1:2] == b"\0":
        nuls -= 1  # UTF-16-BE begins with a zero byte of its own
    encoding = encoding_of(head[nuls:])
    if encoding.name == "binary":
        return stream, encoding
    if nuls > 0:
        _drop_leading_nuls(stream, nuls, remarks, name)
        encoding = encoding_of(stream.peek(SAMPLE_BYTES)[:SAMPLE_BYTES])
    if encoding.mark:
        stream.push(stream.read()[encoding.mark :])
    if encoding.name not in ("utf-8", "binary"):
        wrapping.append(encoding.name)
        stream = Stream(_Transcoder(stream, encoding.name, remarks).chunk)
    if encoding.cr_only:
        inner = stream
        stream = Stream(lambda: inner.read().replace(b"\r", b"\n"))
    return stream, encoding


def _drop_leading_nuls(stream: Stream, count: int, remarks: list[str], name: str) -> None:
    """Drops `count` NULs, and all that follow when nothing but NULs has been seen so far."""
    first = stream.read()
    left = first[count:] if count < SAMPLE_BYTES else first.lstrip(b"\0")
    dropped = len(first) - len(left)
    while not left and (chunk := stream.read()):
        left = chunk.lstrip(b"\0")
        dropped += len(chunk) - len(left)
        if dropped > _MOST_NULS:
            raise DetcheckError("dump.nuls", f"begins with more than {size_text(_MOST_NULS)} of NUL bytes", Where(name))
    stream.push(left)
    remarks.append(f"{dropped} NUL bytes in front were left out")


class _Transcoder:
    def __init__(self, inner: Stream, name: str, remarks: list[str]) -> None:
        self.inner = inner
        self.name = name
        self.remarks = remarks
        self.decoder = codecs.getincrementaldecoder(name)("replace")
        self.broken = 0

    def chunk(self) -> bytes:
        while data := self.inner.read():
            if len(data) > CHUNK:
                self.inner.push(data[CHUNK:])
            text = self.decoder.decode(data[:CHUNK])
            self.broken += text.count("\ufffd")
            if text:
                return text.encode("utf-8", "backslashreplace")
        self.broken += len(self.decoder.decode(b"", True))
        if self.broken:
            self.remarks.append(f"{self.broken} characters are no {self.name} and were replaced")
            self.broken = 0
        return b""
