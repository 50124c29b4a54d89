"""Opening one side: unwrap, sniff, read. The one way in for everything that wants records (`open_source`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from detcheck.dumps.encoding import to_utf8
from detcheck.dumps.file_names import tick_of_file
from detcheck.dumps.members import chained
from detcheck.dumps.options import ReadOptions
from detcheck.dumps.readers import DECISIVE, READERS
from detcheck.dumps.readers.base import Fit, Reader, Side
from detcheck.dumps.repeated import opened
from detcheck.dumps.sample import sample_of
from detcheck.dumps.settle import settle
from detcheck.dumps.typed import typed
from detcheck.dumps.unwrap import Given, Opened, open_input
from detcheck.errors import DetcheckError
from detcheck.model.record import Record, Source

#: spellings of --reader beside the names of the table
_ALIASES = {
    "jsonl": "json-lines",
    "ndjson": "json-lines",
    "csv": "table",
    "tsv": "table",
    "raw": "raw-bytes",
    "bytes": "raw-bytes",
    "hash": "hash-lines",
    "hashes": "hash-lines",
    "golden": "detcheck-golden",
    "dump": "detcheck-dump",
    "events": "event-lines",
    "trace": "event-lines",
    "ini": "text-tree",
    "tree": "text-tree",
    "text": "text-tree",
}


def open_source(given: Given, options: ReadOptions | None = None) -> Source:
    """One side of a comparison: a path, `-`, or an open binary file. Raises DetcheckError, also while it is read."""
    options = options or ReadOptions()
    found = open_input(given, options)
    if found.single is None:
        return chained(found, options)
    return source_of(prepared(found.single, options), options)


def reader_named(name: str) -> Reader:
    """The reader `--reader` asks for."""
    wanted = _ALIASES.get(name.lower(), name.lower())
    for entry in READERS:
        if entry.name == wanted:
            return entry.reader
    known = ", ".join(entry.name for entry in READERS)
    raise DetcheckError("options.reader", f"there is no reader {name!r}", hint=f"readers: {known}")


def prepared(one: Opened, options: ReadOptions, tick: int | None = None) -> Side:
    """One stream as UTF-8 with its sample, not yet read. `tick` is the one its name states beside those of others."""
    wrapping = list(one.wrapping)
    stream, encoding = to_utf8(one.stream, one.remarks, wrapping, one.name)
    sample = sample_of(stream, one.stem, encoding.name == "binary")
    sample = replace(sample, tick=tick_of_file(one.stem) if tick is None else tick)
    source = Source(one.name, "", iter(()), remarks=one.remarks, wrapping=tuple(wrapping))
    return Side(one.name, one.stem, stream, sample, options, source)


def choose(side: Side) -> tuple[Reader, Fit]:
    """The reader that fits best, or the one asked for."""
    if side.options.reader:
        return reader_named(side.options.reader), Fit(100, "asked for")
    best, fit = None, Fit(-1, "empty")
    if side.sample.whole and not side.sample.content and not side.sample.binary:
        return READERS[-1].reader, fit
    for entry in READERS:
        reader = entry.reader
        found = reader.sniff(side.sample)
        if found.score > max(fit.score, 0):
            best, fit = reader, found
        if fit.score >= DECISIVE:
            break
    return best or READERS[-1].reader, fit


def source_of(side: Side, options: ReadOptions, chosen: tuple[Reader, Fit] | None = None) -> Source:
    """The source of a prepared side, its records lazily read."""
    reader, fit = chosen or choose(side)
    source = side.source
    source.reader, source.why = reader.name, fit.why
    if fit.score < 0:
        source.reader, source.why = "empty", "there is nothing in it"
        return source
    source.records = records_of(side, reader, options)
    return source


def records_of(side: Side, reader: Reader, options: ReadOptions) -> Iterator[Record]:
    """Settled, typed records; what was unusual is remarked on at the end."""
    records = opened(reader, side)
    if options.types:
        records = typed(records, options.types, side.source.remarks)
    if not reader.settled:
        records = settle(records, side.source.remarks, reader.window, side.skipped, side.taken)
    yield from records
    finish(side)


def finish(side: Side) -> None:
    """Remarks about the lines as a whole."""
    lines = side.state.get("lines")
    broken = getattr(lines, "undecodable", 0)
    if broken:
        side.remark(f"{broken} lines hold bytes that are no UTF-8; they are shown as escapes")
