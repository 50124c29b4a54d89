"""Comparing two records of one tick: inputs, generators, events, fields, and the hashes last: they are derived."""

from __future__ import annotations

from detcheck.compare.diff import Diff
from detcheck.compare.events import compare_events
from detcheck.compare.fields import compare_nodes
from detcheck.compare.nodes import record_leaves
from detcheck.compare.options import KEEP_FINDINGS, Options
from detcheck.compare.renaming import renamed_record
from detcheck.compare.rng_hoist import hoisted
from detcheck.compare.rng_streams import compare_streams, note_counts
from detcheck.compare.scalars import ABSENT, same
from detcheck.model.comparison import Finding
from detcheck.model.record import Group, Record, Scalar
from detcheck.model.unread import Unread

#: the name of the whole state's hash: it follows the parts', of which it is made
WHOLE = "hash"


def compare_records(expected: Record, actual: Record, options: Options | None = None) -> tuple[Finding, ...]:
    """Every difference of two records of one tick, in the order they are reported. Their ticks are not looked at."""
    return diff_records(expected, actual, options or Options()).findings


def diff_records(
    a: Record,
    b: Record,
    options: Options,
    keep: int = KEEP_FINDINGS,
    background: frozenset[str] = frozenset(),
    watch: frozenset[str] = frozenset(),
) -> Diff:
    """The differences of two records, at most `keep` of each class held; paths of `background` are left out."""
    if isinstance(a, Unread) and isinstance(b, Unread) and not watch:
        from detcheck.compare.as_written import counted_as_written, equal_as_written
        from detcheck.dumps.readers.classify import writes_only

        diff = Diff(options, keep)
        diff.background = background
        diff.counting = diff.counting and all("." not in path and writes_only(path) for path in background)
        if equal_as_written(a, b, diff) or counted_as_written(a, b, diff):
            return diff
    diff = Diff(options, keep, a.derived | b.derived)
    diff.background = background
    diff.watch = watch
    diff.counting = diff.counting and not background and not watch
    if options.mapping:
        a = renamed_record(a, options.mapping)
    if options.plain and not watch and _equal(a, b):
        diff.compared = record_leaves(a)
        return diff
    a, b = hoisted(a), hoisted(b)
    if bool(a.events) != bool(b.events) or a.fields.items.keys() != b.fields.items.keys():
        from detcheck.compare.tables import same_tables

        a, b = same_tables(a, b)
    if _hashes_only(a) != _hashes_only(b):
        diff.state_only = "b" if _hashes_only(a) else "a"
    else:
        if a.inputs is not None or b.inputs is not None:
            _compare_inputs(a, b, diff)
        compare_streams(a.rng, b.rng, diff)
        compare_events(a.events, b.events, diff)
        note_counts(diff)
        compare_nodes(a.fields, b.fields, "", diff)
    _compare_hashes(a.hashes, b.hashes, diff)
    return diff


def _compare_inputs(a: Record, b: Record, diff: Diff) -> None:
    """Under the names the dumps have for them; the only ones of either side are the same, whatever each calls them."""
    mine, theirs = a.inputs, b.inputs
    if isinstance(mine, Group) and isinstance(theirs, Group) and len(mine.items) == len(theirs.items) == 1:
        theirs = Group(dict(zip(mine.items, theirs.items.values(), strict=True)))
    compare_nodes(mine, theirs, (a if mine is not None else b).inputs_path, diff, "input")


def _hashes_only(record: Record) -> bool:
    """A checkpoint of hashes without state: nothing is missing from it, it just says less."""
    return bool(record.hashes) and not (record.fields.items or record.rng or record.events or record.inputs)


def _equal(a: Record, b: Record) -> bool:
    """Equal as written, which is the usual case and quick to see; what is written otherwise is looked at closely."""
    try:
        return (
            a.fields == b.fields
            and a.rng == b.rng
            and a.hashes == b.hashes
            and a.inputs == b.inputs
            and len(a.events) == len(b.events)
            and all(x.label == y.label and x.fields == y.fields for x, y in zip(a.events, b.events, strict=True))
            and _same_order(a.fields, b.fields)
        )
    except RecursionError:
        return False


def _same_order(a: Group, b: Group) -> bool:
    """Whether rows that are named by what they are (`[247 inf South Mobile]`) stand in one order in both."""
    return all(
        list(node.items) == list(other.items)
        for node, other in zip(a.items.values(), b.items.values(), strict=True)
        if isinstance(node, Group) and isinstance(other, Group) and next(iter(node.items), "").startswith("[")
    )


def _compare_hashes(a: dict[str, Scalar], b: dict[str, Scalar], diff: Diff) -> None:
    """Parts in their order, the whole state's hash at the end. One that only one side has is a matter of coverage.

    The only hash of either side is the whole state's, whatever each calls it.
    """
    if len(a) == len(b) == 1 and a.keys() != b.keys():
        b = dict(zip(a, b.values(), strict=True))
    names = [name for name in {**a, **b} if name != WHOLE]
    if WHOLE in a or WHOLE in b:
        names.append(WHOLE)
    for name in names:
        mine, theirs = a.get(name, ABSENT), b.get(name, ABSENT)
        if mine is ABSENT or theirs is ABSENT:
            diff.hash_one_sided["a" if theirs is ABSENT else "b"] += 1
            continue
        if diff.weighs(name, mine, theirs, not same(mine, theirs)):
            diff.value(name, mine, theirs, "hash")
