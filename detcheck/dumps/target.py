"""Where a dump goes: a file put in place as a whole, compressed by its suffix, or a stream."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import BinaryIO, cast

from detcheck.dumps.atomic import AtomicFile
from detcheck.errors import DetcheckError, visible

_GZIP_LEVEL = 6


class Target:
    """Takes bytes; `written` counts them uncompressed. Every failure is a DetcheckError `file.write`."""

    def __init__(self, target: Path | str | BinaryIO) -> None:
        self.written = 0
        if isinstance(target, Path | str):
            self._file: AtomicFile | None = AtomicFile(target)
            self._stream = _compressed(self._file.stream, Path(target).suffix.lower())
        else:
            self._file = None
            self._stream = target

    def write(self, content: bytes) -> None:
        """Add bytes."""
        try:
            self._stream.write(content)
        except BrokenPipeError:
            raise  # the reader of a pipe went away: not a fault of the dump
        except (OSError, ValueError) as error:
            raise self._fault(error) from None
        self.written += len(content)

    def close(self) -> None:
        """Finish the compression and put the file in place; a stream is flushed and left open."""
        if self._file is None:
            try:
                self._stream.flush()
            except BrokenPipeError:
                raise
            except (OSError, ValueError) as error:
                raise self._fault(error) from None
            return
        try:
            if self._stream is not self._file.stream:
                self._stream.close()
        except (OSError, ValueError) as error:
            self.discard()
            raise self._fault(error) from None
        self._file.commit()

    def discard(self) -> None:
        """Leave the file as it was."""
        if self._file is None:
            return
        if self._stream is not self._file.stream:
            with contextlib.suppress(OSError, ValueError):
                self._stream.close()
        self._file.discard()

    def _fault(self, error: Exception) -> DetcheckError:
        if self._file is not None:
            return self._file.fault(error)
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return DetcheckError("file.write", f"cannot be written: {visible(words)}")


def _compressed(stream: BinaryIO, suffix: str) -> BinaryIO:
    """A compressing stream over `stream`, whose bytes depend on the content alone (no name, no time)."""
    if suffix == ".gz":
        import gzip

        return cast(BinaryIO, gzip.GzipFile("", "wb", _GZIP_LEVEL, stream, mtime=0))
    if suffix == ".bz2":
        import bz2

        return cast(BinaryIO, bz2.BZ2File(stream, "wb"))
    if suffix == ".xz":
        import lzma

        return cast(BinaryIO, lzma.LZMAFile(stream, "wb"))
    return stream
