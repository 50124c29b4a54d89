"""`detcheck regen`, end to end: kinds of change, consent, reasons, states, pruning, interruption."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from cli_project import DUEL, FIXED, FLOAT, STEP, TRAP, WRAPPING, Project, child_environment

from detcheck.cli import console, regen
from detcheck.engine.executors import EXECUTORS
from detcheck.engine.reference import ReferenceExecutor
from detcheck.golden.read import read_golden
from detcheck.model.schema import LaneRef


def change(project: Project, old: str = "0.93", new: str = "0.94") -> None:
    """Change a constant of duel."""
    path = project.folder / "scenarios/duel.toml"
    path.write_text(path.read_text().replace(old, new))


def test_new_goldens_are_written_with_yes_alone(empty: Project) -> None:
    """New: shown, not written off a terminal (1), written with --yes; then unchanged (0), then run is equal."""
    empty.scenario("step", STEP)
    before = empty.files()
    told = empty.run("regen")
    assert told.code == 1
    assert told.has("new step fixed_point_16_16", "3 new: nothing written", "--yes")
    assert empty.files() == before
    assert empty.run("regen", "--check").code == 1
    assert empty.run("regen", "--yes").has("3 new: 3 written")
    assert read_golden(empty.golden("step")).reason == "first recording"
    unchanged = empty.run("regen", "--check")
    assert unchanged.code == 0
    assert unchanged.has("3 unchanged: nothing to write")
    assert empty.run("run").code == 0


def test_a_replaced_golden_needs_a_reason(project: Project) -> None:
    """Identity changed: both config hashes; --yes without a reason is exit 2 and writes nothing; the reason is kept."""
    change(project)
    before = project.files()
    told = project.run("regen", "duel")
    assert told.code == 1
    assert told.has("identity changed duel", "config: - ", " + ")
    refused = project.run("regen", "duel", "--yes")
    assert refused.code == 2
    assert refused.has("without a reason", "--reason")
    assert project.files() == before
    assert project.run("regen", "duel", "--yes", "--reason", "drag was too low").code == 0
    assert read_golden(project.golden("duel")).reason == "drag was too low"
    assert project.run("run").code == 0
    assert project.run("regen", "duel", "--yes", "--reason", "two\nlines").code == 2


def test_a_changed_golden_names_checkpoint_and_parts(project: Project) -> None:
    """Changed: the first changed checkpoint and its parts; an unreadable golden is replaced with a reason too."""
    golden = project.golden("duel")
    text = golden.read_text()
    digest = text.splitlines()[12].split("unit.hp=")[1][:16]
    golden.write_text(text.replace(digest, "0123456789abcdef", 1))
    told = project.run("regen", "duel", "--backend", FIXED)
    assert told.code == 1
    assert told.has("changed duel fixed_point_16_16 from checkpoint 10 on: unit.hp", "edited or damaged")
    golden.write_text("nonsense\n")
    broken = project.run("regen", "duel", "--backend", FIXED)
    assert broken.has("changed duel", "what is there is no golden")
    assert project.run("regen", "duel", "--yes", "--reason", "was broken").code == 0
    assert golden.read_text() == text.replace("# reason made for a test", "# reason was broken").replace(
        "# reason first recording", "# reason was broken"
    )


@pytest.mark.parametrize(("answer", "code"), [(True, 0), (False, 1)])
def test_on_a_terminal_it_asks(empty: Project, monkeypatch: pytest.MonkeyPatch, answer: bool, code: int) -> None:
    """A person is asked; no is exit 1 and writes nothing. CI is never asked."""
    empty.scenario("step", STEP)
    monkeypatch.setattr(console, "is_terminal", lambda stream: True)
    monkeypatch.setattr(click, "confirm", lambda *words, **rest: answer)
    assert empty.run("regen").code == code
    assert empty.golden("step").exists() == answer
    monkeypatch.setenv("CI", "true")
    assert regen._consent(False, False) == "no"


def test_states_come_before_the_golden_and_match_it(project: Project) -> None:
    """--states keeps states beside an unchanged golden without a reason; list tells; nothing more the second time."""
    done = project.run("regen", "duel", "--states", "--yes")
    assert done.code == 0
    assert done.has("with states", "2 unchanged: 2 written")
    assert (project.folder / f"golden/duel/{FLOAT}.states.jsonl.gz").exists()
    assert project.run("regen", "duel", "--states").has("nothing to write")
    assert project.run("list", "duel").has("golden with states")
    change(project)
    stale = project.run("regen", "duel", "--yes", "--reason", "changed")
    assert stale.has("--states writes it anew")


def test_unreferenced_goldens_are_named_and_pruned_only_when_asked(project: Project) -> None:
    """A golden no scenario owns: named; deleted by --prune with consent, and never when something was filtered."""
    (project.folder / "scenarios/step.toml").unlink()
    orphan = project.golden("duel", WRAPPING)
    orphan.write_bytes(project.golden("duel").read_bytes())
    done = project.run("regen")
    assert done.code == 0
    assert done.has(f"unreferenced golden/step/{FIXED}.txt", f"golden/duel/{WRAPPING}.txt", "--prune")
    assert project.run("regen", "duel", "--prune").code == 2
    assert project.run("regen", "--prune").code == 1
    assert orphan.exists()
    pruned = project.run("regen", "--prune", "--yes")
    assert pruned.code == 0
    assert pruned.has("4 deleted")
    assert not orphan.exists()
    assert not (project.folder / "golden/step").exists()
    assert project.run("run").code == 0


def test_a_broken_scenario_keeps_its_goldens(project: Project) -> None:
    """A scenario that cannot be loaded is a fault (exit 2), not an owner of nothing."""
    (project.folder / "scenarios/step.toml").write_text("[scenario]\nticks = 0\n")
    done = project.run("regen", "--prune", "--yes")
    assert done.code == 2
    assert project.golden("step").exists()


def test_a_trapping_replay_is_not_recorded(empty: Project) -> None:
    """A trap: exit 2 with its place, no golden; what else there is is recorded."""
    empty.scenario("fall", TRAP)
    empty.scenario("step", STEP)
    done = empty.run("regen", "--yes")
    assert done.code == 2
    assert done.has("not recorded fall", "division by zero", "tick 3", "3 written")
    assert not (empty.folder / "golden/fall").exists()


def test_a_replay_that_disagrees_with_itself_is_not_recorded(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second replay, in a fresh process, is another: exit 2, nothing written."""

    class Faulty(ReferenceExecutor):
        name = "generated"

        def advance(self, ticks: int, stop: Callable[[], bool] | None = None) -> None:
            super().advance(ticks, stop)
            self.state.lanes[LaneRef("world", "n", 0)][0] ^= 1

    empty.scenario("step", STEP)
    monkeypatch.setitem(EXECUTORS, "generated", Faulty)
    done = empty.run("regen", "--yes", "--executor", "generated")
    assert done.code == 2
    assert done.has("not recorded step", "second replay in a fresh process", "checkpoint 2")
    assert not (empty.folder / "golden").exists()


