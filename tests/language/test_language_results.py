"""What lowered programs compute, on the reference, against the backends' own compositions and plain integers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hand_built import compiled
from language_env import BACKENDS, FIXED, FLOAT, analysed_in, table

from detcheck import numbers
from detcheck.engine.reference import ReferenceExecutor
from detcheck.errors import TrapError
from detcheck.language.analyse import Env
from detcheck.language.constants import convert, parse_decimal
from detcheck.language.ir import Program
from detcheck.model.schema import LaneRef, RngSpec, TableSpec
from detcheck.numbers import Backend

CELL = table(
    "cell",
    5,
    a="num",
    b="num",
    t="num",
    p="vec2",
    q="vec2",
    v="vec3",
    w="vec3",
    i="i32",
    j="i32",
    k="u32",
    m="u32",
    g="angle",
    h="angle",
    yes="bool",
    no="bool",
)
#: values of one lane, by row; a lane takes them turned by its own number, so that no two lanes are alike
NUMS = ("3.7", "-1.25", "0.3", "11.1", "-0.07")
I32 = (7, -3, 2**31 - 1, 100003, -(2**31))
U32 = (7, 31, 2**31, 4000000000, 3)
LANES = [(column.name, lane, column.lane_type) for column in CELL.columns for lane in range(len(column.lane_names))]


def start(backend: str, text: str, own: TableSpec = CELL) -> ReferenceExecutor:
    """An executor over known cells that has one system of that text, not yet run."""
    lowered: Program = analysed_in(Env((CELL,), {}, RngSpec("mt19937", 53), 60), own, text, backend)
    executor = ReferenceExecutor(compiled([CELL], backend=backend))
    for number, (name, lane, kind) in enumerate(LANES):
        for row in range(CELL.rows):
            executor.state.lanes[LaneRef("cell", name, lane)][row] = cell_of(backend, kind, row + number)
    executor.run_program(lowered)
    return executor


def cell_of(backend: str, kind: str, turn: int) -> int:
    if kind == "num":
        return convert(parse_decimal(NUMS[turn % 5]), "num", numbers.get(backend))
    return {"i32": I32, "u32": U32, "angle": U32, "bool": (1, 0, 1, 1, 0)}[kind][turn % 5]


def before(backend: str, name: str, lane: int, row: int) -> int:
    number = next(i for i, one in enumerate(LANES) if one[:2] == (name, lane))
    return cell_of(backend, LANES[number][2], row + number)


#: target and value -> the expected lanes, of the backend and a reader of cells ("p.x")
Read = Callable[[str], int]
NUMERIC: dict[str, Callable[[Backend, Read], tuple[int, ...]]] = {
    "a = a - b": lambda n, r: (n.sub(r("a"), r("b")),),
    "a -= b": lambda n, r: (n.sub(r("a"), r("b")),),
    "a = a / b": lambda n, r: (n.div(r("a"), r("b")),),
    "a = a - b * t": lambda n, r: (n.sub(r("a"), n.mul(r("b"), r("t"))),),
    "a = a - (b - t)": lambda n, r: (n.sub(r("a"), n.sub(r("b"), r("t"))),),
    "a = lerp(a, b, t)": lambda n, r: (n.lerp(r("a"), r("b"), r("t")),),
    "a = clamp(a, -0.5, 2)": lambda n, r: (
        n.clamp(r("a"), *(n.mul(n.from_int(c), n.div(n.one, n.from_int(2))) for c in (-1, 4))),
    ),
    "a = min(a, b)": lambda n, r: (n.min(r("a"), r("b")),),
    "a = max(a, b)": lambda n, r: (n.max(r("a"), r("b")),),
    "a = abs(b)": lambda n, r: (n.abs(r("b")),),
    "a = -b": lambda n, r: (n.neg(r("b")),),
    "a = floor(b) + ceil(t)": lambda n, r: (n.add(n.floor(r("b")), n.ceil(r("t"))),),
    "a = sqrt(b * b)": lambda n, r: (n.sqrt(n.mul(r("b"), r("b"))),),
    "a = num(j)": lambda n, r: (n.from_int(r("j")),),
    "a = num(m)": lambda n, r: (n.from_u32(r("m")),),
    "i = round(b)": lambda n, r: (n.to_int(r("b")),),
    "p = lerp(p, q, t)": lambda n, r: tuple(n.lerp(r(f"p.{c}"), r(f"q.{c}"), r("t")) for c in "xy"),
    "p = p / t": lambda n, r: tuple(n.div(r(f"p.{c}"), r("t")) for c in "xy"),
    "p = t * p - q": lambda n, r: tuple(n.sub(n.mul(r("t"), r(f"p.{c}")), r(f"q.{c}")) for c in "xy"),
    "p = clamp(p, q, q + vec2(1, 2))": lambda n, r: tuple(
        n.clamp(r(f"p.{c}"), r(f"q.{c}"), n.add(r(f"q.{c}"), n.from_int(more))) for c, more in (("x", 1), ("y", 2))
    ),
    "p = normalize(q)": lambda n, r: n.normalize2(r("q.x"), r("q.y")),
    "v = normalize(w)": lambda n, r: n.normalize3(r("w.x"), r("w.y"), r("w.z")),
    "p = normalize(q * 0)": lambda n, r: (n.zero, n.zero),
    "a = length(q)": lambda n, r: (n.length2(r("q.x"), r("q.y")),),
    "a = length(w)": lambda n, r: (n.length3(r("w.x"), r("w.y"), r("w.z")),),
    "a = dot(p, q)": lambda n, r: (n.dot2(r("p.x"), r("p.y"), r("q.x"), r("q.y")),),
    "a = dot(v, w)": lambda n, r: (n.dot3(*(r(f"{one}.{c}") for one in "vw" for c in "xyz")),),
    "a = distance(p, q)": lambda n, r: (n.distance2(r("p.x"), r("p.y"), r("q.x"), r("q.y")),),
    "a = distance(v, w)": lambda n, r: (n.distance3(*(r(f"{one}.{c}") for one in "vw" for c in "xyz")),),
    "g = heading(q)": lambda n, r: (n.heading(r("q.x"), r("q.y")),),
    "a = sin(h)": lambda n, r: (n.sin_cos(r("h"))[0],),
    "a = cos(h)": lambda n, r: (n.sin_cos(r("h"))[1],),
    "v = vec3(a, p.y, w.z)": lambda n, r: (r("a"), r("p.y"), r("w.z")),
    "v.y = t": lambda n, r: (r("v.x"), r("t"), r("v.z")),
    "v.z -= t": lambda n, r: (r("v.x"), r("v.y"), n.sub(r("v.z"), r("t"))),
    "p = p if yes else q": lambda n, r: (r("p.x"), r("p.y")) if r("yes") else (r("q.x"), r("q.y")),
    "yes = p != q or v == w": lambda n, r: (1,),
    "yes = v == vec3(v.x, v.y, w.z)": lambda n, r: (n.eq(r("v.z"), r("w.z")),),
    "yes = v != vec3(v.x, v.y, w.z)": lambda n, r: (1 - n.eq(r("v.z"), r("w.z")),),
    "yes = a < b": lambda n, r: (n.lt(r("a"), r("b")),),
    "yes = a >= b": lambda n, r: (n.ge(r("a"), r("b")),),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("text", NUMERIC)
def test_numeric_forms(text: str, backend: str) -> None:
    """A form gives what the backend's own method of that name gives, on every row."""
    executor = start(backend, text)
    column = CELL.column(text.split(" ")[0].split(".")[0])
    assert column is not None
    for row in range(CELL.rows):

        def read(path: str, row: int = row) -> int:
            name, _, lane = path.partition(".")
            return before(backend, name, "xyz".index(lane) if lane else 0, row)

        found = tuple(executor.lane("cell", column.name, lane)[row] for lane in range(len(column.lane_names)))
        assert found == NUMERIC[text](numbers.get(backend), read), row


