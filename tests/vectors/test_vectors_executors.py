"""Every executor answers as the reference does, through the language and its lowering."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from detcheck import numbers
from detcheck.engine.executors import native_available
from detcheck.errors import TrapError
from detcheck.numbers import BACKENDS
from detcheck.vectors import check, engines, executors, make
from detcheck.vectors.answers import NOT_ASKED
from detcheck.vectors.executors import ExecutorEngine
from detcheck.vectors.ops import OPS, ops_of
from detcheck.vectors.programs import OpProgram, program_of

DATA = Path(__file__).resolve().parent.parent / "data" / "vectors"
EXECUTORS = ["generated", pytest.param("native", marks=pytest.mark.skipif(not native_available(), reason="not built"))]


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_other_peoples_answers_hold_on_every_executor(backend: str, executor: str) -> None:
    """Every line of an op that the language has, answered by lowered code."""
    engine = check(DATA / f"{backend}.jsonl", [executor]).engines[0]
    assert engine.differences == ()
    assert set(engine.lacking) <= {"from_f32", "to_f32"}
    assert engine.compared > 1500
    assert engine.unasked == 0


@pytest.mark.parametrize("executor", ["reference", *EXECUTORS])
@pytest.mark.parametrize("backend", BACKENDS)
def test_made_answers_hold_on_every_executor(backend: str, executor: str, tmp_path: Path) -> None:
    """Edges, random arguments and traps of every op."""
    path = tmp_path / "made.jsonl"
    path.write_text("\n".join(make(backend, None, 50, 11)) + "\n", encoding="ascii")
    engine = check(path, [executor]).engines[0]
    assert engine.differences == ()
    assert engine.unasked == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_op_but_the_binary32_conversions_has_a_program(backend: str) -> None:
    """The language reaches every op of the vectors that it should."""
    b = numbers.get(backend)
    without = {shape.name for shape in ops_of(b) if program_of(shape, b) is None}
    assert without == {"from_f32", "to_f32"}


def test_the_default_asks_every_executor(tmp_path: Path) -> None:
    """Without names the reference, the generated and, where built, the native executor are all asked."""
    path = tmp_path / "made.jsonl"
    path.write_text("\n".join(make("fixed_point_16_16", "add", 3, 11)) + "\n", encoding="ascii")
    expected = ["reference", "generated"] + ["native"] * native_available()
    assert [engine.engine for engine in check(path).engines] == expected
    assert list(engines.ENGINES) == ["reference", "generated", "native"]


def faulty(engine: ExecutorEngine, traps: frozenset[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """An executor that adds 1 to no sum but traps where the first argument is in `traps`."""

    def run(program: OpProgram, rows: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        for number, row in enumerate(rows):
            if row[0] in traps:
                raise TrapError("index", tick=0, system="", row=number, op="", operands=(), where=None, text="")
        return [(row[0] + 1,) for row in rows]

    monkeypatch.setattr(engine, "_run", run)


def test_a_trap_that_the_reference_has_not_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows around the ones that trap are still answered, wherever those stand."""
    engine = ExecutorEngine("generated", numbers.get("fixed_point_16_16"))
    for traps in (frozenset({0}), frozenset({9}), frozenset({3, 4, 7}), frozenset(range(10))):
        faulty(engine, traps, monkeypatch)
        answers = engine(OPS["neg"], [(i,) for i in range(10)])
        assert answers == [None if i in traps else (i + 1,) for i in range(10)]


def test_a_trap_that_does_not_come_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the reference traps and the executor does not, its value is what differs."""
    engine = ExecutorEngine("generated", numbers.get("fixed_wrapping_16_16"))
    faulty(engine, frozenset({2}), monkeypatch)
    assert engine(OPS["div"], [(1, 0), (2, 0), (3, 1)]) == [(2,), None, (4,)]


def test_trapping_rows_beyond_the_limit_are_said_to_be_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No silent gap: what was not tried is counted, and the text says so."""
    monkeypatch.setattr(executors, "TRAPS_TRIED", 3)
    engine = ExecutorEngine("generated", numbers.get("fixed_wrapping_16_16"))
    rows = [(i, i % 2) for i in range(12)]
    answers = engine(OPS["div"], rows) or []
    assert answers.count(None) == 3
    assert answers.count(NOT_ASKED) == 3
    path = tmp_path / "v.jsonl"
    lines = list(make("fixed_wrapping_16_16", "div", 1, 1))[:1]
    lines += [f'{{"op":"div","in":[{i},0],"out":["trap"]}}' for i in range(5)]
    path.write_text("\n".join(lines), encoding="ascii")
    from detcheck.vectors import report_lines

    report = check(path, ["generated"])
    assert (report.engines[0].compared, report.engines[0].unasked) == (3, 2)
    assert "2 traps beyond the first were not tried" in "\n".join(report_lines(report))
