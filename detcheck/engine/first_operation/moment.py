"""One tick cut out of a replay: its programs, and the state they start from, with nothing left that depends on when.

So that a tick can be run again as the first of a fresh replay, the players' rows become a table like any other (they
hold what the script has put there), and the tick's number becomes a column of world, which is as equal for all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from detcheck import rng
from detcheck.engine.executors import make_executor
from detcheck.engine.inputs import PlayerScript
from detcheck.language.ir import Op, Program
from detcheck.model.schema import ColumnSpec, LaneRef, TableSpec
from detcheck.scenario.compiled import CompiledScenario

Lanes = dict[LaneRef, list[int]]

#: no name of a scenario has a colon in it
MARK = ":"
TICK = LaneRef("world", f"{MARK}tick", 0)
_PLAYERS = "players"


@dataclass(frozen=True)
class Moment:
    """Where a tick begins: `programs` are the systems (for tick 0 the setup programs), `lanes` and `rng_state` the
    state after the players' rows were set. `table_name` and `lane_name` give a scenario's own names back."""

    compiled: CompiledScenario
    tick: int
    tables: tuple[TableSpec, ...]
    programs: tuple[Program, ...]
    lanes: Lanes
    rng_state: bytes


def moment_of(compiled: CompiledScenario, tick: int, executor: str, stop: Callable[[], bool] | None) -> Moment:
    """The moment that completes `tick` ticks; `executor` gives the state before it. Raises TrapError, Interrupted."""
    if tick == 0:
        lanes = {ref: [0] * table.rows for table in compiled.tables for ref in lanes_of(table)}
        rng_state = rng.make(compiled.rng, compiled.seed).save_state()
    else:
        replay = make_executor(executor, compiled)
        replay.setup(stop)
        if tick > 1:
            replay.advance(tick - 1, stop)
        lanes = {ref: replay.lane(*_lane(ref)) for table in compiled.tables for ref in lanes_of(table)}
        rng_state = replay.rng_state()
        lanes.update(players_at(compiled, tick - 1))
    during = max(0, tick - 1)
    return Moment(
        compiled,
        tick,
        tuple(_table(table) for table in compiled.tables),
        tuple(_program(program) for program in (compiled.systems if tick else compiled.setup)),
        {TICK: [during], **{_ref(ref): cells for ref, cells in lanes.items()}},
        rng_state,
    )


def players_at(compiled: CompiledScenario, during: int) -> Lanes:
    """The players' rows as the script sets them in the tick that begins with `during` ticks completed."""
    image = {ref: [0] * table.rows for table in compiled.tables if table.name == _PLAYERS for ref in lanes_of(table)}
    for ref, row, cell in PlayerScript(compiled).changes(during):
        image[ref][row] = cell
    return image


def lanes_of(table: TableSpec) -> Iterable[LaneRef]:
    """Every lane of a table, in canonical order."""
    for column in table.columns:
        for lane in range(len(column.lane_names)):
            yield LaneRef(table.name, column.name, lane)


def rows_of(moment: Moment) -> dict[str, int]:
    """Rows by table."""
    return {table.name: table.rows for table in moment.tables}


def table_name(name: str) -> str:
    """A table's name as the scenario has it."""
    return name.removeprefix(MARK)


def lane_name(moment: Moment, ref: LaneRef) -> str:
    """`unit.pos.x`, `world.score`, `tick`."""
    if ref == TICK:
        return "tick"
    table = next(table for table in moment.tables if table.name == ref.table)
    column = table.column(ref.column)
    lane = column.lane_names[ref.lane] if column else ""
    return f"{table_name(ref.table)}.{ref.column}{'.' if lane else ''}{lane}"


def lane_type(moment: Moment, ref: LaneRef) -> str:
    """The scalar type of a lane."""
    table = next(table for table in moment.tables if table.name == ref.table)
    column = table.column(ref.column)
    assert column is not None
    return column.lane_type


def _lane(ref: LaneRef) -> tuple[str, str, int]:
    return ref.table, ref.column, ref.lane


def _name(table: str) -> str:
    return MARK + table if table == _PLAYERS else table


def _ref(ref: LaneRef) -> LaneRef:
    return replace(ref, table=_name(ref.table))


def _table(table: TableSpec) -> TableSpec:
    columns = (*table.columns, ColumnSpec(TICK.column, "i32")) if table.name == TICK.table else table.columns
    return TableSpec(_name(table.name), table.rows, columns)


def _program(program: Program) -> Program:
    guard, ops = tuple(map(_op, program.guard)), tuple(map(_op, program.ops))
    return replace(program, table=_name(program.table), guard=guard, ops=ops)


def _op(op: Op) -> Op:
    if op.code == "tick":
        return replace(op, code="world", imm=TICK)
    imm = op.imm
    if isinstance(imm, LaneRef):
        imm = _ref(imm)
    elif isinstance(imm, str):
        imm = _name(imm)
    return replace(op, imm=imm, body=tuple(map(_op, op.body)))
