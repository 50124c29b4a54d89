"""Typing of statements: what is set, by what; locals come to be here."""

from __future__ import annotations

from detcheck.language import nodes as n
from detcheck.language import typed as t
from detcheck.language.expressions import column_type, lane_hint, lane_of, table_named, type_index, type_node
from detcheck.language.functions import FUNCTIONS
from detcheck.language.names import name_problem, nearest
from detcheck.language.operate import apply
from detcheck.language.places import Place
from detcheck.language.scope import Scope
from detcheck.language.settle import settle, settle_default
from detcheck.language.typed import BAD
from detcheck.language.words import here_words, mismatch_hint

_READ_ONLY = "inputs are read only: the script sets the players' rows"


def type_statement(scope: Scope, node: n.Statement) -> t.Step | None:
    """The typed step; None after a fault. Assigned locals are known afterwards even then."""
    if len(node.targets) == 2:
        return _sincos(scope, node)
    target = node.targets[0]
    if isinstance(target, n.Attribute) and isinstance(target.value, n.Index):
        return _scatter(scope, node, target, target.value)
    place, name, lane_name = _target_name(target)
    if name is None:
        if not isinstance(target, n.Bad):
            hint = "a target is a column, a local, a lane of one, or table[i].column with += or -="
            scope.report.add("target", "this cannot be assigned", place, hint)
        type_node(scope, node.value)
        return None
    if lane_name is not None or node.op:
        return _update(scope, node, place, name, lane_name)
    return _plain(scope, node, place, name)


def _target_name(node: n.Node) -> tuple[Place, str | None, n.Attribute | None]:
    """(place, name, the lane's node) of `name` and `name.lane`; no name for anything else."""
    match node:
        case n.Name(name=name):
            return node.place, name, None
        case n.Attribute(value=n.Name(name=name)):
            return node.value.place, name, node
        case _:
            return node.place, None, None


def _plain(scope: Scope, node: n.Statement, place: Place, name: str) -> t.Step | None:
    """name = value."""
    known = _known_type(scope, name)
    if known == BAD:
        known = None  # a faulty assignment made it; this one may say what it is
    problem = None if known else _new_name_problem(scope, name)
    value = type_node(scope, node.value, known)
    if problem is not None:
        scope.report.add("target", problem[0], place, problem[1])
        return None
    if known is None:
        value = settle_default(value, scope.report)
        scope.locals[name] = value.type
        return t.Assign(t.Target("local", name, value.type, None, place), value)
    return _assign(scope, t.Target(_kind(scope, name), name, known, None, place), value, known)


def _update(scope: Scope, node: n.Statement, place: Place, name: str, lane_node: n.Attribute | None) -> t.Step | None:
    """name op= value, name.lane = value, name.lane op= value: the name must already have a value."""
    type_ = _existing(scope, place, name)
    lane = None
    if type_ not in (None, BAD) and lane_node is not None:
        lane = lane_of(str(type_), lane_node.name)
        if lane is None:
            message = f"`{name}` is {type_} and has no `.{lane_node.name}`"
            scope.report.add("type", message, lane_node.place, lane_hint(str(type_)))
            type_ = None
    if type_ is None or type_ == BAD:
        type_node(scope, node.value)
        return None
    target = t.Target(_kind(scope, name), name, type_, lane, place)
    part = type_ if lane is None else "num"
    if not node.op:
        return _assign(scope, target, type_node(scope, node.value, part), part)
    read = _read(scope, target)
    value = apply(scope, node.op, (read, type_node(scope, node.value)), node.op_place)
    return _assign(scope, target, value, part)


def _read(scope: Scope, target: t.Target) -> t.Expr:
    """The target's value before an `op=`."""
    whole: t.Expr
    if target.kind == "column":
        whole = t.Column(target.type, target.place, scope.own.name, target.name)
    else:
        whole = t.Local(target.type, target.place, target.name)
    return whole if target.lane is None else t.Lane("num", target.place, whole, target.lane)


def _assign(scope: Scope, target: t.Target, value: t.Expr, wanted: str) -> t.Step | None:
    value = settle(value, wanted, scope.report)
    if value.type == BAD:
        return None
    if value.type != wanted:
        what = f"`{target.name}`" if target.lane is None else f"a lane of `{target.name}`"
        message = f"{what} is {wanted}, the value is {value.type}"
        hint = mismatch_hint("=", (wanted, value.type))
        if target.kind == "local" and target.lane is None:
            hint = "a local keeps the type of its first value; use another name" if hint is None else hint
        scope.report.add("type", message, value.place, hint)
        return None
    return t.Assign(target, value)


def _kind(scope: Scope, name: str) -> str:
    return "column" if scope.own.column(name) is not None else "local"


def _known_type(scope: Scope, name: str) -> str | None:
    """The type of a column of the own table or of a local that has been assigned; BAD for a read-only column."""
    column = scope.own.column(name)
    if column is None:
        return scope.locals.get(name)
    return column.type if scope.own.name != "players" else None


