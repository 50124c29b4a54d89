"""Text trees: indent, braces, sections, and what a line may look like."""

from __future__ import annotations

import pytest
from dump_text import fields, opened, plain, records

from detcheck.dumps.readers.pairs import pairs_of, value_of
from detcheck.errors import DetcheckError


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("hp: 30", [("hp", "30")]),
        ("hp = 30;", [("hp", "30")]),
        ("hp:30,", [("hp", "30")]),
        ('"hp" = 30', [("hp", "30")]),
        ('["odd key"] = 30', [("odd key", "30")]),
        ("[3] = 30", [("3", "30")]),
        ("heading: 512, mapSquare: 9121", [("heading", "512"), ("mapSquare", "9121")]),
        ("unitID: 310 (name: armtank)", [("unitID", "310"), ("name", "armtank")]),
        ("currentTime: 738100\t\tCobThreads: 0", [("currentTime", "738100"), ("CobThreads", "0")]),
        ("x=1 y=2 z=-3.5", [("x", "1"), ("y", "2"), ("z", "-3.5")]),
        ("inBuildStance 0", [("inBuildStance", "0")]),
        ("move speed 2.5", [("move speed", "2.5")]),
        ("rain 0.5 fog 0.25", [("rain", "0.5"), ("fog", "0.25")]),
        ("orderTarget->id: -1", [("orderTarget->id", "-1")]),
        ("commandQue.size(): 1", [("commandQue.size()", "1")]),
        ("LOS-map type:0", [("LOS-map type", "0")]),
        ("heightmap checksum as uint32t: 99", [("heightmap checksum as uint32t", "99")]),
        ("name: two words here", [("name", "two words here")]),
        ('title = "a: b, c = d"', [("title", '"a: b, c = d"')]),
        ('"key" "value"', [("key", '"value"')]),
        ("pos: (1, 2, 3)", [("pos", "(1, 2, 3)")]),
        ("units:", [("units", "")]),
        ("just words", [("", "just words")]),
        ("1024", [("", "1024")]),
    ],
)
def test_the_pairs_of_a_line(line: str, pairs: list[tuple[str, str]]) -> None:
    """Keys and values as they stand, whatever separates them."""
    assert pairs_of(line) == pairs


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(1, 2.5, -3)", ["1", "2.5", "-3"]),
        ("[1 2 3]", ["1", "2", "3"]),
        ("20480,11264,0", ["20480", "11264", "0"]),
        ("inf 247", "inf 247"),
        ("8/8", "8/8"),
        ('"text"', "text"),
        ("1.5f", "1.5f"),
    ],
)
def test_the_value_of_a_text(text: str, value: object) -> None:
    """Lists of numbers are lists; anything else is one value."""
    assert plain(value_of(text)) == value


INDENT = """\
game_id: g7
peer: A

tick 10
  world
    gold: 5
  units: 2
    unit 7
      hp: 3
      pos: 1.5, 2.5
    unit 9
      hp: 4
  rng: 0x10
tick 11
  world
    gold: 6
"""


def test_an_indented_tree_with_several_ticks() -> None:
    """A record a tick; what stands in front is the head."""
    source = opened(INDENT)
    found = list(source.records)
    assert [record.tick for record in found] == [10, 11]
    assert source.head["game_id"].text == "g7"
    assert source.writer["peer"].text == "A"
    units = {"key": "unit", "items": [{"unit": "7", "hp": "3", "pos": ["1.5", "2.5"]}, {"unit": "9", "hp": "4"}]}
    assert fields(found[0]) == {"world": {"gold": "5"}, "units": units}
    assert found[0].rng["rng"].value == 16  # type: ignore[union-attr]


