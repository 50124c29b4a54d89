"""Which function of a backend each scalar op is: one table for every executor that calls the backend itself."""

from __future__ import annotations

from collections.abc import Callable

from detcheck.engine.integers import INTEGER_OPS
from detcheck.language.ops import OPS
from detcheck.numbers import Backend

#: op code -> the backend's method, where it is not the code's own last word
_METHODS = {"num.from_i32": "from_int", "num.round": "to_int"}


def scalar_ops(backend: Backend) -> dict[str, Callable[..., int]]:
    """op code -> function on cells, for the groups num, trig and int; ops the backend lacks are left out."""
    table = dict(INTEGER_OPS)
    for code, spec in OPS.items():
        if spec.group in ("num", "trig"):
            method = getattr(backend, _METHODS.get(code, code.removeprefix("num.")), None)
            if method is not None:
                table[code] = method
    return table
