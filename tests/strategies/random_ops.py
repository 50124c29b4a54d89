"""Random compiled scenarios, made as op lists: every op, every hazard between rows, traps, guards, folds, inputs.

They reach what no text of the language would lower to, so that an executor is held on the op list itself. Chance comes
from a `Random`: hypothesis's own, whose choices it can shrink, or a seeded one, which explores more.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hand_built import FIXED, FLOAT, MT, SPLITMIX, WRAPPING, Build, compiled, table
from hypothesis import strategies as st

from detcheck.language.ir import Op
from detcheck.language.ops import OPS
from detcheck.model.schema import LaneRef, TableSpec
from detcheck.scenario.compiled import CompiledInput, CompiledScenario

I32_EDGES = (0, 1, -1, 2, -2, 3, 7, 31, 32, 33, 0x7FFFFFFF, -0x80000000, -0x7FFFFFFF, 65536, -65536, 98304)
U32_EDGES = tuple(value & 0xFFFFFFFF for value in I32_EDGES)
F32_EDGES = (
    *(0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x40490FDB, 0x3DCCCCCD, 0x7F7FFFFF, 0xFF7FFFFF),
    *(0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x4B000001),
    *(0x4F000000, 0xCF000000, 0x4EFFFFFF, 0x3F000000, 0xBF000000, 0x40200000, 0x3F7FFFFF, 0x34000000),
)

#: column name -> type, in every table
COLUMNS = {"n": "num", "v": "vec2", "i": "i32", "u": "u32", "a": "angle", "b": "bool"}

_LANE_KINDS = {"n": "num", "v": "num", "i": "i32", "u": "u32", "a": "angle", "b": "bool"}


def cell(rnd: Random, kind: str, backend: str) -> int:
    """A cell of a lane type, an edge often."""
    if kind == "bool":
        return rnd.randrange(2)
    unsigned = kind in ("u32", "angle")
    if kind == "num" and backend == FLOAT:
        bits = rnd.choice(F32_EDGES) if rnd.randrange(2) else rnd.randrange(1 << 32)
        return bits if (bits & 0x7FFFFFFF) <= 0x7F800000 else 0x7FC00000
    if rnd.randrange(2):
        return rnd.choice(U32_EDGES if unsigned else I32_EDGES)
    if unsigned:
        return rnd.randrange(1 << 32)
    return rnd.randrange(-200000, 200000) if rnd.randrange(2) else rnd.randrange(-0x80000000, 0x80000000)


def scalar_codes(backend: str) -> list[str]:
    """Ops on scalar cells that the backend has."""
    radians = {f"num.{name}" for name in ("sin", "cos", "sincos_cos", "atan2", "asin", "acos")}
    return [
        code
        for code, spec in OPS.items()
        if spec.group in ("num", "int", "trig") and (backend == FLOAT or code not in radians)
    ]


class Writer:
    """Draws one random program."""

    def __init__(self, rnd: Random, build: Build, backend: str, mersenne: bool, tables: list[TableSpec]) -> None:
        self.rnd = rnd
        self.build = build
        self.backend = backend
        self.mersenne = mersenne
        self.tables = tables
        self.pool: dict[str, list[int]] = {}
        self.touched: list[LaneRef] = []
        self.in_guard = False
        self.scalars = scalar_codes(backend)

    def pick(self, kind: str) -> int:
        """A register of a lane type; angles serve as u32."""
        kind = "u32" if kind == "angle" else kind
        known = self.pool.setdefault(kind, [])
        if known and self.rnd.randint(0, 3):
            return known[-1] if self.rnd.randrange(2) else self.rnd.choice(known)
        return self.keep(kind, self.build.const(cell(self.rnd, kind, self.backend), kind))

    def keep(self, kind: str, register: int) -> int:
        self.pool.setdefault("u32" if kind == "angle" else kind, []).append(register)
        return register

    def lane(self, name: str, kinds: tuple[str, ...] = ()) -> tuple[LaneRef, str]:
        """A lane of a table, of one of some kinds; often one touched before, so that ops get in each other's way."""
        known = [ref for ref in self.touched if ref.table == name and (not kinds or _LANE_KINDS[ref.column] in kinds)]
        if known and self.rnd.randrange(3):
            ref = self.rnd.choice(known)
            return ref, _LANE_KINDS[ref.column]
        column = self.rnd.choice([column for column, kind in _LANE_KINDS.items() if not kinds or kind in kinds])
        ref = LaneRef(name, column, self.rnd.randint(0, 1) if column == "v" else 0)
        self.touched.append(ref)
        return ref, _LANE_KINDS[column]

    def other_table(self) -> TableSpec:
        """A table to reach into: often the own one."""
        own = [spec for spec in self.tables if spec.name == self.build.own]
        return self.rnd.choice([*self.tables, *own * 3])

    def index(self, rows: int) -> int:
        """An index register, mostly in range, often another row's."""
        if self.rnd.randint(0, 9) == 0 or rows == 0:
            return self.pick(self.rnd.choice(["i32", "u32"]))
        size = self.build.const(rows, "i32")
        start = self.pick("i32")
        if self.rnd.randrange(3):
            row = self.build.op("row", kind="i32")
            start = self.build.op("i32.add", row, self.build.const(self.rnd.randrange(5), "i32"), kind="i32")
        return self.keep("i32", self.build.op("i32.mod", start, size, kind="i32"))

    def index_kind(self, register: int) -> str:
        return "i32" if self.build.types[register] == "i32" else "u32"

    def scalar(self) -> None:
        code = self.rnd.choice(self.scalars)
        spec = OPS[code]
        some = self.rnd.choice(["num", "i32", "u32", "bool"])
        sources = [self.pick(some if kind == "*" else kind) for kind in spec.params]
        result = some if spec.result == "*" else spec.result
        assert result is not None
        self.keep(result, self.build.op(code, *sources, kind=result))

    def draw_op(self) -> None:
        code = self.rnd.choice(["rand_u32", "roll", "rand_unit", "next_float", "bounded"])
        if code == "next_float" and not self.mersenne:
            code = "rand_unit"
        if code == "bounded":
            code = "next_int_inclusive" if self.mersenne else "below"
        spec = OPS[f"draw.{code}"]
        sources = [self.pick(kind) for kind in spec.params]
        if code == "roll" and self.rnd.randint(0, 5):  # mostly ordered bounds
            low = self.build.const(self.rnd.randint(-100, 0), "i32")
            sources = [low, self.build.const(self.rnd.randint(0, 100), "i32")]
        assert spec.result is not None
        self.keep(spec.result, self.build.op(spec.code, *sources, kind=spec.result))

    def read(self) -> None:
        how = self.rnd.choice(["load", "world", "gather", "row", "tick"])
        if how in ("row", "tick"):
            self.keep("i32", self.build.op(how, kind="i32"))
            return
        if how == "gather":
            spec = self.other_table()
            ref, kind = self.lane(spec.name)
            index = self.index(spec.rows)
            register = self.build.op(f"gather.{self.index_kind(index)}", index, kind=kind, imm=ref)
        else:
            ref, kind = self.lane("world" if how == "world" else self.build.own)
            register = self.build.op(how, kind=kind, imm=ref)
        self.keep(kind, register)
        if not self.in_guard and self.rnd.randrange(2):  # what was seen of other rows reaches the state
            self.build.op("store", register, imm=self.lane(self.build.own, (kind,))[0])

    def write(self) -> None:
        ref, kind = self.lane(self.build.own)
        self.build.op("store", self.pick(kind), imm=ref)

    def scatter(self) -> None:
        spec = self.other_table()
        ref, kind = self.lane(spec.name, ("i32", "u32"))
        index = self.index(spec.rows)
        self.build.op(f"check_index.{self.index_kind(index)}", index, imm=spec.name)
        value = self.pick(kind)
        self.build.op(self.rnd.choice(["scatter.add", "scatter.sub"]), index, value, imm=ref)

    def fold(self) -> None:
        spec = self.rnd.choice(self.tables)
        how = self.rnd.choice(["sum", "min", "max", "count"])
        kinds = ("bool",) if how == "count" else ("num", "i32", "u32")
        start = len(self.build.ops)
        outer, self.pool = self.pool, {}
        ref, kind = self.lane(spec.name, kinds)
        value = self.keep(kind, self.build.op("load", kind=kind, imm=ref))
        world, other = self.lane("world")
        self.keep(other, self.build.op("world", kind=other, imm=world))
        for _ in range(self.rnd.randint(0, 2)):
            self.scalar()
        value = self.rnd.choice(self.pool[kind])
        body = self.build.body(start)
        self.pool = outer
        result = "i32" if how == "count" else kind
        self.keep(result, self.build.op(f"fold.{how}", value, kind=result, imm=spec.name, body=body))

    def same_for_every_row(self) -> None:
        """An op whose operands are the same for every row, which often traps."""
        kind = self.rnd.choice(["i32", "u32"])
        ref = self.lane("world", (kind,))[0]
        how = self.rnd.choice(["divide", "gather", "fold"])
        if how == "divide":
            world = self.build.op("world", kind=kind, imm=ref)
            code = f"{kind}.{self.rnd.choice(['floordiv', 'mod'])}"
            self.keep(kind, self.build.op(code, self.pick(kind), world, kind=kind))
        elif how == "gather":
            spec = self.rnd.choice(self.tables)
            index = self.build.const(self.rnd.randrange(spec.rows + 2), "i32")
            lane, found = self.lane(spec.name)
            self.keep(found, self.build.op("gather.i32", index, kind=found, imm=lane))
        else:
            self.fold()

    def guard(self) -> None:
        self.in_guard = True
        uniform = self.rnd.randrange(3) == 0  # nothing of such a guard is of one row
        steps = [self.same_for_every_row] if uniform else [self.scalar, self.read, self.same_for_every_row]
        for _ in range(self.rnd.randint(1, 3)):
            self.rnd.choice(steps)()
        self.build.end_guard(self.pick("bool"))
        self.in_guard = False
        self.pool = {}

    def statements(self, count: int) -> None:
        steps = [self.scalar, self.scalar, self.scalar, self.read, self.read, self.write, self.write, self.draw_op]
        for _ in range(count):
            self.rnd.choice([*steps, self.scatter, self.scatter, self.fold])()
        for _ in range(2):
            self.write()


