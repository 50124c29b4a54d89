"""`detcheck.diff(a, b)`: open two sides, compare, give one Comparison."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from os import PathLike, fspath
from typing import BinaryIO

from detcheck.compare.compare import compare
from detcheck.compare.options import Options, make_options
from detcheck.dumps.options import ReadOptions, parse_types
from detcheck.dumps.pair import open_pair
from detcheck.model.comparison import Comparison

Given = str | PathLike[str] | BinaryIO


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
    """Compare two dumps, hash streams, goldens or folders of them: paths, `-` for standard input, or open binary files.

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
    """Open and compare. Where the sides have unlike numbers of sessions, the pairing that agrees longest counts."""
    source_a, source_b = open_pair(a, b, reading)
    return compare(source_a, source_b, options)


__all__ = ["diff", "diff_sides", "replace"]
