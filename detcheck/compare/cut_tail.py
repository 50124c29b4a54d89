"""A side that stops inside its last line: what it lacks of its last tick is no divergence."""

from __future__ import annotations

from detcheck.compare.options import Options
from detcheck.compare.records import diff_records
from detcheck.model.comparison import Finding
from detcheck.model.record import Record

_KEEP = 10_000


def cut_side(a: Record, b: Record, options: Options) -> str | None:
    """ "a" or "b" where only that side has a cut tail and the cut explains all that is unlike; else None.

    A whole value that differs is a divergence, cut or not: the rest of the value must have been cut off.
    """
    if (a.cut is None) == (b.cut is None):
        return None
    side = "a" if a.cut is not None else "b"
    found = diff_records(a, b, options, _KEEP)
    if not found.differing or found.differing > len(found.findings):
        return None
    if any(_is_real(finding, side) for finding in found.findings):
        return None
    whole_a, whole_b = (record if record.cut is None else record.cut[1] for record in (a, b))
    rest = diff_records(whole_a, whole_b, options, _KEEP)
    return side if all(_is_missing(finding, side) for finding in rest.findings) else None


def _sides(finding: Finding, side: str) -> tuple[str, str, str, str]:
    """Kind and text of the side that is cut, then of the other."""
    cut, other = (finding.a, finding.b) if side == "a" else (finding.b, finding.a)
    return cut.kind, cut.text, other.kind, other.text


def _is_real(finding: Finding, side: str) -> bool:
    """Two values, neither of them missing, of which one is not the beginning of the other."""
    kind, text, other_kind, other = _sides(finding, side)
    if finding.kind in ("count", "order") or {kind, other_kind} & {"absent", "present"}:
        return False
    return not (len(text) < len(other) and other.startswith(text))


def _is_missing(finding: Finding, side: str) -> bool:
    kind, text, _, _ = _sides(finding, side)
    return kind == "absent" or (kind == "str" and not text) or finding.kind in ("count", "order")
