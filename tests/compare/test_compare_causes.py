"""Causes: each is found where it is planted, with evidence, and none is guessed where it is not."""

from __future__ import annotations

import struct
from collections.abc import Callable
from fractions import Fraction

import pytest
from made import causes, compared, event, f32, hashed, pairs, q16, record, token

from detcheck.compare.causes import CAUSES
from detcheck.model.record import Lanes, Record, Scalar
from detcheck.numbers.binary32 import nearest

Sides = tuple[list[Record], list[Record]]


def single(value: float) -> float:
    """Rounded once to binary32."""
    result: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return result


def bits(value: float) -> int:
    """The binary32 pattern of a value that is one."""
    result: int = struct.unpack("<I", struct.pack("<f", value))[0]
    return result


def fused32(p: float, q: float, r: float) -> int:
    """The pattern of p + q * r rounded once."""
    exact = Fraction(p) + Fraction(q) * Fraction(r)
    return nearest(exact.numerator, exact.denominator)


def draw_more() -> Sides:
    """A trace with one draw more on side b."""
    draws = [event("rand", {"v": n}, is_rng=True) for n in range(5)]
    return [record(1, {}, events=draws[:4])], [record(1, {}, events=draws)]


def rows_in_another_order() -> Sides:
    """The same rows shuffled, and a hash over them."""
    rows = [{"id": n, "x": n * 3} for n in range(5)]
    return [record(1, {"e": rows}, hash="aa")], [record(1, {"e": rows[::-1]}, hash="bb")]


def contracted_row() -> Sides:
    """pos += vel * dt in binary32, fused on side b; dt is 1/60 and stands in no dump."""
    pos, dt = single(0.7), single(1 / 60)
    for step in range(1, 10_000):
        vel = single(step * 0.013)
        once, twice = fused32(pos, vel, dt), bits(single(single(vel * dt) + pos))
        if once != twice:
            break
    row = {"vel": f32(bits(vel)), "hp": 5}
    return pairs(
        {"u": [{"pos": f32(bits(pos)), **row}]},
        {"u": [{"pos": f32(twice), **row}]},
        {"u": [{"pos": f32(once), **row}]},
    )


def contracted_everywhere() -> Sides:
    """Several numbers of one tick apart by one ulp each, and nothing else."""
    a = Lanes(3, {"x": ("f32", [0x3F000010, 0x3F100000, 0x3F200000]), "n": ("int", [1, 2, 3])})
    b = Lanes(3, {"x": ("f32", [0x3F000011, 0x3F0FFFFF, 0x3F200001]), "n": ("int", [1, 2, 3])})
    before = Lanes(3, {"x": ("f32", [0x3E000000] * 3), "n": ("int", [1, 2, 3])})
    return pairs({"u": before}, {"u": a}, {"u": b})


def denormals_flushed() -> Sides:
    """Denormals of side a are zero in b, in patterns and in decimals."""
    return pairs(
        {"x": f32(0), "y": token("0.0"), "z": 1},
        {"x": f32(0x00012345), "y": token("3.5e-320"), "z": 1},
        {"x": f32(0), "y": token("0.0"), "z": 1},
    )


def nan_of_other_bits() -> Sides:
    """A NaN with another sign."""
    return pairs({"x": f32(0)}, {"x": f32(0x7FC00000)}, {"x": f32(0xFFC00000)})


def zero_of_another_sign() -> Sides:
    """0.0 against -0.0."""
    return pairs({"x": token("1.0")}, {"x": token("0.0")}, {"x": token("-0.0")})


def flipped_bit() -> Sides:
    """One bit of one field, and the next tick agrees."""
    return pairs({"hp": 100, "x": 1}, {"hp": 100, "x": 1}, {"hp": 100 ^ 1 << 20, "x": 1}, {"hp": 100, "x": 1})


def saturated() -> Sides:
    """Q16.16 that stops at the limit in a and wraps in b."""
    return pairs({"x": q16(2**31 - 70_000)}, {"x": q16(2**31 - 1)}, {"x": q16(-(2**31) + 4_464)})


