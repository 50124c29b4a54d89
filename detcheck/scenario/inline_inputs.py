"""[[inputs]]: script entries in the scenario file itself."""

from __future__ import annotations

from collections.abc import Collection

from detcheck.errors import DetcheckError
from detcheck.model.schema import TableSpec
from detcheck.scenario.inputs import EntryFault, EntryReader
from detcheck.scenario.scenario import ScriptEntry
from detcheck.scenario.section import Section, kind_of


def read_inline(root: Section, players: TableSpec, unclear: Collection[str] = ()) -> tuple[ScriptEntry, ...]:
    """The entries of [[inputs]] in file order; faults are noted in the section."""
    listed = root.take("inputs", list, "an array of tables", "write one [[inputs]] section an entry")
    reader = EntryReader(players, unclear)
    entries = []
    for i, values in enumerate(listed or ()):
        if root.given_up():
            break
        path = ("inputs", i)
        where = root.document.key(path)
        if not isinstance(values, dict):
            message = f"entry {i + 1} of inputs is {kind_of(values)}, it has to be a table"
            root.fault("scenario.type", message, where, "write one [[inputs]] section an entry")
            continue

        def report(fault: EntryFault, path: tuple[str | int, ...] = path) -> None:
            full = (*path, *fault.path)
            place = root.document.key(full) if fault.at_key else root.document.value(full)
            root.faults.append(DetcheckError(fault.code, fault.message, place, fault.hint))

        entry = reader.read(values, where.line or 0, report)
        if entry is not None:
            entries.append(entry)
    return tuple(entries)
