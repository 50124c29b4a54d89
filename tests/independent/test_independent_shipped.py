"""The shipped goldens, recomputed by an implementation written from the design pages alone."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest
from independent_machine import Machine
from independent_scenario import Scenario
from independent_trig import ARCTANGENTS, SINES

from detcheck.golden.read import read_golden

ROOT = Path(__file__).resolve().parents[2]
TRIG = ROOT / "detcheck" / "trig"
GOLDENS = sorted((ROOT / "golden").glob("*/*.txt"))

#: checkpoints up to this tick, two at least; DETCHECK_EXAMPLES lengthens it
LAST_TICK = 60 * int(os.environ.get("DETCHECK_EXAMPLES", "1"))


def test_there_are_goldens() -> None:
    """Every shipped scenario has at least one golden to be recomputed."""
    names = {path.stem for path in (ROOT / "scenarios").glob("*.toml")}
    assert {path.parent.name for path in GOLDENS} == names


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_shipped_golden_is_recomputed(path: Path) -> None:
    """Checkpoint by checkpoint the state hash and every part are what the second implementation computes."""
    golden = read_golden(path)
    text = (ROOT / "scenarios" / f"{path.parent.name}.toml").read_text(encoding="utf-8-sig")
    scenario = Scenario(text, ROOT / "scenarios")
    machine = Machine(scenario, path.stem)
    assert golden.identity is not None
    assert golden.identity.inputs == scenario.inputs_digest()
    expected = {line.checkpoint.tick: line.checkpoint for line in golden.lines}
    ticks = [tick for number, tick in enumerate(expected) if tick <= LAST_TICK or number < 2]
    for tick in islice(machine.run(), ticks[-1] + 1):
        if tick in expected:
            state_hash, parts = machine.digests()
            assert tuple(parts.items()) == expected[tick].parts, f"tick {tick}"
            assert state_hash == expected[tick].state_hash, f"tick {tick}"


@pytest.mark.parametrize(("name", "entries"), [("sine", SINES), ("arctangent", ARCTANGENTS)])
def test_a_committed_table_is_recomputed(name: str, entries: list[int]) -> None:
    """The committed tables are, entry by entry, what series over integers give."""
    assert [int(word, 16) for word in (TRIG / f"{name}.hex").read_text(encoding="ascii").split()] == entries
