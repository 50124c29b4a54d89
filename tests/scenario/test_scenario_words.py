"""Words of faults that count, or that name two places: one thing is one, and both places are said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scenario_texts import changed, faults_of, write

from detcheck.errors import json_words
from detcheck.scenario.document import FaultLog

ANY_BACKEND = ('backends = ["fixed_point_16_16", "float_pinned_32"]\n', "")


@pytest.mark.parametrize(("dropped", "words"), [(1, "1 more fault is"), (7, "7 more faults are"), (2000, "2,000 more")])
def test_what_is_not_listed_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dropped: int, words: str
) -> None:
    """One more fault is, several more faults are not listed."""
    monkeypatch.setattr(
        FaultLog, "append", lambda log, fault: (list.append(log, fault), setattr(log, "dropped", dropped))
    )
    last = faults_of(write(tmp_path, changed(("ticks = 600", "ticks = -1"))))[-1]
    assert last.message.startswith(f"at least {words}")
    assert last.message.endswith(" not listed")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("vec2()", "`vec2` takes 2 arguments, here is none"),
        ("vec2(1)", "`vec2` takes 2 arguments, here is 1"),
        ("vec2(1, 2, 3)", "`vec2` takes 2 arguments, here are 3"),
        ("sum(unit.pos, 1)", "`sum` folds one expression over a table, here are 2"),
    ],
)
def test_arguments_are_counted(tmp_path: Path, call: str, words: str) -> None:
    """Here is 1, here are 3."""
    (fault,) = faults_of(write(tmp_path, changed(("pos = vec2(num(row), 0.5) * drag", f"pos = {call}"))))
    assert fault.message == words


def test_a_program_that_no_backend_can_run_names_both_places(tmp_path: Path) -> None:
    """The later part has the fault, the earlier one its line and what it is."""
    text = changed(ANY_BACKEND, ("hp = 100\n", "hp = 100\npos = pos * raw(3)\nhp = 1\npos = pos * bits(4)\n"))
    (fault,) = faults_of(write(tmp_path, text))
    first = text.split("\n").index("pos = pos * raw(3)") + 1
    assert fault.message == (
        "`bits(c)` exists only on float_pinned_32, "
        f"`raw(c)` of line {first} only on fixed_point_16_16 and fixed_wrapping_16_16"
    )
    assert fault.where is not None
    assert (fault.where.line, fault.where.column) == (first + 2, 13)


def test_programs_that_no_backend_can_run_are_named(tmp_path: Path) -> None:
    """Which program, and which before it, with its line."""
    text = changed(
        ANY_BACKEND,
        ('world = "score = 1"', 'world = "score = round(raw(70000))"'),
        ('do = "score = sum(unit.hp)"', 'do = "score = round(sin(0.5))"'),
    )
    faults = faults_of(write(tmp_path, text))
    lines = text.split("\n")
    first = lines.index('world = "score = round(raw(70000))"') + 1
    (fault,) = (f for f in faults if f.code == "scenario.backends")
    assert fault.message == (
        "no backend can run all programs: tally runs only on float_pinned_32, "
        f"setup.world of line {first} only on fixed_point_16_16 and fixed_wrapping_16_16"
    )
    assert fault.where is not None
    assert fault.where.line == lines.index('do = "score = round(sin(0.5))"') + 1


@pytest.mark.parametrize(
    "text", ["{", "[1,]", '{"a" 1}', '"\t"', '"x', '"\\q"', '"\\u12"', "{} {}", "nul", "", "-", "1.", "{,}"]
)
def test_words_of_broken_json_stand_alone(text: str) -> None:
    """What Python's parser says begins small and ends in no word that wants a position."""
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(text)
    words = json_words(caught.value.msg)
    assert words
    assert words[0].islower()
    assert not words.endswith((" at", ":", " "))
