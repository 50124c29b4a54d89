"""Every operator and function of the tick language: parameters, result, backends. One table.

Typing reads it, lowering's names are its names, and the manual is made from it. A parameter or result that is a key of
CLASSES stands for one type of that class, the same wherever it occurs in a form; a comma-free result "-" is none.
"""

from __future__ import annotations

from dataclasses import dataclass

TYPES = ("num", "vec2", "vec3", "i32", "u32", "angle", "bool")

#: the types a constant can take
CONSTANT_TYPES = ("num", "i32", "u32", "angle")

#: class -> its types. N, I and T are the design's; the others are unions that a row of its table spells out
CLASSES: dict[str, tuple[str, ...]] = {
    "N": ("num", "vec2", "vec3"),
    "V": ("vec2", "vec3"),
    "I": ("i32", "u32"),
    "T": TYPES,
    "NI": ("num", "vec2", "vec3", "i32", "u32"),
    "NIA": ("num", "vec2", "vec3", "i32", "u32", "angle"),
    "ordered": ("num", "i32", "u32", "angle"),
    "scalar": ("num", "i32", "u32"),
    "signed": ("num", "i32", "vec2", "vec3"),
}

BACKENDS = ("fixed_point_16_16", "fixed_wrapping_16_16", "float_pinned_32")
FIXED = BACKENDS[:2]
FLOAT = BACKENDS[2:]


@dataclass(frozen=True)
class Form:
    """One way to use an operator or function: parameter types, result type, the backends that have it."""

    params: tuple[str, ...]
    result: str
    backends: tuple[str, ...] = BACKENDS


@dataclass(frozen=True)
class Function:
    """A function by name.

    kind    pure | literal (its argument is a constant) | draw | fold (over `table.col`) | pair (`s, c = sincos(a)`)
    params  parameter names, as the manual and the messages write them
    rng     the generator a draw needs, None for any
    """

    name: str
    kind: str
    params: tuple[str, ...]
    forms: tuple[Form, ...]
    help: str
    rng: str | None = None

    def signature(self) -> str:
        """`clamp(x, lo, hi)`."""
        return f"{self.name}({', '.join(self.params)})"


_BOTH = (Form(("I", "I"), "I"),)
_ORDER = (Form(("ordered", "ordered"), "bool"),)
_EQUAL = (Form(("T", "T"), "bool"),)
_SUM = (Form(("NIA", "NIA"), "NIA"),)

#: operator -> forms. "neg" is the prefix minus, "if" is `a if c else b` with its parts in source order
OPERATORS: dict[str, tuple[Form, ...]] = {
    "+": _SUM,
    "-": _SUM,
    "neg": (Form(("NIA",), "NIA"),),
    "*": (
        Form(("NI", "NI"), "NI"),
        Form(("V", "num"), "V"),
        Form(("num", "V"), "V"),
        Form(("angle", "i32"), "angle"),
        Form(("i32", "angle"), "angle"),
    ),
    "/": (Form(("N", "N"), "N"), Form(("V", "num"), "V")),
    **dict.fromkeys(("//", "%", "&", "|", "^", "<<", ">>"), _BOTH),
    "~": (Form(("I",), "I"),),
    **dict.fromkeys(("<", "<=", ">", ">="), _ORDER),
    **dict.fromkeys(("==", "!="), _EQUAL),
    "and": (Form(("bool", "bool"), "bool"),),
    "or": (Form(("bool", "bool"), "bool"),),
    "not": (Form(("bool",), "bool"),),
    "if": (Form(("T", "bool", "T"), "T"),),
}


def _pure(name: str, params: str, help: str, *forms: Form) -> Function:
    return Function(name, "pure", tuple(params.split()), forms, help)


def _draw(name: str, params: str, form: Form, help: str, rng: str | None = None) -> Function:
    return Function(name, "draw", tuple(params.split()), (form,), help, rng)


_NUM_TO_BOOL = Form(("num",), "bool")
_NUM_TO_NUM = Form(("num",), "num")
_RADIANS = Form(("num",), "num", FLOAT)
_OF_ANGLE = Form(("angle",), "num")

