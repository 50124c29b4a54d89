"""Several records of one tick: rows, of which every one counts, or values that a rollback computed again."""

from __future__ import annotations

from detcheck.compare.nodes import record_signature
from detcheck.dumps.repeated import as_rows, row_key
from detcheck.model.record import Record

MAX_TOLD = 5


def weighed(a: Record, b: Record) -> tuple[Record, Record, str | None]:
    """Both records with all rows of their tick where both sides have rows; and what is left out, in words.

    Where only one side has several, or where several are no rule, the last one counts: so a rollback means it.
    """
    if a.rows and b.rows:
        runs = [[*a.again, a], [*b.again, b]]
        if max(map(len, runs)) > 1:
            key = row_key(runs)
            return _rows(runs[0], key), _rows(runs[1], key), None
        return a, b, None
    if a.again and b.again and len(a.again) == len(b.again):
        if any(record_signature(x) != record_signature(y) for x, y in zip(a.again, b.again, strict=True)):
            return a, b, "earlier records of one tick differ, only the last one was compared"
        return a, b, None
    for side, mine, other in (("a", a, b), ("b", b, a)):
        if mine.rows and mine.again and not other.again:
            return a, b, f"{side} has several records of one tick by rule, the other side one; the last was compared"
    return a, b, None


def _rows(run: list[Record], key: str | None) -> Record:
    rows = as_rows(run, key)
    rows.session, rows.ends = run[-1].session, run[-1].ends
    return rows


def told(left_out: dict[str, list[int | None]]) -> list[str]:
    """What was left out of ticks with several records, and at which ticks."""
    found = []
    for text, ticks in left_out.items():
        named = ", ".join(str(tick) for tick in ticks[:MAX_TOLD])
        more = f" and {len(ticks) - MAX_TOLD} more" if len(ticks) > MAX_TOLD else ""
        found.append(f"{text}: {'tick' if len(ticks) == 1 else 'ticks'} {named}{more}")
    return found
