"""Constants take their type from what stands beside them and their value from their text, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from language_env import BACKENDS, FIXED, FLOAT, WRAPPING, codes, program

from detcheck import numbers
from detcheck.language.constants import convert, negated, parse_decimal, shown, spelled, turn_cell
from detcheck.model.schema import Const


def constants(text: str, backend: str) -> list[tuple[int, str]]:
    """(cell, lane type) of each const op."""
    lowered = program(text, backend)
    return [(op.imm, lowered.types[op.dst[0]]) for op in lowered.ops if op.code == "const" and isinstance(op.imm, int)]


CELLS = {
    ("mass = 1", FIXED): [(65536, "num")],
    ("mass = 1", FLOAT): [(0x3F800000, "num")],
    ("mass = -32768", FIXED): [(-(2**31), "num")],
    ("mass = -32768", WRAPPING): [(-(2**31), "num")],
    ("mass = -0.0", FLOAT): [(0x80000000, "num")],
    ("mass = -0", FLOAT): [(0x80000000, "num")],
    ("mass = nothing", FLOAT): [(0x80000000, "num")],
    ("mass = -nothing", FLOAT): [(0, "num")],
    ("mass = -0.0", FIXED): [(0, "num")],
    ("mass = arena", FIXED): [(64 << 16, "num")],
    ("mass = -arena", FIXED): [(-64 << 16, "num")],
    ("mass = -(arena)", FIXED): [(-64 << 16, "num")],
    ("mass = -minus", FIXED): [(3 << 16, "num")],
    ("mass = dt", FIXED): [(1092, "num")],
    ("mass = -dt", FLOAT): [(0xBC888889, "num")],
    ("hp = hp + 1", FIXED): [(1, "i32")],
    ("hp = 1 - hp", FIXED): [(1, "i32")],
    ("seen = seen + 1", FIXED): [(1, "u32")],
    ("facing = facing + 1", FIXED): [(1, "angle")],
    ("facing = facing * -2", FIXED): [(-2, "i32")],
    ("facing = -2 * facing", FIXED): [(-2, "i32")],
    ("pos = 2 * pos", FIXED): [(131072, "num")],
    ("pos = pos * 2", FIXED): [(131072, "num")],
    ("pos = pos / arena", FIXED): [(64 << 16, "num")],
    ("mass = max(0, mass)", FIXED): [(0, "num")],
    ("mass = clamp(0, mass, 1)", FIXED): [(0, "num"), (65536, "num")],
    ("mass = lerp(0, 1, mass)", FIXED): [(0, "num"), (65536, "num")],
    ("mass = 1 if alive else 2", FIXED): [(65536, "num"), (131072, "num")],
    ("seen = 1 if alive else 2", FIXED): [(1, "u32"), (2, "u32")],
    ("hp = (1 + 2) * 3", FIXED): [(1, "i32"), (2, "i32"), (3, "i32")],
    ("mass = (1 + 2) * 3", FIXED): [(65536, "num"), (131072, "num"), (196608, "num")],
    ("pos = pos * (1 / 3)", FIXED): [(65536, "num"), (196608, "num")],
    ("alive = 1 < 2", FIXED): [(1, "i32"), (2, "i32")],
    ("alive = 1 < 2.5", FIXED): [(65536, "num"), (163840, "num")],
    ("alive = 1 / 2 == 2", FIXED): [(65536, "num"), (131072, "num")],
    ("x = 1", FIXED): [(1, "i32")],
    ("x = 0x_10", FIXED): [(16, "i32")],
    ("x = 0b101", FIXED): [(5, "i32")],
    ("x = 0o17", FIXED): [(15, "i32")],
    ("x = 1_000", FIXED): [(1000, "i32")],
    ("x = 1.", FIXED): [(65536, "num")],
    ("x = .5", FIXED): [(32768, "num")],
    ("x = 5e-1", FIXED): [(32768, "num")],
    ("x = 1 + 0.5", FIXED): [(65536, "num"), (32768, "num")],
    ("x = 1 if alive else 2.5", FIXED): [(65536, "num"), (163840, "num")],
    ("x = 1 / 2", FIXED): [(65536, "num"), (131072, "num")],
    ("x = abs(-5)", FIXED): [(-5, "i32")],
    ("x = --5", FIXED): [(-5, "i32")],
    ("x = damping", FIXED): [(64225, "num")],
    ("hp = roll(-arena, 3)", FIXED): [(-64, "i32"), (3, "i32")],
    ("hp = unit[3].hp", FIXED): [(3, "i32")],
    ("mass = num(40000)", FIXED): [(40000, "i32")],
    ("seen = u32(0xFFFFFFFF)", FIXED): [(0xFFFFFFFF, "u32")],
    ("seen = u32(-1)", FIXED): [(0xFFFFFFFF, "u32")],
    ("hp = i32(0xFFFFFFFF)", FIXED): [(-1, "i32")],
    ("hp = i32(-5)", FIXED): [(-5, "i32")],
    ("facing = angle(0xC0000001)", FIXED): [(0xC0000001, "u32")],
    ("hp = unit.rows", FIXED): [(40, "i32")],
    ("hp = rows", FIXED): [(40, "i32")],
    ("alive = True", FIXED): [(1, "bool")],
    ("facing = turn(0.25)", FIXED): [(0x40000000, "angle")],
    ("facing = turn(-0.25)", FIXED): [(0xC0000000, "angle")],
    ("facing = turn(3)", FLOAT): [(0, "angle")],
    ("mass = raw(-1)", FIXED): [(-1, "num")],
    ("mass = raw(0x7fffffff)", WRAPPING): [(2**31 - 1, "num")],
    ("mass = bits(0x7fc00001)", FLOAT): [(0x7FC00000, "num")],
    ("mass = bits(0x00000001)", FLOAT): [(1, "num")],
    ("mass = 0.1", FLOAT): [(0x3DCCCCCD, "num")],
    # just above the middle of two binary32 values: through binary64 it would fall to the even one below
    ("mass = 1.00000005960464477539062500000001", FLOAT): [(0x3F800001, "num")],
    ("mass = 1.000000059604644775390625", FLOAT): [(0x3F800000, "num")],
    # ties to even on Q16.16
    ("mass = 0.00000762939453125", FIXED): [(0, "num")],
    ("mass = 0.00002288818359375", FIXED): [(2, "num")],
}


@pytest.mark.parametrize(("text", "backend"), CELLS)
def test_constant_cells(text: str, backend: str) -> None:
    """A constant becomes the promised cell of the promised type."""
    assert constants(text, backend) == CELLS[text, backend]


def test_operators_of_constants_are_ops() -> None:
    """Constants are never folded: `1/3` is a pinned division, `--5` a pinned negation."""
    assert codes("mass = -(1 / 3)") == ["const", "const", "num.div", "num.neg", "store"]
    assert codes("hp = --5") == ["const", "i32.neg", "store"]
    assert codes("hp = -5") == ["const", "store"]
    assert codes("seen = u32(1 + 2)") == ["const", "const", "i32.add", "u32.from_i32", "store"]


def test_turn_is_nearest_ties_to_even() -> None:
    """turn(c): modulo one turn, nearest, ties to even, also across the full turn."""
    half = Fraction(1, 2**33)
    cases = {half: 0, 3 * half: 2, 5 * half: 2, 1 - half: 0, -half: 0, -3 * half: 2**32 - 2, Fraction(7, 3): 0x55555555}
    assert {value: turn_cell(Const("d", value)) for value in cases} == cases


DECIMALS = {
    "0.98": Fraction(49, 50),
    "+1.5": Fraction(3, 2),
    "-1_0.2_5": Fraction(-41, 4),
    "1e99": Fraction(10**99),
    "1E-99": Fraction(1, 10**99),
    ".5": Fraction(1, 2),
    "5.": Fraction(5),
    "1e1_0": Fraction(10**10),
    "00.10": Fraction(1, 10),
}


@pytest.mark.parametrize("text", DECIMALS)
def test_decimals_are_exact(text: str) -> None:
    """A decimal's value is that of its text."""
    assert parse_decimal(text) == Const("d", DECIMALS[text])


