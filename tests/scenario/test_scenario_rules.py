"""Every rule of the file: what it refuses, with the place, and what it accepts."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from scenario_texts import BASE, changed, faults_of, loaded, refused, write

from detcheck.model.schema import Const, RngSpec

Edit = tuple[str, str]

#: (old, new), code, the text the caret points at, a part of the message or hint
REFUSED: list[tuple[Edit, str, str, str]] = [
    # [scenario]
    (("summary =", "sumary ="), "scenario.unknown_key", "sumary", 'did you mean "summary"?'),
    (('summary = "Everything at once"', "summary = 3"), "scenario.type", "3", "an integer"),
    (('rng = "mt19937"\n', ""), "scenario.missing_key", "scenario]", "no rng"),
    (("seed = 0x1DE7C0DE\n", ""), "scenario.missing_key", "scenario]", "no seed"),
    (("ticks = 600\n", ""), "scenario.missing_key", "scenario]", "no ticks"),
    (("tick_rate = 60\n", ""), "scenario.missing_key", "scenario]", "no tick_rate"),
    (("hash_every = 60\n", ""), "scenario.missing_key", "scenario]", "no hash_every"),
    (("ticks = 600", "ticks = true"), "scenario.type", "true", "a boolean"),
    (("ticks = 600", "ticks = 600.0"), "scenario.type", "600.0", "a decimal"),
    (("ticks = 600", 'ticks = "600"'), "scenario.type", '"600"', "a string"),
    (("ticks = 600", "ticks = 1979-05-27"), "scenario.type", "1979-05-27", "a date"),
    (("ticks = 600", "ticks = -1"), "scenario.range", "-1", "0 .. 2147483647"),
    (("ticks = 600", "ticks = 2147483648"), "scenario.range", "2147483648", "0 .. 2147483647"),
    (("ticks = 600", "ticks = 0x" + "f" * 900), "scenario.range", "0xfff", "3600 bits"),
    (("tick_rate = 60", "tick_rate = 0"), "scenario.range", "0", "1 .. 65535"),
    (("tick_rate = 60", "tick_rate = 65536"), "scenario.range", "65536", "1 .. 65535"),
    (("hash_every = 60", "hash_every = 0"), "scenario.range", "0", "1 .."),
    (("hash_every = 60", "hash_every = false"), "scenario.type", "false", "a boolean"),
    (("seed = 0x1DE7C0DE", "seed = 0x100000000"), "scenario.range", "0x100000000", "mt19937 takes 0 .. 4294967295"),
    (("seed = 0x1DE7C0DE", "seed = -1"), "scenario.range", "-1", "mt19937 takes"),
    (("seed = 0x1DE7C0DE", "seed = true"), "scenario.type", "true", "a boolean"),
    (('rng = "mt19937"', 'rng = "mt19938"'), "scenario.rng", '"mt19938"', 'did you mean "mt19937"?'),
    (('rng = "mt19937"', "rng = 19937"), "scenario.type", "19937", "x87_precision"),
    (('rng = "mt19937"', "rng = {}"), "scenario.missing_key", "rng", "no kind"),
    (
        ('rng = "mt19937"', 'rng = { kind = "mt19937", precision = 24 }'),
        "scenario.unknown_key",
        "precision",
        "x87_prec",
    ),
    (('rng = "mt19937"', 'rng = { kind = "mt19937", x87_precision = 64 }'), "scenario.range", "64", "53 or 24"),
    (('rng = "mt19937"', 'rng = { kind = "mt19937", x87_precision = true }'), "scenario.type", "true", "53 or 24"),
    (('rng = "mt19937"', 'rng = { kind = "splitmix64", x87_precision = 53 }'), "scenario.rng", "x87_p", "has no x87"),
    (('["fixed_point_16_16", "float_pinned_32"]', "[]"), "scenario.backends", "[]", "empty"),
    (('["fixed_point_16_16", "float_pinned_32"]', '"float_pinned_32"'), "scenario.type", '"float', "an array"),
    (('"float_pinned_32"]', '"float_pined_32"]'), "backend.unknown", '"float_pined_32"', "did you mean"),
    (('"float_pinned_32"]', "32]"), "scenario.type", "32]", "an integer"),
    (('"float_pinned_32"]', '"fixed_point_16_16"]'), "scenario.backends", '"fixed_point_16_16"]', "twice"),
    # sections
    (("[config]", "[confg]"), "scenario.unknown_key", "confg]", 'did you mean "config"?'),
    (("[world]", "[wrld]"), "scenario.unknown_key", "wrld]", "world"),
    # config
    (("arena = 64", "arena = inf"), "scenario.number", "inf", "not a decimal"),
    (("arena = 64", "arena = -nan"), "scenario.number", "-nan", "not a decimal"),
    (("arena = 64", 'arena = "64"'), "scenario.type", '"64"', "a string"),
    (("arena = 64", "arena = false"), "scenario.type", "false", "a boolean"),
    (("drag = 0.98", "drag = 0.98e100"), "scenario.number", "0.98e100", "exponent"),
    (("drag = 0.98", "drag = 0." + "9" * 63), "scenario.number", "0.999", "64 characters"),
    (("arena = 64", "arena = 64\nbig = 1" + "0" * 64), "scenario.number", "10000", "64 digits"),
    (("drag = 0.98", "drag = 0.98\nclass = 1"), "scenario.name", "class", "keyword"),
    (("drag = 0.98", "drag = 0.98\nlerp = 1"), "scenario.name", "lerp", "function"),
    (("drag = 0.98", "drag = 0.98\ndt = 1"), "scenario.name", "dt", "reserved"),
    (("drag = 0.98", 'drag = 0.98\n"größe" = 1'), "scenario.name", '"größe"', "ASCII"),
    (("drag = 0.98", "drag = 0.98\n1st = 1"), "scenario.name", "1st", "digit"),
    (("drag = 0.98", "drag = 0.98\nhp = 1"), "scenario.name", 'hp = "i32"', "line 13"),
    (("drag = 0.98", "drag = 0.98\nunit = 1"), "scenario.name", "unit]", "line 13"),
    # tables
    (("rows = 4", "rows = -1"), "scenario.range", "-1", "0 .. 2147483647"),
    (("rows = 4", "rows = 4.0"), "scenario.type", "4.0", "a decimal"),
    (("rows = 4\n", ""), "scenario.missing_key", "unit]", "no rows"),
    (("rows = 4", "rows = 2147483648"), "scenario.range", "2147483648", "2147483647"),
    (("rows = 4", "rows = 22369622"), "scenario.too_large", "22369622", "67,108,864"),
    (('hp = "i32"', 'hp = "i33"'), "scenario.column_type", '"i33"', 'did you mean "i32"?'),
    (('hp = "i32"', 'hp = "float"'), "scenario.column_type", '"float"', "vec2"),
    (('hp = "i32"', "hp = 32"), "scenario.type", "32", "a column type"),
    (('hp = "i32"', 'hp = "i32"\nnumber = "num"'), "scenario.name", "number", "reserved"),
    (('hp = "i32"', 'hp = "i32"\nunit = "num"'), "scenario.name", 'unit = "num"', "the table of line"),
    (('score = "i32"', 'score = "i32"\narena = "num"'), "scenario.name", 'arena = "num"', "the constant of line"),
    (('power = "num"', 'power = "num"\nhold = "num"'), "scenario.name", 'hold = "num"', "every script entry"),
    (("[players]", "[tables.world]\nrows = 1\n[players]"), "scenario.name", "world]", "reserved"),
    # inputs
    (("tick = 30\n", ""), "scenario.missing_key", "inputs]]", "no tick"),
    (("player = 1\n", ""), "scenario.missing_key", "inputs]]", "no player"),
    (("tick = 30", "tick = -1"), "scenario.range", "-1", "0 .."),
    (("tick = 30", "tick = 3.0"), "scenario.type", "3.0", "a decimal"),
    (("tick = 30", "tick = true"), "scenario.type", "true", "a boolean"),
    (("hold = 60", "hold = 0"), "scenario.range", "0", "1 .."),
    (("player = 1", "player = 2"), "scenario.range", "2", "0 .. 1"),
    (("fire = true", "fier = true"), "scenario.unknown_key", "fier", 'did you mean "fire"?'),
    (("fire = true", "fire = 1"), "scenario.type", "1", "true or false"),
    (("move = [1, -0.25]", "move = 1"), "scenario.type", "1", "an array of 2"),
    (("move = [1, -0.25]", "move = [1]"), "scenario.type", "[1]", "an array of 1"),
    (("move = [1, -0.25]", "move = [1, 2, 3]"), "scenario.type", "[1, 2, 3]", "an array of 3"),
    (("move = [1, -0.25]", "move = [1, true]"), "scenario.type", "true", "a boolean"),
    (("move = [1, -0.25]", "move = [1, nan]"), "scenario.number", "nan", "not a decimal"),
    (("move = [1, -0.25]", "move = [1, 40000]"), "scenario.range", "40000", "Q16.16"),
    (("fire = true", "power = true"), "scenario.type", "true", "a boolean"),
    (("fire = true", "power = [1]"), "scenario.type", "[1]", "an array"),
    (("fire = true", "mode = -1"), "scenario.range", "-1", "a u32 takes 0 .. 4294967295"),
    (("fire = true", "mode = 4294967296"), "scenario.range", "4294967296", "a u32 takes"),
    (("fire = true", "mode = 1.0"), "scenario.type", "1.0", "an integer"),
    (("fire = true", "shift = 2147483648"), "scenario.range", "2147483648", "an i32 takes"),
    (("fire = true", "turn_to = -1"), "scenario.range", "-1", "an angle takes"),
    # setup and systems
    (('unit = """', 'unti = """'), "scenario.unknown_table", "unti", 'did you mean "unit"?'),
    (('world = "score = 1"', "world = 1"), "scenario.type", "1", "a program"),
    (('world = "score = 1"', 'players = "fire = True"'), "scenario.program", "players", "script alone"),
    (('name = "walk"\n', ""), "scenario.missing_key", "systems]]", "no name"),
    (('name = "walk"', "name = 3"), "scenario.type", "3", "a string"),
    (('name = "walk"', 'name = "walk on"'), "scenario.name", '"walk on"', "not a name"),
    (('name = "walk"', 'name = "tally"'), "scenario.name", '"tally"', "two systems"),
    (('name = "walk"', 'name = "sum"'), "scenario.name", '"sum"', "function"),
    (('each = "unit"', 'each = "units"'), "scenario.unknown_table", '"units"', 'did you mean "unit"?'),
    (('each = "unit"', 'each = "world"'), "scenario.unknown_table", "each", "leave it out"),
    (('each = "unit"', 'each = "players"'), "scenario.unknown_table", '"players"', "script alone"),
    (('each = "unit"', "each = 3"), "scenario.type", "3", "an integer"),
    (('each = "unit"', 'evry = "unit"\neach = "unit"'), "scenario.unknown_key", "evry", "each"),
    (('where = "hp > 0"', "where = true"), "scenario.type", "true", "a program"),
    (('do = "score = sum(unit.hp)"', ""), "scenario.missing_key", "systems]]", "no do"),
    (('do = "score = sum(unit.hp)"', 'do = "score =\\u0020 1"'), "program.character", "\\u0020", "backslash"),
    (('do = "score = sum(unit.hp)"', 'do = """' + "#" * 65537 + '"""'), "scenario.too_large", '"""', "65,536"),
]


