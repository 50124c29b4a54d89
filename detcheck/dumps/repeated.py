"""Several records for one tick, one after the other, and all through the file: rows, not resimulation after a rollback.

They become one record a tick, so that every one of them is compared. A tick that only now and then stands twice is left
to `settle`: there the last one counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice, pairwise

from detcheck.dumps import names
from detcheck.dumps.readers.base import Reader, Side, record_of_rows, tick_or_itself
from detcheck.dumps.sessions import Sessions
from detcheck.dumps.settle import HELD_BYTES
from detcheck.dumps.streams import Stream
from detcheck.errors import DetcheckError
from detcheck.model.record import Record, Scalar, Source

#: how many records show what a file is
AHEAD = 64


def opened(reader: Reader, side: Side) -> Iterator[Record]:
    """The records of a reader, those of one tick as one record where ticks repeat all through the file."""
    records = reader.open(side)
    return records if reader.settled else _merged(records, side, reader)


def repeats(counts: Sequence[int]) -> bool:
    """Whether runs of equal ticks are mostly longer than one."""
    several = sum(count > 1 for count in counts)
    return several > 0 and 2 * several > len(counts)


def _alone(side: Side, reader: Reader) -> bool:
    """Whether the other side of the pair has one record a tick: then those of this side are no rows but a rollback."""
    other = side.state.get("other")
    if not isinstance(other, Side) or other.sample.binary:
        return False
    whole = other.sample.data if other.sample.whole else other.sample.data[: other.sample.data.rfind(b"\n") + 1]
    chunks = iter((whole,))
    probe = replace(
        other,
        stream=Stream(lambda: next(chunks, b"")),
        source=Source(other.name, reader.name, iter(())),
        skipped=None,
        state={},
    )
    try:
        ahead = list(islice(reader.open(probe), AHEAD))
    except DetcheckError:
        return False
    return len(ahead) > 2 and all(x.tick != y.tick or x.tick is None for x, y in pairwise(ahead))


def _merged(records: Iterator[Record], side: Side, reader: Reader) -> Iterator[Record]:
    ahead: list[Record] = []
    for record in islice(records, AHEAD):
        ahead.append(record)
        if side.taken() > HELD_BYTES:
            break
    session = session_field(ahead)
    if session is not None:
        yield from _by_session(chain(ahead, records), session, side)
        return
    runs = [list(run) for _, run in groupby(ahead, key=tick_or_itself)]
    # the last run may go on behind what was looked at
    whole = runs[:-1] or runs
    if not repeats([len(run) for run in whole]) or _alone(side, reader):
        yield from chain(ahead, records)
        return
    key = common_key([run for run in whole if len(run) > 1])
    for _, run in groupby(chain(ahead, records), key=tick_or_itself):
        yield as_rows(list(run), key)


def session_field(ahead: list[Record]) -> str | None:
    """The field that names the session, where several log into one file and the ticks of each rise on their own."""
    ticks = [record.tick for record in ahead]
    if None in ticks or all(x < y for x, y in pairwise(ticks)):  # type: ignore[operator]
        return None
    for name in ahead[0].fields.items:
        if names.plain(name) not in names.SESSION_WORDS:
            continue
        last: dict[str, int] = {}
        for record in ahead:
            node = record.fields.items.get(name)
            if (
                not isinstance(node, Scalar)
                or record.tick is None
                or last.get(node.text, record.tick - 1) >= record.tick
            ):
                break
            last[node.text] = record.tick
        else:
            if 2 * len(last) <= len(ahead):
                return name
    return None


def _by_session(records: Iterator[Record], name: str, side: Side) -> Iterator[Record]:
    """The records of each session by itself."""
    sessions = Sessions(side)
    for record in records:
        node = record.fields.items.get(name)
        yield from sessions.feed(node.text if isinstance(node, Scalar) else "", record)
    yield from sessions.end()


def common_key(runs: list[list[Record]]) -> str | None:
    """The field that has the same values, each once, at every tick: `system`, `stream`, `layer`; None when none has."""
    if len(runs) < 2:
        return None
    for name in runs[0][0].fields.items:
        seen = {_values(run, name) for run in runs}
        if len(seen) == 1 and None not in seen:
            return name
    return None


def row_key(runs: list[list[Record]]) -> str | None:
    """The field that tells the rows of a tick apart on each of two sides, and of which most values are on both."""
    key = common_key(runs)
    if key is not None:
        return key
    for name in runs[0][0].fields.items:
        seen = [_values(run, name) for run in runs]
        if all(one is not None for one in seen):
            both = set(seen[0] or ()) & set(seen[1] or ())
            if 2 * len(both) > min(map(len, runs)):
                return name
    return None


def _values(run: list[Record], name: str) -> tuple[str, ...] | None:
    nodes = [record.fields.items.get(name) for record in run]
    texts = sorted({node.text for node in nodes if isinstance(node, Scalar)})
    return tuple(texts) if len(texts) == len(run) else None


def as_rows(held: list[Record], key: str | None) -> Record:
    """One record of the rows of a tick: keyed where `key` tells them apart, else in their order."""
    if key is not None and _values(held, key) is None:
        key = None
    result = record_of_rows(held, "row", key)
    for record in held:
        result.events.extend(record.events)
    if held[-1].cut is not None:
        line, rest = held[-1].cut
        result.cut = (line, as_rows([*held[:-1], rest], key))
    return result
