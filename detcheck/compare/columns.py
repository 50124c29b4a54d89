"""Columns that only one of two tables has: its schema says more, no value differs. They are named, not compared."""

from __future__ import annotations

from detcheck.model.record import Group, Items, Record, Source


class Columns:
    """Takes from the records of either side the columns that the other one's header lacks."""

    def __init__(self, a: Source, b: Source) -> None:
        self._sources = (a, b)
        self._only: tuple[frozenset[str], frozenset[str]] | None = None

    @property
    def only(self) -> tuple[frozenset[str], frozenset[str]]:
        """The names that only a has, and only b. Readers know their columns once the first record is read.

        None where the two have no column of values in common: then nothing would be left to compare.
        """
        if self._only is None:
            a, b = (source.columns for source in self._sources)
            self._only = (a - b, b - a) if a and b and a & b else (frozenset(), frozenset())
        return self._only

    def strip(self, a: Record, b: Record) -> None:
        """Leaves in both records what both tables have."""
        for record, names in zip((a, b), self.only, strict=True):
            if names:
                _strip(record, names)
                if record.cut is not None and record.cut[1] is not record:
                    _strip(record.cut[1], names)

    def notes(self, shown: int = 5) -> list[str]:
        """`only b has the column dbg; not compared`."""
        found = []
        for side, names in zip("ab", self.only, strict=True):
            listed = sorted(names)
            more = f" and {len(listed) - shown} more" if len(listed) > shown else ""
            word = "column" if len(listed) == 1 else "columns"
            if listed:
                found.append(f"only {side} has the {word} {', '.join(listed[:shown])}{more}; not compared")
        return found


def _strip(record: Record, names: frozenset[str]) -> None:
    for held in (record.fields.items, record.rng):
        for name in names & held.keys():
            del held[name]
    for node in record.fields.items.values():
        if isinstance(node, Items):
            for row in node.items:
                if isinstance(row, Group):
                    for name in names & row.items.keys():
                        del row.items[name]
