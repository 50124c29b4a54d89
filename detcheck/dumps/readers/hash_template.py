"""The shape of a log line, learned from one line: those like it need no search for words.

A log states all its checkpoints in one or two formats. Searching a line for what it says takes some 50 microseconds;
matching it with what is known of its format takes two, and whole blocks are matched at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from detcheck.dumps.readers.hash_beside import is_measured, unquoted
from detcheck.dumps.readers.hash_words import Words
from detcheck.dumps.readers.log_prefix import stripped

if TYPE_CHECKING:
    from detcheck.dumps.readers.hash_spelling import Spelling

#: formats that are learned; lines of others are searched
LIMIT = 16
#: ticks whose lines have to say by a format what they say when searched
PROOFS = 8
_LONGEST_LINE = 1_000
_DIGITS = re.compile(r"\d+", re.ASCII)
_MEASURE = r"[-+]?\d[\d.]{0,40}[A-Za-z%]{0,3}"
#: values that change from line to line; words stay as they are, since they may be part of a name
_NUMBER = r"[-+]?\d[0-9A-Za-z.+-]{0,60}"
_PLAIN_NUMBER = r"[-+]?\d{1,40}(?:\.\d{1,40})?"
#: from so many characters on a hash is told from a number by its length
_LONG_HASH = 16

#: what the groups of a pattern are
_TICK, _HASH, _EXTRA = range(3)


@dataclass(frozen=True)
class Template:
    """One format: a pattern, what each of its groups is, and what its lines say (`words` of the first one)."""

    pattern: re.Pattern[bytes]
    groups: tuple[int, ...]
    words: Words

    def match(self, line: bytes) -> Words | None:
        """What a line of this format says; None for others."""
        found = self.pattern.fullmatch(line)
        if found is None:
            return None
        texts: tuple[list[str], ...] = ([], [], [])
        for kind, group in zip(self.groups, found.groups(), strict=True):
            texts[kind].append(group.decode("ascii"))
        ticks, tokens, extra = texts
        if any(is_measured(value) or value in tokens for value in extra):
            return None
        if extra and not self.words.named and any(_like_a_hash(value, tokens) for value in extra):
            return None
        words = self.words
        return Words(
            int(ticks[0]),
            [(name, token) for (name, _), token in zip(words.hashes, tokens, strict=True)],
            None,
            words.keyed,
            words.named,
            [(name, unquoted(value)) for (name, _), value in zip(words.extra, extra, strict=True)],
            words.lead,
        )

    @property
    def one_hash(self) -> bool:
        """Whether its lines are a tick and the whole state's hash, and nothing else that counts."""
        return self.groups in ((_TICK, _HASH), (_HASH, _TICK)) and self.words.hashes[0][0] == ""

    def block(self, data: bytes) -> tuple[list[int], list[str]] | None:
        """Ticks and hashes (lower case, without 0x) of whole lines; None when one of them is not of this format."""
        found = self.pattern.findall(data)
        if len(found) != data.count(b"\n"):
            return None
        place = self.groups.index(_TICK)
        tokens = b" ".join([groups[1 - place] for groups in found]).decode("ascii").lower().replace("0x", "")
        return [int(groups[place]) for groups in found], tokens.split()


def _like_a_hash(value: str, tokens: list[str]) -> bool:
    """Whether a number without a name may be a hash by its length."""
    return len(value) >= _LONG_HASH or len(value) in [len(token.lower().removeprefix("0x")) for token in tokens]


@dataclass
class _Trial:
    """A format that is not used yet: searching has to say the same of lines of PROOFS ticks."""

    template: Template
    ticks: set[int | None]


@dataclass
class Templates:
    """The formats of one log; the one that fitted last is tried first. A format that was wrong once is never used."""

    spelling: Spelling
    known: list[Template] = field(default_factory=list)
    trials: list[_Trial] = field(default_factory=list)
    learned: int = 0

    def words(self, line: bytes) -> Words | None:
        """What a line of a known format says; None for others."""
        for place, template in enumerate(self.known):
            found = template.match(line)
            if found is not None:
                if place:
                    self.known.insert(0, self.known.pop(place))
                return found
        return None

    def learn(self, line: str, words: Words) -> None:
        """What searching a line has found, which no known format fits: a proof of a format on trial, or a new one."""
        for trial in self.trials:
            found = trial.template.match(line.encode())
            if found is not None:
                self._tried(trial, found == words, words.tick)
                return
        if self.learned >= LIMIT:
            return
        made = template_of(line, words, self.spelling)
        if made is not None:
            self.learned += 1
            self.trials.append(_Trial(made, {words.tick}))

    def _tried(self, trial: _Trial, agrees: bool, tick: int | None) -> None:
        trial.ticks.add(tick)
        if not agrees or len(trial.ticks) >= PROOFS:
            self.trials.remove(trial)
        if agrees and len(trial.ticks) >= PROOFS:
            self.known.insert(0, trial.template)

    def block(self, data: bytes) -> tuple[list[int], list[str]] | None:
        """Whole lines in bulk when all are of the format seen last, with one hash each."""
        if not self.known or not self.known[0].one_hash or not data.endswith(b"\n"):
            return None
        return self.known[0].block(data)


