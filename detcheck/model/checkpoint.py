"""A checkpoint: tick, state hash, part digests (design: formats, Canonical state)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Checkpoint:
    """Hashes are 16 lower-case hex digits. `parts` is in canonical order; empty for a plain hash stream."""

    tick: int
    state_hash: str
    parts: tuple[tuple[str, str], ...] = ()
