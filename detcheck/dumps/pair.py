"""Opening two sides as a pair: one reader for both, their equal head skipped, members paired by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from detcheck.dumps import names
from detcheck.dumps.equal_head import skip_equal_head
from detcheck.dumps.file_names import order_of, ticks_of
from detcheck.dumps.members import chained
from detcheck.dumps.open import choose, prepared, source_of
from detcheck.dumps.options import ReadOptions
from detcheck.dumps.readers import READERS
from detcheck.dumps.readers.base import Fit, Reader, Side
from detcheck.dumps.twins import Twins
from detcheck.dumps.unwrap import Given, Input, open_input
from detcheck.errors import DetcheckError
from detcheck.model.record import HashBlock, Record, Source

#: a reader that both sides share wins over the best of each when it fits nearly as well
_SHARED_LOSS = 35
#: a side that says itself what it is, is read as that
_DECLARED = 100


def open_pair(a: Given, b: Given, options: ReadOptions | None = None) -> tuple[Source, Source]:
    """Both sides, their `skipped` head the same value. Raises DetcheckError, also while records are read."""
    options = options or ReadOptions()
    if a == "-" and b == "-":
        raise DetcheckError("dump.stdin_twice", "only one side can be standard input (-)")
    input_a, input_b = open_input(a, options), open_input(b, options)
    if input_a.single is None or input_b.single is None:
        return _members(input_a, input_b, options)
    side_a, side_b = prepared(input_a.single, options), prepared(input_b.single, options)
    _unsure_names(side_a, side_b)
    chosen_a, chosen_b = _readers(side_a, side_b)
    reader = chosen_a[0]
    if reader is not chosen_b[0] or min(chosen_a[1].score, chosen_b[1].score) < 0:
        return source_of(side_a, options, chosen_a), source_of(side_b, options, chosen_b)
    if reader.name == "raw-bytes":
        from detcheck.dumps.raw_pair import raw_pair

        return raw_pair(side_a, side_b, chosen_a[1].why)
    side_b.state["sessions"] = side_a.state["sessions"] = {}
    side_a.state["other"], side_b.state["other"] = side_b, side_a
    if reader.name == "hash-lines":
        _one_layout(side_a, side_b)
    bulk = reader.blocks is not None and _one_spelling(side_a, side_b) and not options.types
    if options.skip_equal:
        skip_equal_head(side_a, side_b, reader)
        tick_of = reader.tick_of
        if options.step_over and tick_of is not None and not options.types:
            side_a.state["twins"] = side_b.state["twins"] = Twins(lambda line: tick_of(line, side_a))
    return _source(side_a, chosen_a, bulk), _source(side_b, chosen_b, bulk)


def _unsure_names(a: Side, b: Side) -> None:
    """A number alone (`1.csv`, `2.csv`) is no tick where the other name has another one, nor one only one name has."""
    sides, ticks = (a, b), (a.sample.tick, b.sample.tick)
    unsure = None in ticks or any(names.tick_in_name(side.stem) is None for side in sides)
    if ticks[0] != ticks[1] and unsure:
        for side in sides:
            side.sample = replace(side.sample, tick=None)


def _members(input_a: Input, input_b: Input, options: ReadOptions) -> tuple[Source, Source]:
    """Folders and zip files; against a single file each stands for itself."""
    listed = [[member.name for member in one.members] for one in (input_a, input_b)]
    both = frozenset(listed[0]) & frozenset(listed[1])
    stated = [set(ticks_of(one.members)) - {None} for one in (input_a, input_b)]
    if all(stated) and not stated[0] & stated[1]:
        both = frozenset()  # with no tick in common, what stands beside them decides nothing
    places, told = order_of(*listed)
    if told and input_a.members and input_b.members:
        input_b.remarks.append(told)
    found = []
    for one, order in zip((input_a, input_b), places, strict=True):
        if one.single is None:
            found.append(chained(one, options, order, both if input_a.members and input_b.members else None))
        else:
            found.append(source_of(prepared(one.single, options), options))
    return found[0], found[1]


def _readers(a: Side, b: Side) -> tuple[tuple[Reader, Fit], tuple[Reader, Fit]]:
    """The reader of each side: one for both where that is nearly as good."""
    best_a, best_b = choose(a), choose(b)
    if best_a[0] is best_b[0] or min(best_a[1].score, best_b[1].score) < 0:
        return best_a, best_b
    if max(best_a[1].score, best_b[1].score) >= _DECLARED:
        return best_a, best_b
    shared: tuple[int, Reader, Fit, Fit] | None = None
    for entry in READERS[:-1]:
        reader = entry.reader
        fit_a, fit_b = reader.sniff(a.sample), reader.sniff(b.sample)
        loss = max(best_a[1].score - fit_a.score, best_b[1].score - fit_b.score)
        if min(fit_a.score, fit_b.score) > 0 and loss <= _SHARED_LOSS and (shared is None or loss < shared[0]):
            shared = (loss, reader, fit_a, fit_b)
    if shared is None:
        return best_a, best_b
    return (shared[1], shared[2]), (shared[1], shared[3])


def _one_layout(a: Side, b: Side) -> None:
    """Several lines of one hash a tick are all compared where both sides have them; else the last one counts.

    Sessions whose names are all unlike are paired in their order.
    """
    from detcheck.dumps.readers.hash_spelling import layout_of

    one, other = layout_of(a), layout_of(b)
    if (one.several, one.lead) != (other.several, other.lead):
        several, lead = one.several and other.several, one.lead and other.lead
        for side, layout in ((a, one), (b, other)):
            side.state["layout"] = replace(layout, several=several, lead=lead)
    if one.names and other.names and not set(one.names) & set(other.names):
        b.state["aliases"] = dict(zip(other.names, one.names, strict=False))
        b.remark(f"its sessions have other names than those of a ({other.names[0]} / {one.names[0]}): paired in order")


def _one_spelling(a: Side, b: Side) -> bool:
    """Settles on one base for hashes that could be either; says whether both sides are spelled alike."""
    from detcheck.dumps.readers.hash_spelling import Spelling, spelling_of

    spelling_a, spelling_b = spelling_of(a), spelling_of(b)
    if spelling_a.base != spelling_b.base:
        hexadecimal, other = (spelling_a, b) if spelling_a.base == 16 else (spelling_b, a)
        as_hex = spelling_of(other, 16)
        if hexadecimal.width and as_hex.width == hexadecimal.width:
            spelling_a = spelling_b = hexadecimal
    a.state["spelling"], b.state["spelling"] = spelling_a, spelling_b
    return spelling_a == spelling_b and spelling_a != Spelling(16, 0)


def _source(side: Side, chosen: tuple[Reader, Fit], bulk: bool) -> Source:
    """The source of a side whose equal head is skipped; with its hashes in bulk where they can be."""
    if not bulk or chosen[0].blocks is None:
        return source_of(side, side.options, chosen)
    source = side.source
    source.reader, source.why = chosen[0].name, chosen[1].why
    source.blocks = chosen[0].blocks(side)
    source.records = _records(source)
    return source


def _records(source: Source) -> Iterator[Record]:
    assert source.blocks is not None
    for one in source.blocks:
        if isinstance(one, HashBlock):
            yield from one.records()
        else:
            yield one
