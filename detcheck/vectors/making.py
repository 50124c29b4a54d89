"""Making files of known answers from the reference, for engines in other languages (design: formats, Vectors)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

from detcheck import numbers
from detcheck.errors import DetcheckError, visible
from detcheck.numbers import Backend
from detcheck.rng import SplitMix64
from detcheck.vectors.answers import reference_engine
from detcheck.vectors.edges import EDGES, combined
from detcheck.vectors.ops import OPS, OpShape, ops_of
from detcheck.version import VECTORS_FORMAT, __version__

_BATCH = 1024


def make(backend_id: str, op: str | None, n: int, seed_u64: int) -> Iterator[str]:
    """The lines, without their ends, of a file of `n` known answers an op (None: every op of the backend, in order).

    An op's lines begin with edge values, at most half of them where n is more than there are; then arguments from
    splitmix64(seed). The same four arguments give the same lines. Raises DetcheckError `backend.unknown`,
    `vectors.unknown_op`, `vectors.count`, `rng.seed`, before the first line.
    """
    backend = numbers.get(backend_id)
    shapes = ops_of(backend) if op is None else (_shape(backend, op),)
    if n < 1:
        raise DetcheckError("vectors.count", f"{n} lines an op are none", hint="ask for 1 or more")
    SplitMix64(seed_u64)
    return _lines(backend, shapes, n, seed_u64)


def _shape(backend: Backend, op: str) -> OpShape:
    shape = OPS.get(op)
    if shape is None or not shape.on(backend):
        raise DetcheckError(
            "vectors.unknown_op",
            f"{backend.id} has no op {visible(op)}",
            hint=f"ops: {' '.join(shape.name for shape in ops_of(backend))}",
        )
    return shape


def _lines(backend: Backend, shapes: tuple[OpShape, ...], n: int, seed_u64: int) -> Iterator[str]:
    source = f"detcheck {__version__} reference, {n} lines an op, seed {seed_u64}"
    yield _json({"detcheck": "vectors", "version": VECTORS_FORMAT, "backend": backend.id, "source": source})
    compute = reference_engine(backend)
    for shape in shapes:
        # Each op starts the stream again, so that asking for one op gives the lines it has in the whole file.
        rows = _rows(backend, shape, n, SplitMix64(seed_u64))
        while batch := list(islice(rows, _BATCH)):
            for row, answer in zip(batch, compute(shape, batch), strict=True):
                yield _json({"op": shape.name, "in": row, "out": ["trap"] if answer is None else answer})


def _json(value: dict[str, object]) -> str:
    return json.dumps(value, separators=(",", ":"))


def _rows(backend: Backend, shape: OpShape, n: int, words: SplitMix64) -> Iterator[tuple[int, ...]]:
    kinds = tuple("bits" if kind == "f32" and backend.number != "f32" else kind for kind in shape.params_on(backend))
    longest = max(len(EDGES[kind]) for kind in kinds)
    edges = list(islice(combined(kinds), n if n <= longest else max(longest, n // 2)))
    yield from edges
    for _ in range(n - len(edges)):
        row = tuple(_value(kind, shape, words) for kind in kinds)
        # Bounds in the wrong order trap, which one line in eight shows often enough.
        if shape.name == "clamp" and words.below(8) and backend.lt(row[2], row[1]):
            row = (row[0], row[2], row[1])
        yield row


def _value(kind: str, shape: OpShape, words: SplitMix64) -> int:
    """One argument: an edge value one time in eight, else of a size that the op has something to do with."""
    word = words.next_u64()
    top, choice = word >> 32, word & 0xFF
    if choice < 32:
        return EDGES[kind][top % len(EDGES[kind])]
    if kind == "angle":
        return top
    if kind in ("f32", "bits"):
        return _pattern(top, choice, shape)
    signed = top - (1 << 32) if top & 0x80000000 else top
    return signed >> (choice & 0x18)


def _pattern(top: int, choice: int, shape: OpShape) -> int:
    """A binary32 pattern: any at all one time in four, else with an exponent near 1, where arguments meet."""
    if choice & 3 == 0:
        return top
    if shape.name in ("asin", "acos"):
        low, high = 0x3C, 0x7E
    elif shape.radians:
        low, high = 0x6F, 0x8C
    else:
        low, high = 0x70, 0x8F
    exponent = low + (top >> 23 & 0xFF) * (high - low + 1) // 256
    return (top & 0x807FFFFF) | exponent << 23
