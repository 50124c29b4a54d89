"""The optional full states of a golden's checkpoints: an ordinary dump beside it, bounded in size."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from detcheck.dumps.write import DumpHead, DumpWriter
from detcheck.engine.executor import Executor
from detcheck.errors import DetcheckError
from detcheck.model.checkpoint import Checkpoint
from detcheck.model.record import Record

#: most bytes of the states of a golden, uncompressed
STATES_LIMIT = 16 << 20


class StatesWriter:
    """Collects states while a golden is recorded; `close` puts the file in place, or says why there is none.

    Written before the golden. Beyond the limit nothing is kept, an older states file is removed, and `remark` says so.
    """

    def __init__(self, path: Path, head: DumpHead) -> None:
        self.path = path
        self.remark: str | None = None
        self._writer: DumpWriter | None = DumpWriter(path, head)

    def write(self, executor: Executor, checkpoint: Checkpoint) -> None:
        """Add the state where the executor stands."""
        if self._writer is None:
            return
        self._writer.write(executor, checkpoint)
        if self._writer.written > STATES_LIMIT:
            self.discard()
            self.remark = f"the states take more than {STATES_LIMIT >> 20} MiB uncompressed; none are kept"

    def close(self) -> None:
        """Put the states in place, or remove what an earlier recording left."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
            return
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise DetcheckError("file.write", f"{self.path} cannot be removed: {error.strerror}") from None

    def discard(self) -> None:
        """Keep nothing of it; the file that is there stays until `close`."""
        if self._writer is not None:
            self._writer.discard()
            self._writer = None


def expected_states(path: Path, hashes: Mapping[int, str]) -> dict[int, Record]:
    """The records of a states file by tick, for the ticks of `hashes` (tick -> the golden line's hash).

    A record is used only when its hash is the golden's. No file gives no records; a file that is no dump raises
    DetcheckError.
    """
    if not os.path.lexists(path):
        return {}
    from detcheck.dumps.open import open_source

    found: dict[int, Record] = {}
    with _opened(path) as stream:
        for record in open_source(stream).records:
            tick, stored = record.tick, record.hashes.get("hash")
            if tick is not None and tick in hashes and stored is not None and stored.value == int(hashes[tick], 16):
                found[tick] = record
    return found


def _opened(path: Path) -> BinaryIO:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe would wait for a writer
            raise DetcheckError("file.read", f"{path} is no regular file")
        return path.open("rb")
    except OSError as error:
        raise DetcheckError("file.read", f"{path} cannot be read: {error.strerror}") from None
