"""Columns of ids: which of them tells the rows of a tick apart, and what says that two rows are of two entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from detcheck.dumps import names

if TYPE_CHECKING:
    from detcheck.dumps.readers.table_layout import Layout


def telling_apart(columns: Sequence[str], body: list[list[str]], tick: int, key: int) -> int:
    """The key or, where two rows of a tick share one (units by their type), another id that no two of them share."""
    if _is_unique(body, tick, key):
        return key
    ranked = sorted((rank, i) for i, name in enumerate(columns) if (rank := names.id_rank(name)) is not None)
    others = [i for _, i in ranked if i not in (tick, key) and names.is_strong_id(columns[i])]
    runs = [[row for _, row in run] for _, run in groupby(((row[tick], row) for row in body), key=itemgetter(0))]
    if len(runs) == len({row[tick] for row in body}):
        free = (i for i in range(len(columns)) if i not in (tick, key))
        others += [i for i in free if all(_numbers(run, i) for run in runs[:-1] or runs)]
    return next((i for i in others if _is_unique(body, tick, i)), key)


def are_numbered(rows: list[list[str]], told: tuple[int | None, ...]) -> bool:
    """Whether a column numbers the rows of a tick one after the other: then none is another one computed again."""
    return any(_numbers(rows, i) for i in range(min(map(len, rows))) if i not in told)


def _numbers(rows: list[list[str]], place: int) -> bool:
    """Whether the cells of a column are whole numbers, each one more than the one above."""
    cells = [row[place].strip() for row in rows]
    if len(cells) < 2 or not all(cell.isascii() and cell.isdecimal() and len(cell) < 10 for cell in cells):
        return False
    return all(int(x) + 1 == int(y) for x, y in pairwise(cells))


def _is_unique(body: list[list[str]], tick: int, place: int) -> bool:
    return len({(row[tick], row[place]) for row in body}) == len(body)


def other_ids(columns: Sequence[str], told: tuple[int | None, ...]) -> list[int]:
    """Columns of ids beside the key: two rows that differ in one are two rows, and none is the other computed again."""
    return [i for i, name in enumerate(columns) if i not in told and names.is_strong_id(name)]


def agreed(layout: Layout, other: Layout | None) -> Layout:
    """The layout with the key that both sides of a pair can have: one of them may have had to take another id."""
    alike = other is not None and (other.columns, other.tick, other.sub) == (layout.columns, layout.tick, None)
    if other is None or not alike or layout.sub is not None or None in (layout.key, other.key):
        return layout
    keys = [key for key in (layout.key, other.key) if key is not None]
    ranks = [names.id_rank(layout.columns[key]) for key in keys]
    ranked = [(len(names.ID_WORDS) + 1 if rank is None else rank, key) for rank, key in zip(ranks, keys, strict=True)]
    return replace(layout, key=max(ranked)[1])
