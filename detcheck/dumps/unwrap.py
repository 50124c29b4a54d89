"""What one side is given as: a path, `-`, a pipe, a folder, a zip file, packed or not; as named streams of bytes.

Nothing is ever written to disk, and no name from inside an archive is used as a path.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any

from detcheck.dumps.options import ReadOptions
from detcheck.dumps.packed import unpack
from detcheck.dumps.sizes import size_text
from detcheck.dumps.streams import Budget, Bytes, Stream, of_file
from detcheck.errors import DetcheckError, Where

#: a path, `-` for standard input, or an open binary file
Given = str | Path | Bytes

MAX_MEMBERS = 200_000
_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")


@dataclass
class Opened:
    """One stream, unpacked, of one side. `stem` is what a tick may be read from."""

    name: str
    stem: str
    stream: Stream
    remarks: list[str]
    wrapping: list[str]


@dataclass
class Input:
    """One side: `single`, or `members` of a folder or zip file in natural order, opened one at a time."""

    name: str
    single: Opened | None = None
    members: list[Member] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    wrapping: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Member:
    """A file of a folder or of a zip. `name` is relative and for showing and pairing only."""

    name: str
    opener: Callable[[], Opened]


class _OwnedFile(FileIO):
    """A file that belongs to the stream over it and is closed with it: a source is read up to where it is wanted."""

    def __del__(self) -> None:
        self.close()


def natural(name: str) -> list[tuple[int, int | str]]:
    """A sort key under which tick9 comes before tick10."""
    parts = re.split(r"(\d+)", name)
    return [(0, int(part)) if part.isdecimal() and len(part) < 100 else (1, part) for part in parts]


def open_input(given: Given, options: ReadOptions) -> Input:
    """Opens one side. Raises DetcheckError when it cannot be read."""
    if not isinstance(given, (str, Path)):
        name = str(getattr(given, "name", "stream"))
        return _of_stream(of_file(given, name), name, options)
    name = str(given)
    if name == "-":
        import sys

        return _of_stream(of_file(sys.stdin.buffer, "standard input"), "standard input", options)
    try:
        if os.path.isdir(name):
            return _folder(name, options)
        if _is_endless(name):
            raise DetcheckError("dump.device", "is a device, not a file, folder or pipe", Where(name))
        file = _OwnedFile(name, "rb")
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from None
    return _of_stream(of_file(file, name), name, options, file)


_TERMINALS = ("/dev/tty", "/dev/pts/", "/dev/console", "/dev/pty")


def _is_endless(name: str) -> bool:
    """Devices such as /dev/zero never end; terminals and /dev/null do."""
    mode = os.stat(name).st_mode
    if not stat.S_ISCHR(mode):
        return stat.S_ISBLK(mode)
    real = os.path.realpath(name)
    return real != os.devnull and not real.startswith(_TERMINALS)


def _unreadable(name: str, error: Exception) -> DetcheckError:
    reason = getattr(error, "strerror", None) or str(error)
    return DetcheckError("dump.unreadable", f"cannot be read: {reason}", Where(name))


def _of_stream(stream: Stream, name: str, options: ReadOptions, file: Any = None) -> Input:
    if stream.peek(4)[:4] in _ZIP_MAGIC:
        return _zip(stream, name, options, file)
    opened = _opened(stream, name, name, options, Budget(name, options))
    if opened.stream.peek(4)[:4] in _ZIP_MAGIC:
        result = _zip(opened.stream, name, options, None)
        result.wrapping[:0] = opened.wrapping
        return result
    return Input(name, opened, remarks=opened.remarks, wrapping=opened.wrapping)


def _opened(stream: Stream, name: str, stem: str, options: ReadOptions, budget: Budget) -> Opened:
    remarks: list[str] = []
    wrapping: list[str] = []
    stream = unpack(stream, budget, remarks, wrapping)
    return Opened(name, os.path.basename(stem.rstrip("/")), stream, remarks, wrapping)


def _folder(path: str, options: ReadOptions) -> Input:
    """Every regular file under the folder, hidden ones left out."""
    result = Input(path, wrapping=["folder"])
    budget = Budget(path, options)

    def opener(full: str, relative: str) -> Callable[[], Opened]:
        def open_now() -> Opened:
            try:
                file = _OwnedFile(full, "rb")
            except OSError as error:
                raise _unreadable(full, error) from None
            return _opened(of_file(file, full), full, relative, options, budget)

        return open_now

    for full in _files_under(path):
        relative = os.path.relpath(full, path).replace(os.sep, "/")
        result.members.append(Member(relative, opener(full, relative)))
        if len(result.members) > MAX_MEMBERS:
            raise DetcheckError("dump.too_many_files", f"holds more than {MAX_MEMBERS} files", Where(path))
    result.members.sort(key=lambda member: natural(member.name))
    return result


def _files_under(path: str) -> Iterator[str]:
    for root, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            full = os.path.join(root, name)
            if not name.startswith(".") and os.path.isfile(full):
                yield full


def _zip(stream: Stream, name: str, options: ReadOptions, file: Any) -> Input:
    """The members of a zip file; a pipe is held in memory up to max_record."""
    import io
    import zipfile

    seekable = file is not None and file.seekable()
    source = file if seekable else io.BytesIO(_read_all(stream, name, options.max_record))
    try:
        archive = zipfile.ZipFile(source)
        infos = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError) as error:
        raise DetcheckError("dump.damaged", f"the zip file cannot be read: {error}", Where(name)) from None
    result = Input(name, wrapping=["zip"])
    if len(infos) > MAX_MEMBERS:
        raise DetcheckError("dump.too_many_files", f"holds more than {MAX_MEMBERS} members", Where(name))
    _list_members(result, archive, infos, Budget(name, options), options)
    return result


def _list_members(result: Input, archive: Any, infos: list[Any], budget: Budget, options: ReadOptions) -> None:
    seen: dict[str, int] = {}
    encrypted = 0
    for info in infos:
        if info.is_dir() or _is_metadata(info.filename):
            continue
        if info.flag_bits & 1:
            encrypted += 1
            continue
        seen[info.filename] = seen.get(info.filename, 0) + 1
        shown = info.filename if seen[info.filename] == 1 else f"{info.filename}#{seen[info.filename]}"
        result.members.append(Member(shown, _zip_opener(archive, info, result.name, options, budget)))
    if encrypted:
        result.remarks.append(f"{encrypted} encrypted members of the zip were left out")
        if not result.members:
            raise DetcheckError("dump.encrypted", "every member of the zip is encrypted", Where(result.name))
    repeated = sum(count - 1 for count in seen.values())
    if repeated:
        result.remarks.append(f"{repeated} members of the zip have the name of another one; each was read")
    result.members.sort(key=lambda member: natural(member.name))


def _is_metadata(name: str) -> bool:
    return name.startswith("__MACOSX/") or os.path.basename(name) in (".DS_Store", "Thumbs.db")


def _zip_opener(archive: Any, info: Any, name: str, options: ReadOptions, budget: Budget) -> Callable[[], Opened]:
    def open_now() -> Opened:
        shown = f"{name}!{info.filename}"
        made = [0]
        try:
            file = archive.open(info)
        except _zip_faults() as error:
            raise DetcheckError("dump.damaged", f"cannot be unpacked: {error}", Where(shown)) from None

        def chunk() -> bytes:
            try:
                data: bytes = file.read(1 << 18)
            except _zip_faults() as error:
                raise DetcheckError("dump.damaged", f"cannot be unpacked: {error}", Where(shown)) from None
            made[0] += len(data)
            budget.spend(len(data), max(1, info.compress_size), made[0], "zip")
            return data

        return _opened(Stream(chunk), shown, info.filename, options, budget)

    return open_now


def _zip_faults() -> tuple[type[Exception], ...]:
    import lzma
    import struct
    import zipfile
    import zlib

    return (
        *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
        *(OSError, EOFError, ValueError, NotImplementedError, RuntimeError),
    )


def _read_all(stream: Stream, name: str, limit: int) -> bytes:
    parts, have = [], 0
    while chunk := stream.read():
        parts.append(chunk)
        have += len(chunk)
        if have > limit:
            text = f"a zip file from a pipe may have at most {size_text(limit)}"
            raise DetcheckError("dump.too_large", text, Where(name), "give it as a file")
    return b"".join(parts)
