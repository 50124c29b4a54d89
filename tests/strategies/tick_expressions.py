"""Random well-typed expressions of the tick language, as text: every form of its table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

#: answers 0 .. n - 1
Choice = Callable[[int], int]

_NUMBERS = ("0.0", "-0.0", "0.37", "-1.3", "7.0e-1", "113.77", "-2000.5", "30000.1", "0.00003", "1_0.25")
_FIXED_ONLY = ("raw(-77777)", "raw(1)", "raw(-2147483648)", "raw(0x7fffffff)", "raw(65537)")
_FLOAT_ONLY = (
    "bits(0x7fc00001)",
    "bits(0x7f800000)",
    "bits(0xff800000)",
    "bits(1)",
    "bits(0x80000000)",
    "bits(0x3dfbe76d)",
    "1.0e30",
    "-3.3e-39",
    "16777217.0",
)
_I32 = ("0", "1", "-1", "7", "-3", "100003", "2147483647", "-2147483648", "0x1F", "0b101")
_U32 = ("u32(0)", "u32(1)", "u32(31)", "u32(0xDEADBEEF)", "u32(-1)", "u32(2_654_435_761)")
_ANGLES = ("turn(0.37)", "turn(-0.2)", "turn(1)", "angle(u32(0xC0000001))", "turn(0.5)")
_LITERALS = {"i32": _I32, "u32": _U32, "angle": _ANGLES, "bool": ("True", "False")}
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_VECTOR_SIZE = {"vec2": 2, "vec3": 3}


@dataclass(frozen=True)
class Table:
    """A table of the random scenario: columns as (name, type)."""

    name: str
    rows: int
    columns: tuple[tuple[str, str], ...]


@dataclass
class Expressions:
    """Writes expressions of a wanted type. `folded` is the table a fold runs over, while its body is written."""

    choose: Choice
    backend: str
    rng: str
    tables: Sequence[Table]
    own: Table
    locals: dict[str, str] = field(default_factory=dict)
    may_draw: bool = True
    folded: Table | None = None

    def of(self, type_: str, depth: int) -> str:
        """An expression of that type, at most about `depth` forms deep."""
        if depth <= 0 or self.choose(5) == 0:
            return self.leaf(type_)
        forms = _FORMS[type_]
        text = forms[self.choose(len(forms))](self, type_, depth - 1)
        return self.leaf(type_) if text is None else text

    def pick(self, texts: Sequence[str]) -> str:
        return texts[self.choose(len(texts))]

    # Leaves.

    def leaf(self, type_: str) -> str:
        names = self.names(type_)
        if names and self.choose(3):
            return self.pick(names)
        return self.literal(type_)

    def names(self, type_: str) -> list[str]:
        """Everything of that type that has a name here."""
        world = [f"world.{name}" for name, kind in self.tables[0].columns if kind == type_]
        common = {"num": ["(0.0 + dt)", "(drag * 1.5)"], "i32": ["tick"]}.get(type_, [])
        if self.folded is not None:
            inside = [f"{self.folded.name}.{name}" for name, kind in self.folded.columns if kind == type_]
            return inside * 3 + world + common
        own = [name for name, kind in self.own.columns if kind == type_]
        local = [name for name, kind in self.locals.items() if kind == type_]
        if type_ == "i32":
            common = [*common, "unit.rows", *(["row", "rows"] if self.own.name != "world" else [])]
        return own * 2 + local * 2 + world + common

    def literal(self, type_: str) -> str:
        if type_ == "num":
            only = _FLOAT_ONLY if self.backend == "float_pinned_32" else _FIXED_ONLY
            return self.pick(_NUMBERS) if self.choose(3) else self.pick(only)
        if type_ in _VECTOR_SIZE:
            return f"{type_}({', '.join(self.literal('num') for _ in range(_VECTOR_SIZE[type_]))})"
        return self.pick(_LITERALS[type_])

    # Operators.

    def operand(self, op: str, type_: str, depth: int) -> str:
        """A right operand that seldom traps."""
        text = self.of(type_, depth)
        if self.choose(60) == 0:
            return f"({text})"
        if op in ("//", "%"):
            return f"({text} | {self.pick(('1', '4', '3'))})"
        if op == "/" and self.backend == "fixed_wrapping_16_16":
            whole = ", ".join(["7.3"] * _VECTOR_SIZE.get(type_, 1))
            return f"{type_}({whole})" if type_ in _VECTOR_SIZE else self.pick(("3.1", "-0.77", "1000.0", "raw(3)"))
        return f"({text})"

    def sum(self, type_: str, depth: int) -> str:
        op = self.pick(("+", "-"))
        return f"({self.of(type_, depth)} {op} {self.operand(op, type_, depth)})"

    def product(self, type_: str, depth: int) -> str:
        if type_ == "angle":
            return f"({self.of('angle', depth)} * {self.of('i32', depth)})"
        if type_ in _VECTOR_SIZE and self.choose(2):
            pair = [self.of(type_, depth), self.of("num", depth)]
            return "(" + " * ".join(pair[:: (1, -1)[self.choose(2)]]) + ")"
        return f"({self.of(type_, depth)} * {self.of(type_, depth)})"

    def quotient(self, type_: str, depth: int) -> str:
        other = "num" if self.choose(2) else type_
        return f"({self.of(type_, depth)} / {self.operand('/', other, depth)})"

    def integer(self, type_: str, depth: int) -> str:
        op = self.pick(("//", "%", "&", "|", "^", "<<", ">>"))
        return f"({self.of(type_, depth)} {op} {self.operand(op, type_, depth)})"

    def negated(self, type_: str, depth: int) -> str:
        return f"(-{self.of(type_, depth)})"

    def inverted(self, type_: str, depth: int) -> str:
        return f"(~{self.of(type_, depth)})"

    def select(self, type_: str, depth: int) -> str:
        return f"({self.of(type_, depth)} if {self.of('bool', depth)} else {self.of(type_, depth)})"

    def comparison(self, _type: str, depth: int) -> str:
        op = self.pick(_COMPARISONS)
        types = ("num", "i32", "u32", "angle", *(("bool", "vec2", "vec3") if op in ("==", "!=") else ()))
        type_ = self.pick(types)
        return f"({self.of(type_, depth)} {op} {self.of(type_, depth)})"

    def logic(self, _type: str, depth: int) -> str:
        op = self.pick((" and ", " or "))
        return "(" + op.join(self.of("bool", depth) for _ in range(2 + self.choose(2))) + ")"

    def negation(self, _type: str, depth: int) -> str:
        return f"(not {self.of('bool', depth)})"

    # Functions.

    def minmax(self, type_: str, depth: int) -> str:
        return f"{self.pick(('min', 'max'))}({self.of(type_, depth)}, {self.of(type_, depth)})"

    def clamped(self, type_: str, depth: int) -> str:
        value = self.of(type_, depth)
        if type_ in ("i32", "u32"):
            a, b = self.leaf(type_), self.leaf(type_)
            return f"clamp({value}, min({a}, {b}), max({a}, {b}))"
        low, high = (("-3.7", "113.3"), ("0.0", "0.9"), ("-0.0", "0.0"))[self.choose(3)]
        if type_ == "num":
            return f"clamp({value}, {low}, {high})"
        size = _VECTOR_SIZE[type_]
        return f"clamp({value}, {type_}({', '.join([low] * size)}), {type_}({', '.join([high] * size)}))"

    def magnitude(self, type_: str, depth: int) -> str:
        return f"abs({self.of(type_, depth)})"

    def lerped(self, type_: str, depth: int) -> str:
        return f"lerp({self.of(type_, depth)}, {self.of(type_, depth)}, {self.of('num', depth)})"

    def rounding(self, _type: str, depth: int) -> str:
        return f"{self.pick(('floor', 'ceil'))}({self.of('num', depth)})"

    def root(self, _type: str, depth: int) -> str:
        text = self.of("num", depth)
        return f"sqrt(max({text}, 0.0))" if self.backend == "fixed_wrapping_16_16" else f"sqrt({text})"

    def vector(self, type_: str, depth: int) -> str:
        """A vector whose length overflows nothing where that would trap."""
        text = self.of(type_, depth)
        return f"({text} * 0.001)" if self.backend == "fixed_wrapping_16_16" else text

    def measure(self, _type: str, depth: int) -> str:
        type_ = self.pick(("vec2", "vec3"))
        name = self.pick(("length", "dot", "distance"))
        args = [self.vector(type_, depth) for _ in range(1 if name == "length" else 2)]
        return f"{name}({', '.join(args)})"

    def normalized(self, type_: str, depth: int) -> str:
        return f"normalize({self.vector(type_, depth)})"

    def component(self, _type: str, depth: int) -> str:
        type_ = self.pick(("vec2", "vec3"))
        text = self.of(type_, depth)
        text = text if text.endswith(")") or text.isidentifier() else f"({text})"
        return f"{text}.{'xyz'[self.choose(_VECTOR_SIZE[type_])]}"

    def built(self, type_: str, depth: int) -> str:
        return f"{type_}({', '.join(self.of('num', depth) for _ in range(_VECTOR_SIZE[type_]))})"

    def trig(self, _type: str, depth: int) -> str:
        if self.backend == "float_pinned_32" and self.choose(2):
            name = self.pick(("sin", "cos", "asin", "acos", "atan2"))
            args = [self.of("num", depth) for _ in range(2 if name == "atan2" else 1)]
            return f"{name}({', '.join(args)})"
        return f"{self.pick(('sin', 'cos'))}({self.of('angle', depth)})"

    def facing(self, _type: str, depth: int) -> str:
        return f"heading({self.of('vec2', depth)})"

    def converted(self, type_: str, depth: int) -> str:
        sources = {
            "num": ("num(i32)", "num(u32)"),
            "i32": ("round(num)", "i32(u32)", "i32(bool)"),
            "u32": ("u32(i32)", "u32(angle)"),
            "angle": ("angle(u32)",),
        }[type_]
        name, source = self.pick(sources)[:-1].split("(")
        return f"{name}({self.of(source, depth)})"

    def finite(self, _type: str, depth: int) -> str:
        return f"{self.pick(('is_nan', 'is_inf', 'is_finite'))}({self.of('num', depth)})"

    # Draws, other rows, folds.

    def drawn(self, type_: str, depth: int) -> str | None:
        if not self.may_draw or self.folded is not None:
            return None
        if type_ == "num":
            return self.pick(("rand_unit()", "next_float()" if self.rng == "mt19937" else "rand_unit()"))
        if type_ == "i32":
            a, b = self.leaf("i32"), self.leaf("i32")
            return self.pick((f"roll(min({a}, {b}), max({a}, {b}))", "roll(-60, 60)", "roll(1, 6)"))
        limited = "next_int_inclusive" if self.rng == "mt19937" else "below"
        return self.pick(("rand_u32()", f"{limited}({self.of('u32', depth)})", f"{limited}(6)"))

    def index(self, table: Table, depth: int) -> str:
        """An index of a row, out of range once in a long while."""
        if self.choose(80) == 0:
            return self.of(self.pick(("i32", "u32")), depth)
        return f"{self.of(self.pick(('i32', 'u32')), depth)} % {table.rows}"

    def gathered(self, type_: str, depth: int) -> str | None:
        if self.folded is not None:
            return None
        found = [
            (table, name)
            for table in self.tables
            for name, kind in table.columns
            if kind == type_ and table.rows and table.name != "world"
        ]
        if not found:
            return None
        table, name = found[self.choose(len(found))]
        return f"{table.name}[{self.index(table, depth)}].{name}"

    def fold(self, type_: str, depth: int) -> str | None:
        if self.folded is not None:
            return None
        tables = [table for table in self.tables if table.name != "world"]
        table = tables[self.choose(len(tables))]
        name = "count" if type_ == "i32" and self.choose(3) == 0 else self.pick(("sum", "min", "max"))
        if name in ("min", "max") and (type_ in _VECTOR_SIZE or (table.rows == 0 and self.choose(20))):
            name = "sum"
        inner = "bool" if name == "count" else type_
        mention = self.column_of(table, inner)
        self.folded = table
        body = self.of(inner, depth)
        self.folded = None
        if f"{table.name}." not in body:
            if mention is None:
                return None
            body = mention
        return f"{name}({body})"

    def column_of(self, table: Table, type_: str) -> str | None:
        names = [f"{table.name}.{name}" for name, kind in table.columns if kind == type_]
        return self.pick(names) if names else None


_E = Expressions
_ARITHMETIC = (_E.sum, _E.sum, _E.product, _E.negated, _E.minmax, _E.clamped, _E.select, _E.gathered, _E.fold)
_VECTOR = (*_ARITHMETIC, _E.quotient, _E.magnitude, _E.lerped, _E.built, _E.built, _E.normalized)
_INTEGER = (*_ARITHMETIC, _E.integer, _E.integer, _E.integer, _E.inverted, _E.converted, _E.converted, _E.drawn)

#: type -> the methods that write a form of it
_FORMS: dict[str, tuple[Callable[[Expressions, str, int], str | None], ...]] = {
    "num": (
        *_ARITHMETIC,
        _E.quotient,
        _E.magnitude,
        _E.lerped,
        _E.rounding,
        _E.root,
        _E.measure,
        _E.measure,
        _E.component,
        _E.trig,
        _E.trig,
        _E.converted,
        _E.drawn,
    ),
    "vec2": _VECTOR,
    "vec3": _VECTOR,
    "i32": (*_INTEGER, _E.magnitude),
    "u32": _INTEGER,
    "angle": (_E.sum, _E.product, _E.negated, _E.select, _E.gathered, _E.facing, _E.converted),
    "bool": (_E.comparison, _E.comparison, _E.comparison, _E.logic, _E.negation, _E.select, _E.gathered, _E.finite),
}
