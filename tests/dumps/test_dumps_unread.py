"""Records that are not taken apart: what they say when asked, and when two are equal as written."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from detcheck.compare.as_written import equal_as_written
from detcheck.compare.diff import Diff
from detcheck.compare.nodes import record_leaves
from detcheck.compare.options import make_options
from detcheck.dumps.readers.json_tokens import tokens_of
from detcheck.dumps.readers.json_values import parse
from detcheck.model.record import Group, Record
from detcheck.model.unread import Unread


def unread(text: str, tick: int = 7) -> Unread:
    """A record of a line whose tick was taken off by the reader."""

    def read() -> Record:
        value, _ = parse(text)
        assert isinstance(value, Group)
        items = {name: node for name, node in value.items.items() if name != "tick"}
        return Record(tick, 1, fields=Group(items))

    tokens = tokens_of(text)
    assert tokens is not None
    return Unread(tick, 1, tokens=tokens, read=read)


LINE = '{"tick":7,"a":1,"b":{"c":[1,2.0,{"d":null}],"e":{}},"ms":5,"s":"x"}'

UNLIKE = {
    "a number": LINE.replace("2.0", "2.5"),
    "another spelling": LINE.replace("2.0", "2"),
    "a string for a number": LINE.replace('"a":1', '"a":"1"'),
    "true for one": LINE.replace('"a":1', '"a":true'),
    "a name": LINE.replace('"d"', '"f"'),
    "one more": LINE.replace("null}", "null},3"),
    "one less": LINE.replace(',"s":"x"', ""),
    "order of names": '{"tick":7,"b":{"c":[1,2.0,{"d":null}],"e":{}},"a":1,"ms":5,"s":"x"}',
    "a repeated name": LINE.replace('"a":1', '"a":0,"a":1'),
    "an empty list for an empty object": LINE.replace('"e":{}', '"e":[]'),
    "zero with a sign": LINE.replace('"a":1', '"a":-1'),
}


@pytest.mark.parametrize("other", UNLIKE.values(), ids=UNLIKE.keys())
def test_what_is_written_otherwise_is_not_equal_as_written(other: str) -> None:
    """Anything but the same tokens is left to the comparison of fields."""
    assert not equal_as_written(unread(LINE), unread(other), Diff(make_options(), 10))


def test_blanks_do_not_count() -> None:
    """Two writers that space differently write the same tokens."""
    spaced = json.dumps(json.loads(LINE), indent=1).replace("\n", " ")
    assert equal_as_written(unread(LINE), unread(spaced), Diff(make_options(), 10))


def test_what_is_left_out_does_not_count() -> None:
    """--ignore, background, and what names the writer; each is counted where it is counted field by field."""
    other = LINE.replace('"ms":5', '"ms":6')
    diff = Diff(make_options(ignore=["ms"]), 10)
    assert equal_as_written(unread(LINE), unread(other), diff)
    assert diff.ignored == {"--ignore ms": 1}
    assert diff.used == {"--ignore ms"}
    diff = Diff(make_options(), 10)
    diff.background = frozenset(["ms"])
    assert equal_as_written(unread(LINE), unread(other), diff)
    assert diff.behind == 1
    one, other = '{"hostname":"ann","a":1,"meta":{"peer":"x"}}', '{"hostname":"bob","a":1,"meta":{"peer":"x"}}'
    diff = Diff(make_options(), 10)
    assert not equal_as_written(unread(one), unread(other), diff)
    diff.background = frozenset(["hostname"])  # it differs since it was first seen
    assert equal_as_written(unread(one), unread(other), diff)
    assert diff.compared == 2  # the tick, which is not among them, is counted off


@pytest.mark.parametrize("name", ["player", "rng", "hash", "hostname_hash", "inputs"])
def test_only_what_surely_names_the_writer_is_left_out(name: str) -> None:
    """A value that may be one of the state counts."""
    one, other = f'{{"{name}":"ann","a":1}}', f'{{"{name}":"bob","a":1}}'
    assert not equal_as_written(unread(one), unread(other), Diff(make_options(), 10))


@pytest.mark.parametrize("name", ["state_hash", "rng", "inputs", "hashes"])
def test_what_has_another_path_than_its_name_is_read(name: str) -> None:
    """A pattern names a path: what a reader calls otherwise (the whole state's hash) is compared by that."""
    one, other = f'{{"{name}":{{"x":1}},"a":1}}', f'{{"{name}":{{"x":2}},"a":1}}'
    assert not equal_as_written(unread(one), unread(other), Diff(make_options(ignore=[name, "x"]), 10))


def test_only_and_map_are_left_to_the_fields() -> None:
    """Options that rename or choose fields need them."""
    for options in (make_options(only=["a"]), make_options(mapping=["a=b"])):
        assert not equal_as_written(unread(LINE), unread(LINE), Diff(options, 10))


def test_a_field_that_is_asked_for_is_read() -> None:
    """It is the record the reader would have given, also when a copy is made, and its values are counted alike."""
    record = unread(LINE)
    assert record.values == record_leaves(record) == 6
    assert record.fields.items["b"] == unread(LINE).fields.items["b"]
    assert record.rng == {}
    copy = replace(unread(LINE), line=9)
    assert type(copy) is Record
    assert (copy.tick, copy.line, copy.fields) == (7, 9, record.fields)
    with pytest.raises(AttributeError):
        _ = record.nothing


NO_TOKENS = ["", "[1]", "7", '{"a":', '{"a":1} x', '{"a":1}{"b":2}', "{" * 100_000, '{"a":' * 100_000]


@pytest.mark.parametrize("text", NO_TOKENS, ids=range(len(NO_TOKENS)))
def test_other_lines_have_no_tokens(text: str) -> None:
    """They are read as they always are, and broken ones end nothing."""
    assert tokens_of(text) is None
