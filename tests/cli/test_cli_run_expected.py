"""A red `detcheck run`: where the expected state comes from, the exact tick, the fields, the words."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from cli_project import FIXED, FLOAT, Project, child_environment

from detcheck.engine.executors import EXECUTORS
from detcheck.engine.reference import ReferenceExecutor
from detcheck.model.schema import LaneRef
from detcheck.numbers.fixed_point_16_16 import FixedPoint1616

#: the tick whose state a faulty executor spoils first; between checkpoints 20 and 30
FAULT_TICK = 23


class Faulty(ReferenceExecutor):
    """An executor with a deliberate fault: at one tick one bit of unit[2].vel.y is the other way round."""

    name = "generated"

    def advance(self, ticks: int, stop: Callable[[], bool] | None = None) -> None:
        for _ in range(ticks):
            super().advance(1, stop)
            if self.tick == FAULT_TICK:
                self.state.lanes[LaneRef("unit", "vel", 1)][2] ^= 1


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--executor generated` is the faulty one."""
    monkeypatch.setitem(EXECUTORS, "generated", Faulty)


def truncating(monkeypatch: pytest.MonkeyPatch) -> None:
    """The backend's product truncates instead of rounding: one changed operation."""
    monkeypatch.setattr(FixedPoint1616, "mul", staticmethod(lambda a, b: (a * b) >> 16))


DUEL = ("run", "duel", "--backend", FIXED)


@pytest.mark.usefixtures("faulty")
def test_the_reference_gives_the_expected_state_and_the_exact_tick(project: Project) -> None:
    """A faulty executor: diverged at the checkpoint, the exact tick, the field with raws, exit 1, the line to paste."""
    done = project.run(*DUEL, "--executor", "generated", "--json", "out.json")
    assert done.code == 1
    assert done.has("...xx diverged at 30", "checkpoint 30 differs in", "unit.vel", "expected: reference")
    assert done.has("tick 23", "unit[2].vel.y", "- expected", "+ actual")
    assert done.has(f"reproduce: detcheck run duel --backend {FIXED} --executor generated")
    result = json.loads((project.folder / "out.json").read_text())["results"][0]
    assert (result["first_divergent_checkpoint"], result["first_divergent_tick"], result["last_equal_tick"]) == (
        30,
        23,
        20,
    )
    assert result["expected_from"] == "reference"
    (finding,) = [f for f in result["findings"] if f["kind"] == "value"]
    assert finding["path"] == "unit[2].vel.y"
    assert abs(finding["delta_ulps"]) == 1


