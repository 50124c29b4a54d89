"""What is no scenario file: refused with a reason and a place, before it is opened where opening could hurt."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from scenario_texts import BASE, changed, faults_of, loaded, write

from detcheck.errors import DetcheckError
from detcheck.scenario.load import FILE_MAX, load
from detcheck.scenario.positions import MAX_NESTING


@pytest.fixture(autouse=True)
def _no_hanging() -> Iterator[None]:
    """A test that hangs on a pipe is killed, not waited for."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return
    signal.alarm(60)
    yield
    signal.alarm(0)


def fault_of(path: Path | str) -> DetcheckError:
    with pytest.raises(DetcheckError) as caught:
        load(path)
    return caught.value


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """The message says which file is not there."""
    fault = fault_of(tmp_path / "none.toml")
    assert fault.code == "file.missing"
    assert "none.toml" in str(fault)
    assert fault_of(write(tmp_path, "") / "below.toml").code == "file.missing"


@pytest.mark.parametrize("name", ["a\0b.toml", "x" * 5000 + ".toml", "\ud800.toml"])
def test_a_name_that_no_file_can_have_is_a_missing_file(tmp_path: Path, name: str) -> None:
    """Hostile names end as a fault, without control characters in it."""
    fault = fault_of(tmp_path / name)
    assert fault.code == "file.missing"
    assert str(fault).encode("utf-8").isascii() or "…" in str(fault)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """A directory is not a scenario file."""
    assert fault_of(tmp_path).code == "file.not_regular"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    """Loading a FIFO does not wait for a writer, through a symbolic link neither."""
    fifo = tmp_path / "pipe.toml"
    os.mkfifo(fifo)
    (tmp_path / "link.toml").symlink_to(fifo)
    for path in (fifo, tmp_path / "link.toml"):
        fault = fault_of(path)
        assert fault.code == "file.not_regular"
        assert "FIFO" in str(fault)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices here")
def test_a_device_is_refused() -> None:
    """An endless device is not read."""
    assert fault_of("/dev/zero").code == "file.not_regular"


@pytest.mark.skipif(sys.platform == "win32" or (hasattr(os, "geteuid") and os.geteuid() == 0), reason="root reads all")
def test_a_file_without_permission_is_named(tmp_path: Path) -> None:
    """No traceback, but the operating system's refusal in words."""
    path = write(tmp_path, BASE)
    path.chmod(0)
    assert fault_of(path).code == "file.permission"
    path.chmod(0o644)
    tmp_path.chmod(0)
    try:
        assert fault_of(path).code == "file.permission"
    finally:
        tmp_path.chmod(0o755)


def test_a_link_to_a_regular_file_is_followed(tmp_path: Path) -> None:
    """A symbolic link's own name is the scenario's."""
    target = write(tmp_path, BASE)
    (tmp_path / "linked.toml").symlink_to(target)
    assert load(tmp_path / "linked.toml").name == "linked"


def test_a_file_of_exactly_the_limit_loads_and_one_byte_more_does_not(tmp_path: Path) -> None:
    """The limit of 1 MiB is in bytes, and its message says both sizes."""
    padding = FILE_MAX - len(BASE.encode("utf-8")) - 2
    exact = BASE + "#" + "x" * padding + "\n"
    load(write(tmp_path, exact))
    fault = fault_of(write(tmp_path, exact + "\n"))
    assert fault.code == "file.too_large"
    assert "1,048,577 bytes" in str(fault)
    assert "1,048,576" in str(fault)


def test_ten_megabytes_of_garbage_are_refused_by_their_size(tmp_path: Path) -> None:
    """Garbage is not parsed at all when it is too large."""
    fault = fault_of(write(tmp_path, random.Random(1).randbytes(10_000_000)))
    assert fault.code == "file.too_large"
    assert "10,000,000 bytes" in str(fault)


def test_invalid_utf8_is_refused_with_the_byte_s_position(tmp_path: Path) -> None:
    """The message counts bytes of the file from 1, and lines, a BOM included."""
    data = BASE.encode("utf-8").replace(b"Everything", b"Every\xffthing")
    fault = fault_of(write(tmp_path, data))
    assert fault.code == "scenario.encoding"
    assert f"byte {data.index(0xFF) + 1} of the file (0xff)" in fault.message
    assert fault.where is not None
    assert fault.where.line == 2
    fault = fault_of(write(tmp_path, b"\xef\xbb\xbf" + data))
    assert f"byte {data.index(0xFF) + 4} of the file" in fault.message
    assert "UTF-16" in fault_of(write(tmp_path, BASE.encode("utf-16"))).message


#: what is no TOML, and where: line, column (None: as tomllib says)
BROKEN: list[tuple[str, str, tuple[int | None, int | None]]] = [
    ("seed = 0x1DE7C0DE", "seed = ", (5, None)),
    ("seed = 0x1DE7C0DE", "seed = 1 2", (5, None)),
    ("seed = 0x1DE7C0DE", "seed = 1\nseed = 2", (6, None)),
    ("seed = 0x1DE7C0DE", "seed 1", (5, None)),
    ('each = "unit"', 'each = "unit', (53, None)),
    ("[config]", "[config", (10, None)),
    ("[config]", "[scenario]", (10, None)),
    ("drag = 0.98", "drag = 1" + "0" * 5000, (12, 8)),
    ("drag = 0.98", "drag = 1" + "0" * 990, (12, 8)),
    ("drag = 0.98", "drag = 1979-13-27", (12, None)),
    ("drag = 0.98", "drag = " + "[" * 5000, (12, 9 + MAX_NESTING)),
    ("drag = 0.98", "drag = " + "{a=" * 5000, (12, 8 + 3 * (MAX_NESTING + 1))),
    ("drag = 0.98", "drag.a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q = 1", (12, 1)),
    ("drag = 0.98", "drag = \x07", (12, None)),
    ("drag = 0.98", "drag = 0.98\rx = 1", (12, None)),
    ("drag = 0.98", "drag = 0x", (12, None)),
    ("score = sum(unit.hp)", "score = \\q", (None, None)),
]


