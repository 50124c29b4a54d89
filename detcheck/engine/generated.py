"""The generated executor: each program as straight-line Python made from its op list. The fallback without a compiler.

It is held to the plain walk. Traps are found here but told by the plain walk, which runs the last few ticks again from
a copy of the state, so that the message is the reference's own. A binary32 num is carried as binary64 in columns of
binary32 (array "f"), which is exact for the ops that are written out (see templates.py).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import Any

from detcheck.engine.draws import draw_ops
from detcheck.engine.emit import Emitter, function_name
from detcheck.engine.inputs import PlayerScript
from detcheck.engine.reference import ReferenceExecutor
from detcheck.engine.scalars import scalar_ops
from detcheck.engine.state import State
from detcheck.engine.templates import PRELUDES
from detcheck.errors import Interrupted, Trap
from detcheck.language.ir import Op, Program
from detcheck.language.ops import OPS
from detcheck.model.schema import LaneRef, TableSpec
from detcheck.scenario.compiled import CompiledScenario

#: ticks between copies of the state, at most; fewer with many rows, so that running them again is quick
_COPY_EVERY = 64
_COPY_ROWS = 20_000

#: binary32 operands that one call can take
_CELLS = 4


class _Stop(ArithmeticError):
    """Raised by generated code where some op traps."""


class CarrierState(State):
    """A state whose binary32 lanes are arrays of binary32: reading one gives the number, exactly, not its bits."""

    def __init__(self, compiled: CompiledScenario) -> None:
        super().__init__(compiled)
        self.binary32 = self.number.number == "f32"
        #: every lane as generated code sees it
        self.columns: dict[LaneRef, Any] = {
            ref: array("f", bytes(4 * len(cells))) if self._carried(ref) else cells for ref, cells in self.lanes.items()
        }

    def _carried(self, ref: LaneRef) -> bool:
        return self.binary32 and self.lane_types[ref] == "num"

    def canonical_lane(self, ref: LaneRef) -> list[int]:
        """A copy of one lane's cells, rows in order, every NaN 7fc00000."""
        if self._carried(ref):
            self.lanes[ref] = array("I", self.columns[ref].tobytes()).tolist()
        return super().canonical_lane(ref)

    def set_cells(self, ref: LaneRef, cells: list[int]) -> None:
        """Replace one lane's cells."""
        self.columns[ref][:] = self.carriers(cells) if self._carried(ref) else cells

    def carriers(self, cells: list[int]) -> array[Any]:
        """The numbers of binary32 bit patterns."""
        return array("f", array("I", cells).tobytes())


