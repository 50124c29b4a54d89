"""Two states of one tick that `run` holds in its hands, compared as `diff` would compare them."""

from __future__ import annotations

from detcheck.compare.compare import compare
from detcheck.compare.options import Options
from detcheck.model.comparison import Comparison
from detcheck.model.record import Record, Source


def compare_state(
    expected: Record,
    actual: Record,
    *,
    previous: tuple[Record, Record] | None = None,
    names: tuple[str, str] = ("expected", "actual"),
    options: Options | None = None,
) -> Comparison:
    """The comparison of one tick: side a is expected, side b actual.

    `previous` are the records of the last equal tick, where they are known: context, and evidence for causes.
    """
    pairs = [(expected, actual)] if previous is None else [previous, (expected, actual)]
    a = Source(names[0], "state", iter([pair[0] for pair in pairs]))
    b = Source(names[1], "state", iter([pair[1] for pair in pairs]))
    return compare(a, b, options)
