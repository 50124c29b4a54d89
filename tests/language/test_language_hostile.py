"""Hostile text never raises: it becomes faults with places, quickly, without a warning."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from language_env import BACKENDS, analysed, env

from detcheck.errors import DetcheckError
from detcheck.language.lower import lower

EXAMPLES = int(os.environ.get("DETCHECK_EXAMPLES", "1"))

DEEP = {
    "brackets": "hp = " + "(" * 30000 + "1" + ")" * 30000,
    "open brackets": "hp = " + "(" * 60000,
    "square brackets": "hp = " + "unit[" * 10000,
    "brackets over lines": "hp = " + "(\n" * 30000,
    "prefix minus": "hp = " + "-" * 60000 + "1",
    "prefix mix": "hp = " + "- ~ " * 15000 + "1",
    "not": "alive = " + "not " * 15000 + "alive",
    "sum": "hp = " + "+".join(["hp"] * 20000),
    "power": "hp = 9" + "**9" * 20000,
    "giant power": "hp = 9**9**9**9",
    "giant shift": "hp = 1 << 999999999999",
    "select": "hp = " + "hp if alive else " * 3000 + "hp",
    "lambda": "hp = " + "lambda:" * 9000 + "1",
    "lanes": "hp = pos" + ".x" * 30000,
    "rows": "hp = unit" + "[0]" * 20000,
    "calls": "hp = f" + "()" * 30000,
    "min": "hp = " + "min(" * 50 + "hp" + ", 1)" * 50,
    "compare": "alive = " + "hp <" * 15000 + " hp",
    "integer": "hp = " + "9" * 5000,
    "hexadecimal": "hp = 0x" + "f" * 60000,
    "decimal": "mass = 0." + "1" * 5000,
    "exponent": "mass = 1e999999999999999999999",
    "identifier": "hp = " + "a" * 60000,
    "different names": "\n".join(f"hp = nope{number}" for number in range(4000)),
    "many targets": "a = " * 15000 + "1",
    "semicolons": ";" * 65000,
    "statements": "hp = nope\n" * 6500,
    "commas": "hp = " + "1," * 30000,
    "strings": '"' * 65000,
    "f-strings": "hp = f'{" * 8000,
    "too long": "hp = 1\n" * 10000,
    "too long comment": "hp = 1 #" + "é" * 40000,
    "walrus": "hp = " + "(a:=" * 49 + "1" + ")" * 49,
    "await": "hp = " + "await " * 9000 + "1",
    "at": "@" * 60000,
    "if": "if alive:" * 7000,
    "indents": "".join(" " * depth + "if alive:\n" for depth in range(300)),
    "surrogate": "hp = \ud800",
    "surrogate in a comment": "hp = nope # \ud800",
    "arguments": "hp = min(" + "hp," * 20000 + "hp)",
    "keywords": "hp = min(" + "a=1," * 15000 + ")",
    "is literal": "alive = 1 is 1",
    "call of a literal": "hp = 1()",
    "number and word": "alive = 1if alive else 0x1for",
    "encoding": "# -*- coding: utf-7 -*-\nhp = nope",
}


@pytest.mark.parametrize("name", DEEP)
def test_hostile_text_is_a_fault(name: str) -> None:
    """Nesting, length and size end in faults of the product, each with a line and a column."""
    _, faults = analysed(DEEP[name])
    assert faults
    for fault in faults:
        assert isinstance(fault, DetcheckError)
        assert fault.where is not None
        assert fault.where.line is not None
        assert fault.where.column is not None
        assert str(fault)
        assert fault.code.startswith("program.")


def test_depth_limit_is_fifty() -> None:
    """Fifty nodes deep is accepted and lowered, fifty-one is not, at the node that is too deep."""
    tree, _ = analysed("hp = " + "+".join(["hp"] * 50))
    assert tree is not None
    assert lower(tree, env(), BACKENDS[0], []) is not None
    _, faults = analysed("hp = " + "+".join(["hp"] * 51))
    assert [fault.code for fault in faults] == ["program.limit"]
    tree, _ = analysed("hp = " + "~" * 49 + "hp")
    assert tree is not None
    assert tree.canonical()
    _, faults = analysed("hp = " + "~" * 50 + "hp")
    assert [fault.code for fault in faults] == ["program.limit"]


def test_long_flat_chains_are_fine() -> None:
    """`and` chains and brackets to the limit are flat: they are accepted."""
    tree, faults = analysed("alive = " + " and ".join(["alive"] * 3000))
    assert tree is not None, faults
    assert lower(tree, env(), BACKENDS[0], []) is not None
    tree, _ = analysed("hp = " + "(" * 50 + "hp" + ")" * 50)
    assert tree is not None


def test_program_limit_is_64_kib() -> None:
    """65,536 bytes are a program, one more is not."""
    text = "hp = 1 #"
    assert analysed(text + "x" * (65536 - len(text)))[0] is not None
    _, faults = analysed(text + "x" * (65537 - len(text)))
    assert [fault.code for fault in faults] == ["program.limit"]


_WORDS = """
    hp owner seen mass drag pos vel dir facing aim alive armed unit shot players world score rows row tick dt arena
    damping min max clamp abs lerp floor sqrt length normalize dot vec2 vec3 sin cos sincos num round u32 i32 angle
    turn raw bits rand_u32 roll rand_unit next_float sum count if else and or not in is lambda for x y z a b True None
    + - * / // % & | ^ << >> ~ < <= > >= == != = += -= ** @ ( ) [ ] { } . , : ; 0 1 2.5 -3 0x1F 1e5 99999999999
    # \\ ' "
