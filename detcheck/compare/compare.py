"""`compare(a, b)`: one Comparison of two opened sides, in the order of the design's "Decide"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from detcheck.compare.align import Cursor, Pair, Run, aligned
from detcheck.compare.columns import Columns
from detcheck.compare.head import head_reason, one_sided_heads, run_reason, unlike_heads
from detcheck.compare.method import method_of, why_of
from detcheck.compare.options import Options
from detcheck.compare.tracker import Tracker
from detcheck.compare.verdict import INCONCLUSIVE, conclude, coverage_of
from detcheck.compare.windows import window_words
from detcheck.model.comparison import Cause, Comparison
from detcheck.model.record import Source

#: records read on to know the windows of two sides that are not compared
MAX_WINDOW_RECORDS = 100_000


def compare(a: Source, b: Source, options: Options | None = None) -> Comparison:
    """Compare two sides, reading each once, from front to back, one record at a time.

    Raises what the readers raise (DetcheckError).
    """
    return compare_sessions(a, b, options or Options())[0]


def compare_sessions(
    a: Source, b: Source, options: Options, skip: tuple[int, int] = (0, 0)
) -> tuple[Comparison, tuple[int, int]]:
    """The comparison, and how many sessions each side was seen to have; its first `skip` sessions are left out."""
    skipped = a.skipped if a.skipped is not None and a.skipped == b.skipped else None
    cursor_a, cursor_b = Cursor(a, skip[0]), Cursor(b, skip[1])
    tracker = Tracker(options, skipped)
    stream = aligned(cursor_a, cursor_b, bulk=options.plain and options.ticks == (None, None))
    unlike = unlike_heads(a, b, options)
    tracker.columns = Columns(a, b)
    tracker.used.update(f"--ignore {p.text}" for p in options.ignore if any(p.matches(name) for name in a.head))
    if unlike:
        result = _not_comparable(head_reason(unlike), tracker, stream)
    else:
        for item in stream:
            tracker.feed(item)
            if not tracker.more or tracker.ids.sure:
                break
        if tracker.ids.unlike:
            result = _not_comparable(run_reason(tracker.ids.words), tracker, stream)
        else:
            tracker.settle()
            tracker.session_names = {**b.sessions, **a.sessions}
            result = conclude(tracker, _remarks(a, b), _causes(tracker))
    result = replace(
        result,
        readers=(a.reader, b.reader),
        names=(a.name, b.name),
        why=(why_of(a), why_of(b)),
        how=method_of(a, b, options, tracker),
    )
    named = bool(a.sessions or b.sessions)  # they are paired by name, so that none is one too many
    return result, (0, 0) if named else (cursor_a.sessions, cursor_b.sessions)


def _causes(tracker: Tracker) -> tuple[Cause, ...]:
    """Likely causes; their modules are read only for a divergence, because most comparisons have none.

    Where the sides only give names crosswise there is none.
    """
    if tracker.divergence is None:
        return ()
    from detcheck.compare.crosswise import exchanged

    tracker.divergence.crosswise = exchanged(tracker.divergence, tracker.options)
    if tracker.divergence.crosswise is not None:
        return ()
    from detcheck.compare.causes import causes_of

    return causes_of(tracker.divergence)


def _not_comparable(reason: str, tracker: Tracker, stream: Iterable[Pair | Run]) -> Comparison:
    """The reason and both windows; no field is compared."""
    a, b = tracker.a, tracker.b
    for item in stream:
        if isinstance(item, Run):
            a.see(item.tick(0), item.a.session, 0)
            a.see(item.tick(item.length - 1), item.a.session, 0)
            b.see(item.tick(0), item.b.session, 0)
            b.see(item.tick(item.length - 1), item.b.session, 0)
        else:
            for window, record in ((a, item.a), (b, item.b)):
                if record is not None:
                    window.see(record.tick, record.session, record.line)
        if a.records + b.records > MAX_WINDOW_RECORDS:
            break
    reason = f"{reason}; a has {window_words(a)}, b has {window_words(b)}; no field was compared"
    return Comparison(INCONCLUSIVE, reason, coverage=coverage_of(tracker))


def _remarks(a: Source, b: Source) -> list[str]:
    """What the readers remarked, and what only one head names."""
    found = [f"{side}: {text}" for side, source in (("a", a), ("b", b)) for text in source.remarks]
    heads = one_sided_heads(a, b)
    if heads:
        found.append(heads)
    return found
