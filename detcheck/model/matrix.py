"""The support list: what many platforms' reports say together, by scenario and by backend and platform."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations


@dataclass(frozen=True)
class Platform:
    """One kind of machine. `label` is the shortest text that tells it from the others in this merge."""

    label: str
    fields: tuple[tuple[str, str], ...]
    reports: tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """One scenario and backend on one platform. verdict: equal | diverged | inconclusive | error | not run."""

    verdict: str
    reason: str = ""
    tick: int | None = None


@dataclass(frozen=True)
class Disagreement:
    """Two platforms (or one platform's own two reports, then a == b) whose hashes differ, first at `tick`."""

    a: str
    b: str
    tick: int


@dataclass(frozen=True)
class Row:
    """One scenario and backend. `groups` are the sets of platforms with the same hashes, the largest first.

    `contradictions` are what two reports cannot both say of one golden, in words.
    """

    scenario: str
    backend: str
    cells: tuple[tuple[str, Cell], ...]
    groups: tuple[tuple[str, ...], ...]
    disagreements: tuple[Disagreement, ...]
    contradictions: tuple[str, ...] = ()

    def group_pairs(self) -> tuple[tuple[tuple[str, ...], tuple[str, ...], int], ...]:
        """Two groups and the first tick at which any of one differs from any of the other."""
        ticks = {frozenset((d.a, d.b)): d.tick for d in self.disagreements if d.a != d.b}
        out = []
        for left, right in combinations(self.groups, 2):
            found = [ticks[pair] for a in left for b in right if (pair := frozenset((a, b))) in ticks]
            if found:
                out.append((left, right, min(found)))
        return tuple(out)

    def unlike_itself(self) -> tuple[Disagreement, ...]:
        """Platforms of which two reports disagree."""
        return tuple(d for d in self.disagreements if d.a == d.b)


@dataclass(frozen=True)
class Matrix:
    """`support` is (backend, platform label, supported | unsupported | diverged | not run).

    A fixed backend is never "unsupported": a divergence there is a failure and stands as "diverged".
    """

    platforms: tuple[Platform, ...]
    rows: tuple[Row, ...]
    support: tuple[tuple[str, str, str], ...]
    failures: tuple[str, ...] = ()
    remarks: tuple[str, ...] = field(default_factory=tuple)
    exit_code: int = 0
