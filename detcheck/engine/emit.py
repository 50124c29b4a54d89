"""From a lowered program to the text of one Python function that runs it: straight lines, a loop for each span.

The text is made of our own templates and of numbers only; no name or text of a scenario's file enters it.
Registers are `v<n>`, lanes `c<n>`, values kept between spans `s<n>`, the active rows `rows`, the row `r`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from detcheck.engine.carriers import Plain
from detcheck.engine.segments import ANYWHERE, Span, cut
from detcheck.engine.templates import CLAMPED
from detcheck.language.ir import Op, Program
from detcheck.language.ops import OPS
from detcheck.model.schema import LaneRef, TableSpec

_STEP = "    "

#: integers and conditions stand as they are
PLAIN = Plain()


class Emitter:
    """Writes one program.

    `templates` are the ops written out, `carrier` how a num is carried, `lane` gives a lane's name in the text;
    `ordered` says whether two num cells are bounds that clamp takes.
    """

    def __init__(
        self,
        program: Program,
        templates: Mapping[str, str],
        carrier: Plain,
        tables: Sequence[TableSpec],
        lane: Callable[[LaneRef], str],
        ordered: Callable[[int, int], bool],
    ) -> None:
        self.program = program
        self.templates = templates
        self.carrier = carrier
        self.rows = {table.name: table.rows for table in tables}
        self.lane_types = {
            LaneRef(table.name, column.name, lane_number): column.lane_type
            for table in tables
            for column in table.columns
            for lane_number in range(len(column.lane_names))
        }
        self.lane = lane
        self.ordered = ordered
        self.lines: list[str] = []
        self.names: dict[int, str] = {}
        self.cells: dict[int, int] = {}  # registers that are constants
        self.in_body = False
        # in a span over several rows, what a lane's cell of this row is known to be, and what is still to be stored:
        # no op of such a span looks at another row of a lane the span stores to
        self.several = False
        self.known: dict[LaneRef, str] = {}
        self.pending: dict[LaneRef, str] = {}

    def function(self, name: str) -> str:
        """The text of `def <name>(tick)`: the whole program at one tick."""
        own_rows = self.rows[self.program.table]
        self._line(0, f"def {name}(tick):")
        self._line(1, f"rows = range({own_rows})")
        if own_rows:
            if self.program.guard_register is not None:
                self._guard(self.program.guard_register)
            self.several = own_rows > 1
            self._statements()
        return "\n".join(self.lines) + "\n"

    def _line(self, depth: int, text: str) -> None:
        self.lines.append(_STEP * depth + text)

    # The guard and the statements.

    def _guard(self, register: int) -> None:
        for op in self.program.guard:
            if OPS[op.code].group == "fold":
                self._fold(op)
        self._line(1, "active = []")
        self._line(1, "for r in rows:")
        for op in self.program.guard:
            if OPS[op.code].group != "fold":
                self._op(2, op)
        self._line(2, f"if {self.names[register]}: active.append(r)")
        self._line(1, "rows = active")
        self._line(1, "if not rows: return")

    def _statements(self) -> None:
        spans = cut(self.program.ops, not self.several)
        made_in = {register: index for index, span in enumerate(spans) for op in span.ops for register in op.dst}
        kept: dict[int, int] = {}  # register -> the last span that needs it, when that is not the one that makes it
        rematerialised = {r for span in spans for op in span.ops if op.code in ANYWHERE for r in op.dst}
        for index, span in enumerate(spans):
            for op in span.ops:
                for register in op.src:
                    if made_in.get(register, index) != index and register not in rematerialised:
                        kept[register] = index
        for index, span in enumerate(spans):
            self._span(index, span, made_in, kept)

    def _span(self, index: int, span: Span, made_in: dict[int, int], kept: dict[int, int]) -> None:
        for op in span.folds:
            self._fold(op)
        if not span.ops:
            return
        used = {register for op in span.ops for register in op.src}
        taken = sorted(r for r in used if r in kept and made_in[r] < index)
        given = sorted(r for r in kept if made_in[r] == index)
        for register in given:
            self._line(1, f"s{register} = []")
        sources = [("r", "rows"), *((f"v{register}", f"s{register}") for register in taken)]
        self.names.update({register: f"v{register}" for register in taken})
        self.known, self.pending = {}, {}
        if self.several:
            sources += self._first_loads(span)
        names, columns = (", ".join(side) for side in zip(*sources, strict=True))
        self._line(1, f"for {names} in zip({columns}):" if len(sources) > 1 else "for r in rows:")
        start = len(self.lines)
        for op in span.ops:
            self._op(2, op)
        for ref, value in self.pending.items():
            self._line(2, f"{self.lane(ref)}[r] = {value}")
        for register in given:
            self._line(2, f"s{register}.append({self.names[register]})")
        if len(self.lines) == start:
            self._line(2, "pass")

    def _first_loads(self, span: Span) -> list[tuple[str, str]]:
        """Lanes that the loop itself can bring along, when it goes over all rows: (name of a row's cell, column)."""
        if self.program.guard_register is not None:
            return []
        brought = []
        for ref in dict.fromkeys(op.imm for op in span.ops if op.code == "load"):
            assert isinstance(ref, LaneRef)
            self.known[ref] = f"x{self.lane(ref)}"
            brought.append((self.known[ref], self.lane(ref)))
        return brought

    # One op.

    def _op(self, depth: int, op: Op) -> None:
        group = OPS[op.code].group
        if group == "state":
            _STATE[op.code](self, depth, op)
        elif group == "draw":
            self._called(depth, op, self._operands(op))
        else:
            self._scalar(depth, op)

    def _operands(self, op: Op) -> list[str]:
        return [self.names[register] for register in op.src]

    def _assign(self, depth: int, op: Op, expression: str) -> None:
        register = op.dst[0]
        self.names[register] = f"v{register}"
        self._line(depth, f"v{register} = {expression}")

    def _is_num(self, register: int) -> bool:
        return self.program.types[register] == "num"

    def _scalar(self, depth: int, op: Op) -> None:
        template = CLAMPED if self._bounds_are_known(op) else self.templates.get(op.code)
        operands = self._operands(op)
        if template is None:
            self._called(depth, op, operands)
        elif template.startswith("?"):
            self._line(depth, f"f[0] = {template[1:].format(*operands)}")
            self._assign(depth, op, "f[0]")
        else:
            self._assign(depth, op, template.format(*operands))

    def _bounds_are_known(self, op: Op) -> bool:
        """Whether this is a clamp between two constants that are right bounds: then nothing is left to check."""
        if not op.code.endswith(".clamp") or op.src[1] not in self.cells or op.src[2] not in self.cells:
            return False
        low, high = self.cells[op.src[1]], self.cells[op.src[2]]
        return self.ordered(low, high) if op.code == "num.clamp" else low <= high

    def _called(self, depth: int, op: Op, operands: list[str]) -> None:
        """A call of the backend's or generator's own method, on cells."""
        arguments = []
        for position, (register, name) in enumerate(zip(op.src, operands, strict=True)):
            before, argument = self.carrier.argument(position, name) if self._is_num(register) else ("", name)
            if before:
                self._line(depth, before)
            arguments.append(argument)
        call = f"{function_name(op.code)}({', '.join(arguments)})"
        before, result = self.carrier.result(call) if self._is_num(op.dst[0]) else ("", call)
        if before:
            self._line(depth, before)
        self._assign(depth, op, result)

    def _const(self, depth: int, op: Op) -> None:
        assert isinstance(op.imm, int)
        register = op.dst[0]
        self.cells[register] = op.imm
        self.names[register] = self._constant(register, op.imm)

    def _constant(self, register: int, cell: int) -> str:
        return self.carrier.constant(cell) if self._is_num(register) else PLAIN.constant(cell)

    def _row(self, depth: int, op: Op) -> None:
        self.names[op.dst[0]] = "e" if self.in_body else "r"

    def _tick(self, depth: int, op: Op) -> None:
        self.names[op.dst[0]] = "tick"

    def _load(self, depth: int, op: Op) -> None:
        assert isinstance(op.imm, LaneRef)
        if self.several and op.imm in self.known and not self.in_body:
            self.names[op.dst[0]] = self.known[op.imm]
            return
        self._assign(depth, op, f"{self._lane(op)}[{'e' if self.in_body else 'r'}]")
        if self.several and not self.in_body:
            self.known[op.imm] = self.names[op.dst[0]]

    def _world(self, depth: int, op: Op) -> None:
        self._assign(depth, op, f"{self._lane(op)}[0]")

    def _lane(self, op: Op) -> str:
        assert isinstance(op.imm, LaneRef)
        return self.lane(op.imm)

    def _check(self, depth: int, index: str, table: str) -> None:
        self._line(depth, f"if not 0 <= {index} < {self.rows[table]}: stop()")

    def _gather(self, depth: int, op: Op) -> None:
        assert isinstance(op.imm, LaneRef)
        (index,) = self._operands(op)
        self._check(depth, index, op.imm.table)
        self._assign(depth, op, f"{self._lane(op)}[{index}]" if self.rows[op.imm.table] else "stop()")

    def _check_index(self, depth: int, op: Op) -> None:
        assert isinstance(op.imm, str)
        self._check(depth, self._operands(op)[0], op.imm)

    def _store(self, depth: int, op: Op) -> None:
        assert isinstance(op.imm, LaneRef)
        (value,) = self._operands(op)
        # a condition is carried as Python's own True and False; a column holds 0 and 1
        is_bool = self.program.types[op.src[0]] == "bool"
        stored = f"1 if {value} else 0" if is_bool else value
        if self.several:
            self.known[op.imm], self.pending[op.imm] = value, stored
        else:
            self._line(depth, f"{self._lane(op)}[r] = {stored}")

    def _scatter(self, depth: int, op: Op) -> None:
        assert isinstance(op.imm, LaneRef)
        index, value = self._operands(op)
        lane = self._lane(op)
        code = f"{self.lane_types[op.imm]}.{op.code.removeprefix('scatter.')}"
        self._line(depth, f"{lane}[{index}] = {self.templates[code].format(f'{lane}[{index}]', value)}")

    # Folds.

    def _fold(self, op: Op) -> None:
        """Before the loop over the rows: `v<dst>` is the fold's value for all of them."""
        assert isinstance(op.imm, str)
        how = op.code.removeprefix("fold.")
        rows = self.rows[op.imm]
        register = op.dst[0]
        self.names[register] = f"v{register}"
        first = how in ("min", "max")
        if rows == 0:
            self._line(1, "stop()" if first else f"v{register} = {self._constant(register, 0)}")
            return
        self._line(1, f"v{register} = {'None' if first else self._constant(register, 0)}")
        self._line(1, f"for e in range({rows}):")
        self.in_body = True
        for inner in op.body:
            self._op(2, inner)
        self.in_body = False
        value = self.names[op.src[0]]
        if how == "count":
            self._line(2, f"if {value}: v{register} += 1")
            return
        depth = 2
        if first:
            self._line(2, f"if v{register} is None: v{register} = {value}")
            self._line(2, "else:")
            depth = 3
        kind = self.program.types[register]
        combine = Op(f"{kind}.{'add' if how == 'sum' else how}", (register,), (register, op.src[0]))
        self._scalar(depth, combine)


_STATE: dict[str, Callable[[Emitter, int, Op], None]] = {
    "const": Emitter._const,
    "row": Emitter._row,
    "tick": Emitter._tick,
    "load": Emitter._load,
    "world": Emitter._world,
    "gather.i32": Emitter._gather,
    "gather.u32": Emitter._gather,
    "check_index.i32": Emitter._check_index,
    "check_index.u32": Emitter._check_index,
    "store": Emitter._store,
    "scatter.add": Emitter._scatter,
    "scatter.sub": Emitter._scatter,
}


def function_name(code: str) -> str:
    """The name under which an op's function stands in the text's namespace."""
    return code.replace(".", "_")
