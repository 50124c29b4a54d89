"""Two files of no known shape: where their bytes differ, by offset, in hex, in rows of 16."""

from __future__ import annotations

from detcheck.dumps.readers.base import Side
from detcheck.dumps.readers.raw_bytes import ROW, hint_of_text, row_of
from detcheck.model.record import Group, Node, Record, Scalar, Skipped, Source

MAX_ROWS = 64


class _Rows:
    """Goes through both streams together; keeps the first rows that differ and counts the bytes that do."""

    def __init__(self, a: Side, b: Side) -> None:
        self.sides = (a, b)
        self.left = [b"", b""]
        self.offset = 0
        self.first: int | None = None
        self.differing = 0
        self.rows: tuple[dict[str, Node], dict[str, Node]] = ({}, {})
        self.more = False

    def run(self) -> tuple[int, int]:
        """The lengths of both sides."""
        while True:
            for place in (0, 1):
                if len(self.left[place]) < ROW:
                    self.left[place] += self.sides[place].stream.read()
            size = min(len(self.left[0]), len(self.left[1]))
            if not size:
                break
            whole = size - size % ROW if size > ROW else size
            one, other = self.left[0][:whole], self.left[1][:whole]
            if one != other:
                self._unlike(one, other)
            self.left = [self.left[0][whole:], self.left[1][whole:]]
            self.offset += whole
        return self._rest(0), self._rest(1)

    def _unlike(self, one: bytes, other: bytes) -> None:
        size = len(one)
        bits = int.from_bytes(one, "big") ^ int.from_bytes(other, "big")
        self.differing += size - bits.to_bytes(size, "big").count(0)
        for start in range(0, size, ROW):
            mine, theirs = one[start : start + ROW], other[start : start + ROW]
            if mine == theirs:
                continue
            if self.first is None:
                at = next(i for i, (x, y) in enumerate(zip(mine, theirs, strict=True)) if x != y)
                self.first = self.offset + start + at
            if len(self.rows[0]) >= MAX_ROWS:
                self.more = True
                return
            name = f"[0x{self.offset + start:08x}]"
            self.rows[0][name], self.rows[1][name] = row_of(mine), row_of(theirs)

    def _rest(self, place: int) -> int:
        length = self.offset + len(self.left[place])
        if self.left[place] and len(self.rows[place]) < MAX_ROWS:
            self.rows[place][f"[0x{self.offset:08x}]"] = row_of(self.left[place][:ROW])
        while chunk := self.sides[place].stream.read():
            length += len(chunk)
        return length


def raw_pair(a: Side, b: Side, why: str) -> tuple[Source, Source]:
    """One record a side: the lengths, and the rows that differ; equal bytes are counted as skipped."""
    hint_of_text(a)
    found = _Rows(a, b)
    lengths = found.run()
    whole = found.first is None and lengths[0] == lengths[1]
    equal = found.first if found.first is not None else min(lengths)
    skipped = Skipped(equal, 0, None, None, None, whole)
    prefix = found.first is None and 0 < min(lengths) < max(lengths)
    for side, length, rows in zip((a, b), lengths, found.rows, strict=True):
        shown = min(lengths) if prefix else length  # the beginning of the other: what follows is a record only it has
        fields: dict[str, Node] = {"length": Scalar("int", shown, str(shown))}
        records = [Record(None, fields=Group(fields))]
        if prefix and length > shown:
            records.append(Record(None, fields=Group(dict(rows))))
        elif rows and not prefix:
            fields["bytes"] = Group(rows)
        side.source.reader, side.source.why = "raw-bytes", why
        side.source.skipped = skipped
        side.source.records = iter(records)
    if prefix:
        short = a if lengths[0] < lengths[1] else b
        short.remark(f"its {min(lengths)} bytes are the beginning of the other side's {max(lengths)}")
    if found.first is not None:
        more = "; only the first rows are shown" if found.more else ""
        at = f"the first unlike byte is at offset 0x{found.first:x} ({found.first})"
        a.remark(f"{at}; {found.differing} of {min(lengths)} bytes differ{more}")
    return a.source, b.source
