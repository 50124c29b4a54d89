"""Reading what a user names: regular files only, looked at before they are opened, never more than a limit."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

from detcheck.errors import DetcheckError, Where

_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a pipe (FIFO)"),
    (stat.S_ISCHR, "a character device"),
    (stat.S_ISBLK, "a block device"),
    (stat.S_ISSOCK, "a socket"),
)

_THERE = "detcheck list shows what is there"
_RIGHTS = "let this user read it and the folders above it (ls -ld shows who may)"

#: what the system says -> code, message, what to do
_REASONS = {
    errno.ENOENT: ("file.missing", "there is no such file", _THERE),
    errno.ENOTDIR: ("file.missing", "there is no such file: a folder of its path is a file", _THERE),
    errno.EACCES: ("file.permission", "permission denied", _RIGHTS),
    errno.EPERM: ("file.permission", "permission denied", _RIGHTS),
    errno.ELOOP: ("file.missing", "a loop of symbolic links", "ls -l shows where the links go: put the file there"),
    errno.ENAMETOOLONG: ("file.missing", "the name is too long", "give it a shorter one"),
    errno.EISDIR: ("file.not_regular", "a directory, not a regular file", None),
}

# O_NONBLOCK: were the file swapped for a FIFO between the look and the opening, open would not hang.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def open_regular(path: Path, what: str) -> BinaryIO:
    """Open a regular file for reading bytes. `what` says in messages what it should be ("a scenario file").

    Raises DetcheckError: file.missing, file.permission, file.not_regular (a FIFO, a folder, a device: seen before it is
    opened), file.unreadable.
    """
    try:
        _refuse_special(os.stat(path).st_mode, path, what)
        descriptor = os.open(path, _FLAGS)
        try:
            _refuse_special(os.fstat(descriptor).st_mode, path, what)
            return os.fdopen(descriptor, "rb")
        except BaseException:
            os.close(descriptor)
            raise
    except OSError as error:
        raise unreadable(path, error) from None
    except ValueError:  # a NUL or a lone surrogate in the name
        raise DetcheckError("file.missing", "no file can have this name", Where(str(path))) from None


def read_regular(path: Path, limit: int, what: str) -> bytes:
    """All bytes of a regular file of at most `limit` bytes. Raises as `open_regular`, and file.too_large."""
    with open_regular(path, what) as stream:
        try:
            data = stream.read(limit + 1)
            size = max(len(data), os.fstat(stream.fileno()).st_size)
        except OSError as error:
            raise unreadable(path, error) from None
    if len(data) > limit:
        raise DetcheckError(
            "file.too_large",
            f"{size:,} bytes; {what} has at most {limit:,}",
            Where(str(path)),
            "nothing of it was read as anything",
        )
    return data


def is_device_name(stem: str) -> bool:
    """Whether Windows takes a file of this name, whatever its suffix, for a device."""
    return re.fullmatch(r"(?i:con|prn|aux|nul|com[0-9]|lpt[0-9])", stem) is not None


def unreadable(path: Path, error: OSError) -> DetcheckError:
    """The fault for an operating system's refusal."""
    unknown = ("file.unreadable", error.strerror or "cannot be read", "see whether it can be read at all: cat FILE")
    code, text, hint = _REASONS.get(error.errno or 0, unknown)
    if code == "file.missing" and os.path.islink(path) and error.errno == errno.ENOENT:
        text = "a link to a file that is not there"
    return DetcheckError(code, text, Where(str(path)), hint)


def _refuse_special(mode: int, path: Path, what: str) -> None:
    if stat.S_ISREG(mode):
        return
    kind = next((name for test, name in _KINDS if test(mode)), "no regular file")
    raise DetcheckError("file.not_regular", f"{kind}, not a regular file", Where(str(path)), f"name {what}")
