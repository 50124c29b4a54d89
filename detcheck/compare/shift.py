"""Streams that agree when one side's ticks are counted from another number: an off-by-one label, no divergence."""

from __future__ import annotations

from collections.abc import Iterator

from detcheck.compare.seen import Divergence, labels_agreed
from detcheck.compare.tracker import Tracker

#: shifts of tick labels that are tried
MAX_SHIFT = 16
#: equal ticks under a shift that prove it; and those of unlike content when later ticks speak against it
MIN_MATCHES, MIN_LEADING = 3, 8


def shifted(found: Divergence, tracker: Tracker) -> Iterator[str]:
    """The smallest shift under which all ticks tried agree, or the first of them before the sides part.

    Whole records are tried first; then their state without the hashes, which may cover the number of the tick.
    """
    if labels_agreed(found, tracker.first_common):
        return
    for mine, theirs, hashes in (
        (tracker.a.signatures, tracker.b.signatures, ""),
        (tracker.a.states, tracker.b.states, "; the hashes do not, so they cover the number of the tick, or more"),
    ):
        told = _under_a_shift(mine, theirs, hashes) if len(set(mine.values())) >= MIN_MATCHES else None
        if told is not None:
            yield told
            return


def _under_a_shift(mine: dict[int, int], theirs: dict[int, int], hashes: str) -> str | None:
    for size in range(1, MAX_SHIFT + 1):
        for shift in (size, -size):
            common = sorted(tick for tick in mine if tick + shift in theirs)
            parted = next((n for n, tick in enumerate(common) if mine[tick] != theirs[tick + shift]), len(common))
            label = "off-by-one tick label" if size == 1 else "tick label shifted"
            agree = f"the streams agree under a shift: tick t of a is tick t{shift:+d} of b in"
            if parted == len(common) >= MIN_MATCHES:
                return f"{agree} all {parted} ticks tried ({label}, not a divergence of state){hashes}"
            if parted >= MIN_LEADING and len({mine[tick] for tick in common[:parted]}) >= MIN_MATCHES:
                later = f"from tick {common[parted]} of a on they differ under it too, which is where to look"
                return f"{agree} the first {parted} ticks tried ({label}){hashes}; {later}"
    return None
