"""One list of segments of one program, encoded: places for its registers, then its steps and items."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from detcheck.engine.native_layout import Lane, Place
from detcheck.engine.native_segments import Cutter, Node, Segment
from detcheck.language.ir import Program
from detcheck.language.ops import OPS
from detcheck.model.schema import LaneRef

if TYPE_CHECKING:
    from detcheck.engine.native_plan import Planner

ITEM_UNIFORM, ITEM_DRAW, ITEM_FOLD = range(3)
STEP_WORDS, ITEM_WORDS, SEGMENT_WORDS = 12, 8, 4

#: which FastTrig table an op of float_pinned_32 reads
_TABLE_OF = {
    **dict.fromkeys(("num.sin_angle", "num.cos_angle", "num.sin", "num.cos", "num.sincos_cos"), "sine"),
    **dict.fromkeys(("num.heading", "num.atan2", "num.asin", "num.acos"), "arctangent"),
}

#: ops that keep the 32 bits
_MOVES = frozenset(("u32.from_i32", "i32.from_u32", "i32.from_bool"))

#: lane type -> the kernels that store it: in place, through the active list
_STORES = {"num": ("store.num", "store.at.num"), "bool": ("store.8", "store.at.8")}
_PLAIN_STORE = ("copy", "store.at")

_NOWHERE = Place(0, 0)

#: above the id of every op, so that a guard that trapped lists no row (machine.h: DC_COMPACT_ID)
_COMPACT_ID = (1 << 31) - 1


class Pass:
    """`sparse` runs over the list of active rows, else over all rows; `guard` is the register to list them by."""

    def __init__(
        self, planner: Planner, program: Program, nodes: Sequence[Node], sparse: bool, guard: int | None = None
    ) -> None:
        self.planner = planner
        self.layout = planner.layout
        self.types = program.types
        self.rows = planner.layout.rows[program.table]
        self.sparse = sparse
        self.guard = guard
        self.cut = Cutter(nodes, self._in_place)
        self.last_segment = {
            register: s
            for s, segment in enumerate(self.cut.segments)
            for node in (*segment.items, *segment.steps)
            for register in node.op.src
        }
        if guard is not None:
            self.last_segment[guard] = len(self.cut.segments) - 1
        folded = (self.layout.rows[str(node.op.imm)] for node in nodes if node.op.code.startswith("fold."))
        #: lanes of a uniform register that are read: a block of the own table, or of a folded one
        self.fill = min(self.layout.lanes, max((self.rows, *folded)))
        self.uniforms = 0
        self.free_columns: list[int] = []
        self.column_of: dict[int, int] = {}
        self.places = self._fixed_places(nodes)

    def _in_place(self, lane: LaneRef) -> bool:
        return not self.sparse and self.layout.lane[lane].kind != "bool"

    def _fixed_places(self, nodes: Sequence[Node]) -> dict[int, Place]:
        """Registers that are no block register: constants, uniform ones, row numbers, lanes read in place."""
        listed = Place(self.planner.active if self.sparse else self.planner.iota, 4)
        places = dict.fromkeys(self.cut.rows, listed)
        places.update({register: self.layout.lane[lane].place for register, lane in self.cut.aliases.items()})
        for node in nodes:
            for inner in (*node.body, node):
                places.update(self._once(inner))
        return places

    def _once(self, node: Node) -> dict[int, Place]:
        if node.op.code == "const":
            assert isinstance(node.op.imm, int)
            return {node.op.dst[0]: self.layout.constant(node.op.imm)}
        if node.folded is None:
            return {register: self._new_uniform() for register in node.op.dst if register in self.cut.uniform}
        if node.op.code in ("tick", "world"):
            return {node.op.dst[0]: self._new_uniform()}
        if node.op.code == "load" and self._lane(node).kind != "bool":
            return {node.op.dst[0]: self._lane(node).place}
        return {}

    def _new_uniform(self) -> Place:
        self.uniforms += 1
        return self.planner.uniform(self.uniforms - 1)

    def _lane(self, node: Node) -> Lane:
        assert isinstance(node.op.imm, LaneRef)
        return self.layout.lane[node.op.imm]

    def emit(self) -> tuple[int, int]:
        """Encode all segments. Gives (number of the first, how many)."""
        arrays = self.planner.arrays
        start = len(arrays.segments) // SEGMENT_WORDS
        rows = array("i")
        for s, segment in enumerate(self.cut.segments):
            items = array("i")
            for node in segment.items:
                items.extend(self._items(node))
            first = self._next_step
            self._steps(segment.steps, keep=self._spill(segment, s))
            if self.guard is not None and s + 1 == len(self.cut.segments):
                self._write("compact", _COMPACT_ID, 0, 0, _NOWHERE, self.places[self.guard])
            rows.extend((len(arrays.items) // ITEM_WORDS, len(items) // ITEM_WORDS, first, self._next_step - first))
            arrays.items.extend(items)
            self._release_columns(s)
        arrays.segments.extend(rows)
        return start, len(self.cut.segments)

    @property
    def _next_step(self) -> int:
        return len(self.planner.arrays.steps) // STEP_WORDS

    def _spill(self, segment: Segment, s: int) -> set[int]:
        """Registers of the blocks that a later segment reads get a column; so does what the guard lists."""
        kept = set()
        for node in segment.steps:
            for register in node.op.dst:
                if self.last_segment.get(register, s) > s:
                    self.places[register] = self._new_column(register)
                if register == self.guard:
                    kept.add(register)
        return kept

    def _new_column(self, register: int) -> Place:
        column = self.free_columns.pop() if self.free_columns else len(self.column_of)
        self.column_of[register] = column
        return self.planner.column(column, self.rows)

    def _release_columns(self, s: int) -> None:
        for register in [r for r in self.column_of if self.last_segment.get(r, s) <= s]:
            self.free_columns.append(self.column_of.pop(register))

    # Items

    def _items(self, node: Node) -> list[int]:
        code = node.op.code
        if OPS[code].draws:
            self.places[node.op.dst[0]] = self._new_column(node.op.dst[0])
            return self._single(ITEM_DRAW, node)
        if code.startswith("fold."):
            return self._fold(node)
        return self._single(ITEM_UNIFORM, node)

    def _single(self, kind: int, node: Node) -> list[int]:
        step = self._next_step
        self._step(node)
        return [kind, self.fill, step, 1, 0, 0, node.id, 0]

    def _fold(self, node: Node) -> list[int]:
        """What its body needs once, the fold, then its results into every lane."""
        items: list[int] = []
        body = []
        for inner in node.body:
            if inner.op.code in ("tick", "world"):
                items.extend(self._single(ITEM_UNIFORM, inner))
            elif inner.op.code != "const" and inner.op.dst[0] not in self.places:
                body.append(inner)
        step = self._next_step
        self._steps(body, keep=set(node.op.src))
        body_count = self._next_step - step
        how = node.op.code.removeprefix("fold.")
        reduce = self._next_step
        accumulators = [self.planner.accumulator(i) for i in range(len(node.op.dst))]
        for register, source, place in zip(node.op.dst, node.op.src, accumulators, strict=True):
            kind = {"angle": "u32"}.get(self.types[register], self.types[register])
            name = "fold.count" if how == "count" else f"fold.{how}.{kind}"
            self._write(name, node.id, 0, 0, place, self.places[source])
        rows = self.layout.rows[str(node.op.imm)]
        first = int(how in ("min", "max"))
        items.extend((ITEM_FOLD, rows, step, body_count, reduce, len(accumulators), node.id, first))
        for register, place in zip(node.op.dst, accumulators, strict=True):
            items.extend((ITEM_UNIFORM, self.fill, self._next_step, 1, 0, 0, node.id, 0))
            self._write("broadcast", node.id, 0, 0, self.places[register], place)
        return items

    # Steps

    def _steps(self, nodes: Sequence[Node], keep: set[int]) -> None:
        """Steps in order. A register's room is free again after its last reader, never before that reader has written
        its own, so that no op writes where it reads; the room freed last is taken first, since it is in the cache."""
        last = {register: i for i, node in enumerate(nodes) for register in node.op.src}
        free: list[int] = []
        room: dict[int, int] = {}
        most = 0
        for i, node in enumerate(nodes):
            fresh = [register for register in node.op.dst if register not in self.places]
            for register in fresh:
                if not free:
                    free.append(most)
                    most += 1
                room[register] = free.pop()
                self.places[register] = self.planner.register(room[register])
            self._step(node)
            for register in dict.fromkeys((*node.op.src, *fresh)):
                if register in room and last.get(register, i) <= i and register not in keep:
                    free.append(room.pop(register))

    def _step(self, node: Node) -> None:
        op = node.op
        encode = _SPECIAL.get(op.code.partition(".")[0])
        if op.code in _MOVES:
            self._write("copy", node.id, 0, 0, self.places[op.dst[0]], self.places[op.src[0]])
        elif encode is not None:
            encode(self, node)
        else:
            operands = [self.places[register] for register in op.src]
            if self.planner.float and op.code in _TABLE_OF:
                operands += [_NOWHERE] * (2 - len(operands))
                operands.append(self.planner.table(_TABLE_OF[op.code]))
            self._write(op.code, node.id, 0, len(op.src), self.places[op.dst[0]], *operands)

    def _write(self, name: str, op_id: int, aux: int, reported: int, d: Place, *operands: Place) -> None:
        places = (d, *operands, _NOWHERE, _NOWHERE, _NOWHERE)[:4]
        self.planner.arrays.steps.extend(
            (
                *(self.planner.numbers[name], op_id, aux, reported),
                *(word for place in places for word in (place.word, place.stride)),
            )
        )

    def _listed(self) -> Place:
        return Place(self.planner.active, 4)


def _load(run: Pass, node: Node) -> None:
    lane = run._lane(node)
    d = run.places[node.op.dst[0]]
    if run.sparse and node.folded is None:
        name = "load.at.8" if lane.kind == "bool" else "load.at"
        run._write(name, node.id, lane.rows, 0, d, lane.whole, run._listed())
    else:
        run._write("load.8" if lane.kind == "bool" else "copy", node.id, 0, 0, d, lane.place)


def _store(run: Pass, node: Node) -> None:
    lane = run._lane(node)
    value = run.places[node.op.src[0]]
    dense, sparse = _STORES.get(lane.kind, _PLAIN_STORE)
    if run.sparse:
        run._write(sparse, node.id, lane.rows, 0, lane.whole, value, run._listed())
    else:
        run._write(dense, node.id, 0, 0, lane.place, value)


def _gather(run: Pass, node: Node) -> None:
    lane = run._lane(node)
    name = "gather.8" if lane.kind == "bool" else "gather"
    index = run.places[node.op.src[0]]
    run._write(name, node.id, lane.rows, 1, run.places[node.op.dst[0]], index, lane.whole)


def _check_index(run: Pass, node: Node) -> None:
    rows = run.layout.rows[str(node.op.imm)]
    run._write("check_index", node.id, rows, 1, _NOWHERE, run.places[node.op.src[0]])


def _scatter(run: Pass, node: Node) -> None:
    lane = run._lane(node)
    index, value = (run.places[register] for register in node.op.src)
    run._write(node.op.code, node.id, lane.rows, 0, lane.whole, index, value)


def _tick(run: Pass, node: Node) -> None:
    run._write("broadcast", node.id, 0, 0, run.places[node.op.dst[0]], Place(run.planner.tick, 0))


def _world(run: Pass, node: Node) -> None:
    lane = run._lane(node)
    name = "broadcast.8" if lane.kind == "bool" else "broadcast"
    run._write(name, node.id, 0, 0, run.places[node.op.dst[0]], lane.whole)


#: first word of an op code -> how its step is written, where it is not the kernel of its own name on its operands
_SPECIAL: Mapping[str, Callable[[Pass, Node], None]] = {
    "load": _load,
    "store": _store,
    "gather": _gather,
    "check_index": _check_index,
    "scatter": _scatter,
    "tick": _tick,
    "world": _world,
}
