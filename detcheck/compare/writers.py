"""Values named for the one who wrote a dump (host, peer, pid): the writer's where the sides differ at first sight.

One that is equal on both sides at first and parts later does not name the writer: it is compared like any field.
"""

from __future__ import annotations

from detcheck.compare.diff import Diff
from detcheck.compare.scalars import same
from detcheck.dumps.names import is_surely_writer, plain
from detcheck.dumps.readers.classify import HEADER_WORDS, writes_only
from detcheck.model.comparison import Finding
from detcheck.model.record import Group, Record

#: ticks at which a time stamp has to be equal on both sides to be no clock; and numbers that are seconds since 1970
_STEADY, _EPOCH = 8, 10**9


def names_writer(path: str) -> bool:
    """Whether a path of a field is a writer's name: at the top, or in the header of a record."""
    if writes_only(path):
        return True
    head, dot, name = path.partition(".")
    return bool(dot) and plain(head) in HEADER_WORDS and is_surely_writer(name)


def first_seen(diff: Diff, first: bool, before: tuple[Record, Record] | None) -> frozenset[str]:
    """The paths of writers' names that differ where both sides are first seen to have them, or that one side lacks."""
    return frozenset(
        f.path
        for f in diff.found["field"]
        if names_writer(f.path)
        and (first or f.kind != "value" or (before is not None and not all(_has(one, f.path) for one in before)))
    )


def _has(record: Record, path: str) -> bool:
    head, dot, name = path.partition(".")
    node = record.fields.items.get(head)
    return node is not None and (not dot or (isinstance(node, Group) and name in node.items))


def steady(a: Record, b: Record, diff: Diff, common: int) -> frozenset[str]:
    """Time stamps that have been equal for many ticks, are no date, and no equal hash says that they are noise."""
    found = frozenset(f.path for f in diff.found["field"] if names_writer(f.path) and _is_small(f))
    if common <= _STEADY or not found:
        return frozenset()
    names = [name for name in a.hashes if name in b.hashes]
    return frozenset() if names and all(same(a.hashes[name], b.hashes[name]) for name in names) else found


def _is_small(finding: Finding) -> bool:
    return all(isinstance(one.value, int | float) and abs(one.value) < _EPOCH for one in (finding.a, finding.b))
