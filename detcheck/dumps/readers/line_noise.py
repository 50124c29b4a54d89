"""What of a log line names the process that wrote it: addresses, thread and process ids, the peer in front of lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from detcheck.dumps import names
from detcheck.dumps.readers.base import Side
from detcheck.model.record import Scalar

_THREAD = re.compile(
    r"(?<![\w.])(?:tid|thread(?:[ _-]?id)?)\s?[:=]\s?(?:\d{1,20}|0x[0-9a-fA-F]{1,16})\b", re.IGNORECASE
)
_PROCESS = re.compile(r"(?<![\w.])(?:pid|process(?:[ _-]?id)?)\s?[:=]\s?\d{1,10}\b", re.IGNORECASE)
_MACHINE = re.compile(
    _THREAD.pattern + r"|@\s?0x[0-9a-fA-F]{6,16}\b"
    r"|(?<![\w.])(?:ptr|pointer|addr|address|this)\s?[:=@]\s?0x[0-9a-fA-F]{6,16}\b"
    r"|(?<![\w.=:])(?:[(<\[])?0x(?:0000)?(?:7f|5[5-6])[0-9a-fA-F]{10}\b[)>\]]?",
    re.IGNORECASE,
)
#: how long something took, how often a second
_MEASURED = re.compile(
    r"(?i)\(\s?\d+(?:\.\d+)?\s?(?:ms|us|µs|ns)\s?\)|\b\d+(?:\.\d+)?\s?fps\b"
    r"|\b(?:took|elapsed|in|after)[:= ]{1,3}\d+\.\d+\s?(?:ms|us|µs|ns|s|sec)\b"
)
#: a line without one of these has nothing to look for: patterns are slow
_UNITS = ("ms", "us", "µs", "ns", "s)", "fps", "FPS", "took", "elapsed", "in ", "after")
_MARKS = ("0x", "0X", "tid", "Tid", "TID", "hread", "HREAD")
_PAIR = re.compile(r"(?<![\w.])([A-Za-z_]\w{1,30})[:=](\"[^\"]{0,80}\"|[^\s,;|)\]]{1,80})")
#: a mark in brackets or behind which a colon stands
_PREFIX = re.compile(r"[\[(<{][^\[\](){}<>]{1,40}[\])>}]|[\w .#-]{1,40}[:|]")
_ROLES = names.word_set("host server client peer local remote player machine node instance user")
_PROCESS_NAMES = names.word_set("pid process processid")
_SAMPLED = 200
_FEWEST = 4
_MEANS = names.INPUT_WORDS | names.word_set("rng prng rand random draw draws roll")


class LineNoise:
    """Takes out of a side's lines what is the same on each of them and says who wrote them, and what no two share."""

    def __init__(self, side: Side, befores: Iterable[str]) -> None:
        self.side = side
        self.prefix = _prefix(befores)
        self.pairs = self._constant_pairs(side.sample.content[:_SAMPLED])
        if self.prefix:
            side.writer("line prefix", Scalar("str", self.prefix, self.prefix))

    def _constant_pairs(self, lines: Sequence[str]) -> frozenset[str]:
        """`pid=4411`, `host=alpha`: texts of writers' names that stand on nearly every line with one value."""
        seen: dict[str, Counter[str]] = {}
        for line in lines:
            for match in _PAIR.finditer(line[:1000]):
                word = names.plain(match[1])
                if word in _PROCESS_NAMES or names.is_surely_writer(match[1]):
                    seen.setdefault(match[1], Counter())[match[0]] += 1
        found = set()
        for name, texts in seen.items():
            text, times = texts.most_common(1)[0]
            value = text[len(name) + 1 :]
            if len(texts) == 1 and len(lines) >= _FEWEST and 2 * times > len(lines):
                found.add(text)
                self.side.writer(name, Scalar("str", value, value))
        return frozenset(found)

    def cleaned(self, text: str) -> str:
        """A line without all that."""
        if self.prefix and text.startswith(self.prefix):
            text = text[len(self.prefix) :].lstrip(" \t:|-")
        for pair in self.pairs:
            if pair in text:
                text = re.sub(rf"(?<![\w.]){re.escape(pair)}(?![\w.])", " ", text).strip()
        if any(map(text.__contains__, _UNITS)) and _MEASURED.search(text):
            self.side.remark("how long lines say that something took was left out")
            text = _MEASURED.sub(" ", text).strip()
        if not any(map(text.__contains__, _MARKS)) or not _MACHINE.search(text):
            return text
        self.side.remark("addresses and thread ids in event lines were left out")
        if _THREAD.search(text):
            text = _PROCESS.sub(" ", text)
        return _MACHINE.sub(" ", text).strip()


def _prefix(befores: Iterable[str]) -> str:
    """What stands in front of the tick on every line, where it is a mark or names a role."""
    given = list(befores)
    first = given[0] if given else ""
    if len(given) < _FEWEST or not first or any(one != first for one in given):
        return ""
    said = names.words(first)
    if any(word in _MEANS or (word in _ROLES and len(said) > 3) for word in said):
        return ""
    return first if _PREFIX.fullmatch(first) or (said and said[0] in _ROLES) else ""