@pytest.mark.parametrize(("old", "new", "place"), BROKEN, ids=[b[1][:24].replace("\x07", "bell") for b in BROKEN])
def test_what_is_not_toml_is_refused_at_its_place(
    tmp_path: Path, old: str, new: str, place: tuple[int | None, int | None]
) -> None:
    """A syntax error, a hostile number, date or nesting is one fault with line and caret, never a traceback."""
    (fault,) = faults_of(write(tmp_path, changed((old, new))))
    assert fault.code in ("scenario.syntax", "scenario.number", "scenario.type"), str(fault)
    assert fault.where is not None
    if place[0] is not None:
        assert fault.where.line == place[0], str(fault)
        assert fault.where.source is not None
        assert fault.where.column is not None
    if place[1] is not None:  # else tomllib's, which may move between versions of Python
        assert fault.where.column == place[1], str(fault)
    assert "('" not in fault.message
    assert len(str(fault)) < 1000


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"#", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf", b"\0" * 100, b"[" * 100_000]
)
def test_a_file_of_nothing_much_is_refused(tmp_path: Path, data: bytes) -> None:
    """Emptiness has a fault too."""
    assert faults_of(write(tmp_path, data))


def test_a_hostile_file_costs_bounded_time(tmp_path: Path) -> None:
    """Long dotted headers over many keys, endless brackets, a megabyte of one key: none of them is quadratic."""
    deep = "[" + ".".join("a" * 200_000) + "]\n" + "".join(f"k{i} = 1\n" for i in range(60_000))
    many = BASE + "".join(f"[x{i}]\n" for i in range(30_000))
    entries = BASE[: BASE.index("[[inputs]]")] + "[[inputs]]\n" * 20_000
    quotes = 'a = """' + '\\"' * 400_000
    for text in (deep, many, entries, quotes, "a = " + "1_" * 500_000, "a." * 500_000):
        assert faults_of(write(tmp_path, text))


def test_names_from_the_file_are_made_visible(tmp_path: Path) -> None:
    """Control and bidirectional characters of a file never reach a message raw."""
    faults = faults_of(write(tmp_path, changed(("[config]", '["\\u001b[31m\\u202econfig"]'))))
    for fault in faults:
        assert "\x1b" not in str(fault)
        assert "\u202e" not in str(fault)


def test_windows_line_ends_and_a_bom_are_accepted(tmp_path: Path) -> None:
    """CRLF and a BOM change neither what is loaded nor where faults stand."""
    plain = loaded(tmp_path)
    odd = load(write(tmp_path, b"\xef\xbb\xbf" + BASE.replace("\n", "\r\n").encode("utf-8")))
    assert (odd.config_hash, odd.inputs_hash, odd.summary) == (plain.config_hash, plain.inputs_hash, plain.summary)
    text = changed(("ticks = 600", "ticks = -1")).replace("\n", "\r\n")
    (fault,) = faults_of(write(tmp_path, b"\xef\xbb\xbf" + text.encode("utf-8")))
    assert fault.where is not None
    assert (fault.where.line, fault.where.column, fault.where.source) == (6, 9, "ticks = -1")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-16", "utf-32"])
def test_wide_encodings_are_named_with_or_without_a_mark(tmp_path: Path, encoding: str) -> None:
    """What a Windows editor saves: the encoding and what to do, never `not valid TOML`."""
    path = tmp_path / "wide.toml"
    path.write_bytes("[scenario]\nticks = 1\n".encode(encoding))
    with pytest.raises(DetcheckError) as caught:
        load(path)
    assert caught.value.code == "scenario.encoding"
    assert "UTF-16" in str(caught.value)
    assert "save it as UTF-8" in str(caught.value)


def test_lines_that_end_in_cr_alone_are_named(tmp_path: Path) -> None:
    """The oldest line end there is."""
    path = tmp_path / "old.toml"
    path.write_bytes(b"[scenario]\rticks = 1\r")
    with pytest.raises(DetcheckError) as caught:
        load(path)
    assert "CR alone" in str(caught.value)


@pytest.mark.parametrize("name", ["con", "prn", "aux", "nul", "com1", "com9", "lpt1", "lpt0"])
def test_names_that_windows_keeps_are_no_scenarios(tmp_path: Path, name: str) -> None:
    """A golden folder of that name could not be made there."""
    path = tmp_path / f"{name}.toml"
    path.write_text("[scenario]\n")
    with pytest.raises(DetcheckError) as caught:
        load(path)
    assert "Windows" in str(caught.value)


@pytest.mark.parametrize("name", ["cons", "con1", "com", "com10", "lpt", "null", "auxiliary"])
def test_names_like_them_are(tmp_path: Path, name: str) -> None:
    """Only the very names are kept."""
    path = tmp_path / f"{name}.toml"
    path.write_text("[scenario]\n")
    with pytest.raises(DetcheckError) as caught:
        load(path)
    assert "Windows" not in str(caught.value)
