"""The committed tables: every entry is the nearest binary32, and a damaged table is named, never used."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
import trig_exact

from detcheck.errors import DetcheckError
from detcheck.hashing import digest128
from detcheck.trig import tables
from detcheck.trig.tables import ARCTANGENT, SINE, TABLES, TableFile


def entries(table: TableFile) -> tuple[int, ...]:
    return struct.unpack(f"<{table.entries}I", tables.table_bytes(table))


def scaled(bits: int) -> int:
    """The value of a pattern, times 2^200."""
    mantissa, field = bits & 0x7FFFFF | 0x800000, bits >> 23 & 0xFF
    magnitude = mantissa << (field - 150 + trig_exact.BITS)
    return -magnitude if bits >> 31 else magnitude


def assert_nearest(bits: int, exact: int, what: str) -> None:
    """Half a unit in the last place is not reached: nearest, and no tie, with room for the series' own error."""
    half_unit = 1 << ((bits >> 23 & 0xFF) - 151 + trig_exact.BITS)
    below = bits & 0x7FFFFF == 0  # under a power of two the neighbour is half as far
    assert abs(scaled(bits) - exact) < (half_unit // 2 if below else half_unit) - (1 << 60), what


def test_every_sine_entry_is_nearest() -> None:
    """Entry i is the binary32 nearest to sin(2 pi i / 4096), by an independent series; whole half turns are +0."""
    found = entries(SINE)
    assert len(found) == 4097
    assert found[0] == found[2048] == found[4096] == 0
    quarter = [trig_exact.sine(2 * trig_exact.PI * i // 4096) for i in range(1025)]
    for i in range(1, 4096):
        if i == 2048:
            continue
        inside = i % 2048
        exact = quarter[min(inside, 2048 - inside)]
        assert_nearest(found[i], exact if i < 2048 else -exact, f"sine {i}")
    assert (found[1024], found[3072]) == (0x3F800000, 0xBF800000)


def test_every_arctangent_entry_is_nearest() -> None:
    """Entry i is the binary32 nearest to atan(i / 8192), by an independent series."""
    found = entries(ARCTANGENT)
    assert len(found) == 8193
    assert found[0] == 0
    for i in range(1, 8193):
        assert_nearest(found[i], trig_exact.arctangent(i, 8192), f"arctangent {i}")


@pytest.mark.parametrize("name", list(TABLES))
def test_the_digest_is_of_the_file(name: str) -> None:
    """The digest in the source is that of the committed entries, in memory order."""
    assert digest128(tables.table_bytes(TABLES[name])) == TABLES[name].digest


@pytest.mark.parametrize("name", list(TABLES))
@pytest.mark.parametrize("damage", ["digit", "swap", "cut", "more", "no hex", "not text", "empty", "missing"])
def test_a_damaged_table_is_named(name: str, damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong digit is enough: an error with the table's name and file, and no value."""
    text = TABLES[name].path.read_text(encoding="ascii")
    words = text.split()
    copy = tmp_path / f"{name}.hex"
    digit = text[:-2] + ("1" if text[-2] != "1" else "2") + "\n"
    damages: dict[str, bytes] = {
        "digit": digit.encode(),
        "swap": " ".join([*words[:5], words[6], words[5], *words[7:]]).encode(),
        "cut": text[: len(text) // 2].encode(),
        "more": (text + "00000000\n").encode(),
        "no hex": text.replace("3", "g", 1).encode(),
        "not text": b"\xff\xfe" + text.encode(),
        "empty": b"",
    }
    if damage in damages:
        copy.write_bytes(damages[damage])
    monkeypatch.setattr(TableFile, "path", property(lambda self: copy))
    with pytest.raises(DetcheckError) as caught:
        tables.table_floats(TABLES[name])
    assert caught.value.code == "trig.table"
    assert f"the {name} table" in str(caught.value)
    assert copy.name in str(caught.value)


def test_a_table_with_other_line_ends_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout that made CRLF of it changes no entry."""
    copy = tmp_path / "sine.hex"
    copy.write_bytes(SINE.path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    expected = tables.table_bytes(SINE)
    monkeypatch.setattr(TableFile, "path", property(lambda self: copy))
    assert tables.table_bytes(SINE) == expected


def test_tables_are_read_only_when_asked_for() -> None:
    """Importing the trigonometry opens no table."""
    import subprocess
    import sys

    code = "from detcheck import numbers; numbers.get('float_pinned_32'); from detcheck.trig import fasttrig as f; "
    code += (
        "assert f._sine == f._arctangent == (); f.sin_angle(5); assert len(f._sine) == 4097; assert f._arctangent == ()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).resolve().parents[2])
