"""Sessions and rollbacks: ticks rise, the last value counts, and it is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detcheck.dumps.settle import listed, settle
from detcheck.model.record import Group, Record, Scalar


def record(tick: int | None, value: int) -> Record:
    """A record with one field."""
    return Record(tick, fields=Group({"v": Scalar("int", value, str(value))}))


def settled(ticks: list[int | None], window: int = 64) -> tuple[list[tuple[int, int | None, int]], list[str]]:
    """(session, tick, place of the record that counts), and the remarks."""
    remarks: list[str] = []
    found = settle(iter([record(tick, place) for place, tick in enumerate(ticks)]), remarks, window)
    return [(one.session, one.tick, one.fields.items["v"].value) for one in found], remarks  # type: ignore


@pytest.mark.parametrize(
    ("ticks", "expected"),
    [
        ([1, 2, 3], [(0, 1, 0), (0, 2, 1), (0, 3, 2)]),
        ([1, 2, 1, 2], [(0, 1, 0), (0, 2, 1), (1, 1, 2), (1, 2, 3)]),
        ([5, 6, 4, 5, 4], [(0, 5, 0), (0, 6, 1), (1, 4, 2), (1, 5, 3), (2, 4, 4)]),
        ([5, 6, 7, 6, 8], [(0, 5, 0), (0, 6, 3), (0, 7, 2), (0, 8, 4)]),
        ([5, 6, 7, 7, 7, 8], [(0, 5, 0), (0, 6, 1), (0, 7, 4), (0, 8, 5)]),
        ([1, 5, 3, 4, 6], [(0, 1, 0), (0, 3, 2), (0, 4, 3), (0, 5, 1), (0, 6, 4)]),
        ([None, None], [(0, None, 0), (0, None, 1)]),
        ([1, 2, None, 3], [(0, 1, 0), (0, 2, 1), (0, None, 2), (0, 3, 3)]),
        ([], []),
    ],
)
def test_sessions_and_rollbacks(ticks: list[int | None], expected: list[tuple[int, int | None, int]]) -> None:
    """At or below the first: a session; any other fall or repeat: the last value counts, in its place."""
    assert settled(ticks)[0] == expected


def test_what_is_said() -> None:
    """Sessions by number, corrected ticks by name, late ones as left out."""
    assert settled([1, 2, 3, 2, 3, 4])[1] == [
        "ticks 2, 3 computed again after a rollback (corrected: 2); the last value counts"
    ]
    assert settled([1, 2, 1])[1] == ["2 sessions in one file (the tick starts over)"]
    found, remarks = settled([1, 2, 3, 4, 5, 2], window=2)
    assert [tick for _, tick, _ in found] == [1, 2, 3, 4, 5]
    assert "ticks 2 were computed again" in remarks[0]
    assert listed(list(range(12))) == "0, 1, 2, 3, 4, 5, 6, 7 and 4 more"


@given(st.lists(st.integers(0, 12), max_size=40))
def test_ticks_always_rise_within_a_session(ticks: list[int]) -> None:
    """Whatever comes in, every session is strictly rising and sessions follow one another."""
    found, _ = settled(list(ticks))
    keys = [(session, tick) for session, tick, _ in found]
    assert keys == sorted(set(keys))  # type: ignore[type-var]
    for session, tick, place in found:
        assert ticks[place] == tick, session


def test_large_records_are_not_held_back() -> None:
    """What is held back comes from a few megabytes of text, however large a record is."""
    remarks: list[str] = []
    size = [0]

    def source() -> object:
        for tick in range(100):
            size[0] += 10 << 20
            yield record(tick, tick)

    found = settle(source(), remarks, 64, None, lambda: size[0])  # type: ignore[arg-type]
    next(found)
    assert size[0] <= 5 * (10 << 20)
