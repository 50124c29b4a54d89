"""The native executor: the C machine behind the Executor protocol, bit for bit the reference's state.

Every span between two checkpoints is one call with the interpreter lock released; the state is hashed where it lies.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from struct import pack
from types import ModuleType
from typing import TYPE_CHECKING

from detcheck import numbers, rng
from detcheck.engine.native_plan import Plan, Planner
from detcheck.engine.traps import trap_error
from detcheck.errors import DetcheckError, Interrupted, TrapError, visible
from detcheck.language.ops import OPS
from detcheck.model.schema import LaneRef, TableSpec
from detcheck.scenario.compiled import CompiledScenario
from detcheck.trig.tables import TABLES, table_bytes

if TYPE_CHECKING:
    from detcheck._native.core import Machine

_TRAPPED, _STOPPED = 1, 2


@dataclass(frozen=True)
class BuildInfo:
    """How the extension was built, and the loops this processor can run, the fastest first."""

    compiler: str
    flags: str
    loops: tuple[str, ...]


def _module() -> ModuleType:
    from detcheck._native import core

    return core


def available() -> bool:
    """Whether the extension module is built and works on this machine."""
    return why_not() == ""


def why_not() -> str:
    """Why the extension cannot be used; empty when it can."""
    try:
        _module()
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) or "cannot import name" in str(error):
            return "not built: no C compiler, or the build was refused (see pip install -v)"
        return f"the extension module cannot be loaded: {visible(error)}"
    return ""


def build_info() -> BuildInfo:
    """Compiler, flags, loops. Only where `available()`."""
    core = _module()
    return BuildInfo(core.COMPILER, core.FLAGS, tuple(core.LOOPS.split()))


class NativeExecutor:
    """One replay in progress. `loops` is "auto" (the fastest this processor runs), "baseline" or "avx2"."""

    def __init__(self, compiled: CompiledScenario, loops: str = "auto") -> None:
        core = _module()
        usable = tuple(core.LOOPS.split())
        self.loops = usable[0] if loops == "auto" else loops
        if self.loops not in usable:
            raise DetcheckError("native.loops", f"this processor or build has no {visible(loops)} loops")
        self.name = "native" if self.loops == usable[0] else f"native:{self.loops}"
        self.tick = 0
        self._compiled = compiled
        self._backend = numbers.get(compiled.backend)
        self.number = self._backend.number
        self._plan = Planner(compiled, core.OPS, core.BLOCK).plan()
        self._machine = _new_machine(self._plan, self.loops)
        self._memory = memoryview(self._machine)
        self._fill(self._plan)
        readable = self._memory.toreadonly()
        self._parts = tuple(
            (part.name, readable[part.start : part.start + part.length]) for part in self._plan.layout.parts
        )

    def _fill(self, plan: Plan) -> None:
        """The generator's first state, constants and tables."""
        memory, layout = self._memory, plan.layout
        state = rng.make(self._compiled.rng, self._compiled.seed).save_state()
        memory[layout.rng * 4 : layout.rng * 4 + len(state)] = state
        for bits, word in layout.constants.items():
            memory[word * 4 : (word + layout.lanes) * 4] = pack("<I", bits) * layout.lanes
        for name, word in plan.tables.items():
            table = table_bytes(TABLES[name])
            memory[word * 4 : word * 4 + len(table)] = table

    def setup(self, stop: Callable[[], bool] | None = None) -> None:
        """Run the setup programs; `tick` stays 0. Raises TrapError, or Interrupted soon after `stop` answers true."""
        if stop is not None and stop():
            raise Interrupted
        self._settle(self._machine.setup(stop))

    def stand(self, lanes: Mapping[LaneRef, list[int]], rng_state: bytes) -> None:
        """Take over cells and the generator's saved state, instead of setup."""
        rng_start = self._plan.layout.rng * 4
        self._memory[rng_start : rng_start + len(rng_state)] = rng_state
        for ref, cells in lanes.items():
            place = self._plan.layout.lane[ref]
            raw = bytes(cells) if place.size == 1 else array("I", [cell & 0xFFFFFFFF for cell in cells]).tobytes()
            self._memory[place.start : place.start + len(raw)] = raw

    def advance(self, ticks: int, stop: Callable[[], bool] | None = None) -> None:
        """Complete `ticks` more ticks in one call. Raises TrapError, or Interrupted soon after `stop` answers true.

        After either the executor is of no further use, unless `stop` was already true.
        """
        if stop is not None and stop():
            raise Interrupted
        self._settle(self._machine.run(ticks, stop))
        self.tick = self._machine.tick

    def _settle(self, result: int) -> None:
        if result == _TRAPPED:
            raise self._trap()
        if result == _STOPPED:
            raise Interrupted

    def _trap(self) -> TrapError:
        number, op_id, row, *cells = self._machine.trap()
        program = self._plan.programs[number]
        node = self._plan.nodes[number][op_id]
        op = node.op
        reason = OPS[op.code].traps
        assert reason is not None
        operands = tuple(
            self._cell(cell, program.types[register]) for cell, register in zip(cells, op.src, strict=False)
        )
        return trap_error(
            reason,
            program,
            op,
            row,
            () if op.code.startswith("fold.") else operands,
            tick=self._machine.tick,
            number=self._backend,
            tables=self.tables,
            folded=node.folded,
        )

    def _cell(self, bits: int, kind: str) -> int:
        """32 bits in the reference's integer form."""
        if kind == "i32" or (kind == "num" and self.number == "q16.16"):
            return bits - (1 << 32) if bits & 0x80000000 else bits
        return self._backend.canonical(bits) if kind == "num" else bits

    def part_buffers(self) -> Iterator[tuple[str, memoryview]]:
        """(part name, canonical bytes where they lie) in canonical order, the generator first."""
        return iter(self._parts)

    def lane(self, table: str, column: str, lane: int) -> list[int]:
        """The cells of one lane, in the reference's integer form."""
        place = self._plan.layout.lane[LaneRef(table, column, lane)]
        raw = self._memory[place.start : place.start + place.rows * place.size]
        signed = place.kind == "i32" or (place.kind == "num" and self.number == "q16.16")
        return raw.cast("B" if place.size == 1 else "i" if signed else "I").tolist()

    def rng_state(self) -> bytes:
        """The generator's saved state."""
        return bytes(self._parts[0][1])

    def draws(self) -> int:
        """Words taken from the generator since seeding."""
        return self._machine.draws

    @property
    def tables(self) -> tuple[TableSpec, ...]:
        """The state's tables, in canonical order."""
        return self._compiled.tables


def _new_machine(plan: Plan, loops: str) -> Machine:
    from detcheck._native.core import Machine

    arrays = plan.arrays
    try:
        return Machine(plan.header, arrays.programs, arrays.segments, arrays.items, arrays.steps, plan.events, loops)
    except MemoryError:
        raise DetcheckError(
            "native.memory",
            f"there is no memory for the {plan.layout.words >> 18} MiB this scenario needs",
            hint="use fewer rows, or --executor reference",
        ) from None
