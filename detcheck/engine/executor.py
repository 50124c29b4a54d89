"""What the replay loop needs of an executor. reference.py, generated.py and native.py each give one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from detcheck.model.schema import LaneRef, TableSpec


class Executor(Protocol):
    """One replay in progress. Observation (hashing, reading lanes) never changes what follows."""

    name: str
    tick: int
    #: how its backend writes a num: "q16.16" or "f32"
    number: str

    def setup(self, stop: Callable[[], bool] | None = None) -> None:
        """Run the setup programs; `tick` stays 0. Raises TrapError, or Interrupted soon after `stop` answers true."""

    def stand(self, lanes: Mapping[LaneRef, list[int]], rng_state: bytes) -> None:
        """Take over cells of whole lanes and the generator's saved state, instead of setup; `tick` stays 0."""

    def advance(self, ticks: int, stop: Callable[[], bool] | None = None) -> None:
        """Complete `ticks` more ticks. Raises TrapError, or Interrupted soon after `stop` answers true."""

    def part_buffers(self) -> Iterator[tuple[str, bytes | bytearray | memoryview]]:
        """(part name, canonical bytes) in canonical order, the generator first; NaN bits canonical."""

    def lane(self, table: str, column: str, lane: int) -> list[int]:
        """The cells of one lane, all rows in order, canonical, in the reference's integer form."""

    def rng_state(self) -> bytes:
        """The generator's saved state (2,500 or 8 bytes)."""

    def draws(self) -> int:
        """Words taken from the generator since seeding."""

    @property
    def tables(self) -> tuple[TableSpec, ...]:
        """The state's tables, in canonical order."""
