"""Counting the lines of what is skipped as equal."""

from __future__ import annotations

import os
import random

import pytest

from detcheck.dumps import newlines
from detcheck.dumps.newlines import NewlineCounter

EXAMPLES = 40 * int(os.environ.get("DETCHECK_EXAMPLES", "1"))
WAYS = ["extension", "portable"]


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Counted by the extension, and as where it is not built."""
    if request.param == "portable":
        monkeypatch.setattr(newlines, "_native", None)
    elif newlines._native is None:
        pytest.skip("the extension is not built here")
    return str(request.param)


def counted(chunks: list[bytes]) -> list[int]:
    counter = NewlineCounter()
    found = [counter.add(chunk) for chunk in chunks]
    assert counter.size == sum(map(len, chunks))
    assert counter.total == sum(found)
    return found


def test_every_newline_is_counted_wherever_chunks_end(way: str) -> None:
    """Any mixture of short, long, empty and newline-only chunks counts as bytes.count does."""
    draw = random.Random(20_24)
    for _ in range(EXAMPLES):
        alphabet = draw.choice([b"\n", b"ab\n", b"abcdefgh\n\r\x0b\x8a\x00", bytes(range(256)), b"x"])
        sizes = [draw.choice([0, 1, 63, 64, 65, 255 * 64, 255 * 64 + 1, 40_000]) for _ in range(4)]
        chunks = [bytes(draw.choices(alphabet, k=size)) for size in sizes]
        assert counted(chunks) == [chunk.count(b"\n") for chunk in chunks]


def test_lanes_do_not_wrap(way: str) -> None:
    """Nothing but newlines, over more than one block of 255 rows: no lane's own count comes round to 0."""
    assert counted([b"\n" * 255 * 64 * 2, b"\n" * 256 * 64, b"\n" * 7]) == [255 * 64 * 2, 256 * 64, 7]


def test_lines_far_apart_are_counted_in_long_chunks(way: str) -> None:
    """Lines of a thousand bytes, with and without a newline at the end of a chunk."""
    line = b"y" * 999 + b"\n"
    assert counted([line * 50, line * 50 + b"tail", b"", b"no newline", line]) == [50, 50, 0, 0, 1]
