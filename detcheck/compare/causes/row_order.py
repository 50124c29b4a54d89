"""The same rows stand in another order: whatever walks over them draws, sums and picks in another order."""

from __future__ import annotations

from detcheck.compare.causes.evidence import Evidence
from detcheck.errors import visible


def find(evidence: Evidence) -> str | None:
    """A list with the same content in another order."""
    order = evidence.of_kind("order")
    if not order:
        return None
    first = order[0]
    more = f" and {len(order) - 1} other lists" if len(order) > 1 else ""
    return (
        f"{visible(first.path or 'rows', 80)}{more}: {first.note} "
        f"({visible(first.a.text, 60)} / {visible(first.b.text, 60)}); a hash or a loop over it depends on that order"
    )
