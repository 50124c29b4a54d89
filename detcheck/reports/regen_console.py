"""What a regen would change, for people: a golden is one line, or a line and what does not fit in it below."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from detcheck.errors import visible
from detcheck.golden.changes import KINDS, Change
from detcheck.reports.flow import flowed

_STYLES = {"new": "green", "changed": "yellow", "identity": "yellow", "unreferenced": "magenta"}
_KIND_WIDTH = max(len(words) for words in KINDS.values())
_GAP = "  "
_INDENT = "    "
_OLD, _NEW = "red", "green"


def change_lines(
    scenario: str, backend: str, change: Change, width: int = 0, states: bool = False, line_width: int = 80
) -> list[Text]:
    """The kind, whose golden (names in a column of `width`), what of it changes, and whether states come with it.

    Lines of at most `line_width` characters; no name and no hash is broken.
    """
    lead = Text(KINDS[change.kind].ljust(_KIND_WIDTH), style=_STYLES.get(change.kind, ""))
    lead.append(f"{_GAP}{visible(scenario).ljust(width)}{_GAP}{visible(backend)}", style="default")
    words = []
    if change.first_changed is not None:
        parts = f": {', '.join(visible(p) for p in change.parts)}" if change.parts else ""
        words.append(f"from checkpoint {change.first_changed} on{parts}")
    if states:
        words.append("with states")
    lines = _beside(lead, _GAP.join(words), line_width)
    for name, old, new in change.fields:
        lines += _sides(f"{name}: ", visible(old), visible(new), line_width)
    if change.span is not None:
        lines += _sides("", str(change.span[0]), str(change.span[1]), line_width)
    if change.note:
        lines += _flowed(visible(change.note, 500), line_width)
    return lines


def unreferenced_line(path: str) -> Text:
    """A golden that no scenario owns."""
    return Text(KINDS["unreferenced"].ljust(_KIND_WIDTH), style=_STYLES["unreferenced"]).append(
        f"{_GAP}{visible(path, 1000)}", style="default"
    )


def fault_lines(scenario: str, backend: str, fault: str) -> list[Text]:
    """A replay that cannot be recorded."""
    head = Text("not recorded".ljust(_KIND_WIDTH), style="red").append(
        f"{_GAP}{visible(scenario)}{_GAP}{visible(backend)}".rstrip(), "default"
    )
    return [head, *(Text(_GAP + line) for line in fault.splitlines())]


def _beside(lead: Text, words: str, width: int) -> list[Text]:
    if not words or len(lead) + len(_GAP) + len(words) <= width:
        return [lead.append(_GAP + words if words else "", style="default")]
    return [lead, *_flowed(words, width)]


def _flowed(words: str, width: int) -> list[Text]:
    return [Text(line) for line in flowed(words, width, _INDENT, _INDENT + _GAP)]


def _sides(name: str, old: str, new: str, width: int) -> list[Text]:
    """`seed: - 1  + 2`; below each other where that is too long."""
    sides: Sequence[tuple[str, str]] = ((f"- {old}", _OLD), (f"+ {new}", _NEW))
    if len(_INDENT + name) + len(_GAP) + sum(len(text) for text, _ in sides) <= width:
        line = Text(_INDENT + name)
        return [line.append(*sides[0]).append(_GAP, style="default").append(*sides[1])]
    head = [Text(_INDENT + name.rstrip())] if name else []
    return [*head, *(Text(_INDENT + _GAP).append(*side) for side in sides)]
