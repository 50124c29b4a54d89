"""Files of the command line: regular ones only for reading, whole ones only for writing."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from detcheck.dumps.atomic import AtomicFile, write_atomically
from detcheck.errors import DetcheckError, Where, visible


def shown_path(path: str | Path) -> str:
    """A path for people and reports: relative to the current folder where that is shorter, with forward slashes."""
    text = str(path)
    if os.path.isabs(text):
        try:
            relative = os.path.relpath(text)
        except ValueError:  # another drive
            return text
        text = relative if not relative.startswith("..") else text
    return text.replace(os.sep, "/")


def require_writable(path: str) -> None:
    """Say before a long replay that a report could not be written after it. Raises DetcheckError; leaves no file."""
    if _is_stream(path):
        return
    AtomicFile(path).discard()


def write_whole(path: str, data: bytes) -> None:
    """Write a file so that a reader sees the old or the new one, whole. Raises DetcheckError.

    A device or a pipe (`/dev/stderr`, `>(command)`) cannot be replaced: it is written as it is.
    """
    if not _is_stream(path):
        write_atomically(path, data)
        return
    try:
        with open(path, "wb") as stream:
            stream.write(data)
    except OSError as error:
        raise DetcheckError("file.write", f"cannot be written: {error.strerror}", Where(visible(path))) from None


@contextmanager
def output_target(path: str | None) -> Iterator[str | BinaryIO]:
    """What a dump is written to: a file's name, the open stream of a device or pipe, or standard output (None)."""
    if path is None:
        with _placed("standard output"):
            yield sys.stdout.buffer
    elif not _is_stream(path):
        yield path
    else:
        with _placed(visible(path)):
            stream = open(path, "wb")  # noqa: SIM115 - closed below, where a reader that left is not a fault of opening
            try:
                yield stream
            except BaseException:
                with suppress(OSError):  # it is said already
                    stream.close()
                raise
            stream.close()


@contextmanager
def _placed(name: str) -> Iterator[None]:
    """Failures to write a stream, with its name. A reader that left is none."""
    try:
        yield
    except BrokenPipeError:
        raise
    except DetcheckError as fault:
        if fault.code == "file.write" and fault.where is None:
            raise DetcheckError(fault.code, fault.message, Where(name), fault.hint) from None
        raise
    except OSError as error:
        raise DetcheckError("file.write", f"cannot be written: {error.strerror}", Where(name)) from None


def _is_stream(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)
