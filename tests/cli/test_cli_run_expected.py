"""A red `detcheck run`: where the expected state comes from, the exact tick, the fields, the words."""

from __future__ import annotations

import json
import os
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
        def setup(self, stop: Callable[[], bool] | None = None) -> None:
            if self.compiled.backend == FIXED:
                raise KeyError("oh")
            super().setup(stop)

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


#: what may be given for a dump and is none
NO_DUMPS = (
    "scenarios/duel.toml",
    "scenarios",
    "empty",
    "words.txt",
    "bytes.bin",
    "/dev/zero",
    "/dev/null",
    "nowhere",
    "",
)


@pytest.mark.parametrize("path", NO_DUMPS)
def test_what_is_no_dump_is_refused_before_anything_is_replayed(project: Project, path: str) -> None:
    """--expected of something else is 2, on a green run too."""
    if path.startswith("/dev") and not os.path.exists(path):
        pytest.skip("no such device")
    (project.folder / "empty").write_bytes(b"")
    (project.folder / "words.txt").write_text("Some words,\nand no state in them.\n" * 30)
    (project.folder / "bytes.bin").write_bytes(bytes(range(256)) * 40)
    done = project.run(*DUEL, "--expected", path)
    assert done.code == 2
    assert done.out == ""
    assert done.has("--expected", "`detcheck dump`")


def test_a_dump_that_nothing_asks_for_is_said(project: Project) -> None:
    """A green run: a note that it was not used, and one when it is of something else; the exit stays."""
    assert project.run("dump", "duel", "-o", "good.jsonl.gz").code == 0
    done = project.run(*DUEL, "--expected", "good.jsonl.gz")
    assert done.code == 0
    assert done.err == "note: --expected good.jsonl.gz was not used: nothing diverged\n"
    other = project.run("run", "step", "--expected", "good.jsonl.gz")
    assert other.code == 0
    assert other.has(f"--expected good.jsonl.gz is of duel on {FIXED}, which is not replayed here")
    assert project.run("run", "step", "-q", "--expected", "good.jsonl.gz").err == ""


@pytest.mark.usefixtures("faulty")
def test_a_dump_beside_a_reference_that_knows_is_said(project: Project) -> None:
    """A red run that needs no dump says so, and what else is wrong with the dump."""
    argv = [*DUEL, "--executor", "generated", "--expected"]
    assert project.run("dump", "duel", "-o", "good.jsonl").code == 0
    assert project.run("dump", "step", "--backend", FIXED, "-o", "step.jsonl").code == 0
    done = project.run(*argv, "good.jsonl")
    assert done.code == 1
    assert done.has("--expected good.jsonl was not used: the reference has the expected state")
    assert not done.has("; and it")
    done = project.run(*argv, "step.jsonl")
    assert done.code == 1
    assert done.has("step.jsonl was not used: the reference has", "; and it is of another replay: scenario is step")


@pytest.mark.parametrize("kept", [0.5, 0.9])
def test_a_cut_dump_keeps_the_verdict(project: Project, monkeypatch: pytest.MonkeyPatch, kept: float) -> None:
    """A truncated .gz on a red run: diverged, with a remark on the dump, never an error instead."""
    assert project.run("dump", "duel", "--ticks", "0:40", "-o", "good.jsonl.gz").code == 0
    data = (project.folder / "good.jsonl.gz").read_bytes()
    (project.folder / "cut.jsonl.gz").write_bytes(data[: int(len(data) * kept)])
    truncating(monkeypatch)
    done = project.run(*DUEL, "--executor", "reference", "--expected", "cut.jsonl.gz")
    assert done.code == 1
    assert done.has("cut.jsonl.gz", "diverged at 10")


def test_a_dump_of_this_very_run_is_not_the_expected_one(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dump made here says nothing of the golden: not used, in words."""
    truncating(monkeypatch)
    argv = ["duel", "--executor", "reference"]
    assert project.run("dump", *argv, "--ticks", "0:40", "-o", "here.jsonl").code == 0
    done = project.run(*DUEL, "--executor", "reference", "--expected", "here.jsonl")
    assert done.code == 1
    assert done.has("here.jsonl was not used: it has another hash at tick 10 than the golden")


def test_an_executor_that_agrees_with_the_golden_is_named(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """--cross-check against a reference that departs: it is said that this run is equal to the golden."""
    monkeypatch.setitem(EXECUTORS, "reference", Faulty)
    done = project.run(*DUEL, "--executor", "generated", "--cross-check")
    assert done.code == 1
    assert done.has("differ at tick 23", "generated is equal to the golden at every checkpoint (the strip)")
    assert done.has("reference is what differs")


def test_an_edited_hash_is_shown_with_the_others(project: Project) -> None:
    """Only the hash of a line edited: what it is, what its parts give, what this run has; no tick is claimed."""
    path = project.golden("duel")
    lines = path.read_text().splitlines(keepends=True)
    tick, right, rest = lines[13].split(" ", 2)
    wrong = ("0" if right[0] != "0" else "1") + right[1:]
    path.write_text("".join([*lines[:13], f"{tick} {wrong} {rest}", *lines[14:]]))
    done = project.run(*DUEL, "--json", "out.json", "--markdown", "out.md")
    assert done.code == 1
    assert done.has(
        f"its hash is {wrong}; its tick and parts give {right}; this run has {right}: only the hash was edited"
    )
    assert done.has(f"golden/duel/{FIXED}.txt:14")
    for text in (done.out, (project.folder / "out.md").read_text()):
        assert "divergent tick" not in text
        assert "diverged in ticks" not in text
    result = json.loads((project.folder / "out.json").read_text())["results"][0]
    assert (result["first_divergent_checkpoint"], result["first_divergent_tick"]) == (20, None)
