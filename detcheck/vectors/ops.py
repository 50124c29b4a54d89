"""The ops of known-answer vectors: what each takes and gives, one table for the reader, the check and the maker.

An op is the method of that name of a backend (see detcheck.numbers). Form: the design's vectors page.
"""

from __future__ import annotations

from dataclasses import dataclass

from detcheck.numbers import Backend

#: the kinds of value besides "num" (the backend's number) -> least and greatest
RANGES: dict[str, tuple[int, int]] = {
    "q16.16": (-0x80000000, 0x7FFFFFFF),
    "f32": (0, 0xFFFFFFFF),
    "i32": (-0x80000000, 0x7FFFFFFF),
    "angle": (0, 0xFFFFFFFF),
    "flag": (0, 1),
}

#: kind -> how messages call it
KIND_WORDS: dict[str, str] = {
    "q16.16": "a Q16.16 raw",
    "f32": "a binary32 bit pattern",
    "i32": "an i32",
    "angle": "an angle",
    "flag": "0 or 1",
}


@dataclass(frozen=True)
class OpShape:
    """`params` and `results` are kinds: num, i32, angle, flag, f32 (a bit pattern on every backend)."""

    name: str
    params: tuple[str, ...]
    results: tuple[str, ...]
    radians: bool = False

    def on(self, backend: Backend) -> bool:
        """Whether the backend has this op: radians are `float_pinned_32`'s alone."""
        return backend.radians or not self.radians

    def params_on(self, backend: Backend) -> tuple[str, ...]:
        """The parameters' kinds, num resolved to q16.16 or f32."""
        return tuple(backend.number if kind == "num" else kind for kind in self.params)

    def results_on(self, backend: Backend) -> tuple[str, ...]:
        """The results' kinds, num resolved to q16.16 or f32."""
        return tuple(backend.number if kind == "num" else kind for kind in self.results)


def _nums(names: str, count: int, results: int = 1, radians: bool = False) -> tuple[OpShape, ...]:
    return tuple(OpShape(name, ("num",) * count, ("num",) * results, radians) for name in names.split())


#: every op, by name, in the order that files are made in
OPS: dict[str, OpShape] = {
    shape.name: shape
    for shape in (
        *_nums("add sub mul div", 2),
        *_nums("neg abs floor ceil sqrt", 1),
        *_nums("min max", 2),
        *(OpShape(name, ("num", "num"), ("flag",)) for name in ("lt", "le", "gt", "ge", "eq", "ne")),
        OpShape("from_int", ("i32",), ("num",)),
        OpShape("to_int", ("num",), ("i32",)),
        OpShape("from_f32", ("f32",), ("num",)),
        OpShape("to_f32", ("num",), ("f32",)),
        *_nums("clamp lerp", 3),
        *_nums("dot2 distance2", 4),
        *_nums("dot3 distance3", 6),
        *_nums("length2", 2),
        *_nums("length3", 3),
        *_nums("normalize2", 2, results=2),
        *_nums("normalize3", 3, results=3),
        OpShape("heading", ("num", "num"), ("angle",)),
        OpShape("sin_cos", ("angle",), ("num", "num")),
        *_nums("sin cos", 1, radians=True),
        *_nums("sincos", 1, results=2, radians=True),
        *_nums("atan2", 2, radians=True),
        *_nums("asin acos", 1, radians=True),
    )
}


def ops_of(backend: Backend) -> tuple[OpShape, ...]:
    """The ops that exist on a backend."""
    return tuple(shape for shape in OPS.values() if shape.on(backend))
