"""Two or more sides: who agrees with whom, and who left the majority first.

Each side is compared with one side of every group found so far, so the number of passes is sides times groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from detcheck.compare.api import diff_sides
from detcheck.compare.options import Options
from detcheck.compare.verdict import DIVERGED, ENDS_EARLY, INCONCLUSIVE, SAME
from detcheck.compare.wording import plural, tick_words
from detcheck.dumps.options import ReadOptions
from detcheck.errors import DetcheckError, visible
from detcheck.model.comparison import Comparison

MAX_SIDES = 26


@dataclass
class _Group:
    """Sides that agree; the first stands for all. `apart` holds the comparison with each earlier group's first."""

    members: list[int]
    apart: dict[int, Comparison] = field(default_factory=dict)


@dataclass
class _Many:
    """All sides, and what is known of them; `equal` holds the comparison that put a side into its group."""

    sides: Sequence[str]
    reading: ReadOptions
    options: Options
    groups: list[_Group] = field(default_factory=list)
    equal: dict[int, Comparison] = field(default_factory=dict)
    #: the last tick that was seen of each side
    last: dict[int, int] = field(default_factory=dict)

    def compare(self, first: int, second: int) -> Comparison:
        """One side with another, by place."""
        found = diff_sides(self.sides[first], self.sides[second], self.reading, self.options)
        if self.options.mapping and found.verdict == DIVERGED:  # two that write from one seat name things alike
            alike = diff_sides(self.sides[first], self.sides[second], self.reading, replace(self.options, mapping=()))
            found = alike if _later_of(found, alike) else found
        for place, window in ((first, found.coverage.a_ticks), (second, found.coverage.b_ticks)):
            if window is not None:
                self.last[place] = max(window[1], self.last.get(place, window[1]))
        return found

    def parting(self) -> int | None:
        """The tick at which the first two groups part."""
        ticks = [c.first_divergent_tick for group in self.groups for c in group.apart.values()]
        return min((tick for tick in ticks if tick is not None), default=None)

    def votes(self, group: _Group) -> int:
        """Sides of a group that reach the tick at which groups part: one that ended before agrees with all."""
        tick = self.parting()
        return sum(tick is None or self.last.get(member, tick) >= tick for member in group.members)


def _later_of(found: Comparison, other: Comparison) -> bool:
    """Whether the other comparison of two sides has them agree, or agree longer."""
    ticks = found.first_divergent_tick, other.first_divergent_tick
    return other.verdict in (SAME, ENDS_EARLY) or (
        other.verdict == DIVERGED and ticks[0] is not None and ticks[1] is not None and ticks[1] > ticks[0]
    )


def diff_many(sides: Sequence[str], reading: ReadOptions, options: Options) -> Comparison:
    """Compare two sides, or more. Raises DetcheckError for what cannot be read, or read again."""
    if len(sides) == 2:
        return diff_sides(sides[0], sides[1], reading, options)
    if len(sides) > MAX_SIDES:
        raise DetcheckError("diff.sides", f"diff compares at most {MAX_SIDES} sides, not {len(sides)}")
    if "-" in sides:
        hint = "write standard input to a file first"
        raise DetcheckError("diff.stdin_many", "more than two sides are read more than once, - cannot be", None, hint)
    many = _Many(sides, reading, options)
    for place in range(len(sides)):
        _place(place, many)
    _regroup(many)
    return _conclude(many)


def _place(place: int, many: _Many) -> None:
    """Put a side into the group it agrees with, or into a new one."""
    apart: dict[int, Comparison] = {}
    for number, group in enumerate(many.groups):
        found = many.compare(group.members[0], place)
        if found.verdict in (SAME, ENDS_EARLY):
            # The longest side stands for its group: a short one agrees with sides that part after its end.
            group.members.insert(0 if _longer(found) else len(group.members), place)
            many.equal[place] = found
            return
        apart[number] = found
    many.groups.append(_Group([place], apart))


def _regroup(many: _Many) -> None:
    """A side that ended before two groups parted agrees with both: it belongs to the larger one."""
    largest = max(many.groups, key=lambda group: (many.votes(group), len(group.members)))
    for group in many.groups:
        for place in list(group.members[1:]) if group is not largest else ():
            if many.compare(largest.members[0], place).verdict in (SAME, ENDS_EARLY):
                group.members.remove(place)
                largest.members.append(place)


