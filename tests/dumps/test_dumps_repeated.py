"""Several records for one tick are all compared; sessions known by name stay apart; odd lines of hash logs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from detcheck.compare.api import diff
from detcheck.dumps.open import open_source
from detcheck.dumps.readers.hash_words import words_of

TICKS = 30


def hash_of(*parts: object) -> str:
    """Some 16 hex digits of the parts."""
    value = 14695981039346656037
    for byte in repr(parts).encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    return f"{value:016x}"


def layers_jsonl(bad: int) -> str:
    """A line a layer, told apart by a word no list of ids knows."""
    return "".join(
        json.dumps({"step": t, "layer_name": layer, "crc": hash_of(t, layer, t >= bad and layer == "nav")}) + "\n"
        for t in range(TICKS)
        for layer in ("nav", "body", "mind")
    )


def two_digests(bad: int) -> str:
    """Two lines a turn with nothing that tells them apart; the first of them differs."""
    return "".join(f"turn {t}: {hash_of(t, k, t >= bad and k == 0)}\n" for t in range(TICKS) for k in range(2))


def two_plain(bad: int) -> str:
    """The same in plain columns."""
    return "".join(f"{t},{hash_of(t, k, t >= bad and k == 0)}\n" for t in range(TICKS) for k in range(2))


def twins_csv(bad: int) -> str:
    """Rows without a key, some of them equal."""
    rows = (f"{t},{t // 2 + k // 2},{t + (t >= bad and k == 0)}\n" for t in range(TICKS) for k in range(4))
    return "step,px,py\n" + "".join(rows)


def layers_document(bad: int) -> str:
    """A JSON list with two entries a tick."""
    return json.dumps(
        [{"tick": t, "pass": k, "sum_x": t + k + (t >= bad and k == 0)} for t in range(TICKS) for k in (0, 1)]
    )


def late_room(bad: int) -> str:
    """Room b opens at tick 7, and room a diverges."""
    lines = []
    for t in range(TICKS):
        lines.append(f"room=a turn={t} checksum={hash_of('a', t, t >= bad)}\n")
        if t >= 7:
            lines.append(f"room=b turn={t} checksum={hash_of('b', t)}\n")
    return "".join(lines)


def late_room_jsonl(bad: int) -> str:
    """The same as JSON Lines, room b two ticks behind."""
    lines = []
    for t in range(TICKS):
        lines.append(json.dumps({"room": "a", "turn": t, "gold": 3 * t + (t >= bad)}) + "\n")
        if t >= 7:
            lines.append(json.dumps({"room": "b", "turn": t - 2, "gold": t}) + "\n")
    return "".join(lines)


def room_hash(bad: int) -> str:
    """A part of the state whose name could be a session's."""
    return "".join(f"step={t} room={hash_of(t, t >= bad)[:8]}f actors={hash_of(t)[:8]}e\n" for t in range(TICKS))


def hex_ticks(bad: int) -> str:
    """Ticks in hexadecimal."""
    return "".join(f"frame: 0x{t:04X} crc: 0x{hash_of(t, t >= bad)[:8]}\n" for t in range(TICKS))


def bracketed_dates(bad: int) -> str:
    """A date in brackets opens the file."""
    return "".join(f"[2031/02/03 04:05:{t:02}] (net) turn {t} digest {hash_of(t, t >= bad)}\n" for t in range(TICKS))


def tagged(bad: int) -> str:
    """A word in braces opens the file."""
    return "".join(f"{{host}} turn {t} digest {hash_of(t, t >= bad)}\n" for t in range(TICKS))


SHAPES = [
    layers_jsonl,
    two_digests,
    two_plain,
    twins_csv,
    layers_document,
    late_room,
    late_room_jsonl,
    room_hash,
    hex_ticks,
    bracketed_dates,
    tagged,
]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_first_unlike_tick_is_found(shape: Callable[[int], str], tmp_path: Path) -> None:
    """Whichever of a tick's records differs; a file and its copy are the same."""
    for name, bad in (("a", TICKS), ("b", 19), ("c", TICKS)):
        (tmp_path / f"{name}.log").write_text(shape(bad))
    found = diff(tmp_path / "a.log", tmp_path / "b.log")
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 19)
    assert diff(tmp_path / "a.log", tmp_path / "c.log").verdict == "same"


def test_a_seed_above_the_ticks_decides(tmp_path: Path) -> None:
    """Two runs of unlike seeds are not compared."""
    for name, seed in (("a", 77), ("b", 78)):
        lines = "".join(f"tick {t} hash {hash_of(seed, t)}\n" for t in range(TICKS))
        (tmp_path / f"{name}.log").write_text(f"starting up\nWorld seed = {seed}\n{lines}")
    assert diff(tmp_path / "a.log", tmp_path / "b.log").verdict == "inconclusive"


def test_a_dated_line_names_its_tick() -> None:
    """Date and part of the day are the tick, both words behind them are compared."""
    for line in ("dbg: [desync] sync: 0000000a; 02; 01234567; 89abcdef", "date{0000000a; 02; ff} 01234567 89abcdef"):
        found = words_of(line)
        assert found.tick == 742
        assert [token for _, token in found.hashes] == ["01234567", "89abcdef"]


def test_remarks_do_not_grow_with_the_file(tmp_path: Path) -> None:
    """Ticks that now and then stand twice are one remark."""
    lines = [json.dumps({"tick": t, "v": t}) + "\n" for t in range(2000) for _ in range(1 + (t % 5 == 3))]
    (tmp_path / "a.jsonl").write_text("".join(lines))
    source = open_source(tmp_path / "a.jsonl")
    assert [record.tick for record in source.records] == list(range(2000))
    assert len(source.remarks) == 1
