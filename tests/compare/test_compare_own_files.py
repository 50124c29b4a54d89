"""detcheck's own files beside each other and beside plain streams, and windows that are asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from detcheck.compare.api import diff

HASHES = [f"{0xD01350B8FEFCD936 + 977 * n:016x}" for n in range(7)]


def _golden(folder: Path, bad: int = 99) -> Path:
    lines = ["# detcheck golden 1", "# scenario s", "# backend fixed_point_16_16", "# rng splitmix64"]
    lines += ["# seed 0x0000000000000007", "# math 1", "# every 30", "# ticks 180", "# reason first recording"]
    for n, digest in enumerate(HASHES):
        lines.append(f"{n * 30} {digest if n < bad else digest[::-1]} rng=76e148d97f8ddf34 unit.hp={digest}")
    path = folder / "golden.txt"
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return path


def _dump(folder: Path, seed: str = "0x0000000000000007") -> Path:
    identity = {"scenario": "s", "backend": "fixed_point_16_16", "rng": "splitmix64", "seed": seed, "math": 1}
    rows: list[dict] = [{"detcheck": "dump", "version": 1, "identity": identity, "number": "q16.16", "schema": {}}]
    rows += [{"tick": n * 30, "hash": digest, "parts": {"unit.hp": digest}} for n, digest in enumerate(HASHES)]
    path = folder / "dump.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="ascii")
    return path


def _stream(folder: Path) -> Path:
    path = folder / "stream.txt"
    path.write_text("".join(f"{n * 30} {digest}\n" for n, digest in enumerate(HASHES)), encoding="ascii")
    return path


@pytest.mark.parametrize("other", [_dump, _stream])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_golden_beside_a_dump_or_a_stream(other, swapped: bool, tmp_path: Path) -> None:
    """A golden is read as one beside whatever else holds the same hashes, and its identity compares as written."""
    sides = [_golden(tmp_path), other(tmp_path)]
    found = diff(*(reversed(sides) if swapped else sides))
    assert (found.verdict, found.coverage.ticks_compared) == ("same", 7)
    assert "detcheck-golden" in found.readers
    bad = [_golden(tmp_path, bad=4), sides[1]]
    found = diff(*(reversed(bad) if swapped else bad))
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 120)


def test_a_golden_of_another_seed(tmp_path: Path) -> None:
    """Seeds that are spelled and are unlike keep the sides from being compared."""
    found = diff(_golden(tmp_path), _dump(tmp_path, "0x0000000000000008"))
    assert found.verdict == "inconclusive"
    assert "seed" in found.reason


def test_a_window_beside_both_sides(tmp_path: Path) -> None:
    """--ticks that neither side has names what was asked for and what both hold."""
    stream = _stream(tmp_path)
    found = diff(stream, stream, ticks="500:600")
    assert found.verdict == "inconclusive"
    for words in ("a and b have no record", "--ticks 500:600", "a: ticks 0 to 180", "b: ticks 0 to 180"):
        assert words in found.reason
