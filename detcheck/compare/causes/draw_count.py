"""One side has drawn more: everything random after it is another number."""

from __future__ import annotations

import re

from detcheck.compare.causes.evidence import Evidence, nodes_at
from detcheck.compare.paths import segments
from detcheck.compare.rng_forms import stream_of
from detcheck.compare.rng_hoist import means_generator
from detcheck.compare.rng_streams import apart_text, counted, words_apart
from detcheck.compare.wording import plural
from detcheck.errors import visible
from detcheck.model.comparison import Finding
from detcheck.model.record import Items

#: values that differ whose rows are searched for a generator
MAX_SEARCHED = 32
#: what the comparison of two generators says of who is ahead
_AHEAD = re.compile(r"[ab] (?:has drawn|counts) ")


def find(evidence: Evidence) -> str | None:
    """A generator stepped from one state to the other, counted draws, or draws of a trace that one side alone made."""
    for finding in evidence.of_kind("rng"):
        if finding.note is not None and _AHEAD.match(finding.note):
            return f"{visible(finding.path, 60)}: {finding.note}"
    for finding in evidence.values()[:MAX_SEARCHED]:
        told = _in_a_row(evidence, finding)
        if told is not None:
            return f"{visible(finding.path, 60)}: {told}"
    traced = tuple(sum(event.is_rng for event in record.events) for record in (evidence.a, evidence.b))
    if traced[0] != traced[1]:
        more = "b" if traced[1] > traced[0] else "a"
        return f"the trace of {more} has {plural(abs(traced[0] - traced[1]), 'draw')} more ({traced[0]} / {traced[1]})"
    return None


def _in_a_row(evidence: Evidence, finding: Finding) -> str | None:
    """The generator of one row of a list, to which a value that differs belongs: its state or its count."""
    for mine, theirs in zip(nodes_at(evidence.a, finding.path), nodes_at(evidence.b, finding.path), strict=False):
        if isinstance(mine, Items) or isinstance(theirs, Items):
            continue
        stream = stream_of(mine)
        words = words_apart(stream, stream_of(theirs))
        if words:
            return apart_text(words, stream.kind or "")
    if any(map(means_generator, segments(finding.path))):
        return counted(finding).note
    return None
