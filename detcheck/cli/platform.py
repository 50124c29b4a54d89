"""The machine of a report: os, arch, python, compiler, loops in use."""

from __future__ import annotations

import platform
import sys


def platform_fields() -> dict[str, str]:
    """What tells two machines apart where bits could differ."""
    from detcheck.engine.executors import native_available

    fields = {
        "os": platform.system().lower(),
        "arch": platform.machine(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "byte_order": sys.byteorder,
    }
    if not native_available():
        return {**fields, "compiler": "none: the native executor is not built", "loops": "none"}
    from detcheck.engine.native import build_info

    build = build_info()
    return {**fields, "compiler": build.compiler, "flags": build.flags, "loops": build.loops[0]}


def platform_words() -> str:
    """The machine in a few words, for a dump's head."""
    return f"{platform.system().lower()} {platform.machine()}"
