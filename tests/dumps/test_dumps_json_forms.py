"""JSON as people write it: cut off, looser than JSON, the tick under names that may mean something else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dump_text import fields, opened, records

from detcheck.compare.api import diff
from detcheck.dumps.readers.json_repair import closed, mended
from detcheck.model.comparison import Comparison


def _diff(folder: Path, a: str, b: str, name: str = "x.json") -> Comparison:
    for side, text in (("a", a), ("b", b)):
        (folder / side).mkdir(exist_ok=True)
        (folder / side / name).write_text(text, encoding="utf-8")
    return diff(folder / "a" / name, folder / "b" / name)


STATE = {"map": "m", "tick": 90, "herd": [{"id": n, "x": n / 4, "food": n % 3} for n in range(60)], "wind": 3}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("end", [0.4, 0.6, 0.93])
def test_a_divergence_before_the_cut(tmp_path: Path, swapped: bool, indent: int | None, end: float) -> None:
    """A document cut in the middle is compared up to there; nothing behind the cut is blamed."""
    other = json.loads(json.dumps(STATE))
    other["herd"][7]["food"] = 9
    whole, cut = json.dumps(STATE, indent=indent), json.dumps(other, indent=indent)
    cut = cut[: int(len(cut) * end)]
    found = _diff(tmp_path, cut, whole) if swapped else _diff(tmp_path, whole, cut)
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 90)
    assert [finding.path for finding in found.findings] == ["herd[id=7].food"]
    assert any("cut short" in note for note in found.notes)


@pytest.mark.parametrize("end", [0.4, 0.6, 0.93])
def test_a_cut_document_that_is_equal_so_far(tmp_path: Path, end: float) -> None:
    """Nothing unlike before the cut: it ends early, with no finding."""
    whole = json.dumps(STATE, indent=2)
    found = _diff(tmp_path, whole, whole[: int(len(whole) * end)])
    assert (found.verdict, found.findings) == ("ends_early", ())


def test_every_place_of_a_cut(tmp_path: Path) -> None:
    """Wherever the file ends, there is a verdict that is not `diverged`, and no exception."""
    whole = json.dumps({"tick": 5, "a": [1, 2.5, "x,]}"], "b": {"c": True, "d": None}, "e": 12})
    for end in range(20, len(whole)):
        found = _diff(tmp_path, whole, whole[:end])
        assert found.verdict in ("ends_early", "inconclusive"), whole[:end]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, "b": 12', ('{"a": 1}', 1)),
        ('{"a": [1, {"b": "x"}, {"c": [', ('{"a": [1, {"b": "x"}]}', 2)),
        ('{"a": "]}", "b": "', ('{"a": "]}"}', 1)),
        ('{"a": 1}', None),
        ("[1, 2]", None),
        ("{", None),
        ('{"a": 1]', None),
    ],
)
def test_what_is_whole_before_a_cut(text: str, expected: tuple[str, int] | None) -> None:
    """Every whole value stays, a number at the very end may lack digits."""
    assert closed(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{'a': True, 'b': None, 'it\\'s': \"x\"}", '{"a": true, "b": null, "it\'s": "x"}'),
        ('{"a": nan, "b": -inf, "c": 1.#QNAN, "d": -nan(ind)}', '{"a": NaN, "b": -Infinity, "c": NaN, "d": NaN}'),
        ('{"a": [1., .5, +3, 1.5f,],}', '{"a": [1.0, 0.5, 3, 1.5 ] }'),
        ("{tick: 0x1F, /* x */ y: 1 // z", '{"tick": "0x1F",   "y": 1  '),
        ('{"nan": "inf, True", "a": NaN, "b": -Infinity, "c": 1e5}', None),
    ],
)
def test_looser_than_json(text: str, expected: str | None) -> None:
    """What printf, Python and JavaScript write is read as it is meant; strings and JSON itself stay as they are."""
    assert mended(text) == expected


def test_lower_case_nan_in_lines(tmp_path: Path) -> None:
    """One side written by Python, the other by printf."""
    a = "".join(f'{{"tick": {n}, "v": NaN, "w": {n}}}\n' for n in range(6))
    b = "".join(f'{{"tick": {n}, "v": nan, "w": {n if n < 4 else 0}}}\n' for n in range(6))
    found = _diff(tmp_path, a, b, "x.jsonl")
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 4)
    assert [finding.path for finding in found.findings] == ["w"]
    assert any("looser than JSON" in note for note in found.notes)


@pytest.mark.parametrize("name", ["seq", "block", "round", "number", "ackedFrame", "sim_time_ticks", "epoch"])
def test_a_name_whose_numbers_rise_is_the_tick(name: str) -> None:
    """A name that may mean something else is the tick where nothing else is and its numbers rise."""
    text = "".join(json.dumps({name: n + 40, "hp": 9 - n}) + "\n" for n in range(6))
    assert [record.tick for record in records(text)] == list(range(40, 46))
    level = "".join(json.dumps({name: 7, "hp": 9 - n}) + "\n" for n in range(6))
    assert [record.tick for record in records(level)] == [None] * 6
    named = "".join(json.dumps({name: n + 40, "tick": n}) + "\n" for n in range(6))
    assert [record.tick for record in records(named)] == list(range(6))


def test_a_wall_clock_is_no_tick() -> None:
    """Uneven milliseconds, and seconds since 1970, are not ticks."""
    for times in ((16, 33, 51, 66, 84), (1_700_000_000, 1_700_000_001, 1_700_000_002)):
        text = "".join(json.dumps({"time": time, "hp": 3}) + "\n" for time in times)
        assert {record.tick for record in records(text)} == {None}


def test_the_writer_in_a_header() -> None:
    """Who wrote a line is known, also from the header of a record; whether it is that, the comparison sees."""
    source = opened("".join(f'{{"header": {{"tick": {n}, "pid": 7, "kind": "s"}}, "hp": {n}}}\n' for n in range(4)))
    found = list(source.records)
    assert [record.tick for record in found] == [0, 1, 2, 3]
    assert fields(found[0]) == {"header": {"pid": "7", "kind": "s"}, "hp": "0"}
    assert source.writer["header.pid"].text == "7"
