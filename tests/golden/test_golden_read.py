"""Reading goldens: strict, bounded, and every fault named with its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hand_built import FLOAT, SPLITMIX, identity
from hypothesis import given, settings
from hypothesis import strategies as st

from detcheck.errors import DetcheckError
from detcheck.golden import read
from detcheck.golden.golden import Golden, make_golden, render
from detcheck.golden.read import read_golden
from detcheck.golden.write import write_golden
from detcheck.hashing import state_hash
from detcheck.model.checkpoint import Checkpoint


def checkpoint(tick: int, *digests: str, names: tuple[str, ...] = ("rng", "world.score", "unit.pos")) -> Checkpoint:
    found = digests or tuple(f"{tick * 16 + index:016x}" for index in range(len(names)))
    return Checkpoint(tick, state_hash(tick, found), tuple(zip(names, found, strict=True)))


def sample(every: int = 60, ticks: int = 150, reason: str = "first recording", **changes: object) -> Golden:
    found = [*range(0, ticks, every), ticks]
    return make_golden(identity(**changes), every, ticks, reason, [checkpoint(tick) for tick in found])


LINES = render(sample()).splitlines()


def put(tmp_path: Path, content: bytes | str) -> Path:
    path = tmp_path / "hand" / "fixed_point_16_16.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def fault(tmp_path: Path, content: bytes | str) -> DetcheckError:
    with pytest.raises(DetcheckError) as caught:
        read_golden(put(tmp_path, content))
    assert caught.value.exit_code == 2
    return caught.value


@pytest.mark.parametrize("changes", [{}, {"rng": SPLITMIX, "seed": (1 << 64) - 1}, {"backend": FLOAT, "math": 12}])
def test_what_is_written_is_read_back(tmp_path: Path, changes: dict[str, object]) -> None:
    """Identity, range, reason and every line survive a round trip, and the text is that of the design page."""
    path = tmp_path / "new" / "folder.txt"
    golden = sample(reason="a reason, with ünïcödé — and #", **changes)
    write_golden(path, golden)
    found = read_golden(path)
    assert (found.identity, found.every, found.ticks, found.reason) == (
        golden.identity,
        golden.every,
        golden.ticks,
        golden.reason,
    )
    assert found.lines == golden.lines
    assert not found.remarks
    assert b"\r" not in path.read_bytes()


def test_text_is_the_format(tmp_path: Path) -> None:
    """The header lines stand in the design page's order, then a line a checkpoint with every part."""
    digests = ("0" * 16, "1" * 16)
    golden = make_golden(identity(), 1, 0, "why", [checkpoint(0, *digests, names=("rng", "unit.hp"))])
    assert render(golden) == (
        "# detcheck golden 1\n"
        "# scenario hand\n"
        "# backend fixed_point_16_16\n"
        "# rng mt19937 x87_precision=53\n"
        "# seed 0x0000000000001571\n"
        "# inputs 11111111111111111111111111111111\n"
        "# config 22222222222222222222222222222222\n"
        "# math 1\n"
        "# every 1\n"
        "# ticks 0\n"
        "# reason why\n"
        f"0 {state_hash(0, digests)} rng=0000000000000000 unit.hp=1111111111111111\n"
    )


def test_crlf_is_accepted(tmp_path: Path) -> None:
    """A checkout with CRLF reads as the same golden."""
    found = read_golden(put(tmp_path, "".join(f"{line}\r\n" for line in LINES)))
    assert found.lines == sample().lines


def test_fewer_lines_are_left_to_the_comparison(tmp_path: Path) -> None:
    """A golden cut between two lines, or without any checkpoint, is read."""
    assert len(read_golden(put(tmp_path, "\n".join(LINES[:-1]) + "\n")).lines) == len(sample().lines) - 1
    assert read_golden(put(tmp_path, "\n".join(LINES[:11]) + "\n")).lines == ()


