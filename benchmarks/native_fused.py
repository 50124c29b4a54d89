"""The fused C program of the workload, compiled here and now with the extension's own flags, over ctypes."""

from __future__ import annotations

import ctypes
import shlex
import subprocess
from array import array
from fractions import Fraction
from pathlib import Path

from detcheck import numbers
from detcheck.engine import native
from detcheck.engine.native import NativeExecutor
from detcheck.numbers import Backend

_HERE = Path(__file__).parent
_COLUMNS = (
    *(("pos", 0), ("pos", 1), ("vel", 0), ("vel", 1)),
    *(("speed", 0), ("ratio", 0), ("luck", 0), ("mix", 0), ("dice", 0)),
)
#: step, -arena, arena, pull, blend, scale of native_scenarios.WORKLOAD
_CONSTANTS = ("0.013", "-61.7", "61.7", "7.3", "0.013", "3.7")
_FUNCTIONS = {"fixed_point_16_16": "fused_fixed", "float_pinned_32": "fused_float"}


def build(folder: Path) -> ctypes.CDLL:
    """fused.c as a library in `folder`, for the widest loops in use here."""
    target = folder / "fused.so"
    wide = ["-DFUSED_AVX2"] if "avx2" in native.build_info().loops else []
    flags = [flag for flag in shlex.split(native.build_info().flags) if flag != "-fvisibility=hidden"]
    subprocess.run(["cc", *flags, *wide, "-w", "-fPIC", "-shared", "-o", target, _HERE / "fused.c", "-lm"], check=True)
    return ctypes.CDLL(str(target))


class Fused:
    """The workload's columns, copied from an executor after its setup, and the fused program over them."""

    def __init__(self, library: ctypes.CDLL, executor: NativeExecutor, backend_id: str) -> None:
        backend = numbers.get(backend_id)
        self.rows = executor.tables[-1].rows
        self._lanes = [_unsigned(executor.lane("unit", column, lane), self.rows) for column, lane in _COLUMNS]
        words = memoryview(executor.rng_state()).cast("I").tolist()
        self._mt = _unsigned([*words, *(_tempered(word) for word in words[:624])], 1249)
        self._columns = (ctypes.c_void_p * 10)(*(ctypes.addressof(lane) for lane in (*self._lanes, self._mt)))
        self._constants = (ctypes.c_uint32 * 6)(*(_cell(backend, text) for text in _CONSTANTS))
        self._function = getattr(library, _FUNCTIONS[backend_id])
        self._touch = library.touch

    def run(self, ticks: int) -> None:
        """So many ticks of the workload."""
        self._function(ctypes.byref(self._columns), ctypes.byref(self._constants), self.rows, ticks)

    def touch(self, ticks: int) -> None:
        """Read and write every column once a tick: the memory limit. The values are of no use afterwards."""
        self._touch(ctypes.byref(self._columns), self.rows, ticks)

    def lanes(self) -> list[list[int]]:
        """Every column's bits."""
        return [list(lane) for lane in self._lanes]

    @staticmethod
    def lanes_of(executor: NativeExecutor) -> list[list[int]]:
        """The same columns of an executor."""
        return [[cell & 0xFFFFFFFF for cell in executor.lane("unit", *column)] for column in _COLUMNS]


def _tempered(y: int) -> int:
    y ^= y >> 11
    y ^= (y << 7) & 0x9D2C5680
    y ^= (y << 15) & 0xEFC60000
    return y ^ (y >> 18)


def _cell(backend: Backend, text: str) -> int:
    return backend.literal(Fraction(text)) & 0xFFFFFFFF


def _unsigned(cells: list[int], count: int) -> ctypes.Array[ctypes.c_uint32]:
    packed = array("I", (cell & 0xFFFFFFFF for cell in cells))
    return (ctypes.c_uint32 * count).from_buffer_copy(packed.tobytes() or b"\0\0\0\0")
