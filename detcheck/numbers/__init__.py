"""The number backends: one file a backend, exactly to the bit. See the design's math page.

`get(backend_id)` gives the backend, an object with one method per op of the known-answer vectors, on raw cells.
"""

from __future__ import annotations

from importlib import import_module

from detcheck.errors import DetcheckError, visible
from detcheck.numbers.base import Backend

__all__ = ["BACKENDS", "Backend", "get"]

#: every backend's id, in the order that reports use; each is the module of that name in this room
BACKENDS: tuple[str, ...] = ("fixed_point_16_16", "fixed_wrapping_16_16", "float_pinned_32")

_LOADED: dict[str, Backend] = {}


def get(backend_id: str) -> Backend:
    """The backend of that id; an id that is not in BACKENDS is a DetcheckError `backend.unknown`."""
    backend = _LOADED.get(backend_id)
    if backend is not None:
        return backend
    if backend_id not in BACKENDS:
        raise DetcheckError(
            "backend.unknown", f"no backend is called {visible(backend_id)}", hint=f"backends: {', '.join(BACKENDS)}"
        )
    loaded: Backend = import_module(f"detcheck.numbers.{backend_id}").BACKEND
    return _LOADED.setdefault(backend_id, loaded)
