"""Stepping over equal lines changes nothing: the comparison is the one in which every line is read."""

from __future__ import annotations

import json
import os
import random
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest

from detcheck.compare import tracker
from detcheck.compare.api import diff_sides
from detcheck.compare.options import make_options
from detcheck.dumps import streams, twins
from detcheck.dumps.options import ReadOptions
from detcheck.dumps.readers import json_lines
from detcheck.model.comparison import Comparison

EXAMPLES = 6 * int(os.environ.get("DETCHECK_EXAMPLES", "1"))
TICKS = 1_500


def line_of(tick: int, draw: random.Random, more: str = "") -> str:
    return json.dumps({"tick": tick, "x": draw.randrange(999) / 8, "hp": draw.randrange(9), "name": "u" * 30}) + more


def sides(draw: random.Random) -> tuple[list[str], list[str]]:
    """Lines of two sides that part, or seem to, at some places far from each other."""
    step = draw.choice([1, 1, 3])
    a = [line_of(tick * step, draw) for tick in range(TICKS)]
    b = list(a)
    for _ in range(draw.randrange(4)):
        at = draw.randrange(1, TICKS - 10)
        kind = draw.randrange(7)
        if kind == 0:
            b[at] = b[at].replace('"hp": ', '"hp": 1')
        elif kind == 1:
            b[at] = b[at].replace('"x"', '"wall_ms": 1, "x"')
        elif kind == 2:
            del b[at]
        elif kind == 3:
            b[at] = b[at].replace('"tick"', ' "tick"')
        elif kind == 4:
            b[at:at] = b[at - draw.randrange(1, 9) : at]
        elif kind == 5:
            a[at:] = a[: TICKS - at]
            b[at:] = b[: TICKS - at]
        else:
            b[at] = b[at][:20]
    b[0] = b[0].replace('"hp": ', '"hp": 2') if draw.random() < 0.7 else b[0]
    if draw.random() < 0.2:
        b = b[: draw.randrange(900, TICKS)]
    return (a, b) if draw.random() < 0.5 else (b, a)


def compared(lines: tuple[list[str], list[str]], step_over: bool, options: dict[str, Any]) -> Comparison:
    a, b = (BytesIO("".join(f"{line}\n" for line in side).encode()) for side in lines)
    found = diff_sides(a, b, ReadOptions(step_over=step_over), make_options(**options))
    coverage = replace(found.coverage, fields_compared=0, byte_equal_lines=0)
    return replace(found, coverage=coverage, how=())


@pytest.mark.parametrize("options", [{}, {"ignore": ["hp"]}, {"all": True}, {"ticks": "100:900"}], ids=str)
def test_what_is_stepped_over_is_counted_as_read(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Gaps, rollbacks, sessions, cuts and other lengths of lines between long equal stretches: one comparison."""
    monkeypatch.setattr(streams, "CHUNK", 3_000)
    monkeypatch.setattr(twins, "_PROBE_BYTES", 1_000)
    monkeypatch.setattr(twins, "_RUN_BYTES", 4_000)
    monkeypatch.setattr(twins, "_RUN_LINES", 8)
    monkeypatch.setattr(json_lines, "READ_FIRST", 4)
    monkeypatch.setattr(tracker, "FOLLOW_WORK", 10**9)
    draw = random.Random(str(options))
    for _ in range(EXAMPLES):
        lines = sides(draw)
        assert compared(lines, True, options) == compared(lines, False, options)


def test_equal_lines_behind_an_early_difference_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly all of it is stepped over, and counted."""
    monkeypatch.setattr(twins, "_RUN_BYTES", 4_000)
    monkeypatch.setattr(twins, "_RUN_LINES", 8)
    draw = random.Random(5)
    a = [line_of(tick, draw) for tick in range(6_000)]
    b = [a[0].replace('"hp": ', '"hp": 1'), *a[1:]]
    files = [BytesIO("".join(f"{line}\n" for line in side).encode()) for side in (a, b)]
    found = diff_sides(files[0], files[1], ReadOptions(), make_options(ignore=["hp"]))
    assert (found.verdict, found.coverage.ticks_compared) == ("same", 6_000)
    assert 2_000 < found.coverage.byte_equal_lines < 6_000
    assert (found.coverage.a_ticks, found.last_equal_tick) == ((0, 5_999), 5_999)


def test_renamed_sides_are_not_equal_where_their_bytes_are() -> None:
    """With --map nothing is skipped: what a calls p1 is p2 in b."""
    text = "".join(f'{{"tick":{tick},"p1":{tick},"p2":{tick + 1}}}\n' for tick in range(5_000)).encode()
    found = diff_sides(BytesIO(text), BytesIO(text), ReadOptions(), make_options(mapping=["p1=p2"]))
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 0)
