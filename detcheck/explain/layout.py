"""A page laid to a width: paragraphs and list items flow, tables are set anew, blocks of code stay as they are.

What is laid is still the page's own Markdown, word for word: nothing of it is taken as markup for a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

#: lines of prose longer than this are hard to read, however wide the terminal is
WIDEST = 100
NARROWEST = 20

_ITEM = re.compile(r"(?P<lead> *(?:-|\d+\.) +)(?P<term>\S(?:.*?\S)? {2,})?")
_CODE_SPAN = re.compile(r"`[^`\n]*`")
#: stands for a space that no line is broken at
_HELD = "\x00"


def laid(text: str, width: int) -> str:
    """The page with lines of at most `width` characters, but for code and for words that are longer by themselves."""
    width = min(WIDEST, max(NARROWEST, width))
    return "\n".join(line for block in _blocks(text.split("\n")) for line in _laid_block(block, width))


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Runs of lines that belong together: a paragraph, an item, a table, a line of code, a blank line."""
    block: list[str] = []
    fenced = False
    before = ""
    for line in lines:
        fence = line.startswith("```")
        code = fenced or fence or _is_code(line, before, bool(block))
        fenced ^= fence
        if block and (code or not line or _begins(line, block)):
            yield block
            block = []
        if code or not line or line.startswith("#"):
            yield [_as_code(line) if code else line]
        else:
            block.append(line)
        before = line
    if block:
        yield block


def _is_code(line: str, before: str, within: bool) -> bool:
    """Four spaces begin code after a blank line or code; within a paragraph or an item they do not."""
    return line.startswith("    ") and not within and (not before or before.startswith("    "))


def _as_code(line: str) -> str:
    return _HELD + line


def _begins(line: str, block: Sequence[str]) -> bool:
    """Whether a line begins something else than the block before it is."""
    if line.startswith("|") or block[0].startswith("|"):
        return line.startswith("|") != block[0].startswith("|")
    return line.startswith("#") or _ITEM.match(line) is not None


def _laid_block(block: Sequence[str], width: int) -> list[str]:
    first = block[0]
    if first.startswith(_HELD):
        return [first[1:]]
    if not first or first.startswith("#"):
        return [first]
    if first.startswith("|"):
        return _table(block, width)
    item = _ITEM.match(first)
    lead, term = ("", "") if item is None else (item["lead"], item["term"] or "")
    words = " ".join([first[len(lead) + len(term) :], *(line.strip() for line in block[1:])])
    # a term has its words in a column beside it, where there is room for one
    hang = len(lead) + (len(term) if len(term) <= width // 3 else 0)
    return _flowed(words, width, lead + term, " " * hang)


def _flowed(words: str, width: int, first: str = "", later: str = "") -> list[str]:
    """Wrapped at spaces; a span of code is a word, so that it can be pasted, unless no line could hold it."""

    def held(span: re.Match[str]) -> str:
        return span[0].replace(" ", _HELD) if len(span[0]) + len(later) <= width else span[0]

    lines = wrap(
        _CODE_SPAN.sub(held, words),
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_HELD, " ") for line in lines] or [first.rstrip()]


def _table(block: Sequence[str], width: int) -> list[str]:
    """The rows with equal columns; the widest column gives way where the line is too short for all."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block]
    cells = [row for row in rows if not _is_rule(row)]
    sizes = [max(len(row[at]) for row in cells if at < len(row)) for at in range(max(map(len, cells)))]
    over = sum(sizes) + 3 * len(sizes) + 1 - width
    widest = sizes.index(max(sizes))
    sizes[widest] -= max(0, min(over, sizes[widest] - NARROWEST))
    lines = []
    for row in rows:
        lines += [_rule(sizes)] if _is_rule(row) else _row(row, sizes)
    return lines


def _is_rule(row: Sequence[str]) -> bool:
    return all(set(cell) <= {"-", ":"} for cell in row)


def _rule(sizes: Sequence[int]) -> str:
    return "|" + "|".join("-" * (size + 2) for size in sizes) + "|"


def _row(row: Sequence[str], sizes: Sequence[int]) -> list[str]:
    columns = [_flowed(cell, size) for cell, size in zip(row, sizes, strict=True)]
    lines = []
    for at in range(max(map(len, columns))):
        cells = (column[at] if at < len(column) else "" for column in columns)
        lines.append("| " + " | ".join(cell.ljust(size) for cell, size in zip(cells, sizes, strict=True)) + " |")
    return lines
