"""JSON that is cut off, or written a little looser than JSON: as the JSON that was meant."""

from __future__ import annotations

import json
import re

_STRING = r'"(?:[^"\\]|\\.)*+"'
#: what a scan for the end steps over: strings, brackets, separators, everything else in one piece
_TOKEN = re.compile(rf'({_STRING})|([\[{{])|([\]}}])|([:,])|([^\s"\[\]{{}}:,]++)|"', re.DOTALL)
_CLOSING = {"[": "]", "{": "}"}

_LOOSE = re.compile(
    rf"""({_STRING}|"[^"]*+$)                                 # strings stay
    |'((?:[^'\\\n]|\\.)*+)'                                    # Python's
    |(//[^\n]*+|/\*.*?\*/)                                    # comments
    |,(?=\s*[\]}}])()                                          # a comma behind the last
    |(?<![\w.$])([+-]?(?:nan(?:\([\w]*\))?|inf(?:inity)?|1\.\#[A-Za-z]+0*))(?![\w.])
    |(?<![\w.$])(True|False|None|undefined)(?!\w)
    |(?<![\w.$])([+-]?0[xX][0-9a-fA-F]+)(?!\w)
    |(?<![\w.$])([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)(?![\w.])
    |([A-Za-z_$][\w$]*)(?=\s*:)                              # a name without quotes
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
#: the remark of a side that was mended
LOOSE = "written looser than JSON (nan, True, 0x1f, a comma too many, ...); read as it is meant"
_WORDS = {"true": "true", "false": "false", "none": "null", "undefined": "null"}


def mended(text: str) -> str | None:
    """`nan`, `inf`, `True`, `0x1f`, `1.`, names without quotes, comments, a last comma: as JSON; None without any."""
    found = _LOOSE.sub(_as_json, text)
    return None if found == text else found


def _as_json(match: re.Match[str]) -> str:
    kept, quoted, comment, comma, not_finite, word, hexadecimal, number, name = match.groups()
    if kept is not None:
        return kept
    if quoted is not None:
        return json.dumps(re.sub(r"\\(['\"])", r"\1", quoted))
    if comment is not None or comma is not None:
        return " "
    if not_finite is not None:
        return _not_finite(not_finite)
    if word is not None:
        return _WORDS[word.lower()]
    if hexadecimal is not None:
        return f'"{hexadecimal.lstrip("+")}"'
    return _number(number) if number is not None else f'"{name}"'


def _not_finite(token: str) -> str:
    if "nan" in token.lower() or "ind" in token.lower():
        return "NaN"
    return "-Infinity" if token[0] == "-" else "Infinity"


def _number(token: str) -> str:
    """`+1`, `.5`, `1.`, `1.5f` as JSON writes them; what JSON may hold stays as it is."""
    if re.fullmatch(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", token):
        return token
    bare = token.lstrip("+").rstrip("fFdD")
    sign, bare = ("-", bare[1:]) if bare.startswith("-") else ("", bare)
    whole, point, rest = bare.partition(".")
    whole = whole.lstrip("0") or "0"
    if not point:
        return sign + whole
    return f"{sign}{whole}.{rest if rest[:1].isdigit() else '0' + rest}"


def closed(text: str, start: int = 0) -> tuple[str, int] | None:
    """A text that ends inside its value: all whole values of it, closed, and how many brackets were open.

    A number at the very end may lack digits and is left out. None where the value has its end, or does not begin.
    """
    stack: list[str] = []
    good = depth = 0
    value = True  # whether a string here is a value, not a name
    for match in _TOKEN.finditer(text, start):
        string, opening, closing, mark, bare = match.groups()
        if opening:
            stack.append(opening)
            value = opening == "["
        elif closing:
            if not stack or _CLOSING[stack.pop()] != closing or not stack:
                return None
            good, depth, value = match.end(), len(stack), False
        elif mark:
            value = mark == ":" or (bool(stack) and stack[-1] == "[")
        elif string:
            if value:
                good, depth = match.end(), len(stack)
        elif bare:
            if match.end() < len(text) or bare in ("true", "false", "null"):
                good, depth = match.end(), len(stack)
        else:
            break  # a string without an end
    if not depth:
        return None
    return text[start:good] + "".join(_CLOSING[one] for one in reversed(stack[:depth])), depth
