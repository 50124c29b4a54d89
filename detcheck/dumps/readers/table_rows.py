"""The rows of one table as records: a record a tick, its rows keyed, the values of one entity together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from detcheck.dumps import names, tokens
from detcheck.dumps.readers import classify, rows
from detcheck.dumps.readers.base import Side, put
from detcheck.dumps.readers.table_keys import are_numbered, other_ids
from detcheck.dumps.readers.table_layout import Layout, sampled
from detcheck.dumps.readers.time_steps import stepped, tell_step
from detcheck.dumps.repeated import as_rows, common_key
from detcheck.model.record import Group, Items, Node, Record, Scalar

#: past this much text rows are grouped as they come, no longer sorted; sooner where none stood out of order
SORTED_BYTES = 8 * 1024 * 1024
ORDERLY_BYTES = 1024 * 1024
#: between the cells of a row that is held
_CELL = "\x1f"


@dataclass(slots=True)
class _Row:
    """`run` counts stretches of rows of one tick, `label` is what tells rows of a tick apart.

    A row is held as its cells, which are a tenth of what its values are.
    """

    run: int
    label: str
    line: int
    cells: str | tuple[str, ...]
    make: Callable[[list[str], int, int | None], Record]
    tick: int | None
    name: str = ""
    made: Record | None = None

    @property
    def parts(self) -> list[str]:
        """Its cells."""
        return self.cells.split(_CELL) if isinstance(self.cells, str) else list(self.cells)

    @property
    def record(self) -> Record:
        """The values of the row."""
        if self.made is None:
            self.made = self.make(self.parts, self.line, self.tick)
        return self.made


class Rows:
    """Collects the rows of one table; gives records when a session ends or too much is held."""

    def __init__(self, side: Side, layout: Layout, sample: list[str], again: list[int]) -> None:
        self.side = side
        self.layout = layout
        self.columns = layout.columns
        if layout.step is not None and layout.tick is not None:
            tell_step(side, layout.columns[layout.tick], layout.step)
        if layout.named and layout.value is None and not side.source.columns:
            places = (layout.tick, layout.key, layout.sub)
            side.source.columns = frozenset(name for i, name in enumerate(self.columns) if i not in places)
        named = layout.sub if layout.value is not None and layout.sub is not None else layout.key
        self.name = "rows" if named is None else rows.row_name(layout.columns[named])
        #: how much text the rows were
        self.text = 0
        #: ticks that were resimulated, of all tables of the file
        self.again = again
        self._groups: dict[int | None, list[_Row]] = {}
        self._labels: dict[int | None, set[str]] = {}
        #: of rows that have no column for it
        self.tick: int | None = side.sample.tick
        self._first: int | None = None
        self._before: int | None = None
        self._run = 0
        self._fell = False
        #: whether ticks have only risen so far
        self._orderly = layout.tick is not None
        self._make = self._record
        #: the line of a cut row of which nothing is known
        self._lost = 0
        self._base = self._base_of(sample)
        self._common: str | None = None
        self._ids = other_ids(self.columns, (layout.tick, layout.key))

    def _base_of(self, sample: list[str]) -> int:
        letters = re.compile("[a-fA-F]")
        seen = sampled(sample, self.layout.delimiter)[self.layout.header :]
        return 16 if any(letters.search(row[i]) for row in seen for i in self.layout.hashes if i < len(row)) else 10

    def add(self, row: list[str], line: int) -> Iterator[Record]:
        """Takes a row; gives what is whole by then."""
        tick = self._tick(row)
        label = self._label(row)
        same_run = bool(self._groups) and tick == self._before
        if not same_run:
            self._run += 1
            if tick in self._groups and self._starts_over(tick, label):
                yield from self.end()
            elif self._before is not None and tick is not None and tick < self._before:
                self._fell = True
            self._orderly = self._orderly and not self._fell
        if tick not in self._groups:
            if not self._groups:
                self._first = tick
            elif self.text > (ORDERLY_BYTES if self._orderly else SORTED_BYTES) and len(self._groups) > 1:
                yield from self._give(keep=self._before)
            self._groups[tick], self._labels[tick] = [], set()
        cells = _CELL.join(row)
        held = tuple(row) if cells.count(_CELL) >= len(row) else cells
        self._groups[tick].append(_Row(self._run, label, line, held, self._make, tick, self._name(row)))
        self._labels[tick].add(label)
        self._before = tick

    def cut_short(self, row: list[str], line: int) -> Iterator[Record]:
        """The last row, which the file ends in: its whole cells, where these name its tick and key."""
        layout = self.layout
        known = max(place for place in (layout.tick, layout.key, layout.sub, -1) if place is not None)
        has_tick = layout.tick is not None or layout.one_tick
        if layout.value is None and has_tick and len(row) - 1 > known:
            yield from self.add(row[:-1], line)
        elif self._groups:
            self._lost = line

    def _starts_over(self, tick: int | None, label: str) -> bool:
        """Whether the first tick again is another session: it is not where rows stand in no order of ticks."""
        return tick is not None and tick == self._first and label in self._labels[tick] and not self._fell

    def end(self, cut: bool = False, last_line: int = 0) -> Iterator[Record]:
        """What is held. `cut`: the file ends in the middle of `last_line`."""
        yield from self._give(None, last_line if cut else 0)
        self._groups, self._labels, self._first, self._before, self._fell = {}, {}, None, None, False

    def _label(self, row: list[str]) -> str:
        layout = self.layout
        label = row[layout.key].strip() if layout.key is not None else ""
        return label if layout.sub is None else f"{label}\0{row[layout.sub].strip()}"

    def _name(self, row: list[str]) -> str:
        """The field a row is a value of."""
        place = self.layout.sub if self.layout.sub is not None else self.layout.key
        return row[place].strip() if self.layout.value is not None and place is not None else ""

    def _tick(self, row: list[str]) -> int | None:
        layout = self.layout
        if layout.one_tick:
            return self.tick
        if layout.tick is None or layout.tick >= len(row):
            return None
        scalar = tokens.bare(row[layout.tick].strip(), layout.decimal_comma)
        return stepped(scalar, layout.step) if layout.step else classify.tick_value(scalar)

    def _record(self, row: list[str], line: int, tick: int | None) -> Record:
        layout = self.layout
        items: dict[str, Node] = {}
        for place, cell in enumerate(row):
            cell = cell.strip()
            if place == layout.tick:
                continue
            name = self.columns[place] if place < len(self.columns) else f"c{place + 1}"
            hashed = place in layout.hashes
            put(items, name, tokens.hashed(cell, self._base) if hashed else tokens.bare(cell, layout.decimal_comma))
        return Record(tick, line, fields=Group(items))

    def _give(self, keep: int | None, cut_line: int = 0) -> Iterator[Record]:
        """The records in the order of ticks; of the tick `keep` more rows may follow."""
        kept: dict[int | None, list[_Row]] = (
            {keep: self._groups.pop(keep)} if keep is not None and keep in self._groups else {}
        )
        groups, self._groups = self._groups, kept
        all_rows = 2 * sum(len(held) > len({row.label for row in held}) for held in groups.values()) > len(groups)
        if all_rows and self.layout.key is None and self._common is None:
            self._common = self._common_key(groups)
        last = self._before
        for tick in sorted(groups, key=lambda tick: (tick is None, tick or 0)):
            held = groups.pop(tick)
            if not all_rows and tick is not None:
                held = self._last_counts(tick, held)
            for record in self._records(tick, held, all_rows):
                if cut_line and tick == last and held[-1].line == cut_line:
                    self._note_cut(record, tick, held, all_rows)
                elif self._lost and tick == last:
                    record.cut = (self._lost, record)
                yield record
        self._labels = {tick: {row.label for row in held} for tick, held in kept.items()}
        self._first = keep if kept else None

    def _last_counts(self, tick: int, held: list[_Row]) -> list[_Row]:
        """Rows that were written again are resimulation after a rollback: the last of each counts.

        Two rows of one entity, one right after the other among those of others, are two rows.
        """
        labels = {(row.run, row.label) for row in held}
        runs = Counter(run for run, _ in labels)
        if len(labels) == len(held) == len({row.label for row in held}):
            return held
        if self.layout.key is None and len(runs) == 1:
            return held  # what these are shows in the other records of the file
        found: dict[str, _Row] = {}
        before = held[0]
        numbered = are_numbered([row.parts for row in held], (self.layout.tick, self.layout.key))
        for row in held:
            label = row.label
            if label in found:
                beside = before.label == label and runs[row.run] > 1
                if found[label].run == row.run and (beside or numbered or self._other_ids(found[label], row)):
                    label = f"{label}\0{len(found)}"
                elif self.again[-1:] != [tick]:
                    self.again.append(tick)
            found[label] = before = row
        return list(found.values())

    def _other_ids(self, one: _Row, other: _Row) -> bool:
        """Whether ids in another column tell two rows with one key apart."""
        return any(one.parts[i : i + 1] != other.parts[i : i + 1] for i in self._ids)

    def _records(self, tick: int | None, held: list[_Row], all_rows: bool) -> Iterator[Record]:
        layout = self.layout
        if layout.value is not None:
            yield self._fields(tick, held)
        elif layout.key is not None:
            if tick is None:
                yield from (self._keyed(None, [row]) for row in held)
            else:
                yield self._keyed(tick, held)
        elif all_rows and len(held) > 1 and tick is not None:
            yield as_rows([self._classified(row.record) for row in held], self._common)
        else:
            yield from (self._classified(row.record) for row in held)

    def _note_cut(self, record: Record, tick: int | None, held: list[_Row], all_rows: bool) -> None:
        """Where the file ends inside a row of the record: what the record is without that row, or its last cell."""
        row = held[-1]
        if record.line == row.line:
            items = dict(row.record.fields.items)
            if items:
                items.popitem()
            held = [replace(row, made=Record(tick, row.line, fields=Group(items)))]
            if self.layout.key is not None or not items:
                held = []
        else:
            held = held[:-1]
        rest = next(self._records(tick, held, all_rows), None) if held or self.layout.key is not None else None
        record.cut = (row.line, rest or Record(tick, record.line))

    def _common_key(self, groups: dict[int | None, list[_Row]]) -> str | None:
        several = [held for held in groups.values() if len(held) > 1]
        return common_key([[self._classified(row.record) for row in held] for held in several[:64]])

    def _keyed(self, tick: int | None, held: list[_Row]) -> Record:
        layout = self.layout
        assert layout.key is not None
        key = self.columns[layout.key]
        table: list[Node] = [row.record.fields for row in held]
        if layout.sub is not None:
            table = _nested(held, key, self.columns[layout.sub])
        return Record(tick, held[0].line if held else 0, fields=Group({rows.row_name(key): Items(table, key)}))

    def _fields(self, tick: int | None, held: list[_Row]) -> Record:
        """One value a row: as the fields of their entities, or of the world."""
        layout = self.layout
        assert layout.value is not None
        line = held[0].line if held else 0
        value = self.columns[layout.value]
        if layout.sub is None:
            world: dict[str, Node] = {}
            for row in held:
                put(world, row.name, row.record.fields.items[value])
            return self._classified(Record(tick, line, fields=Group(world)))
        assert layout.key is not None
        key = self.columns[layout.key]
        entities: dict[str, dict[str, Node]] = {}
        for row in held:
            items = row.record.fields.items
            fields = entities.setdefault(row.label.partition("\0")[0], {key: items[key]})
            put(fields, row.name, items[value])
        table: list[Node] = [Group(fields) for fields in entities.values()]
        return Record(tick, line, fields=Group({rows.row_name(key): Items(table, key)}))

    def _classified(self, record: Record) -> Record:
        hashes = {
            name: node for name, node in record.fields.items.items() if isinstance(node, Scalar) and node.kind == "hash"
        }
        rest = {name: node for name, node in record.fields.items.items() if name not in hashes or names.is_input(name)}
        made = classify.record_of(rest, self.side, record.line)
        for name, node in hashes.items():
            if name not in rest:
                made.hashes[classify.hash_name(name, made)] = node
        made.tick = record.tick if self.layout.tick is not None or record.tick is not None else made.tick
        return made


def _nested(held: list[_Row], key: str, sub: str) -> list[Node]:
    """Entities whose rows are told apart by a second column: `entity[entity=7].row[component=hp].x`."""
    entities: dict[str, tuple[Node, list[Node]]] = {}
    for row in held:
        items = dict(row.record.fields.items)
        keyed = items.pop(key)
        entities.setdefault(row.label.partition("\0")[0], (keyed, []))[1].append(Group(items))
    return [Group({key: keyed, rows.row_name(sub): Items(inner, sub)}) for keyed, inner in entities.values()]