@pytest.mark.parametrize("line", range(len(LINES)))
def test_a_cut_anywhere_in_a_line_is_a_fault(tmp_path: Path, line: int) -> None:
    """A file that ends inside any line names that line."""
    whole = "\n".join(LINES[:line]) + ("\n" if line else "")
    for length in (1, len(LINES[line]) // 2, len(LINES[line])):
        error = fault(tmp_path, whole + LINES[line][:length])
        assert error.code == "golden.form"
        assert error.where is not None
        assert error.where.line == line + 1


@pytest.mark.parametrize("line", range(11))
def test_a_header_line_missing_twice_or_elsewhere_is_a_fault(tmp_path: Path, line: int) -> None:
    """Exactly these header lines, in this order, once each."""
    without = [*LINES[:line], *LINES[line + 1 :]]
    twice = [*LINES[: line + 1], *LINES[line:]]
    swapped = [*LINES[:line], LINES[line + 1], LINES[line], *LINES[line + 2 :]]
    for lines, where in ((without, line + 1), (twice, line + 2), (swapped, line + 1)):
        error = fault(tmp_path, "\n".join(lines) + "\n")
        assert error.where is not None
        assert error.where.line == where
        assert "detcheck regen hand --yes --reason" in str(error)


@pytest.mark.parametrize(
    ("line", "text", "column"),
    [
        (1, "# scenario Hand", 12),
        (1, "# scenario  hand", 12),
        (1, "# scenario hand ", 12),
        (3, "# rng mt19937", 7),
        (3, "# rng splitmix64 x87_precision=53", 7),
        (3, "# rng mt19937 x87_precision=64", 7),
        (4, "# seed 0x1571", 8),
        (4, "# seed 0x000000000000157G", 8),
        (5, "# inputs " + "1" * 31, 10),
        (6, "# config " + "A" * 32, 10),
        (7, "# math 0", 8),
        (7, "# math 01", 8),
        (8, "# every 0", 9),
        (8, "# every -1", 9),
        (8, "# every " + "9" * 5000, 9),
        (9, "# ticks 2147483648", 9),
        (9, "# ticks +1", 9),
        (9, "# ticks ٣", 9),
        (10, "# reason ", 10),
        (10, "# reason " + "x" * 201, 10),
        (10, "# reason a\x1bb", 10),
        (10, "# reason a\tb", 10),
        (10, "# reason a\u202eb", 10),
        (10, "# because", 1),
        (11, "0  " + LINES[11][2:], 3),
        (11, LINES[11] + " ", len(LINES[11]) + 2),
        (11, LINES[11].upper(), 3),
        (11, LINES[11].replace("rng=", "rnd="), 20),
        (11, LINES[11].replace("world.score", "rng"), 41),
        (11, LINES[11].replace("unit.pos", "world.score"), 70),
        (11, LINES[11].split(" rng")[0], len(LINES[11].split(" rng")[0]) + 1),
        (11, "00" + LINES[11][1:], 1),
        (12, LINES[12].replace("60 ", "61 ", 1), 1),
        (12, LINES[12].replace("60 ", "0 ", 1), 1),
        (12, LINES[12].replace("60 ", "180 ", 1), 1),
        (12, "", 1),
        (12, "# a comment", 1),
        (14, "\0" * 100, 1),
    ],
)
def test_each_fault_names_line_and_column(tmp_path: Path, line: int, text: str, column: int) -> None:
    """Whatever is not as it has to be is named with its line and column."""
    error = fault(tmp_path, "\n".join([*LINES[:line], text, *LINES[line + 1 :]]) + "\n")
    assert error.where is not None
    assert (error.where.line, error.where.column) == (line + 1, column)
    assert all(c.isprintable() for c in str(error).replace("\n", ""))


def test_other_part_names_in_a_later_line_are_a_fault(tmp_path: Path) -> None:
    """Every line has the same parts."""
    error = fault(tmp_path, "\n".join([*LINES[:12], LINES[12].replace("unit.pos", "unit.vel")]) + "\n")
    assert "parts" in error.message


def test_another_version_says_so(tmp_path: Path) -> None:
    """A golden of a later format is not half read."""
    error = fault(tmp_path, "# detcheck golden 2\n# whatever\n")
    assert error.code == "golden.version"
    assert "golden.txt" not in str(error)


def test_a_damaged_line_is_marked(tmp_path: Path) -> None:
    """One changed digit, in a hash, a digest or a tick, breaks that line's own hash."""
    for old, new in (("rng=0000000000000000", "rng=0000000000000001"), (LINES[11][2:18], "f" * 16)):
        found = read_golden(put(tmp_path, "\n".join([*LINES[:11], LINES[11].replace(old, new), *LINES[12:]]) + "\n"))
        assert [line.damaged for line in found.lines] == [True, False, False, False]


def test_plain_stream_is_a_golden_without_identity(tmp_path: Path) -> None:
    """`<tick> <hash>` lines are read with a remark that identity and parts were not checked."""
    found = read_golden(put(tmp_path, f"1 {'a' * 16}\r\n2 {'b' * 16}\n10 {'c' * 16}\n"))
    assert found.identity is None
    assert [line.checkpoint for line in found.lines] == [
        Checkpoint(1, "a" * 16),
        Checkpoint(2, "b" * 16),
        Checkpoint(10, "c" * 16),
    ]
    assert "not checked" in found.remarks[0]
    for bad in (f"1 {'a' * 16}\n1 {'b' * 16}\n", f"1 {'a' * 16}\n2 {'b' * 15}\n", f"1 {'a' * 16}\n2 {'B' * 16}\n"):
        error = fault(tmp_path, bad)
        assert error.where is not None
        assert error.where.line == 2


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    """A folder, a FIFO (not even opened), a name with a NUL, a path through a file: a fault, never a hang."""
    fifo = tmp_path / "fifo"
    if hasattr(os, "mkfifo"):
        os.mkfifo(fifo)
    else:
        fifo.mkdir()
    for path in (tmp_path, fifo, Path(os.devnull), "a\0b"):
        with pytest.raises(DetcheckError) as caught:
            read_golden(path)
        assert caught.value.code == "golden.file"
    with pytest.raises(DetcheckError) as caught:
        read_golden(tmp_path / "hand" / "nothing.txt")
    assert caught.value.code == "golden.missing"
    assert "detcheck regen hand" in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read anything")
def test_no_permission_is_a_fault(tmp_path: Path) -> None:
    """A golden that may not be read says so."""
    path = put(tmp_path, "x\n")
    path.chmod(0)
    with pytest.raises(DetcheckError):
        read_golden(path)


@pytest.mark.parametrize("unit", [b"\0", b"x", b"\xff", b"# detcheck golden 1\n", b"0 0000000000000000\n", b"\n"])
def test_ten_megabytes_of_garbage(tmp_path: Path, unit: bytes) -> None:
    """Garbage of any size is one short fault."""
    error = fault(tmp_path, unit * (10_000_000 // len(unit)))
    assert len(str(error)) < 2000


def test_size_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file or a line beyond the bounds is refused before it is held."""
    monkeypatch.setattr(read, "LINE_LIMIT", 100)
    assert "too long" in fault(tmp_path, "x" * 101 + "\n").message
    monkeypatch.setattr(read, "FILE_LIMIT", 10)
    assert "too many" in fault(tmp_path, "x" * 11 + "\n").message


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_fuzzed_goldens_give_goldens_or_faults(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Random bytes and random edits of a golden raise nothing but the product's own errors."""
    whole = ("\n".join(LINES) + "\n").encode()
    position = data.draw(st.integers(0, len(whole)))
    drop = data.draw(st.integers(0, 40))
    insert = data.draw(st.binary(max_size=40))
    content = data.draw(st.sampled_from([insert, whole[:position] + insert + whole[position + drop :]]))
    path = put(tmp_path_factory.mktemp("fuzz"), content)
    caught = None
    try:
        read_golden(path)
    except DetcheckError as error:
        caught = error
    assert caught is None or (caught.where is not None and str(caught))


def test_a_mark_before_the_text_is_accepted_once(tmp_path: Path) -> None:
    """A byte order mark is taken as scenarios take it: one, at the very beginning."""
    whole = "\n".join(LINES) + "\n"
    golden = read_golden(put(tmp_path, "\ufeff" + whole))
    assert render(golden) == whole
    assert render(read_golden(put(tmp_path, ("\ufeff" + whole).replace("\n", "\r\n")))) == whole
    with pytest.raises(DetcheckError):
        read_golden(put(tmp_path, "\ufeff\ufeff" + whole))
    with pytest.raises(DetcheckError):
        read_golden(put(tmp_path, whole.replace("# backend", "\ufeff# backend")))
    assert read_golden(put(tmp_path, "\ufeff0 0123456789abcdef\n")).identity is None
