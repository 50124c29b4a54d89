"""What an engine answers, and the reference's answers: the executable specification, a row at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from detcheck.errors import Trap
from detcheck.numbers import Backend
from detcheck.vectors.ops import OpShape

#: the answers of one row: the results, None for a trap, NOT_ASKED where an engine left the row out
Answer = tuple[int, ...] | None

NOT_ASKED: Final[tuple[int, ...]] = ()

#: (op, rows of inputs) -> an answer a row; None when this engine does not have the op
Compute = Callable[[OpShape, Sequence[tuple[int, ...]]], list[Answer] | None]


def reference_engine(backend: Backend) -> Callable[[OpShape, Sequence[tuple[int, ...]]], list[Answer]]:
    """The executable specification: the backend's own methods, a row at a time."""

    def compute(shape: OpShape, rows: Sequence[tuple[int, ...]]) -> list[Answer]:
        method = getattr(backend, shape.name)
        single = len(shape.results) == 1
        answers: list[Answer] = []
        for row in rows:
            try:
                result = method(*row)
            except Trap:
                answers.append(None)
            else:
                answers.append((result,) if single else result)
        return answers

    return compute
