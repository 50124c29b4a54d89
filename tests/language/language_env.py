"""A scenario's declarations and short ways to analyse and lower a program in tests."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from detcheck.errors import DetcheckError
from detcheck.language.analyse import Env, Origin, ProgramTree, analyse
from detcheck.language.ir import Op, Program
from detcheck.language.lower import lower
from detcheck.model.schema import ColumnSpec, Const, RngSpec, TableSpec

FIXED = "fixed_point_16_16"
WRAPPING = "fixed_wrapping_16_16"
FLOAT = "float_pinned_32"
BACKENDS = (FIXED, WRAPPING, FLOAT)
FILE = "scenarios/duel.toml"


def table(name: str, rows: int, **columns: str) -> TableSpec:
    return TableSpec(name, rows, tuple(ColumnSpec(column, kind) for column, kind in columns.items()))


WORLD = table("world", 1, score="i32", wind="vec2", level="num")
PLAYERS = table("players", 2, move="vec2", fire="bool", buttons="u32")
UNIT = table(
    "unit",
    40,
    pos="vec2",
    vel="vec2",
    dir="vec3",
    mass="num",
    drag="num",
    hp="i32",
    owner="i32",
    bits_left="u32",
    seen="u32",
    facing="angle",
    aim="angle",
    alive="bool",
    armed="bool",
)
SHOT = table("shot", 7, at="vec2", power="i32", charge="num", tag="u32")
CONSTANTS = {
    "arena": Const("i", Fraction(64)),
    "damping": Const("d", Fraction(49, 50)),
    "minus": Const("i", Fraction(-3)),
    "nothing": Const("d", Fraction(0), True),
}


def env(rng: str = "mt19937") -> Env:
    spec = RngSpec(rng, 53 if rng == "mt19937" else None)
    return Env((WORLD, PLAYERS, UNIT, SHOT), CONSTANTS, spec, 60)


def analysed(
    text: str, own: TableSpec = UNIT, where: str | None = None, rng: str = "mt19937", line: int = 10, column: int = 1
) -> tuple[ProgramTree | None, list[DetcheckError]]:
    """The tree and the faults. The program stands at line `line` of its file, its guard in line 2, column 10."""
    guard_line = 'where = "' + (where or "") + '"'
    lines = ["", guard_line, *[""] * (line - 3), *text.split("\n")]
    lines[line - 1] = " " * (column - 1) + lines[line - 1]
    faults: list[DetcheckError] = []
    guard = None if where is None else (where, Origin(FILE, 2, 10, lines))
    tree = analyse("steer", own, text, Origin(FILE, line, column, lines), guard, env(rng), faults)
    assert (tree is None) == bool(faults)
    return tree, faults


def tree_of(text: str, own: TableSpec = UNIT, where: str | None = None, rng: str = "mt19937") -> ProgramTree:
    tree, faults = analysed(text, own, where, rng)
    assert tree is not None, [str(fault) for fault in faults]
    return tree


def program(
    text: str, backend: str = FIXED, own: TableSpec = UNIT, where: str | None = None, rng: str = "mt19937"
) -> Program:
    faults: list[DetcheckError] = []
    lowered = lower(tree_of(text, own, where, rng), env(rng), backend, faults)
    assert lowered is not None, [str(fault) for fault in faults]
    return lowered


def lower_faults(text: str, backend: str) -> list[DetcheckError]:
    faults: list[DetcheckError] = []
    assert lower(tree_of(text), env(), backend, faults) is None
    return faults


def codes(text: str, backend: str = FIXED, own: TableSpec = UNIT, rng: str = "mt19937") -> list[str]:
    """The op codes of a program, in order."""
    return [op.code for op in program(text, backend, own, None, rng).ops]


def every_op(lowered: Program) -> Iterator[Op]:
    for op in (*lowered.guard, *lowered.ops):
        yield from op.body
        yield op


def places(faults: list[DetcheckError], first_line: int = 10) -> list[tuple[int, int]]:
    """(line of the program from 1, column) of each fault, sorted."""
    found = []
    for fault in faults:
        assert fault.where is not None
        assert fault.where.line is not None
        assert fault.where.column is not None
        found.append((fault.where.line - first_line + 1, fault.where.column))
    return sorted(found)


def analysed_in(world: Env, own: TableSpec, text: str, backend: str) -> Program:
    """A program of another scenario's declarations, from line 1 of its file, lowered."""
    faults: list[DetcheckError] = []
    tree = analyse("steer", own, text, Origin(FILE, 1, 1, text.split("\n")), None, world, faults)
    assert tree is not None, [str(fault) for fault in faults]
    lowered = lower(tree, world, backend, faults)
    assert lowered is not None, [str(fault) for fault in faults]
    return lowered
