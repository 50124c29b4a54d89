"""Recoil (Spring) client and server game states: nested tabs, `bits <text>`, a vector as its hash and text."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from detcheck.dumps import tokens
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side
from detcheck.dumps.readers.nesting import by_indent
from detcheck.dumps.readers.outline import Outline
from detcheck.dumps.readers.pairs import pairs_of, value_of
from detcheck.dumps.sample import Sample
from detcheck.errors import DetcheckError
from detcheck.model.record import Group, Items, Node, Record, Scalar

_FRAME = re.compile(r"\s*frame: (-?\d{1,18}), seed: (\d{1,40})\s*")
_HISTORY = re.compile(r"internal frame checksums \((-?\d{1,18})\):\s*")
_BITS = re.compile(r"<?\s*(\d{1,20})\s*<([^<>]{0,2000})>")
_HEAD_KEYS = ("mapName", "modName", "gameID", "syncVer", "initSeed")
_SUMS = ("mapCheckSum", "modCheckSum")
_RNG_KEYS = ("randSeed", "genState")
_AXES = ("x", "y", "z", "w")


def sniff(sample: Sample) -> Fit:
    """`frame: N, seed: N` and the head or the sections only this engine writes."""
    marks = sum(mark in sample.text for mark in ("minFrame: ", "maxFrame: ", "syncVer: ", "initSeed: ", "\tunits: "))
    framed = any(_FRAME.fullmatch(line) for line in sample.lines)
    return Fit(96, "a Recoil/Spring game state") if framed and marks >= 2 else NO_FIT


def value(text: str) -> Node:
    """`bits <text>` is a binary32; `hash <x,y,z>` a vector and the hash of its bits; anything else as usual."""
    match = _BITS.fullmatch(text)
    if match is None:
        return value_of(text)
    bits, shown = int(match[1]), match[2]
    parts = shown.split(",")
    if len(parts) == 1:
        return Scalar("f32", bits, text) if bits < 2**32 else tokens.bare(text)
    items: dict[str, Node] = {"hash": Scalar("hash", bits, match[1])}
    for place, part in enumerate(parts):
        items[_AXES[place] if len(parts) <= 4 else f"[{place}]"] = _single(part.strip())
    return Group(items)


def _single(text: str) -> Scalar:
    """A component as the binary32 it was printed from (shortest digits that round back)."""
    try:
        return Scalar("f32", struct.unpack("<I", struct.pack("<f", float(text)))[0], text)
    except (OverflowError, ValueError):
        return tokens.bare(text)


def read(side: Side) -> Iterator[Record]:
    """A record a frame; the checksum history at the end belongs to the frame it names."""
    return _Recoil(side).run()


class _Recoil:
    def __init__(self, side: Side) -> None:
        self.side = side
        self.rng: dict[str, Node] = {}
        self.tick: int | None = None
        self.start = 0
        self.held: list[tuple[int, str]] = []
        self.size = 0
        self.history: tuple[int, list[Node]] | None = None

    def run(self) -> Iterator[Record]:
        lines = self.side.lines()
        for text in lines:
            frame = _FRAME.fullmatch(text)
            history = _HISTORY.fullmatch(text)
            if frame:
                yield from self._done()
                self.tick, self.start = int(frame[1]), lines.number
                self.rng["seed"] = tokens.integer(frame[2])
            elif history:
                self.history = (int(history[1]), [])
            elif self.history is not None and re.fullmatch(r"\s*[0-9a-fA-F]{1,16}\s*", text):
                self.history[1].append(tokens.hashed(text.strip(), 16))
            elif self.tick is None:
                self._head(text)
            elif text.strip():
                self._hold(lines.number, text)
        whole = None
        if lines.cut and self.held and not self.history:
            self.side.remark(f"the file has no end of line after line {lines.number}; it may be cut short")
            fields = self._fields(self.held[:-1])
            for name in _SUMS:
                fields.pop(name, None)
            whole = Record(self.tick, self.start, rng=dict(self.rng), fields=Group(fields))
        unclosed = self.history is None  # what an engine writes last
        for record in self._done():
            record.cut = (lines.number, whole) if whole else None
            record.ends = lines.number if unclosed else 0
            yield record

    def _hold(self, number: int, text: str) -> None:
        self.size += len(text)
        if self.size > self.side.options.max_record:
            raise self.side.fault("dump.record_too_long", f"frame {self.tick} is larger than --max-record", self.start)
        self.held.append((number, text))

    def _head(self, text: str) -> None:
        for key, found in pairs_of(text)[:1]:
            scalar = Scalar("str", found, found) if key in _HEAD_KEYS else tokens.bare(found)
            if key in _RNG_KEYS:
                self.rng[key] = scalar
            elif key in _HEAD_KEYS:
                self.side.head(key, scalar)
            elif key:
                self.side.writer(key, scalar)

    def _fields(self, held: list[tuple[int, str]]) -> dict[str, Node]:
        try:
            return Outline(value).group(by_indent(held).raws)
        except DetcheckError as error:
            raise self.side.fault(error.code, error.message, self.start) from None

    def _done(self) -> Iterator[Record]:
        if self.tick is None:
            return
        fields = self._fields(self.held)
        record = Record(self.tick, self.start, rng=dict(self.rng), fields=Group(fields))
        for name in _SUMS:
            found = fields.pop(name, None)
            if isinstance(found, Scalar):
                self.side.head(name, found)
        derived = {f"{path}.hash" for path in _vectors(fields)}
        if self.history is not None:
            frame, entries = self.history
            fields[f"checksums of frame {frame}"] = Items(entries)
            derived.add(f"checksums of frame {frame}")
        record.derived = frozenset(derived)
        self.held, self.size, self.rng, self.history = [], 0, {}, None
        yield record


def _vectors(items: dict[str, Node]) -> Iterator[str]:
    """The paths of groups made by `value` out of a vector."""
    stack: list[tuple[str, Node]] = list(items.items())
    while stack:
        path, node = stack.pop()
        if isinstance(node, Group):
            if isinstance(node.items.get("hash"), Scalar) and "x" in node.items:
                yield path
                continue
            stack.extend(
                (path + name if name.startswith("[") else f"{path}.{name}", c) for name, c in node.items.items()
            )
        elif isinstance(node, Items):
            for place, child in enumerate(node.items):
                stack.append((f"{path}[{_label(node.key, child, place)}]", child))


def _label(key: str | None, child: Node, place: int) -> str:
    found = child.items.get(key) if key and isinstance(child, Group) else None
    return f"{key}={found.text}" if isinstance(found, Scalar) else str(place)


READER = Reader("recoil", sniff, read)