def test_a_changed_operation_is_a_divergence_with_its_parts(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A product that rounds otherwise: exit 1, the interval, the parts; with no expected side, how to get it."""
    truncating(monkeypatch)
    done = project.run(*DUEL, "--executor", "reference")
    assert done.code == 1
    assert done.has("diverged at", "part expected actual", "unit.vel")
    assert done.has("on a machine where it is equal: detcheck dump duel", "--every 1 --ticks", "-o good.jsonl.gz")
    assert done.has("then: detcheck diff good.jsonl.gz here.jsonl.gz")


def test_states_kept_beside_the_golden_give_the_expected_state(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`regen --states`: the red run shows the fields of the first divergent checkpoint without a second executor."""
    project.record("duel", "--states")
    truncating(monkeypatch)
    done = project.run(*DUEL, "--executor", "reference")
    assert done.code == 1
    assert done.has("expected: states", "unit[", "- expected", "+ actual", " raw ", "(0, 10]")


def test_a_dump_of_the_good_machine_gives_state_and_exact_tick(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--expected DUMP: the first unlike tick of the dump, its fields; a dump of another run is not used."""
    assert project.run("dump", "duel", "--backend", FIXED, "--ticks", "0:40", "-o", "good.jsonl.gz").code == 0
    assert project.run("dump", "duel", "--backend", FIXED, "--seed", "5", "-o", "other.jsonl").code == 0
    truncating(monkeypatch)
    done = project.run(*DUEL, "--executor", "reference", "--expected", "good.jsonl.gz")
    assert done.code == 1
    assert done.has("expected: dump", "first divergent state, tick 1 ", "unit[")
    other = project.run(*DUEL, "--executor", "reference", "--expected", "other.jsonl")
    assert other.code == 1
    assert other.has(
        "--expected other.jsonl was not used: it is of another replay: seed is 0x0000000000000005", "good.jsonl.gz"
    )


@pytest.mark.usefixtures("faulty")
def test_cross_check_compares_every_tick(project: Project) -> None:
    """--cross-check: executors that differ are a divergence at the exact tick; equal ones a remark."""
    red = project.run(*DUEL, "--executor", "generated", "--cross-check")
    assert red.code == 1
    assert red.has("cross-check: reference (expected) and generated (actual) differ at tick 23", "unit[2].vel.y")
    project.golden("duel").unlink()
    without = project.run(*DUEL, "--executor", "generated", "--cross-check")
    assert without.code == 1
    green = project.run("run", "duel", "--backend", FLOAT, "--executor", "reference", "--cross-check")
    assert green.code == 0
    assert green.has("agree at every tick from 0 to 40")


def test_a_bug_in_one_replay_is_told_and_the_others_run(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception of ours in a replay: exit 70, the traceback only with -v, the rest is still compared."""

    class Broken(ReferenceExecutor):
        def setup(self) -> None:
            if self.compiled.backend == FIXED:
                raise KeyError("oh")
            super().setup()

    monkeypatch.setitem(EXECUTORS, "generated", Broken)
    done = project.run("run", "duel", "--executor", "generated")
    assert done.code == 70
    assert done.has("a bug in detcheck: KeyError", "1 error, 1 equal")


def test_ctrl_c_ends_with_130(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C during a replay: exit 130, no traceback, no report written."""

    class Pressed(ReferenceExecutor):
        def advance(self, ticks: int, stop: Callable[[], bool] | None = None) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(EXECUTORS, "generated", Pressed)
    done = project.run("run", "--executor", "generated", "--json", "out.json")
    assert done.code == 130
    assert done.err == "interrupted\n"
    assert not (project.folder / "out.json").exists()
    jobs = project.run("regen", "--executor", "generated", "--yes")
    assert jobs.code == 130


#: runs a command line with entry 100 of the sine table one ulp up; with "honest" its digest is the changed table's
CHANGED_TABLE = """
import sys
from dataclasses import replace
from pathlib import Path
from detcheck.hashing import digest128
from detcheck.trig import tables

folder, honest, *argv = sys.argv[1:]
entries = tables.SINE.path.read_text().split()
entries[100] = f"{int(entries[100], 16) + 1:08x}"
changed = Path(folder, "sine.hex")
changed.write_text("\\n".join(entries))
digest = digest128(b"".join(bytes.fromhex(e)[::-1] for e in entries)) if honest == "honest" else tables.SINE.digest
object.__setattr__(tables.SINE, "digest", digest)
real = tables.TableFile.path.fget
tables.TableFile.path = property(lambda self: changed if self.name == "sine" else real(self))
from detcheck.cli.main import main
sys.exit(main(argv))
"""

TURNING = '''
[scenario]
backends = ["float_pinned_32"]
rng = "splitmix64"
seed = 3
ticks = 100
hash_every = 20
tick_rate = 60

[world]
a = "angle"
s = "num"

[[systems]]
name = "spin"
do = """
s = sin(a)
a += turn(0.0002467)
"""
'''


@pytest.mark.parametrize(("honest", "code"), [("no", 2), ("honest", 1)])
def test_a_changed_table_entry_is_found(empty: Project, honest: str, code: int) -> None:
    """One entry of the sine table: its digest refuses the replay (exit 2); with a fitting digest the state diverges."""
    empty.scenario("turning", TURNING)
    empty.record()
    command = [sys.executable, "-c", CHANGED_TABLE, str(empty.folder), honest, "run", "--executor", "reference"]
    done = subprocess.run(command, capture_output=True, text=True, env=child_environment())
    assert done.returncode == code, done
    assert "Traceback" not in done.stderr
    words = ["canary table (sine) failed", "digest"] if code == 2 else ["diverged at 100", "world.s"]
    assert all(word in done.stdout for word in words), done.stdout
