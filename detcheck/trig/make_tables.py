"""Makes FastTrig's committed tables from exact arithmetic: mpmath at 60 digits, one rounding to binary32 an entry.

    python -m detcheck.trig.make_tables --check    compare the committed files and digests (exit 1 if any differs)
    python -m detcheck.trig.make_tables --write    write the files and print the digests for tables.py

A development tool: mpmath is imported here and nowhere else in the package.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from detcheck.hashing import digest128
from detcheck.trig.tables import TABLES

#: untyped, and only here, so that nothing else needs it
mpmath: Any = import_module("mpmath")

DIGITS = 60
_PER_LINE = 8


def _nearest(value: Any) -> int:
    """One rounding of a 60-digit value to 24 bits, ties to even. No entry is a denormal, and packing is then exact."""
    with mpmath.workprec(24):
        rounded = float(+value)
    bits: int = struct.unpack("<I", struct.pack("<f", rounded))[0]
    return bits


def _sine(i: int) -> int:
    """sin(2 pi i / 4096); whole half turns are +0, so that entry 4096 is entry 0."""
    return 0 if i % 2048 == 0 else _nearest(mpmath.sin(2 * mpmath.pi * i / 4096))


def _arctangent(i: int) -> int:
    """atan(i / 8192)."""
    return _nearest(mpmath.atan(mpmath.mpf(i) / 8192))


MAKERS: dict[str, Callable[[int], int]] = {"sine": _sine, "arctangent": _arctangent}


def make(name: str) -> list[int]:
    """The entries of a table as bit patterns."""
    with mpmath.workdps(DIGITS):
        return [MAKERS[name](i) for i in range(TABLES[name].entries)]


def as_text(entries: list[int]) -> str:
    """The committed form: eight hex digits an entry, eight entries a line."""
    words = [f"{bits:08x}" for bits in entries]
    return "".join(" ".join(words[i : i + _PER_LINE]) + "\n" for i in range(0, len(words), _PER_LINE))


def digest(entries: list[int]) -> str:
    """xxh3_128 of the entries as little-endian binary32."""
    return digest128(b"".join(bits.to_bytes(4, "little") for bits in entries))


def main(arguments: list[str]) -> int:
    """Exit 0, 1 when --check finds a difference, 2 for anything but --check or --write."""
    if arguments not in (["--check"], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 2
    unlike = 0
    for name, table in TABLES.items():
        entries = make(name)
        if arguments == ["--write"]:
            Path(table.path).write_text(as_text(entries), encoding="ascii", newline="\n")
            print(f"{name} {digest(entries)}")
        else:
            same = table.path.read_text(encoding="ascii") == as_text(entries) and table.digest == digest(entries)
            print(f"{name}: {'as made' if same else 'differs'}")
            unlike += not same
    return 1 if unlike else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
