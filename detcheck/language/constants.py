"""Exact constants: from their source text, and into cells. Used for literals, config constants and inputs alike."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Protocol

from detcheck.model.schema import Const

MAX_NUMBER_CHARACTERS = 64
MAX_EXPONENT = 99

INTEGER_RANGES: dict[str, tuple[int, int]] = {
    "i32": (-(2**31), 2**31 - 1),
    "u32": (0, 2**32 - 1),
    "angle": (0, 2**32 - 1),
}

_DECIMAL = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>(?:\d(?:_?\d)*)?)(?:\.(?P<part>(?:\d(?:_?\d)*)?))?(?:[eE](?P<exponent>[+-]?\d(?:_?\d)*))?\Z",
    re.ASCII,
)


class LiteralSource(Protocol):
    """What a backend has to give: detcheck.numbers.base.Backend does."""

    @property
    def number(self) -> str:
        """ "q16.16" or "f32"."""

    def literal(self, value: Fraction, negative_zero: bool = False) -> int:
        """The cell nearest to `value`; OverflowError out of range."""


def parse_decimal(text: str) -> Const:
    """The exact decimal written in `text`, optionally signed: "0.98", "-0.0", "1e-3".

    Raises ValueError with a clause for the user. Never through binary64. inf and nan are no decimals.
    """
    if len(text) > MAX_NUMBER_CHARACTERS:
        raise ValueError(f"is longer than {MAX_NUMBER_CHARACTERS} characters")
    match = _DECIMAL.match(text)
    if match is None or not (match["whole"] or match["part"]):
        raise ValueError("is not a decimal number")
    exponent = int((match["exponent"] or "0").replace("_", ""))
    if abs(exponent) > MAX_EXPONENT:
        raise ValueError(f"has an exponent beyond {MAX_EXPONENT}")
    part = (match["part"] or "").replace("_", "")
    digits = int(match["whole"].replace("_", "") + part or "0")
    power = exponent - len(part)
    value = digits * Fraction(10) ** power if power >= 0 else Fraction(digits, 10**-power)
    negative = match["sign"] == "-"
    return Const("d", -value if negative else value, negative and digits == 0)


def negated(const: Const) -> Const:
    """The constant after a minus sign. The minus applies after conversion: that of a zero is the negative zero."""
    zero = const.value == 0
    return Const(const.kind, -const.value, zero and not const.negative_zero)


def spelled(const: Const) -> list[str]:
    """["i", "64"] or ["d", "49/50"], lowest terms; "-0/1" is the negative zero (design: formats, Identity)."""
    sign = "-" if const.negative_zero else ""
    if const.kind == "i":
        return ["i", f"{sign}{const.value.numerator}"]
    return ["d", f"{sign}{const.value.numerator}/{const.value.denominator}"]


def shown(const: Const) -> str:
    """The constant for a message: a short decimal where it has one, else the quotient."""
    sign = "-" if const.value < 0 or const.negative_zero else ""
    value = abs(const.value)
    if const.kind == "i":
        return f"{sign}{value.numerator}"
    if value.denominator == 1 and value < 10**20:
        return f"{sign}{value.numerator}.0"
    for places in range(1, 21):
        if (value * 10**places).denominator == 1 and value < 10**20:
            digits = f"{(value * 10**places).numerator:0{places + 1}d}"
            return f"{sign}{digits[:-places]}.{digits[-places:]}"
    return sign + (_scientific(value) or f"{value.numerator}/{value.denominator}")


def _scientific(value: Fraction) -> str | None:
    """`3.4028235e38`: a decimal beyond twenty places either way; None when no power of ten makes it whole."""
    places = MAX_NUMBER_CHARACTERS + MAX_EXPONENT
    whole = value * 10**places
    if whole.denominator != 1:
        return None
    digits = str(whole.numerator)
    exponent = len(digits) - 1 - places
    kept = digits.rstrip("0")
    return f"{kept[0]}{'.' * (len(kept) > 1)}{kept[1:]}e{exponent}"


def integer_problem(const: Const, lane_type: str) -> str | None:
    """Why the constant is no value of an integer lane type, as a sentence; None when it is one."""
    if const.kind == "d":
        return f"{shown(const)} is a decimal, and a decimal is never an integer ({lane_type})"
    low, high = INTEGER_RANGES[lane_type]
    if not low <= const.value <= high:
        return f"{shown(const)} does not fit {lane_type} ({low} to {high})"
    return None


#: what a number format holds, for messages
NUMBER_RANGES: dict[str, str] = {
    "q16.16": "Q16.16 (-32768 to 32767.9999847412109375)",
    "f32": "binary32 (-3.4028234663852886e38 to 3.4028234663852886e38)",
}


def convert(const: Const, lane_type: str, backend: LiteralSource) -> int:
    """The cell of a constant as a `num`, `i32`, `u32` or `angle` lane.

    Raises OverflowError out of range, ValueError for a decimal that is wanted as an integer, both with a sentence.
    """
    if lane_type == "num":
        try:
            return backend.literal(const.value, negative_zero=const.negative_zero)
        except OverflowError:
            raise OverflowError(f"{shown(const)} does not fit {NUMBER_RANGES[backend.number]}") from None
    if lane_type not in INTEGER_RANGES:
        raise ValueError(f"a number is no {lane_type}")
    problem = integer_problem(const, lane_type)
    if problem is not None:
        raise ValueError(problem) if const.kind == "d" else OverflowError(problem)
    return const.value.numerator


def turn_cell(const: Const) -> int:
    """The angle of `const` turns: modulo one turn, nearest, ties to even (Python's round of a Fraction)."""
    return round((const.value % 1) * 2**32) % 2**32
