"""Typing of expressions: an accepted node to a typed one. A fault is reported once and poisons its type silently."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from detcheck.language import nodes as n
from detcheck.language import typed as t
from detcheck.language.constants import negated
from detcheck.language.functions import FUNCTIONS, OPERATORS
from detcheck.language.names import RESERVED, nearest
from detcheck.language.operate import apply
from detcheck.language.places import Place
from detcheck.language.scope import Scope
from detcheck.language.settle import settle
from detcheck.language.typed import BAD, PENDING
from detcheck.language.words import mismatch_hint, operator_words, type_words
from detcheck.model.schema import COLUMN_TYPES, Const, TableSpec


def type_node(scope: Scope, node: n.Node, wanted: str | None = None) -> t.Expr:
    """The typed node. `wanted` is the type that constants take here; other types are left for the caller to judge."""
    expr = _typed(scope, node)
    return expr if wanted is None else settle(expr, wanted, scope.report)


def type_wanted(scope: Scope, node: n.Node, wanted: Sequence[str], what: str) -> t.Expr:
    """The typed node, which must have one of the types `wanted`; constants take the first. `what` names the place."""
    expr = type_node(scope, node, wanted[0])
    if expr.type in wanted or expr.type == BAD:
        return expr
    message = f"{what} is {' or '.join(wanted)}, this is {expr.type}"
    scope.report.add("type", message, expr.place, mismatch_hint("", (wanted[0], expr.type)))
    return t.Poison(BAD, expr.place)


def _typed(scope: Scope, node: n.Node) -> t.Expr:
    match node:
        case n.Number():
            return t.Constant(PENDING, node.place, node.const)
        case n.Truth():
            return t.Truth("bool", node.place, node.value)
        case n.Name():
            return _name(scope, node)
        case n.Attribute():
            return _attribute(scope, node)
        case n.Operation():
            return _operation(scope, node)
        case n.Call():
            from detcheck.language.calls import type_call  # the two call each other

            return type_call(scope, node)
        case n.Index():
            type_node(scope, node.index)
            message = "a row is not a value"
            scope.report.add("name", message, node.place, f"name its column: {node.table}[i].column")
        case n.Bad():
            pass
    return t.Poison(BAD, node.place)


def fault(scope: Scope, code: str, message: str, place: Place, hint: str | None = None) -> t.Poison:
    """Report and poison."""
    scope.report.add(code, message, place, hint)
    return t.Poison(BAD, place)


# Names.


def _name(scope: Scope, node: n.Name) -> t.Expr:
    name, place = node.name, node.place
    const = scope.constant(name)
    if const is not None:
        return t.Constant(PENDING, place, const)
    if name == "tick":
        return t.Builtin("i32", place, name)
    if scope.fold is None:
        found = _row_name(scope, node)
        if found is not None:
            return found
    return fault(scope, "name", *_unknown(scope, name, place))


def _row_name(scope: Scope, node: n.Name) -> t.Expr | None:
    """What only a row has: its columns, the locals, row and rows."""
    name, place = node.name, node.place
    column = scope.own.column(name)
    if column is not None:
        return t.Column(column.type, place, scope.own.name, name)
    if name in scope.locals:
        return t.Local(scope.locals[name], place, name)
    if not scope.in_world and name == "row":
        return t.Builtin("i32", place, name)
    if not scope.in_world and name == "rows":
        return _whole(scope.own.rows, place)
    return None


def _whole(value: int, place: Place) -> t.Constant:
    return t.Constant("i32", place, Const("i", Fraction(value)))


def _unknown(scope: Scope, name: str, place: Place) -> tuple[str, Place, str | None]:
    """The fault of a name that is no value here."""
    if name in scope.tables:
        inner = "world.column" if name == "world" else f"{name}[i].column, {name}.rows, or a fold: sum({name}.column)"
        return f"`{name}` is a table, not a value", place, f"write {inner}"
    if name in FUNCTIONS:
        return f"`{name}` is a function", place, f"call it: {FUNCTIONS[name].signature()}"
    if scope.fold is not None and (name in scope.locals or name in RESERVED or scope.own.column(name) is not None):
        hint = "a fold knows table.column, constants, world.column and tick"
        if scope.own.column(name) is not None:
            hint = f"inside a fold it is written {scope.own.name}.{name}"
        return f"`{name}` cannot be used inside a fold", place, hint
    if name in ("row", "rows"):
        return f"`{name}` exists only in the programs of a table", place, "a table's number of rows is table.rows"
    if name in RESERVED:
        return f"`{name}` is a reserved name, not a value", place, None
    if name in scope.later and not scope.in_guard:
        return f"`{name}` is read before it is assigned", place, "assign it in an earlier statement"
    return f"unknown name `{name}`", place, nearest(name, scope.known()) or _elsewhere(scope, name)


def _elsewhere(scope: Scope, name: str) -> str | None:
    """Where a column of that name does exist."""
    for table in scope.tables.values():
        if table.column(name) is not None:
            written = f"world.{name}" if table.name == "world" else f"{table.name}[i].{name}"
            return f"the column of {table.name} is {written}"
    return "a guard knows no locals" if scope.in_guard else None


# Attributes: lanes, columns of tables, rows.


def _attribute(scope: Scope, node: n.Attribute) -> t.Expr:
    match node.value:
        case n.Index():
            return _gather(scope, node, node.value)
        case n.Name(name=name) if name in scope.tables or name in ("world", "players"):
            return _of_table(scope, node, name)
    value = type_node(scope, node.value)
    if value.type == BAD:
        return value
    lane = lane_of(value.type, node.name)
    if lane is not None:
        return t.Lane("num", value.place, value, lane)
    if value.type == PENDING:
        return fault(scope, "type", f"a constant has no `.{node.name}`", node.place)
    return fault(scope, "type", f"{value.type} has no `.{node.name}`", node.place, lane_hint(value.type))


def lane_of(type_: str, name: str) -> int | None:
    """The lane that `.x`, `.y` or `.z` is in a vector type, None when it has none of that name."""
    names = COLUMN_TYPES[type_][1] if type_ in COLUMN_TYPES else ()
    return names.index(name) if name in names and name else None


def lane_hint(type_: str) -> str:
    """Which lanes a type has."""
    if type_ in ("vec2", "vec3"):
        return f"{type_} has {', '.join('.' + name for name in COLUMN_TYPES[type_][1])}"
    return "only vectors have .x, .y and .z"


def table_named(scope: Scope, name: str, place: Place) -> TableSpec | None:
    """A table whose rows can be indexed; None after a fault."""
    if name == "world":
        scope.report.add("name", "world has one row and no index", place, "write world.column")
        return None
    table = scope.tables.get(name)
    if table is None:
        if name == "players":
            scope.report.add("name", "this scenario has no [players]", place)
        elif scope.own.column(name) is not None or name in scope.locals:
            inside = None if scope.in_world else f"another row of the own table is {scope.own.name}[i].{name}"
            scope.report.add("name", f"`{name}` is not a table", place, inside)
        else:
            hint = nearest(name, [one for one in scope.tables if one != "world"])
            scope.report.add("name", f"there is no table `{name}`", place, hint)
    return table


def column_type(scope: Scope, table: TableSpec, name: str, place: Place) -> str:
    """The type of a table's column, BAD after a fault."""
    column = table.column(name)
    if column is not None:
        return column.type
    scope.report.add(
        "name", f"{table.name} has no column `{name}`", place, nearest(name, [one.name for one in table.columns])
    )
    return BAD


