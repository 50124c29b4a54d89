"""detcheck: a determinism checker for lockstep and rollback simulations.

The names below are the public, typed API. They are resolved on first use, so that importing the package (and with it
`detcheck --version`) stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from detcheck.version import __version__

if TYPE_CHECKING:
    from detcheck import numbers as numbers
    from detcheck import rng as rng
    from detcheck.compare.api import diff as diff
    from detcheck.engine.replay import replay as replay
    from detcheck.scenario.load import load as load

__all__ = ["__version__", "diff", "load", "numbers", "replay", "rng"]

_LAZY = {
    "diff": ("detcheck.compare.api", "diff"),
    "load": ("detcheck.scenario.load", "load"),
    "numbers": ("detcheck.numbers", None),
    "replay": ("detcheck.engine.replay", "replay"),
    "rng": ("detcheck.rng", None),
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'detcheck' has no attribute {name!r}")
    from importlib import import_module

    module_name, attribute = _LAZY[name]
    module = import_module(module_name)
    return module if attribute is None else getattr(module, attribute)
