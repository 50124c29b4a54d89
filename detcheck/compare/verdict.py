"""From what the tracker has seen to one Comparison: the verdict, why, and what to say beside it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from detcheck.compare.again import told
from detcheck.compare.context import context_of
from detcheck.compare.contradictions import contradictions
from detcheck.compare.nodes import scalars
from detcheck.compare.session_ends import ended_early, session_words
from detcheck.compare.tracker import Divergence, Tracker, Window
from detcheck.compare.unmatched import unmatched
from detcheck.compare.wording import plural, tick_words
from detcheck.errors import visible
from detcheck.model.comparison import Cause, Comparison, Coverage, Finding

SAME, DIVERGED, ENDS_EARLY, INCONCLUSIVE = "same", "diverged", "ends_early", "inconclusive"
#: how a comparison with that verdict ends the command (design: diff, Verdicts and exits)
EXIT_CODES = {SAME: 0, DIVERGED: 1, ENDS_EARLY: 3, INCONCLUSIVE: 3}
MAX_SHOWN = 5
#: values of generators that are named when they still agree
MAX_MARKS = 12


def conclude(tracker: Tracker, remarks: Iterable[str], causes: tuple[Cause, ...]) -> Comparison:
    """The verdict of two sides that are comparable as far as their heads say."""
    found = tracker.divergence
    notes = [
        *remarks,
        *tracker.remarks,
        *told(tracker.again),
        *_order_notes(tracker),
        *_tolerance_notes(tracker),
        *_background_notes(tracker),
        *_unmatched_notes(tracker),
    ]
    coverage = coverage_of(tracker)
    if found is not None:
        return _diverged(found, tracker, [*_found_notes(found, tracker), *notes], coverage, causes)
    if not tracker.common:
        reason = no_common_tick(tracker)
        return Comparison(INCONCLUSIVE, reason, notes=tuple(notes), coverage=coverage, strip=tracker.strip.text())
    if not tracker.values and tracker.state_only:
        reason = f"the ticks overlap{_range(tracker)}, but nothing in them is on both sides"
        return Comparison(INCONCLUSIVE, reason, notes=(*notes, *coverage_notes(tracker)), coverage=coverage)
    if not tracker.values and (tracker.options.only or tracker.used or tracker.ignored):
        reason = f"nothing was compared: the ticks overlap{_range(tracker)}, but {_nothing_left(tracker)}"
        return Comparison(INCONCLUSIVE, reason, notes=(*notes, *coverage_notes(tracker)), coverage=coverage)
    early = tracker.cut_inside or _ends_early(tracker)
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
        context=context_of(found, findings),
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


def _ends_early(tracker: Tracker) -> str | None:
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


def _found_notes(found: Divergence, tracker: Tracker) -> list[str]:
    """What belongs to the divergence: contradictions, what the records' own remarks say, what follows, early ends."""
    notes = [*contradictions(found, tracker), *found.diff.remarks]
    notes.extend(_generator_notes(found))
    if tracker.options.mapping:
        notes.append("with --map, paths are told under the names of b")
    if found.diff.counts["input"]:
        state = found.after.first_of.get("field", found.after.first_of.get("rng"))
        if state != found.tick and found.after.ticks > 1:
            notes.append("the state follows " + ("in no tick compared" if state is None else f"at {tick_words(state)}"))
    notes.extend(found.after.words())
    notes.extend(tracker.elsewhere.words(found.tick, tracker.session_names))
    early = _ends_early(tracker) if tracker.more else None
    if early:
        notes.append(f"{early} (the divergence comes first)")
    if not tracker.more:
        notes.append(f"stopped reading at {tick_words(tracker.last_common)}; --all reads to the end")
    return notes


def _generator_notes(found: Divergence) -> list[str]:
    """Where only generators differ, the marks that still agree tell between which two stages they parted."""
    unlike = {f.path for f in found.diff.found["rng"]}
    if not unlike or found.diff.counts["field"]:
        return []
    paths = [path for name, node in found.a.rng.items() for path, _ in islice(scalars(node, name), MAX_MARKS)]
    equal = [path for path in paths if not any(_at(path, other) for other in unlike)]
    if not equal or len(equal) > MAX_MARKS:
        return ["no field differs yet, only generators"]
    names = ", ".join(visible(path, 60) for path in equal)
    return [f"no field differs yet, only generators; of these still equal: {names}"]


def _at(path: str, other: str) -> bool:
    return path == other or path.startswith((f"{other}.", f"{other}["))


def _order_notes(tracker: Tracker) -> list[str]:
    if tracker.order_seen is None or tracker.divergence is not None:
        return []
    tick, diff = tracker.order_seen
    return [
        f"{visible(f.path or 'rows', 120)}: {f.note} at {tick_words(tick)} "
        f"({visible(f.a.text, 60)} / {visible(f.b.text, 60)}); no field differs by it now, but what walks over it may"
        for f in diff.orders[:MAX_SHOWN]
    ]


def _tolerance_notes(tracker: Tracker) -> list[str]:
    if tracker.tolerated is None:
        return []
    tick, diff = tracker.tolerated
    first = diff.tolerated[0]
    return [
        f"exact onset {tick_words(tick)}: {visible(first.path, 120)} is {first.a.text} / {first.b.text}, {first.note}; "
        f"{plural(tracker.tolerated_count, 'difference')} in all lie within a tolerance"
    ]


def _background_notes(tracker: Tracker) -> list[str]:
    notes = []
    if tracker.clocks:
        notes.append(
            f"background: {_some(tracker.clocks)} differ; by their names they measure the machine and are no state"
        )
    if tracker.pending is not None:
        paths = tracker.background - tracker.clocks
        notes.append(
            f"background: {_some(paths)} differ already at the first common tick, {tracker.first_common}, and so are "
            "not the first finding. If that is state, the divergence lies at or before that tick"
        )
    return notes


def _unmatched_notes(tracker: Tracker) -> list[str]:
    return [f"{visible(text, 120)} matched nothing" for text in unmatched(tracker)]


def _nothing_left(tracker: Tracker) -> str:
    """Why ticks in common have nothing to compare."""
    idle = [text for text in unmatched(tracker) if text.startswith("--only")]
    if idle and len(idle) == len(tracker.options.only):
        return f"{', '.join(visible(text, 120) for text in idle)} matched nothing"
    return "nothing in them is left to compare"


def _some(paths: Iterable[str]) -> str:
    """The first paths of a set, and how many more."""
    listed = sorted(paths)
    shown = ", ".join(visible(path, 80) for path in listed[:MAX_SHOWN])
    return shown if len(listed) <= MAX_SHOWN else f"{shown} and {len(listed) - MAX_SHOWN} more"


def coverage_of(tracker: Tracker) -> Coverage:
    """What was compared, what was left out and why."""
    ignored = dict(tracker.ignored)
    if tracker.background:
        ignored["background"] = len(tracker.background)
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


def coverage_notes(tracker: Tracker) -> list[str]:
    """In words, what only one side has."""
    notes = [visible(text, 500) for text in tracker.columns.notes()] if tracker.columns is not None else []
    for side, count in (("a", tracker.only_a), ("b", tracker.only_b)):
        if count:
            notes.append(f"only {side} has {plural(count, 'tick')} that the other side lacks; not compared")
    for side, count in sorted(tracker.state_only.items()):
        notes.append(f"only {side} gives state at {plural(count, 'tick')}; only hashes were compared there")
    for side, count in sorted(tracker.hash_one_sided.items()):
        notes.append(f"only {side} gives a hash in {plural(count, 'place')}; not compared")
    return notes
