"""The clock on the wall is background, by its values; and a value that is none of the type told is never rounded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made import compared, record

from detcheck.compare.api import diff

SECOND = 1_812_345_678


def clocked(name: str, value: Any, changed: int | None = None) -> list[Any]:
    """Fifteen ticks with a clock of that name; from tick `changed` on hp is another."""
    return [record(t, {name: value(t), "hp": 90 - t - (changed is not None and t >= changed)}) for t in range(15)]


@pytest.mark.parametrize("unit", [1, 10**3, 10**6, 10**9])
@pytest.mark.parametrize("name", ["time", "now", "sent_at", "clockUtc", "frame_date"])
def test_a_date_of_this_century_is_a_clock(name: str, unit: int) -> None:
    """In any unit; alone it is background, and beside a divergence it is not what diverged."""
    a = clocked(name, lambda t: SECOND * unit + t * 7)
    for one, other in (
        (a, clocked(name, lambda t: SECOND * unit + t * 7 + 5)),
        (a[::], clocked(name, lambda t: 3.5 + SECOND + t)),
    ):
        for pair in ((one, other), (other, one)):
            found = compared(*pair)
            assert found.verdict == "same"
            assert any("background" in note and name in note for note in found.notes)
    found = compared(a, clocked(name, lambda t: SECOND * unit + t * 7 + 5, changed=6))
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 6)
    assert [f.path for f in found.findings] == ["hp"]


def test_a_written_date_is_a_clock() -> None:
    """As loggers write it."""
    a = clocked("time", lambda t: f"2041-02-03T04:05:{t:02d}.123Z")
    assert compared(a, clocked("time", lambda t: f"2041-02-03T04:05:{t:02d}.129Z")).verdict == "same"


@pytest.mark.parametrize(
    ("name", "of_a", "of_b"),
    [
        ("time", lambda t: t * 16, lambda t: t * 16 + 4),
        ("time", lambda t: SECOND + t, lambda t: t),
        ("score", lambda t: SECOND + t, lambda t: SECOND + t + 1),
        ("time", lambda t: SECOND + t, lambda t: SECOND + t + (t > 7)),
    ],
)
def test_what_may_be_state_is_none(name: str, of_a: Any, of_b: Any) -> None:
    """The game's own time, a score that is as large, and a clock that leaves only later are differences."""
    found = compared(clocked(name, of_a), clocked(name, of_b))
    assert found.verdict == "diverged"
    assert found.findings[0].path == name


def typed(folder: Path, kind: str, a: str, b: str) -> Any:
    """Two dumps of one tick, their value of that type."""
    for side, token in (("a", a), ("b", b)):
        (folder / f"{side}.jsonl").write_text(f'{{"tick":4,"v":{token}}}\n{{"tick":5,"v":1}}\n')
    return diff(str(folder / "a.jsonl"), str(folder / "b.jsonl"), types=[f"v={kind}"])


@pytest.mark.parametrize(
    ("kind", "a", "b"),
    [
        ("q16", "2.25", "2.2500003"),
        ("q16", "1.33329", "1.33330"),
        ("q16", "7", "4294967303"),
        ("f32", "2.5", "2.50000001"),
        ("f32", "1065353216", "5360320512"),
        ("u32", "3", "4294967299"),
        ("i32", "-2147483648", "-6442450944"),
    ],
)
def test_what_is_no_value_of_the_type_is_told(tmp_path: Path, kind: str, a: str, b: str) -> None:
    """It is compared as it is written, in both orders, and named."""
    for one, other in ((a, b), (b, a)):
        found = typed(tmp_path, kind, one, other)
        assert (found.verdict, found.first_divergent_tick) == ("diverged", 4)
        assert any(f"no value of {kind}" in note for note in found.notes)


@pytest.mark.parametrize(
    ("kind", "a", "b"),
    [
        ("q16", "1.33330", "1.333298"),
        ("f32", "0.1", "0.100000001"),
        ("f32", "3.4028235e38", "3.40282347e+38"),
        ("f64", "0.5", "5e-1"),
    ],
)
def test_a_rounded_text_of_a_value_is_that_value(tmp_path: Path, kind: str, a: str, b: str) -> None:
    """As many digits as the writer liked, of one and the same value."""
    found = typed(tmp_path, kind, a, b)
    assert found.verdict == "same"
    assert not any("no value" in note for note in found.notes)
