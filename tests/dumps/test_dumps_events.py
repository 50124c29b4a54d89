"""Traces: a tick on each line or above a block, draws, commands, checksums."""

from __future__ import annotations

import pytest
from dump_text import opened, plain, records

from detcheck.dumps.readers.event_lines import event_of


@pytest.mark.parametrize(
    ("text", "label", "fields", "is_rng"),
    [
        ("rng draw value=91827 by=ai", "rng draw", {"value": "91827", "by": "ai"}, True),
        ("RNG 0.53 from Foo.Bar", "RNG from Foo.Bar", {"value": "0.53"}, True),
        ("rand() = 12", "rand", {"value": "12"}, True),
        ("damage unit 7 amount=3.5", "damage unit", {"amount": "3.5", "value": "7"}, False),
        ("spawn: type=tank pos=(1, 2)", "spawn", {"type": "tank", "pos": ["1", "2"]}, False),
        ("unit 7 moved to 10,20", "unit moved to", {"value": "7", "value2": "10", "value3": "20"}, False),
        ('say "tick 5" loud', "say loud", {"value": "tick 5"}, False),
        ("state 0xdeadbeef", "state", {"value": "0xdeadbeef"}, False),
    ],
)
def test_an_event(text: str, label: str, fields: dict[str, object], is_rng: bool) -> None:
    """Words are what is aligned on, named values and numbers its fields."""
    event = event_of(text, 3)
    assert (event.label, plain(event.fields), event.is_rng, event.line) == (label, fields, is_rng, 3)


FORMS = {
    "tick=": "tick={t} rng draw value={v}\ntick={t} hit unit 3\n",
    "brackets": "[{t}] rng draw value={v}\n[{t}] hit unit 3\n",
    "number": "{t}: rng draw value={v}\n{t}: hit unit 3\n",
    "turn": "Turn {t} | rng draw value={v}\nTurn {t} | hit unit 3\n",
    "log": "12:00:0{t}.5 INFO [tick {t}] rng draw value={v}\n12:00:0{t}.7 INFO [tick {t}] hit unit 3\n",
    "block": "--- tick {t} ---\nrng draw value={v}\nhit unit 3\n",
    "end of line": "rng draw value={v} (frame {t})\nhit unit 3 (frame {t})\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_where_the_tick_stands(form: str) -> None:
    """On each line, in front or behind, or on a line of its own above."""
    found = records("".join(FORMS[form].format(t=t, v=t * 1000) for t in (3, 4, 5)))
    assert [record.tick for record in found] == [3, 4, 5]
    assert [[event.label for event in record.events] for record in found] == [["rng draw", "hit unit"]] * 3
    assert plain(found[1].events[0].fields) == {"value": "4000"}


def test_commands_are_inputs() -> None:
    """Orders and inputs are a class of their own, apart from the trace."""
    found = records("".join(f"tick={t} command player=1 move 5,{t}\ntick={t} rng draw {t}\n" for t in (1, 2)))
    assert plain(found[0].inputs) == [{"what": "command move", "player": "1", "value": "5", "value2": "1"}]
    assert len(found[0].events) == 1


def test_lines_in_front_are_the_head() -> None:
    """Settings and the writer before the first tick."""
    source = opened("map: Delta\nhost: pc7\ntick=1 rng draw 5\ntick=1 rng draw 6\ntick=2 rng draw 7\ntick=2 hit a\n")
    assert [record.tick for record in source.records] == [1, 2]
    assert (source.head["map"].text, source.writer["host"].text) == ("Delta", "pc7")


def test_the_tick_field_can_be_told() -> None:
    """--tick-field names the word in front of the tick."""
    text = "".join(f"beat={t} step 9 rng draw {t}\nbeat={t} step 9 hit\n" for t in (1, 2))
    assert [r.tick for r in records(text, reader="event-lines", tick_field="beat")] == [1, 2]


def test_lines_of_pairs_alone_are_states_or_rows() -> None:
    """`tick=1 unit=7 x=1.5`: one line a tick is its state, several are rows paired by their id."""
    rows = records("".join(f"tick={t} unit={u} x={t}.5 hp={u}\n" for t in (1, 2) for u in (7, 9)), reader="event-lines")
    assert [record.events for record in rows] == [[], []]
    assert plain(rows[0].fields)["unit"]["items"][1] == {"unit": "9", "x": "1.5", "hp": "9"}
    states = records("tick=1 x=1.5 hp=3\ntick=2 x=2.5 hp=3\ntick=3 x=2.5 hp=3\n", reader="event-lines")
    assert plain(states[1].fields) == {"x": "2.5", "hp": "3"}
