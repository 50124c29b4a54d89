"""Typing of calls: functions, literal forms, draws, folds."""

from __future__ import annotations

from detcheck.language import nodes as n
from detcheck.language import typed as t
from detcheck.language.constants import shown
from detcheck.language.expressions import fault, type_node
from detcheck.language.functions import FOLDS, FUNCTIONS, Form, Function
from detcheck.language.names import nearest
from detcheck.language.operate import apply
from detcheck.language.overloads import fit
from detcheck.language.scope import FoldScope, Scope
from detcheck.language.settle import settle, settle_default
from detcheck.language.typed import BAD, PENDING
from detcheck.language.words import forms_words, here_words, type_words
from detcheck.model.schema import Const


def type_call(scope: Scope, node: n.Call) -> t.Expr:
    """A call of a function of the table."""
    function = FUNCTIONS.get(node.name)
    if function is None:
        return _unknown(scope, node)
    if node.name in FOLDS and (function.kind == "fold" or len(node.args) == 1):
        return _fold(scope, node)
    if function.kind == "pair":
        for arg in node.args:
            type_node(scope, arg)
        hint = "give both results a name; sin(a) and cos(a) are the single ones"
        return fault(scope, "function", "`sincos` stands only in `s, c = sincos(a)`", node.place, hint)
    if function.kind == "draw" and not _may_draw(scope, node, function):
        return _poison(function, node)
    if function.kind == "literal":
        return _literal(scope, node, function)
    args = [type_node(scope, arg) for arg in node.args]
    if not _right_count(scope, node, function):
        return _poison(function, node)
    if node.name in ("u32", "i32") and isinstance(args[0], t.Constant) and args[0].type == PENDING:
        return _bits_of(scope, node, args[0])
    return apply(scope, node.name, args, node.place, function.forms)


def _poison(function: Function, node: n.Call) -> t.Poison:
    results = [form.result for form in function.forms]
    fixed = len(results) == 1 and results[0] in ("num", "i32", "u32", "angle", "bool", "vec2", "vec3")
    return t.Poison(results[0] if fixed else BAD, node.place)


def _unknown(scope: Scope, node: n.Call) -> t.Expr:
    for arg in node.args:
        type_node(scope, arg)
    hint = nearest(node.name, list(FUNCTIONS))
    if scope.own.column(node.name) is not None or node.name in scope.locals or scope.role(node.name) is not None:
        hint = "only functions are called"
    return fault(scope, "function", f"there is no function `{node.name}`", node.place, hint)


def _right_count(scope: Scope, node: n.Call, function: Function) -> bool:
    if len(node.args) == len(function.params):
        return True
    count = len(function.params)
    words = f"{count} argument{'' if count == 1 else 's'}" if count else "no arguments"
    message = f"`{node.name}` takes {words}, {here_words(len(node.args))}"
    scope.report.add("function", message, node.place, f"write {function.signature()}")
    return False


def _may_draw(scope: Scope, node: n.Call, function: Function) -> bool:
    code, problem, hint = "draw", None, None
    if scope.in_guard:
        problem, hint = "a guard does not draw", "draw in a statement, into a column or a local"
    elif scope.fold is not None:
        problem, hint = "a fold does not draw", "draw in an earlier statement, into a column"
    elif function.rng is not None and function.rng != scope.env.rng.kind:
        code, problem = (
            "rng",
            f"`{node.name}` needs the generator {function.rng}, this scenario has {scope.env.rng.kind}",
        )
        hint = "roll(lo, hi), rand_unit() and rand_u32() work with both"
    if problem is None:
        return True
    scope.report.add(code, problem, node.place, hint)
    return False


def _constant_argument(scope: Scope, node: n.Call) -> Const | None:
    arg = type_node(scope, node.args[0])
    if isinstance(arg, t.Constant) and arg.type == PENDING:
        return arg.const
    if arg.type != BAD:
        message = f"`{node.name}` takes a constant: a literal, a constant of [config] or dt"
        scope.report.add("constant", message, arg.place, "after at most one minus sign")
    return None


def _literal(scope: Scope, node: n.Call, function: Function) -> t.Expr:
    """turn(c), raw(c), bits(c)."""
    form = function.forms[0]
    if not _right_count(scope, node, function):
        return t.Poison(form.result, node.place)
    const = _constant_argument(scope, node)
    if const is None:
        return t.Poison(form.result, node.place)
    if node.name != "turn":
        scope.limits.append((node.place, f"{node.name}(c)", form.backends))
        low, high = (-(2**31), 2**31 - 1) if node.name == "raw" else (0, 2**32 - 1)
        if const.kind != "i" or not low <= const.value <= high:
            message = f"`{node.name}` takes an integer of {low} to {high}, this is {shown(const)}"
            scope.report.add("constant", message, node.args[0].place)
            return t.Poison(form.result, node.place)
    return t.Constant(form.result, node.place, const, node.name)


def _bits_of(scope: Scope, node: n.Call, arg: t.Constant) -> t.Expr:
    """u32(c), i32(c) of one constant: any integer of 32 bits, signed or not, is meant by its bits."""
    value = arg.const.value
    if arg.const.kind == "d" or not -(2**31) <= value < 2**32:
        settle(arg, "i32" if arg.const.kind == "d" else node.name, scope.report)
        return t.Poison(node.name, node.place)
    low = 0 if node.name == "u32" else -(2**31)
    return t.Constant(node.name, node.place, Const("i", (value - low) % 2**32 + low))


def _fold(scope: Scope, node: n.Call) -> t.Expr:
    forms = FOLDS[node.name]
    result = forms[0].result if forms[0].result == "i32" else BAD
    if scope.fold is not None:
        return fault(scope, "fold", "a fold does not hold another fold", node.place, "first keep it in a local")
    if len(node.args) != 1:
        message = f"`{node.name}` folds one expression over a table, {here_words(len(node.args))}"
        scope.report.add("fold", message, node.place, f"write {node.name}(unit.hp)")
        return t.Poison(result, node.place)
    scope.fold = FoldScope()
    faults_before = len(scope.report.faults)
    body = type_node(scope, node.args[0])
    table = scope.fold.table
    scope.fold = None
    is_clean = len(scope.report.faults) == faults_before
    if table is None:
        if is_clean and body.type != BAD:
            _no_table(scope, node)
        return t.Poison(result, node.place)
    return _folded(scope, node, body, table, forms)


def _no_table(scope: Scope, node: n.Call) -> None:
    hint = f"write table.column, as in {node.name}(unit.hp)"
    if node.name in ("min", "max"):
        hint = f"of two values it is {node.name}(a, b); {hint}"
    scope.report.add("fold", f"`{node.name}` of one argument runs over a table and names none", node.place, hint)


def _folded(scope: Scope, node: n.Call, body: t.Expr, table: str, forms: tuple[Form, ...]) -> t.Expr:
    body = settle_default(body, scope.report)
    result = forms[0].result if forms[0].result == "i32" else body.type
    if body.type == BAD:
        return t.Poison(result, node.place)
    if fit(forms, [body.type]) is None:
        message = f"`{node.name}` over a table does not take {type_words([body.type])}"
        hint = f"it takes {forms_words(node.name, forms)}" if node.name != "count" else "count(unit.hp > 0)"
        scope.report.add("type", message, body.place, hint)
        return t.Poison(forms[0].result if result == "i32" else BAD, node.place)
    return t.Fold(result, node.place, node.name, table, body)
