"""CSV and TSV: a row a tick, or a row a tick and entity; columns and rows in any order, decimal commas, quotes.

A file may hold several tables, each under a header (and perhaps a title) of its own.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from itertools import islice, pairwise

from detcheck.dumps import names, tokens
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side
from detcheck.dumps.readers.table_header import BLANKS, NUMBER, begins_table, is_comment, is_title, title_of
from detcheck.dumps.readers.table_keys import agreed
from detcheck.dumps.readers.table_layout import SNIFFED, Layout, cells_of, first_table, layout_in, layout_of, sampled
from detcheck.dumps.readers.table_rows import Rows
from detcheck.dumps.readers.tick_lines import tick_of
from detcheck.dumps.sample import Sample
from detcheck.model.record import Record

_NAMED = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar", BLANKS: "blanks"}


def sniff(sample: Sample) -> Fit:
    """Rows of one width with a tick column (or at least a header and numbers)."""
    if sample.binary or len(sample.content) < 2 or _is_json(sample):
        return NO_FIT
    layout = layout_of(sample)
    if layout is None:
        return NO_FIT
    why = f"{len(layout.columns)} columns separated by {_NAMED[layout.delimiter]}"
    data = [name for i, name in enumerate(layout.columns) if i not in (layout.tick, layout.key)]
    ticked = layout.tick is not None or layout.one_tick
    if layout.named and layout.tick is not None:
        only_hashes = all(names.is_hash(name) for name in data)
        if layout.delimiter == BLANKS:
            return NO_FIT if only_hashes else Fit(72, why)
        return Fit(75 if only_hashes and len(data) == 1 and layout.key is None else 88, why)
    numeric = _numeric_share(sample, layout)
    if layout.named and (numeric > 0.5 or (layout.one_tick and layout.key is not None)):
        return Fit(60, why)
    return Fit(65, why) if ticked and numeric > 0.8 and len(layout.columns) > 2 else NO_FIT


def _is_json(sample: Sample) -> bool:
    return sample.text.lstrip()[:1] in ("{", "[") and not is_title(sample.content[0])


def _numeric_share(sample: Sample, layout: Layout) -> float:
    found = sampled(sample.content[layout.skip + layout.header : SNIFFED], layout.delimiter)
    cells = [cell for row in found for cell in row]
    return sum(1 for cell in cells if NUMBER.fullmatch(cell)) / len(cells) if cells else 0.0


def read(side: Side) -> Iterator[Record]:
    """A record a tick, its rows keyed. Rows of small files may be in any order; beyond, ticks stand together."""
    layout = layout_of(side.sample, side.options.tick_field, side.options.key_field)
    if layout is None:
        raise side.fault("dump.form", "has no rows of one width", hint="--reader names another shape")
    other = side.state.get("other")
    if isinstance(other, Side):
        layout = agreed(layout, layout_of(other.sample, side.options.tick_field, side.options.key_field))
    return _Tables(side, layout).run()


class _Tables:
    """The tables of a file one after the other. `_next` is set when the header of a further one was met."""

    def __init__(self, side: Side, layout: Layout) -> None:
        self.side = side
        self.lines = side.lines()
        self._texts = iter(self.lines)
        self._ahead: deque[tuple[int, str]] = deque()
        self._number = 0
        self._next = False
        #: the title met last, and that of the table being read
        self._title = self._current = ""
        self.bad: list[int] = []
        self._short: list[str] = []
        self.again: list[int] = []
        self.first = layout

    def run(self) -> Iterator[Record]:
        """The records; those of several tables are held, because the ticks of each start over."""
        sample = first_table([line for line in self.side.sample.lines[: SNIFFED * 2] if line.strip()])
        rows = Rows(self.side, self.first, sample, self.again)
        yield from self._read(rows)
        if not self._next:
            yield from rows.end(self.lines.cut, self.lines.number)
        else:
            from detcheck.dumps.readers.table_merge import merged

            self.side.source.columns = frozenset()
            held = [(self._current or rows.name, list(rows.end(False, 0)))]
            while self._next:
                held.append(self._further())
            self.side.source.columns = frozenset()
            self.side.remark(f"{len(held)} tables in one file: {', '.join(name for name, _ in held)}")
            yield from merged(held)
        self._report()

    def _further(self) -> tuple[str, list[Record]]:
        """The next table, which has been met: its title and records."""
        self._next = False
        self._ahead.extend(islice(self._numbered(), SNIFFED))
        sample = first_table([text for _, text in self._ahead])
        options = self.side.options
        layout = layout_in(sample, options.tick_field, options.key_field)
        if layout is None:
            self._ahead.popleft()
            return self._title, []
        rows = Rows(self.side, layout, sample, self.again)
        found = list(self._read(rows))
        found.extend(rows.end(self.lines.cut, self.lines.number))
        return self._current or rows.name, found

    def _read(self, rows: Rows) -> Iterator[Record]:
        above = rows.layout.header
        header = [name for name in rows.columns if name]
        try:
            for row in cells_of(self._section(rows), rows.layout.delimiter):
                if not any(map(str.strip, row)):
                    continue
                if above:
                    above -= 1
                elif len(row) < len(rows.columns):
                    self.bad.append(self._number)
                    self._short = row
                elif row[0] == rows.columns[0] and [cell.strip() for cell in row if cell.strip()] == header:
                    continue  # written once more, as when files are joined
                else:
                    yield from rows.add(row, self._number)
        except csv.Error as error:
            raise self.side.fault("dump.form", f"is no table: {error}", self._number) from None
        if self.lines.cut and self.bad and self.bad[-1] == self.lines.number and not self._next:
            yield from rows.cut_short(self._short, self.lines.number)

    def _numbered(self) -> Iterator[tuple[int, str]]:
        for text in self._texts:
            yield self.lines.number, text

    def _section(self, rows: Rows) -> Iterator[str]:
        """The lines of one table, up to the header of another."""
        started = False
        while True:
            if self._ahead:
                self._number, text = self._ahead.popleft()
            else:
                text = next(self._texts, "\0")
                if text == "\0":
                    return
                self._number = self.lines.number
            rows.text += len(text)
            tick = tick_of(text, None) if rows.layout.one_tick else None
            if tick is not None:
                rows.tick = tick
                continue
            if is_comment(text):
                self._comment(text, started)
                continue
            if is_title(text):
                self._title = title_of(text)
                continue
            if started and begins_table(text, rows.layout.delimiter, rows.columns):
                self._ahead.appendleft((self._number, text))
                self._next = True
                return
            if not started and text.strip():
                started, self._current, self._title = True, self._title, ""
            yield text.replace("\r", " ") + "\n"

    def _comment(self, text: str, started: bool) -> None:
        """`# map: Delta` is of the head, `# units` a title."""
        name, sep, value = text.lstrip("#/% ").partition(":" if ":" in text else "=")
        if sep and text[0] in "#%" and value.strip():
            node = tokens.bare(value.strip())
            (self.side.writer if names.is_writer(name) else self.side.head)(name.strip(), node)
        elif started or name.strip().isidentifier():
            self._title = title_of(text) or self._title

    def _report(self) -> None:
        if self.again:
            from detcheck.dumps.settle import rollback_remark

            self.side.remark(rollback_remark(self.again))
        if self.bad and self.lines.cut and self.bad[-1] == self.lines.number:
            self.side.remark(f"line {self.bad.pop()} is cut short and was left out")
        if self.bad:
            self.side.remark(f"{len(self.bad)} rows are too short and were left out, the first is line {self.bad[0]}")


def head_lines(sample: Sample) -> int:
    """The comments and the header; all lines (nothing is skipped) where rows do not stand in the order of ticks."""
    layout = layout_of(sample)
    if layout is None or layout.tick is None or '"' in sample.text or _several(sample, layout):
        return len(sample.lines)
    found = sampled(sample.content[layout.skip + layout.header :], layout.delimiter)
    ticks = [row[layout.tick] for row in found if len(row) > layout.tick]
    rising = all(tick.isdigit() for tick in ticks) and all(int(x) <= int(y) for x, y in pairwise(ticks))
    if not rising:
        return len(sample.lines)
    return sample.lines.index(sample.content[layout.skip]) + 1 if layout.header else layout.skip


def _several(sample: Sample, layout: Layout) -> bool:
    """Whether the sample shows a further table, or values of one entity on several rows."""
    seen = sample.content[layout.skip + layout.header :]
    return any(begins_table(line, layout.delimiter, layout.columns) for line in seen)


READER = Reader("table", sniff, read, head_lines)
