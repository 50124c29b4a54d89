"""JSON documents and JSON Lines: exact numbers, tokens as written, and where tick, hash, generator and inputs stand."""

from __future__ import annotations

import json

import pytest
from dump_text import fields, opened, plain, records

from detcheck.dumps.options import parse_types
from detcheck.errors import DetcheckError
from detcheck.model.record import Group, Items, Record, Scalar


def one(text: str, **options: object) -> Record:
    """The only record."""
    found = records(text, **options)
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("token", "kind", "value"),
    [
        ("9007199254740993", "int", 9007199254740993),
        ("-18446744073709551616", "int", -(2**64)),
        ("1" * 400, "int", int("1" * 400)),
        ("0.1", "float", 0.1),
        ("-0.0", "float", -0.0),
        ("1e3", "float", 1000.0),
        ("1E-400", "float", 0.0),
        ("1e999", "float", float("inf")),
        ("Infinity", "float", float("inf")),
        ("true", "bool", True),
        ("null", "null", None),
        ('"f32:3f000000"', "f32", 0x3F000000),
        ('"f64:3ff0000000000000"', "f64", 0x3FF0000000000000),
        ('"q16:-65536"', "q16", -65536),
        ('"0xffffffffffffffff"', "int", 2**64 - 1),
        ('"f32:3f0"', "str", "f32:3f0"),
        ('"12"', "str", "12"),
        ('"a\\u0000b"', "str", "a\0b"),
    ],
)
def test_a_value_is_kept_exactly(token: str, kind: str, value: object) -> None:
    """Kind and value of a token; the token itself is kept."""
    scalar = one('{"tick": 1, "x": ' + token + "}").fields.items["x"]
    assert isinstance(scalar, Scalar)
    assert (scalar.kind, scalar.value) == (kind, value)
    assert scalar.text == (json.loads(token) if kind in ("f32", "f64", "q16", "str") or token[:3] == '"0x' else token)


def test_a_number_of_ten_thousand_digits_is_compared_as_text() -> None:
    """Python's limit on digits is no fault of the dump."""
    scalar = one('{"tick": 1, "x": ' + "7" * 10_000 + "}").fields.items["x"]
    assert isinstance(scalar, Scalar)
    assert (scalar.kind, len(scalar.text)) == ("str", 10_000)


def test_repeated_names_are_kept_apart() -> None:
    """name, name#2, name#3."""
    assert fields(one('{"tick": 1, "a": 1, "a": 2, "a": 3}')) == {"a": "1", "a#2": "2", "a#3": "3"}


@pytest.mark.parametrize(
    "word", ["tick", "frame", "turn", "step", "tickIndex", "sim_frame", "NetFrame", "gameTime", "cycle"]
)
def test_words_for_the_tick(word: str) -> None:
    """Whatever a writer calls it, and also as a string or a whole decimal."""
    for value in ("77", '"77"', "77.0"):
        assert one(f'{{"{word}": {value}, "hp": 1}}').tick == 77


def test_the_best_word_wins() -> None:
    """A tick is a tick even beside a time and a turn."""
    record = one('{"turn": 3, "t": 9.0, "tick": 50, "time": 1.5}')
    assert record.tick == 50
    assert fields(record) == {"turn": "3", "t": "9.0", "time": "1.5"}


def test_a_tick_inside_a_head() -> None:
    """One level down, under a name that means a head; what is left of the head stays."""
    record = one('{"header": {"tick": 8, "players": 2}, "hp": 1}')
    assert record.tick == 8
    assert "hp" in record.fields.items


def test_the_tick_field_can_be_told() -> None:
    """--tick-field takes a path."""
    assert one('{"tick": 1, "clock": {"beat": 44}, "x": 1}', tick_field="clock.beat").tick == 44


