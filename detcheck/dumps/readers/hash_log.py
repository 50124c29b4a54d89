"""A hash log line by line: which tick a hash belongs to, which lines are of one record, which session it is of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from detcheck.dumps import names, tokens
from detcheck.dumps.readers.base import Side, free_name
from detcheck.dumps.readers.hash_spelling import Layout, digits, layout_of, lengths_of, spelling_of, words_of
from detcheck.dumps.sessions import Sessions
from detcheck.model.record import Record

if TYPE_CHECKING:
    from detcheck.dumps.readers.hash_template import Templates
    from detcheck.dumps.readers.hash_words import Words

_SETTING = re.compile(r"[\s#/;]{0,20}([A-Za-z][\w .-]{0,60}?)\s{0,20}[:=]\s{0,20}(\S.{0,400}?)\s*")


@dataclass
class Log:
    """State while a log is read line by line."""

    side: Side
    base: int
    tick: int | None = None
    current: Record | None = None
    session: str | None = None
    #: the session that the line with the last tick names
    named: str | None = None
    unread: int = 0
    apart: bool = False
    was_plain: bool = False
    #: whether the line that began the record names its tick
    stated: bool = False
    layout: Layout = field(default_factory=lambda: Layout(False, True))

    #: lines that may state something and are not compared
    passed: int = 0
    first_passed: int = 0
    #: the record of a tick that is held back for a rollback
    earlier: Callable[[int], Record | None] = lambda tick: None

    def __post_init__(self) -> None:
        self.sessions = Sessions(self.side)

    def _head(self, text: str) -> bool:
        """`Seed: 12345` in front of the first tick: what decides comparability, or who wrote it."""
        match = None if self.side.state.get("resumed") else _SETTING.fullmatch(text)
        if match is None:
            return False
        is_head = names.is_head(match[1]) or names.words(match[1])[-1:] == ("seed",)
        if not is_head and not names.is_writer(match[1]):
            return False
        keep = self.side.head if is_head else self.side.writer
        keep(match[1], tokens.bare(match[2]))
        return True

    @cached_property
    def lengths(self) -> frozenset[int]:
        """How many digits a hash has."""
        return lengths_of(self.side, self.base)

    @cached_property
    def columns(self) -> dict[str, str]:
        """What a header names columns that have no name: c3 to `alive`."""
        first = self.side.sample.content[:1]
        found = re.split(r"[\s,;|]+", first[0].strip(" \t\r#,;|")) if first else []
        if len(found) < 3 or not all(re.fullmatch(r"[\"']?[A-Za-z_][\w. -]{0,60}[\"']?", name) for name in found):
            return {}
        if not any(names.tick_rank(name.strip("\"'")) is not None for name in found):
            return {}
        return {f"c{place}": name.strip("\"'") for place, name in enumerate(found, 1)}

    @cached_property
    def templates(self) -> Templates:
        """The formats of its lines (imported late: plain columns never need it)."""
        from detcheck.dumps.readers.hash_template import Templates

        return Templates(spelling_of(self.side))

    def line(self, text: str, number: int) -> Iterator[Record]:
        """A line that has to be searched for what it says."""
        words = words_of(text, self.side.options.tick_field, self.lengths)
        if not self.layout.named and words.session is not None:
            name, _, value = words.session.partition(" ")
            words.session = None
            words.extra.append((name, value))
        self.templates.learn(text, words)
        if not words.hashes and (self.tick is not None or words.tick is not None):
            kept, given = self._state(text, words, number)
            if kept:
                yield from given
                return
        if self.tick is not None or words.tick is not None or not self._head(text):
            yield from self.said(words, number)

    def said(self, words: Words, number: int) -> Iterator[Record]:
        """What a line says."""
        if words.tick is not None:
            self.named = words.session
        elif words.session is None:
            words.session = self.named
        if words.tick is not None and (words.keyed or words.hashes):
            if not words.hashes:
                self.apart = True
                yield from self.done()
            self.tick = words.tick
        if words.tick is None and words.hashes:
            words.hashes = self._below(words)
        if not words.hashes:
            self.unread += words.tick is None
            return
        if self.tick is None:
            if self.side.state.get("resumed"):
                return  # the tick of this hash stands in the part that was skipped
            self.tick = names.tick_in_name(self.side.stem)
        yield from self._entry(words, number)

    def _state(self, text: str, words: Words, number: int) -> tuple[bool, list[Record]]:
        """Whether a line states something of a known tick: it is put into the record of that; and records to give."""
        from detcheck.dumps.readers import hash_state

        pairs = hash_state.pairs_of(text)
        if not pairs:
            if words.tick is None and hash_state.has_values(text):
                self._pass(number)
            return False, []
        tick = self.tick if words.tick is None else words.tick
        given: list[Record] = []
        record = self.current
        if record is None or record.tick != tick:
            earlier = self.earlier(tick) if tick is not None and not self.side.state.get("sessions") else None
            newer = self.tick is None or (tick is not None and tick > self.tick) or (self.apart and tick == self.tick)
            if earlier is None and not newer:
                self._pass(number)
                return True, []
            if earlier is None:
                given = list(self.done())
                self.tick, self.session, self.stated = tick, words.session, False
                self.current = record = Record(tick, number)
            else:
                record = earlier
        hash_state.keep(record, pairs)
        return True, given

    @cached_property
    def shapes(self) -> frozenset[tuple[str, int]]:
        """(name, digits) of the hashes that stand on lines without a tick as a rule, on either side."""
        other = self.side.state.get("other")
        own = layout_of(self.side).below
        return own | layout_of(other).below if isinstance(other, Side) else own

    def _below(self, words: Words) -> list[tuple[str, str]]:
        """The hashes of a line without a tick that are some: many a word and number only looks like one.

        Of those that no word calls one, it is the first below its tick, one that stands there as a rule, or one with a
        name and of the width of the others.
        """
        if self.tick is not None and self.current is None and not self.apart:
            return []  # its tick has been given
        if words.named or self.current is None:
            return words.hashes
        widths = self.layout.widths | {width for _, width in self.shapes}
        return [
            (name, token)
            for name, token in words.hashes
            if (name, digits(token)) in self.shapes
            or (name and digits(token) in widths and re.search(r"\d", token) is not None)
        ]

    def plain(self, tick: int, token: str, number: int) -> Iterator[Record]:
        """A line that is a tick and a hash and nothing else."""
        if self.layout.several and self.current is not None and self.current.tick == tick and self.session is None:
            self.current.hashes[free_name(self.current.hashes, "hash")] = tokens.hashed(token, self.base)
            return
        yield from self.done()
        self.tick, self.session, self.was_plain, self.stated = tick, None, True, True
        self.current = Record(tick, number, hashes={"hash": tokens.hashed(token, self.base)})

    def _entry(self, words: Words, number: int) -> Iterator[Record]:
        record = self.current
        unnamed = words.lead or "hash" if self.layout.lead else "hash"
        named = [(name or unnamed, token) for name, token in words.hashes]
        same = record is not None and record.tick == self.tick and words.session == self.session
        again = record is not None and any(name in record.hashes for name, _ in named)
        if record is not None and words.tick is None:
            same, again = same or self.stated, False  # a line without a tick is no second checkpoint of its tick
        if record is None or not same or (again and not self.layout.several):
            yield from self.done()
            record = self.current = Record(self.tick, number)
            self.was_plain = False
            self.session, self.stated = words.session, words.tick is not None
        for name, token in named:
            record.hashes[free_name(record.hashes, name)] = tokens.hashed(token, self.base)
        for name, value in words.extra:
            name = self.columns.get(name, name)
            place = record.rng if names.is_rng(name) else record.fields.items
            place.setdefault(name, tokens.bare(value))

    def busy(self) -> bool:
        """Whether a line needs what came before: sessions by name, ticks on lines of their own."""
        return self.sessions.first is not None or self.session is not None or self.apart or self.current is not None

    def cut_at(self, number: int) -> None:
        """The last line has no end: its hash may be only the beginning of one, and surely is where it is too short."""
        record = self.current
        if record is None or record.line != number:
            return
        width = spelling_of(self.side).width
        if width and any(len(one.text.lower().removeprefix("0x")) < width for one in record.hashes.values()):
            self.current = None
            self.side.remark(f"line {number} is cut short and was left out")
        elif not width:
            record.cut = (number, replace(record, hashes={}))

    def end(self) -> Iterator[Record]:
        """The last record, and the named sessions that had to wait, one after another."""
        yield from self.done()
        yield from self.sessions.end()
        if self.passed:
            what = f"{self.passed} lines that hold" if self.passed > 1 else "a line that holds"
            self.side.remark(f"{what} values beside the hashes, not compared; the first is line {self.first_passed}")

    def _pass(self, number: int) -> None:
        """A line that may state something and is not compared."""
        self.passed, self.first_passed = self.passed + 1, self.first_passed or number

    def done(self) -> Iterator[Record]:
        """Gives the record that is complete."""
        record, self.current = self.current, None
        if record is None:
            return
        if self.session is None and self.sessions.first is None:
            yield record
        else:
            yield from self.sessions.feed(self.session or "", record)
