"""Both Q16.16 backends against exact rationals, written from the design's table and not from the product."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from number_cases import FIXED, FLOAT, SCALE, patterns, raws, words

from detcheck import numbers
from detcheck.errors import Trap
from detcheck.numbers import Backend

MAX, MIN = 2**31 - 1, -(2**31)


def saturate(n: int) -> int:
    return min(max(n, MIN), MAX)


def wrap(n: int) -> int:
    return (n - MIN) % 2**32 + MIN


def half_up(exact: Fraction) -> int:
    return (exact + Fraction(1, 2)).__floor__()


def truncated(exact: Fraction) -> int:
    return int(exact)  # Fraction truncates towards zero


# Python's round() of a Fraction is nearest, ties to even: an oracle of its own.
MODELS: dict[str, dict[str, Callable[..., int]]] = {
    "fixed_point_16_16": {
        "add": lambda a, b: saturate(a + b),
        "sub": lambda a, b: saturate(a - b),
        "mul": lambda a, b: saturate(round(Fraction(a * b, 2**16))),
        "div": lambda a, b: saturate(round(Fraction(a * 2**16, b))) if b else (MAX if a > 0 else MIN if a < 0 else 0),
    },
    "fixed_wrapping_16_16": {
        "add": lambda a, b: wrap(a + b),
        "sub": lambda a, b: wrap(a - b),
        "mul": lambda a, b: wrap(half_up(Fraction(a * b, 2**16))),
        "div": lambda a, b: wrap(truncated(Fraction(a * 2**16, b))),
    },
}
UNARY: dict[str, dict[str, Callable[[int], int]]] = {
    "fixed_point_16_16": {
        "neg": lambda a: saturate(-a),
        "abs": lambda a: saturate(abs(a)),
        "floor": lambda a: (a // 65536) * 65536,
        "ceil": lambda a: saturate(-(-a // 65536) * 65536),
        "to_int": lambda a: round(Fraction(a, 65536)),
        "from_int": lambda i: saturate(i * 65536),
    },
    "fixed_wrapping_16_16": {
        "neg": lambda a: wrap(-a),
        "abs": lambda a: wrap(abs(a)),
        "floor": lambda a: (a // 65536) * 65536,
        "ceil": lambda a: wrap(-(-a // 65536) * 65536),
        "to_int": lambda a: half_up(Fraction(a, 65536)),
        "from_int": lambda i: wrap(i * 65536),
    },
}
ORDER: dict[str, Callable[[int, int], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "min": lambda a, b: min(a, b),
    "max": lambda a, b: max(a, b),
}


@pytest.fixture(params=["fixed_point_16_16", "fixed_wrapping_16_16"])
def backend(request: pytest.FixtureRequest) -> Backend:
    return numbers.get(request.param)


def pairs() -> list[tuple[int, int]]:
    some = list(raws(3000 * SCALE))
    return [*product(FIXED, FIXED), *zip(some, reversed(some), strict=True)]


@pytest.mark.parametrize("op", ["add", "sub", "mul", "div"])
def test_arithmetic_is_the_exact_result_rounded_once(backend: Backend, op: str) -> None:
    """add, sub, mul and div equal the design's rational formula on edges, pairs of edges and random raws."""
    model, method = MODELS[backend.id][op], getattr(backend, op)
    for a, b in pairs():
        if op == "div" and b == 0 and backend.id == "fixed_wrapping_16_16":
            with pytest.raises(Trap, match="num_div_zero"):
                method(a, b)
        else:
            assert method(a, b) == model(a, b), (op, a, b)


@pytest.mark.parametrize("op", ["neg", "abs", "floor", "ceil", "to_int", "from_int"])
def test_unary_ops_are_the_exact_result_rounded_once(backend: Backend, op: str) -> None:
    """neg, abs, floor, ceil and the integer conversions equal the design's formula."""
    model, method = UNARY[backend.id][op], getattr(backend, op)
    for a in (*FIXED, *raws(3000 * SCALE)):
        assert method(a) == model(a), (op, a)


@pytest.mark.parametrize("op", list(ORDER))
def test_order_is_total(backend: Backend, op: str) -> None:
    """Comparisons, min and max follow the raws."""
    for a, b in pairs():
        assert getattr(backend, op)(a, b) == ORDER[op](a, b)


def test_from_u32_is_the_same_rule_on_unsigned_values() -> None:
    """A u32 saturates on one backend and wraps on the other."""
    for u in (0, 1, 32767, 32768, 65535, 65536, 65537, 2**31, 2**32 - 1, *words(500)):
        assert numbers.get("fixed_point_16_16").from_u32(u) == saturate(u * 65536)
        assert numbers.get("fixed_wrapping_16_16").from_u32(u) == wrap(u * 65536)


def test_saturating_root_is_the_nearest() -> None:
    """No other raw is nearer to sqrt(raw * 2^16); negatives give 0."""
    sqrt = numbers.get("fixed_point_16_16").sqrt
    for a in (*FIXED, *range(2000), *raws(3000 * SCALE)):
        root = sqrt(a)
        if a <= 0:
            assert root == 0
        else:
            assert (2 * root - 1) ** 2 < 4 * (a << 16) < (2 * root + 1) ** 2, a


