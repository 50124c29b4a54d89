"""Expressions of the tick language to typed trees, with every constant converted.

Part of the second implementation: written from the design pages alone, it imports nothing of detcheck.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, NamedTuple

import independent_binary32 as b32
from independent_kinds import (
    DEFAULT,
    LANE_NAMES,
    NUMBERS,
    UNTYPED,
    VECTORS,
    WORDS,
    Kinds,
    beside,
    operator_type,
)
from independent_scenario import Constant, Refused

RANGES = {"i32": (-(1 << 31), 1 << 31), "u32": (0, 1 << 32), "angle": (0, 1 << 32)}

#: types both sides may have: order, and folds
ORDERED = ("num", *WORDS, "angle")
FOLDED = {"count": ("bool",), "sum": (*NUMBERS, *WORDS), "min": ("num", *WORDS), "max": ("num", *WORDS)}
#: functions of arguments that share one type: how many, and which types
SHARED = {
    "min": (2, (*NUMBERS, *WORDS)),
    "max": (2, (*NUMBERS, *WORDS)),
    "clamp": (3, (*NUMBERS, *WORDS)),
    "abs": (1, (*NUMBERS, "i32")),
    "length": (1, VECTORS),
    "normalize": (1, VECTORS),
    "dot": (2, VECTORS),
    "distance": (2, VECTORS),
}
#: functions of fixed types: the arguments' types
SIGNATURES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("floor", "ceil", "sqrt", "is_nan", "is_inf", "is_finite", "round", "asin", "acos"), ("num",)),
    "atan2": ("num", "num"),
    "heading": ("vec2",),
    "vec2": ("num",) * 2,
    "vec3": ("num",) * 3,
    **dict.fromkeys(("rand_u32", "rand_unit", "next_float"), ()),
    "roll": ("i32", "i32"),
    "next_int_inclusive": ("u32",),
    "below": ("u32",),
}
FLOAT_ONLY = ("asin", "acos", "atan2")
DRAWS = ("rand_u32", "roll", "rand_unit", "next_float", "next_int_inclusive", "below")
ONE_GENERATOR = {"next_float": "mt19937", "next_int_inclusive": "mt19937", "below": "splitmix64"}
#: conversions: what is converted, first what a constant becomes
CONVERTED = {"num": ("i32", "u32"), "u32": ("i32", "angle"), "i32": ("u32", "bool"), "angle": ("u32",)}


class Tree(NamedTuple):
    """A typed operation: its form, its result's type, its arguments in evaluation order, and what else it names."""

    form: str
    type: str
    arguments: tuple[Tree, ...] = ()
    value: Any = None
    table: str = ""


