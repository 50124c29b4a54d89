"""What was found, in the words and forms people read: an OperationFault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from detcheck import numbers
from detcheck.engine.first_operation.alone import Difference, Result
from detcheck.engine.first_operation.bench import lane_of_type
from detcheck.engine.first_operation.in_place import Unlike
from detcheck.engine.first_operation.moment import Moment, lane_name, lane_type, table_name
from detcheck.engine.first_operation.suspect import Stopped
from detcheck.engine.traps import operand_names
from detcheck.hashing import digest64
from detcheck.language.ir import Op, Program
from detcheck.language.ops import OPS, TRAPS
from detcheck.model.operation import OperationFault, OperationValue
from detcheck.model.schema import LaneRef


@dataclass(frozen=True)
class Namer:
    """Makes faults of one moment; `judge` and `suspect` are the executors' names."""

    moment: Moment
    judge: str
    suspect: str

    def of_op(self, found: Difference, how: str) -> OperationFault:
        """An op that differs."""
        step = found.step
        kind = lane_of_type(self.moment, step) if step.op.dst or step.writes else ""
        name = lane_name(self.moment, found.lane) if found.lane else "accumulator" if step.folds else "result"
        fault = OperationFault(
            self.moment.tick,
            step.program.name,
            step.op.code,
            table_name(found.table),
            found.row,
            tuple(self._operands(found)),
            self._result(name, kind, found.expected),
            self._result(name, kind, found.actual),
            self.judge,
            self.suspect,
            how,
        )
        return _placed(fault, step.program, step.op)

    def of_state(self, found: Unlike, program: Program, how: str) -> OperationFault:
        """A cell of the state that differs after some part of a program."""
        kind = lane_type(self.moment, found.lane) if found.lane else ""
        name = lane_name(self.moment, found.lane) if found.lane else "generator"
        fault = OperationFault(
            self.moment.tick,
            program.name,
            found.op.code if found.op else "",
            table_name(found.lane.table if found.lane else program.table),
            found.row,
            (),
            self._result(name, kind, found.expected),
            self._result(name, kind, found.actual),
            self.judge,
            self.suspect,
            how,
        )
        return fault if found.op is None else _placed(fault, program, found.op)

    def of_inputs(self, lane: LaneRef, row: int, expected: int, actual: int) -> OperationFault:
        """A cell of the players' rows (names as in the scenario) that the script did not put there."""
        column = next(t for t in self.moment.compiled.tables if t.name == lane.table).column(lane.column)
        assert column is not None
        name = ".".join(filter(None, (lane.table, lane.column, column.lane_names[lane.lane])))
        a, b = (self.value(name, column.lane_type, cell) for cell in (expected, actual))
        return OperationFault(self.moment.tick, "", "", lane.table, row, (), a, b, self.judge, self.suspect, "inputs")

    def _operands(self, found: Difference) -> Iterator[OperationValue]:
        step = found.step
        op, types = step.op, step.program.types
        if step.folds:
            kinds = [types[op.dst[0]], types[op.src[0]]][-len(found.operands) :] if found.operands else []
            names: tuple[str, ...] = ("accumulator", "value")[-len(kinds) :]
        else:
            kinds = [types[register] for register in op.src]
            names = operand_names(op)
        for name, kind, cell in zip(names, kinds, found.operands, strict=False):
            yield self.value(name, kind, cell)
        yield from self._met(found)

    def _met(self, found: Difference) -> Iterator[OperationValue]:
        """What an op takes that is no register: a constant, a cell of a lane, the generator."""
        step = found.step
        op = step.op
        if op.code == "const" and isinstance(op.imm, int):
            yield self.value("constant", step.program.types[op.dst[0]], op.imm)
        elif isinstance(op.imm, LaneRef) and op.code != "store" and found.row is not None:
            row = 0 if op.code == "world" else found.row
            if op.code.startswith("gather."):
                row = found.operands[0]
            if 0 <= row < len(step.met):
                name = f"{lane_name(self.moment, op.imm)}[{row}]"
                yield self.value(name, lane_type(self.moment, op.imm), step.met[row])
        elif OPS[op.code].draws:
            yield OperationValue("generator", "generator", None, "before the first row", digest64(step.rng_before))

    def _result(self, name: str, kind: str, result: Result) -> OperationValue:
        if isinstance(result, Stopped):
            return OperationValue(name, "trap", None, f"trap: {TRAPS.get(result.reason, result.reason)}", "")
        if isinstance(result, bytes):
            return OperationValue("generator", "generator", None, "after the last row", digest64(result))
        if result is None:
            return OperationValue(name, "trap", None, "no trap", "")
        return self.value(name, kind, result)

    def value(self, name: str, kind: str, cell: int) -> OperationValue:
        """A cell as raw, decimal and bits."""
        if kind == "bool":
            return OperationValue(name, kind, cell, "true" if cell else "false", str(cell))
        backend = numbers.get(self.moment.compiled.backend)
        decimal = backend.decimal(cell) if kind == "num" else str(cell)
        return OperationValue(name, kind, cell, decimal, f"{cell & 0xFFFFFFFF:08x}")


def _placed(fault: OperationFault, program: Program, op: Op) -> OperationFault:
    source = program.lines.get(op.line)
    return replace(fault, file=program.file, line=op.line, column=op.column, source=source)
