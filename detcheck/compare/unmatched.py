"""Options that fitted nothing: a path that is mistyped must not pass in silence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from detcheck.compare.nodes import scalars
from detcheck.compare.paths import segments
from detcheck.compare.renaming import parts_of
from detcheck.dumps.options import TypeRule
from detcheck.dumps.typed import fits
from detcheck.model.record import Group, Items, Lanes, Node, Record, Scalar, Source

if TYPE_CHECKING:
    from detcheck.compare.tracker import Tracker

#: values of a record that are looked at
MAX_VALUES = 20_000
#: records of a side that are searched for what --types names
MAX_SEARCHED = 16


def unmatched(tracker: Tracker) -> list[str]:
    """Patterns of --only, --ignore and --tolerance, and names of --map, that fitted nothing."""
    if not tracker.common:
        return []
    options = tracker.options
    asked = [f"--only {p.text}" for p in options.only] + [f"--ignore {p.text}" for p in options.ignore]
    found = [text for text in asked if text not in tracker.used | set(tracker.ignored)]
    records = _known(tracker)
    if not records or not (options.tolerances or options.mapping):
        return found
    if options.tolerances and tracker.tolerated is None:
        paths = [path for record in records for path, _ in _first(record)]
        found += [
            f"--tolerance {t.text}" for t in options.tolerances if not any(t.path.matches(path) for path in paths)
        ]
    if options.mapping:
        names = {name for record in records for name in _names(record)}
        names |= {part for name in names for part in parts_of(name)[:: max(1, len(parts_of(name)) - 1)]}
        found += [f"--map {a}={b}" for a, b in options.mapping if a not in names and b not in names]
    return found


def _known(tracker: Tracker) -> tuple[Record, ...]:
    """Records at hand: those that part, or the last equal ones."""
    if tracker.divergence is not None:
        return tracker.divergence.a, tracker.divergence.b
    return tracker.previous or ()


def _first(record: Record) -> list[tuple[str, Scalar]]:
    found = [(name, value) for name, value in record.hashes.items()]
    for name, node in (("", record.fields), *record.rng.items(), (record.inputs_path, record.inputs)):
        if node is not None:
            for item in scalars(node, name):
                found.append(item)
                if len(found) >= MAX_VALUES:
                    return found
    return found


def _names(record: Record) -> set[str]:
    """Names and texts of a record: what --map replaces."""
    found = {*record.hashes, *record.rng, *(event.label for event in record.events)}
    stack: list[Node] = [record.fields, *record.rng.values(), *(event.fields for event in record.events)]
    stack += [record.inputs] if record.inputs is not None else []
    while stack and len(found) < MAX_VALUES:
        node = stack.pop()
        if isinstance(node, Group):
            found.update(node.items)
            stack.extend(node.items.values())
        elif isinstance(node, Items):
            stack.extend(node.items)
        elif isinstance(node, Lanes):
            found.update(node.lanes)
        elif node.kind == "str":
            found.add(node.text)
    return found


class TypesWatch:
    """Looks at the first records of two sources, while they are read, for values that --types fits."""

    def __init__(self, types: tuple[TypeRule, ...], sources: tuple[Source, Source]) -> None:
        self.unseen = list(types)
        if types:
            for source in sources:
                source.records = self._watched(source.records)

    @property
    def notes(self) -> tuple[str, ...]:
        """A note for each that fitted nothing."""
        return tuple(f"--types {'.'.join(rule.pattern)}={rule.kind} matched nothing" for rule in self.unseen)

    def _watched(self, records: Iterator[Record]) -> Iterator[Record]:
        for count, record in enumerate(records):
            if self.unseen and count < MAX_SEARCHED:
                paths = {tuple(_place(piece) for piece in segments(path)) for path, _ in _first(record)}
                self.unseen = [rule for rule in self.unseen if not any(fits(rule.pattern, path) for path in paths)]
            yield record


def _place(piece: str) -> str:
    """A row as --types knows rows: by its place, which a pattern may leave out."""
    return "[0]" if piece.isdigit() or "=" in piece else piece
