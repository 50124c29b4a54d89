"""The search for the first divergent operation on random programs: nothing is made up, and what is changed is found."""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import faults
import pytest
from random_ops import codes_of, random_scenario

from detcheck.engine import native
from detcheck.engine.first_operation import first_operation
from detcheck.engine.first_operation.alone import Alone
from detcheck.engine.first_operation.in_place import Setting, first_op, first_statement, unlike
from detcheck.engine.first_operation.moment import Moment, moment_of
from detcheck.engine.first_operation.steps import walk
from detcheck.engine.first_operation.suspect import Budget, Runner
from detcheck.errors import TrapError
from detcheck.scenario.compiled import CompiledScenario

EXAMPLES = int(os.environ.get("DETCHECK_EXAMPLES", "1"))
EXECUTORS = ["generated", *(["native", "native:baseline"] if native.available() else [])]

#: op codes whose fault may be met inside another: folds combine, scatters add
INSIDE = {
    "add": ("fold.sum", "scatter.add"),
    "sub": ("scatter.sub",),
    "min": ("fold.min",),
    "max": ("fold.max",),
}


def moment(scenario: CompiledScenario, tick: int) -> Moment | None:
    """The moment of a tick, where the replay comes that far."""
    try:
        return moment_of(scenario, tick, "reference", None)
    except TrapError:
        return None


@pytest.mark.parametrize("executor", EXECUTORS)
def test_of_equal_executors_no_op_is_accused(executor: str) -> None:
    """Every op of random programs, alone and in its place, every statement and system, up to a trap: all agree."""
    for seed in range(4 * EXAMPLES):
        scenario = random_scenario(Random(seed), statements=6)
        at = moment(scenario, seed % (scenario.ticks + 1))
        if at is None:
            continue
        budget = Budget(1 << 60)
        judge, suspect = (Runner(name, scenario, budget, None) for name in ("reference", executor))
        setting = Setting(at, (), dict(at.lanes), at.rng_state)
        for program in at.programs:
            steps = walk(at, program, setting.lanes, setting.rng_state)
            accused = [step.op for step in steps if Alone(at, judge, suspect).difference(step) is not None]
            assert accused == [], f"seed {seed}"
            assert first_op(setting, suspect, steps) is None, f"seed {seed}"
            assert first_statement(setting, judge, suspect, program) is None, f"seed {seed}"
            after = setting.run(judge, program)
            assert unlike(after, setting.run(suspect, program)) is None, f"seed {seed}"
            if after.stopped is not None:
                break
            setting = replace(setting, lanes=dict(after.lanes), rng_state=after.rng_state)


def changed_code(rnd: Random, scenario: CompiledScenario) -> str | None:
    """An integer op of the scenario."""
    names = ("add", "sub", "xor", "and", "mul", "max")
    codes = sorted(code for code in codes_of(scenario) if code.startswith("i32.") and code[4:] in names)
    return rnd.choice(codes) if codes else None


def test_a_changed_op_is_named_in_random_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """One integer op of the generated executor gives something else: where that shows, the op is named, alone."""
    shown = 0
    for seed in range(60 * EXAMPLES):
        rnd = Random(seed)
        scenario = random_scenario(rnd, statements=8)
        code = changed_code(rnd, scenario)
        if code is None:
            continue
        with monkeypatch.context() as patch:
            faults.template(
                patch, scenario.backend, code, "((({0}) ^ ({1}) ^ 77) & 4294967295 ^ 2147483648) - 2147483648"
            )
            tick = faults.first_unlike(scenario, "generated")
            if tick is None:
                continue
            answer = first_operation(scenario, tick, "generated")
        shown += 1
        assert answer.fault is not None, f"seed {seed}: {answer}"
        assert answer.fault.op in (code, *INSIDE.get(code[4:], ())), f"seed {seed}: {answer}"
        assert answer.fault.how == "alone", f"seed {seed}: {answer}"
        assert answer.fault.expected != answer.fault.actual
    assert shown >= 5
