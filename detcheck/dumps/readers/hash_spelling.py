"""How the hashes of a side are spelled, and what a line of a hash log says."""

from __future__ import annotations

import re
from collections import Counter
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from detcheck.dumps.readers.base import Side
from detcheck.dumps.repeated import repeats
from detcheck.dumps.sample import Sample

if TYPE_CHECKING:
    from detcheck.dumps.readers.hash_words import Words

#: lines of the sample that are looked at
SNIFFED = 400


def words_of(line: str, tick_field: str | None = None, lengths: frozenset[int] = frozenset()) -> Words:
    """What a line says; lines of the sample are asked for several times. The Words are the caller's own."""
    return copy(_words_of(line, tick_field, lengths))


@lru_cache(maxsize=4 * SNIFFED)
def _words_of(line: str, tick_field: str | None, lengths: frozenset[int]) -> Words:
    # the patterns take a while to compile, and plain columns never need them
    from detcheck.dumps.readers.hash_words import words_of as read_words

    return read_words(line, tick_field, lengths)


@dataclass(frozen=True)
class Spelling:
    """How the hashes of a side are written: base 16 with a fixed width (0: not fixed), or base 10."""

    base: int
    width: int = 0

    def fits(self, hashes: list[str]) -> bool:
        """Whether tokens (lower case, without 0x) are so spelled that equal hashes are equal tokens."""
        if self.base == 16:
            return set(map(len, hashes)) == {self.width}
        return not any(map(_not_decimal, hashes))


_not_decimal = re.compile(r"0.|.*[a-f]|.{41}").match
#: the plain form: a tick, blanks or a comma, one hash in hexadecimal or decimal
PLAIN_BYTES = b"0123456789abcdefx \t,\r\n"
PLAIN_ENTRY = re.compile(rb"(\d{1,18})[ \t,]+((?:0[xX])?[0-9a-fA-F]{6,128})\r?")
PLAIN_LINE = re.compile(r"\d{1,18}[ \t,]+(?:0[xX])?[0-9a-fA-F]{6,128}")


def counts_up(tokens: list[str]) -> bool:
    """Whether what stands in the place of hashes are numbers that rise from line to line: `[sync:00000004 t= 100]`."""
    if len(tokens) < 4 or not all(token.isascii() and token.isdigit() for token in tokens):
        return False
    return all(0 < int(y) - int(x) < 1 << 16 for x, y in pairwise(tokens))


_STATED = re.compile(r"(?:hash|checksum|crc\d{0,2}|digest|md5|sha\d{0,3})\W{1,4}(?:0x)?[0-9a-f]{4}", re.IGNORECASE)


def looked_at(sample: Sample) -> tuple[str, ...]:
    """The lines of the sample that are looked at: where hashes begin behind a long preamble, those from there on."""
    lines = sample.content
    if lines and PLAIN_LINE.fullmatch(lines[0]):
        return lines[:SNIFFED]
    if len(lines) > SNIFFED and (found := _STATED.search(sample.text)) is not None:
        before = sum(1 for line in sample.text[: found.start()].split("\n")[:-1] if line.strip())
        if before > SNIFFED // 2:
            return lines[before - 2 :][:SNIFFED]
    return lines[:SNIFFED]


