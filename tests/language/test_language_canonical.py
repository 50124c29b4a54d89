"""The canonical arrays: blind to layout, comments, parentheses and number spelling; awake to everything else."""

from __future__ import annotations

import json
import os
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from language_env import analysed, tree_of
from programs import scenario_text

EXAMPLES = int(os.environ.get("DETCHECK_EXAMPLES", "1"))

SAME = [
    ("hp = hp + 1", "hp=hp+1", "  hp = (hp) + ((1)) # one", "hp = (\n hp\n + 1)", "hp = hp + 0x1", "hp = hp + 0b1"),
    ("hp += 16", "hp += 0b1_0000", "hp += 0x10", "hp += (16)"),
    ("mass = 0.5", "mass = .5", "mass = 5e-1", "mass = 0.50_0", "mass = (0.5)"),
    ("mass = -0.5", "mass = - 0.5", "mass = -(0.5)", "mass = (-0.5)"),
    ("alive = alive and armed and True", "alive = (alive and armed) and True", "alive = ((alive and armed and True))"),
    ("hp = 1 if alive else 2", "hp = (1) if (alive) else (2)", "hp = (1 if alive\n else 2)"),
    ("hp = 1\nowner = 2", "\n\nhp = 1\n\n# x\nowner = 2\n", "\thp = 1\n\towner = 2"),
    ("s, c = sincos(facing)", "(s, c) = sincos( facing )", "s,c=sincos((facing))"),
    ("hp = unit[owner].hp", "hp = unit[ (owner) ] . hp", "hp = (unit)[owner].hp"),
]


@pytest.mark.parametrize("texts", SAME)
def test_spelling_leaves_no_trace(texts: tuple[str, ...]) -> None:
    """Programs that differ only in spelling have one canonical form."""
    assert len({json.dumps(tree_of(text).canonical()) for text in texts}) == 1


DIFFERENT = [
    *("hp = hp + 1", "hp = hp - 1", "hp = 1 + hp", "hp = hp + 2", "hp = owner + 1", "owner = hp + 1", "hp += 1"),
    *("mass = 1", "mass = 1.0", "mass = -1", "mass = 0", "mass = -0", "mass = 0.0", "mass = -0.0", "mass = --1"),
    *("mass = -(1/3)", "mass = -1/3", "mass = dt", "mass = -dt", "mass = 1 - dt", "mass = (1 - dt) * 2"),
    *("mass = mass + drag + mass", "mass = mass + (drag + mass)", "mass = mass * 2", "mass = mass / 2"),
    *("alive = alive and armed or True", "alive = alive and (armed or True)", "alive = alive or armed and True"),
    *("alive = alive and (armed and True)", "alive = alive and armed and True", "alive = True", "alive = False"),
    *("pos.x = 1", "pos.y = 1", "pos.x += 1", "x = 1\nhp = x", "y = 1\nhp = y", "hp = 1", "hp = 1\nhp = 1"),
    *("hp = min(hp, owner)", "hp = max(hp, owner)", "hp = min(unit.hp)", "hp = unit[0].hp", "hp = unit[1].hp"),
    *("alive = players[0].fire", "alive = players[1].fire"),
    *("unit[0].hp += 1", "unit[0].hp -= 1", "shot[0].power += 1", "mass, drag = sincos(facing)"),
    *("drag, mass = sincos(facing)", "facing = turn(0.5)", "mass = raw(1)", "mass = raw(2)", "mass = bits(1)"),
]


def test_every_change_shows() -> None:
    """Programs that can do something else have different canonical forms."""
    forms = {json.dumps(tree_of(text).canonical()): text for text in DIFFERENT}
    assert len(forms) == len(DIFFERENT)