@pytest.mark.parametrize("text", ["-0.0", "-0e5", "-.0"])
def test_negative_zero_is_kept(text: str) -> None:
    """A decimal zero after a minus is the negative zero."""
    assert parse_decimal(text) == Const("d", Fraction(0), True)


@pytest.mark.parametrize(
    "text",
    ["", ".", "-", "e5", "1e", "inf", "nan", "1__0", "_1", "1_", "1e100", "1e-100", "0x1", "1.5f", " 1", "1 ", "٣.5"],
)
def test_what_is_no_decimal(text: str) -> None:
    """Anything else is a ValueError with a clause."""
    with pytest.raises(ValueError, match=r"^(is|has) "):
        parse_decimal(text)


def test_long_decimal_is_refused() -> None:
    """64 characters are the limit."""
    assert parse_decimal("0." + "1" * 62)
    with pytest.raises(ValueError, match="longer than 64"):
        parse_decimal("0." + "1" * 63)


def test_minus_toggles_the_negative_zero() -> None:
    """A minus negates the value; of a zero it toggles the sign."""
    zero = Const("d", Fraction(0))
    assert negated(zero) == Const("d", Fraction(0), True)
    assert negated(negated(zero)) == zero
    assert negated(Const("i", Fraction(5))) == Const("i", Fraction(-5))


