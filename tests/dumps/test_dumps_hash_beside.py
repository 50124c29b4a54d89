"""Whatever else a line of a hash log says is compared, but for what measures the machine."""

from __future__ import annotations

import hashlib
from io import BytesIO

import pytest

import detcheck
from detcheck.dumps.readers import hash_template
from detcheck.dumps.readers.hash_words import words_of

HASH = "c1a5ab5044997b38"


def hash_of(tick: int) -> str:
    return hashlib.sha256(b"%d" % tick).hexdigest()[:16]


def log(form: str, ticks: int, unlike: int = 10**9, other: int = 0) -> bytes:
    """A log of one form: {n} is state, which is another from tick `unlike` on, {m} a machine's, which never agrees."""
    lines = [
        form.format(t=t, h=hash_of(t), n=30 + t % 7 + (t >= unlike), m=(t * 31 + other * 7) % 89, s=t % 60)
        for t in range(ticks)
    ]
    return "".join(f"{line}\n" for line in lines).encode()


STATE = {
    "tick={t} hash={h} workers {n}": "workers",
    "{t} {h} {n}": "c3",
    "{t} 0x{h} -{n}.5": "c3",
    "{t}, {h}, {n}": "c3",
    "{t}\t{h}\tidle\t{n}": "c4",
    "{t};{h};{n};": "c3",
    "{t} {h} ore={n}": "ore",
    "turn {t} checksum {h} wood {n} stone 4": "wood",
    "Frame {t}: {h} ({n} bullets)": "bullets",
    "Frame {t}: {h} (2 tanks, {n} bullets)": "bullets",
    "[12:00:{s:02d}] [sim] tick {t} crc {h}; trees {n}, took {m}.5 ms": "trees",
    "tick {t} hash {h} | ping {m} | frame_ms {m} | mobs {n}": "mobs",
    "mobs {n} tick={t} hash={h}": "mobs",
    "tick {t} hash {h} rng {n}": "rng",
    "tick={t} host={n} hash={h}": "host",
}


@pytest.mark.parametrize("form", STATE)
@pytest.mark.parametrize("limit", [hash_template.LIMIT, 0])
def test_a_value_beside_the_hash_is_compared(form: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a field by its word or column, with learned formats and without; both orders."""
    monkeypatch.setattr(hash_template, "LIMIT", limit)
    for ticks, unlike in ((25, 11), (3_000, 2_700)):
        a, b = log(form, ticks), log(form, ticks, unlike, 1)
        for one, other in ((a, b), (b, a)):
            found = detcheck.diff(BytesIO(one), BytesIO(other), all=True)
            assert (found.verdict, found.first_divergent_tick, found.last_equal_tick) == (
                "diverged",
                unlike,
                unlike - 1,
            )
            assert [finding.path for finding in found.findings] == [STATE[form]]


NOISE = [
    "12:00:{m:02d}.125 INFO tick={t} hash={h}",
    "tick {t} hash {h} took {m} ms",
    "tick {t} hash {h} in {m}.25ms",
    "tick {t} hash {h} (rtt {m})",
    "tick {t} hash {h} ping={m} fps={m} sim_ms={m}.5",
    "tick {t} hash {h} {m} fps",
    "tick {t} hash {h} cpu {m}%",
    "net.cc:{m}: tick {t} hash {h}",
    "tick {t} hash {h} at src/net/sync.rs:{m}",
    "{m} {m}1 INFO tick {t} hash {h}",
    "[{m}] tick {t} hash {h}",
    "tick {t} hash {h} 12:00:{m:02d}",
    "tick {t} hash {h} sent 7{m} bytes",
]


@pytest.mark.parametrize("form", NOISE)
def test_what_measures_the_machine_is_not_blamed(form: str) -> None:
    """Clocks, durations, rates and line numbers differ between healthy peers."""
    for ticks in (25, 3_000):
        found = detcheck.diff(BytesIO(log(form, ticks)), BytesIO(log(form, ticks, other=1)))
        assert found.verdict == "same"


def test_columns_have_the_names_of_a_header() -> None:
    """Also where the head that both files share was skipped."""
    for ticks, unlike in ((25, 11), (9_000, 8_700)):
        sides = (b"tick hash hp\n" + log("{t} {h} {n}", ticks, at) for at in (10**9, unlike))
        found = detcheck.diff(*map(BytesIO, sides))
        assert (found.first_divergent_tick, found.findings[0].path) == (unlike, "hp")


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        (f"tick 5 hash {HASH} player 3", []),
        (f"tick 5 of 9 hash {HASH}", []),
        (f"tick 5 hash {HASH} v1.2.3 10.0.0.7:27015 3/4", []),
        (f"tick 5 hash {HASH} after 3 retries", []),
        (f"tick 5 hash {HASH} gold: 7 gems=2", [("gold", "7"), ("gems", "2")]),
        (f"5 {HASH} 7 8", [("c3", "7"), ("c4", "8")]),
        (f"5,{HASH},on hold,8", [("c3", "on hold"), ("c4", "8")]),
    ],
)
def test_what_a_line_says_beside(line: str, extra: list[tuple[str, str]]) -> None:
    """Values with their names, in the order of the line."""
    found = [one for one in words_of(line).extra if one[0] != "c4" or len(extra) > 1]
    assert found == extra
