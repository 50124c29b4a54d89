"""Several sessions in one file: paired by name, each to its end, and every one that diverges is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from detcheck.compare.api import diff
from detcheck.model.comparison import Comparison


def mixed(*parts: object) -> str:
    """16 hex digits of the parts."""
    value = 14695981039346656037
    for byte in repr(parts).encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    return f"{value:016x}"


def log(name: str, bad: int | None = None, ticks: int = 40) -> list[str]:
    """The lines of one match."""
    return [f"match={name} turn={t} crc={mixed(name, t, bad is not None and t >= bad)}\n" for t in range(ticks)]


def woven(*logs: list[str]) -> str:
    """Line by line from each."""
    return "".join(line for lines in zip(*logs, strict=True) for line in lines)


def in_row(*logs: list[str]) -> str:
    """One behind the other."""
    return "".join(line for lines in logs for line in lines)


def compared(tmp_path: Path, a: str, b: str, ending: str = "log") -> Comparison:
    """Both orders must agree."""
    paths = [str(tmp_path / f"{side}.{ending}") for side in "ab"]
    for path, text in zip(paths, (a, b), strict=True):
        Path(path).write_text(text)
    found, turned = diff(*paths), diff(*reversed(paths))
    assert (found.verdict, found.first_divergent_tick) == (turned.verdict, turned.first_divergent_tick)
    return found


@pytest.mark.parametrize("made", [woven, in_row])
@pytest.mark.parametrize("order", [("p", "q", "r"), ("r", "p"), ("q", "r", "p"), ("r",)])
def test_sessions_are_paired_by_name(tmp_path: Path, made: object, order: tuple[str, ...]) -> None:
    """Whatever their order, and where one side lacks some."""
    a = made(log("p"), log("q"), log("r"))  # type: ignore[operator]
    b = made(*(log(name, 20 if name == "r" else None) for name in order))  # type: ignore[operator]
    found = compared(tmp_path, a, b)
    assert (found.verdict, found.first_divergent_tick, found.last_equal_tick) == ("diverged", 20, 19)
    assert "(match r)" in found.reason
    assert len(found.findings) == 1


@pytest.mark.parametrize("first", [600, 20_000])
def test_a_session_behind_a_long_equal_head(tmp_path: Path, first: int) -> None:
    """Sessions whose names the sample does not show, in another order on the other side."""
    head = in_row(log("m", ticks=first))
    a = head + in_row(log("z"), log("c"))
    assert compared(tmp_path, a, head + in_row(log("c", 9), log("z"))).first_divergent_tick == 9
    assert compared(tmp_path, a, head + in_row(log("c"), log("z"))).verdict == "same"


def test_a_session_whose_ticks_are_below_the_last_skipped_one(tmp_path: Path) -> None:
    """Two matches woven behind a long equal head, one of them much further on."""
    head = in_row(log("m", ticks=3000))
    ahead = [line.replace("turn=", "turn=5") for line in log("n", ticks=5000)]
    later = [f"match=m turn={t} crc={mixed('m', t, False)}\n" for t in range(3000, 8000)]
    unlike = [*later[:-5], *(line.replace("crc=", "crc=0x1") for line in later[-5:])]
    found = compared(tmp_path, head + woven(ahead, later), head + woven(ahead, unlike))
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 7995)


def test_later_sessions_that_diverge_too(tmp_path: Path) -> None:
    """In words: which, and from which tick on."""
    a = "".join(f"{t} {mixed(k, t)}\n" for k in range(3) for t in range(30))
    b = "".join(
        f"{t} {mixed(k, t, *([1] if (k, t) >= (0, 25) and t >= (25, 12, 99)[k] else []))}\n"
        for k in range(3)
        for t in range(30)
    )
    found = compared(tmp_path, a, b)
    assert found.first_divergent_tick == 25
    assert [note for note in found.notes if "diverges too" in note] == ["session 2 diverges too, at tick 12"]


def test_a_session_that_ends_early(tmp_path: Path) -> None:
    """Not only the last one: what it lacks was not compared."""
    a = "".join(f"{t} {mixed(k, t)}\n" for k in range(2) for t in range(30))
    b = "".join(f"{t} {mixed(k, t)}\n" for k in range(2) for t in range((22, 30)[k]))
    found = compared(tmp_path, a, b)
    assert found.verdict == "ends_early"
    assert "ends session 1 after tick 21" in found.reason
    found = compared(tmp_path, woven(log("p"), log("q"), log("r")), woven(log("r"), log("p")))
    assert found.verdict == "ends_early"
    assert "match q" in found.reason


def test_named_sessions_of_json_lines(tmp_path: Path) -> None:
    """The same for records: one match is missing, the order is another."""

    def lines(name: str, bad: int | None = None) -> list[str]:
        return [
            json.dumps({"match": name, "turn": t, "gold": 3 * t + (bad is not None and t >= bad)}) + "\n"
            for t in range(40)
        ]

    found = compared(tmp_path, woven(lines("p"), lines("q"), lines("r")), woven(lines("r", 8), lines("p")), "jsonl")
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 8)
    assert [finding.path for finding in found.findings] == ["gold"]


def test_sessions_under_other_names(tmp_path: Path) -> None:
    """Each peer has its own ids: they are paired in order, and it is said."""
    a, b = woven(log("p"), log("q")), woven(log("p"), log("q", 7)).replace("match=p", "match=x").replace("=q", "=y")
    found = compared(tmp_path, a, b)
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 7)
    assert any("paired in order" in note for note in found.notes)
