"""Cutting a program's op list into segments that may run block after block (the native executor's first step).

The reference runs one op over all rows before the next op. Running all ops over one block of rows first gives the same
state unless an op reads what another row wrote in the same segment; there a new segment begins. What is the same for
every row (constants, the tick, world's cells, folds, and ops on them alone) and draws run once before the blocks, in
list order, so that the order of draws is the list's. Draws are hoisted only where their bounds do not depend on a row.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from detcheck.language.ir import Op
from detcheck.language.ops import OPS
from detcheck.model.schema import LaneRef

#: draws hoisted before the blocks of one segment: each holds a column as long as the segment runs
DRAWS_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Node:
    """An op and its number: ops are numbered in order, a fold's body before the fold. `folded` is the table whose fold
    this op is the body of."""

    op: Op
    id: int
    body: tuple["Node", ...] = ()
    folded: str | None = None


@dataclass
class Segment:
    """`items` run once (uniform ops, draws, folds), then `steps` block after block."""

    items: list[Node] = field(default_factory=list)
    steps: list[Node] = field(default_factory=list)
    loaded: set[LaneRef] = field(default_factory=set)
    gathered: set[LaneRef] = field(default_factory=set)
    stored: set[LaneRef] = field(default_factory=set)
    scattered: set[LaneRef] = field(default_factory=set)
    draws: int = 0


def number(ops: Sequence[Op], first: int = 0) -> tuple[Node, ...]:
    """The ops with their numbers, from `first`."""
    nodes = []
    for op in ops:
        body = []
        for inner in op.body:
            body.append(Node(inner, first, (), str(op.imm)))
            first += 1
        nodes.append(Node(op, first, tuple(body)))
        first += 1
    return tuple(nodes)


def every_node(nodes: Sequence[Node]) -> Iterator[Node]:
    """Bodies and ops, by number."""
    for node in nodes:
        yield from node.body
        yield node


class Cutter:
    """Walks a program's ops once. After it: `segments`, `uniform` registers, `rows` (registers that hold row numbers)
    and `aliases` (register -> the lane it may be read from in place, since nothing writes that lane before the
    register's last use). `in_place` tells whether a lane could be read without a load at all."""

    def __init__(self, nodes: Sequence[Node], in_place: Callable[[LaneRef], bool]) -> None:
        self.segments = [Segment()]
        self.uniform: set[int] = set()
        self.rows: set[int] = set()
        self.aliases: dict[int, LaneRef] = {}
        self._in_place = in_place
        self._last_use = {register: i for i, node in enumerate(nodes) for register in _reads(node)}
        self._writes: dict[LaneRef, list[int]] = {}
        for i, node in enumerate(nodes):
            if node.op.code == "store" or node.op.code.startswith("scatter."):
                self._writes.setdefault(_lane(node), []).append(i)
        for i, node in enumerate(nodes):
            self._place(i, node)

    def _place(self, i: int, node: Node) -> None:
        code = node.op.code
        if OPS[code].draws:
            self._draw(node)
        elif code == "load":
            self._load(i, node)
        elif code == "store":
            self._step(node, self._now.gathered | self._now.scattered).stored.add(_lane(node))
        elif code.startswith("scatter."):
            touched = self._now.loaded | self._now.gathered | self._now.stored | self._alias_reads(node)
            self._step(node, touched).scattered.add(_lane(node))
        elif code == "const":
            self.uniform.update(node.op.dst)
        elif code.startswith("fold.") or code in ("tick", "world"):
            self._item(node, _lanes_read(node))
        elif code == "row":
            self.rows.update(node.op.dst)
        elif all(register in self.uniform for register in node.op.src):
            self._item(node, _lanes_read(node))
        else:
            self._compute(node)

    @property
    def _now(self) -> Segment:
        return self.segments[-1]

    def _next(self) -> None:
        self.segments.append(Segment())

    def _item(self, node: Node, lanes: set[LaneRef]) -> None:
        """What is the same for every row: once, before the blocks, so not after a write of this segment."""
        if lanes & (self._now.stored | self._now.scattered):
            self._next()
        self._now.items.append(node)
        self.uniform.update(node.op.dst)

    def _draw(self, node: Node) -> None:
        same_bounds = all(register in self.uniform for register in node.op.src)
        if (self._now.steps and not same_bounds) or self._now.draws >= DRAWS_AT_ONCE:
            self._next()
        self._now.items.append(node)
        self._now.draws += 1

    def _step(self, node: Node, hazards: set[LaneRef]) -> Segment:
        """An op of the blocks; a new segment when its lane is among the hazards."""
        if isinstance(node.op.imm, LaneRef) and node.op.imm in hazards:
            self._next()
        reads = self._alias_reads(node)
        if reads & self._now.scattered:
            self._next()
        self._now.steps.append(node)
        self._now.loaded |= reads
        return self._now

    def _load(self, i: int, node: Node) -> None:
        (register,) = node.op.dst
        lane = _lane(node)
        last = self._last_use.get(register, i)
        writes = self._writes.get(lane, [])
        following = bisect_right(writes, i)
        if self._in_place(lane) and (following == len(writes) or writes[following] > last):
            self.aliases[register] = lane
            return
        self._step(node, self._now.scattered).loaded.add(lane)

    def _compute(self, node: Node) -> None:
        if node.op.code.startswith("gather."):
            self._step(node, self._now.stored | self._now.scattered).gathered.add(_lane(node))
        else:
            self._step(node, set())

    def _alias_reads(self, node: Node) -> set[LaneRef]:
        return {self.aliases[register] for register in node.op.src if register in self.aliases}


def _lane(node: Node) -> LaneRef:
    assert isinstance(node.op.imm, LaneRef)
    return node.op.imm


def _lanes_read(node: Node) -> set[LaneRef]:
    """Lanes an item reads: its own, and those of a fold's body."""
    return {inner.op.imm for inner in (node, *node.body) if isinstance(inner.op.imm, LaneRef)}


def _reads(node: Node) -> Iterator[int]:
    for inner in node.body:
        yield from inner.op.src
    yield from node.op.src
