"""Holding engines to a file of known answers (design: formats, Vectors)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from detcheck.errors import DetcheckError, visible
from detcheck.numbers import Backend
from detcheck.vectors.answers import NOT_ASKED, Answer, Compute
from detcheck.vectors.engines import ENGINES
from detcheck.vectors.ops import OpShape
from detcheck.vectors.read import VectorLine, open_vectors

#: lines read before the engines are asked: enough for an engine that works by columns, little memory
BATCH_LINES = 4096

_NAN = 0x7FC00000
_INFINITY = 0x7F800000


@dataclass(frozen=True)
class Difference:
    """A line that an engine answers otherwise. `expected` is the file's, `actual` the engine's; None is a trap."""

    line: int
    shape: OpShape
    inputs: tuple[int, ...]
    expected: Answer
    actual: Answer


@dataclass(frozen=True)
class EngineReport:
    """One engine's share: lines compared, how many differ, the first of them in the order of lines.

    `lacking` names ops that it has not, `unasked` counts lines of its ops that it left out.
    """

    engine: str
    compared: int
    differing: int
    differences: tuple[Difference, ...]
    lacking: tuple[str, ...] = ()
    unasked: int = 0


@dataclass(frozen=True)
class CheckReport:
    """What a check of one file found."""

    file: str
    backend: Backend
    source: str
    lines: int
    engines: tuple[EngineReport, ...]

    @property
    def equal(self) -> bool:
        """Whether no engine differs anywhere."""
        return all(engine.differing == 0 for engine in self.engines)


class _Tally:
    """One engine's count while the file is read."""

    def __init__(self, engine: str, compute: Compute, backend: Backend, limit: int) -> None:
        self._engine = engine
        self._compute = compute
        self._backend = backend
        self._limit = limit
        self._compared = 0
        self._differing = 0
        self._unasked = 0
        self._differences: list[Difference] = []
        self._lacking: dict[str, None] = {}

    def take(self, lines: Sequence[VectorLine]) -> None:
        by_op: dict[str, list[VectorLine]] = {}
        for line in lines:
            by_op.setdefault(line.shape.name, []).append(line)
        found: list[Difference] = []
        for of_op in by_op.values():
            found.extend(self._take_op(of_op))
        found.sort(key=lambda difference: difference.line)
        self._differing += len(found)
        self._differences.extend(found[: self._limit - len(self._differences)])

    def _take_op(self, lines: Sequence[VectorLine]) -> Iterable[Difference]:
        shape = lines[0].shape
        answers = self._compute(shape, [line.inputs for line in lines])
        if answers is None:
            self._lacking[shape.name] = None
            return
        kinds = shape.results_on(self._backend)
        for line, actual in zip(lines, answers, strict=True):
            if actual == NOT_ASKED:
                self._unasked += 1
                continue
            self._compared += 1
            if line.outputs != actual and not same_answer(line.outputs, actual, kinds):
                yield Difference(line.line, shape, line.inputs, line.outputs, actual)

    def report(self) -> EngineReport:
        return EngineReport(
            self._engine, self._compared, self._differing, tuple(self._differences), tuple(self._lacking), self._unasked
        )


def same_answer(expected: Answer, actual: Answer, kinds: tuple[str, ...]) -> bool:
    """Equal to the bit, but that 7fc00000 in the file stands for any NaN."""
    if expected is None or actual is None:
        return expected is actual
    return all(
        e == a or (kind == "f32" and e == _NAN and a & 0x7FFFFFFF > _INFINITY)
        for e, a, kind in zip(expected, actual, kinds, strict=True)
    )


def check(path: Path | str, engines: Sequence[str] | None = None, limit: int = 1000) -> CheckReport:
    """Run a file of known answers through engines (None: every one that is available here).

    `limit` bounds the differences kept per engine; all are counted. A malformed file, whatever stands before the
    fault, is a DetcheckError with file and line, and so is an engine that is not there (`vectors.engine`).
    """
    with open_vectors(Path(path)) as file:
        tallies = [
            _Tally(name, compute, file.head.backend, limit) for name, compute in _chosen(engines, file.head.backend)
        ]
        lines = 0
        while batch := tuple(islice(file.lines, BATCH_LINES)):
            lines += len(batch)
            for tally in tallies:
                tally.take(batch)
    return CheckReport(
        str(path), file.head.backend, file.head.source, lines, tuple(tally.report() for tally in tallies)
    )


def _chosen(names: Sequence[str] | None, backend: Backend) -> list[tuple[str, Compute]]:
    chosen: list[tuple[str, Compute]] = []
    for name in ENGINES if names is None else names:
        factory = ENGINES.get(name)
        compute = factory(backend) if factory else None
        if compute is not None:
            chosen.append((name, compute))
        elif names is not None:
            what = "is not available here" if factory else "does not exist"
            raise DetcheckError(
                "vectors.engine", f"the engine {visible(name)} {what}", hint=f"engines: {', '.join(ENGINES)}"
            )
    return chosen
