"""Names that would mean two things at one place: constants and tables stand everywhere, columns in own programs."""

from __future__ import annotations

from collections.abc import Iterable

from detcheck.model.schema import TableSpec
from detcheck.scenario.positions import Path
from detcheck.scenario.section import Section


def refuse_double_roles(root: Section, constants: Iterable[str], tables: Iterable[TableSpec]) -> None:
    """A fault for every column or table that is named like a constant, and every column named like a table.

    Columns of [players] may: they are only ever written players[i].name. So may columns of two tables.
    """
    known: dict[str, tuple[str, Path]] = {name: ("the constant", ("config", name)) for name in constants}
    tables = [table for table in tables if table.name != "players"]
    for table in tables:
        if table.name != "world":
            _refuse(root, table.name, ("tables", table.name), known, "the table")
    both = {table.name: ("the table", ("tables", table.name)) for table in tables} | known
    for table in tables:
        prefix: Path = ("world",) if table.name == "world" else ("tables", table.name)
        for column in table.columns:
            _refuse(root, column.name, (*prefix, column.name), both, "the column")


def _refuse(root: Section, name: str, path: Path, known: dict[str, tuple[str, Path]], role: str) -> None:
    if name not in known:
        return
    other, other_path = known[name]
    line = root.document.key(other_path).line
    message = f"{role} {name} is named like {other} of line {line}: in a program the name would mean both"
    root.fault("scenario.name", message, root.document.key(path), "rename one of them")
