"""Which ticks each side has, in words: no tick in common, one side ends early."""

from __future__ import annotations

from detcheck.compare.seen import Window
from detcheck.compare.session_ends import ended_early
from detcheck.compare.tracker import Tracker
from detcheck.compare.wording import plural


def _asked(tracker: Tracker) -> str:
    """` within --ticks 500:600`."""
    if tracker.options.ticks == (None, None):
        return ""
    first, last = ("" if end is None else str(end) for end in tracker.options.ticks)
    return f" within --ticks {first}:{last}"


def _windows(tracker: Tracker) -> str:
    """What both sides hold, whatever --ticks lets through."""
    sides = (("a", tracker.held_a), ("b", tracker.held_b))
    return f" ({', '.join(f'{side}: {window_words(window)}' for side, window in sides)})"


def no_common_tick(tracker: Tracker) -> str:
    """Why nothing could be compared."""
    a, b = tracker.a, tracker.b
    if not a.records or not b.records:
        empty = [side for side, window in (("a", a), ("b", b)) if not window.records]
        verb = "have" if len(empty) > 1 else "has"
        return f"nothing to compare: {' and '.join(empty)} {verb} no record{_asked(tracker)}{_windows(tracker)}"
    if a.first is None or b.first is None:
        return f"no tick in common: one side names no tick (a: {window_words(a)}, b: {window_words(b)})"
    apart = a.last is not None and b.last is not None and (a.last < b.first or b.last < a.first)
    why = "the windows do not overlap" if apart else "no tick in common"
    return f"{why}: a has {window_words(a)}, b has {window_words(b)}; unlike ticks are not compared field by field"


def window_words(window: Window) -> str:
    """`tick 9040`, `ticks 0 to 63`."""
    if not window.records:
        return "no record"
    if window.first is None:
        return plural(window.records, "record") + " without a tick"
    if window.first == window.last:
        return f"tick {window.first}"
    return f"ticks {window.first} to {window.last}"


def early_of(tracker: Tracker) -> str | None:
    """Where one side ends and the other goes on: in any of the sessions."""
    a, b, names = tracker.a, tracker.b, tracker.session_names
    if names:
        a.close()
        b.close()
        return ended_early(a.over, b.over, names)
    early = ended_early(a.over, b.over, names) if a.session == b.session and a.over.keys() == b.over.keys() else None
    return early or ends_early(a, b)


def ends_early(a: Window, b: Window) -> str | None:
    """`b ends after tick 47, a goes on to tick 63`; None when neither goes on past the other's next tick.

    A side of one document is a snapshot, not a stream that broke off.
    """
    if a.session != b.session:
        short, long = ("a", "b") if a.session < b.session else ("b", "a")
        return f"{short} has {plural(min(a.session, b.session) + 1, 'session')}, {long} {max(a.session, b.session) + 1}"
    if a.last is None or b.last is None:
        if a.records == b.records:
            return None
        short, long = ("a", "b") if a.records < b.records else ("b", "a")
        return (
            f"{short} ends after {plural(min(a.records, b.records), 'record')}, {long} has {max(a.records, b.records)}"
        )
    short_side, shorter, long_side, longer = ("a", a, "b", b) if a.last < b.last else ("b", b, "a", a)
    assert shorter.last is not None
    assert longer.last is not None
    if shorter.records == 1 and not shorter.line_shaped:
        return None
    if longer.last < shorter.last + (shorter.step or 1) or longer.last == shorter.last:
        return None
    return f"{short_side} ends after tick {shorter.last}, {long_side} goes on to tick {longer.last}"
