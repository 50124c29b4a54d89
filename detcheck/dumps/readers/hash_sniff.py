"""Whether a text is a hash log: how many of its lines give a tick and a hash, and what the others are."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from detcheck.dumps import names
from detcheck.dumps.readers.base import NO_FIT, Fit
from detcheck.dumps.readers.hash_spelling import PLAIN_LINE, counts_up, looked_at, words_of
from detcheck.dumps.sample import Sample

if TYPE_CHECKING:
    from detcheck.dumps.readers.hash_words import Words

#: `{sim} tick 5 …`: a word in braces in front of the line
_TAG = re.compile(r"\s*\{[\w .-]{1,40}\}[ \t]*\w")
#: a line with more of them than its tick and hashes tells a state: `seed=0x1f units=2 gold=30`
_PAIRS = re.compile(r"([A-Za-z_][\w.\]]*)\s?=\s?[^\s=]")
#: what a generator gave is no hash
_DRAWN = re.compile(r"(?i)\b(?:draws?|drew|rolls?|rolled|nextint|next_u32)\b|\brand\w*\(")
#: lines of a log among which one in so many gives a tick and a hash
_SPARSE = 10


@dataclass
class _Seen:
    """What the lines looked at say.

    entries  give a tick and a hash; `keyed` of them by words for both, `leading` with the tick on the line itself
    used     say nothing that the reader passes over
    idle     stand there again and again, such as those of a stack: they state nothing
    ticked   name a tick and no hash
    rich     tell of a state or a draw
    logged   have a log prefix
    """

    entries: int = 0
    keyed: int = 0
    leading: int = 0
    used: int = 0
    idle: int = 0
    ticked: int = 0
    rich: int = 0
    logged: int = 0
    pending: bool = False
    lengths: list[int] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def line(self, line: str, words: Words, often: bool) -> None:
        """Takes in one line; `often`: it stands there several times."""
        from detcheck.dumps.readers.log_prefix import stripped

        self.logged += stripped(line) != line
        stated = bool(words.hashes) and (words.tick is not None or self.pending)
        calls = line[:1].isspace()  # lines of a stack that name places in hexadecimal are those of a trace
        self.idle += often and not stated and not (words.hashes and (calls or words.tick is not None))
        self.tokens.extend(token for _, token in words.hashes[:1])
        pairs = sum(names.tick_rank(name) is None for name in _PAIRS.findall(line)) - len(words.hashes)
        self.rich += not words.named and (_tells(line, words, pairs) or bool(words.hashes and _DRAWN.search(line)))
        if not words.named and stated:
            self.lengths.extend(len(token.lower().removeprefix("0x")) for _, token in words.hashes)
        if stated:
            self.entries += 1
            self.used += 1
            self.keyed += (words.keyed or self.pending) and words.named
            self.leading += words.tick is not None
        elif words.tick is not None and words.keyed and not words.hashes:
            self.pending = True
            self.ticked += 1
            self.used += pairs <= 1
        else:
            below = bool(words.hashes) and self.keyed > 0  # the hash of a part, below that of the whole
            self.used += line.lstrip().startswith(("#", "//")) or (below and not often)


def _tells(line: str, words: Words, pairs: int) -> bool:
    """Whether a line has values of the state beside its tick and hashes; the name of a session is none."""
    if pairs <= 0 or words.tick is not None or words.hashes:
        return pairs > 0
    from detcheck.dumps.readers.hash_beside import is_noise

    return not (words.session and pairs == 1) and not all(map(is_noise, _PAIRS.findall(line)))


def sniff(sample: Sample) -> Fit:
    """Most lines give a tick and a hash, on one line or on two; or they are those of a log, by words for both."""
    lines = looked_at(sample)
    if (
        sample.binary
        or not lines
        or (sample.text.lstrip().startswith(("{", "<", "[[", "[{", '["')) and not _TAG.match(sample.text))
    ):
        return NO_FIT
    if len(lines) > 2 and all(map(PLAIN_LINE.fullmatch, lines)):
        return Fit(95, f"each of the first {len(lines)} lines is a tick and a hash")
    seen = _Seen()
    counts = Counter(lines)
    for line in lines:
        words = words_of(line)
        if len(lines) == 1 and words.hashes and words.tick is None:
            named = words.named or _names_its_tick(sample.stem, line)
            return Fit(60, "one hash, the tick in the file's name") if named else NO_FIT
        seen.line(line, words, counts[line] > 2)
    return _fit(seen, len(lines))


def _fit(seen: _Seen, count: int) -> Fit:
    lengths = sorted(seen.lengths)
    if not seen.entries or counts_up(seen.tokens) or 2 * seen.rich > seen.entries:
        return NO_FIT
    if lengths and lengths[len(lengths) // 2] < 5:
        return NO_FIT  # small numbers are fields, not checksums
    share = seen.used / max(1, count - seen.idle)
    why = f"{seen.entries} of the first {count} lines give a tick and a hash"
    if share >= 0.8 and seen.entries * 3 >= count:
        return Fit(80, why)
    if min(seen.keyed, seen.leading) >= 3 and seen.ticked * 10 <= seen.entries and seen.logged * 10 >= count * 9:
        return Fit(65, why) if seen.entries * _SPARSE >= count else Fit(40, why)
    if seen.keyed and seen.entries >= 2 and share >= 0.1:
        return Fit(int(20 + 40 * share), why)
    return Fit(int(60 * share), why) if share > 0.5 else NO_FIT


def _names_its_tick(stem: str, line: str) -> bool:
    """`tick_12.txt` that states one hash, or `hash_00012.txt` that is nothing but one."""
    alone = re.fullmatch(r"\s*(?:0[xX])?[0-9a-fA-F]{8,128}\s*", line) is not None
    return names.tick_in_name(stem) is not None or (alone and re.search(r"\d", stem) is not None)
