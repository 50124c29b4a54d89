"""Traces: aligned by what was put in and left out, the part that differs named."""

from __future__ import annotations

from made import compared, event, kinds, record, said

from detcheck.model.record import Event


def trace(*events: Event) -> list:
    """One tick with a trace."""
    return [record(1, {}, events=list(events))]


def draws(*values: int) -> list[Event]:
    """RNG draws of a trace."""
    return [event("gameRand", {"rand": value}, is_rng=True) for value in values]


def test_the_part_of_an_event() -> None:
    """A value inside one event is named by its label and field."""
    found = compared(trace(event("move d1", {"x": 1, "body": 712})), trace(event("move d1", {"x": 1, "body": 711})))
    assert kinds(found) == [("value", "move d1.body")]


def test_an_inserted_event_blames_no_other() -> None:
    """What only one side did is extra; everything after it stays aligned."""
    same = [event(f"e{n}", {"v": n}) for n in range(50)]
    found = compared(trace(*same), trace(*same[:20], event("new", {"v": 1}), *same[20:]))
    assert kinds(found) == [("extra", "new")]
    found = compared(trace(*same), trace(*same[:20], *same[21:]))
    assert kinds(found) == [("missing", "e20")]


def test_repeated_labels_are_counted() -> None:
    """The second of three events of one label is called so."""
    a = [event("hit", {"n": n}) for n in (1, 2, 3)]
    b = [event("hit", {"n": n}) for n in (1, 9, 3)]
    assert kinds(compared(trace(*a), trace(*b))) == [("value", "hit#2.n")]


def test_a_draw_more_is_a_cause() -> None:
    """A draw that only one side made is of the generator's class, counted, and a likely cause."""
    found = compared(trace(*draws(5, 6, 7)), trace(*draws(5, 8, 6, 7)))
    assert kinds(found) == [("rng", "gameRand#2")]
    assert said(found, "b has 1 traced draw more")
    assert [cause.name for cause in found.causes] == ["draw_count"]


def test_a_draw_of_another_value_is_no_count() -> None:
    """As many draws with other results are findings, not a draw more."""
    found = compared(trace(*draws(5, 6, 7)), trace(*draws(5, 9, 7)))
    assert kinds(found) == [("rng", "gameRand#2.rand")]
    assert not found.causes


def test_long_traces_align_in_linear_work() -> None:
    """Tens of thousands of repeating events with one missing early."""
    a = [event(f"k{n % 3}", {"v": n % 7}) for n in range(20_000)]
    b = [*a[:11], *a[12:]]
    found = compared(trace(*a), trace(*b))
    assert found.verdict == "diverged"
    assert found.findings_total <= 3


def test_events_in_another_order() -> None:
    """Two events that changed places are found as what moved, and nothing between them is blamed."""
    a = [event("a"), event("b"), event("c"), event("d")]
    found = compared(trace(*a), trace(a[0], a[2], a[1], a[3]))
    assert len(found.findings) == 2
    assert {path for _, path in kinds(found)} <= {"b", "c"}
