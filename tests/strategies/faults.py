"""Deliberate faults of an executor, and where a replay first shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from detcheck.engine import emit
from detcheck.engine.emit import Emitter
from detcheck.engine.executors import make_executor
from detcheck.engine.templates import FORMS
from detcheck.errors import TrapError
from detcheck.language.ir import Op
from detcheck.scenario.compiled import CompiledScenario

#: a * b with ties away from zero for positive products
HALF_UP = "({0} * {1} + 32768) >> 16"

#: the known fault of an engine: rounding by the sign of the truncated quotient, so that -0.667 raw becomes +1
BY_TRUNCATED_SIGN = (
    "(q := (abs({0}) << 16) // abs({1}) * (1 if ({0} < 0) == ({1} < 0) else -1))"
    " + ((1 if q >= 0 else -1) if 2 * ((abs({0}) << 16) % abs({1})) > abs({1}) else 0)"
)


def first_unlike(compiled: CompiledScenario, executor: str, ticks: int | None = None) -> int | None:
    """The first tick after which the executor and the reference differ, a trap on one side among it."""
    sides = [_Side("reference", compiled), _Side(executor, compiled)]
    for tick in range((compiled.ticks if ticks is None else ticks) + 1):
        mine, theirs = (side.at(tick) for side in sides)
        if mine != theirs:
            return tick
        if isinstance(mine, str):
            return None
    return None


class _Side:
    def __init__(self, executor: str, compiled: CompiledScenario) -> None:
        self.executor = make_executor(executor, compiled)

    def at(self, tick: int) -> object:
        try:
            if tick == 0:
                self.executor.setup()
            else:
                self.executor.advance(1)
        except (TrapError, AssertionError) as trap:
            return str(trap)
        return [(name, bytes(part)) for name, part in self.executor.part_buffers()]


def template(monkeypatch: pytest.MonkeyPatch, backend: str, code: str, text: str) -> None:
    """The generated executor computes `code` as `text` says, on cells of the form that leans on nothing."""
    form = FORMS[backend][-1]
    monkeypatch.setitem(FORMS, backend, (replace(form, templates={**form.templates, code: text}),))


def state_op(monkeypatch: pytest.MonkeyPatch, code: str, write: Callable[[Emitter, int, Op], None]) -> None:
    """The generated executor writes a state op as `write` does."""
    monkeypatch.setitem(emit._STATE, code, write)


def fused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The generated executor adds a product without having rounded it: a contraction, where both stand together."""
    real = Emitter._scalar
    products: dict[tuple[int, int], str] = {}

    def scalar(self: Emitter, depth: int, op: Op) -> None:
        kept = dict(self.names)
        if op.code == "num.mul":
            products[id(self), op.dst[0]] = "({} * {})".format(*self._operands(op))
        elif op.code == "num.add":
            self.names.update({r: products[id(self), r] for r in op.src if (id(self), r) in products})
        real(self, depth, op)
        self.names.update({r: name for r, name in kept.items() if r not in op.dst})

    monkeypatch.setattr(Emitter, "_scalar", scalar)


def text_of_functions(monkeypatch: pytest.MonkeyPatch, change: Callable[[Emitter, str], str]) -> None:
    """The text of every generated function goes through `change`."""
    real: Any = Emitter.function

    def function(self: Emitter, name: str) -> str:
        return change(self, real(self, name))

    monkeypatch.setattr(Emitter, "function", function)