def template_of(line: str, words: Words, spelling: Spelling) -> Template | None:
    """The format of a line; None when another line like it might say something else.

    Only the tick, the hashes, other values that are no part of a name, and the digits of the log prefix may differ.
    """
    if words.tick is None or words.tick < 0 or not words.hashes or words.session:
        return None
    if len(line) > _LONGEST_LINE or "\n" in line or "\x1b" in line:  # places in a line with colours are others
        return None
    rest = stripped(line)
    if not line.endswith(rest):  # colours are taken out
        return None
    margin = len(line) - len(rest)
    spans = _said(line, margin, words, spelling)
    if spans is None:
        return None
    spans += [(at.start(), at.end(), rf"\d{{{len(at[0])}}}", None) for at in _DIGITS.finditer(line, 0, margin)]
    spans.sort(key=lambda span: span[0])
    if any(one[1] > other[0] for one, other in pairwise(spans)):
        return None
    pieces, place = [], 0
    for start, end, pattern, _ in spans:
        pieces += [re.escape(line[place:start]), pattern]
        place = end
    text = "".join([*pieces, re.escape(line[place:])])
    groups = tuple(kind for _, _, _, kind in spans if kind is not None)
    return Template(re.compile(f"^{text}\r?$".encode(), re.MULTILINE), groups, words)


_Spans = list[tuple[int, int, str, int | None]]


def _said(line: str, margin: int, words: Words, spelling: Spelling) -> _Spans | None:
    """Where the tick, each hash and other values stand, as what; None when that is not beyond doubt."""
    spans: _Spans = []
    for _, token in words.hashes:
        pattern = _hash_pattern(token, words.named, spelling)
        place = line.find(token, margin)
        if pattern is None or place < 0 or line.find(token, place + 1) >= 0 or (spans and place < spans[-1][0]):
            return None
        spans.append((place, place + len(token), pattern, _HASH))
    ticks = [
        at
        for at in _DIGITS.finditer(line, margin)
        if int(at[0]) == words.tick
        and line[max(0, at.start() - 2) : at.start()].lower() != "0x"
        and not any(start <= at.start() < end for start, end, _, _ in spans)
    ]
    if len(ticks) != 1 or len(ticks[0][0]) > 18 or line[: ticks[0].start()].endswith(("0x", "0X")):
        return None
    spans.append((ticks[0].start(), ticks[0].end(), r"(\d{1,18})", _TICK))
    others = _others(line, margin, words, spans)
    return None if others is None else spans + others


def _others(line: str, margin: int, words: Words, spans: _Spans) -> _Spans | None:
    """Values beside: those that count, and those that measure the machine; others have to stay as they are."""
    found: _Spans = []
    for one in words.beside:
        start, end = one.start + margin, one.end + margin
        if any(start < other_end and other_start < end for other_start, other_end, _, _ in spans):
            return None
        value = line[start:end]
        if not value.isascii() or unquoted(value) != one.value:
            return None
        if one.noise:
            if re.fullmatch(_MEASURE, value, re.ASCII):
                found.append((start, end, _MEASURE, None))
            continue
        number = _NUMBER if words.named and line[start - 1] in "=:" else _PLAIN_NUMBER
        pattern = number if re.fullmatch(number, value, re.ASCII) else re.escape(value)
        found.append((start, end, f"({pattern})", _EXTRA))
    return found if sum(kind == _EXTRA for *_, kind in found) == len(words.extra) else None


def _hash_pattern(token: str, named: bool, spelling: Spelling) -> str | None:
    """Tokens that are spelled alike; None when a number might be among them that is no hash."""
    if spelling.base == 10:
        return r"(\d{1,40})" if named and token.isdecimal() else None
    digits = token[2:] if token[:2] in ("0x", "0X") else token
    if not re.fullmatch("[0-9a-fA-F]+", digits) or len(digits) != spelling.width:
        return None
    if digits is token and not named and len(digits) < _LONG_HASH:
        return None
    return f"({token[: len(token) - len(digits)]}[0-9a-fA-F]{{{len(digits)}}})"