def i32(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


INTEGERS: dict[str, Callable[[Read], int]] = {
    "i = i - j": lambda r: i32(r("i") - r("j")),
    "i = i * j": lambda r: i32(r("i") * r("j")),
    "i = i // j": lambda r: i32(r("i") // r("j")),
    "i = i % j": lambda r: i32(r("i") % r("j")),
    "i = i >> j": lambda r: r("i") >> (r("j") % 32),
    "i = i << j": lambda r: i32(r("i") << (r("j") % 32)),
    "i = i & ~j": lambda r: r("i") & ~r("j"),
    "i ^= j": lambda r: r("i") ^ r("j"),
    "k = k >> m": lambda r: r("k") >> (r("m") % 32),
    "k = k - m": lambda r: (r("k") - r("m")) % 2**32,
    "k = k // m | 1": lambda r: r("k") // r("m") | 1,
    "k = ~k": lambda r: 2**32 - 1 - r("k"),
    "k = u32(i)": lambda r: r("i") % 2**32,
    "i = i32(k)": lambda r: i32(r("k")),
    "i = i32(no)": lambda r: r("no"),
    "k = u32(g)": lambda r: r("g"),
    "g = angle(k)": lambda r: r("k"),
    "g = g * j": lambda r: r("g") * r("j") % 2**32,
    "g = j * g - h": lambda r: (r("j") * r("g") - r("h")) % 2**32,
    "g = -g + turn(0.5)": lambda r: (2**31 - r("g")) % 2**32,
    "i = min(i, j)": lambda r: min(r("i"), r("j")),
    "i = clamp(i, -5, 50)": lambda r: max(-5, min(50, r("i"))),
    "k = k if i < j else m": lambda r: r("k") if r("i") < r("j") else r("m"),
    "yes = g < h": lambda r: int(r("g") < r("h")),
    "yes = i <= j and not (yes or no)": lambda r: int(r("i") <= r("j") and not (r("yes") or r("no"))),
    "yes = yes == no": lambda r: int(r("yes") == r("no")),
    "i = row * 10 + rows": lambda r: r("row") * 10 + 5,
    "i = cell[row + 1 if row < 4 else 0].j": lambda r: r("next j"),
    "k = cell[0].m + k": lambda r: (r("first m") + r("k")) % 2**32,
    "i = count(cell.i < 0)": lambda r: sum(one < 0 for one in I32),
    "i = sum(cell.i)": lambda r: i32(sum(I32)),
    "i = sum(cell.i - cell.j) + 1": lambda r: 1,
    "k = min(cell.k) + max(cell.k)": lambda r: (min(U32) + max(U32)) % 2**32,
    "i = tick + cell.rows": lambda r: 5,
}


@pytest.mark.parametrize("text", INTEGERS)
def test_integer_forms(text: str) -> None:
    """Integers, angles, bools, rows, gathers and folds against Python's own integers."""
    executor = start(FIXED, text)
    name = text.split(" ")[0]
    for row in range(CELL.rows):

        def read(path: str, row: int = row) -> int:
            at = {"next": (row + 1) % 5, "first": 0}.get(path.split(" ")[0], row)
            return row if path == "row" else before(FIXED, path.split(" ")[-1], 0, at)

        assert executor.lane("cell", name, 0)[row] == INTEGERS[text](read), row


def test_statements_are_steps_over_all_rows() -> None:
    """Every row reads what the statements before left, not what other rows have just stored."""
    executor = start(FIXED, "i = row\ni = cell[(row + 1) % rows].i\nj = sum(cell.i)")
    assert executor.lane("cell", "i", 0) == [1, 2, 3, 4, 0]
    assert executor.lane("cell", "j", 0) == [10] * 5


def test_scatter_adds_all_after_reading_all() -> None:
    """Indices and values are read first; several rows may meet, and all of them count."""
    executor = start(FIXED, "i = 10\ncell[row // 2].i += cell[row // 2].i + row\nk = 0\ncell[u32(row)].k -= 1")
    assert executor.lane("cell", "i", 0) == [10 + 10 + 11, 10 + 12 + 13, 10 + 14, 10, 10]
    assert executor.lane("cell", "k", 0) == [2**32 - 1] * 5


def test_locals_live_in_the_rows() -> None:
    """A local keeps its value, lanes are set one by one, and a second assignment replaces it."""
    executor = start(FIXED, "old = i\ni = 0\nv2 = vec2(1, 2)\nv2.y += num(row)\np = v2\nold = old + 0\nj = old")
    assert executor.lane("cell", "j", 0) == [before(FIXED, "i", 0, row) for row in range(5)]
    assert executor.lane("cell", "p", 1) == [(2 + row) << 16 for row in range(5)]


def test_sincos_pairs() -> None:
    """Of an angle both are the backend's; of radians the cosine is sincos's own."""
    executor = start(FLOAT, "a, b = sincos(h)\np.x = 0\ns, c = sincos(t)\nq = vec2(s, c)")
    number = numbers.get(FLOAT)
    for row in range(5):
        assert (executor.lane("cell", "a", 0)[row], executor.lane("cell", "b", 0)[row]) == number.sin_cos(
            before(FLOAT, "h", 0, row)
        )
        sine, cosine = number.sincos(before(FLOAT, "t", 0, row))
        assert (executor.lane("cell", "q", 0)[row], executor.lane("cell", "q", 1)[row]) == (sine, cosine)


def test_a_trap_names_operator_and_row() -> None:
    """A trap's place is the operator's own; the lowest row of the earliest op."""
    with pytest.raises(TrapError) as caught:
        start(FIXED, "i = 1\nj = (i //\n  (row - row % 2 - 2)) + 1 // i")
    assert caught.value.reason == "int_div_zero"
    assert caught.value.row == 2
    where = caught.value.where
    assert where is not None
    assert (where.line, where.column) == (2, 8)