@pytest.mark.parametrize(("edit", "code", "caret", "words"), REFUSED, ids=[f"{r[1]}-{r[0][1][:20]}" for r in REFUSED])
def test_each_rule_refuses_with_code_place_and_words(
    tmp_path: Path, edit: Edit, code: str, caret: str, words: str
) -> None:
    """A file that breaks one rule has one fault, which names the rule, points at the spot and says what is right."""
    fault = refused(tmp_path, edit)
    assert fault.code == code, str(fault)
    assert fault.where is not None
    assert fault.where.source is not None
    assert fault.where.column is not None
    assert fault.where.source[fault.where.column - 1 :].startswith(caret), str(fault)
    assert words in str(fault), str(fault)
    assert str(tmp_path / "base.toml") in str(fault)
    lines = changed(edit).split("\n")
    assert fault.where.line is not None
    assert lines[fault.where.line - 1] == fault.where.source


ACCEPTED: list[Edit] = [
    ("ticks = 600", "ticks = 0"),
    ("ticks = 600", "ticks = 2_147_483_647"),
    ("tick_rate = 60", "tick_rate = 65535"),
    ("hash_every = 60", "hash_every = 2147483647"),
    ("seed = 0x1DE7C0DE", "seed = 0xffffffff"),
    ("rows = 4", "rows = 0"),
    ('summary = "Everything at once"\n', ""),
    ("tick = 30", "tick = 2147483647"),
    ("fire = true", "mode = 4294967295"),
    ("fire = true", "shift = -2147483648"),
    ("fire = true", "turn_to = 4294967295"),
    ("fire = true", "aim = [1, 2.5, -1e-3]"),
    ("fire = true\n", ""),
    ("move = [1, -0.25]\nfire = true\n", ""),
    ("drag = 0.98", "drag = 0.98\nunused = 1e99"),
    ("drag = 0.98", "drag = 0.98\nbig = 9" + "0" * 63),
    ('power = "num"', 'power = "num"\nunit = "num"\narena = "num"'),
    ('score = "i32"', 'score = "i32"\nhp = "i32"'),
    ('name = "walk"', 'name = "unit"'),
    ("[tables.unit]", "[tables.unit] # the units"),
    ("[setup]", "[ setup ]"),
    ('hp = 100\n"""', 'hp = 100  # größer\n"""'),
]


