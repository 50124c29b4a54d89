"""What a node of a dump says of a generator: mt19937 by its 624 words, splitmix64 by name or, as a guess, by 64 bits.

Forms seen: named fields, a flat list of 625, Python's getstate, numpy's states, the text C++ streams write, hex words,
blobs in hex or base64. Names are compared in plain form.
"""

from __future__ import annotations

from dataclasses import dataclass

from detcheck.compare.rng_words import hex_word, integer, words_of
from detcheck.dumps.names import plain, words
from detcheck.model.record import Group, Items, Node, Scalar
from detcheck.rng.mt19937 import WORDS, pack_state

_DRAW_NAMES = (
    *("draws", "drawcount", "calls", "callcount", "numcalls", "numdraws", "ncalls", "ndraws", "drawn", "count"),
    *("callscount", "drawscount", "totalcalls", "totaldraws", "counter", "draw", "n", "uses", "used", "steps"),
    *("iteration", "iterations", "consumed", "generated", "advances", "rolls"),
)
#: words of a name that counts draws, beside one of the generator's own
_COUNT_WORDS = frozenset(("draws", "draw", "calls", "call", "count", "counter", "rolls", "uses", "steps", "drawn"))
_WORD_NAMES = ("words", "mt", "state", "block", "key", "statewords", "internalstate", "data", "buffer", "array", "s")
_PLACE_NAMES = ("index", "idx", "mti", "pos", "position", "next", "i", "p", "cursor", "offset")
_KIND_NAMES = ("kind", "algorithm", "algo", "type", "generator", "bitgenerator", "engine", "name")
_STATE_NAMES = ("state", "seed", "s", "x", "value", "current", "currentseed")
#: what a stream is made of; other names beside these (an increment, a spare number) are state of their own
TAKEN_NAMES = frozenset((*_DRAW_NAMES, *_WORD_NAMES, *_PLACE_NAMES, *_KIND_NAMES, *_STATE_NAMES, "left", "version"))
MT19937, SPLITMIX = "mt19937", "splitmix64"
_KINDS = {"mt19937": MT19937, "mersennetwister": MT19937, "mt": MT19937, "mt1993732": MT19937, "splitmix64": SPLITMIX}
_KINDS |= {"splitmix": SPLITMIX, "stdmt19937": MT19937, "mersenne": MT19937, "splitmix64rng": SPLITMIX}


#: a group with more names is a state of the world, not of a generator
MAX_NAMES = 4096


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
    if isinstance(node, Group):
        return _group(node)
    found = words_of(node)
    if found:
        return _twister(found, None, None)
    if isinstance(node, Items):
        return _listed(node.items)
    return _stream64(node, None, None) if isinstance(node, Scalar) else Stream()


def counts_draws(path: str) -> bool:
    """Whether a name below a generator, or a generator's own name, counts what was drawn: `calls`, `rng_draw_count`."""
    name = path.rpartition(".")[2]
    return plain(name) in _DRAW_NAMES or not _COUNT_WORDS.isdisjoint(words(name))


def _listed(items: list[Node]) -> Stream:
    """A state among a few others: Python's (version, words, gauss), numpy's (name, words, place, ...)."""
    for at, one in enumerate(items[:4]):
        found = words_of(one)
        if found:
            place = integer(items[at + 1]) if len(found) == WORDS and len(items) > at + 1 else None
            return _twister(found, place, None)
    return Stream()


def _group(node: Group) -> Stream:
    if len(node.items) > MAX_NAMES:
        return Stream()
    named = {plain(name): child for name, child in node.items.items()}
    draws = next((v for n in _DRAW_NAMES if (v := integer(named.get(n))) is not None), None)
    for name in _WORD_NAMES:
        inner = named.get(name)
        found = words_of(inner)
        if found is not None:
            return _twister(found, _place(named), draws)
        if isinstance(inner, (Group, Items)):
            nested = stream_of(inner)
            if nested.kind is not None:
                count = nested.draws if draws is None else draws
                return Stream(nested.kind, nested.saved, nested.left, count, nested.guessed)
    kinds = [one.text for n in _KIND_NAMES if isinstance(one := named.get(n), Scalar)]
    kind = next((_KINDS[plain(text)] for text in kinds if plain(text) in _KINDS), None)
    state = next((named[n] for n in _STATE_NAMES if isinstance(named.get(n), Scalar)), None)
    return _stream64(state, kind, draws)


def _place(named: dict[str, Node]) -> int | None:
    """The place of the next word, also from how many are left."""
    left = integer(named.get("left"))
    if left is not None:
        return WORDS - left
    return next((p for n in _PLACE_NAMES if (p := integer(named.get(n))) is not None), None)


def _twister(found: list[int], place: int | None, draws: int | None) -> Stream:
    place = found[WORDS] if place is None and len(found) > WORDS else place
    left = None if place is None or not 0 <= place <= WORDS else WORDS - place
    saved = None if left is None else pack_state([word & 0xFFFFFFFF for word in found[:WORDS]], left)
    return Stream(MT19937, saved, left, draws, guessed=saved is None)


def _stream64(state: Node | None, named: str | None, draws: int | None) -> Stream:
    """A state of 64 bits; small numbers are no such state unless the dump says so."""
    number = _number64(state)
    if number is None or named not in (None, SPLITMIX) or not -(1 << 63) <= number < 1 << 64:
        return Stream(draws=draws)
    if named is None and 0 <= number < 1 << 40:
        return Stream(draws=draws)
    saved = (number & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "little")
    return Stream(SPLITMIX, saved, None, draws, guessed=named is None)


def _number64(state: Node | None) -> int | None:
    """As an integer, as 16 hex digits, or as decimal digits in a text."""
    number = integer(state)
    if number is None:
        number = hex_word(state, 16)
    if number is None and isinstance(state, Scalar) and state.kind == "str":
        digits = state.text.removeprefix("-")
        number = int(state.text) if digits.isascii() and digits.isdigit() and len(digits) <= 20 else None
    return number
