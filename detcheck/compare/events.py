"""Two traces of one tick, aligned by what was put in and left out; in a line only the part that differs is named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from detcheck.compare.diff import Diff
from detcheck.compare.fields import compare_nodes
from detcheck.compare.nodes import leaves, scalars, signature
from detcheck.compare.pairing import aligned_runs
from detcheck.compare.scalars import ABSENT
from detcheck.compare.wording import plural
from detcheck.model.record import Event, Group, Scalar


def compare_events(a: Sequence[Event], b: Sequence[Event], diff: Diff) -> None:
    """Report to `diff` what the traces differ in, in their order."""
    if not a and not b:
        return
    names_a, names_b = _names(a), _names(b)
    contents_a = [(event.label, signature(event.fields)) for event in a]
    contents_b = [(event.label, signature(event.fields)) for event in b]
    diff.compared += _counted(a, names_a, diff)
    at_a = at_b = 0
    for start_a, start_b, size in _runs(contents_a, contents_b):
        _between(a[at_a:start_a], b[at_b:start_b], names_a[at_a:start_a], names_b[at_b:start_b], diff)
        at_a, at_b = start_a + size, start_b + size
    _draw_balance(a, b, diff)


def _counted(events: Sequence[Event], names: list[str], diff: Diff) -> int:
    """How many labels and values of a trace --only and --ignore let through."""
    if not (diff.options.only or diff.options.ignore):
        return sum(1 + leaves(event.fields) for event in events)
    inner = sum(
        diff.takes(p) for event, name in zip(events, names, strict=True) for p, _ in scalars(event.fields, name)
    )
    return inner + sum(diff.takes(name) for name in names)


def _runs(
    a: Sequence[tuple[str, tuple[object, ...]]], b: Sequence[tuple[str, tuple[object, ...]]]
) -> list[tuple[int, int, int]]:
    runs = aligned_runs(a, b)
    return runs if runs[-1][2] == 0 else [*runs, (len(a), len(b), 0)]


def _names(events: Sequence[Event]) -> list[str]:
    """The label of each event, and for a repeated one which of them it is."""
    totals, seen, names = Counter(event.label for event in events), Counter[str](), []
    for event in events:
        seen[event.label] += 1
        names.append(event.label if totals[event.label] == 1 else f"{event.label}#{seen[event.label]}")
    return names


def _between(a: Sequence[Event], b: Sequence[Event], names_a: list[str], names_b: list[str], diff: Diff) -> None:
    """What lies between equal runs: events of one label are compared part by part, the rest is missing or extra."""
    at_a = at_b = 0
    runs = aligned_runs([event.label for event in a], [event.label for event in b])
    for start_a, start_b, size in [*runs, (len(a), len(b), 0)]:
        for i in range(at_a, start_a):
            _one_sided(names_a[i], a[i], None, diff)
        for j in range(at_b, start_b):
            _one_sided(names_b[j], None, b[j], diff)
        for step in range(size):
            mine, theirs = a[start_a + step], b[start_b + step]
            compare_nodes(mine.fields, theirs.fields, names_a[start_a + step], diff, "rng" if mine.is_rng else "field")
        at_a, at_b = start_a + size, start_b + size


def _one_sided(name: str, a: Event | None, b: Event | None, diff: Diff) -> None:
    event = a or b
    assert event is not None
    face = _line(event)
    group = "rng" if event.is_rng else "field"
    note = "a draw that only one side made" if event.is_rng else f"an event only in {'a' if a else 'b'}"
    if event.line:
        note = f"{note}, line {event.line}"
    diff.one_sided(name, face if a else ABSENT, face if b else ABSENT, group, note)


def _line(event: Event) -> Scalar:
    """An event in one line: its values, as far as they fit."""
    values = _values(event.fields)
    if len(values) == 1:
        return values[0][1]
    text = " ".join(value.text if _unnamed(name) else f"{name}={value.text}" for name, value in values) or event.label
    return Scalar("str", text, text)


def _unnamed(name: str) -> bool:
    """Whether a reader gave a value its name because it has none."""
    return name.startswith(("value", "["))


def _values(group: Group, limit: int = 8) -> list[tuple[str, Scalar]]:
    found = [(name, node) for name, node in group.items.items() if isinstance(node, Scalar)]
    return found[:limit]


def _draw_balance(a: Sequence[Event], b: Sequence[Event], diff: Diff) -> None:
    """Say how many draws one side has more."""
    mine, theirs = (sum(event.is_rng for event in events) for events in (a, b))
    if mine != theirs:
        more = "b" if theirs > mine else "a"
        diff.remarks.append(
            f"{more} has {plural(abs(theirs - mine), 'traced draw')} more at this tick ({mine} / {theirs})"
        )
