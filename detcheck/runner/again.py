"""A replay done again, in a fresh process with another string-hash seed, and on the reference where it is cheap.

What does not come out the same is not recorded: an order taken from a set, a state that outlives a replay, an executor
that is not the reference. Run as a module it is that process: work as JSON on stdin, one answer a line on stdout.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from detcheck.errors import DetcheckError, visible
from detcheck.model.checkpoint import Checkpoint

#: rows x ops x ticks up to which the reference is asked (design: formats, regen)
REFERENCE_LIMIT = 2 * 10**7


@dataclass(frozen=True)
class Again:
    """One replay to repeat: the scenario's file, the backend, the resolved executor."""

    scenario_file: str
    backend: str
    executor: str


@dataclass(frozen=True)
class Answer:
    """`hashes` by executor name, in the order of the checkpoints; `fault` when a replay stopped."""

    hashes: dict[str, list[tuple[int, str]]]
    fault: str | None


def repeat(asked: Sequence[Again]) -> list[Answer]:
    """Repeat the replays in one fresh process. Raises DetcheckError when that process fails."""
    if not asked:
        return []
    text = json.dumps([[a.scenario_file, a.backend, a.executor] for a in asked])
    command = [sys.executable, "-P", "-m", __name__]
    done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", env=_environment())
    lines = done.stdout.splitlines()
    if done.returncode != 0 or len(lines) != len(asked):
        last = done.stderr.strip().splitlines()[-1:] or [f"exit {done.returncode}"]
        message = f"the second replay in a fresh process failed: {visible(last[0])}"
        raise DetcheckError("again.failed", message, None, "nothing was recorded")
    return [_answer(line) for line in lines]


def disagreement(first: Sequence[Checkpoint], answer: Answer) -> str | None:
    """Why a replay is not to be recorded, in words; None when every repetition gave the same."""
    if answer.fault is not None:
        return f"the second replay stopped: {answer.fault}"
    mine = [(c.tick, c.state_hash) for c in first]
    for executor, theirs in answer.hashes.items():
        if theirs != mine:
            tick = next((a[0] for a, b in zip(mine, theirs, strict=False) if a != b), "the last")
            return f"a second replay in a fresh process ({executor}) is unlike the first at checkpoint {tick}"
    return None


def _environment() -> dict[str, str]:
    """Another hash seed, and this very package."""
    room = str(Path(__file__).resolve().parents[2])
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    path = os.pathsep.join(filter(None, (room, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}


def _answer(line: str) -> Answer:
    value = json.loads(line)
    hashes = {name: [(int(tick), str(digest)) for tick, digest in found] for name, found in value["hashes"].items()}
    return Answer(hashes, value["fault"])


def _replay(again: Again) -> Answer:
    from detcheck.engine.executors import make_executor
    from detcheck.engine.replay import checkpoints_of
    from detcheck.runner.cost import replay_cost
    from detcheck.scenario.compile import compile_scenario
    from detcheck.scenario.load import load

    hashes: dict[str, list[tuple[int, str]]] = {}
    try:
        scenario = load(Path(again.scenario_file))
        compiled = compile_scenario(scenario, again.backend)
        names = [again.executor]
        if again.executor != "reference" and replay_cost(compiled, scenario.ticks) <= REFERENCE_LIMIT:
            names.append("reference")
        for name in names:
            executor = make_executor(name, compiled)
            checkpoints = checkpoints_of(executor, scenario.hash_every, scenario.ticks)
            hashes[name] = [(c.tick, c.state_hash) for c in checkpoints]
    except DetcheckError as fault:
        return Answer(hashes, str(fault))
    return Answer(hashes, None)


def main() -> None:
    """The fresh process: Ctrl-C ends it at once and silently, its parent says what there is to say."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for scenario_file, backend, executor in json.load(sys.stdin):
        answer = _replay(Again(scenario_file, backend, executor))
        print(json.dumps({"hashes": answer.hashes, "fault": answer.fault}), flush=True)


if __name__ == "__main__":
    main()