def _new_name_problem(scope: Scope, name: str) -> tuple[str, str | None] | None:
    """Why `name` cannot become a local: (message, hint)."""
    if scope.own.column(name) is not None:
        return f"`{name}` cannot be assigned", _READ_ONLY
    role = scope.role(name)
    if role is not None:
        hint = "give the local another name"
        if name in ("row", "rows", "tick", "dt"):
            hint = f"`{name}` is set by the replay"
        return f"`{name}` is {role} and cannot be assigned", hint
    problem = name_problem(name)
    return None if problem is None else (f"`{name}` {problem}", None)


def _existing(scope: Scope, place: Place, name: str) -> str | None:
    """The type of a target that must exist already; None after a fault."""
    type_ = _known_type(scope, name)
    if type_ is not None:
        return type_
    problem = _new_name_problem(scope, name)
    if name in ("world", "players") or name in scope.tables:
        hint = _READ_ONLY if name == "players" else "a row's column is table[i].column, with += or -="
        if name == "world":
            hint = "a world system assigns its columns by their own names" + (", without `world.`" * scope.in_world)
        scope.report.add("target", f"`{name}` is a table and cannot be assigned", place, hint)
    elif problem is not None:
        scope.report.add("target", problem[0], place, problem[1])
    else:
        known = [*(column.name for column in scope.own.columns), *scope.locals]
        hint = nearest(name, known) or "assign it whole first: name = ..."
        scope.report.add("name", f"`{name}` has no value yet", place, hint)
        scope.locals[name] = BAD
    return None


# s, c = sincos(a)


def _sincos(scope: Scope, node: n.Statement) -> t.Step | None:
    call = node.value
    if not isinstance(call, n.Call) or call.name != "sincos":
        type_node(scope, call)
        if not isinstance(call, n.Bad):
            message = "only `sincos` gives two values: `s, c = sincos(a)`"
            scope.report.add("target", message, node.place, "assign in two statements")
        _poison_locals(scope, node)
        return None
    argument = _sincos_argument(scope, call)
    targets = [_num_target(scope, target) for target in node.targets]
    first, second = targets
    if first is not None and second is not None and first.name == second.name:
        message = f"`{first.name}` would be assigned twice"
        scope.report.add("target", message, second.place, "give sine and cosine a name each")
        return None
    if argument is None or first is None or second is None:
        return None
    return t.SinCos(first, second, argument, call.place)


def _sincos_argument(scope: Scope, call: n.Call) -> t.Expr | None:
    args = [type_node(scope, arg) for arg in call.args]
    if len(args) != 1:
        message = f"`sincos` takes 1 argument, {here_words(len(args))}"
        scope.report.add("function", message, call.place, "write s, c = sincos(a)")
        return None
    applied = apply(scope, "sincos", args, call.place, FUNCTIONS["sincos"].forms)
    return applied.args[0] if isinstance(applied, t.Apply) else None


def _num_target(scope: Scope, node: n.Node) -> t.Target | None:
    """A column or local of type num, for one result of sincos."""
    if not isinstance(node, n.Name):
        if not isinstance(node, n.Bad):
            scope.report.add(
                "target", "the results of sincos go to columns or locals", node.place, "not to lanes or rows"
            )
        return None
    known = _known_type(scope, node.name)
    if known is None:
        problem = _new_name_problem(scope, node.name)
        if problem is not None:
            scope.report.add("target", problem[0], node.place, problem[1])
            return None
        scope.locals[node.name] = "num"
    elif known != "num":
        if known != BAD:
            scope.report.add("type", f"`{node.name}` is {known}, sincos gives num", node.place)
        return None
    return t.Target(_kind(scope, node.name), node.name, "num", None, node.place)


def _poison_locals(scope: Scope, node: n.Statement) -> None:
    for target in node.targets:
        if isinstance(target, n.Name):
            poison_name(scope, target.name)


def poison_name(scope: Scope, name: str) -> None:
    """A name that a faulty statement meant to assign: what follows must not complain about it."""
    if scope.own.column(name) is None and scope.role(name) is None:
        scope.locals.setdefault(name, BAD)


# table[i].column += value


def _scatter(scope: Scope, node: n.Statement, target: n.Attribute, row: n.Index) -> t.Step | None:
    table = table_named(scope, row.table, row.place) if row.table != "players" else None
    if row.table == "players":
        scope.report.add("target", "a column of players cannot be assigned", row.place, _READ_ONLY)
    index = type_index(scope, row)
    type_ = BAD if table is None else column_type(scope, table, target.name, target.place)
    value = type_node(scope, node.value)
    if type_ == BAD or table is None:
        return None
    name = f"{table.name}[i].{target.name}"
    if type_ not in ("i32", "u32"):
        hint = "only sums of integers do not depend on the order of rows; use i32 or u32 columns"
        scope.report.add(
            "target", f"`{name}` is {type_}: only i32 and u32 columns are scattered to", target.place, hint
        )
        return None
    if node.op not in ("+", "-"):
        hint = f"write {name} += value or -= value: several rows may meet in one"
        scope.report.add("target", f"`{name} {node.op}=` does not exist", node.op_place, hint)
        return None
    value = settle(value, type_, scope.report)
    if value.type not in (type_, BAD):
        message = f"`{name}` is {type_}, the value is {value.type}"
        scope.report.add("type", message, value.place, mismatch_hint(node.op, (type_, value.type)))
    if value.type != type_ or index.type == BAD:
        return None
    return t.Scatter(table.name, target.name, index, value, node.op == "-", row.place)