@pytest.mark.parametrize("edit", ACCEPTED, ids=[edit[1][:24] for edit in ACCEPTED])
def test_what_no_rule_forbids_is_accepted(tmp_path: Path, edit: Edit) -> None:
    """Limits themselves and unusual but valid spellings load."""
    loaded(tmp_path, edit)


def test_the_loaded_scenario_says_what_the_file_says(tmp_path: Path) -> None:
    """Every field of the file arrives, exact and typed."""
    scenario = loaded(tmp_path)
    assert (scenario.name, scenario.summary) == ("base", "Everything at once")
    assert scenario.backends == ("fixed_point_16_16", "float_pinned_32")
    assert scenario.backends_listed
    assert scenario.rng == RngSpec("mt19937", 53)
    assert (scenario.seed, scenario.ticks, scenario.tick_rate, scenario.hash_every) == (0x1DE7C0DE, 600, 60, 60)
    assert dict(scenario.config) == {"arena": Const("i", Fraction(64)), "drag": Const("d", Fraction(49, 50))}
    assert [(t.name, t.rows, [(c.name, c.type) for c in t.columns]) for t in scenario.tables] == [
        ("world", 1, [("score", "i32")]),
        (
            "players",
            2,
            [
                ("move", "vec2"),
                ("aim", "vec3"),
                ("fire", "bool"),
                ("mode", "u32"),
                ("shift", "i32"),
                ("turn_to", "angle"),
                ("power", "num"),
            ],
        ),
        ("unit", 4, [("pos", "vec2"), ("hp", "i32")]),
    ]
    first, second = scenario.inputs
    assert (first.tick, first.hold, first.player) == (30, 60, 1)
    assert first.values == (
        ("move", (Const("i", Fraction(1)), Const("d", Fraction(-1, 4)))),
        ("fire", (Const("i", Fraction(1)),)),
    )
    assert (second.tick, second.hold, second.values) == (700, 1, (("power", (Const("d", Fraction(1, 10)),)),))
    assert [program.table for program in scenario.setup] == ["unit", "world"]
    assert [(system.name, system.each) for system in scenario.systems] == [("walk", "unit"), ("tally", None)]


