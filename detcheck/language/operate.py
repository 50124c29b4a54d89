"""Operators and functions on typed arguments: the form that fits, constants settled, the result's type."""

from __future__ import annotations

from collections.abc import Sequence

from detcheck.language import typed as t
from detcheck.language.functions import BACKENDS, CLASSES, OPERATORS, Form
from detcheck.language.overloads import default_type, fit
from detcheck.language.places import Place
from detcheck.language.scope import Scope
from detcheck.language.settle import settle
from detcheck.language.typed import BAD, PENDING
from detcheck.language.words import mismatch_hint, operator_words, type_words
from detcheck.model.schema import COLUMN_TYPES


def apply(scope: Scope, op: str, args: Sequence[t.Expr], place: Place, forms: Sequence[Form] | None = None) -> t.Expr:
    """An operator (or, with its `forms`, a function) on typed arguments. Constants among them are settled."""
    forms = OPERATORS[op] if forms is None else forms
    types = [arg.type for arg in args]
    if BAD in types:
        return t.Poison(_result_anyway(forms), place)
    found = fit(forms, types)
    if found is None:
        message = f"{operator_words(op)} does not take {type_words(types)}"
        scope.report.add("type", message, place, mismatch_hint(op, types))
        return t.Poison(_result_anyway(forms), place)
    form = found.form
    is_open = form.result in CLASSES and found.bound is None
    settled = []
    for index, arg in enumerate(args):
        wanted = found.wanted(index)
        if wanted is not None:
            arg = settle(arg, wanted, scope.report)
        elif not is_open:
            arg = _settle_open(scope, form, index, args)
        settled.append(arg)
    if form.backends != BACKENDS:
        scope.limits.append((place, f"{op}({', '.join(form.params)})", form.backends))
    result = PENDING if is_open else found.bound if form.result in CLASSES else form.result
    if any(arg.type == BAD for arg in settled):
        return t.Poison(BAD if result in (PENDING, None) else str(result), place)
    return t.Apply(str(result), place, op, tuple(settled), form)


def _settle_open(scope: Scope, form: Form, index: int, args: Sequence[t.Expr]) -> t.Expr:
    """Constants beside constants (`1 < 2.5`): all of them are num if one is, else i32."""
    is_num = any(arg.is_num for arg in args if isinstance(arg, t.Constant | t.Apply) and arg.type == PENDING)
    return settle(args[index], default_type(form.params[index], is_num), scope.report)


def _result_anyway(forms: Sequence[Form]) -> str:
    """The result's type when every form has the same fixed one, else BAD: what follows is still typed."""
    results = [form.result for form in forms]
    same = all(result == results[0] for result in results)
    return results[0] if same and results[0] in COLUMN_TYPES else BAD
