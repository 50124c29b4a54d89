"""A time in even steps as the tick, where nothing else names one: 0.00, 0.02, 0.04 are the ticks 0, 1, 2."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from detcheck.dumps.names import TIME_WORDS, plain, words
from detcheck.dumps.readers.base import Side
from detcheck.model.record import Node, Scalar

#: how far from a whole step an added-up binary64 may lie
_SLACK = Fraction(1, 1000)
_NAMES = TIME_WORDS | {"t", "gametime", "simtime", "synctime"}


def is_time(name: str) -> bool:
    """Whether a name may mean a time of the simulation."""
    return plain(name) in _NAMES or words(name)[-1:] == ("time",)


def step_of(values: Sequence[Node]) -> Fraction | None:
    """The step of decimals that rise evenly; None when they do not, or are whole (those are ticks as they stand)."""
    times = [_exact(value) for value in values]
    known = [time for time in times if time is not None]
    if len(known) < len(times) or len(known) < 3 or all(time.denominator == 1 for time in known):
        return None
    steps = {y - x for x, y in pairwise(known) if x != y}
    if not steps or min(steps) <= 0:
        return None
    step = min(steps).limit_denominator(10**6)
    if step <= 0 or any(abs(one - step) > step * _SLACK for one in steps):
        return None
    return step if all(_ticks(time, step) is not None for time in known) else None


def _exact(value: Node) -> Fraction | None:
    if not isinstance(value, Scalar) or value.kind not in ("int", "float"):
        return None
    if isinstance(value.value, float) and abs(value.value) < 1e9:
        return Fraction(value.value).limit_denominator(10**9)
    return Fraction(value.value) if isinstance(value.value, int) and abs(value.value) < 10**9 else None


def _ticks(time: Fraction, step: Fraction) -> int | None:
    count = time / step
    return round(count) if abs(count - round(count)) < Fraction(1, 100) else None


def stepped(value: Node, step: Fraction) -> int | None:
    """The tick of a time."""
    time = _exact(value)
    return None if time is None else _ticks(time, step)


def tell_step(side: Side, name: str, step: Fraction) -> None:
    """The step decides comparability; a remark says what a tick is."""
    text = f"{float(step):g}"
    side.head("time step", Scalar("float", float(step), text))
    side.remark(f"no tick is named; {name} rises in steps of {text}, and a tick is that many")
