"""What `--version` shows: the library's and the formats' versions, without importing anything for it."""

from __future__ import annotations

import os
import sys

from detcheck import version

#: distributions that detcheck runs on
LIBRARIES: tuple[str, ...] = ("click", "rich", "xxhash")


def version_text() -> str:
    """Versions of detcheck, of what it runs on and of its formats; one fact a line."""
    libraries = "  ".join(f"{name} {library_version(name)}" for name in LIBRARIES)
    formats = (
        f"golden {version.GOLDEN_FORMAT}  dump {version.DUMP_FORMAT}  "
        f"vectors {version.VECTORS_FORMAT}  report {version.REPORT_FORMAT}"
    )
    maths = "  ".join(f"{backend} {number}" for backend, number in version.MATH_VERSIONS.items())
    return "\n".join(
        [
            f"detcheck {version.__version__}",
            f"python   {sys.version.split()[0]}  {libraries}",
            f"formats  {formats}",
            f"math     {maths}",
        ]
    )


def library_version(name: str) -> str:
    """A distribution's version by the name of its metadata folder: importlib.metadata would cost more than click."""
    for folder in sys.path:
        try:
            entries = os.listdir(folder or os.curdir)
        except OSError:
            continue
        for entry in entries:
            head, dash, rest = entry.lower().partition("-")
            if dash and head == name and rest.endswith((".dist-info", ".egg-info")):
                return rest.rsplit(".", 1)[0]
    return "not found"
