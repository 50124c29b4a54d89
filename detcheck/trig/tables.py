"""FastTrig's two tables: committed bit patterns, read on first use, each checked by its digest.

`sine` entry i is the binary32 nearest to sin(2 pi i / 4096), i = 0..4096; `arctangent` entry i is the binary32 nearest
to atan(i / 8192), i = 0..8192. They were made by `python -m detcheck.trig.make_tables` from exact arithmetic; nothing
computes them from the platform's functions.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from pathlib import Path
from struct import unpack

from detcheck.errors import DetcheckError, Where
from detcheck.hashing import digest128


@dataclass(frozen=True)
class TableFile:
    """`digest` is the xxh3_128 of the entries as little-endian binary32, in order."""

    name: str
    entries: int
    digest: str

    @property
    def path(self) -> Path:
        """Eight hex digits an entry, separated by white space."""
        return Path(__file__).with_name(f"{self.name}.hex")


SINE = TableFile("sine", 4097, "24ca66322c7e53ceb27bfa3ba17bfbc4")
ARCTANGENT = TableFile("arctangent", 8193, "d0d1afae21f41ea587573b3fa3d0ade9")

#: every table, by name
TABLES: dict[str, TableFile] = {table.name: table for table in (SINE, ARCTANGENT)}


def table_bytes(table: TableFile) -> bytes:
    """The entries as little-endian binary32. A missing, cut or altered file is a DetcheckError `trig.table`."""
    try:
        text = table.path.read_text(encoding="ascii")
        # The file shows patterns as they are written (most significant digit first); memory wants them the other way.
        words = array("I", bytes.fromhex(text))
        words.byteswap()
        data = words.tobytes()
    except (OSError, ValueError) as fault:
        raise _damaged(table, f"cannot be read: {fault}") from fault
    if len(data) != 4 * table.entries:
        raise _damaged(table, f"has {len(data)} bytes, not {4 * table.entries}")
    found = digest128(data)
    if found != table.digest:
        raise _damaged(table, f"has digest {found}, not {table.digest}")
    return data


def table_floats(table: TableFile) -> tuple[float, ...]:
    """The entries' values, `table.entries` of them."""
    return unpack(f"<{table.entries}f", table_bytes(table))


def _damaged(table: TableFile, what: str) -> DetcheckError:
    return DetcheckError(
        "trig.table",
        f"the {table.name} table of float_pinned_32 {what}",
        Where(str(table.path)),
        "this installation is damaged: install detcheck again (in a checkout: git checkout the file)",
    )
