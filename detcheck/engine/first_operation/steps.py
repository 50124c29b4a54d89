"""What the reference does in one program, op by op: operands, results, and the lanes and generator an op met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from detcheck.engine.first_operation.moment import Lanes, Moment, rows_of
from detcheck.engine.reference import Walker
from detcheck.engine.state import State
from detcheck.errors import TrapError
from detcheck.language.ir import Op, Program
from detcheck.language.ops import OPS
from detcheck.model.schema import LaneRef

GUARD, STATEMENTS = "guard", "statements"


@dataclass(frozen=True)
class Place:
    """Where an op stands: in `part` at `index`; in the body of the fold there when `folded` is that fold's table."""

    op: Op
    part: str
    index: int
    folded: str | None = None


@dataclass(frozen=True)
class Step:
    """One op over its active rows of `table`.

    operands   cells by source register, one a row; for a fold the cells of its body's result, one a folded row
    results    one a row; empty for an op without a result
    met        the lane the op names, as it met it; `left` is the lane it wrote, as it left it
    trap       why the reference stopped here; then there are no results, and `rows` and `operands` are of that one row
    """

    program: Program
    place: Place
    table: str
    rows: Sequence[int]
    operands: tuple[list[int], ...]
    results: list[int]
    met: list[int]
    left: list[int]
    rng_before: bytes
    rng_after: bytes
    trap: TrapError | None = None

    @property
    def op(self) -> Op:
        """The op."""
        return self.place.op

    @property
    def sparse(self) -> bool:
        """Whether it ran only where a guard let it."""
        place = self.place
        return place.part == STATEMENTS and place.folded is None and self.program.guard_register is not None

    @property
    def writes(self) -> bool:
        """Whether it writes to a lane."""
        return self.op.code == "store" or self.op.code.startswith("scatter.")

    @property
    def folds(self) -> bool:
        """Whether it is a fold."""
        return OPS[self.op.code].group == "fold"

    @property
    def draws(self) -> bool:
        """Whether it takes words from the generator."""
        return OPS[self.op.code].draws

    @property
    def lane(self) -> LaneRef:
        """The lane it names."""
        assert isinstance(self.op.imm, LaneRef)
        return self.op.imm

    def cells(self, row: int) -> tuple[int, ...]:
        """The operands of an active row."""
        at = list(self.rows).index(row)
        return tuple(column[at] for column in self.operands)


def walk(moment: Moment, program: Program, lanes: Lanes, rng_state: bytes) -> list[Step]:
    """Run one program on the plain walk from a state; its steps in order, the last one perhaps a trap."""
    state = State(replace(moment.compiled, tables=moment.tables))
    for ref, cells in lanes.items():
        state.lanes[ref][:] = cells
    state.rng.load_state(rng_state)
    watch = _Watch(program, state, places_of(program, rows_of(moment)))
    try:
        Walker(state, watch.see).run(program, 0)
    except TrapError as trap:
        watch.trapped(trap)
    return watch.steps


def places_of(program: Program, rows: Mapping[str, int]) -> Iterator[Place]:
    """Every op in the order in which the plain walk meets it: the body of a fold before the fold, where it has rows."""
    for part, ops in ((GUARD, program.guard), (STATEMENTS, program.ops)):
        for index, op in enumerate(ops):
            if op.body and rows[str(op.imm)]:
                yield from (Place(inner, part, index, str(op.imm)) for inner in op.body)
            yield Place(op, part, index)


@dataclass
class _Watch:
    """Told of every op after it ran; keeps what it needs to tell what the next one met."""

    program: Program
    state: State
    places: Iterator[Place]
    steps: list[Step] = field(default_factory=list)
    results: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # a lane that is written gets a new list here, so that steps may share the old one
        self.lanes: Lanes = {ref: list(cells) for ref, cells in self.state.lanes.items()}
        self.rng_state = self.state.rng.save_state()

    def see(
        self, program: Program, op: Op, rows: Sequence[int], operands: tuple[list[int], ...], results: list[int]
    ) -> None:
        place = next(self.places)
        assert place.op is op
        met, left, before = self._met(op), [], self.rng_state
        if OPS[op.code].draws:
            self.rng_state = self.state.rng.save_state()
        if op.code == "store" or op.code.startswith("scatter."):
            assert isinstance(op.imm, LaneRef)
            left = self.lanes[op.imm] = list(self.state.lanes[op.imm])
        if OPS[op.code].group == "fold":
            operands = tuple(self.results.get(register, []) for register in op.src)
        self.results.update(dict.fromkeys(op.dst, results))
        table = place.folded or program.table
        self.steps.append(Step(program, place, table, rows, operands, results, met, left, before, self.rng_state))

    def trapped(self, trap: TrapError) -> None:
        """The op that was next is the one that trapped."""
        place = next(self.places)
        operands = tuple([cell] for _, cell in trap.operands)
        table = place.folded or self.program.table
        met, rng_state = self._met(place.op), self.rng_state
        self.steps.append(
            Step(self.program, place, table, [trap.row], operands, [], met, [], rng_state, rng_state, trap)
        )

    def _met(self, op: Op) -> list[int]:
        return self.lanes[op.imm] if isinstance(op.imm, LaneRef) else []
