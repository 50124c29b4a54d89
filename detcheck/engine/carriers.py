"""How generated Python carries a num: as its cell, as the raw in binary64, or as the number in binary32.

A binary32 cell's number is carried as Python's own number (binary64) and passes through a cell of an array of binary32
after each op, which is one exact rounding (see numbers/float_pinned_32). A Q16.16 raw in binary64 is a whole number
below 2^32, exact, and the ops on it round through 1.5 * 2^52 (see templates.py); it is taken only where binary64 is
found to be as it has to be when the replay begins, since the fixed backends lean on nothing of the machine otherwise.
"""

from __future__ import annotations

from array import array
from typing import Any

#: binary32 operands that one call can take
_CELLS = 4


class Plain:
    """A num is its cell, a Python integer."""

    def carried(self, cells: list[int]) -> Any:
        """A column of carried values; for plain cells the list itself."""
        return cells

    def cells(self, column: Any) -> list[int]:
        """The cells of a column."""
        return list(column)

    def constant(self, cell: int) -> str:
        """The text of a constant."""
        return str(cell) if cell >= 0 else f"({cell})"

    def argument(self, position: int, name: str) -> tuple[str, str]:
        """(a line to put before, expression) that gives a method of the backend the cell of a carried value."""
        return "", name

    def result(self, call: str) -> tuple[str, str]:
        """(a line to put before, expression) that carries the cell which a method gives."""
        return "", call

    def names(self) -> dict[str, Any]:
        """What the generated text needs in its namespace."""
        return {}


class Whole(Plain):
    """A Q16.16 raw as a whole number in binary64."""

    def carried(self, cells: list[int]) -> Any:
        return array("d", cells).tolist()

    def cells(self, column: Any) -> list[int]:
        return list(map(int, column))

    def constant(self, cell: int) -> str:
        return f"{cell}.0" if cell >= 0 else f"({cell}.0)"

    def argument(self, position: int, name: str) -> tuple[str, str]:
        return "", f"int({name})"

    def result(self, call: str) -> tuple[str, str]:
        return "", f"{call} + 0.0"


class Binary32(Plain):
    """The number of a binary32 cell; columns are arrays of binary32, which hold NaN bits as they come."""

    def __init__(self) -> None:
        self._f = array("f", bytes(4 * _CELLS))
        self._m = memoryview(self._f).cast("B").cast("I")
        self._constants: dict[str, Any] = {}

    def carried(self, cells: list[int]) -> Any:
        return array("f", array("I", cells).tobytes())

    def cells(self, column: Any) -> list[int]:
        return array("I", column.tobytes()).tolist()

    def constant(self, cell: int) -> str:
        name = f"k{cell}"
        self._constants[name] = self.carried([cell])[0]
        return name

    def argument(self, position: int, name: str) -> tuple[str, str]:
        return f"f[{position}] = {name}", f"m[{position}]"

    def result(self, call: str) -> tuple[str, str]:
        return f"m[0] = {call}", "f[0]"

    def names(self) -> dict[str, Any]:
        return {"f": self._f, "m": self._m, **self._constants}


#: carrier by the name a form of templates.py gives it
CARRIERS: dict[str, type[Plain]] = {"plain": Plain, "whole": Whole, "binary32": Binary32}
