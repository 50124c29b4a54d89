"""Whether two records that are not taken apart yet are equal, but for values that are left out anyway."""

from __future__ import annotations

from collections import Counter
from typing import Any

from detcheck.compare.diff import Diff
from detcheck.compare.fields import KIND_NAMES
from detcheck.compare.paths import child, part_of
from detcheck.dumps.names import id_rank, plain
from detcheck.dumps.readers.classify import HEADER_WORDS, is_field
from detcheck.model.unread import Unread


def equal_as_written(a: Unread, b: Unread, diff: Diff) -> bool:
    """Equal token by token, apart from what --ignore names, and background.

    False says nothing: the records are then compared field by field. What is left out is counted in `diff`.
    """
    if diff.options.only or diff.options.mapping:
        return False
    if a.tokens == b.tokens:
        diff.compared = a.values
        return True
    ignored: list[str] = []
    behind = 0
    stack: list[tuple[str, Any, Any]] = [("", a.tokens, b.tokens)]
    while stack:
        path, mine, theirs = stack.pop()
        if type(mine) is not tuple or type(theirs) is not tuple or len(mine) != len(theirs):
            return False
        for (name, x), (other, y) in zip(mine, theirs, strict=True):
            if name != other:
                return False
            if x == y:
                continue
            if not path and not is_field(name):
                return False
            where = child(path, name)
            if type(x) is tuple or type(x) is list:
                stack.append((where, x, y))
            elif type(y) is tuple or type(y) is list:
                return False
            elif where in diff.background:
                behind += 1
            elif diff.ignores(where):
                ignored.append(where)
            else:
                return False
    for where in ignored:
        diff.skip(where, differs=True)
    diff.behind += behind
    diff.compared = a.values - len(ignored)
    return True


#: a longer text may be the state of a generator
_LONGEST_VALUE = 64


def counted_as_written(a: Unread, b: Unread, diff: Diff) -> bool:
    """Counts what differs by its part, where that needs no nodes: the same names, and rows of the same ids in order.

    False says nothing and counts nothing.
    """
    if not diff.counting:
        return False
    parts: Counter[str] = Counter()
    stack: list[tuple[str, Any, Any]] = [("", a.tokens, b.tokens)]
    while stack:
        part, mine, theirs = stack.pop()
        if type(mine) is not type(theirs) or len(mine) != len(theirs):
            return False
        if type(mine) is list:
            if not _rows_of_one_order(mine, theirs):
                return False
            stack.extend((part, x, y) for x, y in zip(mine, theirs, strict=True) if x != y)
            continue
        for (name, x), (other, y) in zip(mine, theirs, strict=True):
            if name != other:
                return False
            if x == y:
                continue
            if not is_field(name) or name in KIND_NAMES or id_rank(name) is not None or plain(name) in HEADER_WORDS:
                return False
            if not part and name in diff.background and type(x) is not tuple and type(x) is not list:
                continue
            if type(x) is tuple or type(x) is list:
                stack.append((part or name, x, y))
            elif _is_other_value(x, y):
                parts[part or part_of(name)] += 1
            else:
                return False
    for part, number in parts.items():
        diff.count("field", part, number)
    diff.compared = a.values
    return True


def _rows_of_one_order(mine: list[Any], theirs: list[Any]) -> bool:
    """Whether lists are rows that pair by an id, which is the same and no other row's, place by place."""
    if not all(type(x) is tuple and type(y) is tuple for x, y in zip(mine, theirs, strict=True)):
        return False
    ids = next((name for name, _ in mine[0] if id_rank(name) is not None), None) if mine else None
    if ids is None:
        return False
    keys, others = ([dict(row).get(ids) for row in rows] for rows in (mine, theirs))
    return keys == others and len(set(map(repr, keys))) == len(keys)


def _is_other_value(x: Any, y: Any) -> bool:
    """Whether two tokens that are written otherwise are surely two values: 1 and 1.0 are one."""
    if type(x) is not type(y) or not isinstance(x, str | bytes) or max(len(x), len(y)) > _LONGEST_VALUE:
        return False
    if isinstance(x, str):
        return True
    return float(x) != float(y) or (x.lstrip(b"-").isdigit() and y.lstrip(b"-").isdigit() and int(x) != int(y))
