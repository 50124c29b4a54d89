"""A comparison shown to people and to programs: verdict first, exact values, bounded, safe."""

from __future__ import annotations

import json
from typing import Any

import pytest
from made import compared, f32, hash_records, one, q16, record, token

from detcheck.model.comparison import Comparison
from detcheck.model.record import Lanes, Scalar
from detcheck.reports.diff_console import lines, plain
from detcheck.reports.diff_json import document, render
from detcheck.reports.findings_table import findings_lines, findings_table
from detcheck.reports.values import decimal_text, raw_text


def shown(found: Comparison, width: int = 80, **more: Any) -> str:
    """The console report without style."""
    return plain(lines(found, width, **more))


def test_the_verdict_line_comes_first() -> None:
    """One line: verdict, tick, field, both values."""
    first = shown(one({"x": 1}, {"x": 2})).splitlines()[0]
    assert first == "diverged at tick 5: x is 1 / 2; it is the only tick in common"
    assert shown(one({"x": 1}, {"x": 1})).startswith("same: ")
    assert shown(compared(hash_records([1, 2], ["a", "b"]), hash_records([1], ["a"]))).startswith("ends early: b ends")
    assert shown(compared([record(1)], [record(2)])).startswith("inconclusive: ")
    assert shown(one({"x": 1}, {"x": 2}), quiet=True).count("\n") == 0


def test_raw_decimal_bits_and_distance() -> None:
    """Every number shows its raw form, its decimal, its bits and how far apart the sides are."""
    text = shown(one({"f": f32(0x3F000000), "q": q16(98304)}, {"f": f32(0x3F000001), "q": q16(98305)}))
    for word in ("3f000000", "0.50000006", "3f000001", "1 ulp", "98305", "1.5000152587890625", "00018001", "1 raw"):
        assert word in text, word
    text = shown(one({"x": token("0.1"), "n": 100}, {"x": token("0.10000000000000002"), "n": 99}))
    for word in ("0.10000000000000002", "3fb999999999999b", "1 ulp", "-1"):
        assert word in text, word


@pytest.mark.parametrize("width", [80, 50])
def test_the_table_keeps_to_the_width(width: int) -> None:
    """At 80 and at 50 columns only the verdict line may be longer."""
    a = {"entities": [{"id": n, "position": {"x": n + 0.1}} for n in range(30)]}
    b = {"entities": [{"id": n, "position": {"x": n + 0.1000000001}} for n in range(30)]}
    report = shown(one(a, b), width).splitlines()
    assert all(len(line) <= width for line in report[1:]), [line for line in report[1:] if len(line) > width]


def test_limits_say_what_they_cut() -> None:
    """The first 20, how many there are, and the option that shows all."""
    found = one({"v": list(range(1204))}, {"v": [n + 1 for n in range(1204)]})
    assert "first 20 of 1,204; --all" in shown(found)
    assert "first 20" not in shown(found, show_all=True)
    assert "v[1203]" in shown(found, show_all=True)
    run = findings_lines(found.findings, ("expected", "actual"), 80, 5)
    assert run[-1].plain == "first 5 of 1,204; -v shows all"
    assert "- expected" in run[1].plain
    assert "+ actual" in run[2].plain
    assert findings_lines((), ("a", "b"), 80) == []
    assert [line.plain for line in findings_table(found, limit=5)][-1] == "first 5 of 1,204; --all shows all"


def test_where_it_goes_on() -> None:
    """The strip of ticks, the bars of differing fields, the records before."""
    a = [record(n, {"x": 0, "y": 0}) for n in range(8)]
    b = [record(n, {"x": int(n > 4), "y": int(n > 6)}) for n in range(10)]
    text = shown(compared(a, b))
    assert ".....xxx--" in text
    assert "▄▄█" in text
    assert "tick 4  x = 0" in text
    assert "▄" not in shown(compared(a, b), blocks=False)
    assert shown(compared(a, b), blocks=False).isascii()


def test_names_and_values_are_data() -> None:
    """No markup, no terminal escape and no direction mark of a dump reaches the screen."""
    hostile = "[red]x[/red] :smile: \x1b[31m\x07\u202e\r\n"
    found = one({hostile: hostile, "e": [{"id": hostile, "v": 1}]}, {hostile: "other", "e": [{"id": hostile, "v": 2}]})
    text = shown(found)
    assert "[red]x[/red] :smile:" in text
    assert not any(c in text for c in "\x1b\x07\u202e\r")
    assert render(found).isascii()
    names = Comparison("same", hostile, names=(hostile, "b"), readers=("json", "json"), notes=(hostile,))
    assert not any(c in shown(names) for c in "\x1b\x07\u202e\r")


