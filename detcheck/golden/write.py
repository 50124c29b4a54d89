"""Writing a golden: killed at any moment, the file is old or new, whole (design: formats, regen)."""

from __future__ import annotations

from pathlib import Path

from detcheck.dumps.atomic import write_atomically
from detcheck.golden.golden import Golden, render


def write_golden(path: Path | str, golden: Golden) -> None:
    """Write a golden with an identity, LF whatever the platform. Raises DetcheckError `file.write`.

    Its states file, if there is to be one, is written before (golden.states), so that a golden never stands beside
    states that are older than it without the hashes saying so.
    """
    write_atomically(path, render(golden).encode("utf-8"))
