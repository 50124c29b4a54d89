"""One side has drawn more: everything random after it is another number."""

from __future__ import annotations

from detcheck.compare.causes.evidence import Evidence
from detcheck.compare.rng_forms import stream_of
from detcheck.compare.rng_streams import apart_text, words_apart
from detcheck.compare.wording import plural
from detcheck.errors import visible


def find(evidence: Evidence) -> str | None:
    """A stepped generator, counted draws, or draws of a trace that only one side made."""
    streams = {name: node for name, node in evidence.a.rng.items() if name in evidence.b.rng}
    found = evidence.of_kind("rng")
    unlike = {f.path for f in found}
    for name, node in streams.items():
        if not any(path == name or path.startswith((f"{name}.", f"{name}[")) for path in unlike):
            continue
        mine, theirs = stream_of(node), stream_of(evidence.b.rng[name])
        words = words_apart(mine, theirs)
        if words:
            return f"{visible(name, 60)}: {apart_text(words, mine.kind or '')}"
        if mine.draws is not None and theirs.draws is not None and mine.draws != theirs.draws:
            more, apart = (
                ("b", theirs.draws - mine.draws) if theirs.draws > mine.draws else ("a", mine.draws - theirs.draws)
            )
            return f"{visible(name, 60)}: {more} counts {plural(apart, 'draw')} more ({mine.draws} / {theirs.draws})"
    for finding in found:
        if finding.note and "stepped from one state" in finding.note:
            return f"{visible(finding.path, 60)}: {finding.note}"
    traced = tuple(sum(event.is_rng for event in record.events) for record in (evidence.a, evidence.b))
    if traced[0] != traced[1]:
        more = "b" if traced[1] > traced[0] else "a"
        return f"the trace of {more} has {plural(abs(traced[0] - traced[1]), 'draw')} more ({traced[0]} / {traced[1]})"
    return None
