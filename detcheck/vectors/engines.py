"""Who answers: each engine runs one op over rows of inputs. The check asks every engine that is there.

A new engine is one function and one line in ENGINES.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from detcheck.errors import Trap
from detcheck.numbers import Backend
from detcheck.vectors.ops import OpShape

#: the answers of one row: the results, or None for a trap
Answer = tuple[int, ...] | None

#: (op, rows of inputs) -> an answer a row; None when this engine does not have the op
Compute = Callable[[OpShape, Sequence[tuple[int, ...]]], list[Answer] | None]

#: backend -> its computing, or None when the engine is not available on this machine or lacks the backend
EngineFactory = Callable[[Backend], Compute | None]


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


#: every engine, by the name of its executor, in the order that reports use
ENGINES: dict[str, EngineFactory] = {"reference": reference_engine}


def register(name: str, factory: EngineFactory) -> None:
    """Add an engine, or put another in its place."""
    ENGINES[name] = factory
