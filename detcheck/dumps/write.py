"""Writing dumps: JSON Lines or CSV, one record a tick, raw numbers (design: formats, Dumps)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Protocol

from detcheck.dumps.selection import Selection
from detcheck.dumps.state_record import lane_names, rng_values
from detcheck.dumps.target import Target
from detcheck.engine.executor import Executor
from detcheck.errors import DetcheckError
from detcheck.model.checkpoint import Checkpoint
from detcheck.model.identity import Identity
from detcheck.model.schema import TableSpec
from detcheck.version import DUMP_FORMAT

#: what a record may hold besides its tick
CONTENTS = ("hash", "parts", "state")


@dataclass(frozen=True)
class DumpHead:
    """The head line: whose dump it is and what its numbers are. `number` is q16.16 or f32.

    `source` names the writer ("peer A") and `platform` its machine; neither is ever a difference.
    """

    identity: Identity | None
    number: str
    tables: tuple[TableSpec, ...]
    source: str = "detcheck"
    platform: str | None = None

    def as_values(self, selection: Selection) -> dict[str, Any]:
        """The head as JSON values, in the order of the format."""
        head: dict[str, Any] = {"detcheck": "dump", "version": DUMP_FORMAT}
        if self.identity is not None:
            numbers = {"math": self.identity.math, "format": self.identity.format}
            head["identity"] = {**self.identity.as_text(), **numbers}
        head["source"] = {"name": self.source} | ({"platform": self.platform} if self.platform else {})
        head["number"] = self.number
        head["schema"] = {
            table.name: columns
            for table in self.tables
            if (columns := {c.name: c.type for c in table.columns if selection.has_part(f"{table.name}.{c.name}")})
        }
        return head


class StateWriter(Protocol):
    """What `detcheck dump` writes through, whatever the form."""

    def write(self, executor: Executor, checkpoint: Checkpoint) -> None:
        """Add the state where the executor stands."""

    def close(self) -> None:
        """Finish the file and put it in place."""

    def discard(self) -> None:
        """Leave the target as it was."""


class _Writer:
    """Opening, closing and giving up, shared by the forms.

    As a context manager it closes when all went well and discards on an exception. Whoever wants to keep the ticks
    before a trap catches it inside and closes.
    """

    def __init__(self, target: Path | str | BinaryIO, head: DumpHead, only: Sequence[str]) -> None:
        self.head = head
        self.selection = Selection.of(only, head.tables)
        self._target = Target(target)

    @property
    def written(self) -> int:
        """Bytes so far, uncompressed."""
        return self._target.written

    def close(self) -> None:
        """Finish the file and put it in place. Raises DetcheckError `file.write`."""
        self._target.close()

    def discard(self) -> None:
        """Leave the target as it was."""
        self._target.discard()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()


class DumpWriter(_Writer):
    """The JSON Lines form: a head, then a record for every state written.

    `target` is a path, compressed by its suffix (.gz .bz2 .xz) and put in place when closed, or a binary stream that
    is left open. `only` are paths (`unit`, `unit.pos`, `unit.pos.x`, `rng`, with `*`); `contents` of CONTENTS.
    The bytes depend on nothing but head and states. Raises DetcheckError `file.write`, `dump.only`.
    """

    def __init__(
        self,
        target: Path | str | BinaryIO,
        head: DumpHead,
        only: Sequence[str] = (),
        contents: Sequence[str] = CONTENTS,
    ) -> None:
        super().__init__(target, head, only)
        self._contents = contents
        self._line(head.as_values(self.selection))

    def __enter__(self) -> DumpWriter:
        return self

    def write(self, executor: Executor, checkpoint: Checkpoint) -> None:
        """Add the state where the executor stands; only looks at it."""
        record: dict[str, Any] = {"tick": checkpoint.tick}
        if "hash" in self._contents:
            record["hash"] = checkpoint.state_hash
        if "parts" in self._contents:
            record["parts"] = {name: digest for name, digest in checkpoint.parts if self.selection.has_part(name)}
        if "state" in self._contents:
            record["state"] = self._state(executor)
        self._line(record)

    def _state(self, executor: Executor) -> dict[str, Any]:
        state: dict[str, Any] = {}
        if self.selection.has_part("rng"):
            state["rng"] = rng_values(executor)
        for table in self.head.tables:
            lanes = dict(_selected_lanes(executor, table, self.selection))
            if lanes:
                state[table.name] = lanes
        return state

    def _line(self, values: dict[str, Any]) -> None:
        self._target.write(json.dumps(values, separators=(",", ":")).encode("ascii") + b"\n")


class CsvWriter(_Writer):
    """One row a tick, table and row; a column a lane, by the lane's name, empty where a table has no such lane.

    Numbers are raw. The generator's state has no rows and is left out.
    """

    def __init__(self, target: Path | str | BinaryIO, head: DumpHead, only: Sequence[str] = ()) -> None:
        super().__init__(target, head, only)
        self._names: list[str] = list(
            dict.fromkeys(
                name
                for table in head.tables
                for name, *_ in lane_names(table)
                if self.selection.has_lane(f"{table.name}.{name}")
            )
        )
        if only and not self._names:
            self.discard()
            hint = "leave --csv out: the generator's state is not rows"
            raise DetcheckError("dump.only", "a CSV holds rows of tables, and nothing of them is asked for", None, hint)
        self._target.write((",".join(["tick", "table", "row", *self._names]) + "\n").encode("ascii"))

    def __enter__(self) -> CsvWriter:
        return self

    def write(self, executor: Executor, checkpoint: Checkpoint) -> None:
        """Add the rows of the state where the executor stands."""
        for table in self.head.tables:
            lanes = dict(_selected_lanes(executor, table, self.selection))
            if not lanes:
                continue
            blank = [""] * table.rows
            columns = zip(*(map(str, lanes[name]) if name in lanes else blank for name in self._names), strict=True)
            start = f"{checkpoint.tick},{table.name},"
            lines = (f"{start}{row},{','.join(cells)}\n" for row, cells in enumerate(columns))
            self._target.write("".join(lines).encode("ascii"))


def _selected_lanes(executor: Executor, table: TableSpec, selection: Selection) -> Iterator[tuple[str, list[int]]]:
    for name, column, lane, _ in lane_names(table):
        if selection.has_lane(f"{table.name}.{name}"):
            yield name, executor.lane(table.name, column, lane)