def test_what_is_what() -> None:
    """Hashes, generators, inputs, the writer and the settings are told apart from fields."""
    source = opened(
        '{"version": 3, "peer": "A", "tick": 5, "state_hash": "00ff", "hashes": {"physics": "aa11", "ai": "bb22"}, '
        '"rng": {"state": "0x1f", "draws": 4}, "random_seed": 7, "commands": [{"player": 1}], "input_hash": "abcd", '
        '"players": [{"id": 1}], "timestamp": 1714, "hp": 3}\n'
    )
    record = next(source.records)
    assert {name: scalar.value for name, scalar in record.hashes.items()} == {
        "hash": 255,
        "physics": 0xAA11,
        "ai": 0xBB22,
    }
    assert list(record.rng) == ["rng", "random_seed"]
    assert plain(record.inputs) == {"commands": [{"player": "1"}], "input_hash": "abcd"}
    assert list(source.head) == ["version"]
    assert list(source.writer) == ["peer", "timestamp"]
    assert fields(record) == {"players": [{"id": "1"}], "hp": "3"}


@pytest.mark.parametrize("key", ["checkpoints", "frames", "history", "data"])
def test_a_list_of_ticks_under_a_key(key: str) -> None:
    """What stands beside the list is the head."""
    source = opened(json.dumps({"map": "Delta", "host": "h1", key: [{"tick": t, "hp": t} for t in (1, 2, 3)]}))
    assert [record.tick for record in source.records] == [1, 2, 3]
    assert source.head["map"].text == "Delta"
    assert source.writer["host"].text == "h1"


def test_a_list_at_the_top_and_ticks_as_names() -> None:
    """`[{…}]`, `{"120": {…}}` and `{"120": "hash"}`."""
    assert [r.tick for r in records('[{"frame": 1, "x": 2}, {"frame": 2, "x": 2}]')] == [1, 2]
    assert [r.tick for r in records('{"120": {"x": 1}, "119": {"x": 0}}')] == [119, 120]
    found = records('{"frames": {"7": "00ab", "8": "00ac"}}')
    assert [(r.tick, r.hashes["hash"].value) for r in found] == [(7, 0xAB), (8, 0xAC)]


def test_documents_one_after_another() -> None:
    """Pretty-printed objects in a row are records in a row."""
    text = "\n".join(json.dumps({"tick": t, "a": [t]}, indent=2) for t in (4, 5))
    assert [record.tick for record in records(text)] == [4, 5]


def test_a_head_line_in_front() -> None:
    """A first line without a tick that names the run or the writer is the head."""
    source = opened('{"game_id": "g1", "peer": "A"}\n{"tick": 1, "x": 1}\n{"tick": 2, "x": 1}\n')
    assert [record.tick for record in source.records] == [1, 2]
    assert source.head["game_id"].text == "g1"
    assert source.writer["peer"].text == "A"


def test_lines_behind_a_log_prefix() -> None:
    """Everything in front of the brace is left out; other lines are counted."""
    text = "".join(f'2024-05-01 12:00:0{t} INFO dump {{"tick": {t}, "hp": 5}}\n' for t in range(5)) + "bye\n"
    source = opened(text)
    assert [record.tick for record in source.records] == [0, 1, 2, 3, 4]
    assert any("line 6" in text for text in source.remarks)


def test_rows_of_one_tick() -> None:
    """Lines of one tick that differ in their id are rows of one record; without ids they are a trace."""
    rows = "".join(f'{{"tick": {t}, "entity": {e}, "hp": {t + e}}}\n' for t in (1, 2) for e in (5, 3))
    found = records(rows)
    assert [record.tick for record in found] == [1, 2]
    items = found[0].fields.items["entity"]
    assert isinstance(items, Items)
    assert items.key == "entity"
    trace = "".join(f'{{"tick": {t}, "event": "draw", "value": {v}}}\n' for t in (1, 2) for v in (8, 9))
    assert [len(record.events) for record in records(trace)] == [2, 2]


def test_a_repeated_tick_counts_last() -> None:
    """The same state written again after a rollback."""
    pairs = ((1, 1), (2, 2), (3, 3), (2, 7), (3, 8), (4, 9))
    source = opened("".join(f'{{"tick": {tick}, "hp": {hp}}}\n' for tick, hp in pairs))
    assert [(r.tick, fields(r)["hp"]) for r in source.records] == [(1, "1"), (2, "7"), (3, "8"), (4, "9")]
    assert any("2, 3" in text for text in source.remarks)


