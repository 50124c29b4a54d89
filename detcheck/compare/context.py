"""The equal records before the first unlike one: what the fields that differ were, tick by tick."""

from __future__ import annotations

from detcheck.compare.options import Options
from detcheck.compare.records import diff_records
from detcheck.compare.seen import Divergence
from detcheck.errors import visible
from detcheck.model.comparison import Finding

#: fields whose past is shown
MAX_FIELDS = 3


def context_of(found: Divergence, findings: tuple[Finding, ...]) -> tuple[tuple[int, str], ...]:
    """(tick, `path = value, ...`) for each equal record that is remembered, the earliest first."""
    named = [f.path for f in findings if f.kind not in ("order", "count")]
    watch = frozenset(named[:MAX_FIELDS])
    rows = []
    for a, b in found.before:
        watched = diff_records(a, b, Options(), 0, watch=watch).watched
        texts = [f"{visible(path, 60)} = {visible(watched[path][0].text, 40)}" for path in named if path in watched]
        if a.tick is not None:
            rows.append((a.tick, ", ".join(texts) or "equal"))
    return tuple(rows)
