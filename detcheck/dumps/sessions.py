"""Sessions that are known by name: several log into one file, their lines perhaps one among another.

Each is given as a whole, under a number that both sides of a pair share (`Side.state["sessions"]`, name to number), so
that they are paired by name whatever the order they stand in. The session that the first record belongs to passes as it
is read; the others have to be held until the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from detcheck.dumps.readers.base import Side
from detcheck.errors import visible
from detcheck.model.record import Record

MAX_NAMED = 8


class Sessions:
    """Takes records with the name of their session ("" for none), gives them session after session."""

    def __init__(self, side: Side) -> None:
        self.side = side
        probing = side.state.get("resumed") and side.skipped is None
        self.numbers = {} if probing else cast("dict[str, int]", side.state.setdefault("sessions", {}))
        self.held: dict[str, list[Record]] = {}
        self.first: str | None = None
        self._aliases = cast("dict[str, str]", side.state.get("aliases", {}))
        self._passes = False
        self._from = 0

    def feed(self, name: str, record: Record) -> Iterator[Record]:
        """One record; gives it at once where it is of the session that passes."""
        name = self._aliases.get(name, name)
        if self.first is None:
            self._begin(name, record)
        if self._passes and name == self.first:
            record.session = self._from
            yield record
        else:
            self.held.setdefault(name, []).append(record)

    def _begin(self, name: str, record: Record) -> None:
        self.first = name
        if not self.numbers:
            self.numbers[name] = 0
        self._passes = self.numbers.get(name) == 0
        skipped = self.side.skipped
        if name and skipped is not None and skipped.last_tick is not None and record.tick is not None:
            # the part of both files that was skipped ended in another session
            self._from = int(record.tick <= skipped.last_tick)

    def end(self) -> Iterator[Record]:
        """The sessions that were held, by their numbers."""
        for name in sorted(self.held):
            self.numbers.setdefault(name, len(self.numbers))
        if self.first is not None and (self.held or self.first):
            self._tell()
        for name in sorted(self.held, key=self.numbers.__getitem__):
            number = self.numbers[name] + self._from
            for record in self.held[name]:
                record.session = number
                yield record

    def _tell(self) -> None:
        mine = {name for name in (*self.held, self.first) if name is not None}
        for name in mine:
            self.side.source.sessions[self.numbers.get(name, 0) + self._from] = name
        if len(mine) > 1:
            named = [
                visible(name, 60) or "without a name" for name in sorted(mine, key=lambda one: self.numbers.get(one, 0))
            ]
            more = f" and {len(named) - MAX_NAMED} more" if len(named) > MAX_NAMED else ""
            self.side.remark(
                f"lines of {len(named)} named sessions are interleaved; each was read on its own "
                f"({', '.join(named[:MAX_NAMED])}{more})"
            )
