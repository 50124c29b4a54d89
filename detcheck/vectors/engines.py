"""Who answers: each engine runs one op over rows of inputs. The check asks every engine that is there.

A new engine is one function and one line in ENGINES.
"""

from __future__ import annotations

from collections.abc import Callable

from detcheck.numbers import Backend
from detcheck.vectors.answers import Compute, reference_engine

#: backend -> its computing, or None when the engine is not available on this machine or lacks the backend
EngineFactory = Callable[[Backend], Compute | None]


def _generated(backend: Backend) -> Compute:
    from detcheck.vectors.executors import generated_engine

    return generated_engine(backend)


def _native(backend: Backend) -> Compute | None:
    from detcheck.vectors.executors import native_engine

    return native_engine(backend)


#: every engine, by the name of its executor, in the order that reports use
ENGINES: dict[str, EngineFactory] = {"reference": reference_engine, "generated": _generated, "native": _native}


def register(name: str, factory: EngineFactory) -> None:
    """Add an engine, or put another in its place."""
    ENGINES[name] = factory