def tie_of_a_product() -> Sides:
    """A Q16.16 product that is an exact tie: 0.5 times 5 raw units is 2.5."""
    x, y, half_up, even = 32768, 5, 3, 2
    assert x * y * 2 == (half_up + even) * 65536
    row = {"a": q16(x), "b": q16(y)}
    return pairs({"r": [{**row, "p": q16(0)}]}, {"r": [{**row, "p": q16(half_up)}]}, {"r": [{**row, "p": q16(even)}]})


def ties_everywhere() -> Sides:
    """Integers one apart, odd in a and the even one below in b."""
    even = [2, 8, -4, 100, 6]
    return pairs({"v": [0] * 5}, {"v": [n + 1 for n in even]}, {"v": even})


def too_few_digits() -> Sides:
    """printf %g on one side."""
    return pairs({"x": token("1.5")}, {"x": token("0.123457")}, {"x": token("0.12345678806304932")})


def too_few_digits_on_both() -> Sides:
    """Every value agrees at six digits, the hash over the real bits does not."""
    fields = {"v": [token(text) for text in ("0.123457", "3.14159", "2.71828", "1.41421", "0.5")]}
    return [record(1, fields, hash="aa"), record(2, fields, hash="ab")], [
        record(1, fields, hash="aa"),
        record(2, fields, hash="ac"),
    ]


#: what is planted -> exactly the causes that may be named
PLANTED: list[tuple[Callable[[], Sides], set[str]]] = [
    (draw_more, {"draw_count"}),
    (rows_in_another_order, {"row_order"}),
    (contracted_row, {"contraction"}),
    (contracted_everywhere, {"contraction"}),
    (denormals_flushed, {"flush_to_zero"}),
    (nan_of_other_bits, {"nan_bits"}),
    (zero_of_another_sign, {"zero_sign"}),
    (flipped_bit, {"one_bit"}),
    (saturated, {"saturation"}),
    (tie_of_a_product, {"rounding_ties"}),
    (ties_everywhere, {"rounding_ties"}),
    (too_few_digits, {"text_digits"}),
    (too_few_digits_on_both, {"text_digits"}),
]


@pytest.mark.parametrize(("plant", "expected"), PLANTED, ids=lambda v: getattr(v, "__name__", ""))
@pytest.mark.parametrize("swapped", [False, True], ids=["a-b", "b-a"])
def test_found_where_planted_and_nowhere_else(plant: Callable[[], Sides], expected: set[str], swapped: bool) -> None:
    """A planted cause is named with its evidence, whichever side has it, and no other cause is."""
    a, b = plant()
    found = compared(b, a) if swapped else compared(a, b)
    assert found.verdict == "diverged"
    assert causes(found) == expected
    assert all(len(cause.evidence) > 20 for cause in found.causes)


def test_every_cause_is_planted() -> None:
    """No cause of the table is without a test that plants it."""
    assert {name for _, names in PLANTED for name in names} == set(CAUSES)


def test_evidence_names_the_fields_and_the_side() -> None:
    """Evidence is checkable: paths, bits and which side."""
    told = {cause.name: cause.evidence for plant, _ in PLANTED for cause in compared(*plant()).causes}
    assert "u[0].pos" in told["contraction"] or "u[" in told["contraction"]
    fused = compared(*contracted_row()).causes[0].evidence
    assert "pos + vel * 1/60" in fused
    assert "value of b" in fused
    assert "zero in b" in told["flush_to_zero"]
    assert "bit 20 of hp" in told["one_bit"]
    assert "Q16.16 in a" in told["saturation"]
    assert "9 are needed for a binary32, 17 for a binary64" in told["text_digits"]
    assert "7fc00000 / ffc00000" in told["nan_bits"]


