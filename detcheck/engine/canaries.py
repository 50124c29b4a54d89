"""Canaries: small sums whose bits are known, tried before a replay on the arithmetic that the replay will use.

Each fails loudly when a compiler or the processor's mode breaks what the pinned math stands on (design: math, Floating
point), and names the cause. The same values come from two places: Python's own floats, which the reference and the
generated executor compute with, and the extension's compiled loops (`detcheck/_native/kernels/canary.h`, same order).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from struct import pack, unpack

from detcheck.engine import native
from detcheck.engine.executors import resolve
from detcheck.errors import DetcheckError
from detcheck.model.run_report import Canary
from detcheck.trig.tables import TABLES, table_bytes

FLOAT = "float_pinned_32"


@dataclass(frozen=True)
class Group:
    """Values that fail for one cause. `cause` says what is wrong then and what to do.

    every_backend   rests under the fixed backends too: the native kernels of Q16.16, the generated executor's carriers
                    and mt19937's next_float go through binary64
    """

    name: str
    values: tuple[tuple[str, int], ...]
    cause: str
    every_backend: bool = False


_MODE = "a library changed this thread's floating-point mode (often one built with -ffast-math)"

#: every group, its values as (what, expected bits) in the order of kernels/canary.h. What makes values of other groups
#: wrong too stands before them, since the first that fails names the cause: a wrong rounding mode alone fails most.
GROUPS: tuple[Group, ...] = (
    Group(
        "rounding_mode",
        (
            *(("binary32 tie", 0x3F800000), ("1/3", 0x3EAAAAAB), ("-1/3", 0xBEAAAAAB)),
            *(("binary64 1/3", 0x3FD5555555555555), ("binary64 -1/3", 0xBFD5555555555555)),
            *(("2.5 to integer", 2), ("-3.5 to integer", 0xFFFFFFFC)),
        ),
        "results are not rounded to nearest even: a library changed this thread's rounding mode",
        every_backend=True,
    ),
    Group(
        "extended_precision",
        (
            *(("double rounding", 0x3FF0000000000001), ("binary64 range", 0x7FF0000000000000)),
            *(("binary32 range", 0x7F800000), ("binary32 bits", 0x00000000)),
        ),
        "results carry more bits than their type: x87 arithmetic (build with -msse2 -mfpmath=sse)",
        every_backend=True,
    ),
    Group(
        "contraction",
        (("lerp", 0x3FA624DE), ("dot", 0x4269E33A), ("reduce", 0x4018357A10015BA0)),
        "a product and a sum were fused into one rounding: the code was built without -ffp-contract=off",
    ),
    Group(
        "flush_to_zero",
        (("binary32 product", 0x000003C0), ("binary64 product", 0x0000000000007800)),
        f"denormal results become zero: {_MODE}",
    ),
    Group(
        "denormals_are_zero",
        (("binary32 root", 0x1A3504F3), ("binary32 scaled", 0x27000000), ("binary64 scaled", 0x2250000000000000)),
        f"denormal operands count as zero: {_MODE}",
    ),
    Group(
        "signed_zero",
        (
            *(("binary32 -0 + 0", 0x00000000), ("binary32 0 - 0", 0x00000000), ("binary32 -(x - x)", 0x80000000)),
            *(("binary64 -0 + 0", 0), ("binary64 0 - 0", 0), ("binary64 -(x - x)", 1 << 63)),
        ),
        "the sign of a zero was lost: the code was built with -ffast-math or -fno-signed-zeros",
    ),
    Group(
        "reassociation",
        (("sum in order", 0x3F333333),),
        "a sum was taken in another order: the code was built with -ffast-math or -fassociative-math",
    ),
    Group(
        "nan_bits",
        (("inf - inf", 0x7FC00000),),
        "a NaN is not seen as one: the code was built with -ffast-math or -ffinite-math-only",
    ),
    Group("byte_order", (("first byte", 4),), "this machine is not little-endian", every_backend=True),
)


def judge(values: Sequence[int | None], where: str, every_backend_only: bool = False) -> Iterator[Canary]:
    """One canary a group from the values of `where`, in the order of GROUPS; None where a value is not tried there."""
    at = 0
    for group in GROUPS:
        found = values[at : at + len(group.values)]
        at += len(group.values)
        if every_backend_only and not group.every_backend:
            continue
        wrong = [
            f"{what} is {value:x}, not {expected:x}"
            for (what, expected), value in zip(group.values, found, strict=True)
            if value is not None and value != expected
        ]
        detail = f"{group.cause} ({'; '.join(wrong)})" if wrong else f"{len(found)} known values"
        yield Canary(f"{group.name} ({where})", not wrong, detail)


def _bits32(value: float) -> int:
    bits: int = unpack("<I", pack("<f", value))[0]
    return bits


def _bits64(value: float) -> int:
    bits: int = unpack("<Q", pack("<d", value))[0]
    return bits


def _round32(value: float) -> float:
    rounded: float = unpack("<f", pack("<f", value))[0]
    return rounded


def _cell32(bits: int) -> float:
    value: float = unpack("<f", pack("<I", bits))[0]
    return value


def python_values() -> tuple[int | None, ...]:
    """The values as Python's floats give them: binary64, rounded to binary32 as `float_pinned_32` does.

    Every operation has a variable in it: one of constants alone would be done once, when this file is compiled.
    """
    one, two, three, turns, magic = 1.0, 2.0, 3.0, 15.0, 6755399441055744.0
    a, b, t = _round32(0.7), _round32(5.3), _round32(0.13)
    p, q, r, s = (_round32(value) for value in (1.74, 6.61, 2.34, 8.23))
    denormal, million = _cell32(1), _round32(1e8)
    infinity = sys.float_info.max * two
    not_a_number = infinity - infinity
    zero, total = 0.0, 0.0
    for i in range(64):
        total = _round32(total + _round32((1e8, 0.7, -1e8, 0.7)[i & 3]))
    return (
        _bits32(one + two**-24),
        _bits32(one / three),
        _bits32(-one / three),
        _bits64(one / three),
        _bits64(-one / three),
        _bits64((two + 0.5) + magic) & 0xFFFFFFFF,
        _bits64((-three - 0.5) + magic) & 0xFFFFFFFF,
        _bits64(one + float.fromhex("0x1.001p-53")),
        _bits64(infinity * 0.5),
        None,  # struct refuses to pack what is beyond binary32
        _bits32(_round32(one + million) - million),
        _bits32(a + _round32(_round32(b - a) * t)),
        _bits32(_round32(p * r) + _round32(q * s)),
        _bits64(_round32(100.3) - float.fromhex("0x1.921fb54442d18p+2") * turns),
        _bits32(float.fromhex("0x1.4p-70") * float.fromhex("0x1.8p-70")),
        _bits64(float.fromhex("0x1.4p-530") * float.fromhex("0x1.8p-530")),
        _bits32(sqrt(denormal)),
        _bits32(denormal * two**100),
        _bits64(_from_bits64(1) * two**600),
        _bits32(-zero + 0.0),
        _bits32(0.0 - zero),
        _bits32(-(three - (one + two))),
        _bits64(-zero + 0.0),
        _bits64(0.0 - zero),
        _bits64(-(three - (one + two))),
        _bits32(total),
        0x7FC00000 if not_a_number != not_a_number else _bits32(not_a_number),
        pack("=I", 0x01020304)[0],
    )


def _from_bits64(bits: int) -> float:
    value: float = unpack("<d", pack("<Q", bits))[0]
    return value


@cache
def _tables() -> tuple[Canary, ...]:
    """FastTrig's committed tables against their digests, once a process: they are files, and are loaded once."""
    found = []
    for name, table in TABLES.items():
        try:
            table_bytes(table)
        except DetcheckError as error:
            found.append(Canary(f"table ({name})", False, str(error)))
        else:
            found.append(Canary(f"table ({name})", True, f"{table.entries} entries, digest {table.digest}"))
    return tuple(found)


def _native_values(loops: str) -> tuple[int, ...]:
    from detcheck._native import core

    return core.canary(loops)


def run_canaries(executor: str, backend: str) -> tuple[Canary, ...]:
    """The canaries a replay with that executor (a name of EXECUTORS) on that backend stands on. Well under 1 ms.

    Python's floats are asked for every executor and backend: draws, carriers and binary32 itself go through them.
    """
    name = resolve(executor)
    exact = backend != FLOAT
    found: list[Canary] = []
    if name.startswith("native") and native.available():
        loops = "baseline" if name == "native:baseline" else native.build_info().loops[0]
        found.extend(judge(_native_values(loops), f"native {loops}", every_backend_only=exact))
    found.extend(judge(python_values(), "python", every_backend_only=exact))
    if not exact:
        found.extend(_tables())
    return tuple(found)


def doctor() -> tuple[Canary, ...]:
    """Every canary of this machine: Python's arithmetic, all loops of the extension, the tables."""
    found = [*judge(python_values(), "python"), *_tables()]
    if native.available():
        for loops in native.build_info().loops:
            found.extend(judge(_native_values(loops), f"native {loops}"))
    return tuple(found)
