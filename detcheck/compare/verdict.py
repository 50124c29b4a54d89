"""From what the tracker has seen to one Comparison: the verdict, why, and what to say beside it."""

from __future__ import annotations

from collections.abc import Iterable

from detcheck.compare.context import context_of
from detcheck.compare.notes import coverage_notes, found_notes, side_notes
from detcheck.compare.seen import Divergence, Window
from detcheck.compare.session_ends import session_words
from detcheck.compare.tracker import Tracker
from detcheck.compare.unmatched import unmatched
from detcheck.compare.windows import early_of, no_common_tick
from detcheck.compare.wording import plural, tick_words
from detcheck.errors import visible
from detcheck.model.comparison import Cause, Comparison, Coverage, Finding

SAME, DIVERGED, ENDS_EARLY, INCONCLUSIVE = "same", "diverged", "ends_early", "inconclusive"
#: how a comparison with that verdict ends the command (design: diff, Verdicts and exits)
EXIT_CODES = {SAME: 0, DIVERGED: 1, ENDS_EARLY: 3, INCONCLUSIVE: 3}


def conclude(tracker: Tracker, remarks: Iterable[str], causes: tuple[Cause, ...]) -> Comparison:
    """The verdict of two sides that are comparable as far as their heads say."""
    found = tracker.divergence
    notes = [
        *remarks,
        *tracker.remarks,
        *side_notes(tracker),
    ]
    coverage = coverage_of(tracker)
    if found is not None:
        return _diverged(found, tracker, [*found_notes(found, tracker), *notes], coverage, causes)
    if not tracker.common:
        reason = no_common_tick(tracker)
        return Comparison(INCONCLUSIVE, reason, notes=tuple(notes), coverage=coverage, strip=tracker.strip.text())
    if not tracker.values and tracker.state_only:
        reason = f"the ticks overlap{_range(tracker)}, but nothing in them is on both sides"
        return Comparison(INCONCLUSIVE, reason, notes=(*notes, *coverage_notes(tracker)), coverage=coverage)
    if not tracker.values and (tracker.options.only or tracker.used or tracker.ignored):
        reason = f"nothing was compared: the ticks overlap{_range(tracker)}, but {_nothing_left(tracker)}"
        return Comparison(INCONCLUSIVE, reason, notes=(*notes, *coverage_notes(tracker)), coverage=coverage)
    early = tracker.cut_inside or early_of(tracker)
    equal = "the only tick in common is equal"
    if tracker.cut_inside:
        equal = "what stands before that is equal"
    elif tracker.common > 1:
        number = f"{tracker.common:,} " if tracker.ticks_counted else ""
        equal = f"all {number}ticks in common are equal"
    reason = f"{early}; {equal}" if early else f"{equal}{_range(tracker)}{_with_order(tracker)}"
    return Comparison(
        ENDS_EARLY if early else SAME,
        reason,
        last_equal_tick=tracker.last_equal,
        notes=(*notes, *coverage_notes(tracker)),
        coverage=coverage,
        strip=tracker.strip.text(),
    )


def _diverged(
    found: Divergence, tracker: Tracker, notes: list[str], coverage: Coverage, causes: tuple[Cause, ...]
) -> Comparison:
    findings = found.diff.findings
    return Comparison(
        DIVERGED,
        _diverged_reason(found, tracker, findings),
        first_divergent_tick=found.tick,
        last_equal_tick=found.last_equal,
        first_unlike_tick=found.tick,
        findings=findings,
        findings_total=found.diff.differing + len(found.diff.orders),
        causes=causes,
        notes=(*notes, *coverage_notes(tracker)),
        coverage=coverage,
        strip=tracker.strip.text(),
        follows=tuple(found.after.series),
        context=context_of(found, findings) if tracker.options.context else (),
    )


