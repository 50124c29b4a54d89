"""Lines that are each one entity, under a line that names the tick or in a file a tick: rows, paired by their id."""

from __future__ import annotations

from pathlib import Path

import pytest
from dump_text import fields, records

from detcheck.compare.api import diff
from detcheck.model.comparison import Comparison

HEADINGS = ["# tick {}", "=== frame {} ===", "Turn {}:", "[step {}]", "-- tick {} --", "TICK {}"]
LINES = [
    "id={} ore={} heat={}",
    "uid={}, ore={}, heat={}",
    "Unit id={} ore={} heat={}",
    "actor={} | ore={} | heat={}",
    "{} ore={} heat={}",
    "#{} ore={} heat={}",
    "tank {} ore={} heat={}",
    "droid[{}] ore={} heat={}",
    "ship id={}; ore={}; heat={}",
]
IDS = (412, 77, 203)


def text(heading: str, line: str, at: int = 99, backwards: bool = False) -> str:
    """Ticks 6 to 14; one value is another one from tick `at` on."""
    out = []
    for tick in range(6, 15):
        rows = [line.format(one, one * tick, one % 7 + (tick >= at and one == 203)) for one in IDS]
        out += [heading.format(tick), *(rows[::-1] if backwards else rows)]
    return "\n".join(out) + "\n"


def compared(path: Path, a: str, b: str) -> Comparison:
    """Two files, compared."""
    (path / "a.log").write_text(a, "utf-8")
    (path / "b.log").write_text(b, "utf-8")
    return diff(str(path / "a.log"), str(path / "b.log"))


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("line", LINES)
def test_the_entity_that_differs_is_named(tmp_path: Path, heading: str, line: str) -> None:
    """Its id stands in the path, also where the lines of one side stand in another order; it is never the tick."""
    found = compared(tmp_path, text(heading, line), text(heading, line, 11, backwards=True))
    assert (found.verdict, found.first_divergent_tick, found.last_equal_tick) == ("diverged", 11, 10)
    assert [f.path.partition("[")[2] for f in found.findings if f.kind != "order"] == [
        found.findings[0].path.partition("[")[2]
    ]
    assert "=203]" in found.findings[0].path
    assert found.findings[0].path.endswith(".heat")


@pytest.mark.parametrize("heading", HEADINGS[:3])
@pytest.mark.parametrize("line", LINES)
def test_the_order_of_entities_is_a_remark(tmp_path: Path, heading: str, line: str) -> None:
    """The same lines in another order are the same state."""
    found = compared(tmp_path, text(heading, line), text(heading, line, backwards=True))
    assert (found.verdict, found.last_equal_tick) == ("same", 14)
    assert "order" in found.reason


@pytest.mark.parametrize("line", [line for line in LINES if line[0] != "{"])
def test_a_file_a_tick(tmp_path: Path, line: str) -> None:
    """No line names the tick, the file does."""
    for side, at in (("a", 99), ("b", 9)):
        (tmp_path / side).mkdir()
        for tick in range(6, 12):
            rows = [line.format(one, one * tick, one % 7 + (tick >= at and one == 77)) for one in IDS]
            (tmp_path / side / f"sync.{tick}.log").write_text("\n".join(rows[:: 1 if at > 20 else -1]), "utf-8")
    found = diff(str(tmp_path / "a"), str(tmp_path / "b"))
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 9)
    assert "=77]" in found.findings[0].path


def test_one_entity_less(tmp_path: Path) -> None:
    """A tick with a single entity left has the same shape as one with several: the other one is missing, no more."""
    one = "tick 3\nid=5 ore=1 heat=2\n"
    found = compared(tmp_path, one + "id=9 ore=3 heat=4\n", one)
    assert [(f.kind, "id=9" in f.path) for f in found.findings] == [("missing", True)]


def test_what_is_no_entity_stays_as_it_is() -> None:
    """Pairs without an id, verbs in front of one, and a block's own pairs make no rows."""
    found = records("tick 3\ngold=4 wood=5\nname=Delta size=7\n  unit 8\n    id=8 x=1\n")[0]
    assert fields(found)["gold"] == "4"
    assert fields(found)["name"] == "Delta" or "name" in fields(found)
    state = records("tick 3\nworld:\n  seed=4 size=9\n  unit 8:\n    id=8 x=1\n")[0]
    assert fields(state)["world"]["seed"] == "4"


def test_moves_stay_in_their_order(tmp_path: Path) -> None:
    """What was done is no state: `move id=7` before `move id=9` is not `move id=9` before `move id=7`."""
    lines = [f"=== frame {n} ===\nmove id=7 x={n}\nmove id=9 x={n}\n" for n in range(6)]
    other = [*lines[:4], "=== frame 4 ===\nmove id=9 x=4\nmove id=7 x=4\n", lines[5]]
    found = compared(tmp_path, "".join(lines), "".join(other))
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 4)


def test_lines_of_one_id_are_all_compared(tmp_path: Path) -> None:
    """Two lines that share an id are two rows."""
    whole = text("tick {}", "unit={} ore={} heat={}").replace("unit=77 ", "unit=203 ")
    found = compared(tmp_path, whole, whole.replace(f"ore={77 * 9} ", "ore=1 "))
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 9)