class GeneratedExecutor:
    """One replay in progress on generated Python (the Executor protocol)."""

    name = "generated"

    def __init__(self, compiled: CompiledScenario) -> None:
        self.compiled = compiled
        self.tick = 0
        self.state = CarrierState(compiled)
        self.number = self.state.number.number
        self._script = PlayerScript(compiled)
        self._players = {ref: column[:] for ref, column in self.state.columns.items() if ref.table == "players"}
        self.source, self._setup, self._systems = _compile(compiled, self.state)
        rows = sum(table.rows for table in compiled.tables)
        self._copy_every = max(1, min(_COPY_EVERY, _COPY_ROWS // max(1, rows)))
        self._can_trap = any(_can_trap(program.guard + program.ops) for program in compiled.systems)
        self._copy: tuple[int, dict[LaneRef, list[int]], bytes] | None = None

    def setup(self) -> None:
        """Run the setup programs; the tick stays 0. Raises TrapError."""
        try:
            for run in self._setup:
                run(0)
        except (Trap, _Stop, ZeroDivisionError):
            ReferenceExecutor(self.compiled).setup()
            raise AssertionError("the generated setup trapped and the plain walk did not") from None

    def advance(self, ticks: int, stop: Callable[[], bool] | None = None) -> None:
        """Complete `ticks` more ticks. Raises TrapError, or Interrupted soon after `stop` answers true."""
        try:
            for _ in range(ticks):
                if stop is not None and stop():
                    raise Interrupted
                if self._can_trap and self.tick % self._copy_every == 0:
                    self._copy = self._snapshot()
                self._set_players()
                for run in self._systems:
                    run(self.tick)
                self.tick += 1
        except (Trap, _Stop, ZeroDivisionError):
            self._tell()

    def _set_players(self) -> None:
        for ref, row, cell in self._script.changes(self.tick):
            carried = self.state.carriers([cell])[0] if self.state._carried(ref) else cell
            self._players[ref][row] = carried
        for ref, column in self._players.items():
            self.state.columns[ref][:] = column

    def _snapshot(self) -> tuple[int, dict[LaneRef, list[int]], bytes]:
        lanes = {ref: self.state.canonical_lane(ref) for ref in self.state.columns}
        return self.tick, lanes, self.state.rng.save_state()

    def _tell(self) -> None:
        """Run the ticks since the last copy on the plain walk, which meets the trap and raises its TrapError."""
        assert self._copy is not None
        started, lanes, rng_state = self._copy
        walk = ReferenceExecutor(self.compiled)
        walk.tick = started
        for ref, cells in lanes.items():
            walk.state.lanes[ref][:] = cells
        walk.state.rng.load_state(rng_state)
        try:
            walk.advance(self.tick - started + 1)
        finally:
            for ref in self.state.columns:
                self.state.set_cells(ref, walk.state.canonical_lane(ref))
        raise AssertionError("the generated program trapped and the plain walk did not")

    def part_buffers(self) -> Iterator[tuple[str, bytes]]:
        """(part name, canonical bytes) in canonical order."""
        return self.state.part_buffers()

    def lane(self, table: str, column: str, lane: int) -> list[int]:
        """A copy of the cells of one lane, canonical."""
        return self.state.canonical_lane(LaneRef(table, column, lane))

    def rng_state(self) -> bytes:
        """The generator's saved state."""
        return self.state.rng.save_state()

    def draws(self) -> int:
        """Words taken from the generator since seeding."""
        return self.state.rng.draws

    @property
    def tables(self) -> tuple[TableSpec, ...]:
        """The state's tables, in canonical order."""
        return self.state.tables


_Run = Callable[[int], None]


def _compile(compiled: CompiledScenario, state: CarrierState) -> tuple[str, list[_Run], list[_Run]]:
    """The text of all programs, and the functions it defines: setup and systems."""
    namespace = _namespace(state)
    lanes = {ref: f"c{index}" for index, ref in enumerate(state.columns)}
    namespace.update({name: state.columns[ref] for ref, name in lanes.items()})

    def constant(cell: int) -> str:
        name = f"k{cell}"
        namespace[name] = state.carriers([cell])[0]
        return name

    def ordered(low: int, high: int) -> bool:
        number = state.number
        return bool(number.is_finite(low) and number.is_finite(high) and number.le(low, high))

    def emitted(program: Program, name: str) -> str:
        emitter = Emitter(
            program, compiled.backend, state.binary32, compiled.tables, lanes.__getitem__, constant, ordered
        )
        return emitter.function(name)

    names = ([f"setup{i}" for i in range(len(compiled.setup))], [f"system{i}" for i in range(len(compiled.systems))])
    programs = (compiled.setup, compiled.systems)
    source = PRELUDES.get(compiled.backend, "") + "".join(
        emitted(program, name)
        for group, called in zip(programs, names, strict=True)
        for program, name in zip(group, called, strict=True)
    )
    exec(compile(source, "<generated from the op list>", "exec"), namespace)
    return source, [namespace[name] for name in names[0]], [namespace[name] for name in names[1]]


def _namespace(state: CarrierState) -> dict[str, Any]:
    """What generated text may call: the backend's ops, the generator's draws, the cells `f` (`m` are their bits)."""
    cells = array("f", bytes(4 * _CELLS))
    bits = memoryview(cells).cast("B").cast("I")

    def stop() -> None:
        raise _Stop

    def by_zero(a: Any, b: Any) -> Any:
        cells[0], cells[1] = a, b
        bits[0] = state.number.div(bits[0], bits[1])
        return cells[0]

    functions = {**scalar_ops(state.number), **draw_ops(state.rng, state.number)}
    return {
        **{function_name(code): function for code, function in functions.items()},
        "f": cells,
        "m": bits,
        "stop": stop,
        "by_zero": by_zero,
        "range": range,
        "zip": zip,
        "abs": abs,
        "int": int,
        "__builtins__": {},
    }


def _can_trap(ops: tuple[Op, ...]) -> bool:
    return any(OPS[op.code].traps is not None or _can_trap(op.body) for op in ops)
