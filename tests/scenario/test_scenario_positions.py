"""Places of keys and values: the scanner agrees with tomllib about every path of a valid text."""

from __future__ import annotations

import contextlib
import os
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detcheck.scenario.positions import MAX_KEY_PARTS, MAX_NESTING, MAX_TOKEN, Path, TooDeep, scan

EXAMPLES = 150 * int(os.environ.get("DETCHECK_EXAMPLES", "1"))

TEXT = '''# a comment with "quotes" and [brackets]
top = 1
"quoted key" = "a # b"
'lit' = 'C:\\n'
a.b . c = 0x1F   # dotted
when = 1979-05-27 07:32:00
later = 1979-05-27T07:32:00.5Z
ends = """a ""quoted"" end"""""
raw = \'\'\'
one
  two\'\'\'
list = [ 1, [2, 3], # nested
  { x = 1, y.z = [true] },
]
"\\u0041\\t" = inf

[one."two.three"]
k = """
first
second \\
   joined"""
[[rows]]
v = 1
[rows.inner]
w = 2
[[rows]]
v = 3
[[rows.deep]]
u = 4
[[rows.deep]]
u = 5
'''


def paths_of(value: Any, path: Path = ()) -> list[tuple[Path, Any]]:
    found: list[tuple[Path, Any]] = [(path, value)] if path else []
    if isinstance(value, dict):
        for name, item in value.items():
            found += paths_of(item, (*path, name))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            found += paths_of(item, (*path, i))
    return found


def test_every_path_of_a_text_with_all_of_toml_has_its_place() -> None:
    """Keys and values stand where the scanner says, in every form that TOML has."""
    marks = scan(TEXT)
    for path, value in paths_of(tomllib.loads(TEXT)):
        assert path in marks, path
        if isinstance(value, dict | list) or path[0] in ("when", "later"):
            continue
        mark = marks[path]
        assert tomllib.loads("v = " + TEXT[mark.begin : mark.end]) == {"v": value}, path


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        (("top",), "top = 1", "1\n"),
        (("quoted key",), '"quoted key"', '"a # b"'),
        (("a", "b", "c"), "c = 0x1F", "0x1F"),
        (("when",), "when", "1979-05-27 07:32:00\n"),
        (("list", 1, 0), "2, 3]", "2, 3]"),
        (("list", 2, "y", "z", 0), "true", "true"),
        (("A\t",), '"\\u0041', "inf"),
        (("one", "two.three"), '"two.three"]', '"two.three"]'),
        (("rows", 0, "inner", "w"), "w = 2", "2\n"),
        (("rows", 1), "rows]]\nv = 3", "rows]]\nv = 3"),
        (("rows", 1, "deep", 1, "u"), "u = 5", "5\n"),
    ],
)
def test_a_key_and_its_value_have_their_own_places(path: Path, key: str, value: str) -> None:
    """The key's offset is its first character, the value's its first character."""
    mark = scan(TEXT)[path]
    assert TEXT.startswith(key, mark.key)
    assert TEXT.startswith(value, mark.begin)


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("a = " + "[" * 200, 4 + MAX_NESTING + 1),
        ("a = " + "[" * 100_000 + "]" * 100_000, 4 + MAX_NESTING + 1),
        ("a = " + "{b = " * 100_000, 4 + 5 * (MAX_NESTING + 1)),
        (".".join("a" * 100_000) + " = 1", 0),
        ("[" + ".".join("a" * (MAX_KEY_PARTS + 1)) + "]", 1),
        ("x = 1\ny = " + "1" * (MAX_TOKEN + 1), 10),
    ],
)
def test_what_would_cost_a_parser_too_much_is_refused_first(text: str, offset: int) -> None:
    """Deep nesting, long dotted keys and endless numbers are refused, with their place, before tomllib sees them."""
    with pytest.raises(TooDeep) as caught:
        scan(text)
    assert caught.value.offset == offset


def test_the_bounds_themselves_are_accepted() -> None:
    """The deepest nesting and the longest key that are allowed pass both parsers."""
    nested = "a = " + "[" * (MAX_NESTING + 1) + "]" * (MAX_NESTING + 1) + "\n"
    dotted = ".".join("k" * MAX_KEY_PARTS) + " = 1\n"
    scan(nested + dotted)
    tomllib.loads(nested + dotted)


@pytest.mark.parametrize(
    "text",
    ["a", "a =", "a = \n", "[", "[[", "[a", "[[a]", "= 1", 'a = "', 'a = """x', "a = [1", "a = {b", "\x00", "a 1"],
)
def test_a_broken_text_stops_the_scanner_without_a_word(text: str) -> None:
    """The scanner leaves the complaint to tomllib."""
    scan(text)


KEYS = st.text("abcxyz_-09", min_size=1, max_size=4)
TOML_VALUES = st.recursive(
    st.sampled_from(["1", "0x1f", "1.5e-3", "true", "inf", '"s # ]"', "'lit}'", '"""l1\nl2"""', "07:32:00"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[ " + ", # c\n ".join(items) + " ]"),
        st.dictionaries(KEYS, inner, max_size=3).map(
            lambda d: "{ " + ", ".join(f"{k} = {v}" for k, v in d.items()) + " }"
        ),
    ),
    max_leaves=6,
)
LINES = st.one_of(
    st.tuples(KEYS, TOML_VALUES).map(lambda kv: f"{kv[0]} = {kv[1]}"),
    st.tuples(KEYS, KEYS, TOML_VALUES).map(lambda kv: f"{kv[0]} . '{kv[1]}' = {kv[2]}  # end"),
    st.lists(KEYS, min_size=1, max_size=3).map(lambda ks: f"[{' . '.join(ks)}]"),
    st.lists(KEYS, min_size=1, max_size=2).map(lambda ks: f"[[{'.'.join(ks)}]]"),
)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(LINES, max_size=8).map("\n".join))
def test_the_scanner_finds_every_path_that_tomllib_finds(text: str) -> None:
    """For every text that tomllib accepts, the scanner has the place of each of its paths."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        scan(text)
        return
    marks = scan(text)
    for path, _ in paths_of(data):
        assert path in marks, path


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.text(st.sampled_from("ab=.[]{}\"'\\\n#,1 \t"), max_size=60))
def test_no_text_hurts_the_scanner(text: str) -> None:
    """Whatever the text, the scanner ends, with marks or with TooDeep."""
    with contextlib.suppress(TooDeep):
        scan(text)
