"""Text trees: nested by indent, braces or `[sections]`; `key: value`, `key = value`, list items; a record a tick."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from detcheck.dumps import names
from detcheck.dumps.readers import classify, documents
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side
from detcheck.dumps.readers.entity_lines import entity_of
from detcheck.dumps.readers.nesting import (
    Nested,
    by_braces,
    by_indent,
    by_sections,
    is_section,
    undrawn,
    without_strokes,
)
from detcheck.dumps.readers.outline import Outline
from detcheck.dumps.readers.pairs import pairs_of
from detcheck.dumps.readers.tags import by_closed_sections, by_tags, has_closed_sections, is_xml
from detcheck.dumps.readers.tick_lines import tick_of
from detcheck.dumps.sample import Sample
from detcheck.errors import DetcheckError
from detcheck.model.record import Group, Record

_HEADLINE = re.compile(
    r"(?i)[a-z]\w*\W[^\n]{0,100}?\b(?:tick|turn|gametime|simtime|frame|step)\s?[:=#]?\s?(\d{1,18})\W*$"
)
#: a line of a trace, not of a tree
_TICKED = re.compile(r"\W{0,3}(?:tick|frame|turn|step|t)\W{0,3}\d{1,18}\W{1,3}\w", re.IGNORECASE)
_PAIR = re.compile(r"\s*+(?:- )?\{?[A-Za-z_\"'\[$](?:[^:=]{0,80}:|[^:=\s]{0,80}\s*+=)")
_TABBED = re.compile(r"\t*[A-Za-z_][\w .-]{0,80}\t+[^\t]+$")
_WRAPPERS = names.word_set("return state dump root data game gamestate snapshot save savegame document simulation")
_SURE_TICKS = names.word_set("tick gametick simtick tickcount ticknumber turn gameturn")
_COMMENT = re.compile(r"\s*(?:#(?!\d{1,18}\s+[A-Za-z_]\w*\s?=)|//|;|--|\.\.\.$)")
_STYLES: dict[str, Callable[[Iterable[tuple[int, str]]], Nested]] = {
    "indent": by_indent,
    "braces": by_braces,
    "sections": by_sections,
    "closed sections": by_closed_sections,
    "tags": by_tags,
}


def style_of(sample: Sample) -> str:
    """How the sample nests. Braces that close on their line (`pos: {x: 1}`) do not nest lines."""
    if is_xml(sample.content):
        return "tags"
    braced = [line for line in sample.content if "{" in line or "}" in line]
    across = sum(1 for line in braced if line.count("{") != line.count("}"))
    nested = any(line.rstrip().endswith(":") or line.lstrip().startswith("- ") for line in sample.content)
    most = len(braced) > len(sample.content) // 4 + (len(sample.content) > 1)
    if across >= 2 or ((across or most) and not nested):
        return "braces"
    if has_closed_sections(sample.content):
        return "closed sections"
    return "sections" if any(is_section(line) for line in sample.content) else "indent"


def sniff(sample: Sample) -> Fit:
    """Mostly pairs, sections, braces and lines that nest."""
    lines = undrawn(sample.content[:400])
    if sample.binary or not lines:
        return NO_FIT
    style = style_of(sample)
    if style == "tags":
        return Fit(70, "a text tree nested by tags")
    pairs = sum(1 for line in lines if _is_tree_line(line, style))
    nested = sum(1 for line in lines if line[0] in " \t" or line.lstrip().startswith("- "))
    words = sum(1 for line in lines if line.split() and len(line.split()) <= 3)
    share = max(pairs, (words + pairs) / 2 if nested else pairs) / len(lines)
    if share >= 0.6 and (nested or style != "indent" or pairs >= 2):
        flat = 30 if 2 * sum(1 for line in lines if _TICKED.match(line)) > len(lines) else 45
        return Fit(int(40 + 20 * share) if nested or style != "indent" else flat, f"a text tree nested by {style}")
    return Fit(20, "one named value") if sample.whole and len(lines) == pairs == 1 else NO_FIT


def _is_tree_line(line: str, style: str) -> bool:
    if _PAIR.match(line) or tick_of(line, None) is not None or is_section(line) or not line.strip(" \t{}();,"):
        return True
    if style == "indent" and _TABBED.match(line):
        return True
    if style in ("indent", "sections") and "=" in line and entity_of(line) is not None:
        return True
    return style == "braces" and ("{" in line or "}" in line or len(line.split()) == 2)


def read(side: Side) -> Iterator[Record]:
    """A record at each line that states a tick; a file with one tick at most is one state."""
    return _Tree(side).run()


class _Tree:
    def __init__(self, side: Side) -> None:
        self.side = side
        self.style = style_of(side.sample)
        self.nest = _STYLES[self.style]
        self.margin = self._margin()
        self.held: list[tuple[int, str]] = []
        self.size = 0
        self.tick: int | None = None
        self.start = 1
        self.several = False
        self.is_open: bool | None = None

    def _margin(self) -> int:
        """Tick lines further in than the outermost one are fields, not records; -1 where all of them are."""
        content = self.side.sample.content
        found = [
            (_indent(line), place, tick) for place, line in enumerate(content) if (tick := self._tick(line)) is not None
        ]
        margin = min((indent for indent, _, _ in found), default=0)
        if margin == 0 or self.side.options.tick_field:
            return margin
        ticks = [(place, tick) for indent, place, tick in found if indent == margin]
        if len(ticks) > 1:
            return margin if all(x < y for (_, x), (_, y) in pairwise(ticks)) else -1
        return margin if _is_states(content, ticks[0][0]) else -1

    def _tick(self, text: str) -> int | None:
        return tick_of(text, self.side.options.tick_field)

    def run(self) -> Iterator[Record]:
        lines = self.side.lines()
        for line in lines:
            text = without_strokes(line) if self.style == "indent" else line
            tick = self._tick(text) if self.style != "tags" and _indent(text) <= self.margin else None
            if tick is not None:
                if self.tick is not None or self._ticks_ahead():
                    yield from self._done(self.tick is None)
                self.tick, self.start = tick, lines.number
                self._hold_opening(lines.number, text)
            elif text.strip() and not self._is_comment(text) and not self._is_rest(lines.number):
                self._hold(lines.number, text)
        if lines.cut and self.held and self.held[-1][0] == lines.number and lines.number > 1:
            yield from self._cut(lines.number)
        else:
            yield from self._last(lines.number)

    def _is_comment(self, text: str) -> bool:
        return self.style != "tags" and _COMMENT.match(text) is not None

    def _last(self, number: int) -> Iterator[Record]:
        """The last record; a block that is not closed is cut, and where blocks have no end of their own it may be."""
        for record in self._done(False):
            if self.is_open:
                record.cut = (number, record)
            elif self.is_open is None:
                record.ends = number
            yield record

    def _is_rest(self, number: int) -> bool:
        """Lines of a tick whose own line stands in the part of the file that was skipped."""
        return self.tick is None and number > self.side.head_lines and bool(self.side.state.get("resumed"))

    def _ticks_ahead(self) -> bool:
        """Whether the sample has several ticks, so that what stands before the first one is a head."""
        if not self.several:
            lines = self.side.sample.content
            self.several = sum(1 for line in lines if _indent(line) <= self.margin and self._tick(line) is not None) > 1
        return self.several

    def _hold_opening(self, number: int, text: str) -> None:
        """A tick line that opens a brace keeps it, so that braces stay balanced."""
        if self.nest is by_braces and text.rstrip().endswith("{"):
            self._hold(number, "tick {")

    def _hold(self, number: int, text: str) -> None:
        self.size += len(text) + 64
        if self.size > self.side.options.max_record:
            what = "the state" if self.tick is None else f"tick {self.tick}"
            raise self.side.fault("dump.record_too_long", f"{what} is larger than --max-record", self.start)
        self.held.append((number, text))

    def _cut(self, number: int) -> Iterator[Record]:
        """The last record, whose last line has no end: it may be only the beginning of a line."""
        held, size = self.held, self.size
        if held[-1][1].rstrip().endswith((":", "=")):
            self.side.remark(f"line {number} is cut short and was left out")
            held = held[:-1]
        self.held = held[:-1] if held is self.held else list(held)
        whole = next(self._done(False), None) or Record(self.tick, self.start)
        self.held, self.size = held, size
        for record in self._done(False):
            if self.is_open is not False:
                record.cut = (number, whole)
            yield record

    def _done(self, is_head: bool) -> Iterator[Record]:
        held, self.held, self.size = self.held, [], 0
        if not held and self.tick is None:
            return
        try:
            nested = self.nest(held)
            items = Outline().group(nested.raws, alone=not is_head)
        except DetcheckError as error:
            raise self.side.fault(error.code, error.message, self.start) from None
        self.is_open = nested.is_open
        opened = items.get("tick")
        if len(items) == 1 and isinstance(opened, Group):
            items = opened.items
        name, only = next(iter(items.items()), ("", None))
        if len(items) == 1 and isinstance(only, Group) and self._wraps(name, only):
            items = only.items
        if is_head:
            for name, node in items.items():
                (self.side.writer if names.is_writer(name) else self.side.head)(name, node)
            return
        if self.several:
            record = classify.record_of(items, self.side, self.start)
        else:
            first, *rest = documents.records(Group(items), self.side, self.start)
            if rest:
                yield from (first, *rest)
                return
            record = first
        record.tick = self.tick if self.tick is not None else record.tick
        if record.tick is None and not self.side.options.tick_field:
            below = _tick_below(record)
            record.tick = self._tick_in_headline() if below is None else below
        yield record

    def _tick_in_headline(self) -> int | None:
        """The tick that the first line names among other words: `Out of sync in game 3, turn 44`."""
        first = next(iter(self.side.sample.content), "")
        match = None if len(first) > 200 or self.style == "tags" else _HEADLINE.search(first)
        return int(match[1]) if match else None

    def _wraps(self, name: str, only: Group) -> bool:
        """Whether the one block there is is the state itself."""
        if _HEADLINE.search(name):
            return True
        return names.plain(name) in _WRAPPERS or bool(classify.find_tick(only.items, self.side.options.tick_field))


def _tick_below(record: Record) -> int | None:
    """The tick that the first block of a state names without a doubt: `[scene tick=55]`."""
    first = next(iter(record.fields.items.values()), None)
    named = first.items.items() if isinstance(first, Group) else ()
    return next((classify.tick_value(node) for name, node in named if names.plain(name) in _SURE_TICKS), None)


def _is_states(content: tuple[str, ...], place: int) -> bool:
    """Whether a tick line further in can only mean the state's tick, and not the frame of a sprite."""
    words = re.findall("[A-Za-z]+", content[place])
    above = next((line for line in reversed(content[:place]) if _indent(line) < _indent(content[place])), "")
    named = names.plain(pairs_of(above.strip(" \t{[]}"))[0][0] or above)
    return names.plain("".join(words)) in _SURE_TICKS or named in _WRAPPERS or names.is_head(named)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def head_lines(sample: Sample) -> int:
    """What stands in front of the first of several ticks; all lines (nothing is skipped) where there is one state."""
    if is_xml(sample.content):
        return len(sample.lines)
    ticks = [i for i, line in enumerate(sample.lines) if line[:1].strip() and tick_of(line, None) is not None]
    return ticks[0] if len(ticks) > 1 else len(sample.lines)


READER = Reader("text-tree", sniff, read, head_lines)
