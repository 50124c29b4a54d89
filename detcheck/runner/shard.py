"""`--shard i/n`: a fixed share of the replays, so that n machines do all of them once.

Which share a replay belongs to depends on its own name and backend only: adding a scenario moves no other.
"""

from __future__ import annotations

from dataclasses import dataclass

from detcheck.errors import DetcheckError, visible
from detcheck.hashing import digest64

#: more shards than anyone has machines; a bound so that a typing error is one
COUNT_LIMIT = 10_000


@dataclass(frozen=True)
class Shard:
    """The share `index` (from 1) of `count`."""

    index: int
    count: int

    def holds(self, scenario: str, backend: str) -> bool:
        """Whether this share holds the replay."""
        return int(digest64(f"{scenario}/{backend}".encode()), 16) % self.count == self.index - 1


def parse_shard(text: str) -> Shard:
    """`2/5`. Raises DetcheckError for anything else."""
    parts = text.split("/")
    if len(parts) == 2 and all(p.isascii() and p.isdigit() and len(p) <= 5 for p in parts):
        index, count = int(parts[0]), int(parts[1])
        if 1 <= index <= count <= COUNT_LIMIT:
            return Shard(index, count)
    message = f"{visible(text)!r} is not a shard"
    raise DetcheckError("shard.invalid", message, None, "write i/n with 1 <= i <= n, for example: --shard 2/5")
