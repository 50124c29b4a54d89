"""A scenario as loaded: typed, checked, independent of a backend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from detcheck.model.schema import Const, RngSpec, TableSpec

if TYPE_CHECKING:
    from detcheck.language.analyse import ProgramTree
    from detcheck.scenario.lowered import Lowered


@dataclass(frozen=True, slots=True)
class ScriptEntry:
    """One script entry: from `tick`, for `hold` ticks, columns of one player's row, each with one constant a lane.

    `values` is in the columns' declared order; a bool is the integer constant 0 or 1. `line` is the entry's line in
    the file it stands in, for messages.
    """

    tick: int
    hold: int
    player: int
    values: tuple[tuple[str, tuple[Const, ...]], ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class SetupProgram:
    """A program of [setup], run once before tick 0; `table` may be world."""

    table: str
    tree: ProgramTree


@dataclass(frozen=True)
class System:
    """A program of [[systems]], run every tick; `each` is None for a world system."""

    name: str
    each: str | None
    tree: ProgramTree


@dataclass(frozen=True)
class Scenario:
    """One scenario file, whole and valid.

    backends         ids to replay on: those listed, else every one that supports all ops used
    backends_listed  whether the file lists them
    seed             unsigned: 64 bits for splitmix64, 32 for mt19937
    config           constants by name, in file order
    tables           world (always there, perhaps without columns), players if any, then [tables], in file order
    inputs_hash, config_hash   32 hex digits (design: formats, Identity)
    """

    name: str
    path: Path
    summary: str
    backends: tuple[str, ...]
    backends_listed: bool
    rng: RngSpec
    seed: int
    ticks: int
    tick_rate: int
    hash_every: int
    config: Mapping[str, Const]
    tables: tuple[TableSpec, ...]
    inputs: tuple[ScriptEntry, ...]
    setup: tuple[SetupProgram, ...]
    systems: tuple[System, ...]
    inputs_hash: str
    config_hash: str
    #: the inputs file, None when the entries stand in the scenario file
    inputs_path: Path | None = None
    #: the programs lowered while loading, by backend: what compile_scenario need not do again
    lowered: Mapping[str, Lowered] = field(default_factory=dict, compare=False, repr=False)

    def table(self, name: str) -> TableSpec | None:
        """The table of that name ("world" is always there), or None."""
        return next((table for table in self.tables if table.name == name), None)

    def having(self, seed: int | None = None, ticks: int | None = None) -> Scenario:
        """This scenario with another seed or number of ticks. Raises DetcheckError for one that does not fit."""
        from detcheck.scenario.ranges import check_seed, check_ticks

        changed = self
        if seed is not None:
            check_seed(self.rng, seed)
            changed = replace(changed, seed=seed)
        if ticks is not None:
            check_ticks(ticks)
            changed = replace(changed, ticks=ticks)
        return changed