def test_the_document() -> None:
    """Exactly the fields of version 1, integers within 2^53, everything else as text."""
    a = {"big": 2**53 + 1, "safe": 2**53, "f": token("0.1"), "s": "5", "n": None, "t": True, "l": f32(0x3F000000)}
    b = {"big": 2**53 + 3, "safe": 1, "f": token("0.2"), "s": "6", "n": 0, "t": False, "l": f32(0x3F000001)}
    found = document(one(a, b))
    keys = ["version", "verdict", "reason", "first_divergent_tick", "last_equal_tick", "readers", "findings", "causes"]
    assert [key for key in keys if key not in found] == []
    assert (found["version"], found["exit_code"], found["readers"]) == (1, 1, {"a": "made", "b": "made"})
    values = {f["path"]: (f["a"], f["b"]) for f in found["findings"]}
    assert values["big"] == (str(2**53 + 1), str(2**53 + 3))
    assert values["safe"] == (2**53, 1)
    assert values["f"] == ("0.1", "0.2")
    assert values["n"] == ("null", 0)
    assert values["t"] == ("true", "false")
    tagged = next(f for f in found["findings"] if f["path"] == "l")
    assert (tagged["a"], tagged["bits_a"], tagged["bits_b"], tagged["delta_ulps"]) == (
        "f32:3f000000", "3f000000", "3f000001", 1,
    )  # fmt: skip
    assert set(tagged) >= {"path", "kind", "a", "b", "delta_ulps", "bits_a", "bits_b"}
    assert set(found["coverage"]) >= {"ticks_compared", "fields_compared", "ignored"}
    assert json.loads(render(one(a, b))) == found


def test_a_huge_tick_is_text_in_the_document() -> None:
    """A tick beyond 2^53 is a string, like every other integer."""
    found = compared([record(2**60, {"x": 1})], [record(2**60, {"x": 2})])
    assert document(found)["first_divergent_tick"] == str(2**60)


def test_values_as_they_are_written() -> None:
    """A string that looks like a number is quoted; decimals decode what is bits."""
    assert raw_text(Scalar("str", "5", "5")) == '"5"'
    assert raw_text(Scalar("str", "", "")) == '""'
    assert raw_text(Scalar("str", "tank", "tank")) == "tank"
    assert decimal_text(f32(0x7FC00001)) == "NaN"
    assert decimal_text(f32(0x80000000)) == "-0.0"
    assert decimal_text(q16(-1)) == "-0.0000152587890625"
    assert decimal_text(Scalar("f64", 0x3FB999999999999B, "x")) == "0.10000000000000002"
    assert decimal_text(token("0.1")) == ""


def test_columns_of_bits_in_a_red_run() -> None:
    """The table of a run's red output: raw, decimal and bits of Q16.16 lanes."""
    a, b = (record(60, {"unit": Lanes(1, {"pos.x": ("q16", [raw])})}) for raw in (98304, 98305))
    found = compared([a], [b])
    text = "\n".join(line.plain for line in findings_lines(found.findings, ("expected", "actual"), 80))
    for word in ("unit[0].pos.x", "expected", "actual", "98304", "1.5", "00018000", "1 raw"):
        assert word in text, word


@pytest.mark.parametrize("width", [80, 50])
def test_long_values_are_shown_where_they_part(width: int) -> None:
    """Of two long texts the table shows the part in which they begin to differ, not the same head twice."""
    a, b = ("tile " * 200 + word + " tile" * 200 for word in ("grass", "gravel"))
    text = shown(one({"map": a}, {"map": b}), width)
    sides = [line for line in text.splitlines() if "- a" in line or "+ b" in line]
    assert ["grass" in sides[0], "gravel" in sides[1]] == [True, True]
    assert all(len(line) <= 80 for line in sides)


def test_one_form_needs_no_name() -> None:
    """Where forms stand below each other, a value of one form stands bare on both sides, its distance named."""
    text = shown(one({"entities": {"hp": 50, "x": 1.5}}, {"entities": {"hp": 49, "x": 2.5}}), 36)
    assert "  - a  50\n  + b  49\n       apart    -1\n" in text