def test_committed_form() -> None:
    """The arrays' own bytes: they stand in every config hash and must not change."""
    text = "v = clamp(unit[owner].pos - pos, -pos, vec2(arena, 0x40))\npos.x += v.x * -0.25 if not alive else -dt\n"
    text += "shot[hp & ~1].power -= count(unit.hp != -3 and unit.alive)\ns, c = sincos(turn(1.0))"
    expected = (
        '[["=",["name","v"],["call","clamp",["-",[".",["[]","unit",["name","owner"]],"pos"],["name","pos"]],'
        '["neg",["name","pos"]],["call","vec2",["name","arena"],["i","64"]]]],'
        '["+=",[".",["name","pos"],"x"],["if",["*",[".",["name","v"],"x"],["d","-1/4"]],["not",["name","alive"]],'
        '["neg",["name","dt"]]]],'
        '["-=",[".",["[]","shot",["&",["name","hp"],["~",["i","1"]]]],"power"],["call","count",["and",'
        '["!=",[".",["name","unit"],"hp"],["i","-3"]],[".",["name","unit"],"alive"]]]],'
        '["=",["name","s"],["name","c"],["call","sincos",["call","turn",["d","1/1"]]]]]'
    )
    tree = tree_of(text, where="hp >= 0 or True")
    assert json.dumps(tree.canonical(), separators=(",", ":")) == expected
    assert tree.canonical_guard() == ["or", [">=", ["name", "hp"], ["i", "0"]], ["bool", "1"]]
    assert tree_of("hp = 1").canonical_guard() is None


_PROGRAM = re.compile(r'(?:do|unit|item|world) = """\n(.*?)"""', re.DOTALL)
_TOKEN = re.compile(r"0[xb][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:e[+-]?[0-9]+)?|\w+|//|<<|>>|[<>=!]=|.", re.ASCII)


def respelled(text: str, choose: st.DataObject) -> str:
    """The same program, laid out differently."""
    lines = []
    for line in text.splitlines():
        target, op, value = re.split(r" ((?:[-+*/%&|^]|//|<<|>>)?=) ", line, maxsplit=1)
        tokens = [respelled_token(token, choose) for token in _TOKEN.findall(value)]
        gap = choose.draw(st.sampled_from([" ", "  ", "\t", " # (a ] comment é\n", "\n\n "]))
        lines.append(f"{target.strip()} {op} ({gap.join(token for token in tokens if token.strip())})")
    return "\n".join(lines) + "\n# end"


def respelled_token(token: str, choose: st.DataObject) -> str:
    if token.isdecimal() and choose.draw(st.booleans()):
        return hex(int(token))
    return f"{token}00" if re.fullmatch(r"[0-9]+\.[0-9]+", token) else token


@settings(max_examples=25 * EXAMPLES, deadline=None)
@given(seed=st.integers(0, 10**6), data=st.data())
def test_random_programs_respelled(seed: int, data: st.DataObject) -> None:
    """A random program and the same one laid out differently have one canonical form."""
    source = scenario_text(seed)
    for text in _PROGRAM.findall(source)[:2]:
        first, _ = relocated(text)
        second, faults = relocated(respelled(text, data))
        assert not faults, [str(fault) for fault in faults]
        assert first == second


def relocated(text: str) -> tuple[list, list]:
    """The canonical form by way of the accepted syntax alone (the random program has tables of its own)."""
    from detcheck.language.accept import Acceptor, parse_line
    from detcheck.language.nodes import canonical_statement
    from detcheck.language.places import Origin, Report
    from detcheck.language.scan import logical_lines

    faults: list = []
    report = Report(Origin("random.toml", 1, 1, text.split("\n")), faults)
    forms = []
    for line in logical_lines(text, report):
        parsed = parse_line(line, report)
        statement = Acceptor(line, report).statement(parsed) if parsed is not None else None
        if statement is not None:
            forms.append(canonical_statement(statement))
    return forms, faults


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_token_matters(data: st.DataObject) -> None:
    """Another token in a program is a fault or another canonical form."""
    text = "hp = clamp(hp - unit[owner].hp // 3, -arena, sum(shot.power) if alive and armed else 7)"
    tokens = _TOKEN.findall(text)
    where = data.draw(st.sampled_from([i for i, token in enumerate(tokens) if token.strip()]))
    other = data.draw(
        st.sampled_from(["owner", "hp", "+", "-", "//", "8", "min", "and", "or", "(", ")", "unit", "shot"])
    )
    if tokens[where] == other:
        return
    tree, _ = analysed("".join([*tokens[:where], other, *tokens[where + 1 :]]))
    assert tree is None or tree.canonical() != tree_of(text).canonical()