def _diverged_reason(found: Divergence, tracker: Tracker, findings: tuple[Finding, ...]) -> str:
    first = findings[0]
    what = f"{_class_words(first)}{visible(first.path, 120)}{_both(first)}"
    more = found.diff.differing - 1
    others = f" and {plural(more, 'other difference')}" if more > 0 else ""
    several = max(found.session, tracker.a.session, tracker.b.session) > 0
    session = f" of {session_words(found.session, tracker.session_names)}" if several else ""
    return f"diverged{_place(found, tracker)}{session}: {what}{others}{_since(found, tracker)}"


def _place(found: Divergence, tracker: Tracker) -> str:
    """` at tick 17`; by its place among the records where none names a tick."""
    if found.tick is not None:
        return f" at {tick_words(found.tick)}"
    return f" at record {found.place:,}, which names no tick" if tracker.common > 1 else ""


def _class_words(first: Finding) -> str:
    if first.kind == "input":
        return "unlike input (a network fault, not arithmetic) "
    return "generator " if first.kind == "rng" else ""


def _both(first: Finding) -> str:
    if "absent" in (first.a.kind, first.b.kind):
        return f" only in {'a' if first.b.kind == 'absent' else 'b'}"
    if first.kind == "order":
        return " in another order"
    if len(first.a.text) + len(first.b.text) > 80:
        return f" differs{', ' + first.note if first.note else ''}"
    return f" is {visible(first.a.text)} / {visible(first.b.text)}"


def _since(found: Divergence, tracker: Tracker) -> str:
    """Last equal tick; an interval where ticks lie between."""
    if found.tick is None and found.place > 1:
        return f"; the {plural(found.place - 1, 'record')} before it {'are' if found.place > 2 else 'is'} equal"
    if found.last_equal is None:
        if tracker.common == 1:
            return "; it is the only tick in common" if found.tick is not None else ""
        if found.session:
            return "; it is the first tick in common of that session"
        return "; it is the first tick in common, so the divergence lies at or before it"
    if found.tick is not None and found.tick - found.last_equal > 1:
        return f"; last equal tick {found.last_equal}, so it lies after {found.last_equal} and not after {found.tick}"
    return f"; last equal tick {found.last_equal}"


def _range(tracker: Tracker) -> str:
    if tracker.first_common is None or tracker.last_common is None:
        return ""
    return f" ({tracker.first_common} to {tracker.last_common})" if tracker.common > 1 else f" ({tracker.first_common})"


def _with_order(tracker: Tracker) -> str:
    pieces = []
    if tracker.order_seen is not None:
        pieces.append("the order of rows differs, no field does")
    if tracker.tolerated is not None:
        pieces.append("only within the tolerance asked for")
    return "; " + ", ".join(pieces) if pieces else ""


def _nothing_left(tracker: Tracker) -> str:
    """Why ticks in common have nothing to compare."""
    idle = [text for text in unmatched(tracker) if text.startswith("--only")]
    if idle and len(idle) == len(tracker.options.only):
        return f"{', '.join(visible(text, 120) for text in idle)} matched nothing"
    return "nothing in them is left to compare"


def coverage_of(tracker: Tracker) -> Coverage:
    """What was compared, what was left out and why."""
    ignored = dict(tracker.ignored)
    background = tracker.background - tracker.writers
    if background:
        ignored["background"] = len(background)
    if tracker.writers:
        ignored["names of the writer"] = len(tracker.writers)
    if tracker.tolerated_count:
        ignored["--tolerance"] = tracker.tolerated_count
    return Coverage(
        ticks_compared=tracker.common,
        fields_compared=tracker.values,
        a_ticks=_window(tracker.a),
        b_ticks=_window(tracker.b),
        only_a=tracker.only_a,
        only_b=tracker.only_b,
        ignored=tuple(sorted(ignored.items())),
        byte_equal_lines=tracker.skipped_lines,
        ticks_counted=tracker.ticks_counted,
        read_to_end=tracker.more,
    )


def _window(window: Window) -> tuple[int, int] | None:
    return None if window.first is None or window.last is None else (window.first, window.last)
