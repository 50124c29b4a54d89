"""Random well-typed scenarios, for holding executors to each other.

`scenario_texts(backend, rng)` is a hypothesis strategy of whole scenario files: small tables, few ticks, every form of
the tick language. `scenario_text(seed, backend, rng)` writes the one of a seed, for long runs without hypothesis.
Traps are rare on purpose (indices are reduced, divisors made odd, bounds ordered), but they occur.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st
from tick_expressions import Choice, Expressions, Table

BACKENDS = ("fixed_point_16_16", "fixed_wrapping_16_16", "float_pinned_32")
RNGS = ("mt19937", "mt19937/24", "splitmix64")

_INTEGER_OPS = ("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>")
_COLUMNS = (
    ("n1", "num"),
    ("n2", "num"),
    ("v1", "vec2"),
    ("v2", "vec2"),
    ("w1", "vec3"),
    ("i1", "i32"),
    ("i2", "i32"),
    ("u1", "u32"),
    ("u2", "u32"),
    ("t1", "angle"),
    ("b1", "bool"),
    ("b2", "bool"),
)
_INPUT_VALUES = {
    "num": "-1.37",
    "vec2": "[0.3, -7]",
    "vec3": "[1, 2.25, -0.001]",
    "i32": "-3",
    "u32": "4000000000",
    "angle": "1000000007",
    "bool": "true",
}


@st.composite
def scenario_texts(
    draw: st.DrawFn, backend: str = BACKENDS[0], rng: str | None = None, max_ticks: int = 4, max_systems: int = 3
) -> str:
    """Complete scenario files for one backend. `rng` is one of RNGS; None draws one."""

    def choose(count: int) -> int:
        return draw(_upto(count))

    return write_scenario(choose, backend, rng, max_ticks, max_systems)


def scenario_text(
    seed: int, backend: str = BACKENDS[0], rng: str | None = None, max_ticks: int = 4, max_systems: int = 3
) -> str:
    """The scenario of a seed, always the same (a splitmix64 of the test's own picks the choices)."""
    state = seed

    def choose(count: int) -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
        return (mixed ^ (mixed >> 31)) % count

    return write_scenario(choose, backend, rng, max_ticks, max_systems)


_INTEGERS = [st.integers(0, max(0, count - 1)) for count in range(64)]


def _upto(count: int) -> st.SearchStrategy[int]:
    return _INTEGERS[count] if count < 64 else st.integers(0, count - 1)


def write_scenario(choose: Choice, backend: str, rng: str | None, max_ticks: int, max_systems: int) -> str:
    """The file's text; `choose(n)` answers 0 .. n - 1."""
    rng = RNGS[choose(len(RNGS))] if rng is None else rng
    world = Table("world", 1, _some_columns(choose))
    players = Table("players", 1 + choose(3), _some_columns(choose))
    unit = Table("unit", 1 + choose(7), _COLUMNS)
    item = Table("item", choose(4), _some_columns(choose))
    tables = (world, players, unit, item)
    ticks = choose(max_ticks + 1)
    parts = [_head(choose, backend, rng, ticks), "[config]\nlimit = 9\ndrag = 0.98\nminus = -3\n"]
    parts += [_declaration(table) for table in tables]
    parts += [_input(choose, players) for _ in range(choose(3))]

    def program(own: Table, statements: int, *, guarded: bool = False) -> _Program:
        writer = _Program(choose, Expressions(choose, backend, rng.partition("/")[0], tables, own))
        if guarded:
            writer.guard()
        writer.statements(statements)
        return writer

    parts.append("[setup]")
    for table in (unit, item, world):
        parts.append(f'{table.name} = """\n{program(table, 3).body()}"""')
    for number in range(1 + choose(max_systems)):
        own = (unit, unit, item, world)[choose(4)]
        written = program(own, 1 + choose(6), guarded=choose(3) == 0)
        parts.append(f'\n[[systems]]\nname = "system_{number}"')
        if own is not world:
            parts.append(f'each = "{own.name}"')
        if written.where is not None:
            parts.append(f'where = "{written.where}"')
        parts.append(f'do = """\n{written.body()}"""')
    return "\n".join(parts) + "\n"


def _head(choose: Choice, backend: str, rng: str, ticks: int) -> str:
    kind, _, precision = rng.partition("/")
    generator = f'{{ kind = "{kind}", x87_precision = {precision} }}' if precision else f'"{kind}"'
    seed = (5489, 1, 0, 0xFFFFFFFF)[choose(4)]
    return (
        f'[scenario]\nsummary = "A random one"\nbackends = ["{backend}"]\nrng = {generator}\nseed = {seed}\n'
        f"ticks = {ticks}\ntick_rate = {(60, 30, 1, 65535)[choose(4)]}\nhash_every = {1 + choose(2)}\n"
    )


def _some_columns(choose: Choice) -> tuple[tuple[str, str], ...]:
    """At least one, in the declared order."""
    mask = 1 + choose(2 ** len(_COLUMNS) - 1)
    return tuple(column for bit, column in enumerate(_COLUMNS) if mask >> bit & 1)


def _declaration(table: Table) -> str:
    head = f"[{table.name}]" if table.name in ("world", "players") else f"[tables.{table.name}]"
    rows = [] if table.name == "world" else [f"rows = {table.rows}"]
    return "\n".join([head, *rows, *(f'{name} = "{type_}"' for name, type_ in table.columns), ""])


def _input(choose: Choice, players: Table) -> str:
    name, type_ = players.columns[choose(len(players.columns))]
    head = f"[[inputs]]\ntick = {choose(3)}\nhold = {1 + choose(2)}\nplayer = {choose(players.rows)}\n"
    return f"{head}{name} = {_INPUT_VALUES[type_]}\n"


@dataclass
class _Program:
    """Writes the statements of one program."""

    choose: Choice
    expressions: Expressions
    lines: list[str] = field(default_factory=list)
    where: str | None = None

    def body(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def guard(self) -> None:
        self.expressions.may_draw = False
        self.where = self.uniform_guard() if self.choose(3) == 0 else self.expressions.of("bool", 2)
        self.expressions.may_draw = True

    def uniform_guard(self) -> str:
        """A condition that is the same for every row, and that often traps."""
        integers = [
            f"{table.name}.{name}"
            for table in self.expressions.tables
            for name, type_ in table.columns
            if type_ == "i32" and (table.name == "world") != (table.name in ("unit", "item"))
        ]
        lane = integers[self.choose(len(integers))]
        table, _, column = lane.partition(".")
        if table == "world":
            return f"{self.choose(9)} {('//', '%')[self.choose(2)]} {lane} {('>', '!=', '<=')[self.choose(3)]} 0"
        fold = ("max", "min")[self.choose(2)]
        return (f"{fold}({lane}) > 0", f"{table}[{self.choose(8)}].{column} > 0")[self.choose(2)]

    def statements(self, count: int) -> None:
        kinds: Sequence[Callable[[], str | None]] = (
            self.whole,
            self.whole,
            self.lane,
            self.update,
            self.local,
            self.local,
            self.local_lane,
            self.local_update,
            self.sincos,
            self.scatter,
        )
        while len(self.lines) < count:
            line = kinds[self.choose(len(kinds))]()
            self.lines.append(self.whole() if line is None else line)

    def column(self, types: Sequence[str]) -> tuple[str, str] | None:
        found = [column for column in self.expressions.own.columns if column[1] in types]
        return found[self.choose(len(found))] if found else None

    def whole(self) -> str:
        columns = self.expressions.own.columns
        name, type_ = columns[self.choose(len(columns))]
        return f"{name} = {self.expressions.of(type_, 3)}"

    def lane(self) -> str | None:
        column = self.column(("vec2", "vec3"))
        if column is None:
            return None
        target = f"{column[0]}.{'xyz'[self.choose(3 if column[1] == 'vec3' else 2)]}"
        return self.set_or_update(target, "num")

    def set_or_update(self, target: str, type_: str) -> str:
        if self.choose(2):
            return f"{target} = {self.expressions.of(type_, 3)}"
        return f"{target} {self.update_of(type_)}"

    def update(self) -> str:
        columns = self.expressions.own.columns
        name, type_ = columns[self.choose(len(columns))]
        return f"{name} {self.update_of(type_)}" if type_ != "bool" else f"{name} = {self.expressions.of(type_, 3)}"

    def update_of(self, type_: str) -> str:
        """`op= value` for a target of that type."""
        if type_ in ("i32", "u32"):
            op = _INTEGER_OPS[self.choose(len(_INTEGER_OPS))]
            return f"{op}= {self.expressions.operand(op, type_, 2)}"
        if type_ == "angle":
            return (f"*= {self.expressions.of('i32', 2)}", f"-= {self.expressions.of('angle', 2)}")[self.choose(2)]
        op = "+-*/"[self.choose(4)]
        other = type_ if op in "+-" or self.choose(2) else "num"
        return f"{op}= {self.expressions.operand(op, other, 2)}"

    def local(self) -> str:
        types = ("num", "vec2", "vec3", "i32", "u32", "angle", "bool")
        known = self.expressions.locals
        if known and self.choose(3) == 0:
            names = list(known)
            name = names[self.choose(len(names))]
            return f"{name} = {self.expressions.of(known[name], 3)}"
        type_ = types[self.choose(len(types))]
        value = self.expressions.of(type_, 3)
        name = f"loc{len(known)}"
        known[name] = type_
        return f"{name} = {value}"

    def local_of(self, types: Sequence[str]) -> str | None:
        names = [name for name, type_ in self.expressions.locals.items() if type_ in types]
        return names[self.choose(len(names))] if names else None

    def local_lane(self) -> str | None:
        name = self.local_of(("vec2", "vec3"))
        if name is None:
            return None
        lanes = 3 if self.expressions.locals[name] == "vec3" else 2
        return self.set_or_update(f"{name}.{'xyz'[self.choose(lanes)]}", "num")

    def local_update(self) -> str | None:
        name = self.local_of(("num", "vec2", "vec3", "i32", "u32", "angle"))
        return None if name is None else f"{name} {self.update_of(self.expressions.locals[name])}"

    def sincos(self) -> str:
        is_float = self.expressions.backend == "float_pinned_32"
        argument = self.expressions.of("num" if is_float and self.choose(2) else "angle", 2)
        names = [f"loc{len(self.expressions.locals) + more}" for more in range(2)]
        self.expressions.locals.update(dict.fromkeys(names, "num"))
        return f"{names[0]}, {names[1]} = sincos({argument})"

    def scatter(self) -> str | None:
        tables = [table for table in self.expressions.tables if table.name in ("unit", "item") and table.rows]
        table = tables[self.choose(len(tables))]
        columns = [column for column in table.columns if column[1] in ("i32", "u32")]
        if not columns:
            return None
        name, type_ = columns[self.choose(len(columns))]
        index = self.expressions.index(table, 2)
        return f"{table.name}[{index}].{name} {'+-'[self.choose(2)]}= {self.expressions.of(type_, 2)}"