def _filled(rnd: Random, spec: TableSpec, backend: str) -> Build:
    """A setup program that gives every cell of the first rows its own value."""
    build = Build(f"setup {spec.name}", spec.name)
    for column in spec.columns:
        for lane in range(len(column.lane_names)):
            kind = column.lane_type
            value = build.const(cell(rnd, kind, backend), kind)
            for row in range(1, min(spec.rows, 4)):
                here = build.op("i32.eq", build.op("row", kind="i32"), build.const(row), kind="bool")
                value = build.op("select", here, build.const(cell(rnd, kind, backend), kind), value, kind=kind)
            build.op("store", value, imm=LaneRef(spec.name, column.name, lane))
    return build


def random_scenario(rnd: Random, backend: str | None = None, statements: int = 12) -> CompiledScenario:
    """A compiled scenario of two tables, players and the world, with one to three systems, and a few ticks."""
    backend = backend or rnd.choice([FIXED, WRAPPING, FLOAT])
    mersenne = bool(rnd.randrange(2))
    tables = [
        table("world", 1, **COLUMNS),
        table("players", rnd.randint(1, 2), **COLUMNS),
        table("unit", rnd.randint(1, 5), **COLUMNS),
        table("none", rnd.randint(0, 2), **COLUMNS),
    ]
    systems = []
    for index in range(rnd.randint(1, 3)):
        build = Build(f"system {index}", rnd.choice(["unit", "unit", "unit", "world", "players", "none"]))
        writer = Writer(rnd, build, backend, mersenne, tables)
        if rnd.randrange(2):
            writer.guard()
        writer.statements(rnd.randint(statements // 2, statements))
        systems.append(build)
    scenario = compiled(
        tables,
        systems,
        [_filled(rnd, spec, backend) for spec in tables],
        backend,
        MT if mersenne else SPLITMIX,
        ticks=rnd.randint(1, 4),
        inputs=[_entry(rnd, backend, tables[1].rows) for _ in range(rnd.randint(0, 4))],
    )
    return replace(scenario, hash_every=rnd.randint(1, 3))


def _entry(rnd: Random, backend: str, players: int) -> CompiledInput:
    columns = rnd.sample(list(COLUMNS), rnd.randint(1, 3))
    values = tuple(
        (column, lane, cell(rnd, _LANE_KINDS[column], backend))
        for column in columns
        for lane in range(2 if column == "v" else 1)
    )
    return CompiledInput(rnd.randint(0, 4), rnd.randint(1, 3), rnd.randrange(players), values)


def compiled_scenarios(backend: str | None = None) -> st.SearchStrategy[CompiledScenario]:
    """Random scenarios as a strategy, so that a failure is made small."""
    return st.randoms(use_true_random=False).map(lambda rnd: random_scenario(rnd, backend, statements=6))


def codes_of(scenario: CompiledScenario) -> set[str]:
    """Every op code that stands in a scenario, fold bodies included."""
    found: set[str] = set()

    def walk(ops: tuple[Op, ...]) -> None:
        for op in ops:
            found.add(op.code)
            walk(op.body)

    for program in (*scenario.setup, *scenario.systems):
        walk(program.guard + program.ops)
    return found
