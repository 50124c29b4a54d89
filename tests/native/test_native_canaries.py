"""The canaries: known by exact arithmetic, and each seen to fail for its own cause."""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from struct import pack, unpack

import pytest

from detcheck.engine import canaries, native
from detcheck.engine.canaries import GROUPS, doctor, judge, python_values, run_canaries
from detcheck.errors import DetcheckError
from detcheck.numbers import BACKENDS, binary32

FLOAT = "float_pinned_32"
ROOT = Path(canaries.__file__).parents[2]
CANARY_C = ROOT / "detcheck" / "_native" / "canary.c"
CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
X86 = platform.machine().lower() in ("x86_64", "amd64")
needs_cc = pytest.mark.skipif(CC is None or not CANARY_C.exists(), reason="no C compiler, or no C sources here")
needs_x86 = pytest.mark.skipif(not X86, reason="x86-64 only")
VALUES = sum(len(group.values) for group in GROUPS)
EXPECTED = [expected for group in GROUPS for _, expected in group.values]


def round32(value: Fraction) -> Fraction:
    """The nearest binary32, exactly."""
    return Fraction(unpack("<f", pack("<I", binary32.nearest(value.numerator, value.denominator)))[0])


def bits32(value: Fraction) -> int:
    return binary32.nearest(value.numerator, value.denominator)


def bits64(value: Fraction) -> int:
    """Of a Fraction, by Python's own correctly rounded division."""
    bits: int = unpack("<Q", pack("<d", value.numerator / value.denominator))[0]
    return bits


def test_contraction_values_tell_fused_from_unfused() -> None:
    """Computed exactly: the expected bits are the unfused results, and every way to fuse gives other bits."""
    lerp, dot, reduce = (expected for group in GROUPS if group.name == "contraction" for _, expected in group.values)
    a, b, t = (round32(Fraction(text)) for text in ("0.7", "5.3", "0.13"))
    difference = round32(b - a)
    assert bits32(a + round32(difference * t)) == lerp
    assert bits32(a + difference * t) != lerp
    p, q, r, s = (round32(Fraction(text)) for text in ("1.74", "6.61", "2.34", "8.23"))
    assert bits32(round32(p * r) + round32(q * s)) == dot
    assert bits32(p * r + round32(q * s)) != dot
    assert bits32(round32(p * r) + q * s) != dot
    radians, turn = round32(Fraction("100.3")), Fraction(float.fromhex("0x1.921fb54442d18p+2"))
    whole = Fraction((turn * 15).numerator / (turn * 15).denominator)
    assert bits64(radians - whole) == reduce
    assert bits64(radians - turn * 15) != reduce


def test_the_other_values_are_the_exact_ones() -> None:
    """Denormals, rounding and double rounding: the expected bits by exact rational arithmetic."""
    known = {what: expected for group in GROUPS for what, expected in group.values}
    two = Fraction(2)
    assert known["binary32 product"] == bits32(Fraction(15, 8) * two**-140)
    assert known["binary64 product"] == 15 * 2 ** (1074 - 1060 - 3)
    assert known["binary32 scaled"] == bits32(two**-49)
    assert known["binary64 scaled"] == bits64(two**-474)
    root = round32(Fraction(unpack("<f", pack("<I", known["binary32 root"]))[0]))
    assert abs(root * root - two**-149) < two**-149 * two**-23
    assert known["binary32 tie"] == bits32(1 + two**-24) == bits32(Fraction(1))
    assert [known["1/3"], known["-1/3"]] == [bits32(Fraction(1, 3)), bits32(Fraction(-1, 3))]
    assert [known["binary64 1/3"], known["binary64 -1/3"]] == [bits64(Fraction(1, 3)), bits64(Fraction(-1, 3))]
    assert known["double rounding"] == bits64(1 + two**-53 + two**-65) != bits64(Fraction(1))
    assert known["sum in order"] == bits32(Fraction("0.7"))


def test_every_canary_holds_here() -> None:
    """On the machine of these tests all hold: Python's floats, both loop builds, the tables."""
    assert [canary for canary in doctor() if not canary.ok] == []
    for executor in ("auto", "reference", "generated"):
        for backend in BACKENDS:
            assert all(canary.ok for canary in run_canaries(executor, backend))
    assert len(python_values()) == VALUES


