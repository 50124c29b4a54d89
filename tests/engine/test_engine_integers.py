"""Integer, boolean and select ops on cells: wrapping, flooring, shifts, edges, by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from detcheck import numbers
from detcheck.engine.integers import INTEGER_OPS, to_i32, to_u32
from detcheck.engine.scalars import scalar_ops
from detcheck.errors import Trap
from detcheck.language.ops import OPS

TOP, LEAST, ALL = 0x7FFFFFFF, -0x80000000, 0xFFFFFFFF

CASES: list[tuple[str, tuple[int, ...], int]] = [
    ("i32.add", (TOP, 1), LEAST),
    ("i32.sub", (LEAST, 1), TOP),
    ("i32.mul", (65536, 65536), 0),
    ("i32.mul", (0x10001, 0x10001), 0x20001),
    ("i32.mul", (LEAST, -1), LEAST),
    ("i32.neg", (LEAST,), LEAST),
    ("i32.abs", (LEAST,), LEAST),
    ("i32.abs", (-7,), 7),
    ("i32.not", (0,), -1),
    ("i32.floordiv", (-7, 2), -4),
    ("i32.floordiv", (7, -2), -4),
    ("i32.floordiv", (LEAST, -1), LEAST),
    ("i32.mod", (-7, 2), 1),
    ("i32.mod", (7, -2), -1),
    ("i32.mod", (LEAST, -1), 0),
    ("i32.mod", (5, LEAST), LEAST + 5),
    ("i32.and", (-1, 0x0F0F), 0x0F0F),
    ("i32.or", (LEAST, 1), LEAST + 1),
    ("i32.xor", (-1, 1), -2),
    ("i32.shl", (1, 31), LEAST),
    ("i32.shl", (1, 32), 1),
    ("i32.shl", (3, 33), 6),
    ("i32.shl", (1, -1), LEAST),
    ("i32.shr", (LEAST, 31), -1),
    ("i32.shr", (-8, 1), -4),
    ("i32.shr", (-8, 33), -4),
    ("i32.shr", (8, -31), 4),
    ("i32.min", (-1, 1), -1),
    ("i32.max", (-1, 1), 1),
    ("i32.clamp", (9, -1, 5), 5),
    ("i32.clamp", (-9, -1, 5), -1),
    ("i32.clamp", (3, 3, 3), 3),
    ("i32.lt", (-1, 0), 1),
    ("i32.ge", (-1, 0), 0),
    ("u32.add", (ALL, 1), 0),
    ("u32.sub", (0, 1), ALL),
    ("u32.mul", (ALL, ALL), 1),
    ("u32.neg", (1,), ALL),
    ("u32.not", (0,), ALL),
    ("u32.floordiv", (ALL, 2), TOP),
    ("u32.mod", (ALL, 10), 5),
    ("u32.shl", (3, 31), 0x80000000),
    ("u32.shl", (1, 32), 1),
    ("u32.shr", (0x80000000, 31), 1),
    ("u32.shr", (ALL, 36), 0x0FFFFFFF),
    ("u32.lt", (1, ALL), 1),
    ("u32.max", (1, ALL), ALL),
    ("u32.clamp", (0, 1, ALL), 1),
    ("bool.and", (1, 0), 0),
    ("bool.or", (1, 0), 1),
    ("bool.eq", (0, 0), 1),
    ("bool.ne", (0, 1), 1),
    ("bool.not", (0,), 1),
    ("select", (1, 5, 6), 5),
    ("select", (0, 5, 6), 6),
    ("u32.from_i32", (-1,), ALL),
    ("i32.from_u32", (ALL,), -1),
    ("i32.from_u32", (0x80000000,), LEAST),
    ("i32.from_bool", (1,), 1),
]


@pytest.mark.parametrize(("code", "cells", "expected"), CASES)
def test_by_hand(code: str, cells: tuple[int, ...], expected: int) -> None:
    """Each op at its edges gives the cell computed by hand."""
    found = INTEGER_OPS[code](*cells)
    assert found == expected
    assert type(found) is int


@pytest.mark.parametrize(
    ("code", "cells", "reason"),
    [
        ("i32.floordiv", (1, 0), "int_div_zero"),
        ("i32.mod", (1, 0), "int_div_zero"),
        ("u32.floordiv", (0, 0), "int_div_zero"),
        ("u32.mod", (1, 0), "int_div_zero"),
        ("i32.clamp", (1, 2, 1), "clamp_bounds"),
        ("u32.clamp", (1, 2, 1), "clamp_bounds"),
    ],
)
def test_traps(code: str, cells: tuple[int, ...], reason: str) -> None:
    """Integer ops without a result trap with their reason."""
    with pytest.raises(Trap) as caught:
        INTEGER_OPS[code](*cells)
    assert caught.value.reason == reason


def test_every_op_has_a_function() -> None:
    """The table of integer ops is the op set's, and every scalar op exists where its backend can run it."""
    assert set(INTEGER_OPS) == {code for code, spec in OPS.items() if spec.group == "int"}
    scalars = {code for code, spec in OPS.items() if spec.group in ("num", "trig", "int")}
    radians = {f"num.{name}" for name in ("sin", "cos", "sincos_cos", "atan2", "asin", "acos")}
    for backend in numbers.BACKENDS:
        table: dict[str, Callable[..., int]] = scalar_ops(numbers.get(backend))
        assert set(table) == (scalars if backend == "float_pinned_32" else scalars - radians)


def test_wrapping_of_any_integer() -> None:
    """The low 32 bits, signed and unsigned."""
    for value in (0, 1, -1, 1 << 31, -(1 << 31) - 1, 1 << 32, (1 << 70) + 5, -(1 << 70) - 5):
        assert to_u32(value) == value % (1 << 32)
        assert to_i32(value) % (1 << 32) == value % (1 << 32)
        assert LEAST <= to_i32(value) <= TOP