def spelling_of(side: Side, base: int | None = None) -> Spelling:
    """The spelling the sample shows; a pair settles on one for both sides (`state["spelling"]`)."""
    told = side.state.get("spelling")
    if isinstance(told, Spelling):
        return told
    lines = side.sample.content
    if side.sample.whole and len(lines) > 1 and not side.sample.text.endswith("\n"):
        lines = lines[:-1]  # perhaps cut
    lines = lines[:SNIFFED]
    if not side.options.tick_field and lines and all(map(PLAIN_LINE.fullmatch, lines)):
        return _plain_spelling(lines, base)
    base = base or base_of(side)
    read = [words_of(line) for line in lines[:: len(lines) // 25 + 1]]
    ticked = [words for words in read if words.tick is not None and words.hashes]
    widths = {digits(token) for words in ticked or read for _, token in words.hashes}
    return Spelling(base, widths.pop() if base == 16 and len(widths) == 1 else 0)


@dataclass(frozen=True)
class Layout:
    """How a log states its checkpoints.

    several  most ticks have more than one line of one and the same hash: none is resimulation, all are compared
    named    what looks like a session's name is one (and no value of the state, which changes from line to line)
    names    of the sessions in the sample
    lead     lines of one tick are told apart by the word in front of it: `units tick 5 crc …`
    below    (name, digits) of the hashes that lines without a tick and a word for one state under most ticks
    widths   how many digits the hashes have that stand beside their tick
    """

    several: bool
    named: bool
    names: tuple[str, ...] = ()
    lead: bool = False
    below: frozenset[tuple[str, int]] = frozenset()
    widths: frozenset[int] = frozenset()

    @property
    def sessions(self) -> int:
        """How many names the sample shows."""
        return len(self.names)


def layout_of(side: Side) -> Layout:
    """The layout the sample shows."""
    told = side.state.get("layout")
    if isinstance(told, Layout):
        return told
    lines = looked_at(side.sample)
    if not side.options.tick_field and lines and all(map(PLAIN_LINE.fullmatch, lines)):
        counts = [len(list(run)) for _, run in groupby(int(re.split("[ \t,]", line, maxsplit=1)[0]) for line in lines)]
        widths = frozenset(map(digits, (re.split("[ \t,]+", line)[1] for line in lines)))
        side.state["layout"] = plain = Layout(repeats(counts[:-1] or counts), True, widths=widths)
        return plain
    read = [words_of(line, side.options.tick_field) for line in lines]
    said = [words for words in read if words.tick is not None and words.hashes]
    sessions = [words.session for words in said if words.session]
    named = 2 * len(set(sessions)) <= len(sessions) or len(sessions) < 4
    several = _several(said, lead=False)
    lead = several and not _several(said, lead=True)
    side.state["layout"] = found = Layout(
        several and not lead,
        named,
        tuple(dict.fromkeys(sessions)) if named else (),
        lead,
        _below(read),
        frozenset(digits(token) for words in said for _, token in words.hashes),
    )
    return found


def digits(token: str) -> int:
    """How many digits a hash has."""
    return len(token.lower().removeprefix("0x"))


def _below(read: list[Words]) -> frozenset[tuple[str, int]]:
    """The hashes that stand on lines of their own under at least half of the ticks: a word like `decade` does not."""
    ticks = sum(words.tick is not None and (words.keyed or bool(words.hashes)) for words in read)
    bare = (words.hashes for words in read if words.tick is None and not words.named)
    counts = Counter((name, digits(token)) for hashes in bare for name, token in hashes)
    return frozenset(shape for shape, count in counts.items() if 2 * count >= ticks)


def _several(said: list[Words], lead: bool) -> bool:
    """Whether most ticks have lines that state the same hash, where the word in front of the tick tells lines apart."""
    runs: list[list[object]] = []
    for _, group in groupby(said, key=lambda words: words.tick):
        runs.append([(words.session, words.lead * lead, sorted(name for name, _ in words.hashes)) for words in group])
    whole = runs[:-1] or runs
    again = sum(any(run.count(one) > 1 for one in run) for run in whole)
    return 2 * again > len(whole)


def lengths_of(side: Side, base: int) -> frozenset[int]:
    """How many digits a hash in hexadecimal has: one in fifty of eight digits has no letter."""
    if base != 16:
        return frozenset()
    lines = looked_at(side.sample)
    seen: Counter[int] = Counter()
    for line in lines[:: len(lines) // 25 + 1]:
        seen.update(len(token) for _, token in words_of(line, side.options.tick_field).hashes if token[:2] != "0x")
    return frozenset(length for length, count in seen.items() if length >= 4 and count * 5 > seen.total())


def _plain_spelling(lines: tuple[str, ...], base: int | None) -> Spelling:
    hashes = [line.split()[-1].rpartition(",")[2].lower() for line in lines]
    widths = {len(token.removeprefix("0x")) for token in hashes}
    if base is None:
        hexadecimal = widths == {16} or any(re.search(r"[a-fx]|^0.", token) for token in hashes)
        base = 16 if hexadecimal else 10
    return Spelling(base, widths.pop() if base == 16 and len(widths) == 1 else 0)


def base_of(side: Side) -> int:
    """16 when any hash of the sample has a letter, a 0x or a leading zero or 16 digits; else 10."""
    lengths = set()
    for line in looked_at(side.sample):
        for _, token in words_of(line, side.options.tick_field).hashes:
            if re.search(r"[a-fA-FxX]", token) or (token.startswith("0") and len(token) > 1):
                return 16
            lengths.add(len(token))
    return 16 if lengths == {16} else 10
