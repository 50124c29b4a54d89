"""Holding engines to files of known answers: other people's files pass, one changed bit is found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from detcheck import numbers
from detcheck.errors import DetcheckError
from detcheck.numbers import BACKENDS
from detcheck.vectors import check, engines, report_lines
from detcheck.vectors.answers import Answer, Compute, reference_engine
from detcheck.vectors.checking import BATCH_LINES, same_answer
from detcheck.vectors.ops import OPS, OpShape, ops_of

DATA = Path(__file__).resolve().parent.parent / "data" / "vectors"


def write(path: Path, backend: str, *lines: object) -> Path:
    head = {"detcheck": "vectors", "version": 1, "backend": backend, "source": "a test"}
    path.write_text("".join(json.dumps(line) + "\n" for line in (head, *lines)), encoding="utf-8")
    return path


def line(op: str, inputs: list[int], out: list[object]) -> dict[str, object]:
    return {"op": op, "in": inputs, "out": out}


@pytest.mark.parametrize("backend", BACKENDS)
def test_other_peoples_answers_hold(backend: str) -> None:
    """Every line that other programs offered is what the reference answers."""
    path = DATA / f"{backend}.jsonl"
    report = check(path, ["reference"])
    assert [d for engine in report.engines for d in engine.differences] == []
    assert report.equal
    assert report.lines == len(path.read_text(encoding="utf-8").splitlines()) - 1 == report.engines[0].compared
    assert report.backend.id == backend
    assert report.source


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_op_is_a_method_of_its_shape(backend: str) -> None:
    """Each op of the list answers one cell of zeros, or ones, with the number of results that it is said to have."""
    b = numbers.get(backend)
    compute = reference_engine(b)
    for shape in ops_of(b):
        answer = compute(shape, [tuple(b.one if kind == "num" else 1 for kind in shape.params)])[0]
        assert answer is not None
        assert len(answer) == len(shape.results)
        assert all(type(value) is int for value in answer)
    assert {s.name for s in OPS.values()} - {s.name for s in ops_of(b)} == (
        set() if b.radians else {"sin", "cos", "sincos", "atan2", "asin", "acos"}
    )


def test_each_changed_answer_is_found_in_the_order_of_lines(tmp_path: Path) -> None:
    """Flipping the last bit of some answers gives exactly those lines, expected against actual, and exit material."""
    rows = [
        json.loads(text) for text in (DATA / "fixed_point_16_16.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    ]
    changed = [3, 4, 1000, BATCH_LINES - 1, BATCH_LINES, BATCH_LINES + 1, len(rows) - 1]
    for i in changed:
        rows[i]["out"][-1] ^= 1
    report = check(write(tmp_path / "v.jsonl", "fixed_point_16_16", *rows), ["reference"])
    assert not report.equal
    engine = report.engines[0]
    assert [d.line for d in engine.differences] == [i + 2 for i in changed]
    assert engine.differing == len(changed)
    for i, d in zip(changed, engine.differences, strict=True):
        assert d.expected is not None
        assert d.actual is not None
        assert (d.expected[-1] ^ 1, list(d.inputs)) == (d.actual[-1], rows[i]["in"])


def test_kept_differences_are_bounded_and_all_are_counted(tmp_path: Path) -> None:
    """Only the first are kept; the text says how many are not shown."""
    rows = [line("add", [i, 1], [i]) for i in range(5000)]
    report = check(write(tmp_path / "v.jsonl", "fixed_point_16_16", *rows), ["reference"], limit=7)
    assert [d.line for d in report.engines[0].differences] == list(range(2, 9))
    assert report.engines[0].differing == 5000
    text = list(report_lines(report, limit=3))
    assert text[0].endswith("fixed_point_16_16, reference: 5,000 of 5,000 differ")
    assert text[-1] == "  and 4,997 more"


def test_traps_are_answers(tmp_path: Path) -> None:
    """A trap that is expected is equal; a result for a trap, and a trap for a result, differ."""
    rows = [line("div", [1, 0], ["trap"]), line("div", [1, 0], [0]), line("div", [65536, 65536], ["trap"])]
    rows.append(line("clamp", [0, 1, 0], ["trap"]))
    report = check(write(tmp_path / "v.jsonl", "fixed_wrapping_16_16", *rows), ["reference"])
    assert [(d.line, d.expected, d.actual) for d in report.engines[0].differences] == [
        (3, (0,), None),
        (4, None, (65536,)),
    ]
    assert [text for text in report_lines(report) if text.startswith("  ")] == [
        "  - 0 (0.0)",
        "  + trap",
        "  - trap",
        "  + 65536 (1.0)",
    ]


def test_a_canonical_nan_in_the_file_means_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """7fc00000 stands for every NaN of a binary32 result, and only there; another pattern is itself."""
    kinds = ("f32",)
    assert same_answer((0x7FC00000,), (0xFFC00001,), kinds)
    assert not same_answer((0xFFC00001,), (0x7FC00000,), kinds)
    assert not same_answer((0x7FC00000,), (0x7F800000,), kinds)
    assert not same_answer((0x7FC00000,), (0x7F800001,), ("q16.16",))
    assert not same_answer((0x7FC00000,), None, kinds)

    def sloppy(backend: numbers.Backend) -> Compute:
        return lambda shape, rows: [(0xFFFFFFFF,) for _ in rows]

    monkeypatch.setitem(engines.ENGINES, "sloppy", sloppy)
    path = write(tmp_path / "v.jsonl", "float_pinned_32", line("sqrt", [0xBF800000], [0x7FC00000]))
    assert check(path, ["sloppy"]).equal
    fixed = write(tmp_path / "w.jsonl", "fixed_point_16_16", line("to_f32", [0], [0x7FC00000]))
    assert check(fixed, ["sloppy"]).equal


def test_values_are_shown_with_their_meaning(tmp_path: Path) -> None:
    """Raws and patterns come with decimals, angles in hex, vectors by component."""
    rows = [
        line("mul", [98304, -65536], [1]),
        line("heading", [65536, 0], [0]),
        line("to_f32", [1], [0]),
        line("normalize2", [0, 131072], [0, 0]),
    ]
    path = write(tmp_path / "v.jsonl", "fixed_point_16_16", *rows)
    text = list(report_lines(check(path, ["reference"])))
    assert text[0] == f"{path}: fixed_point_16_16, reference: 4 of 4 differ"
    assert text[1:4] == [
        f"{path}:2: mul(98304 (1.5), -65536 (-1.0))",
        "  - 1 (0.0000152587890625)",
        "  + -98304 (-1.5)",
    ]
    assert text[4:7] == [f"{path}:3: heading(65536 (1.0), 0 (0.0))", "  - 0x00000000", "  + 0x00000033"]
    assert text[9] == "  + 0x37800000 (1.5258789e-05)"
    assert text[12] == "  + 0 (0.0), 65536 (1.0)"


def test_every_engine_is_asked_and_may_lack_an_op(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines are compared one by one; what one lacks is said; one that is not available is left out, or named."""

    def no_mul(backend: numbers.Backend) -> Compute:
        reference = reference_engine(backend)

        def compute(shape: OpShape, rows: Sequence[tuple[int, ...]]) -> list[Answer] | None:
            return None if shape.name == "mul" else reference(shape, rows)

        return compute

    monkeypatch.setattr(engines, "ENGINES", {"reference": reference_engine})
    monkeypatch.setattr("detcheck.vectors.checking.ENGINES", engines.ENGINES)
    engines.register("partial", no_mul)
    engines.register("absent", lambda backend: None)
    path = write(tmp_path / "v.jsonl", "fixed_point_16_16", line("add", [1, 2], [3]), line("mul", [65536, 2], [2]))
    report = check(path)
    assert [(e.engine, e.compared, e.lacking) for e in report.engines] == [
        ("reference", 2, ()),
        ("partial", 1, ("mul",)),
    ]
    assert "it has no mul" in "\n".join(report_lines(report))
    for name, words in (("absent", "is not available here"), ("nobody\x1b", "does not exist")):
        with pytest.raises(DetcheckError) as caught:
            check(path, [name])
        assert caught.value.code == "vectors.engine"
        assert words in str(caught.value)
        assert "\x1b" not in str(caught.value)
