"""How a golden stands to its scenario, without replaying."""

from __future__ import annotations

from pathlib import Path

from detcheck.golden.compare import identity_mismatches
from detcheck.golden.golden import states_path
from detcheck.golden.read import golden_is_there, read_golden
from detcheck.scenario.identity import identity_of
from detcheck.scenario.scenario import Scenario


def golden_standing(scenario: Scenario, backend: str, file: str) -> str:
    """In words: recorded, missing, of another identity, of another range, damaged.

    Raises DetcheckError for one that cannot be read.
    """
    if not golden_is_there(file):
        return "no golden"
    golden = read_golden(file)
    if golden.identity is None:
        return "a plain stream of hashes, without identity"
    unlike = identity_mismatches(golden, identity_of(scenario, backend))
    if unlike:
        return f"golden of another identity: {', '.join(m.field for m in unlike)}"
    if (golden.every, golden.ticks) != (scenario.hash_every, scenario.ticks):
        return f"golden of another range: every {golden.every}, ticks {golden.ticks}"
    if any(line.damaged for line in golden.lines):
        return "edited or damaged golden"
    return "golden with states" if states_path(Path(file)).exists() else "golden"


def part_names(scenario: Scenario) -> tuple[str, ...]:
    """The parts of its state, in canonical order (design: formats, Canonical state)."""
    return ("rng", *(f"{table.name}.{column.name}" for table in scenario.tables for column in table.columns))