def test_a_negative_zero_is_kept(tmp_path: Path) -> None:
    """-0.0 in the file is the negative zero; -0 is the integer zero, as TOML has it."""
    scenario = loaded(tmp_path, ("drag = 0.98", "drag = -0.0\nnone = -0"))
    assert scenario.config["drag"] == Const("d", Fraction(0), True)
    assert scenario.config["none"] == Const("i", Fraction(0), False)


def test_the_seed_s_range_is_the_generator_s(tmp_path: Path) -> None:
    """splitmix64 takes 64 bits of seed, and not one more."""
    splitmix = ('rng = "mt19937"', 'rng = "splitmix64"')
    seed = "seed = 0x1DE7C0DE"
    assert loaded(tmp_path, splitmix, (seed, "seed = 0xFFFFFFFFFFFFFFFF")).seed == (1 << 64) - 1
    assert refused(tmp_path, splitmix, (seed, "seed = 0x10000000000000000")).code == "scenario.range"


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ('"splitmix64"', RngSpec("splitmix64")),
        ('{ kind = "splitmix64" }', RngSpec("splitmix64")),
        ('{ kind = "mt19937" }', RngSpec("mt19937", 53)),
        ('{ kind = "mt19937", x87_precision = 53 }', RngSpec("mt19937", 53)),
        ('{ kind = "mt19937", x87_precision = 24 }', RngSpec("mt19937", 24)),
    ],
)
def test_a_generator_is_a_name_or_a_table(tmp_path: Path, text: str, spec: RngSpec) -> None:
    """Both spellings give the same generator."""
    assert loaded(tmp_path, ('rng = "mt19937"', f"rng = {text}")).rng == spec


