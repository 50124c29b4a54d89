"""The pinned generators, one a file: the same words, saved states and draws on every platform.

Distributions of a standard library or of numpy are never used: every bounded draw is spelt out here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from detcheck.errors import DetcheckError, visible
from detcheck.rng.distances import distance
from detcheck.rng.mt19937 import MT19937
from detcheck.rng.splitmix64 import SplitMix64

if TYPE_CHECKING:
    from detcheck.model.schema import RngSpec

__all__ = ["GENERATORS", "MT19937", "Generator", "SplitMix64", "distance", "make"]

Generator = MT19937 | SplitMix64


def _mt19937(spec: RngSpec, seed: int) -> Generator:
    return MT19937(seed, 53 if spec.x87_precision is None else spec.x87_precision)


def _splitmix64(spec: RngSpec, seed: int) -> Generator:
    return SplitMix64(seed)


#: every generator, by kind
GENERATORS: dict[str, Callable[[RngSpec, int], Generator]] = {"mt19937": _mt19937, "splitmix64": _splitmix64}


def make(spec: RngSpec, seed_u64: int) -> Generator:
    """A fresh generator. A seed out of range is a DetcheckError `rng.seed`, an unknown kind `rng.kind`."""
    maker = GENERATORS.get(spec.kind)
    if maker is None:
        raise DetcheckError(
            "rng.kind", f"no generator is called {visible(spec.kind)}", hint=f"generators: {', '.join(GENERATORS)}"
        )
    return maker(spec, seed_u64)
