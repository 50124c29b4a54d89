"""A small project of scenarios and goldens, and the command line run in this process."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import detcheck
from detcheck.cli.main import main

FIXED = "fixed_point_16_16"
WRAPPING = "fixed_wrapping_16_16"
FLOAT = "float_pinned_32"

#: constants that are not powers of two, draws, a guard, a gather, a root, an angle
DUEL = '''
[scenario]
summary = "Two sides drift, aim and trade rolls"
backends = ["fixed_point_16_16", "float_pinned_32"]
rng = "mt19937"
seed = 77
ticks = 40
hash_every = 10
tick_rate = 60

[config]
drag = 0.93
arena = 21

[world]
score = "i32"

[tables.unit]
rows = 4
pos = "vec2"
vel = "vec2"
hp = "i32"
facing = "angle"

[setup]
unit = """
pos = vec2(num(roll(-9, 9)), num(roll(-9, 9)))
vel = vec2(rand_unit() - 0.4, 0.7)
hp = 30
"""

[[systems]]
name = "drift"
each = "unit"
where = "hp > 0"
do = """
to = unit[(row + 1) % rows].pos - pos
vel = (vel + normalize(to) * 0.13) * drag
pos = clamp(pos + vel * dt, vec2(-arena, -arena), vec2(arena, arena))
facing = heading(to)
hp -= roll(0, 2)
"""

[[systems]]
name = "tally"
do = "score = sum(unit.hp)"
'''

#: one number that grows: the smallest scenario, on every backend
STEP = '''
[scenario]
ticks = 6
hash_every = 2
tick_rate = 60
rng = "splitmix64"
seed = 1

[world]
x = "num"
n = "i32"

[[systems]]
name = "step"
do = """
x = x + 0.37 * 1.13
n += 3
"""
'''

#: traps at tick 3 on the wrapping backend, at every row
TRAP = """
[scenario]
backends = ["fixed_wrapping_16_16"]
ticks = 8
hash_every = 2
tick_rate = 60
rng = "splitmix64"
seed = 1

[tables.unit]
rows = 2
a = "num"

[[systems]]
name = "fall"
each = "unit"
do = "a = 1 / num(3 - tick)"
"""


def child_environment(**more: str) -> dict[str, str]:
    """This environment for a process that imports the same package, wherever it stands."""
    room = str(Path(detcheck.__file__).resolve().parents[1])
    path = os.pathsep.join(filter(None, (room, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, **more}


@dataclass
class Done:
    """One command line that has ended. `words` is all of its output with line breaks as single spaces."""

    code: int
    out: str
    err: str

    @property
    def words(self) -> str:
        return " ".join((self.out + " " + self.err).split())

    def has(self, *wanted: str) -> bool:
        """Whether every one of the words occurs."""
        return all(word in self.words for word in wanted)


@dataclass
class Project:
    """A folder with scenarios and goldens, the current one while the test runs."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    written: dict[str, str] = field(default_factory=dict)

    def scenario(self, name: str, text: str) -> Path:
        """Write a scenario file below scenarios/."""
        path = self.folder / "scenarios" / f"{name}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def run(self, *argv: str) -> Done:
        """`detcheck *argv`, in this process."""
        self.capsys.readouterr()
        code = main(list(argv))
        captured = self.capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return Done(code, captured.out, captured.err)

    def spawn(self, *argv: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """`detcheck *argv` in a process of its own."""
        command = [sys.executable, "-m", "detcheck", *argv]
        return subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", env=child_environment(**environment)
        )

    def golden(self, name: str, backend: str = FIXED) -> Path:
        """Where a golden is."""
        return self.folder / "golden" / name / f"{backend}.txt"

    def record(self, *argv: str) -> None:
        """Record goldens."""
        done = self.run("regen", "--yes", "--reason", "made for a test", *argv)
        assert done.code == 0, done

    def files(self) -> dict[str, bytes]:
        """Every file below the folder and its bytes: what must not change."""
        return {str(p.relative_to(self.folder)): p.read_bytes() for p in self.folder.rglob("*") if p.is_file()}
