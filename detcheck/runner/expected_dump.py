"""The dump of `run --expected`: whether it is one, whose it is, and its records for the ticks that are asked for."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from detcheck.errors import DetcheckError, Where, visible
from detcheck.model.identity import Identity
from detcheck.model.record import Record, Scalar, Source

if TYPE_CHECKING:
    from detcheck.runner.work import Work

#: records looked at for a tick before a file is said to be no dump
_LOOKED_AT = 100

_HINT = "--expected takes what `detcheck dump` writes on a machine where the replay is equal"


class NotUsed(Exception):
    """Why a dump cannot show the expected state, in words."""


def require_dump(path: str) -> None:
    """A dump with ticks has to be there before anything is replayed. Raises DetcheckError.

    A pipe can be read only once: it is looked at when it is needed.
    """
    where = Where(visible(path) or "''")
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        words = "there is no such file" if isinstance(error, FileNotFoundError | ValueError) else error.strerror
        raise DetcheckError("expected.missing", f"--expected: {words}", where, _HINT) from None
    if stat.S_ISFIFO(mode):
        return
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise DetcheckError("expected.no_dump", "--expected: this is a device, not a dump", where, _HINT)
    try:
        with _opened(path) as source:
            found = any(record.tick is not None for record in islice(source.records, _LOOKED_AT))
    except DetcheckError as fault:
        raise DetcheckError("expected.no_dump", f"--expected: {fault.message}", fault.where or where, _HINT) from None
    if not found:
        words = f"--expected: this is no dump: no record with a tick was found (read as {source.reader})"
        raise DetcheckError("expected.no_dump", words, where, _HINT)


def unrelated(path: str, works: Iterable[Work]) -> str | None:
    """A remark when the dump says whose it is, and none of the replays is that."""
    if not os.path.isfile(path):
        return None
    with _opened(path) as source:
        next(source.records, None)  # the head is known with the first record
        named = [source.head.get(field) for field in ("scenario", "backend")]
    scenario, backend = (one.text if one is not None else None for one in named)
    if scenario is None or any(w.name == scenario and backend in (None, w.backend) for w in works):
        return None
    whose = visible(scenario) + (f" on {visible(backend)}" if backend is not None else "")
    return f"--expected {visible(path)} is of {whose}, which is not replayed here: it is not used"


def records_of(
    path: str, wanted: range, last_hash: str, identity: Identity | None, remarks: list[str]
) -> dict[int, Record]:
    """The records for the ticks of a range, of which the last has to have `last_hash`. Raises NotUsed."""
    try:
        with _opened(path) as source:
            records = {}
            for record in source.records:  # the head is known with the first record
                if unlike := _unlike(source.head, identity):
                    raise NotUsed(f"it is of another replay: {unlike}")
                if record.tick is not None and record.tick in wanted:
                    records[record.tick] = record
    except DetcheckError as fault:
        raise NotUsed(str(fault)) from None
    remarks.extend(f"{visible(path)}: {remark}" for remark in source.remarks)
    if not records:
        raise NotUsed(f"it holds none of the ticks {wanted.start} to {wanted.stop - 1}")
    last = records.get(wanted.stop - 1)
    if last is not None and not may_be(last, last_hash):
        raise NotUsed(f"it has another hash at tick {last.tick} than the golden")
    return records


def may_be(record: Record, state_hash: str) -> bool:
    """Whether a record can be the state of that hash: it has the hash, or none."""
    stored = record.hashes.get("hash")
    return stored is None or stored.value == int(state_hash, 16)


def _unlike(head: Mapping[str, Scalar], identity: Identity | None) -> str:
    """The identity fields that the dump's head names and that are not those of the replay."""
    if identity is None:
        return ""
    pairs = [(name, head[name].text, value) for name, value in identity.as_text().items() if name in head]
    return "; ".join(f"{name} is {visible(its)}, here {value}" for name, its, value in pairs if its != value)


@contextmanager
def _opened(path: str) -> Iterator[Source]:
    from detcheck.dumps.open import open_source

    if os.path.isdir(path):
        yield open_source(path)
        return
    try:
        stream = open(path, "rb")  # noqa: SIM115 - closed below; what fails while it is read is another fault
    except OSError as error:
        where = Where(visible(path))
        raise DetcheckError("expected.missing", f"cannot be read: {error.strerror}", where) from None
    with stream:
        yield open_source(stream)