@pytest.mark.parametrize("name", ["a", "0", "a-b_c", "x9" * 20])
def test_a_file_s_stem_is_the_scenario_s_name(tmp_path: Path, name: str) -> None:
    """Small letters, digits, _ and -, beginning with one of the first two."""
    assert loaded(tmp_path, name=f"{name}.toml").name == name


@pytest.mark.parametrize("name", ["A", "-a", "_a", "a.b", "a b", "é", "a\nb"])
def test_a_file_of_another_name_is_no_scenario(tmp_path: Path, name: str) -> None:
    """Any other stem is refused, whatever stands in the file."""
    (fault,) = faults_of(write(tmp_path, BASE, f"{name}.toml"))
    assert fault.code == "scenario.name"
    assert "\n" not in str(fault).splitlines()[0]


def test_a_state_is_needed(tmp_path: Path) -> None:
    """A scenario without any column has nothing to check."""
    text = '[scenario]\nrng = "splitmix64"\nseed = 1\nticks = 1\ntick_rate = 1\nhash_every = 1\n[tables.t]\nrows = 3\n'
    (fault,) = faults_of(write(tmp_path, text))
    assert fault.code == "scenario.no_state"
    assert not faults_of(write(tmp_path, text + 'c = "bool"\n'))


def test_inputs_need_players(tmp_path: Path) -> None:
    """Script entries without [players] are a fault of the entries."""
    begin, end = BASE.index("[players]"), BASE.index("[[inputs]]")
    text = (BASE[:begin] + BASE[end:]).replace("+ players[row % 2].move * dt", "")
    (fault,) = faults_of(write(tmp_path, text))
    assert fault.code == "scenario.inputs"
    assert "no [players]" in fault.message


def test_players_without_rows_take_no_entry(tmp_path: Path) -> None:
    """No player index fits a [players] of no rows."""
    faults = faults_of(write(tmp_path, changed(("rows = 2", "rows = 0"))))
    assert {fault.code for fault in faults} == {"scenario.range"}


def test_all_faults_of_a_file_come_together_in_its_order(tmp_path: Path) -> None:
    """Shape faults and every program's faults are one report, sorted by place."""
    text = changed(
        ("ticks = 600", "ticks = -1"),
        ("arena = 64", "arena = inf"),
        ('hp = "i32"', 'hp = "i32"\nextra = "f32"'),
        ("player = 1", "player = 7"),
        ("hp = 100", "hp = 1.5"),
        ("score = sum(unit.hp)", "score = nonsense + 1"),
        ('where = "hp > 0"', 'where = "hp + 1"'),
    )
    faults = faults_of(write(tmp_path, text))
    lines = [fault.where.line for fault in faults if fault.where is not None and fault.where.line is not None]
    assert lines == sorted(lines)
    assert len(lines) == len(faults) == 7, [str(fault) for fault in faults]
    sources = text.split("\n")
    assert [sources[line - 1].split("=")[0].strip() for line in lines] == [
        "ticks",
        "arena",
        "extra",
        "player",
        "hp",
        "where",
        "do",
    ]


def test_a_faulty_declaration_is_not_reported_again_by_the_programs_that_use_it(tmp_path: Path) -> None:
    """One slip in a column's type gives one fault, not one a use."""
    assert refused(tmp_path, ('pos = "vec2"', 'pos = "vek2"')).code == "scenario.column_type"


def test_a_program_s_fault_stands_at_its_place_in_the_file(tmp_path: Path) -> None:
    """Line and column count in the scenario file, for programs in one line and over several, with CRLF too."""
    for ends in ("\n", "\r\n"):
        text = changed(("hp = 100", "hp = 100 + oops"), ("sum(unit.hp)", "sum(unit.hq)"), ('"hp > 0"', '"hp > zero"'))
        faults = faults_of(write(tmp_path, text.replace("\n", ends)))
        spots = [(f.where.source or "")[(f.where.column or 1) - 1 :][:4] for f in faults if f.where is not None]
        assert spots == ["oops", "zero", 'hq)"'], [str(fault) for fault in faults]


def test_faults_without_number_are_cut(tmp_path: Path) -> None:
    """A file of thousands of faults lists a hundred and counts the rest."""
    faults = faults_of(write(tmp_path, BASE + "".join(f"\n[junk{i}]" for i in range(5000))))
    assert len(faults) == 101
    assert "at least 4,90" in faults[-1].message
