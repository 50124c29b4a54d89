"""What a comparison may be told: where to look, what to leave out, what to allow. Exact unless told otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from detcheck.compare.paths import Pattern, pattern
from detcheck.errors import DetcheckError, visible

#: findings kept of the first unlike tick; more are counted
KEEP_FINDINGS = 10_000
#: work after the divergence before the rest is left unread: one plain hash costs 1, a value 5
FOLLOW_WORK = 50_000

#: bounded, because Fraction("1e999999999") would fill the memory
_NUMBER = re.compile(r"(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][+-]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True)
class Tolerance:
    """Numbers at `path` may differ by at most `limit`, both ends included."""

    path: Pattern
    limit: Fraction
    text: str


@dataclass(frozen=True)
class Options:
    """`ticks` includes both ends; `mapping` renames names of a to those of b; `context` counts equal records."""

    ignore: tuple[Pattern, ...] = ()
    only: tuple[Pattern, ...] = ()
    tolerances: tuple[Tolerance, ...] = ()
    mapping: tuple[tuple[str, str], ...] = ()
    ticks: tuple[int | None, int | None] = (None, None)
    all: bool = False
    context: int = 3
    #: the key of rows that was asked for
    key_field: str | None = None

    @property
    def plain(self) -> bool:
        """Whether every field is compared, exactly and under its own name."""
        return not (self.ignore or self.only or self.tolerances or self.mapping)

    def includes(self, tick: int | None) -> bool:
        """Whether records of that tick are compared."""
        low, high = self.ticks
        return tick is None or ((low is None or tick >= low) and (high is None or tick <= high))


def make_options(
    *,
    ignore: Iterable[str] = (),
    only: Iterable[str] = (),
    tolerance: Iterable[str] = (),
    mapping: Iterable[str] = (),
    ticks: str | tuple[int | None, int | None] | None = None,
    all: bool = False,
    context: int = 3,
) -> Options:
    """Options from texts as on the command line. Raises DetcheckError naming the option and what would be right."""
    if context < 0:
        raise DetcheckError("options.context", f"--context {context}: expected 0 or more")
    return Options(
        ignore=_patterns("--ignore", ignore),
        only=_patterns("--only", only),
        tolerances=tuple(_tolerance(text) for text in tolerance),
        mapping=tuple(_renamed(text) for text in mapping),
        ticks=_ticks(ticks) if isinstance(ticks, str) else ticks or (None, None),
        all=all,
        context=context,
    )


def _patterns(option: str, texts: Iterable[str]) -> tuple[Pattern, ...]:
    found = []
    for text in texts:
        made = pattern(text)
        if not made.pieces:
            raise DetcheckError(
                "options.path", f"{option} {text!r}: expected a path", hint=f"as in {option} 'unit.*.hp'"
            )
        found.append(made)
    return tuple(found)


def _tolerance(text: str) -> Tolerance:
    path, equals, number = text.rpartition("=")
    limit = Fraction(number.strip()) if _NUMBER.fullmatch(number.strip()) else None
    if not equals or not path.strip() or limit is None:
        raise DetcheckError(
            "options.tolerance",
            f"--tolerance {visible(text)!r}: expected PATH=NUMBER, the number 0 or more",
            hint="as in --tolerance 'unit.*.pos=1e-6'",
        )
    return Tolerance(pattern(path), limit, text.strip())


def _renamed(text: str) -> tuple[str, str]:
    mine, equals, theirs = text.partition("=")
    if not equals or not mine.strip() or not theirs.strip():
        raise DetcheckError(
            "options.map", f"--map {visible(text)!r}: expected NAME_IN_A=NAME_IN_B", hint="as in --map local=remote"
        )
    return mine.strip(), theirs.strip()


def _ticks(text: str) -> tuple[int | None, int | None]:
    """`10:20` both ends included, `10:` and `:20` open, `10` that tick alone."""
    low, colon, high = (piece.strip() for piece in text.partition(":"))
    if not colon:
        high = low
    try:
        first, last = (int(end) if end else None for end in (low, high))
    except ValueError:
        first, last = 1, 0
    empty = first is None and last is None
    if empty or (first is not None and last is not None and first > last):
        raise DetcheckError(
            "options.ticks",
            f"--ticks {visible(text)!r}: expected FIRST:LAST, both included, FIRST not above LAST",
            hint="as in --ticks 100:120, --ticks 100: or --ticks 100",
        )
    return first, last
