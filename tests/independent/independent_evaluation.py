"""Evaluates typed trees over the active rows: one operation after the other, each over all rows, ascending.

Part of the second implementation: written from the design pages alone, it imports nothing of detcheck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from independent_backends import Backend, Trap
from independent_binary32 import MASK, wrap32
from independent_generators import Mt19937, SplitMix64
from independent_kinds import VECTORS
from independent_programs import Program
from independent_scenario import LANES, Scenario
from independent_trees import DRAWS, Tree

Column = list[Any]
State = dict[tuple[str, str], Column]

NUMBER_OPERATIONS = {
    "Add": "add",
    "Sub": "sub",
    "Mult": "mul",
    "Div": "div",
    "USub": "neg",
    **{name: name for name in ("min", "max", "clamp", "abs", "lerp", "floor", "ceil", "sqrt")},
}
#: operations that take a vector whole, or give no num
WHOLE_OPERATIONS = {
    **{name: name for name in ("length", "normalize", "dot", "distance", "heading", "is_nan", "is_inf", "is_finite")},
    "atan2": "atan2",
    "asin": "asin",
    "acos": "acos",
    "to_num": "from_int",
    "round": "to_int",
}


class Stop(Exception):
    """A trap, with its place: tick, program, line (0: the guard), row, reason."""

    def __init__(self, tick: int, program: Program, line: int, row: int, reason: str) -> None:
        super().__init__(f"tick {tick}, {program.name}, line {line}, row {row}: {reason}")
        self.tick, self.program, self.line, self.row, self.reason = tick, program, line, row, reason


def word_operation(form: str, type_: str, a: int, b: int) -> int:
    """An operator on i32, u32 or angle: exact, then the low 32 bits."""
    if form in ("FloorDiv", "Mod") and b == 0:
        raise Trap("int_div_zero")
    value = {
        "Add": lambda: a + b,
        "Sub": lambda: a - b,
        "Mult": lambda: a * b,
        "FloorDiv": lambda: a // b,
        "Mod": lambda: a % b,
        "BitAnd": lambda: a & b,
        "BitOr": lambda: a | b,
        "BitXor": lambda: a ^ b,
        "LShift": lambda: a << b % 32,
        "RShift": lambda: a >> b % 32,
    }[form]()
    return wrap32(value) if type_ == "i32" else value & MASK


def word_clamp(x: int, low: int, high: int) -> int:
    if high < low:
        raise Trap("clamp_bounds")
    return max(low, min(high, x))


class Evaluation:
    """One run of one program: `rows` are the active ones, `line` that of the statement."""

    def __init__(
        self,
        scenario: Scenario,
        backend: Backend,
        rng: Mt19937 | SplitMix64,
        state: State,
        tick: int,
        program: Program,
        rows: list[int],
    ) -> None:
        self.scenario, self.backend, self.rng, self.state = scenario, backend, rng, state
        self.tick, self.program, self.rows = tick, program, rows
        self.line = 0
        self.locals: dict[str, Column] = {}

    def each(self, function: Callable[..., Any], *columns: Sequence[Any]) -> Column:
        """The function over the rows; its first trap stops the replay."""
        out: Column = []
        for row, *cells in zip(self.rows, *columns, strict=True):
            try:
                out.append(function(*cells))
            except Trap as trap:
                raise Stop(self.tick, self.program, self.line, row, str(trap)) from None
        return out

    def lanes(self, function: Callable[..., int], count: int, columns: Sequence[Column]) -> Column:
        """By component: each lane is an operation of its own over all rows. A num goes with every lane."""
        spread = [[v if isinstance(v, tuple) else (v,) * count for v in column] for column in columns]
        done = [self.each(function, *([v[lane] for v in column] for column in spread)) for lane in range(count)]
        return list(zip(*done, strict=True))

    def values(self, tree: Tree) -> Column:
        """The tree's value for every active row."""
        if tree.form.startswith("fold_"):
            return self.fold(tree)
        if tree.form in ("gather", "lane") or not tree.arguments:
            return self.leaf(tree)
        columns = [self.values(argument) for argument in tree.arguments]
        type_ = tree.arguments[0].type
        if tree.form in DRAWS:
            return self.draw(tree, columns)
        if tree.form in NUMBER_OPERATIONS and tree.type in ("num", *VECTORS):
            function = getattr(self.backend, NUMBER_OPERATIONS[tree.form])
            if tree.type in VECTORS:
                return self.lanes(function, LANES[tree.type], columns)
            return self.each(function, *columns)
        if tree.form in WHOLE_OPERATIONS:
            return self.each(getattr(self.backend, WHOLE_OPERATIONS[tree.form]), *columns)
        if tree.form in ("sin", "cos", "sincos"):
            unit = "angle" if type_ == "angle" else "radians"
            return self.each(getattr(self.backend, f"{tree.form}_{unit}"), *columns)
        return self.each(self.row_operation(tree, type_), *columns)

    def leaf(self, tree: Tree) -> Column:
        """What reads the state, a local, or nothing."""
        match tree.form:
            case "local":
                return list(self.locals[tree.value])
            case "column" | "foldcol":
                column = self.state[tree.table or self.program.own, tree.value]
                return [column[row] for row in self.rows]
            case "gather":
                column = self.state[tree.table, tree.value]
                return [column[index] for index in self.indices(tree.arguments[0], tree.table)]
            case "lane":
                return [vector[tree.value] for vector in self.values(tree.arguments[0])]
            case "row":
                return list(self.rows)
            case form if form in DRAWS:
                return self.draw(tree, [])
        constants = {
            "literal": lambda: tree.value,
            "world": lambda: self.state["world", tree.value][0],
            "rows": lambda: self.scenario.rows[tree.table or self.program.own],
            "tick": lambda: self.tick,
        }
        return [constants[tree.form]()] * len(self.rows)

    def indices(self, tree: Tree, table: str) -> Column:
        """Row numbers of a table; outside it traps."""
        rows = self.scenario.rows[table]

        def checked(index: int) -> int:
            if not 0 <= index < rows:
                raise Trap("index")
            return index

        return self.each(checked, self.values(tree))

    def row_operation(self, tree: Tree, type_: str) -> Callable[..., Any]:
        """The operation of one row; `type_` is that of the first argument."""
        form, backend = tree.form, self.backend
        if form in ("Eq", "NotEq"):
            same = backend.eq if type_ in ("num", *VECTORS) else int.__eq__
            whole = (lambda u, v: all(map(same, u, v))) if type_ in VECTORS else same
            return lambda a, b: whole(a, b) == (form == "Eq")
        if form in ("Lt", "LtE", "Gt", "GtE"):
            number = type_ == "num"
            below = (backend.lt if number else int.__lt__) if form in ("Lt", "Gt") else backend.le
            if not number and form in ("LtE", "GtE"):
                below = int.__le__
            return below if form.startswith("Lt") else lambda a, b: below(b, a)
        others: dict[str, Callable[..., Any]] = {
            "Not": lambda a: not a,
            "And": lambda *all_: all(all_),
            "Or": lambda *all_: any(all_),
            "select": lambda a, chosen, b: a if chosen else b,
            "vec2": lambda *lanes: lanes,
            "vec3": lambda *lanes: lanes,
            "USub": lambda a: word_operation("Sub", tree.type, 0, a),
            "Invert": lambda a: word_operation("BitXor", tree.type, a, -1),
            "min": min,
            "max": max,
            "abs": lambda a: wrap32(abs(a)),
            "clamp": word_clamp,
            "to_u32": lambda a: a & MASK,
            "to_angle": lambda a: a & MASK,
            "to_i32": lambda a: wrap32(int(a)),
        }
        return others.get(form) or (lambda a, b: word_operation(form, tree.type, a, b))

    def draw(self, tree: Tree, columns: Sequence[Column]) -> Column:
        """All active rows of the call, ascending."""
        rng, backend = self.rng, self.backend

        def roll(low: int, high: int) -> int:
            if high < low:
                raise Trap("roll_bounds")
            return rng.roll(low, high - low)

        functions: dict[str, Callable[..., int]] = {
            "rand_u32": rng.u32,
            "roll": roll,
            "rand_unit": rng.unit_bits if backend.is_float else lambda: rng.u32() >> 16,
            "next_float": lambda: backend.from_binary32(rng.unit_bits()),
            "next_int_inclusive": lambda highest: rng.inclusive(highest),
            "below": lambda count: rng.below(count),
        }
        return self.each(functions[tree.form], *columns)

    def fold(self, tree: Tree) -> Column:
        """Over a table's rows, ascending; a sum starts at +0, min and max at row 0."""
        active, self.rows = self.rows, list(range(self.scenario.rows[tree.table]))
        cells = self.values(tree.arguments[0])
        self.rows = active
        if tree.form == "fold_count":
            return [sum(cells)] * len(active)
        if tree.form == "fold_sum":
            result: Any = (0,) * LANES[tree.type] if tree.type in VECTORS else 0
        elif cells:
            result, *cells = cells
        else:
            raise Stop(self.tick, self.program, self.line, active[0], "fold_empty")
        operation = self.fold_operation(tree.form, tree.type)
        for cell in cells:
            result = operation(result, cell)
        return [result] * len(active)

    def fold_operation(self, form: str, type_: str) -> Callable[[Any, Any], Any]:
        backend = self.backend
        if form != "fold_sum":
            builtin, own = (min, backend.min) if form == "fold_min" else (max, backend.max)
            return own if type_ == "num" else builtin
        if type_ in VECTORS:
            return lambda u, v: tuple(map(backend.add, u, v))
        return backend.add if type_ == "num" else lambda a, b: word_operation("Add", type_, a, b)