"""
_TOKENS = st.lists(
    st.sampled_from([*_WORDS.split(), "\n", "\n", " ", "\t", "é", "\x00", "\r", "\x0c", "\u2028"]), max_size=40
)
_SHAPED = st.builds(
    "{} {} {}".format,
    st.sampled_from(["hp", "x", "pos.x", "unit[0].hp", "a, b"]),
    st.sampled_from(["=", "+="]),
    _TOKENS.map(" ".join),
)


def check_text(text: str) -> None:
    """No exception, places inside the text, and what is accepted lowers on every backend it claims."""
    tree, faults = analysed(text, where=text if len(text) % 2 else None)
    rows = text.count("\n") + 1
    for fault in faults:
        assert fault.where is not None
        assert fault.where.line is not None
        assert 2 <= fault.where.line < 10 + rows
        assert str(fault)
    if tree is None:
        return
    json_safe = tree.canonical()
    assert json_safe
    for backend in BACKENDS:
        lowering: list[DetcheckError] = []
        lowered = lower(tree, env(), backend, lowering)
        assert (lowered is None) == bool(lowering)
        if backend not in tree.backends:
            assert lowering
        assert all(fault.code in ("program.constant", "program.backend") for fault in lowering)


@settings(max_examples=150 * EXAMPLES, deadline=None)
@given(_TOKENS.map(" ".join))
def test_token_soup(text: str) -> None:
    """Any sequence of the language's tokens, and some that are not its own."""
    check_text(text)


@settings(max_examples=250 * EXAMPLES, deadline=None)
@given(st.lists(_SHAPED, min_size=1, max_size=4).map("\n".join))
def test_statement_soup(text: str) -> None:
    """Statements with right beginnings and random ends."""
    check_text(text)


@settings(max_examples=100 * EXAMPLES, deadline=None)
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    """Any text at all."""
    check_text(text)


@settings(max_examples=100 * EXAMPLES, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    """Any bytes read as text."""
    check_text(data.decode("latin-1"))


_VALUES = st.recursive(
    st.sampled_from(
        ["hp", "seen", "mass", "pos", "dir", "facing", "alive", "1", "2.5", "-3", "arena", "dt", "unit.hp"]
    ),
    lambda inner: st.one_of(
        st.builds(
            "({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "<<", "<", "==", "and"]), inner
        ),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("{}({})".format, st.sampled_from(["abs", "num", "u32", "sin", "sum", "turn", "round", "min"]), inner),
        st.builds("{}({}, {})".format, st.sampled_from(["min", "vec2", "dot", "roll", "atan2"]), inner, inner),
        st.builds("clamp({}, {}, {})".format, inner, inner, inner),
        st.builds("lerp({}, {}, {})".format, inner, inner, inner),
        st.builds("unit[{}].hp".format, inner),
        st.builds("({}).x".format, inner),
        st.builds("(-{})".format, inner),
        st.builds("(not {})".format, inner),
    ),
    max_leaves=8,
)


@settings(max_examples=400 * EXAMPLES, deadline=None)
@given(st.sampled_from(["hp", "mass", "pos", "facing", "alive", "fresh"]), _VALUES)
def test_ill_typed_expressions(target: str, value: str) -> None:
    """Well-formed expressions of random types: a fault or ops, never an exception."""
    check_text(f"{target} = {value}\nowner = hp")
