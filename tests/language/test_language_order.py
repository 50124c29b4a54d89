"""Ops stand in the order of the source: where draws and traps can tell, nothing moves and nothing is shared."""

from __future__ import annotations

import pytest
from language_env import SHOT, program

#: statement -> the ops that draw or trap, in order, each with the constants that feed it
ORDERS = {
    "hp = roll(0, 1) if roll(0, 2) > 0 else roll(0, 3)": ["roll 0 1", "roll 0 2", "roll 0 3"],
    "hp = roll(roll(0, 1), roll(0, 2))": ["roll 0 1", "roll 0 2", "roll"],
    "hp = roll(0, 1) + roll(0, 2) * roll(0, 3)": ["roll 0 1", "roll 0 2", "roll 0 3"],
    "hp = (roll(0, 1) + roll(0, 2)) * roll(0, 3)": ["roll 0 1", "roll 0 2", "roll 0 3"],
    "hp = roll(0, 1) + roll(0, 1)": ["roll 0 1", "roll 0 1"],
    "hp = hp // owner + hp // owner": ["floordiv", "floordiv"],
    "alive = hp // owner > 0 and roll(0, 1) > 0 or hp % owner > 0": ["floordiv", "roll 0 1", "mod"],
    "alive = False and roll(0, 1) > 0": ["roll 0 1"],
    "unit[roll(0, 1)].hp += roll(0, 2)": ["roll 0 1", "check_index", "roll 0 2"],
    "unit[hp // owner].hp -= unit[roll(0, 2)].hp": ["floordiv", "check_index", "roll 0 2", "gather"],
    "hp = unit[unit[5].owner].hp": ["gather 5", "gather"],
    "pos = vec2(num(roll(0, 1)), num(roll(0, 2)))": ["roll 0 1", "roll 0 2"],
    "mass = vec2(num(roll(0, 1)), num(roll(0, 2))).x": ["roll 0 1", "roll 0 2"],
    "hp = clamp(roll(0, 1), roll(0, 2), roll(0, 3))": ["roll 0 1", "roll 0 2", "roll 0 3", "clamp"],
    "pos = clamp(pos, vel, vel)": ["clamp", "clamp"],
    "hp = min(unit.hp) // max(unit.owner)": ["min", "max", "floordiv"],
    "hp //= roll(0, 1)": ["roll 0 1", "floordiv"],
    "s, c = sincos(angle(rand_u32()))": ["rand_u32"],
    "mass = normalize(pos / vel).x": ["div", "div", "sqrt", "div", "div"],
}

_TRACED = ("draw", "floordiv", "mod", "check_index", "gather", "clamp", "fold", "div", "sqrt")


@pytest.mark.parametrize("text", ORDERS)
def test_order_of_draws_and_traps(text: str) -> None:
    """Left to right; a, c, b of a select; arguments before their function; an index before the value."""
    lowered = program(text)
    constants = {op.dst[0]: op.imm for op in lowered.ops if op.code == "const"}
    found = []
    for op in lowered.ops:
        parts = op.code.split(".")
        if any(part in _TRACED for part in parts):
            name = parts[0] if parts[0] in ("check_index", "gather") else parts[1]
            found.append(" ".join([name, *(str(constants[src]) for src in op.src if src in constants)]))
    assert found == ORDERS[text]


def test_update_reads_the_target_first() -> None:
    """`a op= b` reads a, then evaluates b."""
    lowered = program("hp -= owner")
    names = [getattr(op.imm, "column", None) for op in lowered.ops]
    assert names == ["hp", "owner", None, "hp"]
    assert lowered.ops[2].src == (lowered.ops[0].dst[0], lowered.ops[1].dst[0])


def test_loads_are_shared_within_a_statement_only() -> None:
    """What a statement stored must be read anew by the next."""
    assert [op.code for op in program("hp = hp + hp\nhp = hp + hp").ops] == ["load", "i32.add", "store"] * 2


def test_a_local_keeps_its_value() -> None:
    """A local is the value at its assignment, not the column's later one."""
    lowered = program("old = hp\nhp = 0\nowner = old")
    load, const, first, second = lowered.ops
    assert (load.code, const.code, first.code, second.code) == ("load", "const", "store", "store")
    assert second.src == load.dst
    assert first.src == const.dst


def test_stores_come_last_and_lane_by_lane() -> None:
    """A vector's lanes are all computed before the first is stored."""
    lowered = program("pos = vec2(pos.y, pos.x)")
    assert [(op.code, getattr(op.imm, "lane", None)) for op in lowered.ops] == [
        ("load", 1),
        ("load", 0),
        ("store", 0),
        ("store", 1),
    ]


def test_places_of_ops() -> None:
    """An op that may trap stands at its operator or function, in the file's lines and columns."""
    text = "hp = (hp // owner\n  ) // unit[hp\n].owner\nhp = sum(unit.hp //\n  unit.owner) + roll(2, 1)"
    lowered = program(text)
    found = {(op.code, op.line, op.column) for outer in lowered.ops for op in (outer, *outer.body) if len(op.src) > 0}
    assert ("i32.floordiv", 10, 10) in found
    assert ("i32.floordiv", 11, 5) in found
    assert ("gather.i32", 11, 8) in found
    assert ("i32.floordiv", 13, 18) in found
    assert ("fold.sum", 13, 6) in found
    assert ("draw.roll", 14, 17) in found


def test_statements_are_numbered() -> None:
    """The statement index counts from 0 in source order; lines are kept for trap messages."""
    lowered = program("hp = 1\n\n# comment\nowner = 2", where="alive")
    assert [op.statement for op in lowered.ops] == [0, 0, 1, 1]
    assert lowered.lines[10] == "hp = 1"
    assert lowered.lines[13] == "owner = 2"
    assert lowered.lines[2] == 'where = "alive"'


def test_scatter_names_the_other_table() -> None:
    """check_index names the table, scatter the lane; an i32 index becomes u32 once checked."""
    lowered = program("unit[power].hp -= power", own=SHOT)
    load, check, convert, scatter = lowered.ops
    assert (check.code, check.imm, check.src) == ("check_index.i32", "unit", load.dst)
    assert (convert.code, convert.src) == ("u32.from_i32", load.dst)
    assert scatter.src == (*convert.dst, *load.dst)
    assert (scatter.imm.table, scatter.imm.column) == ("unit", "hp")