@pytest.mark.parametrize("backend", BACKENDS)
def test_convert_judges_ranges(backend: str) -> None:
    """Out of range is an OverflowError, a decimal for an integer a ValueError, both with a sentence."""
    number = numbers.get(backend)
    assert convert(Const("i", Fraction(-(2**31))), "i32", number) == -(2**31)
    assert convert(Const("i", Fraction(2**32 - 1)), "angle", number) == 2**32 - 1
    for value, lane_type in ((2**31, "i32"), (-1, "u32"), (2**32, "angle"), (10**60, "num")):
        with pytest.raises(OverflowError, match="does not fit"):
            convert(Const("i", Fraction(value)), lane_type, number)
    with pytest.raises(ValueError, match="decimal"):
        convert(Const("d", Fraction(1)), "u32", number)
    with pytest.raises(ValueError, match="no bool"):
        convert(Const("i", Fraction(1)), "bool", number)


def test_constants_are_spelled_in_lowest_terms() -> None:
    """The hash's spelling: integers, quotients in lowest terms, the negative zero."""
    assert spelled(Const("i", Fraction(64))) == ["i", "64"]
    assert spelled(Const("d", Fraction(98, 100))) == ["d", "49/50"]
    assert spelled(Const("d", Fraction(-3))) == ["d", "-3/1"]
    assert spelled(Const("d", Fraction(0), True)) == ["d", "-0/1"]


def test_constants_are_shown_short() -> None:
    """Messages show decimals where they are short."""
    assert [shown(parse_decimal(text)) for text in ("0.98", "-1.5", "3.0", "-0.0", "1e30")] == [
        "0.98",
        "-1.5",
        "3.0",
        "-0.0",
        "1e30",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3.4028235e38", "3.4028235e38"),
        ("1e-45", "1e-45"),
        ("-1e-30", "-1e-30"),
        ("0.98", "0.98"),
        ("40000.0", "40000.0"),
    ],
)
def test_a_decimal_is_shown_as_people_write_it(text: str, words: str) -> None:
    """However far from one, a decimal in a message is a decimal, not a quotient."""
    assert shown(parse_decimal(text)) == words
