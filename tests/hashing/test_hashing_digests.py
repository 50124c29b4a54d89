"""Digests keep their bits: committed values, and an independent model of the algorithm."""

from __future__ import annotations

import subprocess
import sys

import pytest
from xxh3_model import xxh3_64, xxh3_128

from detcheck.hashing import digest64, digest128, state_hash

COUNTED = bytes(range(256)) * 10

#: lengths around every branch of the algorithm, and mt19937's saved state
LENGTHS = [*range(20), 31, 32, 33, 127, 128, 129, 130, 239, 240, 241, 255, 256, 1023, 1024, 1025, 2500, 5000]


@pytest.mark.parametrize("length", LENGTHS)
def test_digest64_is_xxh3_64_with_seed_zero_big_endian(length: int) -> None:
    """digest64 equals a plain-integer xxh3_64, shown as its canonical big-endian bytes, at every length class."""
    data = bytes((i * 167 + 13) % 256 for i in range(length))
    assert digest64(data) == f"{xxh3_64(data):016x}"


@pytest.mark.parametrize("length", [0, *(n for n in LENGTHS if n > 240)])
def test_digest128_is_xxh3_128_with_seed_zero_big_endian(length: int) -> None:
    """digest128 equals a plain-integer xxh3_128 for the empty and the long inputs."""
    data = bytes((i * 89 + 7) % 256 for i in range(length))
    assert digest128(data) == f"{xxh3_128(data):032x}"


def test_committed_digests_never_change() -> None:
    """The digests that goldens stand on are written down here and stay as they are."""
    assert digest64(b"") == "2d06800538d394c2"
    assert digest64(COUNTED) == "ce94c58d4049e3e5"
    assert digest128(b"") == "99aa06d3014798d86001c324468d497f"
    assert digest128(COUNTED) == "d7d3aba3d305d2c3ce94c58d4049e3e5"


def test_committed_state_hashes_never_change() -> None:
    """A state hash is xxh3_64 of the tick's eight bytes and the digests' eight bytes each, in order."""
    digests = ["00112233445566ff", "8f0c2c1d00aa41e7"]
    assert state_hash(0, []) == "c77b3abb6f87acd9"
    assert state_hash(60, digests) == "80cfc1f8af273a2f"
    by_hand = (60).to_bytes(8, "little") + b"".join(int(d, 16).to_bytes(8, "big") for d in digests)
    assert state_hash(60, digests) == f"{xxh3_64(by_hand):016x}"
    assert state_hash(60, digests[::-1]) != state_hash(60, digests)
    assert state_hash(61, digests) != state_hash(60, digests)


def test_any_contiguous_buffer_is_hashed_where_it_lies() -> None:
    """bytes, bytearray and memoryview of the same content have one digest."""
    data = bytearray(COUNTED)
    assert digest64(data) == digest64(memoryview(data)) == digest64(bytes(data))
    assert digest64(memoryview(data)[256:512]) == digest64(COUNTED[:256])


def test_text_is_never_hashed() -> None:
    """A str has no canonical bytes and is refused by the installed xxhash or by us, whichever is first."""
    with pytest.raises(TypeError):
        digest64("text")  # type: ignore[arg-type]


@pytest.mark.parametrize("tick", [-1, 1 << 64])
def test_a_tick_outside_64_bits_has_no_state_hash(tick: int) -> None:
    """state_hash refuses a tick that its eight bytes cannot hold."""
    with pytest.raises(ValueError, match="64 bits"):
        state_hash(tick, [])


@pytest.mark.parametrize("digest", ["", "0" * 15, "0" * 17, "g" * 16])
def test_a_malformed_part_digest_has_no_state_hash(digest: str) -> None:
    """state_hash refuses what is not 16 hex digits, so that a cut digest cannot pass for another one."""
    with pytest.raises(ValueError):  # noqa: PT011
        state_hash(0, [digest])


def test_importing_the_room_does_not_load_xxhash() -> None:
    """Start-up does not pay for xxhash until the first digest."""
    code = "import sys, detcheck.hashing; assert 'xxhash' not in sys.modules; detcheck.hashing.digest64(b'')"
    subprocess.run([sys.executable, "-W", "error", "-c", code + "; assert 'xxhash' in sys.modules"], check=True)
