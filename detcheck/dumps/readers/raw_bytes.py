"""The last resort: bytes, by offset and in hex. A pair is compared by pair.py; one side alone shows its beginning."""

from __future__ import annotations

from collections.abc import Iterator

from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side
from detcheck.dumps.sample import Sample
from detcheck.model.record import Group, Node, Record, Scalar

ROW = 16
MAX_ROWS = 4096


def sniff(sample: Sample) -> Fit:
    """Anything at all."""
    return Fit(1, "no shape that is known; compared byte by byte") if sample.data else NO_FIT


def hint_of_text(side: Side) -> None:
    """Text that comes here has a shape no reader knows: say what can be told."""
    if side.sample.content and not side.options.reader:
        side.remark(
            "this is text in no shape that is known; --reader NAME or --tick-field NAME can tell how it is read"
        )


def row_of(data: bytes) -> Scalar:
    """Some bytes as hex."""
    shown = data.hex(" ")
    return Scalar("str", shown, shown)


def read(side: Side) -> Iterator[Record]:
    """One record: the first rows of 16 bytes, and the length in bytes."""
    hint_of_text(side)
    rows: dict[str, Node] = {}
    rest, length = b"", 0
    while chunk := side.stream.read():
        length += len(chunk)
        if len(rows) >= MAX_ROWS:
            continue
        rest += chunk
        whole = len(rest) - len(rest) % ROW
        base = length - len(rest)
        for start in range(0, whole, ROW):
            if len(rows) < MAX_ROWS:
                rows[f"0x{base + start:08x}"] = row_of(rest[start : start + ROW])
        rest = rest[whole:]
    if rest and len(rows) < MAX_ROWS:
        rows[f"0x{length - len(rest):08x}"] = row_of(rest)
    if length > MAX_ROWS * ROW:
        side.remark(f"only the first {MAX_ROWS * ROW} of {length} bytes are compared")
    yield Record(None, fields=Group({"length": Scalar("int", length, str(length)), "bytes": Group(rows)}))


READER = Reader("raw-bytes", sniff, read)
