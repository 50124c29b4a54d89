"""One shape a file. A new reader is one file and one line in READERS; the best score over the sample is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detcheck.dumps.readers.base import Reader


@dataclass(frozen=True)
class Entry:
    """A reader's name, and the module of this room that has it as READER (imported when it is first looked at)."""

    name: str
    module: str

    @property
    def reader(self) -> Reader:
        """The reader itself."""
        return _reader(self.module)


@cache
def _reader(module: str) -> Reader:
    found: Reader = import_module(f"{__name__}.{module}").READER
    return found


#: in order of worth: of equal scores the first one wins, and a score of DECISIVE or more ends the search
READERS = (
    Entry("detcheck-dump", "detcheck_dump"),
    Entry("detcheck-golden", "golden_lines"),
    Entry("hash-lines", "hash_lines"),
    Entry("openra", "openra"),
    Entry("recoil", "recoil"),
    Entry("warzone", "warzone"),
    Entry("json-lines", "json_lines"),
    Entry("json", "json_document"),
    Entry("table", "table"),
    Entry("event-lines", "event_lines"),
    Entry("text-tree", "text_tree"),
    Entry("raw-bytes", "raw_bytes"),
)
DECISIVE = 95
