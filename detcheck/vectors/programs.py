"""The ops of known-answer vectors as the tick language writes them, so that an executor can be asked for them.

A row of arguments is a player's row; the answers stand in the same row of a table `out`. What the language has no
word for (conversions from and to binary32) is asked of the reference alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from detcheck.errors import DetcheckError
from detcheck.language.analyse import Env, Origin, analyse
from detcheck.language.ir import Program
from detcheck.language.lower import lower
from detcheck.model.schema import ColumnSpec, RngSpec, TableSpec
from detcheck.numbers import Backend
from detcheck.scenario.compiled import CompiledInput, CompiledScenario
from detcheck.vectors.ops import OpShape

#: op -> an expression of the arguments a, b, c, …
_EXPRESSIONS: dict[str, str] = {
    "add": "a + b",
    "sub": "a - b",
    "mul": "a * b",
    "div": "a / b",
    "neg": "-a",
    "lt": "a < b",
    "le": "a <= b",
    "gt": "a > b",
    "ge": "a >= b",
    "eq": "a == b",
    "ne": "a != b",
    **{name: f"{name}(a)" for name in ("abs", "floor", "ceil", "sqrt", "sin", "cos", "asin", "acos")},
    **{name: f"{name}(a, b)" for name in ("min", "max", "atan2")},
    "from_int": "num(a)",
    "to_int": "round(a)",
    "clamp": "clamp(a, b, c)",
    "lerp": "lerp(a, b, c)",
    **{f"{name}2": f"{name}(vec2(a, b), vec2(c, d))" for name in ("dot", "distance")},
    **{f"{name}3": f"{name}(vec3(a, b, c), vec3(d, e, f))" for name in ("dot", "distance")},
    "length2": "length(vec2(a, b))",
    "length3": "length(vec3(a, b, c))",
    "heading": "heading(vec2(a, b))",
}

#: op of several results -> a statement, and where its results then stand
_STATEMENTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "normalize2": ("v = normalize(vec2(a, b))", ("v.x", "v.y")),
    "normalize3": ("v = normalize(vec3(a, b, c))", ("v.x", "v.y", "v.z")),
    "sin_cos": ("s, v = sincos(a)", ("s", "v")),
    "sincos": ("s, v = sincos(a)", ("s", "v")),
}

_COLUMN_TYPES = {"num": "num", "i32": "i32", "angle": "angle", "flag": "bool"}
_RNG = RngSpec("splitmix64")
_FILE = "vectors"


@dataclass(frozen=True)
class OpProgram:
    """One op's program for one backend; `on` makes it a scenario of one tick over some rows of arguments."""

    shape: OpShape
    backend: Backend
    program: Program

    def on(self, rows: Sequence[tuple[int, ...]]) -> CompiledScenario:
        """A scenario whose state after one tick has row i's answers in row i of `out`."""
        inputs = (
            CompiledInput(0, 1, player, tuple((f"x{i}", 0, cell) for i, cell in enumerate(row)))
            for player, row in enumerate(rows)
        )
        return CompiledScenario(
            name=_FILE,
            backend=self.backend.id,
            rng=_RNG,
            seed=0,
            ticks=1,
            hash_every=1,
            tables=_tables(self.shape, len(rows)),
            inputs=tuple(inputs),
            setup=(),
            systems=(self.program,),
        )


def program_of(shape: OpShape, backend: Backend) -> OpProgram | None:
    """The program of an op, None when the language has no word for it."""
    text = _text(shape)
    if text is None:
        return None
    tables = _tables(shape, 1)
    env = Env(tables=tables, constants={}, rng=_RNG, tick_rate=60)
    faults: list[DetcheckError] = []
    tree = analyse(shape.name, tables[2], text, Origin(_FILE, 1, 1, text.split("\n")), None, env, faults)
    program = lower(tree, env, backend.id, faults) if tree else None
    if program is None:
        raise faults[0]
    return OpProgram(shape, backend, program)


def _text(shape: OpShape) -> str | None:
    arguments = [f"{name} = players[row].x{i}" for i, name in zip(range(len(shape.params)), "abcdef", strict=False)]
    if shape.name in _STATEMENTS:
        statement, results = _STATEMENTS[shape.name]
        arguments.append(statement)
    elif shape.name in _EXPRESSIONS:
        results = (_EXPRESSIONS[shape.name],)
    else:
        return None
    return "\n".join((*arguments, *(f"r{i} = {result}" for i, result in enumerate(results))))


def _tables(shape: OpShape, rows: int) -> tuple[TableSpec, ...]:
    def columns(prefix: str, kinds: tuple[str, ...]) -> tuple[ColumnSpec, ...]:
        return tuple(ColumnSpec(f"{prefix}{i}", _COLUMN_TYPES.get(kind, "u32")) for i, kind in enumerate(kinds))

    return (
        TableSpec("world", 1, ()),
        TableSpec("players", rows, columns("x", shape.params)),
        TableSpec("out", rows, columns("r", shape.results)),
    )
