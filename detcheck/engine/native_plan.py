"""From lowered ops to the arrays the C machine runs (`detcheck/_native/plan.c` says their form, and checks them).

A program becomes up to three lists of segments: its guard over all rows, its statements where all rows are active
(columns are read in place), and its statements through the list of active rows.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from detcheck.engine.native_inputs import player_events
from detcheck.engine.native_layout import Layout, Place
from detcheck.engine.native_pass import Pass
from detcheck.engine.native_segments import Node, every_node, number
from detcheck.language.ir import Program
from detcheck.model.schema import LaneRef
from detcheck.scenario.compiled import CompiledScenario
from detcheck.trig.tables import TABLES

BACKENDS = ("fixed_point_16_16", "fixed_wrapping_16_16", "float_pinned_32")


@dataclass
class Arrays:
    """The int32 arrays, growing; `starts` of the next row follow from the lengths."""

    programs: array[int] = field(default_factory=lambda: array("i"))
    segments: array[int] = field(default_factory=lambda: array("i"))
    items: array[int] = field(default_factory=lambda: array("i"))
    steps: array[int] = field(default_factory=lambda: array("i"))


@dataclass(frozen=True)
class Plan:
    """What NativeExecutor needs: the arrays, the layout, memory to fill before the first tick, ops by number."""

    header: array[int]
    arrays: Arrays
    events: array[int]
    layout: Layout
    tables: Mapping[str, int]
    programs: tuple[Program, ...]
    nodes: tuple[dict[int, Node], ...]


class Planner:
    """Plans one scenario. `ops` are the extension's op names in its numbering.

    Raises DetcheckError `native.memory` where the workspace would be too large.
    """

    def __init__(self, compiled: CompiledScenario, ops: Sequence[str], block: int) -> None:
        self.compiled = compiled
        self.layout = Layout(compiled.tables, compiled.rng.kind, block)
        self.numbers = {name: i for i, name in enumerate(ops)}
        self.float = compiled.backend == "float_pinned_32"
        self.arrays = Arrays()
        self.programs = (*compiled.setup, *compiled.systems)
        layout = self.layout
        self.tick = layout.take(1)
        self.image = layout.take((layout.players_bytes + 3) // 4)
        #: row numbers 0, 1, 2, ... and the rows a guard left, each as long as the longest table that asks for it
        self.iota, self.iota_rows = 0, 0
        self.active = 0
        guarded = [layout.rows[program.table] for program in self.programs if program.guard_register is not None]
        if guarded:
            self.active = layout.take(max(guarded))
        counted = [layout.rows[program.table] for program in self.programs if _counts_rows(program)]
        if counted:
            self.iota_rows = max(counted)
            self.iota = layout.take(self.iota_rows)
        #: FastTrig's tables that an op reads -> their first word
        self.tables: dict[str, int] = {}
        # registers are shared by all programs, which run one after the other; columns begin behind them
        self.uniforms: list[int] = []
        self.registers: list[int] = []
        self.columns: dict[int, list[int]] = {}
        self.accumulators: list[int] = []

    def plan(self) -> Plan:
        """Everything, encoded."""
        nodes = []
        for program in self.programs:
            nodes.append(self._program(program))
        layout = self.layout
        rng = {"splitmix64": 2}.get(self.compiled.rng.kind, 1 if self.compiled.rng.x87_precision == 24 else 0)
        written = any(ref.table == "players" for program in self.programs for ref in _written(program))
        header = array(
            "i",
            (
                *(BACKENDS.index(self.compiled.backend), rng, layout.words, layout.rng, self.tick, self.active),
                *(layout.players, self.image, layout.players_bytes, int(written), len(self.compiled.setup)),
                *(self.iota, self.iota_rows),
            ),
        )
        events = player_events(self.compiled, layout)
        return Plan(header, self.arrays, events, layout, self.tables, self.programs, tuple(nodes))

    def _program(self, program: Program) -> dict[int, Node]:
        guard = number(program.guard)
        body = number(program.ops, first=sum(1 for _ in every_node(guard)))
        ranges = [(0, 0), (0, 0), (0, 0)]
        if program.guard_register is not None:
            ranges[0] = Pass(self, program, guard, sparse=False, guard=program.guard_register).emit()
            ranges[2] = Pass(self, program, body, sparse=True).emit()
        ranges[1] = Pass(self, program, body, sparse=False).emit()
        rows = self.layout.rows[program.table]
        self.arrays.programs.extend((rows, *(word for pair in ranges for word in pair)))
        return {node.id: node for node in every_node((*guard, *body))}

    def uniform(self, index: int) -> Place:
        """The program's uniform register of that number."""
        while len(self.uniforms) <= index:
            self.uniforms.append(self.layout.take(self.layout.lanes))
        return Place(self.uniforms[index], 0)

    def register(self, index: int) -> Place:
        """The block register of that number."""
        while len(self.registers) <= index:
            self.registers.append(self.layout.take(self.layout.lanes))
        return Place(self.registers[index], 0)

    def column(self, index: int, rows: int) -> Place:
        """The column of that number among those of tables of `rows` rows."""
        columns = self.columns.setdefault(rows, [])
        while len(columns) <= index:
            columns.append(self.layout.take(rows))
        return Place(columns[index], 4)

    def table(self, name: str) -> Place:
        """The FastTrig table of that name."""
        if name not in self.tables:
            self.tables[name] = self.layout.take(TABLES[name].entries)
        return Place(self.tables[name], 0)

    def accumulator(self, index: int) -> Place:
        """A cell a fold gathers in."""
        while len(self.accumulators) <= index:
            self.accumulators.append(self.layout.take(self.layout.lanes))
        return Place(self.accumulators[index], 0)


def _written(program: Program) -> Iterator[LaneRef]:
    for op in program.ops:
        if (op.code == "store" or op.code.startswith("scatter.")) and isinstance(op.imm, LaneRef):
            yield op.imm


def _counts_rows(program: Program) -> bool:
    return any(op.code == "row" for op in (*program.guard, *program.ops))
