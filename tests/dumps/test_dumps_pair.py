"""Pairs: the equal head is skipped, counted truthfully, and never changes what follows."""

from __future__ import annotations

import gzip
import io
import json
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detcheck.dumps.options import ReadOptions
from detcheck.dumps.pair import open_pair
from detcheck.model.record import HashBlock, Record, Source

PLAIN = ReadOptions(skip_equal=False)


def records(source: Source) -> Iterator[Record]:
    """The records, through blocks where there are some."""
    for one in source.blocks if source.blocks is not None else source.records:
        if isinstance(one, HashBlock):
            yield from one.records()
        else:
            yield one


def shown(record: Record) -> tuple[object, ...]:
    """What has to be the same with and without skipping; tokens by their value."""
    hashes = {name: scalar.value for name, scalar in record.hashes.items()}
    return (record.tick, record.line, hashes, repr(record.fields), repr(record.rng))


def json_lines(count: int, changed: int | None, pad: int = 200, head: str = "") -> bytes:
    """JSON Lines that differ from line `changed` on."""
    lines = [head] if head else []
    for tick in range(count):
        x = tick if changed is None or tick < changed else -tick
        lines.append(json.dumps({"tick": tick, "x": x, "pad": "p" * pad}))
    return ("\n".join(lines) + "\n").encode()


def hash_lines(count: int, changed: int | None) -> bytes:
    """Plain hash lines that differ from tick `changed` on."""
    values = [tick * 0x9E3779B97F4A7C15 % 2**64 for tick in range(count)]
    return b"".join(b"%d %016x\n" % (t, v ^ (changed is not None and t >= changed)) for t, v in enumerate(values))


CASES = {
    "json lines": (json_lines(3000, None), json_lines(3000, 2500)),
    "json lines with heads": (
        json_lines(3000, None, head='{"game_id": "g", "peer": "A"}'),
        json_lines(3000, 2500, head='{"game_id": "g", "peer": "Bob"}'),
    ),
    "hash lines": (hash_lines(20_000, None), hash_lines(20_000, 15_000)),
    "short b": (json_lines(3000, None), json_lines(2500, None)),
    "whole": (json_lines(3000, None), json_lines(3000, None)),
    "whole hash lines": (hash_lines(20_000, None), hash_lines(20_000, None)),
    "at once": (json_lines(100, None), json_lines(100, 0)),
    "cut line": (json_lines(3000, None), json_lines(3000, None)[:-100]),
    "large lines": (json_lines(16, None, 700_000), json_lines(16, 15, 700_000)),
    "large equal lines": (json_lines(16, None, 700_000), json_lines(16, None, 700_000)),
    "no last newline": (hash_lines(9000, None), hash_lines(9000, 8999).rstrip()),
}


def blocks_of(shape: str, ticks: int, changed: int) -> bytes:
    """Ticks of several lines each, in a shape; from tick `changed` on one value differs."""
    parts = ["# map: Delta\ntick,id,x\n" if shape == "table" else "map: Delta\n"]
    for tick in range(ticks):
        x = tick + (tick >= changed)
        rows = [(unit, x if unit == 5 else tick * unit) for unit in range(9)]
        if shape == "table":
            parts.extend(f"{tick},{unit},{value}\n" for unit, value in rows)
        elif shape == "events":
            parts.extend(f"tick={tick} unit {unit} moved x={value}\n" for unit, value in rows)
        elif shape == "rows":
            parts[0] = ""
            parts.extend(f'{{"tick": {tick}, "id": {unit}, "x": {value}}}\n' for unit, value in rows)
        else:
            parts.append(f"tick {tick}\n" + "".join(f"  unit {unit}\n    x: {value}\n" for unit, value in rows))
    return "".join(parts).encode()


@pytest.mark.parametrize("shape", ["table", "events", "tree", "rows"])
def test_records_of_several_lines_are_skipped_whole(shape: str) -> None:
    """A tick of several lines is given whole or not at all, and the last tick that was skipped is the one before."""
    sides = [blocks_of(shape, 700, 700), blocks_of(shape, 700, 650)]
    full = [list(map(shown, records(side))) for side in open_pair(*map(io.BytesIO, sides), PLAIN)]
    for whole, side in zip(full, open_pair(*map(io.BytesIO, sides)), strict=True):
        some = list(map(shown, records(side)))
        assert whole[len(whole) - len(some) :] == some
        assert len(some) < len(whole)
        assert side.skipped is not None
        assert side.skipped.last_tick == whole[len(whole) - len(some) - 1][0]
        assert side.skipped.records is None
        assert some[0][0] < 650  # type: ignore[operator]
        assert side.head == {} or side.head["map"].text == "Delta"


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_skipping_changes_nothing_behind_it(name: str, packed: bool) -> None:
    """The records that are given are the last ones of those without skipping, lines and all; the count is exact."""
    data = [gzip.compress(one, 1) if packed else one for one in CASES[name]]
    full = [list(map(shown, records(side))) for side in open_pair(*map(io.BytesIO, data), PLAIN)]
    sides = open_pair(*map(io.BytesIO, data))
    for whole, side in zip(full, sides, strict=True):
        some = list(map(shown, records(side)))
        skipped = side.skipped.records if side.skipped else 0
        assert skipped is not None
        assert skipped + len(some) == len(whole)
        assert whole[skipped:] == some
        if side.skipped:
            assert whole[0][0] == side.skipped.first_tick
            assert whole[skipped - 1][0] == side.skipped.last_tick
            assert side.skipped.whole == ("whole" in name or "equal" in name)
    assert sides[0].skipped == sides[1].skipped
    assert (sides[0].skipped is None) == (name == "at once")


