"""`detcheck.diff(a, b)`: open two sides, compare, give one Comparison."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from os import PathLike, fspath
from typing import BinaryIO

from detcheck.compare.compare import compare_sessions
from detcheck.compare.options import Options, make_options
from detcheck.compare.told_fields import KeyWatch, field_fault
from detcheck.compare.unmatched import TypesWatch
from detcheck.compare.verdict import DIVERGED, ENDS_EARLY, INCONCLUSIVE, SAME
from detcheck.dumps.options import ReadOptions, parse_types
from detcheck.dumps.pair import open_pair
from detcheck.model.comparison import Comparison

Given = str | PathLike[str] | BinaryIO

#: sessions of the longer side that are tried as partners
MAX_SESSIONS = 16
_RANK = {SAME: 3, ENDS_EARLY: 2, DIVERGED: 1, INCONCLUSIVE: 0}


def diff(
    a: Given,
    b: Given,
    *,
    reader: str | None = None,
    tick_field: str | None = None,
    key_field: str | None = None,
    types: Iterable[str] = (),
    ignore: Iterable[str] = (),
    only: Iterable[str] = (),
    tolerance: Iterable[str] = (),
    mapping: Iterable[str] = (),
    ticks: str | tuple[int | None, int | None] | None = None,
    all: bool = False,
    context: int = 3,
) -> Comparison:
    """Compare two dumps, hash streams, goldens or folders of them: paths, `-` for standard input, or binary files.

    `reader`, `tick_field`, `key_field` and `types` override what is sniffed; `ignore`, `only` and `tolerance` name
    fields by path; `mapping` holds `name_in_a=name_in_b`; `ticks` includes both ends; `all` reads on to the end after
    the divergence. Raises DetcheckError for what cannot be read and for malformed options.
    """
    reading = ReadOptions(reader=reader, tick_field=tick_field, key_field=key_field, types=parse_types(types))
    options = make_options(
        ignore=ignore, only=only, tolerance=tolerance, mapping=mapping, ticks=ticks, all=all, context=context
    )
    return diff_sides(_given(a), _given(b), reading, options)


def _given(side: Given) -> str | BinaryIO:
    return fspath(side) if isinstance(side, (str, PathLike)) else side


def diff_sides(a: str | BinaryIO, b: str | BinaryIO, reading: ReadOptions, options: Options) -> Comparison:
    """Open and compare. Where one side has more sessions, they are paired so that they agree longest."""
    if options.mapping or options.ticks != (None, None):  # equal lines are not equal, or not asked for
        reading = replace(reading, step_over=False, skip_equal=reading.skip_equal and not options.mapping)
    options = replace(options, key_field=reading.key_field)
    pair = open_pair(a, b, reading)
    keyed, typed = KeyWatch(reading.key_field, pair), TypesWatch(reading.types, pair)
    found, sessions = compare_sessions(*pair, options)
    told_field = field_fault(found, reading.tick_field)
    if told_field is not None:
        return told_field
    if keyed.unseen or typed.notes:
        found = replace(found, notes=(*found.notes, *([keyed.unseen] if keyed.unseen else []), *typed.notes))
    if sessions[0] == sessions[1] or found.verdict == SAME or not (_again(a) and _again(b)):
        return found
    best, told = found, ""
    for skip in _skips(sessions):
        other, _ = compare_sessions(*open_pair(a, b, replace(reading, skip_equal=False)), options, skip)
        if _score(other) > _score(best):
            best = other
            longer, first = ("a", skip[0]) if skip[0] else ("b", skip[1])
            told = (
                f"{longer} has more sessions; compared from its session {first + 1} on, where the sides agree longest"
            )
    return replace(best, notes=(told, *best.notes)) if told else best


def _again(side: str | BinaryIO) -> bool:
    """Whether it can be read a second time."""
    return isinstance(side, str) and side != "-" and (os.path.isfile(side) or os.path.isdir(side))


def _skips(sessions: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for first in range(1, min(MAX_SESSIONS, abs(sessions[0] - sessions[1]) + 1)):
        yield (first, 0) if sessions[0] > sessions[1] else (0, first)


def _score(found: Comparison) -> tuple[int, int, int]:
    """The better pairing of sessions: by verdict, then by how long they agree."""
    last = found.last_equal_tick
    return (_RANK[found.verdict], 0 if last is None else 1, 0 if last is None else last)
