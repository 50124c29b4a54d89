"""Which form of an operator or function fits its arguments, and what type a constant takes beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from detcheck.language.functions import CLASSES, CONSTANT_TYPES, TYPES, Form
from detcheck.language.typed import PENDING


@dataclass(frozen=True)
class Fit:
    """A form that fits. `bound` is the type its class stands for; None while only constants would decide it."""

    form: Form
    bound: str | None

    def wanted(self, index: int) -> str | None:
        """The type that parameter `index` takes; None while it is open."""
        param = self.form.params[index]
        return self.bound if param in CLASSES else param


def fit(forms: Sequence[Form], types: Sequence[str]) -> Fit | None:
    """The first form that takes arguments of these types, PENDING ones being constants."""
    for form in forms:
        if len(form.params) != len(types):
            continue
        bound = _bind(form, types)
        if bound is not _NO_FIT:
            return Fit(form, bound or None)
    return None


_NO_FIT = "no"


def _bind(form: Form, types: Sequence[str]) -> str:
    """The type of the form's class, "" while open, _NO_FIT."""
    pairs = list(zip(form.params, types, strict=True))
    bound = next((type_ for param, type_ in pairs if param in CLASSES and type_ != PENDING), "")
    for param, type_ in pairs:
        if param in CLASSES:
            allowed = (bound,) if bound in CLASSES[param] else () if bound else CLASSES[param]
        else:
            allowed = (param,)
        if type_ == PENDING:
            if not any(one in CONSTANT_TYPES for one in allowed):
                return _NO_FIT
        elif type_ not in allowed:
            return _NO_FIT
    return bound


def default_type(param: str, is_num: bool) -> str:
    """The type of constants that nothing outside decides: num for a decimal or a quotient, else i32."""
    allowed = CLASSES.get(param, TYPES)
    if is_num or "i32" not in allowed:
        return "num" if "num" in allowed else "i32"
    return "i32"
