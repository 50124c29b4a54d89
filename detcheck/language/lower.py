"""Lowering: a typed program to the flat op list of one backend (language/ir.py).

The order of the ops is the order of the source: in a statement left to right, arguments before their function, a
target's index before the value, stores last. Nothing is folded, fused or shared where a trap or a draw could tell.
"""

from __future__ import annotations

from detcheck import numbers
from detcheck.errors import DetcheckError
from detcheck.language import typed as t
from detcheck.language.analyse import ProgramTree
from detcheck.language.emit import Emitter, lane_count
from detcheck.language.ir import Op, Program
from detcheck.language.lower_expressions import Registers, lower_expr
from detcheck.language.places import Origin, Report
from detcheck.language.scope import Env
from detcheck.model.schema import LaneRef

GUARD_STATEMENT = -1


def lower(tree: ProgramTree, env: Env, backend_id: str, faults: list[DetcheckError]) -> Program | None:
    """The program for a backend. Appends a fault for each constant out of its range and each op it lacks; None then.

    `env` is the one the tree was analysed with: its constants already stand in the tree.
    """
    backend = numbers.get(backend_id)
    found: list[DetcheckError] = []
    emitter = Emitter(backend, backend_id, Report(tree.guard_origin or tree.origin, found))
    guard: tuple[Op, ...] = ()
    guard_register = None
    if tree.guard is not None:
        emitter.begin(GUARD_STATEMENT)
        (guard_register,) = lower_expr(emitter, tree.guard)
        guard, emitter.ops = tuple(emitter.ops), []
    emitter.report = Report(tree.origin, found)
    for statement, step in enumerate(tree.steps):
        emitter.begin(statement)
        _step(emitter, step, tree.own_table)
    faults.extend(found)
    if found:
        return None
    lines = _lines(tree.origin, tree.text_rows)
    if tree.guard_origin is not None:
        lines |= _lines(tree.guard_origin, tree.guard_rows)
    types = tuple(emitter.types)
    ops = tuple(emitter.ops)
    return Program(tree.name, tree.own_table, guard, guard_register, ops, types, tree.origin.file, lines)


def _lines(origin: Origin, rows: int) -> dict[int, str]:
    """Source text by line number of the file."""
    numbers_ = range(origin.line, min(origin.line + rows, len(origin.lines) + 1))
    return {number: origin.lines[number - 1] for number in numbers_}


def _step(emitter: Emitter, step: t.Step, own_table: str) -> None:
    match step:
        case t.Assign():
            _set(emitter, step.target, lower_expr(emitter, step.value), own_table)
        case t.SinCos():
            _sincos(emitter, step, own_table)
        case t.Scatter():
            _scatter(emitter, step)


def _set(emitter: Emitter, target: t.Target, values: Registers, own_table: str) -> None:
    """Store into a column, or keep as a local; `values` are those of the target's lane or of all lanes."""
    if target.kind == "local":
        if target.lane is not None:
            (value,) = values
            old = emitter.locals[target.name]
            values = (*old[: target.lane], value, *old[target.lane + 1 :])
        emitter.locals[target.name] = values
        return
    lanes = range(lane_count(target.type)) if target.lane is None else (target.lane,)
    for lane, value in zip(lanes, values, strict=True):
        emitter.effect("store", (value,), target.place, LaneRef(own_table, target.name, lane))


def _sincos(emitter: Emitter, step: t.SinCos, own_table: str) -> None:
    """Of an angle two ops; of radians num.sincos_cos, whose cosine is not cos(r)'s."""
    (argument,) = lower_expr(emitter, step.argument)
    codes = ("num.sin_angle", "num.cos_angle")
    if step.argument.type != "angle":
        codes = ("num.sin", "num.sincos_cos")
        if emitter.backend_id != "float_pinned_32":
            emitter.unsupported("sincos(num)", ("float_pinned_32",), step.place)
    sine, cosine = (emitter.op(code, "num", (argument,), step.place) for code in codes)
    _set(emitter, step.sine, (sine,), own_table)
    _set(emitter, step.cosine, (cosine,), own_table)


def _scatter(emitter: Emitter, step: t.Scatter) -> None:
    """The index and its check, then the value, then the sums."""
    (index,) = lower_expr(emitter, step.index)
    kind = step.index.type
    emitter.effect(f"check_index.{kind}", (index,), step.place, step.table)
    if kind == "i32":
        index = emitter.op("u32.from_i32", "u32", (index,), step.place)
    (value,) = lower_expr(emitter, step.value)
    code = "scatter.sub" if step.subtract else "scatter.add"
    emitter.effect(code, (index, value), step.place, LaneRef(step.table, step.column, 0))
