"""What sniffing looks at: the first part of one side, as text and as lines."""

from __future__ import annotations

from dataclasses import dataclass, field

from detcheck.dumps.encoding import SAMPLE_BYTES
from detcheck.dumps.streams import VISIBLE, Stream

_LONGEST_FIRST_LINE = 16 * 1024 * 1024


@dataclass(frozen=True)
class Sample:
    """`lines` are whole lines without their ends; `whole` is True when the sample is all there is.

    `binary` samples have no lines. `stem` is the file's name, `cut_line` the unfinished line after `lines`.
    `tick` is the tick that the file is of, where its name says so.
    """

    data: bytes
    text: str
    lines: tuple[str, ...]
    whole: bool
    binary: bool
    stem: str
    cut_line: str = ""
    content: tuple[str, ...] = field(default=())
    tick: int | None = None


def sample_of(stream: Stream, stem: str, binary: bool, size: int = SAMPLE_BYTES) -> Sample:
    """The sample of a stream, which stays unread."""
    data = stream.peek(size + 1)
    if data[:1] in (b"{", b"["):
        # whether it is one document or a line of several shows only at the end of the first line
        while data.count(b"\n", 0, size) < 2 and len(data) > size and size < _LONGEST_FIRST_LINE:
            size *= 4
            data = stream.peek(size + 1)
    whole = len(data) <= size
    data = data[:size]
    if binary:
        return Sample(data, "", (), whole, True, stem)
    text = data.decode("utf-8", VISIBLE).replace("\0", "").replace("\r\n", "\n")
    lines = text.split("\n")
    cut = lines.pop()
    if whole and cut:
        lines.append(cut)
        cut = ""
    content = tuple(line for line in lines if line.strip())
    return Sample(data, text, tuple(lines), whole, False, stem, cut, content)
