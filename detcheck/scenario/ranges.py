"""The ranges of a scenario's whole-run settings, for the loader and for what overrides them."""

from __future__ import annotations

from detcheck.errors import DetcheckError
from detcheck.model.schema import RngSpec

#: rows and ticks fit in i32, so that `row`, `rows` and `tick` do
I32_MAX = (1 << 31) - 1

TICK_RATE_MAX = 65535

#: seeds by generator: mt19937's initialiser takes one 32-bit word
SEED_MAX = {"mt19937": (1 << 32) - 1, "splitmix64": (1 << 64) - 1}

#: rows x lanes over all tables: bounds a replay's memory
CELLS_MAX = 1 << 26


def check_seed(rng: RngSpec, seed: int) -> None:
    """Raise DetcheckError unless the generator can take this seed."""
    high = SEED_MAX[rng.kind]
    if not 0 <= seed <= high:
        raise DetcheckError("scenario.range", f"seed is {seed}, {rng.kind} takes 0 .. {high}")


def check_ticks(ticks: int) -> None:
    """Raise DetcheckError unless this is a number of ticks."""
    if not 0 <= ticks <= I32_MAX:
        raise DetcheckError("scenario.range", f"ticks is {ticks}, it has to be 0 .. {I32_MAX}")
