"""--tick-field and --key-field that name nothing in the records: said, never passed over."""

from __future__ import annotations

from collections.abc import Iterator

from detcheck.compare.verdict import INCONCLUSIVE
from detcheck.errors import visible
from detcheck.model.comparison import Comparison
from detcheck.model.record import Group, Items, Lanes, Node, Record, Source

#: records of a side that are searched for the key
MAX_SEARCHED = 64


def field_fault(found: Comparison, tick_field: str | None) -> Comparison | None:
    """The comparison as inconclusive when a side has no record with the tick asked for; None when it has."""
    windows = (("a", found.coverage.a_ticks), ("b", found.coverage.b_ticks))
    lacking = [side for side, window in windows if window is None]
    if tick_field is None or not lacking:
        return None
    reason = f"--tick-field {visible(tick_field, 80)} matched nothing in {' and '.join(lacking)}: no tick is known"
    return Comparison(
        INCONCLUSIVE, reason, readers=found.readers, names=found.names, notes=found.notes, coverage=found.coverage
    )


class KeyWatch:
    """Looks at the first records of two sources, while they are read, for rows that have the key asked for."""

    def __init__(self, key_field: str | None, sources: tuple[Source, Source]) -> None:
        self.key_field = key_field
        self.seen: set[str] = set()
        if key_field is not None:
            for side, source in zip("ab", sources, strict=True):
                if source.blocks is None:
                    source.records = self._watched(source.records, key_field, side)

    @property
    def unseen(self) -> str | None:
        """The note when no row of a side has it."""
        lacking = [side for side in "ab" if side not in self.seen]
        if self.key_field is None or not lacking:
            return None
        where = "" if len(lacking) == 2 else f" in {lacking[0]}"
        return f"--key-field {visible(self.key_field, 80)} matched nothing{where}; rows were paired without it"

    def _watched(self, records: Iterator[Record], key: str, side: str) -> Iterator[Record]:
        for count, record in enumerate(records):
            looked = side not in self.seen and count < MAX_SEARCHED
            if looked and any(_has(node, key) for node in (record.fields, record.inputs) if node is not None):
                self.seen.add(side)
            yield record


def _has(node: Node, key: str) -> bool:
    """Whether some row in a tree has that child."""
    stack = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, Group):
            if key in one.items:
                return True
            stack.extend(one.items.values())
        elif isinstance(one, Items):
            stack.extend(one.items)
        elif isinstance(one, Lanes) and key in one.lanes:
            return True
    return False
