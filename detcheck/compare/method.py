"""What was compared and how, for -v: readers, wrappings, heads, keys of rows, options, what was skipped."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from detcheck.compare.options import Options
from detcheck.compare.wording import plural
from detcheck.errors import visible
from detcheck.model.record import Group, Items, Lanes, Node, Record, Source

if TYPE_CHECKING:
    from detcheck.compare.tracker import Tracker

#: nodes of one record that are searched for lists, and what is named of each kind
MAX_NODES, MAX_NAMED = 500, 8


def why_of(source: Source) -> str:
    """Why its reader was chosen, and what was unwrapped before."""
    unwrapped = (
        f"; unwrapped from {', '.join(visible(name, 40) for name in source.wrapping)}" if source.wrapping else ""
    )
    return visible(source.why, 160) + unwrapped


def method_of(a: Source, b: Source, options: Options, tracker: Tracker) -> tuple[str, ...]:
    """Sentences; those that say nothing of this pair are left out."""
    return tuple(
        text
        for text in (
            _heads(a, b),
            _writers(a, b, tracker),
            _skipped(a),
            _rows(tracker),
            _asked(options),
            "numbers are compared exactly" + (", but for --tolerance" if options.tolerances else ""),
        )
        if text
    )


def _heads(a: Source, b: Source) -> str:
    both = [name for name in a.head if name in b.head]
    return f"both heads name {_some(both)}" if both else ""


def _writers(a: Source, b: Source, tracker: Tracker) -> str:
    """Those in heads, and those of records that differ since they were first seen: others were compared."""
    named = [
        name for name in {**a.writer, **b.writer} if name not in tracker.writers and not _in_records(name, tracker)
    ]
    named += sorted(tracker.writers)
    return f"not compared, because it names the writer: {_some(named)}" if named else ""


def _in_records(path: str, tracker: Tracker) -> bool:
    found = tracker.divergence
    pair = (found.a, found.b) if found is not None else tracker.previous
    return pair is not None and any(path.partition(".")[0] in record.fields.items for record in pair)


def _skipped(a: Source) -> str:
    skipped = a.skipped
    if skipped is None or not skipped.lines:
        return ""
    return (
        f"the first {plural(skipped.lines, 'line')}, {skipped.bytes:,} bytes, are equal byte for byte: "
        "no field in them was looked at"
    )


def _rows(tracker: Tracker) -> str:
    """How the rows of lists are paired, as the last records say."""
    from detcheck.compare.nodes import Budget
    from detcheck.compare.pairing import pair_items

    if tracker.divergence is not None:
        pair: tuple[Record, Record] | None = (tracker.divergence.a, tracker.divergence.b)
    else:
        pair = tracker.previous
    if pair is None:
        return ""
    theirs = dict(_lists(pair[1].fields))
    told: list[str] = []
    for path, items in _lists(pair[0].fields):
        other = theirs.get(path)
        if other is not None and len(told) <= MAX_NAMED and len(items.items) + len(other.items) <= MAX_NODES:
            key = pair_items(items, other, Budget()).key
            told.append(f"{visible(path or 'rows', 60)} by {visible(key, 40) if key else 'place'}")
    return f"rows are paired: {_some(told)}" if told else ""


def _lists(root: Group) -> Iterator[tuple[str, Items]]:
    """Lists of rows by their paths; of lists within rows none."""
    stack: list[tuple[str, Node]] = [("", root)]
    seen = 0
    while stack and seen < MAX_NODES:
        path, node = stack.pop()
        seen += 1
        if isinstance(node, Items):
            if any(isinstance(item, (Group, Items, Lanes)) for item in node.items[:1]):
                yield path, node
        elif isinstance(node, Group):
            some = islice(node.items.items(), MAX_NODES)
            inner = [(f"{path}.{name}" if path else name, child) for name, child in some]
            stack.extend(reversed(inner))


def _asked(options: Options) -> str:
    asked = [f"--only {p.text}" for p in options.only] + [f"--ignore {p.text}" for p in options.ignore]
    asked += [f"--tolerance {t.text}" for t in options.tolerances] + [f"--map {a}={b}" for a, b in options.mapping]
    if options.ticks != (None, None):
        first, last = ("" if end is None else str(end) for end in options.ticks)
        asked.append(f"--ticks {first}:{last}")
    return f"asked for: {_some([visible(text, 80) for text in asked])}" if asked else ""


def _some(names: list[str]) -> str:
    shown = ", ".join(visible(name, 100) for name in names[:MAX_NAMED])
    return shown + (f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else "")
