"""A valid scenario with everything in it, and helpers that change it and load the result."""

from __future__ import annotations

from pathlib import Path

from detcheck.errors import DetcheckError, Faults
from detcheck.scenario.load import load
from detcheck.scenario.scenario import Scenario

BASE = '''[scenario]
summary = "Everything at once"
backends = ["fixed_point_16_16", "float_pinned_32"]
rng = "mt19937"
seed = 0x1DE7C0DE
ticks = 600
tick_rate = 60
hash_every = 60

[config]
arena = 64
drag = 0.98

[world]
score = "i32"

[tables.unit]
rows = 4
pos = "vec2"
hp = "i32"

[players]
rows = 2
move = "vec2"
aim = "vec3"
fire = "bool"
mode = "u32"
shift = "i32"
turn_to = "angle"
power = "num"

[[inputs]]
tick = 30
hold = 60
player = 1
move = [1, -0.25]
fire = true

[[inputs]]
tick = 700
player = 0
power = 0.1

[setup]
unit = """
pos = vec2(num(row), 0.5) * drag
hp = 100
"""
world = "score = 1"

[[systems]]
name = "walk"
each = "unit"
where = "hp > 0"
do = """
pos = clamp(pos + players[row % 2].move * dt, vec2(-arena, -arena), vec2(arena, arena))
"""

[[systems]]
name = "tally"
do = "score = sum(unit.hp)"
'''


def changed(*edits: tuple[str, str], base: str = BASE) -> str:
    """The base text with each (old, new) replaced; old has to stand in it once at least."""
    for old, new in edits:
        assert old in base, old
        base = base.replace(old, new, 1)
    return base


def write(folder: Path, text: str | bytes, name: str = "base.toml") -> Path:
    """The text as a file."""
    path = folder / name
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return path


def loaded(folder: Path, *edits: tuple[str, str], name: str = "base.toml") -> Scenario:
    """The changed base, loaded."""
    return load(write(folder, changed(*edits), name))


def faults_of(path: Path) -> tuple[DetcheckError, ...]:
    """All faults that loading the file reports; none when it loads."""
    try:
        load(path)
    except Faults as faults:
        return faults.faults
    except DetcheckError as fault:
        return (fault,)
    return ()


def refused(folder: Path, *edits: tuple[str, str]) -> DetcheckError:
    """The one fault of the changed base."""
    faults = faults_of(write(folder, changed(*edits)))
    assert len(faults) == 1, [str(fault) for fault in faults]
    return faults[0]