def type_index(scope: Scope, node: n.Index) -> t.Expr:
    """A row index: i32 or u32."""
    return type_wanted(scope, node.index, ("i32", "u32"), "a row index")


def _gather(scope: Scope, node: n.Attribute, row: n.Index) -> t.Expr:
    if scope.fold is not None:
        return fault(scope, "fold", "a fold does not read single rows", row.place, "first keep it in a local")
    table = table_named(scope, row.table, row.place)
    index = type_index(scope, row)
    if table is None:
        return t.Poison(BAD, row.place)
    if node.name == "rows":
        return fault(scope, "name", "the number of rows has no index", node.place, f"write {table.name}.rows")
    type_ = column_type(scope, table, node.name, node.place)
    if BAD in (type_, index.type):
        return t.Poison(type_, row.place)
    return t.Gather(type_, row.place, table.name, node.name, index)


def _of_table(scope: Scope, node: n.Attribute, name: str) -> t.Expr:
    place = node.value.place
    table = scope.tables.get(name)
    if table is None:
        return fault(scope, "name", "this scenario has no [players]", place)
    if name == "world":
        type_ = column_type(scope, table, node.name, node.place)
        if type_ == BAD:
            return t.Poison(BAD, place)
        if scope.in_world and scope.fold is None:
            return t.Column(type_, place, name, node.name)
        return t.World(type_, place, node.name)
    if scope.fold is not None:
        return _folded(scope, node, table)
    if node.name == "rows":
        return _whole(table.rows, place)
    if column_type(scope, table, node.name, node.place) == BAD:
        return t.Poison(BAD, place)
    own = f"`{node.name}` for the active row, " if table.name == scope.own.name else ""
    written = f"{name}.{node.name}"
    hint = f"write {own}{name}[i].{node.name} for one row, or a fold: sum({written}), count({written} > 0)"
    return fault(scope, "name", f"`{written}` is a whole column, not a value", place, hint)


def _folded(scope: Scope, node: n.Attribute, table: TableSpec) -> t.Expr:
    assert scope.fold is not None
    place = node.value.place
    if node.name == "rows":
        return fault(scope, "fold", f"`{table.name}.rows` cannot be used inside a fold", place, "keep it in a local")
    if scope.fold.table is None:
        scope.fold.table = table.name
    elif scope.fold.table != table.name:
        message = f"a fold runs over one table: this is {table.name}, it began with {scope.fold.table}"
        return fault(scope, "fold", message, place)
    type_ = column_type(scope, table, node.name, node.place)
    return t.Poison(BAD, place) if type_ == BAD else t.Column(type_, place, table.name, node.name)


# Operators.


def _operation(scope: Scope, node: n.Operation) -> t.Expr:
    if node.op == "neg" and isinstance(node.args[0], n.Name):
        const = scope.constant(node.args[0].name)
        if const is not None:
            return t.Constant(PENDING, node.place, negated(const))
    args = tuple(type_node(scope, arg) for arg in node.args)
    if node.op in ("and", "or"):
        return _logic(scope, node, args)
    return apply(scope, node.op, args, node.place)


def _logic(scope: Scope, node: n.Operation, args: tuple[t.Expr, ...]) -> t.Expr:
    """Two or more bools; each part that is none is a fault of its own."""
    for arg in args:
        if arg.type not in ("bool", BAD):
            message = f"{operator_words(node.op)} takes bools, this is {type_words([arg.type])}"
            scope.report.add("type", message, arg.place, mismatch_hint(node.op, ()))
    if any(arg.type != "bool" for arg in args):
        return t.Poison("bool", node.place)
    return t.Apply("bool", node.place, node.op, args, OPERATORS[node.op][0])
