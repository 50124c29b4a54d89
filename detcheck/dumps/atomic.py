"""Files that are either as they were or whole and new, whatever happens while they are written."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from detcheck.errors import DetcheckError, Where, visible

#: what a temporary file's name begins and ends with; readers of folders leave such names out
TEMPORARY_PREFIX = ".detcheck-"
TEMPORARY_SUFFIX = ".tmp"

#: a left-over temporary file older than this cannot be another process's that still writes
_STALE_SECONDS = 3600


class AtomicFile:
    """A binary file written under a temporary name in the same folder, flushed, fsynced and renamed by `commit`.

    Leaving it without `commit` (an exception, `discard`) removes the temporary file and leaves the target as it was; a
    killed process leaves a temporary file, which the next write of that target removes an hour later.
    """

    def __init__(self, path: Path | str) -> None:
        """Open the temporary file; the folder is made when it is missing. Raises DetcheckError `file.write`."""
        self.shown = os.fspath(path)
        try:
            # a link stays a link: what it points to is replaced
            self.path = Path(os.path.realpath(path))
            self._prefix = f"{TEMPORARY_PREFIX}{self.path.name}-"
            self._temporary = self.path.with_name(f"{self._prefix}{os.urandom(6).hex()}{TEMPORARY_SUFFIX}")
            if self.path.exists() and not self.path.is_file():
                raise DetcheckError("file.write", "this is no regular file; it is not overwritten", Where(self.shown))
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._remove_stale()
            self.stream: BinaryIO = open(self._temporary, "xb")  # noqa: SIM115 - it outlives this call
            _hold(self.stream)
        except (OSError, ValueError) as error:
            raise self.fault(error) from None

    def _remove_stale(self) -> None:
        before = time.time() - _STALE_SECONDS
        for name in os.listdir(self.path.parent):
            if name.startswith(self._prefix) and name.endswith(TEMPORARY_SUFFIX):
                with contextlib.suppress(OSError):
                    left_over = self.path.with_name(name)
                    if left_over.stat().st_mtime < before:
                        left_over.unlink()

    def fault(self, error: Exception) -> DetcheckError:
        """What could not be written and why."""
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return DetcheckError("file.write", f"cannot be written: {visible(words)}", Where(self.shown))

    def commit(self) -> None:
        """Make the new content the file's, at once. Raises DetcheckError `file.write`; the old content then stays."""
        try:
            self.stream.flush()
            os.fsync(self.stream.fileno())
            self.stream.close()
            os.replace(self._temporary, self.path)
        except (OSError, ValueError) as error:
            self.discard()
            raise self.fault(error) from None
        _sync_folder(self.path.parent)

    def discard(self) -> None:
        """Give the new content up; the target stays as it was."""
        with contextlib.suppress(OSError, ValueError):
            self.stream.close()
        with contextlib.suppress(OSError):
            self._temporary.unlink()

    def __enter__(self) -> AtomicFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.stream.closed:
            self.discard()


def temporary_target(name: str) -> str | None:
    """The name of the file that a temporary file of this name was to become; None for any other name."""
    found = re.fullmatch(rf"{re.escape(TEMPORARY_PREFIX)}(.+)-[0-9a-f]{{12}}{re.escape(TEMPORARY_SUFFIX)}", name)
    return found[1] if found else None


def is_abandoned(path: Path) -> bool:
    """Whether a temporary file's writer is gone: a regular file that nobody holds any more."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return False
        with open(path, "rb") as stream:
            return _hold(stream)
    except OSError:
        return False


def _hold(stream: BinaryIO) -> bool:
    """Lock an open file for as long as it is open, however its process ends; false when another holds it.

    Where there are no such locks (Windows), a file that is open cannot be removed anyway.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return time.time() - os.fstat(stream.fileno()).st_mtime > _STALE_SECONDS
    return True


def _sync_folder(folder: Path) -> None:
    """Make the rename last through a power cut, where folders can be synced (not on Windows)."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_atomically(path: Path | str, content: bytes) -> None:
    """Replace the file's content as a whole. Raises DetcheckError `file.write`."""
    with AtomicFile(path) as file:
        try:
            file.stream.write(content)
        except OSError as error:
            raise file.fault(error) from None
        file.commit()
