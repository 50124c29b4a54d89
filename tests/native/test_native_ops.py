"""Every op of the native executor on edge values, near-ties and random values, against the backend itself."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from itertools import product

import pytest
from hand_built import FIXED, FLOAT, WRAPPING, Build, compiled, table
from random_ops import F32_EDGES, I32_EDGES, U32_EDGES, scalar_codes

from detcheck import numbers
from detcheck.engine import native
from detcheck.engine.integers import to_i32
from detcheck.engine.native import NativeExecutor
from detcheck.engine.scalars import scalar_ops
from detcheck.errors import Trap
from detcheck.language.ops import OPS
from detcheck.model.schema import LaneRef

pytestmark = pytest.mark.skipif(not native.available(), reason=native.why_not() or "native")

EXAMPLES = int(os.environ.get("DETCHECK_EXAMPLES", "1"))
LOOPS = native.build_info().loops if native.available() else ()
CASES = [(backend, code) for backend in (FIXED, WRAPPING, FLOAT) for code in scalar_codes(backend)]

_MORE_I32 = (*I32_EDGES, 0x7FFF0000, 0x7FFF8000, 0x7FFEFFFF, -0x8000, 0x8000, 0x18000, -0x18000, 181 << 16, 0x7FFF)
_MORE_F32 = (*F32_EDGES, 0xBF000000, 0x4AFFFFFF, 0xCAFFFFFF, 0x4B000000, 0x5F000000, 0x80800000, 0x45800000, 0x7F000000)


def edges(kind: str, backend: str) -> tuple[int, ...]:
    """Values where rounding, saturation, wrapping or a special case begins."""
    if kind == "bool":
        return (0, 1)
    if kind in ("u32", "angle"):
        return (*U32_EDGES, 0x3FFFFFFF, 0x40000000, 0x40000001, 0xBFFFFFFF, 0xC0000000, 0x000FFFFF, 0xFFF00000)
    return _MORE_F32 if kind == "num" and backend == FLOAT else _MORE_I32


def samples(kind: str, backend: str, count: int, chance: random.Random) -> list[int]:
    """Random values: plain, small, and (fixed) with low halves of a tie."""
    if kind == "bool":
        return [chance.getrandbits(1) for _ in range(count)]
    bits = [chance.getrandbits(32) >> chance.choice((0, 0, 4, 9, 15, 16, 20)) for _ in range(count)]
    if kind in ("u32", "angle"):
        return bits
    if kind == "num" and backend == FLOAT:
        around = [chance.getrandbits(23) | (chance.randint(90, 165) << 23) | chance.getrandbits(1) << 31 for _ in bits]
        cells = [chance.choice(pair) for pair in zip(bits, around, strict=True)]
        return [cell if cell & 0x7FFFFFFF <= 0x7F800000 else 0x7FC00000 for cell in cells]
    tied = [cell & ~0xFFFF | 0x8000 if chance.randrange(4) == 0 else cell for cell in bits]
    return [to_i32(cell * chance.choice((1, -1))) for cell in tied]


def quotient_ties(count: int, chance: random.Random) -> list[tuple[int, int]]:
    """(a, b) with a * 65536 / b within a whisker of a half: where a wrongly rounded quotient would show."""
    pairs = []
    while len(pairs) < count:
        b = chance.randrange(1, 1 << chance.randrange(1, 32)) * chance.choice((1, -1))
        a = ((2 * chance.randrange(-(1 << 20), 1 << 20) + 1) * b >> 17) + chance.randrange(-1, 2)
        if -0x80000000 <= a <= 0x7FFFFFFF:
            pairs.append((a, b))
    return pairs


def rows_of(code: str, backend: str, chance: random.Random) -> list[tuple[int, ...]]:
    """Operand rows: edges with edges, then random ones."""
    kinds = ["i32" if kind == "*" else kind for kind in OPS[code].params]
    every = [edges(kind, backend) for kind in kinds]
    rows = (
        list(product(*every))
        if len(kinds) < 3
        else [tuple(chance.choice(values) for values in every) for _ in range(1500)]
    )
    if code == "num.div" and backend != FLOAT:
        rows += quotient_ties(400 * EXAMPLES, chance)
    columns = [samples(kind, backend, 400 * EXAMPLES, chance) for kind in kinds]
    rows.extend(zip(*columns, strict=True))
    return rows


def fill(executor: NativeExecutor, ref: LaneRef, cells: Sequence[int]) -> None:
    """Write a lane's cells into the workspace."""
    lane = executor._plan.layout.lane[ref]
    data = b"".join((cell & (1 << 8 * lane.size) - 1).to_bytes(lane.size, "little") for cell in cells)
    executor._memory[lane.start : lane.start + len(data)] = data


