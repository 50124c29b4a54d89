"""xxh3 digests as the hex of their canonical (big-endian) bytes, for xxhash 3.4 up to 4.

xxhash itself is imported at the first digest, so that `--version` and `--help` do not pay for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

#: what can be hashed where it lies; xxhash 4 refuses `str`, and so do we
Buffer = bytes | bytearray | memoryview

_TICK_LIMIT = 1 << 64

_hex64: Callable[[Any], str] | None = None
_hex128: Callable[[Any], str] | None = None


def _load() -> tuple[Callable[[Any], str], Callable[[Any], str]]:
    global _hex64, _hex128
    import xxhash

    _hex64, _hex128 = xxhash.xxh3_64_hexdigest, xxhash.xxh3_128_hexdigest
    return _hex64, _hex128


def digest64(buffer: Buffer) -> str:
    """xxh3_64 (seed 0) of a contiguous buffer, hashed without a copy: 16 lower-case hex digits."""
    if isinstance(buffer, str):  # xxhash 3 would hash its UTF-8
        raise TypeError("a digest is of bytes")
    hex64 = _hex64 or _load()[0]
    return hex64(buffer)


def digest128(data: Buffer) -> str:
    """xxh3_128 (seed 0) of `data`: 32 lower-case hex digits. The form of the inputs and config hashes."""
    if isinstance(data, str):
        raise TypeError("a digest is of bytes")
    hex128 = _hex128 or _load()[1]
    return hex128(data)


def state_hash(tick: int, part_digests: Sequence[str]) -> str:
    """The hash of a state: xxh3_64 of `tick` (u64 little-endian) and each part digest's 8 bytes, in canonical order.

    `part_digests` are 16 hex digits each. Raises ValueError for a tick outside 0 .. 2^64-1 or a malformed digest.
    """
    if not 0 <= tick < _TICK_LIMIT:
        raise ValueError(f"tick {tick} does not fit in 64 bits")
    if any(len(digest) != 16 for digest in part_digests):
        raise ValueError("a part digest has 16 hex digits")
    return digest64(tick.to_bytes(8, "little") + bytes.fromhex("".join(part_digests)))