def test_a_cut_last_line_and_a_cut_document() -> None:
    """What stands before the cut is read, the rest is a remark with its line."""
    source = opened('{"tick": 1, "a": 1}\n{"tick": 2, "a": 1}\n{"tick": 3, "a"')
    assert [record.tick for record in source.records] == [1, 2]
    assert any("line 3 is cut short" in text for text in source.remarks)
    text = json.dumps({"map": "m", "ticks": [{"tick": t, "x": [t, t]} for t in range(20)]}, indent=1)
    source = opened(text[: len(text) * 2 // 3])
    found = [record.tick for record in source.records]
    assert found == list(range(len(found)))
    assert 8 < len(found) < 20
    assert any("cut short" in text for text in source.remarks)


def test_broken_json_names_its_place() -> None:
    """File, line, column, and the line with a caret."""
    with pytest.raises(DetcheckError) as caught:
        records('{\n "tick": 1,\n "a": nope,\n "b": [1, 2, 3, 4, 5],\n "c": {"d": 1}' + " " * 300 + "\n}\n")
    assert str(caught.value).startswith("x.txt:3:7: is no JSON")
    assert '"a": nope' in str(caught.value)


def test_players_named_by_role_are_paired_by_id() -> None:
    """local and remote are the same two players on both peers."""
    left = one('{"tick": 1, "players": {"local": {"id": 1, "hp": 5}, "remote": {"id": 2, "hp": 6}}}').fields
    players = left.items["players"]
    assert isinstance(players, Items)
    assert players.key == "id"
    kept = one('{"tick": 1, "players": {"local": {"hp": 5}, "remote": {"hp": 6}}}').fields
    assert isinstance(kept.items["players"], Group)


def test_types_can_be_told() -> None:
    """--types makes bit patterns out of integers and decimals, in lists too."""
    text = '{"tick": 1, "unit": [{"pos": {"x": 1056964608, "y": 0.5}, "hp": 3}], "fix": -65536, "big": 4294901760}'
    types = parse_types(["unit.*.pos=f32, fix=q16", "big=q16"])
    record = one(text, types=types)
    unit = record.fields.items["unit"]
    assert isinstance(unit, Items)
    pos = unit.items[0].items["pos"]  # type: ignore[union-attr]
    assert [(s.kind, s.value) for s in pos.items.values()] == [("f32", 0x3F000000)] * 2  # type: ignore[union-attr]
    assert unit.items[0].items["hp"].kind == "int"  # type: ignore[union-attr]
    assert record.fields.items["fix"] == Scalar("q16", -65536, "-65536")
    assert record.fields.items["big"] == Scalar("q16", -65536, "4294901760")


@pytest.mark.parametrize("text", ["", "x", "x=", "x=float", "=f32"])
def test_types_that_make_no_sense(text: str) -> None:
    """A malformed rule is a fault; nothing at all is no rule."""
    if not text:
        assert parse_types([text]) == ()
        return
    with pytest.raises(DetcheckError, match="PATH=TYPE"):
        parse_types([text])


@pytest.mark.parametrize(
    "document",
    [
        {"replay": {"map": "m", "frames": [{"tick": 1, "hash": "00aa"}, {"tick": 2, "hash": "00bb"}]}},
        {"frame_count": 2, "frames": [{"frame": 1, "hash": "00aa"}, {"frame": 2, "hash": "00bb"}]},
        {"map": "m", "hashes": [[1, "00aa00"], [2, "00bb00"]]},
        {"map": "m", "hashes": {"1": "00aa", "2": "00bb"}},
        {"map": "m", "tick": [1, 2], "hash": ["00aa", "00bb"], "x": [1.5, 2.5]},
        [[1, "00aa00"], [2, "00bb00"]],
        {"1": "00aa", "2": "00bb"},
    ],
)
def test_where_a_document_may_keep_its_ticks(document: object) -> None:
    """One level down, beside a count, as pairs, under names that are ticks, as columns."""
    found = records(json.dumps(document))
    assert [record.tick for record in found] == [1, 2]
    assert all(record.hashes["hash"].value for record in found)


def test_a_state_with_a_list_that_has_ticks_is_one_state() -> None:
    """Past events inside a state are no stream of states."""
    record = one(
        '{"tick": 90, "units": [{"id": 1}], "events": [{"tick": 88, "type": "hit"}, {"tick": 89, "type": "hit"}]}'
    )
    assert record.tick == 90
    assert list(record.fields.items) == ["units", "events"]
