"""Standard streams that are closed, full or left: a command is never ended by one with a traceback.

A missing standard output is a failure once something should have gone there; standard error is a convenience.
"""

from __future__ import annotations

import io
import os
import sys
from typing import IO

#: what stands for a stream that this process was started without
_NAMES = ("stdin", "stdout", "stderr")


class Nowhere(io.RawIOBase):
    """Takes everything and gives nothing. `taken` is whether anything was written."""

    def __init__(self) -> None:
        super().__init__()
        self.taken = False

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        return 0

    def write(self, data: object) -> int:
        size = memoryview(data).nbytes  # type: ignore[arg-type]
        self.taken = self.taken or size > 0
        return size


def stand_in() -> None:
    """Put something in the place of closed standard streams (Python makes them None), and take encodings as they are.

    Their descriptors are taken up too: no file that is opened later may become standard output.
    """
    for number, name in enumerate(_NAMES):
        if getattr(sys, name) is None:
            _occupy(number)
            setattr(sys, name, _stand_in(name))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a character gets its escape


def _stand_in(name: str) -> IO[str]:
    raw = Nowhere()
    buffer: io.BufferedReader | io.BufferedWriter = (
        io.BufferedReader(raw) if name == "stdin" else io.BufferedWriter(raw)
    )
    return io.TextIOWrapper(buffer, encoding="utf-8", errors="backslashreplace")


def _occupy(number: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        # the lowest free one is given, and those below it are taken by now
        os.open(os.devnull, os.O_RDWR)


def fault_of_stdout() -> str | None:
    """Flush standard output while a failure can still be answered for: what is wrong with it, in words, or None.

    Raises BrokenPipeError when its reader has left.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        discard(sys.stdout)
        raise
    except OSError as error:
        discard(sys.stdout)
        return f"standard output: {error.strerror or error}"
    except ValueError:
        return "standard output is closed"
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return "standard output is closed" if isinstance(raw, Nowhere) and raw.taken else None


def settle_stderr() -> None:
    """Leave nothing in standard error that the interpreter's own last flush could fail on."""
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """Point a stream at nothing, so that the interpreter's own last flush has nothing to complain about."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        return
