"""The op set of the tick language: one table that lowering, every executor and the tests read.

An op works on scalar lanes. `num` is the backend's number, `u32` stands for angles too (the same 32 bits). Each op is
exactly one pinned operation of the design's math page. Cells in the reference executor are plain integers: Q16.16 raws
and i32 signed, u32, angle and binary32 patterns unsigned, bool 0 or 1.
"""

from __future__ import annotations

from dataclasses import dataclass

#: why an op can stop a replay -> the words a user reads
TRAPS: dict[str, str] = {
    "num_div_zero": "division by zero",
    "num_sqrt_negative": "square root of a negative number",
    "int_div_zero": "integer division by zero",
    "index": "index out of range",
    "clamp_bounds": "clamp bounds are not finite or not in order",
    "roll_bounds": "roll(lo, hi) with hi below lo",
    "fold_empty": "min or max of an empty table",
}


@dataclass(frozen=True)
class OpSpec:
    """`params` and `result` are lane types ("*" is any, the same for all "*"); `group` picks the room that executes it.

    traps   the reason this op may stop a replay with, None if it never does
    draws   takes words from the scenario's generator
    """

    code: str
    params: tuple[str, ...]
    result: str | None
    group: str
    traps: str | None = None
    draws: bool = False


def _num(name: str, count: int, result: str = "num", traps: str | None = None) -> OpSpec:
    return OpSpec(f"num.{name}", ("num",) * count, result, "num", traps)


def _int(kind: str, name: str, count: int, result: str | None = None, traps: str | None = None) -> OpSpec:
    return OpSpec(f"{kind}.{name}", (kind,) * count, result or kind, "int", traps)


_COMPARE = ("lt", "le", "gt", "ge", "eq", "ne")

_NUM = (
    *(_num(n, 2) for n in ("add", "sub", "mul")),
    _num("div", 2, traps="num_div_zero"),
    *(_num(n, 1) for n in ("neg", "abs", "floor", "ceil")),
    _num("sqrt", 1, traps="num_sqrt_negative"),
    *(_num(n, 2) for n in ("min", "max")),
    _num("clamp", 3, traps="clamp_bounds"),
    *(_num(n, 2, "bool") for n in _COMPARE),
    *(_num(n, 1, "bool") for n in ("is_nan", "is_inf", "is_finite")),
    OpSpec("num.from_i32", ("i32",), "num", "num"),
    OpSpec("num.from_u32", ("u32",), "num", "num"),
    OpSpec("num.round", ("num",), "i32", "num"),
)

_TRIG = (
    OpSpec("num.sin_angle", ("u32",), "num", "trig"),
    OpSpec("num.cos_angle", ("u32",), "num", "trig"),
    OpSpec("num.heading", ("num", "num"), "u32", "trig"),
    # radians: float_pinned_32 only. sincos(r) is num.sin and num.sincos_cos: its cosine is not cos(r)'s.
    OpSpec("num.sin", ("num",), "num", "trig"),
    OpSpec("num.cos", ("num",), "num", "trig"),
    OpSpec("num.sincos_cos", ("num",), "num", "trig"),
    OpSpec("num.atan2", ("num", "num"), "num", "trig"),
    OpSpec("num.asin", ("num",), "num", "trig"),
    OpSpec("num.acos", ("num",), "num", "trig"),
)


def _integers(kind: str) -> tuple[OpSpec, ...]:
    return (
        *(_int(kind, n, 2) for n in ("add", "sub", "mul", "and", "or", "xor", "shl", "shr", "min", "max")),
        *(_int(kind, n, 2, traps="int_div_zero") for n in ("floordiv", "mod")),
        *(_int(kind, n, 1) for n in ("neg", "not")),
        _int(kind, "clamp", 3, traps="clamp_bounds"),
        *(_int(kind, n, 2, "bool") for n in _COMPARE),
    )


_REST = (
    _int("i32", "abs", 1),
    *(OpSpec(f"bool.{n}", ("bool", "bool"), "bool", "int") for n in ("and", "or", "eq", "ne")),
    OpSpec("bool.not", ("bool",), "bool", "int"),
    OpSpec("select", ("bool", "*", "*"), "*", "int"),
    OpSpec("u32.from_i32", ("i32",), "u32", "int"),
    OpSpec("i32.from_u32", ("u32",), "i32", "int"),
    OpSpec("i32.from_bool", ("bool",), "i32", "int"),
)

_DRAWS = (
    OpSpec("draw.rand_u32", (), "u32", "draw", draws=True),
    OpSpec("draw.roll", ("i32", "i32"), "i32", "draw", traps="roll_bounds", draws=True),
    OpSpec("draw.rand_unit", (), "num", "draw", draws=True),
    OpSpec("draw.next_float", (), "num", "draw", draws=True),  # mt19937 only
    OpSpec("draw.next_int_inclusive", ("u32",), "u32", "draw", draws=True),  # mt19937 only
    OpSpec("draw.below", ("u32",), "u32", "draw", draws=True),  # splitmix64 only
)

_STATE = (
    OpSpec("const", (), "*", "state"),  # imm: the cell
    OpSpec("row", (), "i32", "state"),
    OpSpec("tick", (), "i32", "state"),
    OpSpec("load", (), "*", "state"),  # imm: LaneRef of the own table; the active row's cell
    OpSpec("world", (), "*", "state"),  # imm: LaneRef of world; the same for every row
    OpSpec("gather.i32", ("i32",), "*", "state", "index"),  # imm: LaneRef
    OpSpec("gather.u32", ("u32",), "*", "state", "index"),
    OpSpec(
        "check_index.i32", ("i32",), None, "state", "index"
    ),  # imm: table name; a scatter's target, before its value
    OpSpec("check_index.u32", ("u32",), None, "state", "index"),
    OpSpec("store", ("*",), None, "state"),  # imm: LaneRef of the own table
    OpSpec("scatter.add", ("u32", "*"), None, "state"),  # imm: LaneRef, an i32 or u32 column; index already checked
    OpSpec("scatter.sub", ("u32", "*"), None, "state"),
)

#: folds carry their own body over all rows of a table; one op a lane, so a vector's sum is two or three folds
_FOLDS = (
    OpSpec("fold.sum", ("*",), "*", "fold"),
    OpSpec("fold.min", ("*",), "*", "fold", "fold_empty"),
    OpSpec("fold.max", ("*",), "*", "fold", "fold_empty"),
    OpSpec("fold.count", ("bool",), "i32", "fold"),
)

OPS: dict[str, OpSpec] = {
    spec.code: spec for spec in (*_NUM, *_TRIG, *_integers("i32"), *_integers("u32"), *_REST, *_DRAWS, *_STATE, *_FOLDS)
}
