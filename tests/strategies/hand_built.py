"""Compiled scenarios written by hand, so that executors are tested without the language in between."""

from __future__ import annotations

from collections.abc import Sequence

from detcheck.language.ir import Op, Program
from detcheck.model.identity import Identity
from detcheck.model.schema import ColumnSpec, LaneRef, RngSpec, TableSpec
from detcheck.scenario.compiled import CompiledInput, CompiledScenario

FIXED = "fixed_point_16_16"
WRAPPING = "fixed_wrapping_16_16"
FLOAT = "float_pinned_32"

MT = RngSpec("mt19937", 53)
SPLITMIX = RngSpec("splitmix64")


def table(name: str, rows: int, **columns: str) -> TableSpec:
    """A table of columns by type, in the order given."""
    return TableSpec(name, rows, tuple(ColumnSpec(column, kind) for column, kind in columns.items()))


def ref(path: str) -> LaneRef:
    """`unit.hp` or `unit.pos.y`."""
    name, column, *lane = path.split(".")
    return LaneRef(name, column, "xyz".index(lane[0]) if lane else 0)


class Build:
    """Writes one program's op list; every method that computes gives its register."""

    def __init__(self, name: str, own: str) -> None:
        self.name = name
        self.own = own
        self.types: list[str] = []
        self.ops: list[Op] = []
        self.guard_ops: tuple[Op, ...] = ()
        self.guard_register: int | None = None
        self.line = 1

    def op(self, code: str, *src: int, kind: str | None = None, imm: object = None, body: Sequence[Op] = ()) -> int:
        """Append an op; `kind` is its result's lane type, None for an op without a result."""
        dst: tuple[int, ...] = ()
        if kind is not None:
            self.types.append(kind)
            dst = (len(self.types) - 1,)
        self.ops.append(Op(code, dst, src, imm, tuple(body), len(self.ops), self.line, 1))  # type: ignore[arg-type]
        self.line += 1
        return dst[0] if dst else -1

    def const(self, cell: int, kind: str = "i32") -> int:
        return self.op("const", kind=kind, imm=cell)

    def load(self, path: str, kind: str) -> int:
        return self.op("load", kind=kind, imm=ref(path))

    def store(self, path: str, register: int) -> None:
        self.op("store", register, imm=ref(path))

    def end_guard(self, register: int) -> None:
        """Everything so far is the guard."""
        self.guard_ops, self.ops, self.guard_register = tuple(self.ops), [], register

    def body(self, start: int) -> tuple[Op, ...]:
        """Take the ops from index `start` out of the list, as the body of a fold."""
        taken = tuple(self.ops[start:])
        del self.ops[start:]
        return taken

    def program(self) -> Program:
        return Program(
            self.name,
            self.own,
            self.guard_ops,
            self.guard_register,
            tuple(self.ops),
            tuple(self.types),
            "hand.toml",
            {line: f"line {line} of the file" for line in range(1, self.line)},
        )


def compiled(
    tables: Sequence[TableSpec],
    systems: Sequence[Build] = (),
    setup: Sequence[Build] = (),
    backend: str = FIXED,
    rng: RngSpec = MT,
    seed: int = 5489,
    ticks: int = 1,
    hash_every: int = 1,
    inputs: Sequence[CompiledInput] = (),
) -> CompiledScenario:
    """A compiled scenario; `world` is put in front when it is not among the tables."""
    if not any(spec.name == "world" for spec in tables):
        tables = (TableSpec("world", 1, ()), *tables)
    return CompiledScenario(
        "hand",
        backend,
        rng,
        seed,
        ticks,
        hash_every,
        tuple(tables),
        tuple(inputs),
        tuple(build.program() for build in setup),
        tuple(build.program() for build in systems),
    )


def identity(**changes: object) -> Identity:
    """An identity with made-up hashes."""
    values: dict[str, object] = {
        "scenario": "hand",
        "backend": FIXED,
        "rng": MT,
        "seed": 5489,
        "inputs": "11" * 16,
        "config": "22" * 16,
        "math": 1,
        "format": 1,
    }
    return Identity(**{**values, **changes})  # type: ignore[arg-type]
