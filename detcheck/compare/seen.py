"""What has been seen of each side, and where the sides part."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from detcheck.compare.aftermath import Aftermath
from detcheck.compare.bulk import SHIFT_WINDOW
from detcheck.compare.diff import Diff
from detcheck.compare.nodes import record_leaves, record_signature
from detcheck.compare.session_ends import MAX_SESSIONS
from detcheck.model.record import Record

#: a record with more values is not kept as context
MAX_CONTEXT_VALUES = 200_000


@dataclass
class Window:
    """What one side holds: first and last tick, how many, and the step between its last two."""

    first: int | None = None
    last: int | None = None
    step: int | None = None
    records: int = 0
    session: int = 0
    line_shaped: bool = False
    #: last tick and step of every session before the last one
    over: dict[int, tuple[int, int]] = field(default_factory=dict)
    #: the content of the first ticks, and of their state without hashes
    signatures: dict[int, int] = field(default_factory=dict)
    states: dict[int, int] = field(default_factory=dict)

    def see(self, tick: int | None, session: int, line: int) -> None:
        """One more record."""
        self.records += 1
        self.line_shaped = self.line_shaped or line > 0
        if tick is None:
            return
        if self.last is not None and session == self.session:
            self.step = tick - self.last
        elif self.last is not None:
            self.close()
        self.first = tick if self.first is None else min(self.first, tick)
        self.last, self.session = tick, session

    def close(self) -> None:
        """Remember where the session that is over ends."""
        if self.last is not None and len(self.over) < MAX_SESSIONS:
            self.over[self.session] = (self.last, self.step or 1)

    def sign(self, record: Record) -> None:
        """Remember the content of a record, up to a limit."""
        if record.tick is None or len(self.signatures) >= SHIFT_WINDOW:
            return
        if record_leaves(record) <= MAX_CONTEXT_VALUES:
            self.signatures[record.tick] = record_signature(record)
            if record.hashes and (record.fields.items or record.rng):
                self.states[record.tick] = record_signature(replace(record, hashes={}))


@dataclass
class Divergence:
    """The first unlike tick: both records, what differs, the last equal tick before it, and what follows."""

    tick: int | None
    a: Record
    b: Record
    diff: Diff
    last_equal: int | None
    first_common: bool
    session: int
    before: tuple[tuple[Record, Record], ...]
    after: Aftermath = field(default_factory=Aftermath)
    next_pair: tuple[Record, Record] | None = None
    #: its place among the records in common, from 1
    place: int = 1
    #: two names that the sides give crosswise: values so exchanged have no other cause
    crosswise: tuple[str, str] | None = None


def labels_agreed(found: Divergence, first_common: int | None) -> bool:
    """Whether ticks of changing content agreed before, label for label: then no label was shifted."""
    if len(found.before) < 2:
        return found.last_equal is not None and found.last_equal != first_common
    return len({record_signature(record) for record, _ in found.before}) > 1
