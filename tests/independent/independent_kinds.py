"""The type of every expression of the tick language, before anything is converted.

Part of the second implementation: written from the design pages alone, it imports nothing of detcheck. An expression of
constants only has no type yet: its kind is INTEGERS or DECIMALS.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from independent_backends import Backend
from independent_scenario import LANES, Constant, Decimal, Refused, Scenario

INTEGERS, DECIMALS = "integer constants", "decimal constants"
UNTYPED = (INTEGERS, DECIMALS)
VECTORS, WORDS = ("vec2", "vec3"), ("i32", "u32")
NUMBERS = ("num", *VECTORS)
LANE_NAMES = "xyz"
DEFAULT = {INTEGERS: "i32", DECIMALS: "num"}

#: functions whose result has one type
RESULTS = {
    **dict.fromkeys(("length", "dot", "distance", "num", "raw", "bits", "rand_unit", "next_float"), "num"),
    **dict.fromkeys(("floor", "ceil", "sqrt", "sin", "cos", "sincos", "atan2", "asin", "acos"), "num"),
    **dict.fromkeys(("round", "i32", "roll", "count"), "i32"),
    **dict.fromkeys(("u32", "rand_u32", "next_int_inclusive", "below"), "u32"),
    **dict.fromkeys(("heading", "angle", "turn"), "angle"),
    **dict.fromkeys(("is_nan", "is_inf", "is_finite"), "bool"),
    "vec2": "vec2",
    "vec3": "vec3",
}

#: operators on two operands of one type
SAME_TYPES = {
    **dict.fromkeys(("Add", "Sub"), (*NUMBERS, *WORDS, "angle")),
    "Mult": (*NUMBERS, *WORDS),
    "Div": NUMBERS,
    **dict.fromkeys(("FloorDiv", "Mod", "BitAnd", "BitOr", "BitXor", "LShift", "RShift"), WORDS),
}


class Place(NamedTuple):
    """What an attribute names: form is lane, gather, world, rows or foldcol."""

    form: str
    type: str
    name: str
    table: str = ""
    index: ast.expr | None = None


def operator_type(op: ast.operator, left: str, right: str) -> str:
    """The result's type."""
    name = type(op).__name__
    if left == right and left in SAME_TYPES.get(name, ()):
        return left
    if left in VECTORS and right == "num" and name in ("Mult", "Div"):
        return left
    if left == "num" and right in VECTORS and name == "Mult":
        return right
    if name == "Mult" and {left, right} == {"angle", "i32"}:
        return "angle"
    raise Refused(f"{left} {name} {right}")


def beside(op: ast.operator, constant: str, other: str, *, right: bool) -> str:
    """The kind a constant operand takes beside `other`, or its own kind beside another constant."""
    if constant not in UNTYPED or other in UNTYPED:
        return constant
    scales = isinstance(op, ast.Mult) or (right and isinstance(op, ast.Div))
    if other in VECTORS and scales:
        return "num"
    return "i32" if other == "angle" and isinstance(op, ast.Mult) else other