def test_a_few_equal_records_stay_as_context() -> None:
    """In front of the first unlike record stand some equal ones."""
    a, b = open_pair(*map(io.BytesIO, CASES["json lines"]))
    left, right = list(records(a)), list(records(b))
    assert left[0].tick == right[0].tick
    assert left[0].tick is not None
    assert 3 <= 2500 - left[0].tick <= 100


def test_heads_that_differ_are_still_read() -> None:
    """The writer of each side is its own, though everything behind the head is equal."""
    a, b = open_pair(*map(io.BytesIO, CASES["json lines with heads"]))
    list(records(a))
    list(records(b))
    assert (a.writer["peer"].text, b.writer["peer"].text) == ("A", "Bob")
    assert a.head["game_id"].text == "g"
    assert a.skipped is not None


def test_a_rollback_behind_the_skipped_part_reaches_back() -> None:
    """b computes a tick again whose first value is in the equal part that was kept."""
    lines = hash_lines(10_000, None).splitlines(keepends=True)
    again = [*lines[:9000], b"8990 ffffffffffffffff\n", *lines[9000:]]
    a, b = open_pair(io.BytesIO(b"".join(lines)), io.BytesIO(b"".join(again)))
    left = {record.tick: record.hashes["hash"].value for record in records(a)}
    right = {record.tick: record.hashes["hash"].value for record in records(b)}
    assert right[8990] == 2**64 - 1
    assert left.keys() == right.keys()
    assert [tick for tick in left if left[tick] != right[tick]] == [8990]
    assert any("8990" in text for text in b.remarks)


def test_a_second_session_behind_the_skipped_part() -> None:
    """The tick starts over after the equal part; both sides number the sessions alike."""
    one = hash_lines(9000, None)
    a, b = open_pair(io.BytesIO(one + hash_lines(50, None)), io.BytesIO(one + hash_lines(50, 20)))
    left, right = list(records(a)), list(records(b))
    assert [(r.session, r.tick) for r in left] == [(r.session, r.tick) for r in right]
    assert {record.session for record in left} == {0, 1}


@settings(deadline=None, max_examples=6)
@given(st.data())
def test_skipping_and_not_skipping_agree(data: st.DataObject) -> None:
    """Whatever two logs share and where they part, the records behind are the same (values of late ticks aside)."""
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    count = data.draw(st.integers(4000, 9000))
    lines = [b"%d %08x\n" % (tick, rng.getrandbits(32)) for tick in range(count)]
    other = list(lines)
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(other) - 1))
        kind = data.draw(st.sampled_from(("change", "drop", "cut")))
        if kind == "change":
            other[at] = b"%d deadbeef\n" % at
        elif kind == "drop":
            del other[at]
        else:
            del other[at + 1 :]
    sides = [b"".join(lines), b"".join(other)]
    full = [list(map(shown, records(side))) for side in open_pair(*map(io.BytesIO, sides), PLAIN)]
    for whole, side in zip(full, open_pair(*map(io.BytesIO, sides)), strict=True):
        some = list(map(shown, records(side)))
        assert whole[len(whole) - len(some) :] == some


def test_unlike_shapes_open_each_by_its_own_reader() -> None:
    """A hash log beside JSON Lines."""
    lines = json_lines(10, None, 5)
    a, b = open_pair(io.BytesIO(hash_lines(10, None)), io.BytesIO(lines))
    assert (a.reader, b.reader) == ("hash-lines", "json-lines")
    assert [r.tick for r in records(a)] == [r.tick for r in records(b)]


def test_unlike_spellings_give_no_blocks() -> None:
    """Decimal beside hexadecimal compares by value, not by token."""
    a, b = open_pair(
        io.BytesIO(b"".join(b"%d %d\n" % (t, t * 999_983) for t in range(50))),
        io.BytesIO(b"".join(b"%d %08x\n" % (t, t * 999_983) for t in range(50))),
    )
    assert a.blocks is None
    assert b.blocks is None
    assert [r.hashes["hash"].value for r in a.records] == [r.hashes["hash"].value for r in b.records]


def test_raw_files_of_unlike_length() -> None:
    """The common part is compared, the lengths are a field."""
    data = bytes(random.Random(1).randbytes(1000))
    a, b = open_pair(io.BytesIO(data), io.BytesIO(data[:990]))
    left, right = next(a.records), next(b.records)
    assert left.fields.items["length"].value == 990  # type: ignore[union-attr]
    assert right.fields.items["length"].value == 990  # type: ignore[union-attr]
    assert a.skipped is not None
    assert a.skipped.bytes == 990


def test_raw_files_that_are_equal() -> None:
    """Nothing differs, and all of it was compared."""
    data = bytes(random.Random(2).randbytes(5000))
    a, _ = open_pair(io.BytesIO(data), io.BytesIO(data))
    assert a.skipped is not None
    assert (a.skipped.bytes, a.skipped.whole) == (5000, True)