def test_tabs_and_spaces_nest_alike() -> None:
    """The same tree by tabs."""
    lines = INDENT.splitlines(keepends=True)
    tabs = "".join("\t" * ((len(line) - len(line.lstrip(" "))) // 2) + line.lstrip(" ") for line in lines)
    assert list(map(fields, records(tabs))) == list(map(fields, records(INDENT)))


def test_list_items() -> None:
    """`- id: 3` with lines below it, `- word`, and flow lists and maps."""
    text = "tick: 4\nunits:\n  - id: 3\n    tags:\n      - a\n      - b\n  - id: 4\n    pos: [1, 2]\n"
    text += "world: {gold: 3, wind: 0.5}\n"
    (record,) = records(text)
    assert record.tick == 4
    assert fields(record) == {
        "units": [{"id": "3", "tags": ["a", "b"]}, {"id": "4", "pos": ["1", "2"]}],
        "world": {"gold": "3", "wind": "0.5"},
    }


def test_pairs_behind_a_name() -> None:
    """`Player 1: hp=30 mp=5` under headings that state the tick."""
    text = "".join(f"=== Tick {t} ===\nPlayer 1: hp={t} mp=5\nPlayer 2: hp=3 mp=6\n" for t in (1, 2))
    found = records(text)
    assert [record.tick for record in found] == [1, 2]
    players = fields(found[1])["Player"]
    assert players == {
        "key": "Player",
        "items": [{"Player": "1", "hp": "2", "mp": "5"}, {"Player": "2", "hp": "3", "mp": "6"}],
    }


def test_sections() -> None:
    """[a.b] nests, [header] is the head, comments are left out."""
    source = opened("; c\n[header]\ntick=3\nmap=Delta\n[unit.7]\nhp=1\n[unit.8]\nhp=2\n[rng]\nstate=99\n")
    (record,) = source.records
    assert record.tick == 3
    assert source.head["map"].text == "Delta"
    assert fields(record) == {"unit": {"7": {"hp": "1"}, "8": {"hp": "2"}}}
    assert plain(record.rng["rng"]) == {"state": "99"}


def test_numbered_sections() -> None:
    """[unit 7] is a unit whose number is 7; [tick 5] begins a record."""
    found = records("[tick 5]\n[unit 7]\nhp=1\n[unit 8]\nhp=2\n[tick 6]\n[unit 7]\nhp=0\n")
    assert [record.tick for record in found] == [5, 6]
    assert fields(found[0])["unit"]["items"][1] == {"unit": "8", "hp": "2"}


BRACES = {
    "inline": "tick = 7\n"
    'u = {\n { id = 3, pos = { x = 1.5, y = 2 }, tags = { "a", "b" } },\n { id = 4 },\n}\nw { gold 5 }\n',
    "lua": "return {\n tick = 7,\n"
    ' u = {\n  { id = 3, pos = { x = 1.5, y = 2 }, tags = { "a", "b" } },\n  { id = 4 }\n },\n'
    " w = { gold = 5 },\n}\n",
    "own lines": "tick = 7\n"
    'u\n{\n  {\n    id = 3\n    pos\n    {\n      x = 1.5\n      y = 2\n    }\n    tags = { "a", "b" }\n'
    "  }\n  {\n    id = 4\n  }\n}\nw\n{\n  gold 5\n}\n",
}


@pytest.mark.parametrize("name", BRACES)
def test_braces(name: str) -> None:
    """The same tree in three hands."""
    (record,) = records(BRACES[name])
    assert record.tick == 7
    u = [{"id": "3", "pos": {"x": "1.5", "y": "2"}, "tags": ["a", "b"]}, {"id": "4"}]
    assert fields(record) == {"u": u, "w": {"gold": "5"}}


def test_braces_with_ticks_and_quotes() -> None:
    """A block a tick; a brace inside quotes is none; a type name is the kind of its block."""
    text = "".join(f'tick {t} {{\n name "a {{b}}"\n pos = Vec2 {{ X = {t}, Y = 2 }}\n}}\n' for t in (1, 2, 3))
    found = records(text)
    assert [record.tick for record in found] == [1, 2, 3]
    assert fields(found[2]) == {"name": "a {b}", "pos": {"kind": "Vec2", "X": "3", "Y": "2"}}


def test_quoted_keys_and_values() -> None:
    """ "key" "value" in nested braces."""
    (record,) = records(
        '"state"\n{\n\t"tick"\t"12"\n\t"players"\n\t{\n\t\t"0"\n\t\t{\n\t\t\t"hp"\t"100"\n\t\t}\n\t}\n}\n'
    )
    assert record.tick == 12
    assert fields(record) == {"players": {"0": {"hp": "100"}}}


def test_repeated_blocks_become_a_list() -> None:
    """Blocks of one name, with or without an id."""
    (record,) = records("tick = 1\nunit {\n id 3\n hp 1\n}\nunit {\n id 4\n hp 2\n}\n")
    assert fields(record) == {"unit": [{"id": "3", "hp": "1"}, {"id": "4", "hp": "2"}]}


def test_one_state_without_a_tick() -> None:
    """No tick is no fault."""
    (record,) = records("world:\n  gold: 5\n  wind: 1.5\nunits:\n  count: 3\n")
    assert record.tick is None
    assert fields(record)["world"] == {"gold": "5", "wind": "1.5"}


def test_a_state_beyond_the_limit() -> None:
    """One state is bounded like one line."""
    with pytest.raises(DetcheckError, match="larger than --max-record"):
        records("world:\n" + "  gold: 5\n" * 5000, max_record=100_000)


def test_a_cut_last_line() -> None:
    """A key without its value at the very end is left out."""
    source = opened("tick 1\n  a: 1\n  b: 2\ntick 2\n  a: 1\n  b:")
    assert fields(list(source.records)[1]) == {"a": "1"}
    assert any("cut short" in text for text in source.remarks)


XML = """<?xml version="1.0" encoding="UTF-8"?>
<!-- written by the server -->
<save tick="4500">
  <rng seed="1234" count="77"/>
  <units>
    <unit hp="10" id="1"><pos x="1.0" y="2.0"/><orders/></unit>
    <unit hp="20" id="2"><pos x="3.0" y="4.0"/><say>a &lt; "b"</say></unit>
  </units>
  <weather>light rain</weather>
</save>
"""


def test_elements_nest_and_attributes_are_values() -> None:
    """Attributes and texts are values, repeated elements rows, the outermost element no level of its own."""
    source = opened(XML)
    (record,) = source.records
    assert (source.reader, record.tick) == ("text-tree", 4500)
    assert list(record.rng) == ["rng"]
    assert fields(record) == {
        "units": {
            "unit": [
                {"hp": "10", "id": "1", "pos": {"x": "1.0", "y": "2.0"}, "orders": ""},
                {"hp": "20", "id": "2", "pos": {"x": "3.0", "y": "4.0"}, "say": 'a < \\"b\\"'},
            ]
        },
        "weather": "light rain",
    }


def test_elements_of_several_ticks() -> None:
    """Elements named by a word for a tick are records, whatever their number is called."""
    text = "<log>\n" + "".join(f'<frame n="{n}">\n<hp>{90 - n}</hp>\n</frame>\n' for n in (7, 8, 9)) + "</log>\n"
    assert [(record.tick, fields(record)) for record in records(text)] == [(n, {"hp": str(90 - n)}) for n in (7, 8, 9)]


@pytest.mark.parametrize(
    "text",
    ["<a " + 'b="1" ' * 9 + "\n<c", "</x></y>\n<z/>\n<", "<a>&#0;&#x110000;</a>\n</a>\n"],
)
def test_odd_tags_end_in_a_clear_line(text: str) -> None:
    """Tags without an end and ends without a tag are no fault."""
    assert len(records(text, reader="text-tree")) <= 1


def test_tags_too_deep() -> None:
    """Elements nested without end are a fault with a code."""
    with pytest.raises(DetcheckError) as caught:
        records("<a>" * 300 + "</a>" * 300, reader="text-tree")
    assert caught.value.code == "dump.too_deep"


CLOSED = """turn=14
[camp]
\tside=1
\t[unit]
\t\tid="Archer-3"
\t\thitpoints=29
\t[/unit]
\t[unit]
\t\tid="Wolf"
\t\thitpoints=40
\t[/unit]
[/camp]
[camp]
\tside=2
[/camp]
"""


def test_sections_that_are_closed_by_name() -> None:
    """`[unit]` … `[/unit]` nest, and the closing line is no value."""
    (record,) = records(CLOSED)
    assert record.tick == 14
    assert fields(record) == {
        "camp": [
            {
                "side": "1",
                "unit": [{"id": "Archer-3", "hitpoints": "29"}, {"id": "Wolf", "hitpoints": "40"}],
            },
            {"side": "2"},
        ]
    }


def test_sections_with_attributes_are_named_by_them() -> None:
    """`[node name="Unit2" type="Node2D"]` is a row that says which one it is."""
    text = '[scene tick=55]\n\n[node name="Unit1" type="Node2D"]\nhp = 10\n\n[node name="Unit2" parent="."]\nhp = 20\n'
    (record,) = records(text)
    assert record.tick == 55
    assert fields(record)["node"] == [
        {"name": "Unit1", "type": "Node2D", "hp": "10"},
        {"name": "Unit2", "parent": ".", "hp": "20"},
    ]


@pytest.mark.parametrize(
    ("text", "tick", "expected"),
    [
        (
            "Turn\t77\nUnit 3\n\tOwner\tRed\n\tHP\t55\nUnit 4\n\tOwner\tDark Blue\n\tHP\t65\n",
            77,
            {
                "Unit": {
                    "key": "Unit",
                    "items": [
                        {"Unit": "3", "Owner": "Red", "HP": "55"},
                        {"Unit": "4", "Owner": "Dark Blue", "HP": "65"},
                    ],
                }
            },
        ),
        (
            'blob = {["tick"]=640,["units"]={{["id"]=5,["hp"]=10},{["id"]=6,["hp"]=11}}}\n',
            640,
            {"units": [{"id": "5", "hp": "10"}, {"id": "6", "hp": "11"}]},
        ),
        (
            "=== Simulation state at turn 55 ===\nseason: spring\nentity 2\n  hp: 10\nentity 3\n  hp: 7\n",
            55,
            {
                "season": "spring",
                "entity": {"key": "entity", "items": [{"entity": "2", "hp": "10"}, {"entity": "3", "hp": "7"}]},
            },
        ),
        (
            "---\nframe: 812\nunits:\n  - {id: 1, kind: tank, pos: [1.5, 2.5]}\n  - {id: 2, kind: jeep}\n...\n",
            812,
            {"units": [{"id": "1", "kind": "tank", "pos": ["1.5", "2.5"]}, {"id": "2", "kind": "jeep"}]},
        ),
        (
            "World (tick 300)\n├─ mood = 1234\n├─ Player 0\n│  ├─ gold = 50\n│  └─ wood = 20\n"
            "└─ Player 1\n   └─ gold = 60\n",
            300,
            {
                "mood": "1234",
                "Player": {
                    "key": "Player",
                    "items": [{"Player": "0", "gold": "50", "wood": "20"}, {"Player": "1", "gold": "60"}],
                },
            },
        ),
        (
            "State {\n  tick: 91,\n  units: [\n    Unit {\n      id: 4,\n      aim: Some(\n        7,\n      ),\n"
            "    },\n    Unit {\n      id: 7,\n      aim: None,\n    },\n  ],\n  mood: 3,\n}\n",
            91,
            {
                "units": {"Unit": [{"id": "4", "aim": ["7"]}, {"id": "7", "aim": "None"}]},
                "mood": "3",
            },
        ),
        (
            "Turn 10:\n  Cities:\n    Rome (pop 5, food 10)\n    New Athens (pop 3, food -2)\n  Treasury: 100\n",
            10,
            {
                "Cities": {"Rome": {"pop": "5", "food": "10"}, "New Athens": {"pop": "3", "food": "-2"}},
                "Treasury": "100",
            },
        ),
    ],
)
def test_trees_as_engines_write_them(text: str, tick: int, expected: dict[str, object]) -> None:
    """Tabs between name and value, a table on one line, a banner with its tick, lists of braces, drawn lines."""
    source = opened(text)
    (record,) = source.records
    assert (source.reader, record.tick) == ("text-tree", tick)
    assert fields(record) == expected


def test_the_frame_of_a_sprite_is_no_tick() -> None:
    """A tick is taken from a block only where it can mean nothing else."""
    (record,) = records("sprite:\n    frame: 3\n    sheet: tank\nhp: 5\nfuel: 6\n")
    assert record.tick is None
    (record,) = records("units:\n  - id: 1\n    frame: 3\n  - id: 2\n    frame: 9\n  - id: 5\n    frame: 9\n")
    assert record.tick is None
    (record,) = records('{"units": [{"id": 1, "frame": 3}, {"id": 2, "frame": 9}], "gold": 3}')
    assert (record.tick, fields(record)["gold"]) == (None, "3")
    (record,) = records("header:\n    frame: 3\n    sheet: tank\nhp: 5\nfuel: 6\n")
    assert record.tick == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "tick: 5\nPlayer 1\n  gold: 6\n  wood: 5\nPlayer 2\n  gold: 8\n  wood: 7\n",
            {
                "Player": {
                    "key": "Player",
                    "items": [
                        {"Player": "1", "gold": "6", "wood": "5"},
                        {"Player": "2", "gold": "8", "wood": "7"},
                    ],
                }
            },
        ),
        (
            "tick: 5\nteamID: 1\n  gold: 6\n  wood: 5\nfog: 1\n",
            {"teamID": {"key": "teamID", "items": [{"teamID": "1", "gold": "6", "wood": "5"}]}, "fog": "1"},
        ),
        ("tick: 5\nitems: 2\n  sword\n  bow\nfog: 1\n", {"items": ["sword", "bow"], "fog": "1"}),
    ],
)
def test_the_number_of_a_block_is_no_count(text: str, expected: dict[str, object]) -> None:
    """`Player 1` above one block is the player's number; `items: 2` above two lines counts them."""
    (record,) = records(text)
    assert fields(record) == expected


def test_a_stated_count_that_does_not_fit_is_a_value() -> None:
    """`orders: 5` above one order is compared: one of both is wrong."""
    (record,) = records("tick: 3\norders: 5\n  orderID: 10\n  aim: 4\nfog: 1\n")
    assert fields(record)["orders stated"] == "5"
    (record,) = records("tick: 3\norders: 1\n  orderID: 10\n  aim: 4\nfog: 1\n")
    assert "orders stated" not in fields(record)
