"""Lowering of expressions: a typed node to scalar-lane ops, in source order. Gives one register a lane.

The compositions are those of the design's math page, op by op; vectors go lane by lane, x first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from detcheck.language import typed as t
from detcheck.language.constants import turn_cell
from detcheck.language.emit import KINDS, Emitter, lane_count, lane_type_of
from detcheck.language.functions import FUNCTIONS
from detcheck.language.ops import OPS
from detcheck.language.places import Place
from detcheck.model.schema import LaneRef

Registers = tuple[int, ...]

#: operator or function -> the name its ops have after the kind: lane by lane, a num beside a vector to each lane
_LANEWISE = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "//": "floordiv",
    "%": "mod",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "shl",
    ">>": "shr",
    "neg": "neg",
    "~": "not",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
    "not": "not",
    **{name: name for name in ("min", "max", "clamp", "abs", "floor", "ceil", "sqrt")},
    **{name: name for name in ("is_nan", "is_inf", "is_finite", "atan2", "asin", "acos")},
}


def lower_expr(emitter: Emitter, expr: t.Expr) -> Registers:
    """The registers of the expression's lanes."""
    match expr:
        case t.Constant():
            return (_constant(emitter, expr),)
        case t.Truth():
            return (emitter.cell(int(expr.value), "bool", expr.place),)
        case t.Local():
            return emitter.locals[expr.name]
        case t.Builtin():
            return (emitter.op(expr.name, "i32", (), expr.place),)
        case t.Column() | t.World() | t.Gather():
            return lower_state(emitter, expr, range(lane_count(expr.type)))
        case t.Lane():
            if isinstance(expr.value, t.Column | t.World | t.Gather):
                return lower_state(emitter, expr.value, (expr.lane,))
            return (lower_expr(emitter, expr.value)[expr.lane],)
        case t.Apply():
            return _apply(emitter, expr)
        case t.Fold():
            return _fold(emitter, expr)
        case t.Poison():
            raise AssertionError("a faulty tree is not lowered")


def _constant(emitter: Emitter, expr: t.Constant) -> int:
    if expr.form == "plain":
        return emitter.const(expr.const, expr.type, expr.place)
    if expr.form == "turn":
        return emitter.cell(turn_cell(expr.const), "angle", expr.place)
    backends = FUNCTIONS[expr.form].forms[0].backends
    if emitter.backend_id not in backends:
        emitter.unsupported(f"{expr.form}(c)", backends, expr.place)
    return emitter.cell(emitter.backend.canonical(expr.const.value.numerator), "num", expr.place)


def lower_state(emitter: Emitter, expr: t.Column | t.World | t.Gather, lanes: Sequence[int]) -> Registers:
    """Some lanes of a column: of the active row, of world, of a row given by an index."""
    type_ = lane_type_of(expr.type)
    if isinstance(expr, t.Gather):
        (index,) = lower_expr(emitter, expr.index)
        code = f"gather.{expr.index.type}"
        refs = [LaneRef(expr.table, expr.name, lane) for lane in lanes]
        return tuple(emitter.op(code, type_, (index,), expr.place, ref) for ref in refs)
    code, table = ("world", "world") if isinstance(expr, t.World) else ("load", expr.table)
    return tuple(emitter.op(code, type_, (), expr.place, LaneRef(table, expr.name, lane)) for lane in lanes)


def _apply(emitter: Emitter, expr: t.Apply) -> Registers:
    backends = expr.form.backends
    if emitter.backend_id not in backends:
        emitter.unsupported(f"{expr.op}({', '.join(expr.form.params)})", backends, expr.place)
    if expr.op in ("and", "or"):
        return (_logic(emitter, expr),)
    args = [lower_expr(emitter, arg) for arg in expr.args]
    if expr.op in _LANEWISE:
        return _lanewise(emitter, expr, args)
    if f"draw.{expr.op}" in OPS:
        sources = tuple(arg[0] for arg in args)
        return (emitter.op(f"draw.{expr.op}", expr.type, sources, expr.place),)
    return _SPECIAL[expr.op](emitter, expr, args)


def _logic(emitter: Emitter, expr: t.Apply) -> int:
    """`a and b and c`: a, b, and, c, and."""
    (result,) = lower_expr(emitter, expr.args[0])
    for arg in expr.args[1:]:
        (other,) = lower_expr(emitter, arg)
        result = emitter.op(f"bool.{expr.op}", "bool", (result, other), expr.place)
    return result


def _kind(expr: t.Apply) -> str:
    """The prefix of the op code: that of the operands' lanes. `angle * i32` is a product of u32."""
    types = [lane_type_of(arg.type) for arg in expr.args]
    return "u32" if "angle" in types else KINDS[types[0]]


def _lanewise(emitter: Emitter, expr: t.Apply, args: list[Registers]) -> Registers:
    kind = _kind(expr)
    code = f"{kind}.{_LANEWISE[expr.op]}"
    if "angle" in (arg.type for arg in expr.args):
        args = [_as_u32(emitter, arg, one) for arg, one in zip(args, expr.args, strict=True)]
    type_ = lane_type_of(expr.type)
    count = max(len(arg) for arg in args)
    lanes = [tuple(arg[lane if len(arg) > 1 else 0] for arg in args) for lane in range(count)]
    return tuple(emitter.op(code, type_, sources, expr.place) for sources in lanes)


def _as_u32(emitter: Emitter, registers: Registers, expr: t.Expr) -> Registers:
    """The i32 beside an angle: the same 32 bits."""
    if expr.type != "i32":
        return registers
    return (emitter.op("u32.from_i32", "u32", registers, expr.place),)