def _longer(found: Comparison) -> bool:
    """Whether b goes on after a has ended."""
    a, b = found.coverage.a_ticks, found.coverage.b_ticks
    return found.verdict == ENDS_EARLY and a is not None and b is not None and b[1] > a[1]


def _conclude(many: _Many) -> Comparison:
    groups = many.groups
    order = sorted(range(len(groups)), key=lambda n: (-len(groups[n].members), groups[n].members[0]))
    grouped = tuple(tuple(many.sides[m] for m in groups[n].members) for n in order)
    if len(groups) == 1:
        early = next((c for c in many.equal.values() if c.verdict == ENDS_EARLY), None)
        base = early or many.equal[max(many.equal)]
        return replace(base, reason=f"all {len(many.sides)} sides agree; {base.reason}", sides=grouped)
    first = min((c for group in groups for c in group.apart.values()), key=_when)
    if first.verdict == INCONCLUSIVE:
        return replace(first, sides=grouped)
    parting = [n for n in order if any(_apart(groups, n, m).verdict == DIVERGED for m in order if m != n)]
    majority = max(parting, key=lambda n: (_support(n, many, first), len(groups[n].members)))
    left = min((n for n in parting if n != majority), key=lambda n: _when(_apart(groups, majority, n)))
    found = many.compare(groups[majority].members[0], groups[left].members[0])
    return replace(_told(many, found, majority, left), sides=grouped)


def _apart(groups: list[_Group], one: int, other: int) -> Comparison:
    """How two groups differ."""
    return groups[max(one, other)].apart[min(one, other)]


def _when(found: Comparison) -> tuple[int, int]:
    """The earliest divergence first; what could not be compared last."""
    tick = found.first_divergent_tick
    return (0 if found.verdict == DIVERGED else 1, tick if tick is not None else 0)


def _support(number: int, many: _Many, found: Comparison) -> int:
    """How many sides still went together with a group at the first divergence: those that part from it only later."""
    tick, groups = found.first_divergent_tick, many.groups
    count = many.votes(groups[number])
    for other, group in enumerate(groups):
        if other == number:
            continue
        apart = _apart(groups, number, other)
        later = apart.verdict == DIVERGED and tick is not None and (apart.first_divergent_tick or 0) > tick
        count += many.votes(group) if later else 0
    return count


def _told(many: _Many, found: Comparison, majority: int, left: int) -> Comparison:
    """The comparison of the majority (a) with who left it first (b), and who went with whom."""
    groups = many.groups
    support, against = _support(majority, many, found), _support(left, many, found)
    when = tick_words(found.first_divergent_tick)
    if support == against:
        head = f"no majority, {plural(support, 'side')} against {against} at {when}"
    else:
        leaver = ", ".join(visible(many.sides[m]) for m in groups[left].members)
        most = "majority" if 2 * support > sum(map(many.votes, groups)) else "largest group"
        head = f"{leaver} left the {most} ({support} of {len(many.sides)} sides) first, at {when}"
    return replace(found, reason=f"{head}; {found.reason}", notes=(*_later(many, majority, left), *found.notes))


def _named(many: _Many, one: int, other: int) -> str:
    """Which sides the letters in the reason of two groups mean: not those of the whole comparison."""
    a, b = (visible(many.sides[many.groups[n].members[0]]) for n in sorted((one, other)))
    return f"with {a} as a and {b} as b, "


def _later(many: _Many, majority: int, left: int) -> list[str]:
    """When the other groups left."""
    notes = []
    for number, group in enumerate(many.groups):
        if number in (majority, left):
            continue
        apart = _apart(many.groups, number, majority)
        names = ", ".join(visible(many.sides[m]) for m in group.members)
        if apart.verdict == DIVERGED:
            notes.append(f"{names} parts from the largest group at {tick_words(apart.first_divergent_tick)}")
        else:
            notes.append(
                f"{names} cannot be compared with the largest group: {_named(many, majority, number)}{apart.reason}"
            )
    return notes
