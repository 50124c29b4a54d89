"""The checkpoint loop: which ticks, stopping, and that looking changes nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hand_built import Build, compiled, table
from random_ops import random_scenario

from detcheck.dumps.state_record import record_of
from detcheck.engine import canaries, executors
from detcheck.engine.executors import EXECUTORS, make_executor, native_available, resolve
from detcheck.engine.replay import ReplayCheckpoint, checkpoint_of, checkpoint_ticks, checkpoints_of, replay
from detcheck.errors import DetcheckError, Interrupted, TrapError
from detcheck.model.run_report import Canary
from detcheck.scenario.compiled import CompiledScenario
from detcheck.scenario.load import load

NAMES = ["reference", "generated", *(["native", "native:baseline"] if native_available() else [])]

TEXT = """
[scenario]
summary = "counts"
backends = ["fixed_point_16_16", "float_pinned_32"]
rng = "mt19937"
seed = 7
ticks = 7
tick_rate = 60
hash_every = 3

[tables.unit]
rows = 3
pos = "vec2"
n = "i32"

[[systems]]
name = "move"
each = "unit"
do = \"\"\"
pos = pos + vec2(0.3, num(row)) * dt
n = n + roll(0, 9)
\"\"\"
"""


def counting() -> CompiledScenario:
    build = Build("s", "unit")
    build.store("unit.n", build.op("draw.roll", build.const(0), build.const(9), kind="i32"))
    return compiled([table("unit", 3, n="i32")], [build])


@pytest.mark.parametrize(
    ("every", "ticks", "expected"),
    [
        (1, 0, [0]),
        (60, 0, [0]),
        (1, 3, [0, 1, 2, 3]),
        (3, 7, [0, 3, 6, 7]),
        (3, 6, [0, 3, 6]),
        (100, 7, [0, 7]),
        (10**18, 1, [0, 1]),
    ],
)
def test_checkpoint_ticks(every: int, ticks: int, expected: list[int]) -> None:
    """0, N, 2N, … and always the last tick, once."""
    assert list(checkpoint_ticks(every, ticks)) == expected


@pytest.mark.parametrize("name", NAMES)
def test_looking_changes_nothing(name: str) -> None:
    """Hashing at every tick, dumping records, reading lanes: the last checkpoint is that of a replay left alone."""
    for seed in range(12):
        scenario = random_scenario(Random(seed))
        try:
            quiet = list(checkpoints_of(make_executor(name, scenario), 1 << 40, scenario.ticks))
        except TrapError:
            continue
        watched = make_executor(name, scenario)
        loud = []
        for checkpoint in checkpoints_of(watched, 1, scenario.ticks):
            record_of(watched, checkpoint)
            assert checkpoint_of(watched) == checkpoint
            loud.append(checkpoint)
        assert [loud[0], loud[-1]] == quiet
        assert len(loud) == scenario.ticks + 1


@pytest.mark.parametrize("name", NAMES)
def test_a_stop_flag_interrupts(name: str) -> None:
    """A flag that is set ends the loop with Interrupted: before setup, or during a span."""
    scenario = counting()
    with pytest.raises(Interrupted):
        next(checkpoints_of(make_executor(name, scenario), 1, 5, lambda: True))
    raised = []
    checkpoints = checkpoints_of(make_executor(name, scenario), 5, 1 << 30, lambda: bool(raised))
    assert next(checkpoints).tick == 0
    assert next(checkpoints).tick == 5
    raised.append(1)
    with pytest.raises(Interrupted):
        next(checkpoints)


def put(tmp_path: Path) -> Path:
    path = tmp_path / "counts.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("backend", ["fixed_point_16_16", "float_pinned_32"])
def test_replay_yields_checkpoints_with_state_on_demand(tmp_path: Path, backend: str, name: str) -> None:
    """The public generator: the scenario's checkpoints, or every N, each with its record while it stands there."""
    scenario = load(put(tmp_path))
    found = list(replay(scenario, backend, name))
    assert [one.tick for one in found] == [0, 3, 6, 7]
    assert [one.checkpoint for one in found] == [one.checkpoint for one in replay(scenario, backend, "reference")]
    assert [one.tick for one in replay(scenario, backend, name, every=1)] == list(range(8))
    stepping = replay(scenario, backend, name)
    first = next(stepping)
    assert isinstance(first, ReplayCheckpoint)
    record = first.record()
    assert record.tick == 0
    assert record.hashes["hash"].text == first.state_hash
    next(stepping)
    with pytest.raises(DetcheckError) as caught:
        first.record()
    assert caught.value.code == "replay.gone_on"


def test_replay_faults_come_at_the_call(tmp_path: Path) -> None:
    """An unknown backend or executor, a backend the scenario does not run on, every below 1: before anything runs."""
    scenario = load(put(tmp_path))
    for arguments in (
        {"backend": "float64"},
        {"backend": "fixed_point_16_16", "executor": "gpu"},
        {"backend": "fixed_point_16_16", "every": 0},
    ):
        with pytest.raises(DetcheckError):
            replay(scenario, **arguments)  # type: ignore[arg-type]


def test_replay_runs_the_canaries_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that does not compute as it has to nothing is replayed."""
    monkeypatch.setattr(canaries, "run_canaries", lambda executor, backend: (Canary("contraction", False, "fused"),))
    with pytest.raises(DetcheckError, match="contraction") as caught:
        replay(load(put(tmp_path)), "float_pinned_32")
    assert caught.value.code == "canary.failed"


def test_executor_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """auto is native where it is built, else generated; without it the name native is a fault with advice."""
    assert list(EXECUTORS) == ["auto", "native", "native:baseline", "reference", "generated"]
    scenario = counting()
    monkeypatch.setattr(executors, "native_available", lambda: False)
    assert resolve("auto") == "generated"
    assert make_executor("auto", scenario).name == "generated"
    for name in ("native", "native:baseline"):
        with pytest.raises(DetcheckError) as caught:
            make_executor(name, scenario)
        assert caught.value.code == "executor.no_native"
    with pytest.raises(DetcheckError, match="gpu"):
        make_executor("gpu", scenario)
    monkeypatch.setattr(executors, "native_available", lambda: True)
    assert resolve("auto") == "native"