def _equal(emitter: Emitter, expr: t.Apply, args: list[Registers]) -> Registers:
    """Vectors: all lanes equal, and its negation. A scalar `!=` is an op of its own (a NaN decides)."""
    left, right = args
    kind, place = _kind(expr), expr.place
    if len(left) == 1:
        return (emitter.op(f"{kind}.{'eq' if expr.op == '==' else 'ne'}", "bool", (left[0], right[0]), place),)
    lanes = [emitter.op(f"{kind}.eq", "bool", pair, place) for pair in zip(left, right, strict=True)]
    result = lanes[0]
    for lane in lanes[1:]:
        result = emitter.op("bool.and", "bool", (result, lane), place)
    return (result if expr.op == "==" else emitter.op("bool.not", "bool", (result,), place),)


def _select(emitter: Emitter, expr: t.Apply, args: list[Registers]) -> Registers:
    first, (condition,), second = args
    type_ = lane_type_of(expr.type)
    pairs = zip(first, second, strict=True)
    return tuple(emitter.op("select", type_, (condition, a, b), expr.place) for a, b in pairs)


def _lerp(emitter: Emitter, expr: t.Apply, args: list[Registers]) -> Registers:
    """a + (b - a) * t."""
    starts, ends, (part,) = args
    results = []
    for start, end in zip(starts, ends, strict=True):
        span = _num(emitter, "sub", (end, start), expr.place)
        step = _num(emitter, "mul", (span, part), expr.place)
        results.append(_num(emitter, "add", (start, step), expr.place))
    return tuple(results)


def _num(emitter: Emitter, name: str, sources: Sequence[int], place: Place) -> int:
    return emitter.op(f"num.{name}", "num", sources, place)


def _dot(emitter: Emitter, left: Registers, right: Registers, place: Place) -> int:
    """x * x' + y * y' (+ z * z'), left to right."""
    total = _num(emitter, "mul", (left[0], right[0]), place)
    for pair in zip(left[1:], right[1:], strict=True):
        total = _num(emitter, "add", (total, _num(emitter, "mul", pair, place)), place)
    return total


def _length(emitter: Emitter, vector: Registers, place: Place) -> int:
    return _num(emitter, "sqrt", (_dot(emitter, vector, vector, place),), place)


def _distance(emitter: Emitter, expr: t.Apply, args: list[Registers]) -> Registers:
    pairs = zip(*args, strict=True)
    return (_length(emitter, tuple(_num(emitter, "sub", pair, expr.place) for pair in pairs), expr.place),)


def _normalize(emitter: Emitter, expr: t.Apply, args: list[Registers]) -> Registers:
    """Each component is +0 where the length is zero, else component / length: never a division by zero."""
    place = expr.place
    length = _length(emitter, args[0], place)
    zero = emitter.whole(0, place)
    is_zero = _num_bool(emitter, "eq", (length, zero), place)
    divisor = emitter.op("select", "num", (is_zero, emitter.whole(1, place), length), place)
    results = []
    for component in args[0]:
        quotient = _num(emitter, "div", (component, divisor), place)
        results.append(emitter.op("select", "num", (is_zero, zero, quotient), place))
    return tuple(results)


def _num_bool(emitter: Emitter, name: str, sources: Sequence[int], place: Place) -> int:
    return emitter.op(f"num.{name}", "bool", sources, place)


def _trig(emitter: Emitter, expr: t.Apply, args: list[Registers]) -> Registers:
    name = f"{expr.op}_angle" if expr.args[0].type == "angle" else expr.op
    return (_num(emitter, name, args[0], expr.place),)


def _convert(emitter: Emitter, expr: t.Apply, args: list[Registers]) -> Registers:
    """num(i), u32(i), i32(u), i32(bool); u32(angle) and angle(u32) are the same 32 bits: no op."""
    source = expr.args[0].type
    if "angle" in (expr.op, source):
        return args[0]
    return (emitter.op(f"{expr.op}.from_{source}", expr.type, args[0], expr.place),)


def _fold(emitter: Emitter, expr: t.Fold) -> Registers:
    """One fold op a lane, each with a body of its own: a vector's second lane repeats what the first one showed not to
    trap."""
    results = []
    for lane in range(lane_count(expr.type)):
        saved = emitter.body_begin()
        values = lower_expr(emitter, expr.body)
        body = emitter.body_end(saved)
        type_ = lane_type_of(expr.type)
        results.append(emitter.fold(f"fold.{expr.op}", type_, body, values[lane], expr.table, expr.place))
    return tuple(results)


_SPECIAL: dict[str, Callable[[Emitter, t.Apply, list[Registers]], Registers]] = {
    "==": _equal,
    "!=": _equal,
    "if": _select,
    "lerp": _lerp,
    "dot": lambda emitter, expr, args: (_dot(emitter, args[0], args[1], expr.place),),
    "length": lambda emitter, expr, args: (_length(emitter, args[0], expr.place),),
    "distance": _distance,
    "normalize": _normalize,
    "heading": lambda emitter, expr, args: (emitter.op("num.heading", "angle", args[0], expr.place),),
    "vec2": lambda emitter, expr, args: tuple(arg[0] for arg in args),
    "vec3": lambda emitter, expr, args: tuple(arg[0] for arg in args),
    "sin": _trig,
    "cos": _trig,
    "round": lambda emitter, expr, args: (emitter.op("num.round", "i32", args[0], expr.place),),
    "num": _convert,
    "u32": _convert,
    "i32": _convert,
    "angle": _convert,
}
