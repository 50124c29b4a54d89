"""The support list: what many platforms' reports say together, by scenario and by backend and platform."""

from __future__ import annotations

from dataclasses import dataclass, field


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
