"""One shape a file. A new reader is one file and one line in READERS; the best score over the sample is chosen."""

from __future__ import annotations

from detcheck.dumps.readers import (
    detcheck_dump,
    golden_lines,
    hash_lines,
    json_document,
    json_lines,
    raw_bytes,
    table,
)
from detcheck.dumps.readers.base import Reader

#: in order of worth: of equal scores the first one wins
READERS: tuple[Reader, ...] = (
    detcheck_dump.READER,
    golden_lines.READER,
    hash_lines.READER,
    json_lines.READER,
    json_document.READER,
    table.READER,
    raw_bytes.READER,
)
