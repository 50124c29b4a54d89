"""Formats of log lines that are learned: they say what searching the line says."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from io import BytesIO

import pytest

import detcheck
from detcheck.dumps import streams
from detcheck.dumps.readers import hash_template
from detcheck.dumps.readers.hash_spelling import Spelling
from detcheck.dumps.readers.hash_template import LIMIT, PROOFS, Templates, template_of
from detcheck.dumps.readers.hash_words import words_of

EXAMPLES = 4 * int(os.environ.get("DETCHECK_EXAMPLES", "1"))

HEX16 = Spelling(16, 16)
HEX8 = Spelling(16, 8)
DECIMAL = Spelling(10)

#: (format, spelling of its hashes): {t} the tick, {h} and {g} hashes, {n} any number, {m} milliseconds
FORMATS = {
    "clock": ("[2026-11-30 12:{s:02d}:{s:02d}.{m:03d}] [sync] tick={t} hash=0x{h:016x}", HEX16),
    "level": ("12:00:{s:02d} INFO desync: turn {t} checksum {h:08x}", HEX8),
    "hash_first": ("hash: {h:016x} at tick {t}", HEX16),
    "parts": ("tick {t} world_hash={h:08x} players_hash={g:08x}", HEX8),
    "extra": ("t=1.5 tick={t} units={n} gold=-{n}.25 rtt={m}ms hash={h:016x} alive=true", HEX16),
    "decimal": ("frame {t}: checksum={h}", DECIMAL),
    "zeros": ("tick {t:08d} crc32 0x{h:08X}", HEX8),
    "bare": ("{t} | {h:016x}", HEX16),
    "player": ("turn {t} player 3 checksum {h:08x} fps={n}", HEX8),
}


def line_of(form: str, draw: random.Random, width: int) -> str:
    """One line with values of its own."""
    hashes = [draw.getrandbits(4 * width or 40) for _ in range(2)]
    return form.format(
        t=draw.randrange(1_000_000), h=hashes[0], g=hashes[1], n=draw.randrange(5000), m=draw.randrange(1000),
        s=draw.randrange(60),
    )  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_a_learned_format_says_what_searching_says(name: str) -> None:
    """Over many lines of a format: the template made of the first that gives one, and the search for words, agree."""
    form, spelling = FORMATS[name]
    draw = random.Random(name)
    template = next(
        found
        for _ in range(50)
        if (found := template_of(line := line_of(form, draw, spelling.width), words_of(line), spelling))
    )
    for _ in range(200):
        line = line_of(form, draw, spelling.width)
        assert template.match(line.encode()) == words_of(line), line
        assert template.match(f"{line}\r".encode()) == words_of(line)


@pytest.mark.parametrize("name", ["clock", "level", "hash_first", "decimal", "zeros", "bare"])
def test_blocks_are_read_at_once(name: str) -> None:
    """Ticks and hashes of a block are those of its lines; one line of another kind, and the block is none."""
    form, spelling = FORMATS[name]
    draw = random.Random(name + "block")
    templates = Templates(spelling)
    for _ in range(30 * PROOFS):
        line = line_of(form, draw, spelling.width)
        templates.learn(line, words_of(line))
    lines = [line_of(form, draw, spelling.width) for _ in range(40)]
    data = "".join(f"{line}\n" for line in lines).encode()
    said = [words_of(line) for line in lines]
    found = templates.block(data)
    assert found is not None
    assert found[0] == [words.tick for words in said]
    assert found[1] == [words.hashes[0][1].lower().removeprefix("0x") for words in said]
    assert templates.block(data + b"connection lost\n") is None
    assert templates.block(data[:-1]) is None


UNLIKE = {
    "a session": "match=7 tick 12 hash {h}",
    "no tick": "hash {h}",
    "a tick twice": "tick 12 of 12 hash {h}",
    "a short bare hash": "12 deadbeef",
    "a hash of another width": "tick 12 hash deadbeef",
    "a negative tick": "tick -3 hash {h}",
    "a hexadecimal tick": "tick=0x1 hash {h}",
    "colours": "tick \x1b[1m12\x1b[0m hash {h}",
    "a very long line": "tick 12 hash {h} " + "x" * 2000,
}


@pytest.mark.parametrize("line", UNLIKE.values(), ids=UNLIKE.keys())
def test_what_is_not_beyond_doubt_is_no_format(line: str) -> None:
    """Where another line like it might say something else, every line is searched."""
    text = line.format(h="0123456789abcdef")
    assert template_of(text, words_of(text), HEX16) is None


def test_numbers_outside_the_prefix_belong_to_the_format() -> None:
    """`player 3` and `player 4` name two hashes: a number that may be part of a name is never passed over."""
    line = "turn 12 player 3 checksum deadbeef"
    template = template_of(line, words_of(line), HEX8)
    assert template is not None
    assert template.match(b"turn 13 player 4 checksum deadbeef") is None
    assert template.match(b"turn 13 player 3 checksum deadbee") is None


def test_a_log_of_ever_new_formats_is_searched_line_by_line() -> None:
    """Not more than LIMIT formats are kept, whatever a log holds."""
    templates = Templates(HEX8)
    for number in range(3 * LIMIT):
        line = f"turn 5000 player {number} checksum deadbeef"
        templates.learn(line, words_of(line))
    assert templates.learned == len(templates.trials) == LIMIT


def test_a_format_is_used_when_it_has_proved_right() -> None:
    """Searching has to say the same of PROOFS ticks; one line of which it says otherwise, and the format is dropped."""
    templates = Templates(HEX8)
    for tick in range(PROOFS):
        assert templates.words(f"turn {tick} checksum deadbeef".encode()) is None
        line = f"turn {tick} checksum deadbeef"
        templates.learn(line, words_of(line))
    assert templates.words(b"turn 99 checksum deadbeef") == words_of("turn 99 checksum deadbeef")
    templates = Templates(HEX8)
    for tick in range(3 * PROOFS):
        line = f"turn {tick} checksum deadbeef"
        templates.learn(line, replace(words_of(line), tick=tick * tick))
    assert not templates.known


def test_a_measured_or_undecodable_value_is_left_to_the_search() -> None:
    """What a value means may depend on its form."""
    line = "tick 9 hash=0123456789abcdef load=0.5"
    template = template_of(line, words_of(line), HEX16)
    assert template is not None
    assert template.match(b"tick 10 hash=0123456789abcdef load=0.75") is not None
    assert template.match(b"tick 10 hash=0123456789abcdef load=16ms") is None
    assert template.match(b"tick 10 hash=0123456789abcdef load=\xff") is None


FORMS = [
    "[12:00:{s:02d}.{m:03d}] tick={t} hash=0x{h:016x}",
    "INFO turn {t}: checksum {h:016x}",
    "tick {t} units={n} hash={h:016x} rtt={m}ms",
    "{t}\t{h:016x}",
    "tick {t} physics hash={h:016x}",
]
OTHERS = ["player joined", "tick {t}", "seed: 12", "", "match=1 tick {t} hash={h:016x}", "warning: late by {m}ms"]


def log_of(draw: random.Random, ticks: list[int], hashes: dict[int, int], form: str, noise: float) -> bytes:
    """A log of one format with other lines between."""
    lines = []
    for tick in ticks:
        values = {"t": tick, "h": hashes[tick], "n": tick % 7, "m": draw.randrange(1000), "s": draw.randrange(60)}
        if draw.random() < noise:
            lines.append(draw.choice(OTHERS).format(**values))
        if draw.random() < noise / 4:
            lines.append(draw.choice(FORMS).format(**values))
        lines.append(form.format(**values))
    return "".join(f"{line}\n" for line in lines).encode()


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.5])
def test_learning_changes_nothing(noise: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs with rollbacks, sessions, gaps and lines of any kind give the comparison they give line by line.

    They are longer than the sample, which comes as one block.
    """
    monkeypatch.setattr(streams, "CHUNK", 2_000)
    draw = random.Random(str(noise))
    for _ in range(EXAMPLES):
        form = draw.choice(FORMS)
        ticks = sorted(draw.sample(range(5_000), 2_500)) if draw.random() < 0.5 else list(range(2_500))
        if draw.random() < 0.3:
            place = draw.randrange(20, 2_400)
            ticks[place:place] = ticks[place - draw.choice([1, 5, 19]) : place]
        if draw.random() < 0.2:
            ticks += ticks[:400]
        mine = {tick: draw.getrandbits(64) for tick in ticks}
        from_tick = draw.choice([0, 50, 2_000, 9_000])
        theirs = {tick: value ^ (tick >= from_tick) for tick, value in mine.items()}
        a = log_of(draw, ticks, mine, form, noise)
        b = log_of(draw, ticks, theirs, form if draw.random() < 0.7 else draw.choice(FORMS), noise)
        found = []
        for limit in (LIMIT, 0):
            monkeypatch.setattr(hash_template, "LIMIT", limit)
            found.append(detcheck.diff(BytesIO(a), BytesIO(b), all=True))
        assert found[0] == found[1]
