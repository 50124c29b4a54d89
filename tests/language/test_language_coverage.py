"""Every op is reached from text: by a fixed list of statements, and by the random scenarios others are tested with."""

from __future__ import annotations

from pathlib import Path

import pytest
from language_env import BACKENDS, FLOAT, every_op, program
from programs import RNGS, scenario_text

from detcheck.language.functions import CLASSES, FOLDS, FUNCTIONS, OPERATORS, TYPES
from detcheck.language.ops import OPS
from detcheck.scenario.load import load

FLOAT_ONLY = {"num.sin", "num.cos", "num.sincos_cos", "num.atan2", "num.asin", "num.acos"}


def reachable(backend: str) -> set[str]:
    return set(OPS) if backend == FLOAT else set(OPS) - FLOAT_ONLY


INTEGERS = [
    *(f"C = C {op} C" for op in ("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>")),
    *(f"alive = C {op} C" for op in ("<", "<=", ">", ">=", "==", "!=")),
    *("C = -C", "C = ~C", "C = min(C, C)", "C = max(C, C)", "C = clamp(C, C, C)", "C = unit[C].C", "unit[C].C += C"),
]
STATEMENTS = [
    *(statement.replace("C", column) for column in ("hp", "seen") for statement in INTEGERS),
    *(f"mass = mass {op} drag" for op in "+-*/"),
    *(f"alive = mass {op} drag" for op in ("<", "<=", ">", ">=", "==", "!=")),
    *(f"mass = {name}(mass)" for name in ("abs", "floor", "ceil", "sqrt")),
    *(f"alive = {name}(mass)" for name in ("is_nan", "is_inf", "is_finite")),
    *("mass = -mass", "mass = min(mass, drag)", "mass = max(mass, drag)", "mass = clamp(mass, 0, 1)"),
    *("mass = num(hp)", "mass = num(seen)", "hp = round(mass)", "hp = abs(hp)", "hp = i32(alive)"),
    *("seen = u32(hp)", "hp = i32(seen)", "alive = alive and armed or not armed", "alive = alive == armed"),
    *("alive = alive != armed", "mass = mass if alive else drag", "mass = sin(facing) + cos(facing)"),
    *("facing = heading(pos)", "seen = rand_u32()", "hp = roll(1, 6)", "mass = rand_unit()", "hp = row + tick"),
    *("mass = world.level", "unit[hp].hp -= hp", "hp = sum(unit.hp)", "hp = min(unit.hp)", "hp = max(unit.hp)"),
    *("hp = count(unit.alive)", "facing = facing * hp - 2 * aim", "alive = facing < aim", "mass = shot[seen].charge"),
]
BY_RNG = {"mt19937": ["mass = next_float()", "seen = next_int_inclusive(6)"], "splitmix64": ["seen = below(6)"]}
RADIANS = ["mass = sin(mass) + cos(mass)", "s, c = sincos(mass)", "mass = atan2(mass, drag)", "mass = asin(acos(mass))"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_op_is_reached(backend: str) -> None:
    """A fixed list of statements reaches every op that the backend has."""
    statements = [*STATEMENTS, *(RADIANS if backend == FLOAT else [])]
    seen = {op.code for op in every_op(program("\n".join(statements), backend))}
    for rng, draws in BY_RNG.items():
        seen |= {op.code for op in every_op(program("\n".join(draws), backend, rng=rng))}
    assert seen == reachable(backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_random_scenarios_reach_every_op(backend: str, tmp_path: Path) -> None:
    """The random scenarios load without a fault on their backend, with every generator, and reach every op of it."""
    seen: set[str] = set()
    path = tmp_path / "random.toml"
    for seed in range(200):
        path.write_text(scenario_text(seed, backend, RNGS[seed % len(RNGS)]), encoding="utf-8")
        lowered = load(path).lowered[backend]
        for one in (*lowered.setup, *lowered.systems):
            seen |= {op.code for op in every_op(one)}
        if seed >= 10 and seen == reachable(backend):
            return
    assert seen == reachable(backend)


def test_every_op_has_the_types_it_promises() -> None:
    """Registers fit the op table: parameters and results, an angle counting as u32."""
    for backend in BACKENDS:
        lowered = program("\n".join(STATEMENTS), backend)
        types = ["u32" if one == "angle" else one for one in lowered.types]
        for op in every_op(lowered):
            spec = OPS[op.code]
            for param, register in zip(spec.params, op.src, strict=True):
                assert param in ("*", types[register]), op
            assert len(op.dst) == (0 if spec.result is None else 1)
            if spec.result not in (None, "*"):
                assert types[op.dst[0]] == spec.result, op


def test_function_table_is_whole() -> None:
    """Every form of the table names known types and classes, and a class in a result is one of its parameters."""
    known = {*TYPES, *CLASSES, "constant"}
    tables = [*OPERATORS.values(), *FOLDS.values(), *(function.forms for function in FUNCTIONS.values())]
    for forms in tables:
        for form in forms:
            assert {*form.params, form.result} <= known
            assert form.result in (*TYPES, *form.params)
    assert all(len(form.params) == len(f.params) for f in FUNCTIONS.values() for form in f.forms)