def test_wrapping_root_is_rounded_down() -> None:
    """root^2 <= raw * 2^16 < (root + 1)^2; negatives trap."""
    sqrt = numbers.get("fixed_wrapping_16_16").sqrt
    for a in (*FIXED, *range(2000), *raws(3000 * SCALE)):
        if a < 0:
            with pytest.raises(Trap, match="num_sqrt_negative"):
                sqrt(a)
        else:
            assert sqrt(a) ** 2 <= a << 16 < (sqrt(a) + 1) ** 2, a


def test_root_equals_the_seeds_bit_by_bit_root() -> None:
    """The wrapping root is the seed document's own loop, bit by bit."""
    for a in (0, 1, 2, 3, 65536, MAX, *(abs(raw) for raw in raws(300))):
        n, root, bit = a << 16, 0, 1 << 62
        while bit > n and bit:
            bit >>= 2
        while bit:
            if n >= root + bit:
                n, root = n - root - bit, (root >> 1) + bit
            else:
                root >>= 1
            bit >>= 2
        assert numbers.get("fixed_wrapping_16_16").sqrt(a) == root


def f32(bits: int) -> Fraction:
    field, fraction = bits >> 23 & 0xFF, bits & 0x7FFFFF
    magnitude = Fraction((fraction if field == 0 else fraction + 2**23) * 2 ** max(field, 1), 2**150)
    return -magnitude if bits >> 31 else magnitude


def test_from_binary32_rounds_once_and_saturates(backend: Backend) -> None:
    """NaN and -0 give 0, infinities saturate on both backends, the rest is nearest with ties to even."""
    near = [0x37000000 + d for d in range(-2, 3)] + [0x46FFFFFF + d for d in range(-2, 3)]
    for bits in (*FLOAT, *near, *(b | 1 << 31 for b in near), *patterns(3000 * SCALE)):
        magnitude = bits & 0x7FFFFFFF
        if magnitude > 0x7F800000:
            expected = 0
        elif magnitude == 0x7F800000:
            expected = MIN if bits >> 31 else MAX
        else:
            expected = saturate(round(f32(bits) * 65536))
        assert backend.from_f32(bits) == expected, hex(bits)


def test_known_ties_from_binary32(backend: Backend) -> None:
    """Half a raw goes to the even neighbour, either sign."""
    cases = {0x37000000: 0, 0xB7000000: 0, 0x37C00000: 2, 0xB7C00000: -2, 0x38200000: 2, 0x80000000: 0, 0x7FC00000: 0}
    assert {bits: backend.from_f32(bits) for bits in cases} == cases


def test_to_binary32_rounds_once(backend: Backend) -> None:
    """The pattern's value is at least as near to raw / 2^16 as both neighbours', and even on a tie."""
    for a in (*FIXED, 2**24 + 1, 2**24 + 3, 2**25 + 2, 2**25 + 6, -(2**24) - 1, *raws(3000 * SCALE)):
        bits = backend.to_f32(a)
        if a == 0:
            assert bits == 0
            continue
        exact = Fraction(a, 65536)
        error = abs(f32(bits) - exact)
        for neighbour in (bits - 1, bits + 1):
            other = abs(f32(neighbour) - exact)
            assert error < other or (error == other and bits % 2 == 0), a


def test_literals_round_to_even_and_end_at_the_range(backend: Backend) -> None:
    """A decimal literal is the nearest raw of its exact value; what rounds out of the range is an error."""
    for text, raw in {
        "0.98": 64225,
        "0.5": 32768,
        "-0.0": 0,
        "0.00000762939453125": 0,
        "0.00002288818359375": 2,
        "-0.00002288818359375": -2,
        "-32768": MIN,
        "32767.9999847412109375": MAX,
        "32767.9999923706054687": MAX,
        "-32768.00000762939453125": MIN,
    }.items():
        assert backend.literal(Fraction(text), negative_zero=text == "-0.0") == raw, text
    for text in ("32768", "32767.99999237060546875", "-32768.0000076293945313", "1e99", "-1e99"):
        with pytest.raises(OverflowError):
            backend.literal(Fraction(text))


def test_decimals_are_exact(backend: Backend) -> None:
    """The shown decimal is the raw's exact value, and reads back as the raw."""
    shown = {0: "0.0", 1: "0.0000152587890625", -1: "-0.0000152587890625", 98304: "1.5", MIN: "-32768.0"}
    assert {a: backend.decimal(a) for a in shown} == shown
    for a in (*FIXED, *raws(2000)):
        assert Fraction(backend.decimal(a)) == Fraction(a, 65536)
        assert backend.literal(Fraction(backend.decimal(a))) == a


def test_the_document_rules_over_its_engine() -> None:
    """Quotients between -1 and -1/2 raw are -1, where the engine's own division gives +1."""
    div = numbers.get("fixed_point_16_16").div
    assert div(-1, 98304) == -1
    assert div(1, -98304) == -1
    assert div(-1, 131072) == 0  # a tie: even
    assert div(-3, 131072) == -2
    assert div(3, 131072) == 2


def test_classes(backend: Backend) -> None:
    """Nothing is NaN or infinite; a cell is its own canonical form."""
    for a in FIXED:
        assert (backend.is_nan(a), backend.is_inf(a), backend.is_finite(a), backend.canonical(a)) == (0, 0, 1, a)
