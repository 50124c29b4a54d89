"""The generated executor: each program as straight-line Python made from its op list. The fallback without a compiler.

It is held to the plain walk. Traps are found here but told by the plain walk, which runs the last few ticks again from
a copy of the state, so that the message is the reference's own. How a num is carried: carriers.py.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Any

from detcheck.engine.carriers import CARRIERS, Plain
from detcheck.engine.draws import draw_ops
from detcheck.engine.emit import Emitter, function_name
from detcheck.engine.inputs import PlayerScript
from detcheck.engine.observed import Observed
from detcheck.engine.reference import ReferenceExecutor
from detcheck.engine.scalars import scalar_ops
from detcheck.engine.state import State
from detcheck.engine.templates import Form, forms_of
from detcheck.errors import Interrupted, Trap
from detcheck.language.ir import Op, Program
from detcheck.language.ops import OPS
from detcheck.model.schema import LaneRef
from detcheck.scenario.compiled import CompiledScenario

#: ticks between copies of the state, at most; fewer with many rows, so that running them again is quick
_COPY_EVERY = 64
_COPY_ROWS = 20_000


class _Stop(ArithmeticError):
    """Raised by generated code where some op traps."""


class CarrierState(State):
    """A state whose num lanes are columns of carried values."""

    def __init__(self, compiled: CompiledScenario, carrier: Plain) -> None:
        super().__init__(compiled)
        self.carrier = carrier
        #: every lane as generated code sees it
        self.columns: dict[LaneRef, Any] = {
            ref: carrier.carried(cells) if self.is_num(ref) else cells for ref, cells in self.lanes.items()
        }

    def is_num(self, ref: LaneRef) -> bool:
        """Whether a lane's values are carried."""
        return self.lane_types[ref] == "num"

    def canonical_lane(self, ref: LaneRef) -> list[int]:
        """A copy of one lane's cells, rows in order, every NaN 7fc00000."""
        if self.is_num(ref):
            self.lanes[ref] = self.carrier.cells(self.columns[ref])
        return super().canonical_lane(ref)

    def set_cells(self, ref: LaneRef, cells: list[int]) -> None:
        """Replace one lane's cells."""
        self.columns[ref][:] = self.carrier.carried(cells) if self.is_num(ref) else cells


class GeneratedExecutor(Observed):
    """One replay in progress on generated Python (the Executor protocol)."""

    name = "generated"

    def __init__(self, compiled: CompiledScenario, form: Form | None = None) -> None:
        """`form` is one of the backend's, for tests; else the fastest that this machine's arithmetic is right for."""
        self.compiled = compiled
        self.tick = 0
        self.form = form or next(form for form in forms_of(compiled.backend) if is_sound(form))
        self.state: CarrierState = CarrierState(compiled, CARRIERS[self.form.carrier]())
        self.number = self.state.number.number
        self._script = PlayerScript(compiled)
        self._players = {ref: column[:] for ref, column in self.state.columns.items() if ref.table == "players"}
        self.source, self._setup, self._systems = _compile(compiled, self.state, self.form)
        rows = sum(table.rows for table in compiled.tables)
        self._copy_every = max(1, min(_COPY_EVERY, _COPY_ROWS // max(1, rows)))
        self._can_trap = any(_can_trap(program.guard + program.ops) for program in compiled.systems)
        self._copy: tuple[int, dict[LaneRef, list[int]], bytes] | None = None

    def setup(self, stop: Callable[[], bool] | None = None) -> None:
        """Run the setup programs; the tick stays 0. Raises TrapError, or Interrupted between programs."""
        try:
            for run in self._setup:
                if stop is not None and stop():
                    raise Interrupted
                run(0)
        except (Trap, _Stop, ZeroDivisionError):
            ReferenceExecutor(self.compiled).setup()
            raise AssertionError("the generated setup trapped and the plain walk did not") from None

    def stand(self, lanes: Mapping[LaneRef, list[int]], rng_state: bytes) -> None:
        """Take over cells and the generator's saved state, instead of setup."""
        for ref, cells in lanes.items():
            self.state.set_cells(ref, cells)
        self.state.rng.load_state(rng_state)

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
            carried = self.state.carrier.carried([cell]) if self.state.is_num(ref) else [cell]
            self._players[ref][row] = carried[0]
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


_Run = Callable[[int], None]


def is_sound(form: Form) -> bool:
    """Whether this machine's arithmetic, as it is set now, is what a form leans on."""
    namespace: dict[str, Any] = {"all": all, "__builtins__": {}}
    exec(form.prelude, namespace)
    return "sound" not in namespace or bool(namespace["sound"]())


def _compile(compiled: CompiledScenario, state: CarrierState, form: Form) -> tuple[str, list[_Run], list[_Run]]:
    """The text of all programs, and the functions it defines: setup and systems."""
    lanes = {ref: f"c{index}" for index, ref in enumerate(state.columns)}
    number = state.number

    def ordered(low: int, high: int) -> bool:
        return bool(number.is_finite(low) and number.is_finite(high) and number.le(low, high))

    def emitted(program: Program, name: str) -> str:
        emitter = Emitter(program, form.templates, state.carrier, compiled.tables, lanes.__getitem__, ordered)
        return emitter.function(name)

    setup = {f"setup{index}": program for index, program in enumerate(compiled.setup)}
    systems = {f"system{index}": program for index, program in enumerate(compiled.systems)}
    source = form.prelude + "".join(emitted(program, name) for name, program in {**setup, **systems}.items())
    namespace = _namespace(state)
    namespace.update({name: state.columns[ref] for ref, name in lanes.items()})
    exec(compile(source, "<generated from the op list>", "exec"), namespace)
    return source, [namespace[name] for name in setup], [namespace[name] for name in systems]


def _namespace(state: CarrierState) -> dict[str, Any]:
    """What generated text may call: the backend's ops, the generator's draws, and what the carrier needs."""
    carrier, divide = state.carrier, state.number.div

    def stop() -> None:
        raise _Stop

    def by_zero(a: Any, b: Any) -> Any:
        """A binary32 quotient that Python would refuse."""
        return carrier.carried([divide(*carrier.cells(array("f", (a, b))))])[0]

    functions = {**scalar_ops(state.number), **draw_ops(state.rng, state.number)}
    return {
        **{function_name(code): function for code, function in functions.items()},
        **carrier.names(),
        "stop": stop,
        "by_zero": by_zero,
        "range": range,
        "zip": zip,
        "abs": abs,
        "int": int,
        "all": all,
        "__builtins__": {},
    }


def _can_trap(ops: tuple[Op, ...]) -> bool:
    return any(OPS[op.code].traps is not None or _can_trap(op.body) for op in ops)
