"""Made files: pure functions of what was asked for, edges first, and true."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from detcheck import numbers
from detcheck.errors import DetcheckError
from detcheck.numbers import BACKENDS
from detcheck.vectors import check, make
from detcheck.vectors.edges import EDGES, combined
from detcheck.vectors.ops import OPS, ops_of


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_made_file_holds_every_op_and_passes(backend: str, tmp_path: Path) -> None:
    """n lines an op, in the table's order; the check finds them equal."""
    lines = list(make(backend, None, 60, 5))
    path = tmp_path / "made.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    ops = [json.loads(line)["op"] for line in lines[1:]]
    assert ops == [shape.name for shape in ops_of(numbers.get(backend)) for _ in range(60)]
    report = check(path)
    assert report.equal
    assert report.lines == len(ops)
    assert json.loads(lines[0])["backend"] == backend


def test_the_same_request_gives_the_same_lines() -> None:
    """Nothing but the four arguments decides; one op alone has the lines it has among all."""
    whole = list(make("float_pinned_32", None, 130, 2**64 - 1))
    assert whole == list(make("float_pinned_32", None, 130, 2**64 - 1))
    assert list(make("float_pinned_32", "lerp", 130, 2**64 - 1))[1:] == [x for x in whole if '"op":"lerp"' in x]
    assert list(make("float_pinned_32", "lerp", 130, 1))[1:] != [x for x in whole if '"op":"lerp"' in x]


def test_edges_come_first() -> None:
    """The first lines are the edge values, whatever the seed; the later ones follow it."""
    one, two = (list(make("fixed_point_16_16", "mul", 400, seed)) for seed in (1, 2))
    assert one[1:201] == two[1:201]
    assert one[201:] != two[201:]
    inputs = [tuple(json.loads(line)["in"]) for line in one[1:201]]
    assert inputs == list(islice(combined(("q16.16", "q16.16")), 200))


@pytest.mark.parametrize("n", [1, 2, 37, 1000])
@pytest.mark.parametrize("op", ["neg", "div", "clamp", "dot3"])
def test_a_file_has_as_many_lines_as_asked_for(op: str, n: int) -> None:
    """The head and n lines, also where edges alone would be fewer or more."""
    assert len(list(make("fixed_wrapping_16_16", op, n, 3))) == n + 1


def test_edge_lists_are_of_their_kind_and_without_repeats() -> None:
    """Each value once, each in range."""
    ranges = {"q16.16": (-(2**31), 2**31 - 1), "i32": (-(2**31), 2**31 - 1)}
    for kind, values in EDGES.items():
        low, high = ranges.get(kind, (0, 2**32 - 1))
        assert all(low <= value <= high for value in values), kind
        assert len(set(values)) == len(values), kind


def test_pairs_of_edges_are_all_there() -> None:
    """With two arguments every edge meets every edge; with more, rows do not repeat."""
    values = EDGES["q16.16"]
    assert set(combined(("q16.16", "q16.16"))) == {(a, b) for a in values for b in values}
    rows = list(combined(("f32",) * 6))
    assert len(set(rows)) == len(rows)


def test_made_answers_hold_traps_nans_and_both_orders() -> None:
    """The rare answers occur: traps, NaN, saturated and zero results, comparisons of either outcome."""
    wrapping = "\n".join(make("fixed_wrapping_16_16", None, 200, 4))
    assert '"out":["trap"]' in wrapping
    clamps = [json.loads(line) for line in make("float_pinned_32", "clamp", 500, 4)][1:]
    traps = sum(line["out"] == ["trap"] for line in clamps[250:])
    assert 0 < traps < 125
    sums = [json.loads(line)["out"][0] for line in make("float_pinned_32", "add", 500, 4) if "out" in line]
    assert {0x7FC00000, 0x7F800000, 0} <= set(sums)
    orders = [json.loads(line)["out"][0] for line in make("float_pinned_32", "lt", 500, 4) if "out" in line]
    assert set(orders[300:]) == {0, 1}
    products = [json.loads(line)["out"][0] for line in make("fixed_point_16_16", "mul", 800, 4) if "out" in line]
    assert len(set(products[400:])) > 200


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("fixed", None, 5, 1), "backend.unknown"),
        (("fixed_point_16_16", "fma", 5, 1), "vectors.unknown_op"),
        (("fixed_point_16_16", "asin", 5, 1), "vectors.unknown_op"),
        (("fixed_point_16_16", "add", 0, 1), "vectors.count"),
        (("fixed_point_16_16", "add", -3, 1), "vectors.count"),
        (("fixed_point_16_16", "add", 5, -1), "rng.seed"),
        (("fixed_point_16_16", "add", 5, 2**64), "rng.seed"),
    ],
)
def test_what_cannot_be_made_is_refused_at_once(arguments: tuple[str, str | None, int, int], code: str) -> None:
    """Before the first line is asked for, so that no half file is begun."""
    with pytest.raises(DetcheckError) as caught:
        make(*arguments)
    assert caught.value.code == code


def test_ops_are_those_of_the_vectors_page() -> None:
    """The list of the README, in full."""
    text = """add sub mul div neg abs floor ceil sqrt min max lt le gt ge eq ne from_int to_int from_f32 to_f32
    clamp lerp dot2 dot3 distance2 distance3 length2 length3 normalize2 normalize3 heading sin_cos
    sin cos sincos atan2 asin acos"""
    assert set(OPS) == set(text.split())
