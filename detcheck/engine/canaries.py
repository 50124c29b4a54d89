"""Canaries: what has to hold of this machine before a replay's bits mean anything (design: math, Floating point).

Each is tried by computing, never by asking the platform what it is. Python's own arithmetic is tried for the reference
and the generated executor, the extension's compiled code for the native one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from struct import pack, unpack

from detcheck.errors import DetcheckError
from detcheck.model.run_report import Canary

#: operands are read through a list, so that nothing is folded when this file is compiled
_ONE, _THREE, _TINY, _HALF_ULP, _HUGE, _TWO, _HALF = [
    1.0,
    3.0,
    5e-324,
    1.1107651257113995e-16,
    1.7976931348623157e308,
    2.0,
    0.5,
]


def _bits(value: float) -> int:
    found: int = unpack("<Q", pack("<d", value))[0]
    return found


def _python_values() -> dict[str, tuple[int, int]]:
    """name -> (expected bits, actual bits) of Python's arithmetic."""
    return {
        "flush_to_zero": (0x0000000000000001, _bits(_TINY * _ONE)),
        "denormals_are_zero": (0x0010000000000000, _bits(_TINY * 4503599627370496.0)),
        "rounding_mode": (0x3FD5555555555555, _bits(_ONE / _THREE)),
        "rounding_mode_down": (0xBFD5555555555555, _bits(-_ONE / _THREE)),
        "extended_precision": (0x7FF0000000000000, _bits(_HUGE * _TWO * _HALF)),
        "double_rounding": (0x3FF0000000000001, _bits(_ONE + _HALF_ULP)),
    }


def _tables() -> Canary:
    from detcheck.trig.tables import TABLES, table_bytes

    try:
        for table in TABLES.values():
            table_bytes(table)
    except DetcheckError as fault:
        return Canary("tables", False, str(fault))
    return Canary("tables", True, "the trigonometry tables have their digests")


def _byte_order() -> Canary:
    return Canary("byte_order", True, f"{sys.byteorder}-endian; canonical bytes are little-endian everywhere")


def run_canaries(executor_name: str, backend: str) -> tuple[Canary, ...]:
    """The canaries that a replay on this executor and backend rests on."""
    found = [
        Canary(f"python.{name}", expected == actual, f"expected {expected:016x}, computed {actual:016x}")
        for name, (expected, actual) in _python_values().items()
    ]
    if backend == "float_pinned_32":
        found.append(_tables())
    checks: tuple[Callable[[], Canary], ...] = (_byte_order,)
    return (*found, *(check() for check in checks))