class Kinds:
    """Names and types in one program: of `own`'s rows, with the locals seen so far, perhaps inside a fold."""

    def __init__(self, scenario: Scenario, backend: Backend, own: str, source: str) -> None:
        self.scenario, self.backend, self.own = scenario, backend, own
        self.lines = source.split("\n")
        self.locals: dict[str, str] = {}
        self.fold = ""

    def constant(self, node: ast.expr) -> Constant | None:
        """A literal, a config constant or dt, after at most one minus."""
        negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
        if isinstance(node, ast.UnaryOp) and negated:
            node = node.operand
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return Constant.of(self.number(node), negated=negated)
        if isinstance(node, ast.Name) and node.id in self.scenario.config:
            return Constant.of(self.scenario.config[node.id], negated=negated)
        if isinstance(node, ast.Name) and node.id == "dt":
            return Constant(False, Fraction(1, self.scenario.tick_rate), negated)
        return None

    def number(self, node: ast.Constant) -> int | Decimal:
        """A literal's value; a decimal's from its text, since ast has made it binary64."""
        if isinstance(node.value, int):
            return node.value
        return Decimal(self.lines[node.lineno - 1][node.col_offset : node.end_col_offset])

    def kind(self, node: ast.expr) -> str:
        """The type, or INTEGERS or DECIMALS."""
        constant = self.constant(node)
        if constant:
            return INTEGERS if constant.is_integer else DECIMALS
        match node:
            case ast.Constant(value=bool()) | ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return "bool"
            case ast.Name(id=name):
                return self.name_type(name)
            case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=operand):
                return self.kind(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return self.operator_kind(op, self.kind(left), self.kind(right))
            case ast.IfExp(body=body, orelse=orelse):
                return self.common((body, orelse))
            case ast.Attribute():
                return self.place(node).type
            case ast.Call(func=ast.Name(id=function), args=arguments):
                return self.call_kind(function, arguments)
        raise Refused(type(node).__name__)

    def operator_kind(self, op: ast.operator, left: str, right: str) -> str:
        if left in UNTYPED and right in UNTYPED:
            return DECIMALS if DECIMALS in (left, right) or isinstance(op, ast.Div) else INTEGERS
        return operator_type(op, beside(op, left, right, right=False), beside(op, right, left, right=True))

    def common(self, nodes: Sequence[ast.expr]) -> str:
        """The type of the first that has one."""
        kinds = [self.kind(node) for node in nodes]
        typed = [kind for kind in kinds if kind not in UNTYPED]
        return typed[0] if typed else DECIMALS if DECIMALS in kinds else INTEGERS

    def name_type(self, name: str) -> str:
        if name == "tick":
            return "i32"
        if self.fold:
            raise Refused(f"{name} in a fold")
        if name in self.locals:
            return self.locals[name]
        if name in self.scenario.columns[self.own]:
            return self.scenario.columns[self.own][name]
        if name in ("row", "rows") and self.own != "world":
            return "i32"
        raise Refused(f"name {name}")

    def call_kind(self, function: str, arguments: list[ast.expr]) -> str:
        if function == "sum" or (function in ("min", "max") and len(arguments) == 1):
            return self.fold_kind(arguments[0])
        if function in ("min", "max", "clamp", "abs"):
            return self.common(arguments)
        if function == "lerp":
            kind = self.common(arguments)
            return DECIMALS if kind == INTEGERS else kind
        if function == "normalize":
            return self.kind(arguments[0])
        if function in RESULTS:
            return RESULTS[function]
        raise Refused(f"function {function}")

    def fold_table(self, body: ast.expr) -> str:
        """The one table a fold's expression names."""
        values = [node.value for node in ast.walk(body) if isinstance(node, ast.Attribute)]
        named = {value.id for value in values if isinstance(value, ast.Name)}
        tables = sorted(named & self.scenario.rows.keys() - {"world"})
        if self.fold or len(tables) != 1:
            raise Refused("a fold over one table, in no other")
        return tables[0]

    def fold_kind(self, body: ast.expr) -> str:
        self.fold = self.fold_table(body)
        try:
            return self.kind(body)
        finally:
            self.fold = ""

    def place(self, node: ast.Attribute) -> Place:
        name, value = node.attr, node.value
        columns = self.scenario.columns
        if isinstance(value, ast.Name) and (self.fold or not self.is_own(value.id)):
            if value.id == "world" and name in columns["world"]:
                return Place("world", columns["world"][name], name)
            if self.fold and value.id == self.fold and name in columns[self.fold]:
                return Place("foldcol", columns[self.fold][name], name, self.fold)
            if not self.fold and value.id in columns and value.id != "world" and name == "rows":
                return Place("rows", "i32", name, value.id)
            raise Refused(f"{value.id}.{name}")
        if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and not self.fold:
            table = value.value.id
            if table != "world" and name in columns.get(table, {}):
                return Place("gather", columns[table][name], name, table, value.slice)
        elif LANE_NAMES.find(name) in range(LANES.get(self.kind(value), 0)):
            return Place("lane", "num", name)
        raise Refused(f".{name}")

    def is_own(self, name: str) -> bool:
        return name in self.locals or name in self.scenario.columns[self.own]