@pytest.mark.parametrize(("backend", "code"), CASES)
def test_an_op_gives_the_backends_cells(backend: str, code: str) -> None:
    """All pairs of edges and random rows: every result's bits are the reference's, on both loop builds."""
    number = numbers.get(backend)
    function = scalar_ops(number)[code]
    kinds = ["i32" if kind == "*" else kind for kind in OPS[code].params]
    result = "i32" if OPS[code].result == "*" else OPS[code].result
    assert result is not None
    rows, expected = [], []
    for row in rows_of(code, backend, random.Random(f"{backend} {code}")):
        try:
            cell = function(*row)
        except Trap:
            continue  # rows that trap are the random programs' part
        rows.append(row)
        expected.append(number.canonical(cell) if result == "num" else cell)
    build = Build("s", "t")
    sources = [build.load(f"t.p{i}", kind) for i, kind in enumerate(kinds)]
    build.store("t.r", build.op(code, *sources, kind=result))
    columns = {f"p{i}": kind for i, kind in enumerate(kinds)}
    scenario = compiled([table("t", len(rows), **columns, r=result)], [build], backend=backend)
    for loops in LOOPS:
        executor = NativeExecutor(scenario, loops)
        for i in range(len(kinds)):
            fill(executor, LaneRef("t", f"p{i}", 0), [row[i] for row in rows])
        executor.advance(1)
        found = executor.lane("t", "r", 0)
        assert [pair for pair in zip(rows, expected, found, strict=True) if pair[1] != pair[2]][:3] == []


@pytest.mark.parametrize("backend", [FIXED, WRAPPING])
def test_products_and_quotients_of_every_small_pair(backend: str) -> None:
    """Exhaustive around zero and around the ends, where products and quotients tie, saturate, wrap and change sign."""
    number = numbers.get(backend)
    near = [*range(-40, 41), *range(0x7FD8, 0x8029), *range(-0x8028, -0x7FD7)]
    ends = [0x7FFFFFFF - k for k in range(6)] + [-0x80000000 + k for k in range(6)] + [1 << k for k in range(31)]
    pairs = [(a, b) for a in (*near, *ends) for b in (*near, *ends) if b]
    build = Build("s", "t")
    a, b = build.load("t.a", "num"), build.load("t.b", "num")
    build.store("t.p", build.op("num.mul", a, b, kind="num"))
    build.store("t.q", build.op("num.div", a, b, kind="num"))
    scenario = compiled([table("t", len(pairs), a="num", b="num", p="num", q="num")], [build], backend=backend)
    for loops in LOOPS:
        executor = NativeExecutor(scenario, loops)
        fill(executor, LaneRef("t", "a", 0), [a for a, _ in pairs])
        fill(executor, LaneRef("t", "b", 0), [b for _, b in pairs])
        executor.advance(1)
        assert executor.lane("t", "p", 0) == [number.mul(a, b) for a, b in pairs]
        assert executor.lane("t", "q", 0) == [number.div(a, b) for a, b in pairs]


@pytest.mark.parametrize("code", ["fold.sum", "fold.min", "fold.max"])
@pytest.mark.parametrize("backend", [FIXED, WRAPPING, FLOAT])
def test_folds_keep_the_order_of_rows(code: str, backend: str) -> None:
    """A saturating or rounding sum over several blocks is the one from row 0 up; NaN and -0 as the reference's."""
    number = numbers.get(backend)
    chance = random.Random(f"{backend} {code}")
    cells = [chance.choice((*edges("num", backend), *samples("num", backend, 8, chance))) for _ in range(1300)]
    build = Build("s", "world")
    body = build.load("t.n", "num")
    ops = build.body(0)
    build.store("world.r", build.op(code, body, kind="num", imm="t", body=ops))
    scenario = compiled([table("world", 1, r="num"), table("t", len(cells), n="num")], [build], backend=backend)
    combine = {"fold.sum": number.add, "fold.min": number.min, "fold.max": number.max}[code]
    expected = 0 if code == "fold.sum" else cells[0]
    for cell in cells if code == "fold.sum" else cells[1:]:
        expected = combine(expected, cell)
    for loops in LOOPS:
        executor = NativeExecutor(scenario, loops)
        fill(executor, LaneRef("t", "n", 0), cells)
        executor.advance(1)
        assert executor.lane("world", "r", 0) == [expected]
