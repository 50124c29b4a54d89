"""CSV and TSV: a row a tick, or a row a tick and entity; columns and rows in any order, decimal commas, quotes."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import pairwise

from detcheck.dumps import names, tokens
from detcheck.dumps.readers import classify, rows
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side, put
from detcheck.dumps.readers.table_layout import NUMBER, SNIFFED, Layout, cells_of, layout_of, sampled
from detcheck.dumps.sample import Sample
from detcheck.model.record import Group, Items, Node, Record, Scalar

#: past this much text rows are grouped as they come, no longer sorted
_SORTED_BYTES = 32 * 1024 * 1024


def sniff(sample: Sample) -> Fit:
    """Rows of one width with a tick column (or at least a header and numbers)."""
    if sample.binary or len(sample.content) < 2 or sample.text.lstrip()[:1] in ("{", "["):
        return NO_FIT
    layout = layout_of(sample)
    if layout is None:
        return NO_FIT
    named = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar"}[layout.delimiter]
    why = f"{len(layout.columns)} columns separated by {named}"
    data = [name for i, name in enumerate(layout.columns) if i not in (layout.tick, layout.key)]
    if layout.header and layout.tick is not None:
        only_hashes = all(names.is_hash(name) for name in data)
        return Fit(75 if only_hashes and len(data) == 1 and layout.key is None else 88, why)
    numeric = _numeric_share(sample, layout)
    if layout.header and numeric > 0.5:
        return Fit(60, why)
    return Fit(65, why) if layout.tick is not None and numeric > 0.8 and len(layout.columns) > 2 else NO_FIT


def _numeric_share(sample: Sample, layout: Layout) -> float:
    found = sampled(sample.content[layout.skip + layout.header : SNIFFED], layout.delimiter)
    cells = [cell for row in found for cell in row]
    return sum(1 for cell in cells if NUMBER.fullmatch(cell)) / len(cells) if cells else 0.0


def read(side: Side) -> Iterator[Record]:
    """A record a tick, its rows keyed. Rows of small files may be in any order; beyond, ticks stand together."""
    layout = layout_of(side.sample, side.options.tick_field, side.options.key_field)
    if layout is None:
        raise side.fault("dump.form", "has no rows of one width", hint="--reader names another shape")
    if side.options.tick_field and layout.tick is None:
        raise side.fault("dump.tick_field", f"has no column {side.options.tick_field!r}")
    return _Table(side, layout).run()


class _Table:
    def __init__(self, side: Side, layout: Layout) -> None:
        self.side = side
        self.layout = layout
        self.columns = layout.columns
        self.lines = side.lines()
        self.text = 0
        self.bad: list[int] = []
        letters = re.compile("[a-fA-F]")
        rows_seen = sampled(side.sample.content[layout.skip + layout.header : SNIFFED], layout.delimiter)
        self.base = (
            16 if any(letters.search(row[i]) for row in rows_seen for i in layout.hashes if i < len(row)) else 10
        )

    def run(self) -> Iterator[Record]:
        key = self.columns[self.layout.key] if self.layout.key is not None else None
        groups: dict[int | None, dict[str, Record]] = {}
        order: list[int | None] = []
        before: int | None = None
        for row in self._rows():
            record = self._record(row)
            group = groups.get(record.tick)
            label = self._label(row)
            if key is None and group is not None and record.tick == before:
                label = str(len(group))  # a further row of the tick
            before = record.tick
            if group is None:
                if self.text > _SORTED_BYTES and len(groups) > 1:
                    yield from self._give(groups, order[:-1], key)
                    order = order[-1:]
                    groups = {tick: groups[tick] for tick in order}
                group = groups[record.tick] = {}
                order.append(record.tick)
            elif label in group and record.tick == order[0]:
                yield from self._give(groups, order, key)  # the tick starts over: another session
                groups = {record.tick: (group := {})}
                order = [record.tick]
            elif label in group and record.tick is not None:
                self.side.state.setdefault("again", []).append(record.tick)  # type: ignore[attr-defined]
            group[label if record.tick is not None else str(len(group))] = record
        yield from self._give(groups, order, key)
        self._report()

    def _rows(self) -> Iterator[list[str]]:
        layout = self.layout
        texts = iter(self._texts())
        first = True
        try:
            for row in cells_of(texts, layout.delimiter):
                if not row or (len(row) == 1 and not row[0].strip()):
                    continue
                if first and layout.header:
                    first = False
                    continue
                first = False
                if len(row) < len(self.columns):
                    self.bad.append(self.lines.number)
                    continue
                yield row
        except csv.Error as error:
            raise self.side.fault("dump.form", f"is no table: {error}", self.lines.number) from None

    def _texts(self) -> Iterator[str]:
        for text in self.lines:
            self.text += len(text)
            if text.startswith(("#", "sep=", "//")):
                name, sep, value = text.lstrip("#/ ").partition(":" if ":" in text else "=")
                if sep and text[0] == "#":
                    node = tokens.bare(value.strip())
                    (self.side.writer if names.is_writer(name) else self.side.head)(name.strip(), node)
                continue
            yield text.replace("\r", " ") + "\n"

    def _label(self, row: list[str]) -> str:
        return row[self.layout.key].strip() if self.layout.key is not None else ""

    def _record(self, row: list[str]) -> Record:
        items: dict[str, Node] = {}
        tick = None
        for place, cell in enumerate(row):
            name = self.columns[place] if place < len(self.columns) else f"c{place + 1}"
            scalar = tokens.bare(cell.strip(), self.layout.decimal_comma)
            if place == self.layout.tick:
                tick = classify.tick_value(scalar)
            elif place in self.layout.hashes:
                put(items, name, tokens.hashed(cell.strip(), self.base))
            else:
                put(items, name, scalar)
        record = Record(tick, self.lines.number, fields=Group(items))
        if self.layout.key is not None:
            return record
        made = self._classified(record)
        if self.lines.cut and items:
            last = next(reversed(items))
            rest = {name: node for name, node in items.items() if name != last}
            made.cut = (record.line, self._classified(Record(tick, record.line, fields=Group(rest))))
        return made

    def _classified(self, record: Record) -> Record:
        hashes = {
            name: node for name, node in record.fields.items.items() if isinstance(node, Scalar) and node.kind == "hash"
        }
        rest = {name: node for name, node in record.fields.items.items() if name not in hashes or names.is_input(name)}
        made = classify.record_of(rest, self.side, record.line)
        for name, node in hashes.items():
            if name not in rest:
                made.hashes[classify.hash_name(name, made)] = node
        made.tick = record.tick if self.layout.tick is not None else made.tick
        return made

    def _give(
        self, groups: dict[int | None, dict[str, Record]], order: list[int | None], key: str | None
    ) -> Iterator[Record]:
        for tick in sorted(order, key=lambda tick: (tick is None, tick or 0)):
            held = list(groups[tick].values())
            if key is None:
                yield from held
                continue
            record = self._table(tick, held, key)
            if self.lines.cut and tick == order[-1]:
                record.cut = (
                    self.lines.number,
                    self._table(tick, [row for row in held if row.line != self.lines.number], key),
                )
            yield record

    @staticmethod
    def _table(tick: int | None, held: list[Record], key: str) -> Record:
        table: list[Node] = [row.fields for row in held]
        return Record(tick, held[0].line if held else 0, fields=Group({rows.row_name(key): Items(table, key)}))

    def _report(self) -> None:
        again = self.side.state.get("again")
        if isinstance(again, list) and again:
            from detcheck.dumps.settle import rollback_remark

            self.side.remark(rollback_remark(again))
        if self.bad and self.lines.cut and self.bad[-1] == self.lines.number:
            self.side.remark(f"line {self.bad.pop()} is cut short and was left out")
        if self.bad:
            self.side.remark(f"{len(self.bad)} rows are too short and were left out, the first is line {self.bad[0]}")


def head_lines(sample: Sample) -> int:
    """The comments and the header; all lines (nothing is skipped) where rows do not stand in the order of ticks."""
    layout = layout_of(sample)
    if layout is None or layout.tick is None or '"' in sample.text:
        return len(sample.lines)
    found = sampled(sample.content[layout.skip + layout.header :], layout.delimiter)
    ticks = [row[layout.tick] for row in found if len(row) > layout.tick]
    rising = all(tick.isdigit() for tick in ticks) and all(int(x) <= int(y) for x, y in pairwise(ticks))
    if not rising:
        return len(sample.lines)
    return sample.lines.index(sample.content[layout.skip]) + 1 if layout.header else layout.skip


READER = Reader("table", sniff, read, head_lines)
