"""The one result of comparing two sides; `run` and `diff` both speak it, every report reads it."""

from __future__ import annotations

from dataclasses import dataclass, field

from detcheck.model.record import Scalar


@dataclass(frozen=True)
class Finding:
    """One difference at the first divergent tick.

    kind: value, missing (only in a), extra (only in b), entity (other kind of entity), order, count, input, rng, hash
    """

    path: str
    kind: str
    a: Scalar
    b: Scalar
    delta_ulps: int | None = None
    note: str | None = None


@dataclass(frozen=True)
class Cause:
    """A likely cause with its evidence, in words. `name` is the cause's file name in compare/causes."""

    name: str
    evidence: str


@dataclass(frozen=True)
class TickCount:
    """After the divergence: how many fields differ at a tick, by part; `tick` is None where none is named."""

    tick: int | None
    differing: int
    by_part: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Coverage:
    """What was compared and what was not.

    byte_equal_lines   lines of both files that are equal byte for byte: no value of them was looked at
    ticks_counted      whether `ticks_compared` counts the ticks in those lines; False where a tick is several lines
    read_to_end        False where reading stopped some way behind the divergence: windows may be longer
    """

    ticks_compared: int = 0
    fields_compared: int = 0
    a_ticks: tuple[int, int] | None = None
    b_ticks: tuple[int, int] | None = None
    only_a: int = 0
    only_b: int = 0
    ignored: tuple[tuple[str, int], ...] = ()
    byte_equal_lines: int = 0
    ticks_counted: bool = True
    read_to_end: bool = True


@dataclass(frozen=True)
class Comparison:
    """verdict: same | diverged | ends_early | inconclusive (`run` shows `same` as `equal`).

    findings_total   how many differences there are at that tick; `findings` holds at most the first 10,000 of a class
    sides            with more than two sides: the groups that agree, the largest first, by name
    strip            one character a tick or run of ticks: `.` equal, `x` unlike, `-` only on one side
    why              why each side's reader was chosen, and what was unwrapped
    how              what was compared and how, in sentences
    context          (tick, what the fields that differ were) of the equal records before, the earliest first
    """

    verdict: str
    reason: str
    first_divergent_tick: int | None = None
    last_equal_tick: int | None = None
    first_unlike_tick: int | None = None
    readers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    causes: tuple[Cause, ...] = ()
    notes: tuple[str, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    strip: str = ""
    follows: tuple[TickCount, ...] = ()
    context: tuple[tuple[int, str], ...] = ()
    findings_total: int = 0
    sides: tuple[tuple[str, ...], ...] = ()
    why: tuple[str, ...] = ()
    how: tuple[str, ...] = ()
