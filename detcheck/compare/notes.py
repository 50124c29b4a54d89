"""What is said beside a verdict: contradictions, what follows, what was left out, what only one side has."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from detcheck.compare.contradictions import contradictions
from detcheck.compare.nodes import scalars
from detcheck.compare.seen import Divergence
from detcheck.compare.tracker import Tracker
from detcheck.compare.unmatched import unmatched
from detcheck.compare.windows import early_of
from detcheck.compare.wording import plural, tick_words
from detcheck.errors import visible

MAX_SHOWN = 5
#: values of generators that are named when they still agree
MAX_MARKS = 12


def side_notes(tracker: Tracker) -> list[str]:
    """What holds whatever the verdict is."""
    return [
        *_again_notes(tracker),
        *_order_notes(tracker),
        *_tolerance_notes(tracker),
        *_background_notes(tracker),
        *(f"{visible(text, 120)} matched nothing" for text in unmatched(tracker)),
    ]


def _again_notes(tracker: Tracker) -> list[str]:
    if not tracker.again:
        return []
    from detcheck.compare.again import told

    return told(tracker.again)


def found_notes(found: Divergence, tracker: Tracker) -> list[str]:
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
    early = early_of(tracker) if tracker.more else None
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
            f"background: {_some(tracker.clocks)} differ; by their names or values they measure the machine and are "
            "no state"
        )
    if tracker.pending is not None:
        paths = tracker.background - tracker.clocks - tracker.writers
        notes.append(
            f"background: {_some(paths)} differ already at the first common tick, {tracker.first_common}, and so are "
            "not the first finding. If that is state, the divergence lies at or before that tick"
        )
    return notes


def _some(paths: Iterable[str]) -> str:
    """The first paths of a set, and how many more."""
    listed = sorted(paths)
    shown = ", ".join(visible(path, 80) for path in listed[:MAX_SHOWN])
    return shown if len(listed) <= MAX_SHOWN else f"{shown} and {len(listed) - MAX_SHOWN} more"


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
