"""Files of the command line: regular ones only for reading, whole ones only for writing."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

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


def require_regular(path: Path, what: str, hint: str | None = None) -> None:
    """Refuse what is not a regular file before it is opened: a FIFO would wait for ever. Raises DetcheckError."""
    where = Where(shown_path(path))
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise DetcheckError("file.unreadable", f"{what} cannot be read: {error.strerror}", where, hint) from None
    if not stat.S_ISREG(mode):
        raise DetcheckError("file.not_regular", f"{what} is {kind_of(mode)}, not a regular file", where, hint)


def kind_of(mode: int) -> str:
    """The words for a file's type."""
    kinds = {
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a FIFO",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return kinds.get(stat.S_IFMT(mode), "something else")


def require_writable(path: str) -> None:
    """Say before a long replay that a report could not be written after it. Raises DetcheckError; leaves nothing."""
    target = Path(path)
    where = Where(visible(shown_path(target)))
    if target.is_dir():
        raise DetcheckError("file.unwritable", "is a folder; give the name of a file", where)
    if target.exists() and not target.is_file():
        if not os.access(target, os.W_OK):
            raise DetcheckError("file.unwritable", "cannot be written", where)
        return
    try:
        handle, name = tempfile.mkstemp(prefix=".detcheck-", dir=target.parent)
    except OSError as error:
        raise DetcheckError("file.unwritable", f"cannot be written: {error.strerror}", where) from None
    os.close(handle)
    os.unlink(name)


def write_whole(path: str, data: bytes) -> None:
    """Write a file so that a reader sees the old or the new one, whole. Raises DetcheckError.

    A device or a pipe (`/dev/stderr`) is written as it is: it cannot be replaced.
    """
    target = Path(path)
    where = Where(visible(shown_path(target)))
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        _replace(target.resolve() if target.is_symlink() else target, data)
    except OSError as error:
        raise DetcheckError("file.unwritable", f"cannot be written: {error.strerror}", where) from None


def _replace(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=".detcheck-", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, _mode_for(target))
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _mode_for(target: Path) -> int:
    """The mode a plain `open` would have left: mkstemp's is for secrets, a report is for others to read."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
