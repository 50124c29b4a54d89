"""Every form of the design's table is accepted, has the promised type, and becomes the promised ops."""

from __future__ import annotations

import pytest
from language_env import FIXED, FLOAT, SHOT, UNIT, WORLD, codes, program, tree_of

from detcheck.language.typed import Assign

#: expression -> its type; arguments are columns, so that no constant rule helps
TYPES = {
    "pos + vel": "vec2",
    "dir - dir": "vec3",
    "mass + drag": "num",
    "hp - owner": "i32",
    "seen + bits_left": "u32",
    "facing - aim": "angle",
    "-pos": "vec2",
    "-mass": "num",
    "-hp": "i32",
    "-seen": "u32",
    "-facing": "angle",
    "mass * drag": "num",
    "pos * vel": "vec2",
    "pos * mass": "vec2",
    "mass * dir": "vec3",
    "hp * owner": "i32",
    "seen * seen": "u32",
    "facing * hp": "angle",
    "hp * facing": "angle",
    "mass / drag": "num",
    "pos / vel": "vec2",
    "dir / mass": "vec3",
    "hp // owner": "i32",
    "seen % bits_left": "u32",
    "hp & owner": "i32",
    "seen | seen": "u32",
    "hp ^ hp": "i32",
    "seen << seen": "u32",
    "hp >> owner": "i32",
    "~hp": "i32",
    "~seen": "u32",
    "mass < drag": "bool",
    "hp <= owner": "bool",
    "seen > seen": "bool",
    "facing >= aim": "bool",
    "pos == vel": "bool",
    "dir != dir": "bool",
    "mass == drag": "bool",
    "alive != armed": "bool",
    "facing == aim": "bool",
    "alive and armed": "bool",
    "alive or armed or True": "bool",
    "not alive": "bool",
    "pos if alive else vel": "vec2",
    "alive if armed else False": "bool",
    "facing if alive else aim": "angle",
    "min(mass, drag)": "num",
    "max(pos, vel)": "vec2",
    "min(hp, owner)": "i32",
    "max(seen, seen)": "u32",
    "clamp(mass, drag, mass)": "num",
    "clamp(dir, dir, dir)": "vec3",
    "clamp(hp, owner, hp)": "i32",
    "clamp(seen, seen, seen)": "u32",
    "abs(mass)": "num",
    "abs(hp)": "i32",
    "abs(pos)": "vec2",
    "lerp(mass, drag, mass)": "num",
    "lerp(pos, vel, mass)": "vec2",
    "floor(mass)": "num",
    "ceil(mass)": "num",
    "sqrt(mass)": "num",
    "is_nan(mass)": "bool",
    "is_inf(mass)": "bool",
    "is_finite(mass)": "bool",
    "length(pos)": "num",
    "length(dir)": "num",
    "normalize(dir)": "vec3",
    "dot(pos, vel)": "num",
    "distance(dir, dir)": "num",
    "heading(pos)": "angle",
    "vec2(mass, drag)": "vec2",
    "vec3(mass, drag, mass)": "vec3",
    "pos.x": "num",
    "dir.z": "num",
    "(pos + vel).y": "num",
    "normalize(pos).x": "num",
    "sin(facing)": "num",
    "cos(aim)": "num",
    "num(hp)": "num",
    "num(seen)": "num",
    "round(mass)": "i32",
    "u32(hp)": "u32",
    "i32(seen)": "i32",
    "u32(facing)": "u32",
    "angle(seen)": "angle",
    "i32(alive)": "i32",
    "turn(0.25)": "angle",
    "turn(-1)": "angle",
    "turn(damping)": "angle",
    "rand_u32()": "u32",
    "roll(hp, owner)": "i32",
    "rand_unit()": "num",
    "next_float()": "num",
    "next_int_inclusive(seen)": "u32",
    "unit[hp].pos": "vec2",
    "unit[seen].pos.x": "num",
    "shot[0].power": "i32",
    "unit.rows": "i32",
    "players.rows": "i32",
    "players[owner].move": "vec2",
    "players[0].fire": "bool",
    "world.score": "i32",
    "world.wind.y": "num",
    "sum(unit.hp)": "i32",
    "sum(unit.pos)": "vec2",
    "sum(shot.charge * 2)": "num",
    "min(unit.mass)": "num",
    "max(shot.tag)": "u32",
    "count(unit.hp > 0)": "i32",
    "count(unit.alive and unit.mass < damping * world.level)": "i32",
    "sum(unit.hp if unit.alive else tick)": "i32",
    "sum(vec2(unit.mass, dt))": "vec2",
    "count(players.fire)": "i32",
    "row": "i32",
    "rows": "i32",
    "tick": "i32",
    "dt": "num",
    "True": "bool",
    "((hp))": "i32",
    "(hp +\n  owner)": "i32",
}


