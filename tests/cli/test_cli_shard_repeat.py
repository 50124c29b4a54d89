"""`--shard`, `--repeat` and `--last-failed` of `detcheck run`, end to end."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from cli_project import FIXED, FLOAT, STEP, Project

from detcheck.engine import executors
from detcheck.engine.executor import Executor
from detcheck.errors import TrapError
from detcheck.scenario.compiled import CompiledScenario


def replays(project: Project, *argv: str) -> list[tuple[str, str]]:
    """(scenario, backend) of a run's results; none when it selected nothing."""
    target = project.folder / "r.json"
    target.unlink(missing_ok=True)
    done = project.run("run", "-q", "--json", "r.json", *argv)
    if done.code == 4:
        return []
    return [(r["scenario"], r["backend"]) for r in json.loads(target.read_text())["results"]]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_shards_together_are_everything_once(project: Project, count: int) -> None:
    """Each replay is in exactly one shard, in the order of the whole run."""
    whole = replays(project)
    shards = [replays(project, "--shard", f"{index}/{count}") for index in range(1, count + 1)]
    assert sorted(replay for shard in shards for replay in shard) == sorted(whole)
    assert all(shard == [replay for replay in whole if replay in shard] for shard in shards)


def test_an_added_scenario_moves_no_other(project: Project) -> None:
    """What a shard held it still holds."""
    before = {i: set(replays(project, "--shard", f"{i}/3")) for i in (1, 2, 3)}
    project.scenario("another", STEP)
    project.scenario("a-first", STEP)
    after = {i: set(replays(project, "--shard", f"{i}/3")) for i in (1, 2, 3)}
    assert all(before[i] <= after[i] for i in before)


def test_an_empty_shard_is_nothing_selected(project: Project) -> None:
    """Exit 4, so that a shard too many is not a silent success."""
    codes = {i: project.run("run", "-q", "--shard", f"{i}/40").code for i in range(1, 41)}
    assert set(codes.values()) == {0, 4}
    assert project.run("run", "--shard", "3/2").has("--shard 2/5")


def test_repeats_that_agree_are_a_remark(project: Project) -> None:
    """A green run says that each of its replays agreed with the others."""
    done = project.run("run", "step", "--backend", FIXED, "--repeat", "3")
    assert done.code == 0
    assert done.has(f"step on {FIXED}: repeat: 3 replays agree at every checkpoint")


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5", "9" * 30, ""])
def test_repeats_that_are_no_number(project: Project, text: str) -> None:
    """Exit 2 with the value."""
    done = project.run("run", "--repeat", text)
    assert done.code == 2
    assert done.has("--repeat")


class Shaky:
    """An executor whose last part has another byte from `tick` on, or that traps there."""

    def __init__(self, inner: Executor, tick: int, traps: bool) -> None:
        self.inner, self.from_tick, self.traps = inner, tick, traps

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def advance(self, ticks: int, stop: Callable[[], bool] | None = None) -> None:
        self.inner.advance(ticks, stop)
        if self.traps and self.inner.tick >= self.from_tick:
            place = {"tick": self.inner.tick, "system": "step", "row": 0, "op": "div", "operands": ()}
            raise TrapError("division_by_zero", where=None, text="a trap", **place)

    def part_buffers(self) -> Iterator[tuple[str, bytes]]:
        for name, buffer in self.inner.part_buffers():
            data = bytearray(buffer)
            if name == "world.n" and self.inner.tick >= self.from_tick:
                data[0] ^= 1
            yield name, bytes(data)


def shaky(monkeypatch: pytest.MonkeyPatch, number: int, tick: int, traps: bool = False) -> None:
    """The executor of the replay `number` is a shaky one."""
    real, made = executors.make_executor, itertools.count(1)

    def make(name: str, compiled: CompiledScenario) -> Any:
        executor = real(name, compiled)
        return Shaky(executor, tick, traps) if next(made) == number else executor

    monkeypatch.setattr(executors, "make_executor", make)


@pytest.mark.parametrize(("number", "tick"), [(2, 0), (3, 4), (4, 6)])
def test_a_replay_unlike_itself_is_caught(
    project: Project, monkeypatch: pytest.MonkeyPatch, number: int, tick: int
) -> None:
    """The replay, the checkpoint and the part are named though the golden is equal; exit 1, also in the JSON."""
    shaky(monkeypatch, number, tick)
    done = project.run("run", "step", "--backend", FIXED, "--repeat", "4", "--json", "r.json")
    assert done.code == 1
    assert done.has(f"replay {number} of 4 is unlike the first at checkpoint {tick} in world.n", "detcheck doctor")
    assert done.has("reproduce: detcheck run step --backend fixed_point_16_16 --repeat 4")
    (result,) = json.loads((project.folder / "r.json").read_text())["results"]
    assert (result["verdict"], result["first_divergent_checkpoint"]) == ("diverged", tick)
    assert result["last_equal_tick"] == (tick - 2 if tick else None)


def test_a_replay_that_ends_early_is_caught(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trap that only one of the replays has: fewer checkpoints are a difference too."""
    shaky(monkeypatch, 2, 4, traps=True)
    done = project.run("run", "step", "--backend", FIXED, "--repeat", "2")
    assert done.code == 1
    assert done.has("replay 2 of 2 is unlike the first at checkpoint 4")


def test_last_failed_takes_what_was_red(project: Project) -> None:
    """After a red run only that is replayed, until it is green; then all of it, with a note."""
    golden = project.golden("step")
    good = golden.read_text()
    lines = good.splitlines()
    index = next(i for i, line in enumerate(lines) if line.startswith("4 "))
    tick, digest, rest = lines[index].split(" ", 2)
    lines[index] = f"{tick} {digest[::-1]} {rest}"
    golden.write_text("\n".join(lines) + "\n", newline="\n")
    assert project.run("run", "-q").code == 1
    again = project.run("run", "--last-failed")
    assert again.code == 1
    assert again.has("note: --last-failed: 1 of 5 replays", "1 replay")
    golden.write_text(good, newline="\n")
    assert project.run("run", "--last-failed").code == 0
    done = project.run("run", "--last-failed")
    assert done.code == 0
    assert done.has("nothing selected was unlike the last time", "5 replays")


def test_last_failed_and_shard_and_backend_together(project: Project) -> None:
    """Filters apply one after the other."""
    project.golden("duel", FLOAT).unlink()
    project.golden("step", FLOAT).unlink()
    project.run("run", "-q")
    assert len(replays(project, "--last-failed")) == 2
    assert replays(project, "--last-failed", "step") == [("step", FLOAT)]
    assert sorted(
        replay for index in (1, 2) for replay in replays(project, "--last-failed", "--shard", f"{index}/2")
    ) == [("duel", FLOAT), ("step", FLOAT)]


def test_a_memory_that_cannot_be_kept_changes_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache folder that is a file: the run says nothing of it."""
    (project.folder / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(project.folder / "file"))
    project.golden("step").unlink()
    done = project.run("run", "step", "-q")
    assert done.code == 3
    assert not done.has("cache")
