"""Identity: what alters a state alters a hash, what does not leaves both hashes alone, and their bytes stay still."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from scenario_texts import BASE, changed, loaded, write

from detcheck.hashing import digest128
from detcheck.model.identity import Identity
from detcheck.model.schema import RngSpec
from detcheck.scenario.identity import identity_of
from detcheck.scenario.load import load

BACKEND = "fixed_point_16_16"

#: a small file whose two documents are written out below
SMALL = """[scenario]
rng = { kind = "mt19937", x87_precision = 24 }
seed = 7
ticks = 3
tick_rate = 50
hash_every = 1
[config]
b = -0.0
a = 0.98
c = 0x10
[players]
rows = 2
aim = "vec2"
fire = "bool"
[tables.t]
rows = 3
p = "num"
[setup]
t = "p = a"
[[systems]]
name = "go"
each = "t"
where = "p < 2"
do = "p = p * a + 1"
[[systems]]
name = "all"
do = "n = c + tick"
[[inputs]]
fire = true
aim = [1, -0.5]
player = 1
tick = 2
[[inputs]]
tick = 3
hold = 4
player = 0
"""

INPUTS_DOCUMENT = '["detcheck-inputs",1,[[2,1,1,[["aim",[["i","1"],["d","-1/2"]]],["fire",[["i","1"]]]]],[3,4,0,[]]]]'


def identity(folder: Path, *edits: tuple[str, str], name: str = "base.toml") -> Identity:
    return identity_of(loaded(folder, *edits, name=name), BACKEND)


def test_the_inputs_hash_is_of_the_document_as_designed(tmp_path: Path) -> None:
    """The hashed bytes are this compact JSON, columns in declared order whatever their order in the file."""
    scenario = load(write(tmp_path, SMALL))
    assert scenario.inputs_hash == digest128(INPUTS_DOCUMENT.encode("ascii"))


def test_the_config_hash_is_of_the_document_as_designed(tmp_path: Path) -> None:
    """The hashed bytes are compact JSON: constants by name, tables in file order, programs as prefix arrays."""
    scenario = load(write(tmp_path, SMALL))
    programs = [scenario.setup[0].tree.canonical(), *(s.tree.canonical() for s in scenario.systems)]
    document = [
        "detcheck-config",
        1,
        50,
        "mt19937 x87_precision=24",
        [["a", ["d", "49/50"]], ["b", ["d", "-0/1"]], ["c", ["i", "16"]]],
        ["world", 1, []],
        ["players", 2, [["aim", "vec2"], ["fire", "bool"]]],
        [["t", 3, [["p", "num"]]]],
        [["t", programs[0]]],
        [["go", "t", scenario.systems[0].tree.canonical_guard(), programs[1]], ["all", None, None, programs[2]]],
    ]
    text = json.dumps(document, separators=(",", ":"))
    assert text.isascii()
    assert scenario.config_hash == digest128(text.encode("ascii"))


def test_committed_hashes_never_change(tmp_path: Path) -> None:
    """The two hashes of two files are written down here: were they to move, every golden would be void."""
    small, base = load(write(tmp_path, SMALL)), load(write(tmp_path, BASE))
    assert (small.inputs_hash, small.config_hash) == (
        "58339efb63a31d2b6f504ad5807e5ad0",
        "9c148ac9b61044f14e19c9605aaddc50",
    )
    assert (base.inputs_hash, base.config_hash) == (
        "9c0d272d374f8a6c758bbe71667f0b08",
        "7696420d54c0e8c587ebd41a92d6d567",
    )
    assert digest128(b'["detcheck-inputs",1,[]]') == "7a288d80ab626ba1b4e0bcb24302cd10"


#: edits that can alter a state, each of which has to give another identity
ALTERING: list[tuple[str, str]] = [
    ('rng = "mt19937"', 'rng = "splitmix64"'),
    ('rng = "mt19937"', 'rng = { kind = "mt19937", x87_precision = 24 }'),
    ("seed = 0x1DE7C0DE", "seed = 0x1DE7C0DF"),
    ("tick_rate = 60", "tick_rate = 61"),
    ("arena = 64", "arena = 65"),
    ("arena = 64", "arena = 64.0"),
    ("arena = 64", "arena = 64\nunused = 1"),
    ("drag = 0.98", "drag = 0.9800000000000001"),
    ("drag = 0.98", "drag = 0.98000000000000000000000000000000000000000001"),
    ('score = "i32"', 'score = "i32"\nmore = "i32"'),
    ('score = "i32"', 'score = "i32"\nmore = "u32"'),
    ("rows = 4", "rows = 5"),
    ('hp = "i32"', 'hp = "i32"\nmp = "i32"'),
    ('pos = "vec2"\nhp = "i32"', 'hp = "i32"\npos = "vec2"'),
    ("[players]", "[tables.extra]\nrows = 1\n[players]"),
    ("rows = 2", "rows = 3"),
    ('move = "vec2"\naim = "vec3"', 'aim = "vec3"\nmove = "vec2"'),
    ('shift = "i32"', 'shift = "u32"'),
    ("tick = 30", "tick = 31"),
    ("hold = 60", "hold = 61"),
    ("player = 1", "player = 0"),
    ("move = [1, -0.25]", "move = [1, -0.250001]"),
    ("move = [1, -0.25]", "move = [1.0, -0.25]"),
    ("move = [1, -0.25]\n", ""),
    ("fire = true", "fire = false"),
    ("fire = true", "mode = 1"),
    ("[setup]", "[[inputs]]\ntick = 0\nplayer = 0\n[setup]"),
    ("hp = 100", "hp = 101"),
    ("* drag", "* drag * 1"),
    ('world = "score = 1"', ""),
    ('where = "hp > 0"', 'where = "hp >= 0"'),
    ('where = "hp > 0"\n', ""),
    ('name = "walk"', 'name = "walk2"'),
    ("players[row % 2].move * dt", "dt * players[row % 2].move"),
    ("score = sum(unit.hp)", "score = sum(unit.hp) + 0"),
    ("score = sum(unit.hp)", "score += sum(unit.hp)"),
]


@pytest.mark.parametrize("edit", ALTERING, ids=[edit[1][:30] for edit in ALTERING])
def test_a_change_that_can_alter_a_state_has_another_identity(tmp_path: Path, edit: tuple[str, str]) -> None:
    """Each field of the file that reaches a state is in the identity."""
    other = identity(tmp_path, edit)
    assert other != identity(tmp_path)
    assert other.scenario == "base"


def test_swapped_systems_entries_and_setups_have_another_identity(tmp_path: Path) -> None:
    """File order has a meaning for programs, entries and tables."""
    first, second = BASE.index("[[systems]]"), BASE.rindex("[[systems]]")
    systems = BASE[:first] + BASE[second:] + "\n" + BASE[first:second]
    one, two, end = BASE.index("[[inputs]]"), BASE.rindex("[[inputs]]"), BASE.index("[setup]")
    entries = BASE[:one] + BASE[two:end] + BASE[one:two] + BASE[end:]
    setup = changed(('world = "score = 1"\n', ""), ("[setup]\n", '[setup]\nworld = "score = 1"\n'))
    hashes = set()
    for text in (BASE, systems, entries, setup):
        scenario = load(write(tmp_path, text))
        hashes.add((scenario.config_hash, scenario.inputs_hash))
    assert len(hashes) == 4


#: edits of layout, comments and of what has no influence on a state
NEUTRAL: list[tuple[str, str]] = [
    ("[config]", "# a comment\n\n\n[config] # another"),
    ("arena = 64", "arena   =  0x40"),
    ("arena = 64", "arena = 6_4"),
    ("drag = 0.98", "drag = 98e-2"),
    ("drag = 0.98", "drag = 0.9_8000"),
    ("arena = 64\ndrag = 0.98", "drag = 0.98\narena = 64"),
    ("seed = 0x1DE7C0DE\nticks = 600", "ticks = 600\nseed = 501727454"),
    ("tick = 30\nhold = 60", "hold = 60\ntick = 30"),
    ("player = 0\npower = 0.1", "power = 1e-1\nplayer = 0\nhold = 1"),
    ("fire = true\n", "fire = true\n\n"),
    ("hp = 100", "hp    = (100)  # hit points"),
    ("hp = 100", "\n\nhp = 100\n"),
    ('do = "score = sum(unit.hp)"', "do = '''\n\n   score = sum( unit.hp )\n'''"),
    ('name = "walk"\neach = "unit"', 'each = "unit"\nname = "walk"'),
    ('where = "hp > 0"', "where = 'hp>0'"),
    ("[tables.unit]\nrows = 4", "[tables.unit]\n'rows' = 4"),
    ('rng = "mt19937"', 'rng = { x87_precision = 53, kind = "mt19937" }'),
    ("Everything at once", "Something else"),
    ("ticks = 600", "ticks = 601"),
    ("hash_every = 60", "hash_every = 7"),
    ('backends = ["fixed_point_16_16", "float_pinned_32"]\n', ""),
]


@pytest.mark.parametrize("edit", NEUTRAL, ids=[edit[1][:30] for edit in NEUTRAL])
def test_layout_comments_and_what_has_no_influence_leave_the_identity_alone(
    tmp_path: Path, edit: tuple[str, str]
) -> None:
    """Spelling, order without a meaning, summary, backends, ticks and hash_every are not part of an identity."""
    assert identity(tmp_path, edit) == identity(tmp_path)


@pytest.mark.parametrize("form", ["crlf", "bom", "both"])
def test_line_ends_and_a_bom_leave_the_identity_alone(tmp_path: Path, form: str) -> None:
    """A checkout that changed line ends or an editor that set a BOM makes no other scenario."""
    data = BASE.encode("utf-8")
    data = data.replace(b"\n", b"\r\n") if form != "bom" else data
    data = b"\xef\xbb\xbf" + data if form != "crlf" else data
    assert identity_of(load(write(tmp_path, data)), BACKEND) == identity(tmp_path)


def test_the_identity_holds_name_backend_math_and_format(tmp_path: Path) -> None:
    """The other fields are what the scenario, the backend and the versions say."""
    scenario = loaded(tmp_path)
    here = identity_of(scenario, BACKEND)
    assert here == Identity(
        "base", BACKEND, RngSpec("mt19937", 53), 0x1DE7C0DE, scenario.inputs_hash, scenario.config_hash, 1, 1
    )
    assert identity_of(scenario, "float_pinned_32") != here
    assert identity(tmp_path, name="other.toml") != here
    assert identity_of(scenario.having(seed=1), BACKEND) != here
    assert identity_of(scenario.having(ticks=1), BACKEND) == here


def test_every_field_of_an_identity_is_compared(tmp_path: Path) -> None:
    """Flip any one field and the two identities differ in that field alone."""
    here = identity(tmp_path)
    others = {
        "scenario": "x",
        "backend": "float_pinned_32",
        "rng": RngSpec("mt19937", 24),
        "seed": here.seed ^ 1,
        "inputs": here.inputs[::-1],
        "config": here.config[::-1],
        "math": 2,
        "format": 2,
    }
    assert set(others) == set(Identity.__dataclass_fields__)
    for name, value in others.items():
        assert [found[0] for found in here.differences(replace(here, **{name: value}))] == [name]


def test_the_hashes_do_not_depend_on_the_process(tmp_path: Path) -> None:
    """Loading is a function of the file: other files loaded before, in any order, change nothing."""
    texts = [changed(edit) for edit in ALTERING[:12]]
    random.Random(1).shuffle(texts)
    for text in texts:
        load(write(tmp_path, text))
    again = load(write(tmp_path, BASE))
    assert identity_of(again, BACKEND) == identity(tmp_path)
