"""Random compiled scenarios, made as op lists: every op, every hazard between rows, traps, guards, folds, inputs.

They reach what no text of the language would lower to, so that an executor is held on the op list itself.
"""

from __future__ import annotations

from dataclasses import replace

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


def cells(kind: str, backend: str) -> st.SearchStrategy[int]:
    """Cells of a lane type, edges often."""
    if kind == "bool":
        return st.integers(0, 1)
    if kind in ("u32", "angle"):
        return st.sampled_from(U32_EDGES) | st.integers(0, 0xFFFFFFFF)
    if kind == "num" and backend == FLOAT:
        patterns = st.sampled_from(F32_EDGES) | st.integers(0, 0xFFFFFFFF)
        return patterns.map(lambda bits: bits if (bits & 0x7FFFFFFF) <= 0x7F800000 else 0x7FC00000)
    return st.sampled_from(I32_EDGES) | st.integers(-0x80000000, 0x7FFFFFFF) | st.integers(-200000, 200000)


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

    def __init__(self, draw: st.DrawFn, build: Build, backend: str, mersenne: bool, tables: list[TableSpec]) -> None:
        self.draw = draw
        self.build = build
        self.backend = backend
        self.mersenne = mersenne
        self.tables = tables
        self.pool: dict[str, list[int]] = {}
        self.scalars = scalar_codes(backend)

    def pick(self, kind: str) -> int:
        """A register of a lane type; angles serve as u32."""
        kind = "u32" if kind == "angle" else kind
        known = self.pool.setdefault(kind, [])
        if known and self.draw(st.integers(0, 3)):
            return self.draw(st.sampled_from(known))
        return self.keep(kind, self.build.const(self.draw(cells(kind, self.backend)), kind))

    def keep(self, kind: str, register: int) -> int:
        self.pool.setdefault("u32" if kind == "angle" else kind, []).append(register)
        return register

    def lane(self, name: str, kinds: tuple[str, ...] = ()) -> tuple[LaneRef, str]:
        """A lane of a table, of one of some kinds."""
        columns = [column for column, kind in _LANE_KINDS.items() if not kinds or kind in kinds]
        column = self.draw(st.sampled_from(columns))
        return LaneRef(name, column, self.draw(st.integers(0, 1)) if column == "v" else 0), _LANE_KINDS[column]

    def index(self, rows: int) -> int:
        """An index register, mostly in range."""
        if self.draw(st.integers(0, 9)) == 0 or rows == 0:
            return self.pick(self.draw(st.sampled_from(["i32", "u32"])))
        size = self.build.const(rows, "i32")
        return self.keep("i32", self.build.op("i32.mod", self.pick("i32"), size, kind="i32"))

    def scalar(self) -> None:
        code = self.draw(st.sampled_from(self.scalars))
        spec = OPS[code]
        some = self.draw(st.sampled_from(["num", "i32", "u32", "bool"]))
        sources = [self.pick(some if kind == "*" else kind) for kind in spec.params]
        result = some if spec.result == "*" else spec.result
        assert result is not None
        self.keep(result, self.build.op(code, *sources, kind=result))

    def draw_op(self) -> None:
        code = self.draw(st.sampled_from(["rand_u32", "roll", "rand_unit", "next_float", "bounded"]))
        if code == "next_float" and not self.mersenne:
            code = "rand_unit"
        if code == "bounded":
            code = "next_int_inclusive" if self.mersenne else "below"
        spec = OPS[f"draw.{code}"]
        sources = [self.pick(kind) for kind in spec.params]
        if code == "roll" and self.draw(st.integers(0, 5)):  # mostly ordered bounds
            low = self.build.const(self.draw(st.integers(-100, 0)), "i32")
            sources = [low, self.build.const(self.draw(st.integers(0, 100)), "i32")]
        assert spec.result is not None
        self.keep(spec.result, self.build.op(spec.code, *sources, kind=spec.result))

    def read(self) -> None:
        how = self.draw(st.sampled_from(["load", "world", "gather", "row", "tick"]))
        if how in ("row", "tick"):
            self.keep("i32", self.build.op(how, kind="i32"))
            return
        if how == "gather":
            spec = self.draw(st.sampled_from(self.tables))
            ref, kind = self.lane(spec.name)
            index = self.index(spec.rows)
            self.keep(kind, self.build.op(f"gather.{self.build.types[index]}", index, kind=kind, imm=ref))
            return
        ref, kind = self.lane("world" if how == "world" else self.build.own)
        self.keep(kind, self.build.op(how, kind=kind, imm=ref))

    def write(self) -> None:
        ref, kind = self.lane(self.build.own)
        self.build.op("store", self.pick(kind), imm=ref)

    def scatter(self) -> None:
        spec = self.draw(st.sampled_from(self.tables))
        ref, kind = self.lane(spec.name, ("i32", "u32"))
        index = self.index(spec.rows)
        self.build.op(f"check_index.{self.build.types[index]}", index, imm=spec.name)
        value = self.pick(kind)
        self.build.op(self.draw(st.sampled_from(["scatter.add", "scatter.sub"])), index, value, imm=ref)

    def fold(self) -> None:
        spec = self.draw(st.sampled_from(self.tables))
        how = self.draw(st.sampled_from(["sum", "min", "max", "count"]))
        kinds = ("bool",) if how == "count" else ("num", "i32", "u32")
        start = len(self.build.ops)
        outer, self.pool = self.pool, {}
        ref, kind = self.lane(spec.name, kinds)
        value = self.keep(kind, self.build.op("load", kind=kind, imm=ref))
        world, other = self.lane("world")
        self.keep(other, self.build.op("world", kind=other, imm=world))
        for _ in range(self.draw(st.integers(0, 2))):
            self.scalar()
        value = self.draw(st.sampled_from(self.pool[kind]))
        body = self.build.body(start)
        self.pool = outer
        result = "i32" if how == "count" else kind
        self.keep(result, self.build.op(f"fold.{how}", value, kind=result, imm=spec.name, body=body))

    def guard(self) -> None:
        for _ in range(self.draw(st.integers(1, 3))):
            self.draw(st.sampled_from([self.scalar, self.read]))()
        self.build.end_guard(self.pick("bool"))
        self.pool = {}

    def statements(self, count: int) -> None:
        steps = [self.scalar, self.scalar, self.scalar, self.read, self.read, self.write, self.write, self.draw_op]
        for _ in range(count):
            self.draw(st.sampled_from([*steps, self.scatter, self.fold]))()
        for _ in range(2):
            self.write()


