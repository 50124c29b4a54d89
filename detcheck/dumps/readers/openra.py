"""OpenRA sync reports: traits keyed by actor, owner and trait; a hash in brackets over the fields below it; orders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy

from detcheck.dumps import tokens
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side, put
from detcheck.dumps.readers.pairs import value_of
from detcheck.dumps.sample import Sample
from detcheck.dumps.settle import listed
from detcheck.model.record import Group, Items, Node, Record, Scalar

_FRAME = re.compile(r"Sync for net frame (-?\d{1,18})\b.*")
_RANDOM = re.compile(r"(\w*Random\w*): (-?\d{1,40})(?: \(#(\d{1,40})\))?\s*")
_GAME = re.compile(r"Game ID: (.*?) \(Mod: (.*) at Version (.*)\)\s*")
_SECTION = re.compile(r"(Synced Traits|Synced Effects|Orders Issued|Actors|Tick Actors):\s*")
#: a section that is one of inputs
_ORDERS = "Orders Issued"
_BLOCK = re.compile(r"\s{1,4}(\S.*?) \((-?\d{1,40})\)\s*")
_FIELD = re.compile(r"\s{2,}([^:]{1,200}?): ?(.*)")
_ORDER_PAIR = re.compile(r'([\w()]{1,60}): ?("[^"]*"|[^\s"][^"]*?)?\.?\s*(?=$|[\w()]{1,60}: ?["\w])')
_NAMES = {"Synced Traits": "traits", "Synced Effects": "effects", "Actors": "actors", "Tick Actors": "traits"}


def sniff(sample: Sample) -> Fit:
    """The line every report begins its frame with."""
    framed = any(_FRAME.fullmatch(line) for line in sample.lines)
    return Fit(97, "an OpenRA sync report") if framed else NO_FIT


def read(side: Side) -> Iterator[Record]:
    """A record a net frame. Reports stand in the order of a ring buffer, so frames are sorted."""
    found: dict[int, Record] = {}
    again: list[int] = []
    for record in _Report(side).run():
        tick = record.tick or 0
        if tick in found:
            again.append(tick)
        found[tick] = record
    if again:
        side.remark(f"net frames {listed(sorted(set(again)))} are reported more than once; the last report counts")
    yield from (found[tick] for tick in sorted(found))


class _Report:
    def __init__(self, side: Side) -> None:
        self.side = side
        self.record: Record | None = None
        self.section = ""
        self.block: dict[str, Node] | None = None
        self.derived: set[str] = set()
        self.orders: list[Node] = []
        self.size = 0
        #: whether a line that only follows a whole report has been seen
        self.footed = False

    def run(self) -> Iterator[Record]:
        lines = self.side.lines()
        last: str | None = None  # taken when the next one is there: what is cut is known only then
        for text in lines:
            if last is not None:
                self._line(last)
            last = None
            self.size += len(text)
            if self.size > self.side.options.max_record:
                raise self.side.fault("dump.record_too_long", "the reports are larger than --max-record", lines.number)
            frame = _FRAME.fullmatch(text)
            if frame:
                yield from self._done()
                self.footed = False
                self.record = Record(int(frame[1]), lines.number)
                self.section, self.block = "", None
            elif text.strip():
                last = text
        whole = self._without_last() if lines.cut and last is not None and self.record is not None else None
        if last is not None:
            self._line(last)
        for record in self._done():
            if self.footed:
                yield record
                continue
            record.cut = (lines.number, whole) if whole is not None else None
            record.ends = lines.number
            yield record

    def _without_last(self) -> Record | None:
        """The record as it stands, which what comes does not change."""
        held, record = (self.record, self.orders, set(self.derived)), deepcopy(self.record)
        if record is not None:
            self.record, self.orders = record, deepcopy(self.orders)
        whole = next(self._done(), None)
        self.record, self.orders, self.derived = held
        return whole

    def _line(self, text: str) -> None:
        section = _SECTION.fullmatch(text)
        if section:
            self.section, self.block = section[1], None
        elif not text[0].isspace():
            self._top(text)
        elif self.record is None:
            return
        elif self.section == _ORDERS:
            self._order(text)
        else:
            self._inner(self.record, text)

    def _top(self, text: str) -> None:
        """Lines at the margin: the generator, or the head and the foot of a report."""
        random = _RANDOM.fullmatch(text)
        game = _GAME.fullmatch(text) if len(text) < 2000 else None
        if random and self.record is not None:
            state: dict[str, Node] = {"value": tokens.integer(random[2])}
            if random[3]:
                state["draws"] = tokens.integer(random[3])
            self.record.rng[random[1]] = Group(state)
        elif game:
            for name, value in zip(("Game ID", "Mod", "Version"), game.groups(), strict=True):
                self.side.head(name, Scalar("str", value, value))
        elif text.startswith(("Player", "Sync Report", "Out of sync", "Recorded frames")):
            self.section = ""
            self.footed = self.footed or self.record is not None
            key, _, value = text.partition(":")
            self.side.writer(key.strip(), Scalar("str", value.strip(), value.strip()))
        elif ": " in text:
            key, _, value = text.partition(": ")
            self.side.head(key, Scalar("str", value.strip(), value.strip()))

    def _inner(self, record: Record, text: str) -> None:
        """A trait or effect with its hash, or a field of the last one."""
        field = _FIELD.match(text)
        block = _BLOCK.fullmatch(text)
        deep = len(text) - len(text.lstrip()) > 2
        if block and not (deep and field and self.block is not None):
            name = _NAMES.get(self.section, "other")
            parent = record.fields.items.setdefault(name, Group({}))
            self.block = {"hash": Scalar("hash", int(block[2]), block[2])}
            if isinstance(parent, Group):
                used = _named(parent.items, f"[{block[1]}]", Group(self.block))
                self.derived.add(f"{name}{used}.hash")
                if used.endswith("][1]"):
                    self.derived.add(f"{name}[{block[1]}][0].hash")
        elif field and self.block is not None:
            put(self.block, field[1], value_of(field[2].strip()))

    def _order(self, text: str) -> None:
        pairs = [(name, (value or "").strip()) for name, value in _ORDER_PAIR.findall(text.strip())]
        if not pairs or not self.orders or pairs[0][0] in ("ClientId", "OrderString", "Client"):
            self.orders.append(Group({}))
        order = self.orders[-1]
        if isinstance(order, Group):
            for name, value in pairs or [("text", text.strip())]:
                put(order.items, name, tokens.bare(value.rstrip(".")))

    def _done(self) -> Iterator[Record]:
        if self.record is None:
            return
        if self.orders:
            self.record.inputs = Group({_ORDERS: Items(self.orders)})
        self.record.derived = frozenset(self.derived)
        record, self.record = self.record, None
        self.orders, self.derived = [], set()
        yield record


def _named(items: dict[str, Node], name: str, node: Node) -> str:
    """Adds a block as `[247 inf South Mobile]`; several of one name are a list. Returns its path."""
    there = items.setdefault(name, node)
    if there is node:
        return name
    if not isinstance(there, Items):
        there = items[name] = Items([there])
    there.items.append(node)
    return f"{name}[{len(there.items) - 1}]"


READER = Reader("openra", sniff, read, settled=True)
