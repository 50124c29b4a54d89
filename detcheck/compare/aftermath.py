"""What follows a divergence: counts by part and tick, whether it heals or lasts, how it grows. Never lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from detcheck.compare.diff import Diff
from detcheck.compare.wording import plural, tick_words
from detcheck.model.comparison import Finding, TickCount

#: entries kept of the series; beyond that every second one is dropped
MAX_SERIES = 256
#: parts named in words
MAX_PARTS = 4


class Aftermath:
    """Fed with every tick from the first unlike one on."""

    def __init__(self) -> None:
        self.series: list[TickCount] = []
        self.every = 1
        self.ticks = 0
        self.unlike = 0
        self.next_equal: bool | None = None
        self.healed = False
        self.healed_at: int | None = None
        self.last_unlike: int | None = None
        self.last_tick: int | None = None
        self.first_of: dict[str, int | None] = {}
        self.later_fields: tuple[int | None, tuple[Finding, ...], int] | None = None

    def add(self, tick: int | None, differing: int, by_part: Counter[str], groups: Counter[str]) -> None:
        """One more tick; `differing` 0 where it is equal."""
        self.add_stretch((tick,), differing, by_part, groups)

    def add_stretch(
        self, ticks: Sequence[int | None], differing: int, by_part: Counter[str], groups: Counter[str]
    ) -> None:
        """Ticks that follow each other and differ alike."""
        if self.ticks <= 1 < self.ticks + len(ticks):
            self.next_equal = differing == 0
        place, parts = -self.ticks % self.every, tuple(by_part.most_common(16))
        while place < len(ticks):
            self._append(ticks[place], differing, parts)
            place += self.every - (self.ticks + place) % self.every
        self.ticks += len(ticks)
        self.last_tick = ticks[-1]
        if differing:
            self.unlike += len(ticks)
            self.healed, self.healed_at, self.last_unlike = False, None, ticks[-1]
            for group, count in groups.items():
                if count:
                    self.first_of.setdefault(group, ticks[0])
        elif not self.healed:
            self.healed, self.healed_at = True, ticks[0]

    def _append(self, tick: int | None, differing: int, parts: tuple[tuple[str, int], ...]) -> None:
        self.series.append(TickCount(tick, differing, parts))
        if len(self.series) > MAX_SERIES:
            self.series = self.series[::2]
            self.every *= 2

    def add_diff(self, tick: int | None, diff: Diff) -> None:
        """One more tick, compared field by field."""
        self.add(tick, diff.differing, diff.by_part, diff.counts)

    def words(self) -> list[str]:
        """Heals or lasts, and growth, in a sentence each; nothing when no tick followed."""
        if self.ticks < 2:
            return []
        found = [self._duration()]
        first, last = self.series[0], self.series[-1]
        largest = max(self.series, key=lambda count: count.differing)
        if largest.differing > max(1, first.differing):
            parts = ", ".join(f"{name} {count:,}" for name, count in last.by_part[:MAX_PARTS])
            detail = f" ({parts})" if parts and last.differing else ""
            begin, end, most = (
                (f"at {tick_words(one.tick)}" if one.tick is not None else word)
                for one, word in ((first, "at first"), (last, "at the end"), (largest, "between"))
            )
            found.append(
                f"grows: {plural(first.differing, 'difference')} {begin}, {last.differing:,} {end}{detail}"
                + (f", most {most}: {largest.differing:,}" if largest != last else "")
            )
        return found

    def _duration(self) -> str:
        if self.last_tick is None:
            records = f"{self.unlike:,} of {plural(self.ticks, 'record')} from there on differ"
            if self.healed:
                return f"heals: equal again in the last record compared; {records}"
            return f"lasts to the last record compared; {records}"
        ticks = f"{self.unlike:,} of {plural(self.ticks, 'tick')} from there on differ"
        if self.healed_at is not None:
            return f"heals: equal again from {tick_words(self.healed_at)} to {tick_words(self.last_tick)}; {ticks}"
        return f"lasts to the last tick compared, {tick_words(self.last_tick)}; {ticks}"
