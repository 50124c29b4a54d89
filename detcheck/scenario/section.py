"""One table of a scenario file, read key by key; every fault is noted with its place and reading goes on."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, TypeVar

from detcheck.errors import DetcheckError, Where, visible
from detcheck.scenario.document import DecimalText, Document, FaultLog
from detcheck.scenario.positions import Path

_T = TypeVar("_T")

_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (int, "an integer"),
    (DecimalText, "a decimal"),
    (str, "a string"),
    (list, "an array"),
    (dict, "a table"),
    (type(None), "null"),
)


def kind_of(value: object) -> str:
    """What a TOML or JSON value is, in words: "an integer". bool comes before int, of which Python makes it a kind."""
    return next((name for kind, name in _NAMES if isinstance(value, kind)), "a date or time")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`did you mean "seed"?`, or the known names."""
    from difflib import get_close_matches

    names = list(known)
    close = get_close_matches(name[:100], names, 1, 0.6)
    return f'did you mean "{close[0]}"?' if close else f"known here: {', '.join(names)}"


class Section:
    """A table at `path` of a document. Values are taken by key and type; a missing or wrong one is None and a fault."""

    def __init__(self, document: Document, path: Path, values: dict[str, Any], faults: list[DetcheckError]) -> None:
        self.document = document
        self.path = path
        self.values = values
        self.faults = faults

    def fault(self, code: str, message: str, where: Where | None = None, hint: str | None = None) -> None:
        """Note a fault, of the whole section unless a place is given."""
        self.faults.append(DetcheckError(code, message, where or self.document.key(self.path), hint))

    def given_up(self) -> bool:
        """Whether more faults than are listed were found: then one more is counted, and looking on is not worth it."""
        if not isinstance(self.faults, FaultLog) or not self.faults.full:
            return False
        self.faults.dropped += 1
        return True

    def key_at(self, key: str) -> Where:
        """The place of a key of this section."""
        return self.document.key((*self.path, key))

    def value_at(self, key: str) -> Where:
        """The place of a key's value."""
        return self.document.value((*self.path, key))

    def refuse_unknown(self, known: Collection[str]) -> None:
        """A fault for every key that is not in `known`."""
        for key in self.values:
            if key not in known and not self.given_up():
                message = f'unknown key "{visible(key, 60)}" in {self.title}'
                self.fault("scenario.unknown_key", message, self.key_at(key), did_you_mean(key, known))

    @property
    def title(self) -> str:
        """The section as it is written: [scenario], [tables.unit], entry 3 of [[inputs]]."""
        if not self.path:
            return "the file"
        names = ".".join(visible(part, 60) for part in self.path if isinstance(part, str))
        if isinstance(self.path[-1], int):
            return f"entry {self.path[-1] + 1} of [[{names}]]"
        return f"[{names}]"

    def take(self, key: str, kind: type[_T], what: str, hint: str | None = None) -> _T | None:
        """The value of a key that has to be of `kind`; None and a fault when it is not, None when it is absent."""
        if key not in self.values:
            return None
        value = self.values[key]
        if isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool):
            return value
        message = f"{visible(key, 60)} is {kind_of(value)}, it has to be {what}"
        self.fault("scenario.type", message, self.value_at(key), hint)
        return None

    def required(self, key: str, example: str) -> bool:
        """Whether the key is there; a fault that shows an example when it is not."""
        if key in self.values:
            return True
        self.fault("scenario.missing_key", f"{self.title} has no {key}", None, f"for example: {example}")
        return False

    def string(self, key: str, what: str = "a string", hint: str | None = None) -> str | None:
        """A string, or None."""
        return self.take(key, str, what, hint)

    def integer(self, key: str, low: int, high: int, hint: str | None = None) -> int | None:
        """An integer in low..high, or None."""
        value = self.take(key, int, f"an integer {low} .. {high}", hint)
        if value is None or low <= value <= high:
            return value
        self.fault("scenario.range", f"{key} is {shown(value)}, it has to be {low} .. {high}", self.value_at(key), hint)
        return None

    def table(self, key: str, hint: str | None = None) -> Section | None:
        """A sub-table as a section; an empty one when it is absent, None when it is something else."""
        if key not in self.values:
            return None
        value = self.take(key, dict, "a table", hint)
        return None if value is None else Section(self.document, (*self.path, key), value, self.faults)


def shown(value: int) -> str:
    """An integer for a message: a huge one is not written out (Python would refuse it, too)."""
    return str(value) if value.bit_length() <= 256 else f"a number of {value.bit_length()} bits"
