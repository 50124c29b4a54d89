"""Nested lines as a tree of raw lines: by indent, by braces, by sections."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from detcheck.dumps import names
from detcheck.dumps.readers.pairs import key_of
from detcheck.errors import DetcheckError

MAX_DEPTH = 200
#: a line that opens a block is no longer
_LONGEST_HEADER = 4000


@dataclass(slots=True)
class Raw:
    """A line and the lines below it. `named`: there may be several of its kind, told apart by what is below."""

    text: str
    line: int = 0
    children: list[Raw] = field(default_factory=list)
    named: bool = False


@dataclass(frozen=True, slots=True)
class Nested:
    """The outermost lines; `is_open`: whether a block was not closed, None where blocks have no end of their own."""

    raws: list[Raw]
    is_open: bool | None = None


def too_deep() -> DetcheckError:
    """The fault of text that nests more than MAX_DEPTH levels."""
    return DetcheckError("dump.too_deep", f"nests more than {MAX_DEPTH} levels deep")


def by_indent(lines: Iterable[tuple[int, str]]) -> Nested:
    """Lines nest by their leading blanks (a tab reaches to the next multiple of 8)."""
    root = Raw("")
    stack: list[tuple[int, Raw]] = [(-1, root)]
    for number, text in lines:
        body = text.lstrip()
        if not body:
            continue
        margin = text[: len(text) - len(body)]
        indent = len(margin.expandtabs(8)) if len(margin) <= 100_000 else len(margin)
        while stack[-1][0] >= indent:
            stack.pop()
        if len(stack) > MAX_DEPTH:
            raise too_deep()
        raw = Raw(body.rstrip(), number)
        stack[-1][1].children.append(raw)
        stack.append((indent, raw))
    return Nested(root.children)


#: what draws a tree in front of a line: `|-- `, `├─ `, `│   `
_DRAWN = re.compile(r"[|│ \u00a0]*?(?:[|`+\\├└┣┗╰][-─━=]{1,4}[ \u00a0]?)")


def undrawn(lines: Iterable[str]) -> list[str]:
    """Lines with blanks for the strokes of a drawn tree."""
    return [without_strokes(line) for line in lines]


def without_strokes(line: str) -> str:
    """A line with blanks for the strokes in front of it."""
    match = _DRAWN.match(line)
    return " " * match.end() + line[match.end() :] if match else line


_STRUCTURE = re.compile(r"\"(?:[^\"\\]|\\.)*+(?:\"|\\?$)|(?<!\w)'[^'\n]*+'|[{}]")


#: a list or a wrapped value over several lines: `units: [`, `target: Some(`
_LIST_OPENS = re.compile(r"(.*[\w\"'\]]\s*[:=]\s*)(?:[A-Za-z_]\w*)?[\[(]")
_LIST_ENDS = re.compile(r"\s*[\])],?;?\s*")


def by_braces(lines: Iterable[tuple[int, str]]) -> Nested:
    """Lines nest by `{` and `}`; what stands before a brace names it."""
    root = Raw("")
    stack = [root]
    waiting: Raw | None = None
    lists: list[Raw] = []
    for number, text in lines:
        if lists and lists[-1] is stack[-1] and _LIST_ENDS.fullmatch(text):
            stack.remove(lists.pop())
            waiting = None
            continue
        start = 0
        for match in _STRUCTURE.finditer(text):
            if match[0][0] not in "{}":
                continue
            before = text[start : match.start()].strip(" \t,;")
            start = match.end()
            if match[0] == "{":
                _open(stack, before, number, waiting)
                waiting = None
                if len(stack) > MAX_DEPTH:
                    raise too_deep()
                continue
            if before:
                stack[-1].children.append(Raw(before, number))
            waiting = None
            if len(stack) > 1:
                stack.pop()
        rest = text[start:].strip(" \t,;")
        opened = _LIST_OPENS.fullmatch(rest) if rest[-1:] in ("[", "(") and len(rest) < _LONGEST_HEADER else None
        if opened:
            _open(stack, opened[1], number, None)
            lists.append(stack[-1])
            if len(stack) > MAX_DEPTH:
                raise too_deep()
            continue
        if rest and rest not in (")", "]", "];", "return"):
            waiting = Raw(rest, number)
            stack[-1].children.append(waiting)
    return Nested(root.children, len(stack) > 1)


#: what commas and semicolons outside quotes cut a text into
STATEMENTS = re.compile(r"(?:\"(?:[^\"\\]|\\.)*+(?:\"|\\?$)|[^,;\"])++")
#: `x = 1 y =`: what stands before the last name is a statement of its own
_LAST_NAME = re.compile(r"(.*[=:]\s*[^\s=:].*?)\s+([^\s=:]+\s*[=:])\s*")


def _open(stack: list[Raw], before: str, number: int, waiting: Raw | None) -> None:
    """A brace opens: named by the text before it, or by the line above it when it stands alone."""
    statements = STATEMENTS.findall(before)
    if statements:
        last = _LAST_NAME.fullmatch(statements[-1])
        if last:
            statements[-1:] = [last[1], last[2]]
        stack[-1].children.extend(Raw(text.strip(), number) for text in statements[:-1] if text.strip())
        before = statements[-1]
    header = key_of(before.rstrip("=: \t(").removesuffix("[").strip())
    if not header and waiting is not None and stack[-1].children[-1:] == [waiting] and not _is_pair(waiting.text):
        stack.append(waiting)
        return
    raw = Raw(header + ":" if header else "-", number)
    stack[-1].children.append(raw)
    stack.append(raw)


def _is_pair(text: str) -> bool:
    return re.search(r"[:=]\s*\S", text) is not None


_SECTION = re.compile(r"\s*\[{1,2}\s*([^\[\]=]{1,200}?)\s*\]{1,2}\s*")
_ATTRIBUTE = r"([\w.:/-]{1,80})\s*=\s*(\"[^\"]*\"|\[[^\]]*\]|[\w.+-]+(?:\([^)]*\))?)"
_HEADER = re.compile(rf"\s*\[([A-Za-z_][\w.-]{{0,80}})((?:\s+{_ATTRIBUTE})+)\s*\]\s*")


def is_section(text: str) -> bool:
    """`[name]`, `[[name]]`, `[node name="Unit2" type="Node2D"]`."""
    return len(text) < _LONGEST_HEADER and bool(_SECTION.fullmatch(text) or _HEADER.fullmatch(text))


def _with_attributes(match: re.Match[str], number: int) -> Raw:
    """A section whose header says which one it is."""
    pairs = re.finditer(_ATTRIBUTE, match[2])
    below = [Raw(f"{pair[1]} = {pair[2]}", number) for pair in pairs]
    return Raw(f"{match[1]}:", number, below, names.id_rank(below[0].text.partition(" ")[0]) is not None)


def by_sections(lines: Iterable[tuple[int, str]]) -> Nested:
    """`[name]` opens a section that lasts to the next one; `[a.b]` is b inside a."""
    root = Raw("")
    current = root
    for number, text in lines:
        match = _SECTION.fullmatch(text)
        header = _HEADER.fullmatch(text) if match is None and len(text) < _LONGEST_HEADER else None
        if header:
            current = _with_attributes(header, number)
            root.children.append(current)
            continue
        if match is None:
            if text.strip():
                current.children.append(Raw(text.strip(), number))
            continue
        current = root
        for name in match[1].split(".")[:MAX_DEPTH] if not re.search(r"\d\.\d", match[1]) else [match[1]]:
            name = name.strip()
            existing = current.children[-1] if current.children and current.children[-1].text == f"{name}:" else None
            if existing is None or name == match[1]:
                existing = Raw(f"{name}:", number)
                current.children.append(existing)
            current = existing
    return Nested(root.children)
