"""Traces: a tick on each line or above a block, draws, commands, checksums."""

from __future__ import annotations

from pathlib import Path

import pytest
from dump_text import opened, plain, records

from detcheck.compare.api import diff
from detcheck.dumps.readers.event_lines import event_of, split_tick
from detcheck.model.record import Scalar


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


@pytest.mark.parametrize(
    ("line", "tick", "label", "values"),
    [
        ("T00012 RNG draw #3 -> 0x1f (combat.cpp:100)", 12, "RNG draw #3", ["100", "0x1f"]),
        ("@6 SPAWN 11 10", 6, "SPAWN", ["11", "10"]),
        ("GameCycle: 145d, new unit: 7", 145, "new", ["7"]),
        ("sync: 000b3a0a; 0f; 2e2ac0ea; 00062e26", 0xB3A0A * 74 + 15, "sync", ["2e2ac0ea", "00062e26"]),
        ("[t=00:00:03.913605][f=0000090] unit 103 created at 21,27", 90, "unit created at", ["103", "21", "27"]),
        ("[    7] move e1 (7.0) -> (7.5)", 7, "move e1", ["7.0", "7.5"]),
        ("7;MOVE;12;6.5;tank", 7, "MOVE; ;tank", ["12", "6.5"]),
        ("t6 b=6", 6, "", ["6"]),
        ("0.0960 frame 6 input L=0x0006", 6, "input", ["0x0006"]),
        ("[1700000006] <6> spawn id=6", 6, "spawn", ["6"]),
        ("[000007] state 9fe3c1a2 after 3f99ab12cd34ef56", 7, "state after", ["9fe3c1a2", "3f99ab12cd34ef56"]),
    ],
)
def test_ticks_as_engines_write_them(line: str, tick: int, label: str, values: list[str]) -> None:
    """A letter and digits, an at sign, a count with its unit, a date in hex, a frame behind a clock; hex words."""
    found, rest = split_tick(line, None)
    event = event_of(rest, 1)
    texts = [node.text for node in event.fields.items.values() if isinstance(node, Scalar)]
    assert (found, sorted(texts)) == (tick, sorted(values))
    assert " ".join(event.label.replace(",", " ").split()) == label


def _log(who: str, change: tuple[str, str] = ("", ""), lines: int = 12) -> str:
    """A log whose lines name the peer that wrote them."""
    text = "".join(who.replace("#", str(n)) + f" unit={n % 3} fuel={90 - n}\n" for n in range(lines))
    return text.replace(*change) if change[0] else text


PEERS = [
    ("Done turn #: (7.#5 ms) 60 fps", "Done turn #: (9.#1 ms) 31.#5 fps"),
    ("[Alice] tick #:", "[Bob] tick #:"),
    ("HOST turn=#", "CLIENT 2 turn=#"),
    ("2024-05-01T12:00:07.#Z host=alpha pid=4411 tick=#", "2024-05-02T09:30:07.#Z host=beta pid=9 tick=#"),
    ("[#] Entity::Step(this=0x7ffd0000#c10)", "[#] Entity::Step(this=0x56010000#c10)"),
]


@pytest.mark.parametrize(("mine", "theirs"), PEERS)
def test_who_wrote_a_line_is_no_difference(tmp_path: Path, mine: str, theirs: str) -> None:
    """Peers, hosts, process ids and addresses on every line say nothing of the state, whatever else differs."""
    paths = (tmp_path / "a.log", tmp_path / "b.log")
    paths[0].write_text(_log(mine))
    paths[1].write_text(_log(theirs))
    assert diff(*paths).verdict == "same"
    paths[1].write_text(_log(theirs, ("fuel=83", "fuel=82")))
    found = diff(*paths)
    assert (found.verdict, found.first_divergent_tick, found.last_equal_tick) == ("diverged", 7, 6)
    assert [finding.path.rpartition(".")[2] for finding in found.findings] == ["fuel"]


def test_a_word_that_says_what_happened_is_kept() -> None:
    """`rand tick=4` on every line is what happened, not who wrote it."""
    found = records("".join(f"rand: tick={n} {n * 7919}\n" for n in range(8)))
    assert all(event.is_rng for record in found for event in record.events)


def test_calls_below_an_event(tmp_path: Path) -> None:
    """Stack lines below a line with a tick belong to that tick."""
    text = "".join(
        f"Tick:{n} Hash:{n * 7919 % 10007} 'Rand.Value'\n  at Pawn.Tick () [0x1] in <a>:0\n" for n in range(9)
    )
    paths = (tmp_path / "a.log", tmp_path / "b.log")
    paths[0].write_text(text)
    lines = text.splitlines(keepends=True)
    lines[10] = lines[10].replace("Rand.Value", "Rand.Int")
    paths[1].write_text("".join(lines))
    found = diff(*paths)
    assert (found.first_divergent_tick, found.last_equal_tick) == (5, 4)


