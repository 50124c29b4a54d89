"""What an executor whose state is a `State` shows of it; only looks."""

from __future__ import annotations

from collections.abc import Iterator

from detcheck.engine.state import State
from detcheck.model.schema import LaneRef, TableSpec


class Observed:
    """The reading half of the Executor protocol, for executors in Python."""

    state: State

    def part_buffers(self) -> Iterator[tuple[str, bytes]]:
        """(part name, canonical bytes) in canonical order."""
        return self.state.part_buffers()

    def lane(self, table: str, column: str, lane: int) -> list[int]:
        """A copy of the cells of one lane, canonical."""
        return self.state.canonical_lane(LaneRef(table, column, lane))

    def rng_state(self) -> bytes:
        """The generator's saved state."""
        return self.state.rng.save_state()

    def draws(self) -> int:
        """Words taken from the generator since seeding."""
        return self.state.rng.draws

    @property
    def tables(self) -> tuple[TableSpec, ...]:
        """The state's tables, in canonical order."""
        return self.state.tables
