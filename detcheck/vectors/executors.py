"""Executors as engines: an op runs as a one-tick scenario over the rows of a file, through language and lowering."""

from __future__ import annotations

from collections.abc import Sequence

from detcheck.engine.executors import make_executor, native_available
from detcheck.errors import TrapError
from detcheck.numbers import Backend
from detcheck.vectors.answers import NOT_ASKED, Answer, reference_engine
from detcheck.vectors.ops import OpShape
from detcheck.vectors.programs import OpProgram, program_of

#: rows of an op that are tried for a trap, a file; a trap ends a whole replay, so that each is a replay of its own
TRAPS_TRIED = 1000


class ExecutorEngine:
    """One executor on one backend. The reference says which rows should trap; those are asked one by one."""

    def __init__(self, executor: str, backend: Backend) -> None:
        self._executor = executor
        self._backend = backend
        self._reference = reference_engine(backend)
        self._programs: dict[str, OpProgram | None] = {}
        self._tried: dict[str, int] = {}

    def __call__(self, shape: OpShape, rows: Sequence[tuple[int, ...]]) -> list[Answer] | None:
        if shape.name not in self._programs:
            self._programs[shape.name] = program_of(shape, self._backend)
        program = self._programs[shape.name]
        return None if program is None else self._answers(program, rows)

    def _answers(self, program: OpProgram, rows: Sequence[tuple[int, ...]]) -> list[Answer]:
        answers: list[Answer] = [NOT_ASKED] * len(rows)
        plain: list[int] = []
        trapping: list[int] = []
        for i, expected in enumerate(self._reference(program.shape, rows)):
            (trapping if expected is None else plain).append(i)
        self._ask(program, rows, plain, answers)
        for i in trapping:
            if not self._may_try(program.shape):
                break
            self._ask(program, rows, [i], answers)
        return answers

    def _ask(
        self, program: OpProgram, rows: Sequence[tuple[int, ...]], asked: list[int], answers: list[Answer]
    ) -> None:
        """Fill in the answers of some rows. The row that traps is the lowest that does, so those before it can run."""
        while asked:
            try:
                results = self._run(program, [rows[i] for i in asked])
            except TrapError as trap:
                answers[asked[trap.row]] = None
                self._ask(program, rows, asked[: trap.row], answers)
                asked = asked[trap.row + 1 :]
                if asked and not self._may_try(program.shape):
                    return
            else:
                for i, answer in zip(asked, results, strict=True):
                    answers[i] = answer
                return

    def _may_try(self, shape: OpShape) -> bool:
        self._tried[shape.name] = self._tried.get(shape.name, 0) + 1
        return self._tried[shape.name] <= TRAPS_TRIED

    def _run(self, program: OpProgram, rows: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        if not rows:
            return []
        executor = make_executor(self._executor, program.on(rows))
        executor.setup()
        executor.advance(1)
        lanes = [executor.lane("out", f"r{i}", 0) for i in range(len(program.shape.results))]
        return list(zip(*lanes, strict=True))


def generated_engine(backend: Backend) -> ExecutorEngine:
    """Straight-line Python generated from the op list."""
    return ExecutorEngine("generated", backend)


def native_engine(backend: Backend) -> ExecutorEngine | None:
    """The C machine, in the loops that this processor runs fastest."""
    return ExecutorEngine("native", backend) if native_available() else None
