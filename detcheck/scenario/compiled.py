"""A scenario lowered for one backend: what an executor runs."""

from __future__ import annotations

from dataclasses import dataclass

from detcheck.language.ir import Program
from detcheck.model.schema import RngSpec, TableSpec


@dataclass(frozen=True, slots=True)
class CompiledInput:
    """One script entry: from `tick`, for `hold` ticks, cells of one player's row. `cells` is (column, lane, cell)."""

    tick: int
    hold: int
    player: int
    cells: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class CompiledScenario:
    """`tables` is in canonical order: world (always there, perhaps without columns), players if any, the tables."""

    name: str
    backend: str
    rng: RngSpec
    seed: int
    ticks: int
    hash_every: int
    tables: tuple[TableSpec, ...]
    inputs: tuple[CompiledInput, ...]
    setup: tuple[Program, ...]
    systems: tuple[Program, ...]