def test_what_a_replay_stands_on() -> None:
    """All canaries on binary32; what draws and carriers go through on the fixed backends, in Python as well."""
    names = {canary.name for canary in run_canaries("reference", FLOAT)}
    assert {f"{group.name} (python)" for group in GROUPS} | {"table (sine)", "table (arctangent)"} == names
    wanted = {"rounding_mode (python)", "extended_precision (python)", "byte_order (python)"}
    for executor in ("reference", "generated"):
        for backend in ("fixed_point_16_16", "fixed_wrapping_16_16"):
            assert {canary.name for canary in run_canaries(executor, backend)} == wanted


@pytest.mark.skipif(not native.available(), reason=native.why_not() or "native")
def test_native_replays_try_the_loops_they_use() -> None:
    """Rounding mode and extended precision stand under every backend of the native executor, in the loops in use."""
    fixed = {canary.name for canary in run_canaries("native:baseline", "fixed_point_16_16")}
    assert {"rounding_mode (native baseline)", "extended_precision (native baseline)"} <= fixed
    assert "contraction (native baseline)" not in fixed
    for loops in native.build_info().loops:
        assert f"contraction (native {loops})" in {canary.name for canary in doctor()}


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_one_wrong_value_fails_its_own_canary(group: canaries.Group) -> None:
    """Any value off by one bit: that canary alone fails, with its cause, the value's name and both bit patterns."""
    start = sum(len(before.values) for before in GROUPS[: GROUPS.index(group)])
    for offset, (what, expected) in enumerate(group.values):
        values = list(EXPECTED)
        values[start + offset] ^= 1
        failed = [canary for canary in judge(values, "test") if not canary.ok]
        assert [canary.name for canary in failed] == [f"{group.name} (test)"]
        assert group.cause in failed[0].detail
        assert f"{what} is {expected ^ 1:x}, not {expected:x}" in failed[0].detail


def test_a_damaged_table_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table whose digest is another one fails its canary and names the file."""

    def damaged(table: object) -> bytes:
        raise DetcheckError("trig.table", "the sine table has digest 00, not 24ca")

    monkeypatch.setattr(canaries, "table_bytes", damaged)
    monkeypatch.setattr(canaries, "_tables", canaries._tables.__wrapped__)
    failed = [canary for canary in run_canaries("reference", FLOAT) if not canary.ok]
    assert [canary.name for canary in failed] == ["table (sine)", "table (arctangent)"]
    assert "digest" in failed[0].detail


def built(folder: Path, *flags: str) -> list[int]:
    """canary.c built with `flags`, and the values it gives."""
    library = folder / "canary.so"
    assert CC is not None
    done = subprocess.run(
        [CC, "-std=c11", "-fPIC", "-shared", *flags, "-o", str(library), str(CANARY_C), "-lm"], capture_output=True
    )
    if done.returncode:
        pytest.skip(f"this compiler cannot build with {' '.join(flags)}")
    values = (ctypes.c_uint64 * 32)()
    count = ctypes.CDLL(str(library)).detcheck_canary(values)
    return list(values[:count])


def failing(values: list[int]) -> set[str]:
    """Groups that fail on the values."""
    return {canary.name.partition(" ")[0] for canary in judge(values, "test") if not canary.ok}


PINNED = ("-O3", "-ffp-contract=off", "-fno-associative-math", "-fno-math-errno", "-fno-trapping-math")


@needs_cc
def test_the_pinned_flags_hold(tmp_path: Path) -> None:
    """Built alone with the extension's flags, canary.c gives every expected value."""
    assert built(tmp_path, *PINNED) == EXPECTED


@needs_cc
@needs_x86
def test_a_fused_multiply_add_is_found(tmp_path: Path) -> None:
    """Built with contraction on, the contraction canary fails and no other."""
    if "fma" not in (Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""):
        pytest.skip("this processor is not known to have fused multiply-add")
    assert failing(built(tmp_path, "-O2", "-ffp-contract=fast", "-mfma")) == {"contraction"}


@needs_cc
@needs_x86
def test_extended_precision_is_found(tmp_path: Path) -> None:
    """Built for the x87, the extended precision canary fails, and first."""
    values = built(tmp_path, "-O2", "-mfpmath=387", "-ffp-contract=off")
    failed = [canary.name for canary in judge(values, "test") if not canary.ok]
    assert failed[0] == "extended_precision (test)"


