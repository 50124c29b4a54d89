"""Text trees whose blocks say where they end: `<unit id="7">…</unit>`, and `[unit]` … `[/unit]`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from detcheck.dumps import names
from detcheck.dumps.readers.nesting import MAX_DEPTH, Nested, Raw, too_deep

#: a tag, a comment or a declaration; what it has no end of reaches to the end
_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<[?!][^>]*+(?:>|\Z)|<(/?)([A-Za-z_][\w:.-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>", re.DOTALL
)
_ATTRIBUTE = re.compile(r"([A-Za-z_][\w:.-]*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_FIRST = re.compile(
    r"\s*<(?:\?xml\b|!--|!DOCTYPE\b|[A-Za-z_][\w:.-]*(?:\s+[A-Za-z_][\w:.-]*\s*=\s*[\"'][^<>]*)?\s*/?>)"
)
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_ENTITY = re.compile(r"&(lt|gt|amp|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});")
#: what needs no quotes to be read as it stands: numbers and lists of them, words
_BARE = re.compile(r"[\w.+-]+(?:[ ,;]{1,3}[\d.+-][\w.+-]*)*")
#: attributes that number an element which is itself named by a word for a tick
_NUMBERS = names.word_set("n no nr num number id index value count")
_IDS = names.word_set("id entityid unitid uid guid netid")
_OPEN_SECTION = re.compile(r"\s*\[\+?\s*([A-Za-z_][\w .-]{0,120})\]\s*")
_END_SECTION = re.compile(r"\s*\[/\s*([A-Za-z_][\w .-]{0,120})\]\s*")


def is_xml(content: tuple[str, ...]) -> bool:
    """Whether lines begin and go on like XML."""
    if not content or not _FIRST.match(content[0]):
        return False
    tagged = sum(1 for line in content if "<" in line and ">" in line)
    return tagged * 2 > len(content) and any("</" in line or "/>" in line for line in content)


def has_closed_sections(content: tuple[str, ...]) -> bool:
    """Whether sections are closed by name."""
    return any(_END_SECTION.fullmatch(line) for line in content)


class _Open:
    """Blocks that are open, outermost first."""

    def __init__(self) -> None:
        self.root = Raw("")
        self.stack: list[tuple[str, Raw]] = [("", self.root)]

    def open(self, name: str, raw: Raw) -> None:
        self.top.children.append(raw)
        self.stack.append((name, raw))
        if len(self.stack) > MAX_DEPTH:
            raise too_deep()

    def close(self, name: str) -> None:
        """Closes the innermost block of that name and what is open inside it, if there is one."""
        for place in range(len(self.stack) - 1, 0, -1):
            if self.stack[place][0] == name:
                del self.stack[place:]
                return

    @property
    def top(self) -> Raw:
        return self.stack[-1][1]


def by_tags(lines: Iterable[tuple[int, str]]) -> Nested:
    """Elements nest; attributes are their first children, a text alone is their value."""
    opened = _Open()
    for number, text in _pieces(lines):
        match = _TAG.match(text)
        if match is None:
            if text.strip():
                opened.top.children.append(Raw("text: " + _plain(text.strip()), number))
        elif match[2] and match[1]:
            _settle(opened.top)
            opened.close(match[2])
        elif match[2]:
            attributes = _attributes(match[2], match[3], number)
            named = any(names.plain(one.text.partition(" ")[0]) in _IDS for one in attributes)
            raw = Raw(f"{match[2]}:", number, attributes, named)
            opened.open(match[2], raw)
            if match[3].rstrip().endswith("/"):
                opened.close(match[2])
                _settle(raw)
    return Nested(opened.root.children, len(opened.stack) > 1)


def _pieces(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Tags and the text between them, with their lines."""
    held = list(lines)
    text = "\n".join(line for _, line in held)
    at = place = line_start = 0
    for match in _TAG.finditer(text):
        for start, piece in ((at, text[at : match.start()]), (match.start(), match[0])):
            while place + 1 < len(held) and line_start + len(held[place][1]) < start:
                line_start += len(held[place][1]) + 1
                place += 1
            if piece:
                yield held[place][0], piece
        at = match.end()
    if held and "<" not in text[at:]:
        yield held[-1][0], text[at:]


def _attributes(name: str, text: str, number: int) -> list[Raw]:
    found: list[Raw] = []
    for match in _ATTRIBUTE.finditer(text):
        key = match[1]
        if not found and names.plain(key) in _NUMBERS and names.tick_rank(name) is not None:
            key = name
        found.append(Raw(f"{key} = {_plain(match[2] if match[2] is not None else match[3])}", number))
    return found


def _settle(raw: Raw) -> None:
    """An element of text alone is a value; an empty one is an empty text."""
    only = raw.children[0] if len(raw.children) == 1 else None
    if only is not None and only.text.startswith("text: "):
        raw.text, raw.children = f"{raw.text} {only.text[6:]}", []
    elif not raw.children:
        raw.text += ' ""'


def _plain(text: str) -> str:
    """A value as the other text trees write it: bare where it needs no quotes."""
    text = _ENTITY.sub(_entity, text)
    if _BARE.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _entity(match: re.Match[str]) -> str:
    name = match[1]
    if name in _ENTITIES:
        return _ENTITIES[name]
    code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
    return chr(code) if 32 <= code < 0x110000 else match[0]


def by_closed_sections(lines: Iterable[tuple[int, str]]) -> Nested:
    """`[unit]` holds what follows up to its `[/unit]`."""
    opened = _Open()
    for number, text in lines:
        begin, end = _OPEN_SECTION.fullmatch(text), _END_SECTION.fullmatch(text)
        if end:
            opened.close(end[1])
        elif begin:
            opened.open(begin[1], Raw(f"{begin[1]}:", number))
        elif text.strip():
            opened.top.children.append(Raw(text.strip(), number))
    return Nested(opened.root.children, len(opened.stack) > 1)
