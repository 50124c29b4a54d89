"""The programs of a scenario, lowered for one backend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from detcheck.errors import DetcheckError
from detcheck.language.analyse import Env
from detcheck.language.ir import Program
from detcheck.language.lower import lower
from detcheck.scenario.scenario import SetupProgram, System


@dataclass(frozen=True)
class Lowered:
    """Setup and system programs in file order."""

    setup: tuple[Program, ...]
    systems: tuple[Program, ...]


def lower_programs(
    setup: Sequence[SetupProgram], systems: Sequence[System], env: Env, backend_id: str, faults: list[DetcheckError]
) -> Lowered | None:
    """Every program lowered; None when a fault was found (an op the backend lacks, a constant out of its range)."""
    lowered_setup = [lower(program.tree, env, backend_id, faults) for program in setup]
    lowered_systems = [lower(system.tree, env, backend_id, faults) for system in systems]
    good_setup = tuple(program for program in lowered_setup if program is not None)
    good_systems = tuple(program for program in lowered_systems if program is not None)
    if len(good_setup) < len(setup) or len(good_systems) < len(systems):
        return None
    return Lowered(good_setup, good_systems)