class Trees(Kinds):
    """Elaborates the expressions of one program; `may_draw` is off in a guard."""

    may_draw = True

    def tree(self, node: ast.expr, want: str | None = None) -> Tree:
        """The typed tree; `want` is the type asked for from outside."""
        kind = self.kind(node)
        constant = self.constant(node)
        if constant:
            type_ = want or DEFAULT[kind]
            return Tree("literal", type_, value=self.literal(constant, type_))
        given = (want or DEFAULT[kind]) if kind in UNTYPED else None
        made = self.operation(node, given)
        if want and made.type != want:
            raise Refused(f"{want} wanted, {made.type} given")
        return made

    def literal(self, constant: Constant, type_: str) -> int:
        """The cell of a constant."""
        if type_ in RANGES:
            low, high = RANGES[type_]
            if not constant.is_integer or not low <= constant.signed < high:
                raise Refused(f"{constant} as {type_}")
            return int(constant.signed)
        if type_ != "num":
            raise Refused(f"a constant as {type_}")
        if constant.value == 0 and self.backend.is_float:
            return b32.SIGN if constant.negative_zero != constant.negated else 0
        try:
            return self.backend.literal(constant.signed)
        except OverflowError:
            raise Refused(f"{constant} out of range") from None

    def operation(self, node: ast.expr, want: str | None) -> Tree:
        """What is no constant; `want` is the type of an expression of constants only, None where there is another."""
        match node:
            case ast.Constant(value=value):
                return Tree("literal", "bool", value=value)
            case ast.Name(id=name):
                form = "local" if name in self.locals else "column" if self.is_own(name) else name
                return Tree(form, self.kind(node), value=name)
            case ast.UnaryOp(op=op, operand=operand):
                return self.unary(op, operand, want)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(op, left, right, want)
            case ast.BoolOp(op=op, values=values):
                return Tree(type(op).__name__, "bool", tuple(self.tree(value, "bool") for value in values))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self.comparison(type(op).__name__, left, right)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                type_ = self.settled((body, orelse), want)
                chosen, asked, other = self.tree(body, type_), self.tree(test, "bool"), self.tree(orelse, type_)
                return Tree("select", chosen.type, (chosen, asked, other))
            case ast.Attribute():
                return self.attribute(node)
            case ast.Call(func=ast.Name(id=function), args=arguments, keywords=[]):
                return self.call(function, arguments, want)
        raise Refused(type(node).__name__)

    def settled(self, nodes: Sequence[ast.expr], want: str | None) -> str | None:
        """The type operands share; that of constants only is `want`."""
        kind = self.common(nodes)
        return want if kind in UNTYPED else kind

    def unary(self, op: ast.unaryop, operand: ast.expr, want: str | None) -> Tree:
        name = type(op).__name__
        made = self.tree(operand, "bool" if name == "Not" else want)
        if (name == "USub" and made.type == "bool") or (name == "Invert" and made.type not in WORDS):
            raise Refused(f"{name} {made.type}")
        return Tree(name, made.type, (made,))

    def binary(self, op: ast.operator, left: ast.expr, right: ast.expr, want: str | None) -> Tree:
        kinds = self.kind(left), self.kind(right)
        if all(kind in UNTYPED for kind in kinds):
            wanted = (want, want)
        else:
            taken = beside(op, *kinds, right=False), beside(op, *reversed(kinds), right=True)
            wanted = tuple(t if kind in UNTYPED else None for t, kind in zip(taken, kinds, strict=True))
        a, b = self.tree(left, wanted[0]), self.tree(right, wanted[1])
        return Tree(type(op).__name__, operator_type(op, a.type, b.type), (a, b))

    def comparison(self, op: str, left: ast.expr, right: ast.expr) -> Tree:
        kind = self.common((left, right))
        type_ = DEFAULT.get(kind, kind)
        if op not in ("Eq", "NotEq") and (op not in ("Lt", "LtE", "Gt", "GtE") or type_ not in ORDERED):
            raise Refused(f"{op} of {type_}")
        return Tree(op, "bool", (self.tree(left, type_), self.tree(right, type_)))

    def attribute(self, node: ast.Attribute) -> Tree:
        place = self.place(node)
        if place.form == "lane":
            return Tree("lane", "num", (self.tree(node.value),), LANE_NAMES.index(place.name))
        if place.index is not None:
            return Tree("gather", place.type, (self.index(place.index),), place.name, place.table)
        return Tree(place.form, place.type, (), place.name, place.table)

    def index(self, node: ast.expr) -> Tree:
        made = self.tree(node)
        if made.type not in WORDS:
            raise Refused("an index")
        return made

    def call(self, function: str, arguments: list[ast.expr], want: str | None) -> Tree:
        if function in FOLDED and (len(arguments) == 1 or function in ("sum", "count")):
            return self.fold_tree(function, arguments)
        if function in SHARED:
            count, types = SHARED[function]
            type_ = self.settled(arguments, want)
            if type_ not in types:
                raise Refused(f"{function} of {type_}")
            result = "num" if function in ("length", "dot", "distance") else type_
            return Tree(function, result, self.trees(arguments, (type_,) * count))
        if function in CONVERTED:
            return self.conversion(function, arguments)
        if function in ("turn", "raw", "bits"):
            return self.written(function, arguments)
        if function == "lerp":
            type_ = self.settled(arguments[:2], None) or self.settled(arguments, want)
            if type_ not in NUMBERS:
                raise Refused("lerp")
            return Tree(function, type_, self.trees(arguments, (type_, type_, "num")))
        if function in ("sin", "cos", "sincos"):
            kind = self.kind(arguments[0])
            type_ = "angle" if kind == "angle" else "num"
            if type_ == "num" and not self.backend.is_float:
                raise Refused(f"{function} of radians")
            return Tree(function, "num", self.trees(arguments, (type_,)))
        return self.plain(function, arguments)

    def trees(self, nodes: Sequence[ast.expr], types: Sequence[str]) -> tuple[Tree, ...]:
        if len(nodes) != len(types):
            raise Refused("count of arguments")
        return tuple(self.tree(node, type_) for node, type_ in zip(nodes, types, strict=True))

    def plain(self, function: str, arguments: list[ast.expr]) -> Tree:
        draws = function in DRAWS
        if function not in SIGNATURES or (function in FLOAT_ONLY and not self.backend.is_float):
            raise Refused(f"function {function}")
        if draws and (self.fold or not self.may_draw):
            raise Refused("a draw here")
        if ONE_GENERATOR.get(function, self.scenario.rng) != self.scenario.rng:
            raise Refused(f"{function} of another generator")
        return Tree(function, self.call_kind(function, arguments), self.trees(arguments, SIGNATURES[function]))

    def conversion(self, function: str, arguments: list[ast.expr]) -> Tree:
        """Of constants `u32(c)` and `i32(c)` take what fits either of the two types: the 32 bits are kept."""
        allowed = CONVERTED[function]
        constant = self.constant(arguments[0]) if arguments else None
        if constant and constant.is_integer and function in WORDS:
            low, high = RANGES[allowed[0]]
            if not low <= constant.signed < high:
                return Tree("literal", function, value=self.literal(constant, function))
        type_ = self.kind(arguments[0])
        made = self.trees(arguments, (allowed[0] if type_ in UNTYPED else type_,))
        if made[0].type not in allowed:
            raise Refused(f"{function} of {made[0].type}")
        return Tree(f"to_{function}", function, made)

    def written(self, function: str, arguments: list[ast.expr]) -> Tree:
        """Literals written as calls."""
        constant = self.constant(arguments[0])
        if constant is None or (function != "turn" and self.backend.is_float != (function == "bits")):
            raise Refused(function)
        if function == "turn":
            units = constant.signed * 2**32
            value = b32.nearest_even(units.numerator, units.denominator) & b32.MASK
            return Tree("literal", "angle", value=value)
        bits = self.literal(constant, "i32" if function == "raw" else "u32")
        return Tree("literal", "num", value=bits if function == "raw" else b32.canonical(bits))

    def fold_tree(self, function: str, arguments: list[ast.expr]) -> Tree:
        table = self.fold_table(arguments[0])
        self.fold = table
        try:
            body = self.tree(arguments[0])
        finally:
            self.fold = ""
        if body.type not in FOLDED[function]:
            raise Refused(f"{function} of {body.type}")
        return Tree(f"fold_{function}", "i32" if function == "count" else body.type, (body,), table=table)
