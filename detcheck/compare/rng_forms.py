"""What a node of a dump says of a generator: mt19937 by its 624 words, splitmix64 by name or, as a guess, by 64 bits.

Forms seen: named fields, a flat list of 625, Python's getstate, numpy's state, the text C++ streams write, hex words.
"""

from __future__ import annotations

from dataclasses import dataclass

from detcheck.dumps.names import plain
from detcheck.model.record import Group, Items, Node, Scalar
from detcheck.rng.mt19937 import WORDS, pack_state

_DRAW_NAMES = ("draws", "draw_count", "drawcount", "calls", "count", "draw", "n")
_WORD_NAMES = ("words", "mt", "state", "block", "key", "state_words", "internal_state", "data")
_PLACE_NAMES = ("index", "idx", "mti", "pos", "position", "next", "i", "p")
_KIND_NAMES = ("kind", "algorithm", "algo", "type", "generator", "bit_generator", "engine")
_STATE_NAMES = ("state", "seed", "s", "x", "value")
MT19937, SPLITMIX = "mt19937", "splitmix64"
_KINDS = {"mt19937": MT19937, "mersennetwister": MT19937, "mt": MT19937, "mt1993732": MT19937, "splitmix64": SPLITMIX}
_KINDS |= {"splitmix": SPLITMIX, "stdmt19937": MT19937, "mersenne": MT19937}


@dataclass(frozen=True)
class Stream:
    """A generator's saved state, where its form is known; `draws` where the dump counts them.

    guessed  the dump does not say which generator it is: only a distance that is found proves it
    """

    kind: str | None = None
    saved: bytes | None = None
    left: int | None = None
    draws: int | None = None
    guessed: bool = False


def stream_of(node: Node) -> Stream:
    """The generator a node holds; a Stream without a kind where it holds none that is known."""
    if isinstance(node, Scalar):
        words = _text_words(node)
        return _twister(words, None, None) if words else _stream64(node, None, None)
    if isinstance(node, Items):
        words = _words(node) or next((w for one in node.items[:4] if (w := _words(one)) is not None), None)
        return _twister(words, None, None) if words else Stream()
    return _group(node) if isinstance(node, Group) else Stream()


def _group(node: Group) -> Stream:
    draws = next((v for n in _DRAW_NAMES if (v := _integer(node.items.get(n))) is not None), None)
    for name in _WORD_NAMES:
        inner = node.items.get(name)
        words = _words(inner) or (_text_words(inner) if isinstance(inner, Scalar) else None)
        if words is not None:
            return _twister(words, node, draws)
        if isinstance(inner, (Group, Items)):
            found = stream_of(inner)
            if found.kind is not None:
                return Stream(
                    found.kind, found.saved, found.left, found.draws if draws is None else draws, found.guessed
                )
    named = next((one.text for n in _KIND_NAMES if isinstance(one := node.items.get(n), Scalar)), None)
    kind = None if named is None else _KINDS.get(plain(named), named.lower())
    state = next((node.items[n] for n in _STATE_NAMES if isinstance(node.items.get(n), Scalar)), None)
    return _stream64(state, kind, draws)


def _twister(words: list[int], node: Group | None, draws: int | None) -> Stream:
    left = _left(node, words)
    saved = None if left is None else pack_state([word & 0xFFFFFFFF for word in words[:WORDS]], left)
    return Stream(MT19937, saved, left, draws, guessed=saved is None)


def _stream64(state: Node | None, named: str | None, draws: int | None) -> Stream:
    """A state of 64 bits; small numbers are no such state unless the dump says so."""
    number = _integer(state)
    if number is None and named == SPLITMIX and isinstance(state, Scalar):
        number = _hex_word(state, 16)
    if number is None or named not in (None, SPLITMIX) or not -(1 << 63) <= number < 1 << 64:
        return Stream(draws=draws)
    if named is None and 0 <= number < 1 << 40:
        return Stream(draws=draws)
    saved = (number & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "little")
    return Stream(SPLITMIX, saved, None, draws, guessed=named is None)


def _integer(node: Node | None) -> int | None:
    if isinstance(node, Scalar) and node.kind in ("int", "hash") and isinstance(node.value, int):
        return node.value
    return None


def _hex_word(node: Node, digits: int) -> int | None:
    """A word in hex without 0x, of exactly so many digits."""
    text = node.text if isinstance(node, Scalar) and node.kind in ("str", "int", "hash", "float") else ""
    if len(text) != digits or not all(c in "0123456789abcdefABCDEF" for c in text):
        return None
    return int(text, 16)


def _words(node: Node | None) -> list[int] | None:
    """624 words of 32 bits, and perhaps the place of the next one behind them."""
    if not isinstance(node, Items) or len(node.items) not in (WORDS, WORDS + 1):
        return None
    values = [_integer(item) for item in node.items]
    if None in values:
        values = [_hex_word(item, 8) for item in node.items[:WORDS]]
        values += [_integer(item) for item in node.items[WORDS:]]
    return _in_range([value for value in values if value is not None], len(node.items))


def _text_words(node: Scalar) -> list[int] | None:
    """The words as one text, as C++ streams write a generator."""
    if node.kind != "str" or not WORDS <= len(node.text) <= 16 * WORDS:
        return None
    pieces = node.text.replace(",", " ").split()
    if len(pieces) not in (WORDS, WORDS + 1) or not all(one.isascii() and one.isdigit() for one in pieces):
        return None
    return _in_range([int(one) for one in pieces], len(pieces))


def _in_range(values: list[int], count: int) -> list[int] | None:
    return values if len(values) == count and all(-(1 << 31) <= value < 1 << 32 for value in values) else None


def _left(node: Group | None, words: list[int]) -> int | None:
    """Words unread in the block: as `left`, or from the index of the next word."""
    items = {} if node is None else node.items
    left = _integer(items.get("left"))
    if left is None:
        index = next((p for n in _PLACE_NAMES if (p := _integer(items.get(n))) is not None), None)
        index = words[WORDS] if index is None and len(words) > WORDS else index
        left = None if index is None else WORDS - index
    return left if left is not None and 0 <= left <= WORDS else None
