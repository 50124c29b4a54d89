"""One shape a file. A new reader is one file and one line in READERS; the best score over the sample is chosen."""

from __future__ import annotations

from detcheck.dumps.readers import (
    detcheck_dump,
    event_lines,
    golden_lines,
    hash_lines,
    json_document,
    json_lines,
    openra,
    raw_bytes,
    recoil,
    table,
    text_tree,
    warzone,
)
from detcheck.dumps.readers.base import Reader

#: in order of worth: of equal scores the first one wins
READERS: tuple[Reader, ...] = (
    detcheck_dump.READER,
    golden_lines.READER,
    openra.READER,
    recoil.READER,
    warzone.READER,
    hash_lines.READER,
    json_lines.READER,
    json_document.READER,
    table.READER,
    event_lines.READER,
    text_tree.READER,
    raw_bytes.READER,
)