@pytest.mark.parametrize("mark", ["#{}", "== {} ==", "*** {} ***"])
def test_a_number_alone_begins_a_tick(mark: str) -> None:
    """A mark and a number, and nothing else on the line."""
    text = "".join(f"{mark.format(n)}\nship 0 pos 1.5 {n}.25 0\nship 1 pos 2.5 {n}.75 0\n" for n in range(3, 8))
    assert [record.tick for record in records(text)] == [3, 4, 5, 6, 7]


@pytest.mark.parametrize("prefix", ["[tick {}] ", "turn {}: ", "{}: ", "INFO:sim:tick {} "])
def test_a_tick_in_front_of_an_object(prefix: str) -> None:
    """The tick of a JSON line may stand in front of it; a number that never rises is no tick."""
    text = "".join(f'{prefix.format(n)}{{"fuel": {n}}}\n' for n in range(3, 8))
    assert [record.tick for record in records(text)] == [3, 4, 5, 6, 7]
    same = "".join(f'{prefix.format(4711)}{{"fuel": {n}}}\n' for n in range(3, 8))
    assert {record.tick for record in records(same)} == {None}


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("[sync:{:08d} t= {}00] 01 0{} ce\n", "[sync:{:08d} t= {}00] 01 0{} cf\n"),
        ("tick={} seed=0x{:08x} units={} at=({},2)\n", "tick={} seed=0x{:08x} units={} at=({},3)\n"),
        ("<{}> key=0x{:08x} hp={} mp={}0\n", "<{}> key=0x{:08x} hp={} mp={}1\n"),
    ],
)
def test_lines_that_say_more_than_a_hash(tmp_path: Path, line: str, other: str) -> None:
    """Nothing of a line that tells a state is left out as what stands beside a hash."""
    paths = (tmp_path / "a.log", tmp_path / "b.log")
    paths[0].write_text("".join(line.format(n, n, n, n) for n in range(9)))
    paths[1].write_text("".join((line if n < 6 else other).format(n, n, n, n) for n in range(9)))
    found = diff(*paths)
    assert (found.verdict, found.coverage.ticks_compared) == ("diverged", 9)


def test_a_tick_among_other_words_above_its_events() -> None:
    """`Simulating tick #6...` begins a tick: what stands below it belongs there."""
    text = "".join(f"Simulating tick #{n}...\n  player[0].x = {n}\nDone tick #{n} ({n}.5 ms)\n" for n in range(5))
    source = opened(text)
    found = list(source.records)
    assert (source.reader, [record.tick for record in found]) == ("event-lines", [0, 1, 2, 3, 4])
    assert any("took" in text for text in source.remarks)


def test_short_hex_words_are_no_hashes() -> None:
    """`L=0x0006` is a value, whatever else stands there."""
    text = "".join(f"frame {n} input L=0x{n:04x} R=0x0000\n" for n in range(9))
    assert opened(text).reader == "event-lines"


def test_numbers_behind_colons_beside_a_hash(tmp_path: Path) -> None:
    """`Checksum: 5 | Units: 3 | RNG: 7` tells more than its checksum: the rest is compared too."""
    text = "".join(f"[Step] Frame: {n} | Checksum: {n * 48271 % 65521} | Units: 3 | RNG: {n * 7}\n" for n in range(12))
    paths = (tmp_path / "a.log", tmp_path / "b.log")
    paths[0].write_text(text)
    paths[1].write_text(text.replace("RNG: 49\n", "RNG: 50\n"))
    found = diff(*paths)
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 7)


def test_a_category_in_front_of_a_line() -> None:
    """`LogSim: Display:` is a log prefix."""
    assert split_tick("LogSim: Display: [7] Pawn_1 hp=3", None) == (7, "Pawn_1 hp=3")


def test_a_count_beside_a_generator(tmp_path: Path) -> None:
    """`rng=0x… calls=12` is no hash with something beside it: both are compared."""
    text = "".join(f"tick {n}: rng=0x{n * 2654435761 % 2**32:08x} calls={n * 3}\n" for n in range(12))
    paths = (tmp_path / "a.log", tmp_path / "b.log")
    paths[0].write_text(text)
    paths[1].write_text(text.replace("calls=18\n", "calls=19\n"))
    assert diff(*paths).first_divergent_tick == 6