def _filled(draw: st.DrawFn, spec: TableSpec, backend: str) -> Build:
    """A setup program that gives every cell of the first rows its own value."""
    build = Build(f"setup {spec.name}", spec.name)
    for column in spec.columns:
        for lane in range(len(column.lane_names)):
            kind = column.lane_type
            value = build.const(draw(cells(kind, backend)), kind)
            for row in range(1, min(spec.rows, 4)):
                here = build.op("i32.eq", build.op("row", kind="i32"), build.const(row), kind="bool")
                value = build.op("select", here, build.const(draw(cells(kind, backend)), kind), value, kind=kind)
            build.op("store", value, imm=LaneRef(spec.name, column.name, lane))
    return build


@st.composite
def compiled_scenarios(draw: st.DrawFn, backend: str | None = None, statements: int = 12) -> CompiledScenario:
    """A compiled scenario of two tables, players and the world, with one to three systems, and a few ticks."""
    backend = backend or draw(st.sampled_from([FIXED, WRAPPING, FLOAT]))
    mersenne = draw(st.booleans())
    tables = [
        table("world", 1, **COLUMNS),
        table("players", draw(st.integers(1, 2)), **COLUMNS),
        table("unit", draw(st.integers(1, 5)), **COLUMNS),
        table("none", draw(st.integers(0, 2)), **COLUMNS),
    ]
    systems = []
    for index in range(draw(st.integers(1, 3))):
        own = draw(st.sampled_from(["unit", "unit", "unit", "world", "players", "none"]))
        build = Build(f"system {index}", own)
        writer = Writer(draw, build, backend, mersenne, tables)
        if draw(st.booleans()):
            writer.guard()
        writer.statements(draw(st.integers(1, statements)))
        systems.append(build)
    inputs = draw(st.lists(_entries(backend, tables[1].rows), max_size=4))
    scenario = compiled(
        tables,
        systems,
        [_filled(draw, spec, backend) for spec in tables],
        backend,
        MT if mersenne else SPLITMIX,
        ticks=draw(st.integers(0, 4)),
        inputs=inputs,
    )
    return replace(scenario, hash_every=draw(st.integers(1, 3)))


@st.composite
def _entries(draw: st.DrawFn, backend: str, players: int) -> CompiledInput:
    columns = draw(st.lists(st.sampled_from(list(COLUMNS)), unique=True, min_size=1, max_size=3))
    values = tuple(
        (column, lane, draw(cells(_LANE_KINDS[column], backend)))
        for column in columns
        for lane in range(2 if column == "v" else 1)
    )
    return CompiledInput(draw(st.integers(0, 4)), draw(st.integers(1, 3)), draw(st.integers(0, players - 1)), values)


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
