"""One line of a text format as its pairs: `key: value`, `key = value`, several on a line, or without a colon."""

from __future__ import annotations

import re

from detcheck.dumps import tokens
from detcheck.model.record import Items, Node

#: an open quote reaches to the end: so the search stays linear
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*+(?:\"|\\?$)|(?<!\w)'[^'\n]*+'")
_FIRST = re.compile(
    r"\s*([^\s:=<>{}\x00][^:=<>{}\x00]{0,200}?|\[?\x00++\]?)\s*+(?:->\S{0,80}?)?\s*+([:=])(?![:=/])\s*+"
)
_ARROW = re.compile(r"\s*([\w.()\[\]]{1,100}->[\w.()\[\]]{1,100})\s*([:=])\s*")
_NEXT = re.compile(
    r"(?:[,;(]\s*+|(?<=\s)\|\s++|(?<!\s)\s++)([A-Za-z_$][\w.\-\[\]$|]{0,80}|\x00+|\[\s*(?:\x00+|\w{1,80})\s*\])\s*+([:=])(?![:=/])\s*+"
)
_WORD_NUMBER = re.compile(r"([A-Za-z_][\w.-]*(?: [A-Za-z_][\w.-]*){0,5}?)\s++(-?\d[\w.+-]{0,60}|true|false|NaN|nan)")
#: `Owner<tab>Red`
_TABBED = re.compile(r"([A-Za-z_][\w .#\[\]-]{0,80}?)\t++\s*+([^\t]+)")
_WORD_NUMBERS = re.compile(r"[A-Za-z_]\w{0,80}\s+-?\d[\w.+-]{0,60}(?:\s+[A-Za-z_]\w{0,80}\s+-?\d[\w.+-]{0,60}){1,500}")
_QUOTED_PAIR = re.compile(r"(\x00+|[A-Za-z_][\w.-]*+)\s++(\x00+)|(\x00+)\s++([^\s\x00]+)")
_NUMBER = r"[+-]?(?:\d++(?:\.\d*+)?(?:[eE][+-]?\d+)?|\.\d++(?:[eE][+-]?\d+)?|0x[0-9a-fA-F]+|nan|inf|NaN|-?Infinity)f?"
_DIGITS = r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d+)?f?"
_LIST = re.compile(rf"{_NUMBER}(?:\s*[,;]\s*{_NUMBER})+[,;]?|{_DIGITS}(?:\s+{_DIGITS})+")
_BRACKETS = {"(": ")", "[": "]", "<": ">", "{": "}"}


def pairs_of(text: str) -> list[tuple[str, str]]:
    """(key, value text) of a line; one pair with the key "" for a line that states no name."""
    text = text.strip().rstrip(",;")
    masked = _QUOTED.sub(lambda match: "\0" * len(match[0]), text) if '"' in text or "'" in text else text
    first = _ARROW.match(masked) or _FIRST.match(masked)
    if first is None:
        several = _WORD_NUMBERS.fullmatch(text)
        return _WORD_NUMBER.findall(text) if several else [_without_colon(text, masked)]
    found: list[tuple[str, str]] = []
    key, start = key_of(text[first.start(1) : first.end(1)]), first.end()
    for match in _NEXT.finditer(masked, start):
        if match.start() < start:
            continue
        value = masked[start : match.start()]
        opened = match[0][0]
        if opened == " " and not match[0][:2].isspace() and " " in value.strip() and match[2] == ":":
            continue
        if opened == "(" and not value.strip():
            continue
        if opened in ",;" and value.count("(") > value.count(")"):
            continue
        found.append((key, _clean(text[start : match.start()], found)))
        key, start = key_of(text[match.start(1) : match.end(1)]), match.end()
    found.append((key, _clean(text[start:], found)))
    return found


def key_of(text: str) -> str:
    """A name without the brackets and quotes around it."""
    text = text.strip()
    if len(text) > 2 and text[0] == "[" and text[-1] == "]":
        text = text[1:-1].strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return text


def _clean(text: str, before: list[tuple[str, str]]) -> str:
    text = text.strip().rstrip(",;").rstrip()
    if before and text.endswith(")") and text.count(")") > text.count("("):
        text = text[:-1].rstrip()
    return text


def _without_colon(text: str, masked: str) -> tuple[str, str]:
    """`inBuildStance 0`, `"key" "value"`; else no key."""
    quoted = _QUOTED_PAIR.fullmatch(masked)
    if quoted:
        key, value = (1, 2) if quoted[1] else (3, 4)
        return key_of(text[quoted.start(key) : quoted.end(key)]), text[quoted.start(value) : quoted.end(value)]
    match = _WORD_NUMBER.fullmatch(text) or _TABBED.fullmatch(text)
    return (match[1], match[2]) if match else ("", text)


def value_of(text: str) -> Node:
    """A value: a list of numbers as Items, anything else as one Scalar."""
    inner = text
    if len(text) >= 2 and _BRACKETS.get(text[0]) == text[-1]:
        inner = text[1:-1].strip()
    if len(inner) < 1_000_000 and _LIST.fullmatch(inner):
        return Items([tokens.bare(part) for part in re.split(r"\s*[,;]\s*|\s+", inner.rstrip(",;"))])
    return tokens.bare(text)
