"""What a regen would change, for people: one line a golden."""

from __future__ import annotations

from rich.text import Text

from detcheck.errors import visible
from detcheck.golden.changes import KINDS, Change

_STYLES = {"new": "green", "changed": "yellow", "identity": "yellow", "unreferenced": "magenta"}
_KIND_WIDTH = max(len(words) for words in KINDS.values())


def change_lines(scenario: str, backend: str, change: Change, width: int = 0, states: bool = False) -> list[Text]:
    """The kind, whose golden (names in a column of `width`), what of it changes, and whether states come with it."""
    head = Text(KINDS[change.kind].ljust(_KIND_WIDTH), style=_STYLES.get(change.kind, ""))
    head.append(f"  {visible(scenario).ljust(width)}  {visible(backend)}", style="default")
    if change.first_changed is not None:
        parts = f": {', '.join(visible(p) for p in change.parts)}" if change.parts else ""
        head.append(f"  from checkpoint {change.first_changed} on{parts}", style="default")
    if states:
        head.append("  with states", style="default")
    lines = [head]
    indent = " " * (_KIND_WIDTH + 2)
    for name, old, new in change.fields:
        lines.append(
            Text(indent + f"{name}: ").append(f"- {visible(old)}", "red").append(f"  + {visible(new)}", "green")
        )
    if change.span is not None:
        lines.append(Text(indent).append(f"- {change.span[0]}", "red").append(f"  + {change.span[1]}", "green"))
    if change.note:
        lines.append(Text(indent + visible(change.note, 500)))
    return lines


def unreferenced_line(path: str) -> Text:
    """A golden that no scenario owns."""
    return Text(KINDS["unreferenced"].ljust(_KIND_WIDTH), style=_STYLES["unreferenced"]).append(
        f"  {visible(path, 1000)}", style="default"
    )


def fault_lines(scenario: str, backend: str, fault: str) -> list[Text]:
    """A replay that cannot be recorded."""
    head = Text("not recorded".ljust(_KIND_WIDTH), style="red").append(
        f"  {visible(scenario)}  {visible(backend)}", "default"
    )
    return [head, *(Text("  " + line) for line in fault.splitlines())]
