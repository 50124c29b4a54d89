"""Canonical digests (design: formats, Canonical state). The only room that knows xxhash.

`digest64` and `digest128` are xxh3_64 and xxh3_128 with seed 0; `state_hash` binds a tick to its part digests.
"""

from detcheck.hashing.digests import Buffer, digest64, digest128, state_hash

__all__ = ["Buffer", "digest64", "digest128", "state_hash"]