@needs_cc
@pytest.mark.parametrize("level", ["-O1", "-O2", "-O3"])
def test_lost_signs_of_zeros_are_found(level: str, tmp_path: Path) -> None:
    """Built with -fno-signed-zeros, every value of that canary is wrong and no other canary fails."""
    values = built(tmp_path, level, *PINNED[1:], "-fno-signed-zeros")
    failed = [canary for canary in judge(values, "test") if not canary.ok]
    assert [canary.name for canary in failed] == ["signed_zero (test)"]
    for group in GROUPS:
        if group.name == "signed_zero":
            assert all(f"{what} is " in failed[0].detail for what, _ in group.values), failed[0].detail


@needs_cc
def test_reassociation_and_lost_nans_are_found(tmp_path: Path) -> None:
    """Built with fast-math (in a process of its own, since such a library can change the mode), both canaries fail."""
    library = tmp_path / "fast.so"
    assert CC is not None
    subprocess.run(
        [CC, "-std=c11", "-fPIC", "-shared", "-O3", "-ffast-math", "-o", str(library), str(CANARY_C), "-lm"], check=True
    )
    script = (
        "import ctypes\nvalues = (ctypes.c_uint64 * 32)()\n"
        f"count = ctypes.CDLL({str(library)!r}).detcheck_canary(values)\nprint(*values[:count])"
    )
    found = failing([int(word) for word in run(script).split()])
    assert {"reassociation", "nan_bits"} <= found


def run(script: str, *libraries: Path) -> str:
    """The output of a script in a helper process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, libraries)],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    return done.stdout


SHIM = "#include <immintrin.h>\nvoid set_control(unsigned bits) { _mm_setcsr(_mm_getcsr() | bits); }\n"

CONTROLLED = """
import ctypes, sys
from detcheck.engine import native
from detcheck.engine.canaries import run_canaries
ctypes.CDLL(sys.argv[1]).set_control({bits})
executors = ["reference", "native", "native:baseline"] if native.available() else ["reference"]
for executor in executors:
    for backend in ("float_pinned_32", "fixed_point_16_16"):
        for canary in run_canaries(executor, backend):
            if not canary.ok:
                print(executor, backend, canary.name.split(" ")[0])
"""


def first_cause(lines: list[str], executor: str, backend: str) -> str | None:
    """The canary that a refused replay names."""
    return next((line.split()[2] for line in lines if line.split()[:2] == [executor, backend]), None)


@needs_cc
@needs_x86
@pytest.mark.parametrize(
    ("bits", "group", "fixed_too"),
    [
        (0x8000, "flush_to_zero", False),
        (0x0040, "denormals_are_zero", False),
        (0x2000, "rounding_mode", True),
        (0x4000, "rounding_mode", True),
        (0x6000, "rounding_mode", True),
    ],
    ids=["flush to zero", "denormals are zero", "round down", "round up", "round toward zero"],
)
def test_a_changed_control_register_is_found(bits: int, group: str, fixed_too: bool, tmp_path: Path) -> None:
    """A thread's floating-point mode changed in a helper process: every executor that rests on it refuses, by cause."""
    (tmp_path / "shim.c").write_text(SHIM)
    assert CC is not None
    subprocess.run([CC, "-fPIC", "-shared", "-o", tmp_path / "shim.so", tmp_path / "shim.c"], check=True)
    lines = run(CONTROLLED.format(bits=bits), tmp_path / "shim.so").splitlines()
    executors = ["reference", "native", "native:baseline"] if native.available() else ["reference"]
    for executor in executors:
        assert f"{executor} {FLOAT} {group}" in lines
        assert first_cause(lines, executor, FLOAT) == group
        assert first_cause(lines, executor, "fixed_point_16_16") == (group if fixed_too else None)


@needs_cc
@needs_x86
def test_a_fast_math_library_is_found(tmp_path: Path) -> None:
    """Loading a library that was linked with -ffast-math flushes denormals for the whole thread (GCC before 13)."""
    (tmp_path / "fast.c").write_text("void set_control(unsigned bits) { (void)bits; }\n")
    assert CC is not None
    flags = ["-O2", "-ffast-math", "-fPIC", "-shared"]
    subprocess.run([CC, *flags, "-o", tmp_path / "fast.so", tmp_path / "fast.c"], check=True)
    lines = run(CONTROLLED.format(bits=0), tmp_path / "fast.so").splitlines()
    if not lines:
        pytest.skip("this compiler's fast-math libraries leave the mode alone")
    assert f"reference {FLOAT} flush_to_zero" in lines
    assert f"reference {FLOAT} denormals_are_zero" in lines