def test_check_and_yes_exclude_each_other(project: Project) -> None:
    """--check --yes is a usage error."""
    assert project.run("regen", "--check", "--yes").code == 2


def _whole(path: Path) -> bool:
    """A golden that reads, of either identity."""
    read_golden(path)
    return True


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_killed_regen_leaves_every_golden_old_or_new(empty: Project) -> None:
    """SIGKILL and SIGINT at random moments: every golden is whole, old or new, and the next regen finishes the work."""
    for index in range(6):
        empty.scenario(f"step{index}", STEP)
    empty.record("--states")
    old = {p: p.read_bytes() for p in (empty.folder / "golden").rglob("*.txt")}
    for index in range(6):
        path = empty.folder / f"scenarios/step{index}.toml"
        path.write_text(path.read_text().replace("0.37", "0.38"))
    command = [sys.executable, "-m", "detcheck", "regen", "--yes", "--reason", "changed", "--states"]
    chance = random.Random(5)
    for number, kind in enumerate((signal.SIGKILL, signal.SIGINT, signal.SIGKILL)):
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=child_environment(), text=True
        )
        time.sleep(chance.uniform(0.3, 1.1) + 0.2 * number)
        process.send_signal(kind)
        _, err = process.communicate()
        assert "Traceback" not in err
        # -SIGINT: the signal came before the interpreter ran anything of ours
        assert process.returncode in (0, 130, -signal.SIGKILL, -signal.SIGINT)
        for path, before in old.items():
            assert path.read_bytes() == before or b"# reason changed" in path.read_bytes()
            assert _whole(path)
    assert empty.run("regen", "--yes", "--reason", "changed", "--states").code == 0
    assert empty.run("run", "-q").code == 0


def test_jobs_give_the_same_goldens(empty: Project) -> None:
    """-j 2 records byte for byte what one at a time records."""
    empty.scenario("duel", DUEL)
    empty.scenario("step", STEP)
    empty.record("-j", "2", "--executor", "reference")
    first = empty.files()
    for path in (empty.folder / "golden").rglob("*.txt"):
        path.unlink()
    empty.record()
    assert empty.files() == first
