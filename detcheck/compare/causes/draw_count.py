"""One side has drawn more: everything random after it is another number."""

from __future__ import annotations

import re

from detcheck.compare.causes.evidence import Evidence
from detcheck.compare.wording import plural
from detcheck.errors import visible

#: what the comparison of two generators says of who is ahead
_AHEAD = re.compile(r"[ab] (?:has drawn|counts) ")


def find(evidence: Evidence) -> str | None:
    """A generator stepped from one state to the other, counted draws, or draws of a trace that one side alone made."""
    for finding in evidence.of_kind("rng"):
        if finding.note is not None and _AHEAD.match(finding.note):
            return f"{visible(finding.path, 60)}: {finding.note}"
    traced = tuple(sum(event.is_rng for event in record.events) for record in (evidence.a, evidence.b))
    if traced[0] != traced[1]:
        more = "b" if traced[1] > traced[0] else "a"
        return f"the trace of {more} has {plural(abs(traced[0] - traced[1]), 'draw')} more ({traced[0]} / {traced[1]})"
    return None
