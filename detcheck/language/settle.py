"""Giving an expression of constants alone the type that the outside wants (design: scenarios, Constants)."""

from __future__ import annotations

from dataclasses import replace

from detcheck.language.constants import integer_problem, shown
from detcheck.language.functions import CLASSES, CONSTANT_TYPES
from detcheck.language.overloads import default_type
from detcheck.language.places import Report
from detcheck.language.typed import BAD, PENDING, Apply, Constant, Expr, Poison
from detcheck.language.words import operator_words, vector_hint


def settle(expr: Expr, type_: str, report: Report) -> Expr:
    """`expr` with its pending constants as `type_`; unchanged when it has a type of its own."""
    if expr.type != PENDING:
        return expr
    if type_ == BAD:
        return Poison(BAD, expr.place)
    if isinstance(expr, Constant):
        return _constant(expr, type_, report)
    assert isinstance(expr, Apply)
    if type_ not in CONSTANT_TYPES or type_ not in CLASSES[expr.form.result]:
        message = f"{operator_words(expr.op)} of constants does not give {type_}, which is wanted here"
        report.add("type", message, expr.place, _operation_hint(expr, type_))
        return Poison(BAD, expr.place)
    args = tuple(settle(arg, type_, report) for arg in expr.args)
    if any(arg.type == BAD for arg in args):
        return Poison(BAD, expr.place)
    return replace(expr, type=type_, args=args)


def _constant(expr: Constant, type_: str, report: Report) -> Expr:
    if type_ not in CONSTANT_TYPES:
        words = shown(expr.const)
        hint = vector_hint(type_, words) if type_ in ("vec2", "vec3") else "write True, False or a comparison"
        report.add("type", f"the constant {words} cannot be a {type_}", expr.place, hint)
        return Poison(BAD, expr.place)
    problem = integer_problem(expr.const, type_) if type_ != "num" else None
    if problem is not None:
        report.add("constant", problem, expr.place, _constant_hint(expr, type_))
        return Poison(BAD, expr.place)
    return replace(expr, type=type_)


def _constant_hint(expr: Constant, type_: str) -> str | None:
    if expr.const.kind == "d":
        return "turn(c) is an angle of c turns" if type_ == "angle" else "write an integer, or round(...) of a num"
    if type_ == "i32" and 0 <= expr.const.value < 2**32:
        return f"u32({shown(expr.const)}) is a u32"
    if type_ == "angle":
        return "turn(c) is an angle of c turns, modulo one turn"
    return None


def _operation_hint(expr: Apply, type_: str) -> str | None:
    if expr.op == "/" and type_ in ("i32", "u32"):
        return "`//` divides integers"
    if type_ == "num" and expr.op in ("//", "%", "&", "|", "^", "<<", ">>", "~"):
        return "num(...) makes a num of an integer"
    return vector_hint(type_, "c") if type_ in ("vec2", "vec3") else None


def settle_default(expr: Expr, report: Report, param: str = "T") -> Expr:
    """A pending expression where nothing outside decides, within the class or type `param`."""
    if expr.type != PENDING:
        return expr
    assert isinstance(expr, Constant | Apply)
    return settle(expr, default_type(param, expr.is_num), report)
