"""A size as people say it."""

from __future__ import annotations

_UNITS = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))


def size_text(size: int) -> str:
    """`64 MiB` for whole units, as they are told to --max-record; else bytes."""
    return next((f"{size // unit} {name}" for unit, name in _UNITS if size and size % unit == 0), f"{size:,} bytes")
