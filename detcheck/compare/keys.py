"""The child by which the rows of two lists pair: one that tells the rows of both sides apart.

A column that stops doing so on one side, by the divergence itself, must not take its rows with it: another id then
pairs them, if it leaves fewer of them alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from detcheck.compare.scalars import key, same
from detcheck.dumps.names import PART_WORDS, id_rank, plain
from detcheck.model.record import Group, Items, Node, Scalar

_Value = tuple[object, ...]


def chosen_key(a: Items, b: Items, told: str | None = None) -> str | None:
    """The key of two lists: what their readers say, else what is found, unless another fits both sides better."""
    if told is not None and (told == a.key or told in _shared(a.items, b.items)):
        return told
    hint = a.key or b.key or detect_key(a.items, b.items)
    if hint is None:
        return None
    mine, theirs = _by_value(hint, a.items), _by_value(hint, b.items)
    if mine is None or theirs is None:
        other = None if b.key in (None, hint) else b.key
        return other or _instead(hint, a.items, b.items)
    if mine.keys() == theirs.keys():
        return hint
    return _closer(hint, mine, theirs, a.items, b.items)


def _instead(hint: str, a: Sequence[Node], b: Sequence[Node]) -> str:
    """Where the key is there twice on one side: the one that leaves the fewest rows alone, an id before any other."""
    ranked = []
    for place, name in enumerate(_shared(a, b)):
        rank = id_rank(name)
        mine, theirs = _by_value(name, a), _by_value(name, b)
        if name == hint or mine is None or theirs is None:
            continue
        alone = len(mine.keys() ^ theirs.keys())
        if rank is not None and alone < len(mine):
            ranked.append((alone, rank, place, name))
        elif not alone and _rising(mine) and _rising(theirs):
            ranked.append((0, 1_000, place, name))  # rows that are numbered, whatever the number is called
    return min(ranked)[3] if ranked else hint


def _closer(
    hint: str, mine: dict[_Value, Group], theirs: dict[_Value, Group], a: Sequence[Node], b: Sequence[Node]
) -> str:
    """Where the key leaves rows alone: another id that pairs these, and all others as the key does.

    Rows that so pair have to agree in most of what else they hold: else one has gone and another one has come.
    """
    alone = len(mine.keys() ^ theirs.keys())
    best = (alone, hint)
    for name in _shared(a, b):
        if name == hint or id_rank(name) is None:
            continue
        one, other = _by_value(name, a), _by_value(name, b)
        if one is None or other is None or len(one.keys() ^ other.keys()) >= best[0]:
            continue
        if all(_fits(row, other.get(value), (hint, name), mine, theirs) for value, row in one.items()):
            best = (len(one.keys() ^ other.keys()), name)
    return best[1]


def _fits(
    row: Group, partner: Group | None, keys: tuple[str, str], mine: dict[_Value, Group], theirs: dict[_Value, Group]
) -> bool:
    """Whether the second of two keys pairs a row as the first does, or with one that the first leaves alone too."""
    value = _value(row, keys[0])
    keyed = theirs.get(value) if value is not None else None
    if keyed is not None or partner is None:
        return keyed is partner
    if _value(partner, keys[0]) in mine:
        return False
    rest = [name for name in row.items if name in partner.items and name not in keys]
    alike = sum(_alike(row.items[name], partner.items[name]) for name in rest)
    return 2 * alike >= len(rest)


def _alike(a: Node, b: Node) -> bool:
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return same(a, b)
    try:
        return a == b
    except RecursionError:
        return False


def _shared(a: Sequence[Node], b: Sequence[Node]) -> list[str]:
    """Children that the first rows of both sides have."""
    if not (a and b and isinstance(a[0], Group) and isinstance(b[0], Group)):
        return []
    return [name for name in a[0].items if name in b[0].items]


def _value(row: Node, name: str) -> _Value | None:
    found = row.items.get(name) if isinstance(row, Group) else None
    return key(found) if isinstance(found, Scalar) and found.kind != "null" else None


def _by_value(name: str, rows: Sequence[Node]) -> dict[_Value, Group] | None:
    """The rows by that child; None when one lacks it or two share a value."""
    found: dict[_Value, Group] = {}
    for row in rows:
        value = _value(row, name)
        if value is None or not isinstance(row, Group):
            return None
        found[value] = row
    return found if len(found) == len(rows) else None


def _rising(rows: dict[_Value, Group]) -> bool:
    """Whether the values stand in their order, as numbers of rows do."""
    kinds = {str(value[0]) for value in rows}
    return len(kinds) == 1 and list(rows) == sorted(rows)


def detect_key(a: Sequence[Node], b: Sequence[Node]) -> str | None:
    """A child that every row of both sides has, with a value of its own on each side, and shared by some rows."""
    if not (a and b and all(isinstance(item, Group) for item in (*a, *b))):
        return None
    first = a[0]
    assert isinstance(first, Group)
    ranked = [(rank, name) for name in first.items if (rank := id_rank(name)) is not None]
    for _, name in sorted(ranked):
        mine, theirs = _values(name, a), _values(name, b)
        if mine is None or theirs is None:
            continue
        if mine & theirs or len(a) == len(b) == 1:
            return name
    return _part_key(a, b)


def _part_key(a: Sequence[Node], b: Sequence[Node]) -> str | None:
    """A name of parts (components by their type), each there once and all those of one side on the other."""
    first = a[0]
    assert isinstance(first, Group)
    for name in sorted(name for name in first.items if plain(name) in PART_WORDS):
        mine, theirs = _values(name, a), _values(name, b)
        if mine and theirs and (mine <= theirs or theirs <= mine) and len(mine | theirs) > 1:
            return name
    return None


def _values(name: str, items: Sequence[Node]) -> set[_Value] | None:
    """The values of that child, None when one is missing, no value, or there twice."""
    found = set()
    for item in items:
        assert isinstance(item, Group)
        value = item.items.get(name)
        if not isinstance(value, Scalar) or value.kind in ("null", "float"):
            return None
        found.add(key(value))
    return found if len(found) == len(items) else None
