"""Cutting a program into spans of ops that may run row by row, all ops of a row before the next row's.

The op list says: one op over all rows, then the next. Running a span row by row gives the same only if no row can see
or disturb another's: no lane is both written and read at other rows, and no two draws stand in one span. Where a trap
stands first is not looked at here: the executor that runs spans lets the plain walk say it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from detcheck.language.ir import Op
from detcheck.language.ops import OPS
from detcheck.model.schema import LaneRef

#: ops whose result is the same wherever it is computed again, so that it need not be kept between spans
ANYWHERE = ("const", "row", "tick")


@dataclass
class Span:
    """Ops that run row by row. `folds` are computed before the first row; what they read the span has not written."""

    ops: list[Op] = field(default_factory=list)
    folds: list[Op] = field(default_factory=list)
    #: lanes by how the span touches them
    loads: set[LaneRef] = field(default_factory=set)
    gathers: set[LaneRef] = field(default_factory=set)
    stores: set[LaneRef] = field(default_factory=set)
    scatters: set[LaneRef] = field(default_factory=set)
    draws: bool = False

    @property
    def written(self) -> set[LaneRef]:
        """Lanes that some op of the span writes."""
        return self.stores | self.scatters


def cut(ops: Sequence[Op], one_row: bool) -> list[Span]:
    """The spans of a list, in order. With `one_row` there is no other row, so that all but folds goes into one."""
    spans = [Span()]
    for op in ops:
        if _conflicts(spans[-1], op, one_row):
            spans.append(Span())
        _add(spans[-1], op)
    return spans


def fold_reads(op: Op) -> Iterator[LaneRef]:
    """The lanes that a fold's body reads."""
    return (inner.imm for inner in op.body if isinstance(inner.imm, LaneRef))


def _conflicts(span: Span, op: Op, one_row: bool) -> bool:
    if OPS[op.code].group == "fold":
        return any(ref in span.written for ref in fold_reads(op))
    if one_row:
        return False
    if OPS[op.code].draws:
        return span.draws
    ref = op.imm
    if not isinstance(ref, LaneRef):
        return False
    if op.code == "load":
        return ref in span.scatters
    if op.code == "store":
        return ref in span.gathers or ref in span.scatters
    if op.code.startswith("scatter."):
        return ref in span.loads or ref in span.gathers or ref in span.stores
    return ref in span.written  # gather, world


def _add(span: Span, op: Op) -> None:
    if OPS[op.code].group == "fold":
        span.folds.append(op)
        return
    span.ops.append(op)
    span.draws = span.draws or OPS[op.code].draws
    if isinstance(op.imm, LaneRef):
        kind = {"load": span.loads, "store": span.stores}.get(op.code)
        if kind is None:
            kind = span.scatters if op.code.startswith("scatter.") else span.gathers
        kind.add(op.imm)
