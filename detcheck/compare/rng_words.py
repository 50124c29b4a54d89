"""The 624 words of an mt19937 in the spellings people dump: lists, hex words, one text, a blob in hex or base64."""

from __future__ import annotations

import binascii
import struct
from collections.abc import Sequence

from detcheck.model.record import Items, Node, Scalar
from detcheck.rng.mt19937 import WORDS

_SEPARATORS = str.maketrans(",()[]", "     ")
_HEX = frozenset("0123456789abcdefABCDEF")
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_")
#: hex digits and base64 characters of 624 words, and of 624 words with the place behind them
_HEX_SIZES = (WORDS * 8, WORDS * 8 + 8)
_BASE64_SIZES = (WORDS * 16 // 3, 3336, 3334)
#: a word of a generator is hardly ever below this, a cell of a map nearly always
_SMALL, _MOST = 1 << 24, WORDS * 4 // 5


def words_of(node: Node | None) -> list[int] | None:
    """624 words of 32 bits, and perhaps the place of the next one behind them; None for what is no such thing."""
    if isinstance(node, Items) and len(node.items) in (WORDS, WORDS + 1):
        return _checked(_listed(node.items))
    if isinstance(node, Scalar) and node.kind in ("str", "hash", "int"):
        return _checked(_text(node.text))
    return None


def integer(node: Node | None) -> int | None:
    """The value of an integer or a hash."""
    if isinstance(node, Scalar) and node.kind in ("int", "hash") and isinstance(node.value, int):
        return node.value
    return None


def hex_word(node: Node | None, digits: int) -> int | None:
    """A word in hex of exactly so many digits, 0x before them or not."""
    text = node.text if isinstance(node, Scalar) and node.kind in ("str", "int", "hash", "float") else ""
    text = text[2:] if text[:2] in ("0x", "0X") else text
    return int(text, 16) if len(text) == digits and _HEX.issuperset(text) else None


def _listed(nodes: list[Node]) -> list[int] | None:
    values = [integer(item) for item in nodes]
    if None in values:
        values = [hex_word(item, 8) for item in nodes[:WORDS]] + [integer(item) for item in nodes[WORDS:]]
    found = [value for value in values if value is not None]
    return found if len(found) == len(nodes) else None


def _text(text: str) -> list[int] | None:
    """As C++ streams write a generator, or its bytes as a blob."""
    size = len(text)
    if size in (*_HEX_SIZES, *(s + 2 for s in _HEX_SIZES)):
        digits = text[2:] if text[:2] in ("0x", "0X") else text
        if len(digits) in _HEX_SIZES and _HEX.issuperset(digits):
            return _blob(bytes.fromhex(digits))
    if size in _BASE64_SIZES and _BASE64.issuperset(text):
        try:
            return _blob(binascii.a2b_base64(text.replace("-", "+").replace("_", "/") + "=" * (-size % 4)))
        except binascii.Error:
            return None
    if not WORDS <= size <= 16 * WORDS:
        return None
    pieces = text.translate(_SEPARATORS).split()
    if len(pieces) == WORDS + 3 and pieces[0] in ("2", "3") and text.startswith("("):
        pieces = pieces[1 : WORDS + 2]  # (version, words and place, gauss) as Python prints it
    if len(pieces) not in (WORDS, WORDS + 1):
        return None
    if all(one.isascii() and one.isdigit() and len(one) <= 10 for one in pieces):
        return [int(one) for one in pieces]
    if len(pieces) == WORDS and all(len(one) == 8 and _HEX.issuperset(one) for one in pieces):
        return [int(one, 16) for one in pieces]
    return None


def _blob(data: bytes) -> list[int] | None:
    """Words of bytes: the byte order by which the block is one that mt19937 makes, else by which the place fits."""
    if len(data) not in (WORDS * 4, WORDS * 4 + 4):
        return None
    little, big = (list(struct.unpack(f"{order}{len(data) // 4}I", data)) for order in "<>")
    if len(little) > WORDS:
        return little if little[WORDS] <= WORDS else big
    return big if _is_block(big) and not _is_block(little) else little


def _is_block(words: Sequence[int]) -> bool:
    """Whether the last word follows from the first and the 397th of its own block, as in every twisted one."""
    last = words[WORDS - 1] ^ words[396]
    mixed = (words[0] & 0x7FFFFFFF) >> 1 ^ (0x9908B0DF if words[0] & 1 else 0)
    return last in (mixed, mixed ^ 0x40000000)


def _checked(values: list[int] | None) -> list[int] | None:
    """The words, if they look drawn: a map of 25 by 25 cells has as many numbers."""
    if values is None or not all(-(1 << 31) <= value < 1 << 32 for value in values):
        return None
    large = sum(value & 0xFFFFFFFF >= _SMALL for value in values[:WORDS])
    return values if large >= _MOST else None
