"""Text trees: nested by indent, braces or `[sections]`; `key: value`, `key = value`, list items; a record a tick."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from detcheck.dumps import names
from detcheck.dumps.readers import classify, documents
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side
from detcheck.dumps.readers.log_prefix import stripped
from detcheck.dumps.readers.nesting import Raw, by_braces, by_indent, by_sections
from detcheck.dumps.readers.outline import Outline
from detcheck.dumps.readers.pairs import pairs_of
from detcheck.dumps.sample import Sample
from detcheck.errors import DetcheckError
from detcheck.model.record import Group, Record

_TICK_LINE = re.compile(
    r"[\s=#\-*\[<({|\"']*(?:begin|start|end of|dump|state|snapshot|sim|game|net|world|sync|current|#)?[ _-]?"
    r"(tick|frame|turn|step|cycle|gametime|simtime|checkpoint|iteration)(?:[ _-]?(?:no|num|number|index|id|count))?"
    r"[\"']?\s*[:=#]*\s*[\"']?(-?\d{1,18})[\"']?[\s\]=#\-*>):{};,|\"']*",
    re.IGNORECASE,
)
#: a line of a trace, not of a tree
_TICKED = re.compile(r"\W{0,3}(?:tick|frame|turn|step|t)\W{0,3}\d{1,18}\W{1,3}\w", re.IGNORECASE)
_TICK_WORD = re.compile("tick|frame|turn|step|cycle|time|checkpoint|iteration", re.IGNORECASE)
_SECTION = re.compile(r"\s*\[{1,2}[^\[\]=]{1,200}\]{1,2}\s*")
_PAIR = re.compile(r"\s*+(?:- )?[A-Za-z_\"'\[$](?:[^:=]{0,80}:|[^:=\s]{0,80}\s*+=)")
_WRAPPERS = names.word_set("return state dump root data game gamestate snapshot save savegame document simulation")
_COMMENT = re.compile(r"\s*(?:#|//|;|--)")
_STYLES: dict[str, Callable[[Iterable[tuple[int, str]]], list[Raw]]] = {
    "indent": by_indent,
    "braces": by_braces,
    "sections": by_sections,
}


def style_of(sample: Sample) -> str:
    """How the sample nests. Braces that close on their line (`pos: {x: 1}`) do not nest lines."""
    braced = [line for line in sample.content if "{" in line or "}" in line]
    across = sum(1 for line in braced if line.count("{") != line.count("}"))
    nested = any(line.rstrip().endswith(":") or line.lstrip().startswith("- ") for line in sample.content)
    if across >= 2 or (len(braced) > len(sample.content) // 4 + 1 and not nested):
        return "braces"
    return "sections" if any(_SECTION.fullmatch(line) for line in sample.content) else "indent"


def sniff(sample: Sample) -> Fit:
    """Mostly pairs, sections, braces and lines that nest."""
    lines = sample.content[:400]
    if sample.binary or not lines:
        return NO_FIT
    style = style_of(sample)
    pairs = sum(1 for line in lines if _is_tree_line(line, style))
    nested = sum(1 for line in lines if line[0] in " \t" or line.lstrip().startswith("- "))
    words = sum(1 for line in lines if line.split() and len(line.split()) <= 3)
    share = max(pairs, (words + pairs) / 2 if nested else pairs) / len(lines)
    if share >= 0.6 and (nested or style != "indent" or pairs >= 2):
        flat = 30 if 2 * sum(1 for line in lines if _TICKED.match(line)) > len(lines) else 45
        return Fit(int(40 + 20 * share) if nested or style != "indent" else flat, f"a text tree nested by {style}")
    return NO_FIT


def _is_tree_line(line: str, style: str) -> bool:
    if _PAIR.match(line) or tick_of(line, None) is not None or _SECTION.fullmatch(line) or not line.strip(" \t{}();,"):
        return True
    return style == "braces" and ("{" in line or "}" in line or len(line.split()) == 2)


def tick_of(text: str, tick_field: str | None) -> int | None:
    """The tick of a line that begins a record: it says nothing but its tick."""
    if tick_field:
        key, value = pairs_of(text.strip(" \t{[]}"))[0]
        return int(value) if key == tick_field and re.fullmatch(r"-?\d{1,18}", value) else None
    match = _TICK_LINE.fullmatch(stripped(text)) if len(text) < 200 and _TICK_WORD.search(text) else None
    return int(match[2]) if match else None


def read(side: Side) -> Iterator[Record]:
    """A record at each line that states a tick; a file with one tick at most is one state."""
    return _Tree(side).run()


class _Tree:
    def __init__(self, side: Side) -> None:
        self.side = side
        self.nest = _STYLES[style_of(side.sample)]
        self.margin = self._margin()
        self.held: list[tuple[int, str]] = []
        self.size = 0
        self.tick: int | None = None
        self.start = 1
        self.several = False

    def _margin(self) -> int:
        """Tick lines further in than the outermost one are fields, not records."""
        found = [_indent(line) for line in self.side.sample.content if self._tick(line) is not None]
        return min(found, default=0)

    def _tick(self, text: str) -> int | None:
        return tick_of(text, self.side.options.tick_field)

    def run(self) -> Iterator[Record]:
        lines = self.side.lines()
        for text in lines:
            tick = self._tick(text) if _indent(text) <= self.margin else None
            if tick is not None:
                if self.tick is not None or self._ticks_ahead():
                    yield from self._done(self.tick is None)
                self.tick, self.start = tick, lines.number
                self._hold_opening(lines.number, text)
            elif text.strip() and not _COMMENT.match(text) and not self._is_rest(lines.number):
                self._hold(lines.number, text)
        if lines.cut and self.held and self.held[-1][0] == lines.number and lines.number > 1:
            yield from self._cut(lines.number)
        else:
            yield from self._done(False)

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
            record.cut = (number, whole)
            yield record

    def _done(self, is_head: bool) -> Iterator[Record]:
        held, self.held, self.size = self.held, [], 0
        if not held and self.tick is None:
            return
        try:
            items = Outline().group(self.nest(held))
        except DetcheckError as error:
            raise self.side.fault(error.code, error.message, self.start) from None
        opened = items.get("tick")
        if len(items) == 1 and isinstance(opened, Group):
            items = opened.items
        only = next(iter(items.items()), ("", None))
        if len(items) == 1 and isinstance(only[1], Group) and names.plain(only[0]) in _WRAPPERS:
            items = only[1].items
        if is_head:
            for name, node in items.items():
                (self.side.writer if names.is_writer(name) else self.side.head)(name, node)
            return
        if self.several:
            record = classify.record_of(items, self.side, self.start)
        else:
            record = next(documents.records(Group(items), self.side, self.start))
        record.tick = self.tick if self.tick is not None else record.tick
        yield record


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def head_lines(sample: Sample) -> int:
    """What stands in front of the first of several ticks; all lines (nothing is skipped) where there is one state."""
    ticks = [i for i, line in enumerate(sample.lines) if line[:1].strip() and tick_of(line, None) is not None]
    return ticks[0] if len(ticks) > 1 else len(sample.lines)


READER = Reader("text-tree", sniff, read, head_lines)
