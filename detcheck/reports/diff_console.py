"""A comparison for people: verdict, findings, what came before, where and how it goes on, likely causes, coverage.

Pure functions of the model and the width they may use. Names and values come from dumps: rich texts without markup,
control characters made visible.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from rich.text import Text

from detcheck.compare.wording import plural
from detcheck.errors import visible
from detcheck.model.comparison import Comparison, Coverage, TickCount
from detcheck.reports.findings_table import SHOWN, findings_table
from detcheck.reports.strip import compress
from detcheck.reports.verdict_text import verdict_text

STYLES = {"same": "green", "diverged": "red", "ends_early": "yellow", "inconclusive": "yellow"}
BARS = "▁▂▃▄▅▆▇█"
#: the same heights for an encoding without block characters
PLAIN_BARS = "_.-=+*#@"
LEGEND = ". equal, x unlike, - only on one side"
MAX_NOTE = 600


def lines(
    comparison: Comparison,
    width: int,
    *,
    show_all: bool = False,
    blocks: bool = True,
    quiet: bool = False,
    verbose: bool = False,
) -> list[Text]:
    """The whole report; `quiet` gives the verdict line alone, `blocks` false keeps to ASCII.

    `verbose` adds why each reader was chosen, and what was compared and how.
    """
    found = [verdict_line(comparison)]
    if quiet:
        return found
    found += _names(comparison, width, verbose)
    found += _section(findings_table(comparison, ("a", "b"), None if show_all else SHOWN, width))
    found += _section(_before(comparison, width))
    found += _section(_picture(comparison, width, blocks))
    found += _section(_causes(comparison, width))
    found += _section([line for note in comparison.notes for line in _bullet(note, width)])
    if verbose:
        found += _section([line for text in comparison.how for line in _bullet(text, width)])
    found += _section([line for text in coverage_words(comparison.coverage) for line in _hanging(text, width)])
    return found


def verdict_line(comparison: Comparison) -> Text:
    """The verdict in its colour."""
    return Text(verdict_text(comparison), style=f"bold {STYLES.get(comparison.verdict, '')}".strip(), no_wrap=False)


def _section(body: list[Text]) -> list[Text]:
    return [Text(""), *body] if body else []


def _names(comparison: Comparison, width: int, verbose: bool) -> list[Text]:
    """Which side is which, which reader was chosen, and why."""
    found = []
    for place, name in enumerate(comparison.names):
        reader = f" ({comparison.readers[place]})" if place < len(comparison.readers) else ""
        found.append(Text(f"{chr(ord('a') + place % 26)}: {visible(name)}{reader}", style="dim"))
        if verbose and place < len(comparison.why):
            found += _hanging(f"   chosen because: {visible(comparison.why[place], MAX_NOTE)}", width, 5)
    for place, group in enumerate(comparison.sides):
        head = "agree" if len(group) > 1 else "alone"
        found.append(Text(f"group {place + 1}, {head}: {', '.join(visible(name, 80) for name in group)}"))
    return found


def _before(comparison: Comparison, width: int) -> list[Text]:
    """The equal records before the first unlike one."""
    if not comparison.context:
        return []
    size = max(len(str(tick)) for tick, _ in comparison.context)
    found = [Text("before, equal on both sides", style="bold")]
    for tick, text in comparison.context:
        found += _hanging(f"tick {tick:>{size}}  {visible(text, 400)}", width, 7 + size)
    return found


def _picture(comparison: Comparison, width: int, blocks: bool) -> list[Text]:
    """The strip of ticks and the sparkline of differing fields."""
    found = []
    if comparison.strip.strip(".") and len(comparison.strip) > 1:
        found += _strip(comparison, width)
    if len(comparison.follows) > 1:
        found += _sparkline(comparison.follows, width, blocks)
    return found


def _strip(comparison: Comparison, width: int) -> list[Text]:
    a, b = comparison.coverage.a_ticks, comparison.coverage.b_ticks
    known = [window for window in (a, b) if window is not None]
    span = f" {min(w[0] for w in known)} to {max(w[1] for w in known)}" if known else ""
    shown, _ = compress(comparison.strip.replace("-", " "), max(8, width - 2))
    line = Text("  ")
    for mark in shown.replace(" ", "-"):
        line.append(mark, style="red" if mark == "x" else "dim")
    return [Text(f"ticks{span}: {LEGEND}", style="bold", no_wrap=False), line]


def _sparkline(follows: tuple[TickCount, ...], width: int, blocks: bool) -> list[Text]:
    """One bar a tick or group of ticks, its highest count; a tick without a difference is blank."""
    group = -(-len(follows) // max(8, width - 2))
    heights = [max(f.differing for f in follows[start : start + group]) for start in range(0, len(follows), group)]
    top = max(heights)
    if top == min(heights):
        return []
    bars = BARS if blocks else PLAIN_BARS
    drawn = "".join(" " if height == 0 else bars[(height * len(bars) - 1) // top] for height in heights)
    first, last = follows[0].tick, follows[-1].tick
    span = "from the first unlike one on" if first is None or last is None else f"ticks {first} to {last}"
    word = "record" if first is None else "tick"
    return [Text(f"differing per {word}, {span}, at most {top:,}", style="bold"), Text("  " + drawn.rstrip())]


def _causes(comparison: Comparison, width: int) -> list[Text]:
    if not comparison.causes:
        return []
    found = [Text("likely causes", style="bold")]
    for cause in comparison.causes:
        found += _bullet(f"{cause.name.replace('_', ' ')}: {cause.evidence}", width)
    return found


def coverage_words(coverage: Coverage) -> list[str]:
    """What was compared, and what was ignored and why."""
    ticks, values = plural(coverage.ticks_compared, "tick"), plural(coverage.fields_compared, "value")
    if coverage.byte_equal_lines:
        lines = f"{plural(coverage.byte_equal_lines, 'line')} byte for byte"
        ticks = f"{ticks} ({lines})" if coverage.ticks_counted else f"the first {lines}, then {ticks}"
    words = [f"compared: {ticks}, {values}"]
    for side, window in (("a", coverage.a_ticks), ("b", coverage.b_ticks)):
        if window is not None:
            words[0] += (
                f"; {side} has {window[0]} to {window[1]}" if window[0] != window[1] else f"; {side} has {window[0]}"
            )
    if not coverage.read_to_end:
        words[0] += ", as far as read"
    if coverage.ignored:
        listed = ", ".join(f"{visible(why, 80)}: {plural(count, 'difference')}" for why, count in coverage.ignored)
        words.append(f"ignored: {listed}")
    return words


def _bullet(text: str, width: int) -> list[Text]:
    return _hanging(f"- {visible(text, MAX_NOTE)}", width, 2)


def _hanging(text: str, width: int, indent: int = 2) -> list[Text]:
    """Wrapped at words with the later lines indented; a word longer than the line stays whole."""
    room = max(20, width)
    pieces = wrap(text, room, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
    return [Text(piece) for piece in pieces] or [Text("")]


def plain(found: Iterable[Text]) -> str:
    """The lines without style."""
    return "\n".join(line.plain for line in found)