#: pairs that look a little like a cause and are none
INNOCENT: dict[str, Callable[[], Sides]] = {
    "another integer": lambda: pairs({"hp": 100}, {"hp": 100}, {"hp": 99}),
    "an integer off by one that stays": lambda: pairs({"h": 0}, {"h": 1024}, {"h": 1025}),
    "one ulp in one field": lambda: pairs(
        {"y": token("1.0")}, {"y": token("3.25")}, {"y": token("3.2500000000000004")}
    ),
    "one ulp beside an integer": lambda: pairs(
        {"x": f32(0), "y": f32(0), "n": 0},
        {"x": f32(0x3F000000), "y": f32(0x3F000000), "n": 1},
        {"x": f32(0x3F000001), "y": f32(0x3F000001), "n": 2},
    ),
    "a decimal of other digits": lambda: pairs({"x": token("1.0")}, {"x": token("579.5")}, {"x": token("579.5001")}),
    "a shortest text beside its neighbour": lambda: pairs(
        {"x": token("1.0")}, {"x": token("0.3")}, {"x": token("0.30000000000000004")}
    ),
    "a number on one side only": lambda: pairs({"x": token("1.0")}, {"x": token("NaN")}, {"x": token("1.5")}),
    "a limit beside a small number": lambda: pairs({"x": 0}, {"x": 2**31 - 1}, {"x": 50}),
    "two even neighbours": lambda: pairs({"v": [0] * 4}, {"v": [2, 5, 7, 9]}, {"v": [3, 4, 8, 8]}),
    "a flag that stays": lambda: (
        [record(n, {"flags": 0}) for n in range(9)],
        [record(n, {"flags": 0 if n < 5 else 1 << 12}) for n in range(9)],
    ),
    "a hash alone": lambda: ([record(1, {"x": 1}, hash="aa")], [record(1, {"x": 1}, hash="ab")]),
    "strings": lambda: pairs({"s": "a"}, {"s": "0.123457"}, {"s": "0.12345678806304932"}),
    "zero against a normal number": lambda: pairs({"x": f32(1)}, {"x": f32(0)}, {"x": f32(0x3F123456)}),
    "denormals zero on both sides in turn": lambda: pairs(
        {"x": f32(1), "y": f32(1)}, {"x": f32(5), "y": f32(0)}, {"x": f32(0), "y": f32(9)}
    ),
    "a generator of unknown kind": lambda: (
        [record(1, {}, rng={"r": 123456789})],
        [record(1, {}, rng={"r": 987654321})],
    ),
}


@pytest.mark.parametrize("name", INNOCENT)
@pytest.mark.parametrize("swapped", [False, True], ids=["a-b", "b-a"])
def test_silent_without_evidence(name: str, swapped: bool) -> None:
    """What only resembles a cause is no cause."""
    a, b = INNOCENT[name]()
    found = compared(b, a) if swapped else compared(a, b)
    assert found.verdict == "diverged"
    assert found.causes == ()


def test_one_bit_of_a_lone_tick_says_what_it_does_not_know() -> None:
    """Without a next tick a high bit is told as one bit, with its doubt."""
    found = compared([record(1, {"hp": 100, "x": 1})], [record(1, {"hp": 100 | 1 << 30, "x": 1})])
    assert causes(found) == {"one_bit"}
    assert "no next tick" in found.causes[0].evidence


def test_saturation_of_integers_and_decimals() -> None:
    """The limits of i16, i32 and i64 count, and Q16.16 written as decimals."""
    for top in (2**15 - 1, 2**31 - 1, 2**63 - 1):
        assert "saturation" in causes(compared([record(1, {"x": top})], [record(1, {"x": -top + 5})]))
    a, b = token("32767.9999847412109375"), token("-32767.5")
    assert "saturation" in causes(compared([record(1, {"x": a})], [record(1, {"x": b})]))
    assert "saturation" in causes(compared([record(1, {"x": -(2**31)})], [record(1, {"x": 7})]))


def test_causes_stand_the_strangest_values() -> None:
    """No cause stumbles over infinities, NaN, huge integers, strings, groups or missing rows."""
    strange = [
        token("inf"), token("-inf"), token("NaN"), f32(0x7F800000), f32(0xFF800001), 10**400, -(10**400), "", "x" * 500,
        None, True, [1, 2], {"a": 1}, q16(-(2**31)), Scalar("f64", 0x7FF0000000000001, "x"), hashed("ff"),
        token("1e308"), token("5e-324"),
    ]  # fmt: skip
    for one in strange:
        for other in strange:
            for before in (one, token("1.0")):
                compared(
                    *pairs(
                        {"r": [{"id": 1, "v": before}]}, {"r": [{"id": 1, "v": one}]}, {"r": [{"id": 1, "v": other}]}
                    )
                )
