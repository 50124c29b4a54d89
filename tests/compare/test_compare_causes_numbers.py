"""Causes in numbers: texts of few digits, ties, limits, flushed zeros, each in the many shapes it comes in."""

from __future__ import annotations

import pytest
from made import causes, compared, one, pairs, q16, record, token

from detcheck.model.record import Record


def columns(*ticks: list[str]) -> list[Record]:
    """A tick for each list: a row for each number, under one name."""
    return [
        record(n, {"u": [{"id": i, "x": token(text)} for i, text in enumerate(row)]}) for n, row in enumerate(ticks)
    ]


EXACT = [12.3456789, 0.0412345678, -7.86543219, 45.0312345, 3.14159265]


@pytest.mark.parametrize("form", ["%.3f", "%.4f", "%.6f", "%g", "%.7g", "%.8g"])
@pytest.mark.parametrize("full", ["%.9g", "%.17g"])
def test_a_writer_of_few_digits(form: str, full: str) -> None:
    """Whatever the form, decimals or digits, a side whose every number is the other's, rounded, is named."""
    a, b = columns([form % x for x in EXACT]), columns([full % x for x in EXACT])
    assert causes(compared(a, b)) == causes(compared(b, a)) == {"text_digits"}


def test_a_binary32_printed_as_a_binary64() -> None:
    """0.1 and 0.10000000149011612 are one binary32 in two texts."""
    assert causes(one({"x": token("0.1")}, {"x": token("0.10000000149011612")})) == {"text_digits"}


@pytest.mark.parametrize(
    ("a", "b"), [("-45.03125", "-45.031254"), ("52.7887", "52.788704"), ("0.5751337", "0.57513374")]
)
def test_neighbours_in_shortest_text_are_no_cut_text(a: str, b: str) -> None:
    """Of two binary32 one ulp apart the shorter text often is the longer one's, rounded; nothing was cut."""
    before = ["-31.251259", "17.003472", "0.62510693"]
    rest = before[1:]
    found = compared(columns(before, [a, *rest], [a, *rest]), columns(before, [b, *rest], [b, *rest]))
    assert not found.causes
    assert not compared(columns([a]), columns([b])).causes


def test_decimals_that_all_break_off() -> None:
    """Numbers that all have two decimals are cut; halves and quarters are complete."""
    texts = ["12.35", "0.04", "-7.87", "45.03"]
    for fields, expected in ((texts, {"text_digits"}), (["12.25", "0.50", "-7.75", "45.00"], set())):
        state = {"v": [token(text) for text in fields]}
        a = [record(1, state, hash="aa"), record(2, state, hash="ab")]
        b = [record(1, state, hash="aa"), record(2, state, hash="ac")]
        assert causes(compared(a, b)) == expected


@pytest.mark.parametrize(
    ("row", "a", "b"),
    [
        ({"x": 100, "v": 5, "k": 32768}, 3, 2),
        ({"x": 100, "v": 5, "k": 32768}, 103, 102),
        ({"x": 101, "v": 5, "k": 32768}, 104, 103),
        ({"x": 100, "v": -5, "k": 32768}, -2, -3),
        ({"x": 9, "v": 5, "d": 131072}, 3, 2),
        ({"x": 9, "v": 70_001}, 35_001, 35_000),
    ],
    ids=["product", "added", "added to an odd one", "negative", "quotient", "half"],
)
def test_ties_of_every_kind(row: dict[str, int], a: int, b: int) -> None:
    """A product, a quotient, a half, alone or added to the value before: an exact tie between the sides is named."""
    fields = {name: q16(value) for name, value in row.items()}
    mine, theirs = {**fields, "x": q16(a)}, {**fields, "x": q16(b)}
    sides = pairs({"r": [fields]}, {"r": [mine]}, {"r": [theirs]})
    assert causes(compared(*sides)) == {"rounding_ties"}
    assert "exact tie" in compared(*sides).causes[0].evidence


def test_a_value_that_stayed_was_not_rounded() -> None:
    """Integers of which one side did not change in this tick are off by one, not rounded."""
    before = [127, 109, 145, 69]
    assert not compared(*pairs({"v": before}, {"v": before}, {"v": [n - 1 for n in before]})).causes


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_unsigned_numbers_stop_at_zero_or_wrap(bits: int) -> None:
    """0 beside a number just below the top of an unsigned type: one side stopped. The top itself means "none"."""
    assert causes(one({"gold": 0}, {"gold": (1 << bits) - 8})) == {"saturation"}
    assert "saturation" not in causes(one({"target": 0}, {"target": (1 << bits) - 1}))
    assert "saturation" not in causes(one({"target": -1}, {"target": (1 << bits - 1) - 1}))


def test_a_product_that_wrapped_to_the_same_sign() -> None:
    """Low bits of a product beside the limit are a wrap though the sign is the same."""
    row = {"v": q16(300 << 16), "k": q16(300 << 16)}
    wrapped = (300 * 300 * 65536 + 2**31) % 2**32 - 2**31
    assert wrapped > 0
    before, mine, theirs = ({"r": [{"x": q16(x), **row}]} for x in (5, 2**31 - 1, wrapped))
    assert causes(compared(*pairs(before, mine, theirs))) == {"saturation"}


def test_zeros_without_a_point_and_sign_bits() -> None:
    """A flushed denormal may be written 0; the sign bit of a Q16.16 flips alone."""
    assert causes(one({"x": token("1.2e-41")}, {"x": 0})) == {"flush_to_zero"}
    assert causes(compared(*pairs({"x": q16(5)}, {"x": q16(-77)}, {"x": q16(2**31 - 77)}, {"x": q16(5)}))) == {
        "one_bit"
    }


def test_a_change_that_comes_a_tick_later_is_no_flip() -> None:
    """6 becomes 7 a tick later on one side: one bit differs for one tick, and nothing flipped."""
    a = [record(t, {"wave": 6 if t < 5 else 7, "x": 1}) for t in range(9)]
    b = [record(t, {"wave": 6 if t < 6 else 7, "x": 1}) for t in range(9)]
    assert not compared(a, b).causes
    assert not compared(b, a).causes


def test_a_binary32_denormal_with_the_digits_of_a_binary64() -> None:
    """A denormal binary32 is one in whatever digits it is printed; a tiny binary64 is not."""
    assert causes(one({"x": token("9.68889988098858e-39")}, {"x": token("0.0")})) == {"flush_to_zero"}
    assert not one({"x": token("9.68889988098859e-39")}, {"x": token("0.0")}).causes
