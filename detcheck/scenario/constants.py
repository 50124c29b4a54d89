"""Exact numbers of a scenario file: integers and decimals, never through binary64."""

from __future__ import annotations

from fractions import Fraction

from detcheck.errors import visible
from detcheck.language.constants import MAX_NUMBER_CHARACTERS, parse_decimal
from detcheck.model.schema import Const
from detcheck.scenario.document import DecimalText
from detcheck.scenario.section import kind_of

#: values kept for reuse; a script whose values all differ gains nothing from more, and pays in memory
SHARED_MAX = 1 << 16

_INTEGER_LIMIT = 10**MAX_NUMBER_CHARACTERS

#: what is wrong with a number: code, message
NumberFault = tuple[str, str]
Number = tuple[Const | None, NumberFault | None]


def number_const(value: object) -> Number:
    """The constant a number stands for (an int, or a float kept as DecimalText), or what is wrong with it."""
    if isinstance(value, DecimalText):
        try:
            return parse_decimal(value.text), None
        except ValueError as error:
            return None, ("scenario.number", f"{visible(value.text, 80)} {error}")
    if type(value) is not int:
        return None, ("scenario.type", f"this is {kind_of(value)}, it has to be an integer or a decimal")
    if abs(value) >= _INTEGER_LIMIT:
        return None, ("scenario.number", f"an integer of more than {MAX_NUMBER_CHARACTERS} digits")
    return Const("i", Fraction(value)), None


class ConstCache:
    """Constants by value and text: a long script repeats few numbers, and one object serves them all."""

    def __init__(self) -> None:
        self._known: dict[int | str, Number] = {}

    def number(self, value: object) -> Number:
        """As `number_const`."""
        key = value.text if isinstance(value, DecimalText) else value
        if type(value) is bool or not isinstance(key, int | str) or (key is value and isinstance(key, str)):
            return number_const(value)
        known = self._known.get(key)
        if known is None:
            known = number_const(value)
            if len(self._known) < SHARED_MAX:
                self._known[key] = known
        return known