@pytest.mark.parametrize("text", TYPES)
def test_form_has_its_type(text: str) -> None:
    """An expression of the table has the type that the table gives it, on all backends."""
    tree = tree_of(f"result = {text}")
    (step,) = tree.steps
    assert isinstance(step, Assign)
    assert step.value.type == TYPES[text]
    assert tree.backends == ("fixed_point_16_16", "fixed_wrapping_16_16", "float_pinned_32")
    assert program(f"result = {text}", FIXED).ops


@pytest.mark.parametrize(
    "text",
    ["sin(mass)", "cos(1.5)", "sin(1)", "atan2(mass, 1)", "asin(mass)", "acos(mass)", "bits(0x7f800000)"],
)
def test_float_only_forms(text: str) -> None:
    """Radians and bits() type as num and leave only the binary32 backend."""
    tree = tree_of(f"mass = {text}")
    assert tree.backends == (FLOAT,)


def test_raw_leaves_the_fixed_backends() -> None:
    """raw() leaves the two fixed backends."""
    assert tree_of("mass = raw(-1)").backends == ("fixed_point_16_16", "fixed_wrapping_16_16")


def test_below_needs_splitmix64() -> None:
    """below(n) types with splitmix64."""
    assert codes("seen = below(6)", rng="splitmix64") == ["const", "draw.below", "store"]


STATEMENTS = {
    "hp = 1": ["const", "store"],
    "pos = vel": ["load", "load", "store", "store"],
    "pos.y = mass": ["load", "store"],
    "pos += vel": ["load", "load", "load", "load", "num.add", "num.add", "store", "store"],
    "pos *= mass": ["load", "load", "load", "num.mul", "num.mul", "store", "store"],
    "pos.x /= 3": ["load", "const", "num.div", "store"],
    "hp -= 1": ["load", "const", "i32.sub", "store"],
    "hp //= 2": ["load", "const", "i32.floordiv", "store"],
    "hp %= owner": ["load", "load", "i32.mod", "store"],
    "seen &= 1": ["load", "const", "u32.and", "store"],
    "seen |= 1": ["load", "const", "u32.or", "store"],
    "seen ^= seen": ["load", "u32.xor", "store"],
    "seen <<= 1": ["load", "const", "u32.shl", "store"],
    "hp >>= 1": ["load", "const", "i32.shr", "store"],
    "facing *= hp": ["load", "load", "u32.from_i32", "u32.mul", "store"],
    "facing = hp * facing": ["load", "load", "u32.from_i32", "u32.mul", "store"],
    "x = hp\nhp = x": ["load", "store"],
    "v = pos\nv.x = mass\npos = v": ["load", "load", "load", "store", "store"],
    "v = pos\nv.x += mass\npos = v": ["load", "load", "load", "num.add", "store", "store"],
    "v = 1\nv += 2\nhp = v": ["const", "const", "i32.add", "store"],
    "mass, drag = sincos(facing)": ["load", "num.sin_angle", "num.cos_angle", "store", "store"],
    "s, c = sincos(turn(0.1))\npos = vec2(s, c)": ["const", "num.sin_angle", "num.cos_angle", "store", "store"],
    "unit[owner].hp += 1": ["load", "check_index.i32", "u32.from_i32", "const", "scatter.add"],
    "shot[seen].tag -= seen": ["load", "check_index.u32", "scatter.sub"],
}


@pytest.mark.parametrize("text", STATEMENTS)
def test_statement_forms(text: str) -> None:
    """Each form of statement is accepted and becomes the expected ops."""
    assert codes(text) == STATEMENTS[text]


LOWERED = {
    "alive = pos == vel": ["load"] * 4 + ["num.eq", "num.eq", "bool.and", "store"],
    "alive = pos != vel": ["load"] * 4 + ["num.eq", "num.eq", "bool.and", "bool.not", "store"],
    "alive = mass != drag": ["load", "load", "num.ne", "store"],
    "alive = facing < aim": ["load", "load", "u32.lt", "store"],
    "mass = length(dir)": ["load"] * 3 + ["num.mul", "num.mul", "num.add", "num.mul", "num.add", "num.sqrt", "store"],
    "mass = dot(pos, vel)": ["load"] * 4 + ["num.mul", "num.mul", "num.add", "store"],
    "mass = lerp(mass, drag, 0.1)": ["load", "load", "const", "num.sub", "num.mul", "num.add", "store"],
    "mass = 1/3": ["const", "const", "num.div", "store"],
    "seen = u32(facing)": ["load", "store"],
    "facing = angle(seen)": ["load", "store"],
    "hp = i32(alive)": ["load", "i32.from_bool", "store"],
    "mass = num(seen)": ["load", "num.from_u32", "store"],
    "mass = pos.y": ["load", "store"],
    "mass = unit[0].pos.y": ["const", "gather.i32", "store"],
    "pos = sum(unit.vel)": ["fold.sum", "fold.sum", "store", "store"],
    "mass = rand_unit() + rand_unit()": ["draw.rand_unit", "draw.rand_unit", "num.add", "store"],
}


