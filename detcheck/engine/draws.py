"""The draw ops on the scenario's one generator: one table, a cell from each call (design: math, Portable draws)."""

from __future__ import annotations

from collections.abc import Callable

from detcheck.numbers import Backend
from detcheck.rng import MT19937, Generator


def draw_ops(generator: Generator, backend: Backend) -> dict[str, Callable[..., int]]:
    """op code -> function of the op's cells that takes words from `generator`; a method it lacks is left out.

    `roll` may raise Trap("roll_bounds").
    """
    fixed = backend.number == "q16.16"
    table: dict[str, Callable[..., int]] = {
        "draw.rand_u32": generator.rand_u32,
        "draw.roll": generator.roll,
        "draw.rand_unit": generator.rand_unit_raw if fixed else generator.rand_unit_bits,
    }
    if isinstance(generator, MT19937):
        table["draw.next_int_inclusive"] = generator.next_int_inclusive
        # on a fixed backend next_float is from_f32 of the binary32, so 1.0 can occur
        table["draw.next_float"] = lambda: backend.from_f32(generator.next_float_bits())
    else:
        table["draw.below"] = generator.below
    return table
