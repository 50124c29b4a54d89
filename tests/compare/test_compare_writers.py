"""What may name the writer: left out where it differs at first sight, compared where it was equal before."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

import detcheck
from detcheck.dumps.readers import json_lines
from detcheck.model.comparison import Comparison

Lines = list[dict[str, Any]]


def both(a: Lines, b: Lines, **options: Any) -> list[Comparison]:
    """Compared in both orders."""
    sides = ["".join(json.dumps(one) + "\n" for one in side).encode() for side in (a, b)]
    return [detcheck.diff(*map(BytesIO, pair), **options) for pair in (sides, sides[::-1])]


def world(count: int = 200, **more: Any) -> Lines:
    return [{"tick": t, **more, "hp": 3 * t, "units": [{"id": 1, "x": t}]} for t in range(count)]


@pytest.mark.parametrize("read_first", [json_lines.READ_FIRST, 10**9])
@pytest.mark.parametrize("name", ["node_host", "hostname", "peer_id", "machine", "pid", "local_client"])
def test_a_name_that_was_equal_and_parts_is_a_divergence(
    name: str, read_first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It told the sides nothing apart until then, so it does not name the writer."""
    monkeypatch.setattr(json_lines, "READ_FIRST", read_first)
    for unlike in (7, 150):
        a, b = world(**{name: 2}), world(**{name: 2})
        for line in b[unlike:]:
            line[name] = 5
        for found in both(a, b):
            assert (found.first_divergent_tick, found.last_equal_tick) == (unlike, unlike - 1)
            assert [finding.path for finding in found.findings] == [name]


@pytest.mark.parametrize("read_first", [json_lines.READ_FIRST, 10**9])
@pytest.mark.parametrize("name", ["hostname", "peer_id", "recorded_by", "pid", "written_at"])
def test_a_name_that_differs_from_the_first_tick_on_is_the_writers(
    name: str, read_first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Left out and said so, whatever else differs later."""
    monkeypatch.setattr(json_lines, "READ_FIRST", read_first)
    a, b = world(**{name: "ann"}), world(**{name: "bob"})
    for found in both(a, b):
        assert (found.verdict, dict(found.coverage.ignored)) == ("same", {"names of the writer": 1})
        assert any("names the writer" in text and name in text for text in found.how)
    for line in b[90:]:
        line["hp"] += 1
    for found in both(a, b):
        assert (found.first_divergent_tick, [finding.path for finding in found.findings]) == (90, ["hp"])


def test_the_writer_in_a_header_and_one_only_one_side_names() -> None:
    """The same rules one level down, and nobody is blamed for saying who he is."""
    a, b = world(meta={"host": 1, "mode": 4}), world(meta={"host": 1, "mode": 4})
    for line in b[60:]:
        line["meta"] = {"host": 9, "mode": 4}
    for found in both(a, b):
        assert (found.first_divergent_tick, found.findings[0].path) == (60, "meta.host")
    for found in both(world(), world(hostname="x")):
        assert (found.verdict, dict(found.coverage.ignored)) == ("same", {"names of the writer": 1})


def test_a_clock_is_no_divergence() -> None:
    """Dates and seconds since 1970 tick on; so does what parts within the first ticks, or beside an equal hash."""
    seconds = [world(), world()]
    for side, offset in zip(seconds, (0, 1), strict=True):
        for line in side:
            line["timestamp"] = 1_790_000_000 + (line["tick"] + 10 * offset) // 60
    early = [world(), world()]
    for side, step in zip(early, (16, 17), strict=True):
        for line in side:
            line["timestamp"] = line["tick"] * step
    hashed = [world(hash="c0ffee00c0ffee00"), world(hash="c0ffee00c0ffee00")]
    for side, at in zip(hashed, (100, 99), strict=True):
        for line in side:
            line["timestamp"] = int(line["tick"] >= at)
    for a, b in (seconds, early, hashed):
        assert [found.verdict for found in both(a, b)] == ["same", "same"]


def test_rows_of_a_tick_share_their_writer() -> None:
    """What all rows of a tick name their writer by is said of the tick."""
    rows = [
        [{"tick": t, "id": k, "host": host, "x": t + k} for t in range(30) for k in (1, 2, 3)]
        for host in ("ann", "bob")
    ]
    assert [found.verdict for found in both(*rows)] == ["same", "same"]
    parted = [dict(line, host="cat") if line["tick"] >= 12 else line for line in rows[0]]
    assert [found.first_divergent_tick for found in both(rows[0], parted)] == [12, 12]