@pytest.mark.parametrize("text", LOWERED)
def test_compositions(text: str) -> None:
    """Vectors, compositions and conversions become exactly the pinned ops."""
    assert codes(text) == LOWERED[text]


def test_normalize_never_divides_by_zero() -> None:
    """normalize: l, l == 0, d = 1 if zero else l, then each component / d and +0 where zero."""
    lowered = program("pos = normalize(vel)")
    assert [op.code for op in lowered.ops] == [
        *["load", "load", "num.mul", "num.mul", "num.add", "num.sqrt", "const", "num.eq", "const", "select"],
        *["num.div", "select", "num.div", "select", "store", "store"],
    ]
    by_code = {op.code: op for op in lowered.ops}
    zero, one = [op for op in lowered.ops if op.code == "const"]
    assert (zero.imm, one.imm) == (0, 65536)
    first_select = next(op for op in lowered.ops if op.code == "select")
    assert first_select.src == (*by_code["num.eq"].dst, *one.dst, *by_code["num.sqrt"].dst)
    component = [op for op in lowered.ops if op.code == "select"][1]
    division = next(op for op in lowered.ops if op.code == "num.div")
    assert component.src == (*by_code["num.eq"].dst, *zero.dst, *division.dst)


def test_radian_sincos_has_its_own_cosine() -> None:
    """sincos of radians is num.sin and num.sincos_cos; of an angle the two angle ops."""
    assert codes("s, c = sincos(mass)", FLOAT) == ["load", "num.sin", "num.sincos_cos"]
    assert codes("s, c = sincos(facing)", FLOAT) == ["load", "num.sin_angle", "num.cos_angle"]


def test_world_programs() -> None:
    """A world program sets world's columns by their names, reads them both ways and folds over tables."""
    text = "score = score + world.score\nwind.x = sum(unit.mass * world.level)"
    lowered = program(text, own=WORLD)
    assert [op.code for op in lowered.ops] == ["load", "i32.add", "store", "fold.sum", "store"]
    assert [op.code for op in lowered.ops[3].body] == ["load", "world", "num.mul"]
    assert lowered.table == "world"


def test_guard_ops_stand_apart() -> None:
    """A guard's ops are a list of their own with statement -1 and a bool register."""
    lowered = program("hp = 1", where="hp > 0 and unit[0].alive and count(unit.alive) > 3")
    assert {op.statement for op in lowered.guard} == {-1}
    assert lowered.guard_register == lowered.guard[-1].dst[0]
    assert lowered.types[lowered.guard_register] == "bool"
    assert {op.statement for op in lowered.ops} == {0}


def test_registers_are_assigned_once_and_before_use() -> None:
    """Static single assignment: every register is written once, before it is read; a fold's body has its own."""
    lowered = program("pos = sum(unit.vel) + pos\nhp = hp + count(unit.hp > hp0)".replace("hp0", "3"), where="alive")
    known: set[int] = set()

    def walk(ops: tuple) -> None:
        for op in ops:
            walk(op.body)
            assert set(op.src) <= known
            assert not set(op.dst) & known
            known.update(op.dst)

    walk(lowered.guard)
    walk(lowered.ops)
    assert known == set(range(len(lowered.types)))


def test_own_table_may_be_any_table() -> None:
    """The same text means the system's own table's columns."""
    assert program("power += 1", own=SHOT).ops[0].imm != program("hp += 1", own=UNIT).ops[0].imm


@pytest.mark.parametrize(
    "text",
    [
        "\thp = 1\n\towner = 2",
        "   hp = 1\n\n   owner = 2 # a comment — ünïcödé \x00\x07\u2028 and a \\ backslash\n# only a comment",
        "hp = (1 +\n# inside\n   2)\nowner = vec2(1,\n\n2).x if False else 3.5\n".replace("owner", "mass"),
        "hp = 1\r\nowner = 2\r\n",
        "\n\n\nhp = 1",
        "hp = 1\n    owner = 2",
        "type = 1\nmatch = type\n_ = match\nhp = _",
    ],
)
def test_layout_that_is_fine(text: str) -> None:
    """Indentation as a whole, comments with anything in them, brackets over lines, CRLF, soft keywords as locals."""
    assert tree_of(text).steps
