"""Whether two records that are not taken apart yet are equal, but for values that are left out anyway."""

from __future__ import annotations

from typing import Any

from detcheck.compare.diff import Diff
from detcheck.compare.paths import child
from detcheck.dumps.names import is_surely_writer, plain
from detcheck.dumps.readers.classify import HEADER_WORDS, is_field, writes_only
from detcheck.model.unread import Unread


def equal_as_written(a: Unread, b: Unread, diff: Diff) -> bool:
    """Equal token by token, apart from what --ignore names, background, and what names the writer.

    False says nothing: the records are then compared field by field. What is left out is counted in `diff`.
    """
    if diff.options.only or diff.options.mapping:
        return False
    if a.tokens == b.tokens:
        diff.compared = _compared(a)
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
            elif path or not writes_only(name):
                return False
    for where in ignored:
        diff.skip(where, differs=True)
    diff.behind += behind
    diff.compared = _compared(a) - len(ignored)
    return True


def _compared(record: Unread) -> int:
    """How many of its values are compared: all but those that name the writer."""
    aside = 0
    for name, value in record.tokens:
        if type(value) is not tuple:
            aside += type(value) is not list and writes_only(name)
        elif plain(name) in HEADER_WORDS:
            aside += sum(type(x) is not tuple and type(x) is not list and is_surely_writer(n) for n, x in value)
    return record.values - aside
