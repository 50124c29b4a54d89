"""[world], [tables.*] and [players]: the shape of the state."""

from __future__ import annotations

from dataclasses import dataclass, field

from detcheck.errors import visible
from detcheck.language.names import name_problem
from detcheck.model.schema import COLUMN_TYPES, ColumnSpec, TableSpec
from detcheck.scenario.inputs import ENTRY_KEYS
from detcheck.scenario.ranges import CELLS_MAX, I32_MAX
from detcheck.scenario.section import Section, did_you_mean, kind_of

_TYPE_HINT = f"a column type is one of {', '.join(COLUMN_TYPES)}"
_NAME_HINT = "a name is [A-Za-z_][A-Za-z0-9_]*, no keyword, function or reserved word"
_COLUMN_HINT = 'columns are written name = "type", for example pos = "vec2"'


@dataclass
class Shape:
    """The tables that could be read, in canonical order: world, players if any, then [tables] in file order.

    `unclear` holds names (of columns and tables) whose declaration is faulty: programs that use them are not blamed.
    """

    tables: list[TableSpec] = field(default_factory=list)
    unclear: set[str] = field(default_factory=set)


def read_shape(root: Section) -> Shape:
    """Read every table of the file; faults are noted in the section."""
    shape = Shape()
    world = root.table("world", hint=_COLUMN_HINT)
    shape.tables.append(TableSpec("world", 1, _columns("world", world, shape) if world else ()))
    if world is None and "world" in root.values:
        shape.unclear.add("world")
    players = root.table("players", hint="write a [players] section with rows and columns")
    if players is not None:
        shape.tables.append(_table("players", players, shape))
    elif "players" in root.values:
        shape.unclear.add("players")
    tables = root.table("tables", hint="write one [tables.name] section a table")
    if tables is not None:
        _named_tables(tables, shape)
    _check_size(root, shape)
    return shape


def _named_tables(tables: Section, shape: Shape) -> None:
    for name in tables.values:
        problem = name_problem(name)
        if problem is not None:
            tables.fault("scenario.name", f'"{visible(name, 60)}" {problem}', tables.key_at(name), _NAME_HINT)
            shape.unclear.add(name)
        inner = tables.table(name, hint="write a [tables.name] section with rows and columns")
        if inner is None:
            shape.unclear.add(name)
        elif problem is None:
            shape.tables.append(_table(name, inner, shape))
        else:
            _table(name, inner, shape)


def _table(name: str, section: Section, shape: Shape) -> TableSpec:
    rows = None
    if section.required("rows", "rows = 40"):
        rows = section.integer("rows", 0, I32_MAX)
    if rows is None and name == "players":
        shape.unclear.add(name)  # no entry is blamed for a player out of a range that nobody knows
    return TableSpec(name, rows or 0, _columns(name, section, shape))


def _columns(table: str, section: Section, shape: Shape) -> tuple[ColumnSpec, ...]:
    columns = []
    settings = () if section.path == ("world",) else ("rows",)
    for name, kind in section.values.items():
        if name in settings:
            continue
        problem = _column_problem(name, table)
        if problem is not None:
            section.fault("scenario.name", f'"{visible(name, 60)}" {problem}', section.key_at(name), _NAME_HINT)
        elif not isinstance(kind, str):
            message = f"{visible(name, 60)} is {kind_of(kind)}, it has to be a column type"
            section.fault("scenario.type", message, section.value_at(name), _COLUMN_HINT)
        elif kind not in COLUMN_TYPES:
            message = f'there is no column type "{visible(kind, 60)}"'
            section.fault("scenario.column_type", message, section.value_at(name), _suggest_type(kind))
        else:
            columns.append(ColumnSpec(name, kind))
            continue
        shape.unclear.add(name)
    return tuple(columns)


def _column_problem(name: str, table: str) -> str | None:
    if table == "players" and name in ENTRY_KEYS:
        return "is a key of every script entry, so no column of [players] can have it"
    return name_problem(name)


def _suggest_type(kind: str) -> str:
    suggestion = did_you_mean(kind, COLUMN_TYPES)
    return suggestion if suggestion.startswith("did") else _TYPE_HINT


def _check_size(root: Section, shape: Shape) -> None:
    if not shape.unclear and not any(table.columns for table in shape.tables):
        hint = 'a replay needs a state: for example [world] with score = "i32"'
        root.fault("scenario.no_state", "no table has a column", None, hint)
    cells = 0
    for table in shape.tables:
        cells += table.rows * sum(len(column.lane_names) for column in table.columns)
        if cells > CELLS_MAX:
            path = ("players",) if table.name == "players" else ("tables", table.name)
            message = f"{cells:,} cells (rows x lanes, all tables up to this one); a scenario has at most {CELLS_MAX:,}"
            root.fault("scenario.too_large", message, root.document.value((*path, "rows")), "use fewer rows or columns")
            return