_TABLE = (
    _pure("min", "a b", "the smaller, by component: b if b < a else a", Form(("NI", "NI"), "NI")),
    _pure("max", "a b", "the larger, by component: b if a < b else a", Form(("NI", "NI"), "NI")),
    _pure("clamp", "x lo hi", "x within lo..hi, by component; bounds out of order trap", Form(("NI",) * 3, "NI")),
    _pure("abs", "x", "the magnitude, by component", Form(("signed",), "signed")),
    _pure("lerp", "a b t", "a + (b - a) * t", Form(("N", "N", "num"), "N")),
    _pure("floor", "x", "the greatest integer not above x, as a num", _NUM_TO_NUM),
    _pure("ceil", "x", "the least integer not below x, as a num", _NUM_TO_NUM),
    _pure("sqrt", "x", "the square root; of a negative number 0, a trap or NaN by backend", _NUM_TO_NUM),
    _pure("is_nan", "x", "whether x is not a number (never on a fixed backend)", _NUM_TO_BOOL),
    _pure("is_inf", "x", "whether x is infinite (never on a fixed backend)", _NUM_TO_BOOL),
    _pure("is_finite", "x", "whether x is neither infinite nor NaN", _NUM_TO_BOOL),
    _pure("length", "v", "sqrt(dot(v, v))", Form(("V",), "num")),
    _pure("normalize", "v", "v / length(v); zero where the length is zero", Form(("V",), "V")),
    _pure("dot", "a b", "the products of the components, added left to right", Form(("V", "V"), "num")),
    _pure("distance", "a b", "length(a - b)", Form(("V", "V"), "num")),
    _pure("heading", "v", "the angle of a direction, 0 for the zero vector", Form(("vec2",), "angle")),
    _pure("vec2", "x y", "a vector of two components", Form(("num",) * 2, "vec2")),
    _pure("vec3", "x y z", "a vector of three components", Form(("num",) * 3, "vec3")),
    # a constant argument is radians: the num form stands first
    _pure("sin", "a", "the sine of an angle, or of radians", _RADIANS, _OF_ANGLE),
    _pure("cos", "a", "the cosine of an angle, or of radians (weak: prefer sincos or an angle)", _RADIANS, _OF_ANGLE),
    Function("sincos", "pair", ("a",), (_RADIANS, _OF_ANGLE), "s, c = sincos(a): sine and cosine in one step"),
    _pure("atan2", "y x", "the angle of (x, y) in radians", Form(("num", "num"), "num", FLOAT)),
    _pure("asin", "x", "the arc sine in radians, 0 outside -1..1", _RADIANS),
    _pure("acos", "x", "the arc cosine in radians", _RADIANS),
    _pure("num", "i", "an integer as a num: saturates, wraps or rounds by backend", Form(("I",), "num")),
    _pure("round", "x", "the nearest integer of a num", Form(("num",), "i32")),
    _pure("u32", "x", "the same 32 bits as u32", Form(("i32",), "u32"), Form(("angle",), "u32")),
    _pure("i32", "x", "the same 32 bits as i32; of a bool 0 or 1", Form(("u32",), "i32"), Form(("bool",), "i32")),
    _pure("angle", "x", "the same 32 bits as an angle, 2^32 = one turn", Form(("u32",), "angle")),
    Function("turn", "literal", ("c",), (Form(("constant",), "angle"),), "an angle of c turns, modulo one turn"),
    Function("raw", "literal", ("c",), (Form(("constant",), "num", FIXED),), "the Q16.16 value c / 65536"),
    Function("bits", "literal", ("c",), (Form(("constant",), "num", FLOAT),), "the binary32 value with the pattern c"),
    _draw("rand_u32", "", Form((), "u32"), "32 random bits"),
    _draw("roll", "lo hi", Form(("i32", "i32"), "i32"), "an integer of lo..hi, both included; hi < lo traps"),
    _draw("rand_unit", "", Form((), "num"), "a num of 0..1"),
    _draw("next_float", "", Form((), "num"), "mt19937's binary32 of the closed range 0..1", "mt19937"),
    _draw("next_int_inclusive", "n", Form(("u32",), "u32"), "mt19937's integer of 0..n by masking", "mt19937"),
    _draw("below", "n", Form(("u32",), "u32"), "splitmix64's integer of 0..n-1", "splitmix64"),
    Function("sum", "fold", ("table.col",), (Form(("NI",), "NI"),), "acc + value over a table's rows; 0 when empty"),
    Function("count", "fold", ("table.col",), (Form(("bool",), "i32"),), "rows of a table where it holds"),
)

FUNCTIONS: dict[str, Function] = {function.name: function for function in _TABLE}

#: folds by name -> forms; `min` and `max` of one argument are folds, of two they are not
FOLDS: dict[str, tuple[Form, ...]] = {
    "sum": FUNCTIONS["sum"].forms,
    "count": FUNCTIONS["count"].forms,
    "min": (Form(("scalar",), "scalar"),),
    "max": (Form(("scalar",), "scalar"),),
}
