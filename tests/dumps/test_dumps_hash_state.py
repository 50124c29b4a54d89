"""Lines of a hash log that state no hash but state: compared with their tick, or counted in a note."""

from __future__ import annotations

import hashlib
from io import BytesIO

import pytest

import detcheck
from detcheck.model.comparison import Comparison


def hash_of(tick: int) -> str:
    return hashlib.sha256(b"%d" % tick).hexdigest()[:16]


def both(a: str, b: str) -> list[Comparison]:
    """Compared in both orders."""
    sides = (a.encode(), b.encode())
    return [detcheck.diff(*map(BytesIO, pair)) for pair in (sides, sides[::-1])]


def log(form: str, state: str, unlike: int, ticks: int = 30) -> str:
    return "".join(
        form.format(t=t, h=hash_of(t)) + "\n" + state.format(t=t, n=50 + t + (t >= unlike)) + "\n" for t in range(ticks)
    )


@pytest.mark.parametrize(
    ("form", "state"),
    [
        ("tick {t} checksum {h}", "  wolves: {n}"),
        ("[12:00:07] turn {t} crc {h}", "[12:00:08] wolves={n} ping=3"),
    ],
)
def test_what_stands_below_a_hash_belongs_to_its_tick(form: str, state: str) -> None:
    """Values on lines of their own are compared with the tick above."""
    for found in both(log(form, state, 99), log(form, state, 17)):
        assert (found.verdict, found.first_divergent_tick, found.last_equal_tick) == ("diverged", 17, 16)
        assert found.findings[0].path == "wolves"


def test_a_dump_behind_the_hashes_belongs_to_the_tick_it_names() -> None:
    """Rows by their id, also of a tick before the last one, which keeps its hash."""
    hashes = "".join(f"tick={t} hash={hash_of(t)}\n" for t in range(300))
    dump = "".join(f"tick=290 ship={k} fuel={{{k}}}\n" for k in range(4))
    a, b = hashes + dump.format(5, 6, 7, 8), hashes + dump.format(5, 6, 9, 8)
    for found in both(a, b):
        assert (found.first_divergent_tick, found.findings[0].path) == (290, "ship[ship=2].fuel")
        assert len(found.findings) == 1
    same = both(a, a.replace("ship=1 fuel=6\ntick=290 ship=2 fuel=7", "ship=2 fuel=7\ntick=290 ship=1 fuel=6"))
    assert all(found.verdict == "same" for found in same)


def test_lines_that_are_not_compared_are_counted() -> None:
    """Prose with numbers is no state that is known, and is not passed over in silence."""
    prose = "spawned {n} wolves near the ford"
    for found in both(log("tick {t} hash {h}", prose, 99), log("tick {t} hash {h}", prose, 17)):
        assert found.verdict == "same"
        assert any("30 lines" in note and "not compared" in note for note in found.notes)


def test_chatter_needs_no_note() -> None:
    """What measures the machine, or says nothing, is no state."""
    for found in both(log("tick {t} hash {h}", "ping 3{t} ms", 99), log("tick {t} hash {h}", "took 4.{t} s", 99)):
        assert (found.verdict, found.notes) == ("same", ())
