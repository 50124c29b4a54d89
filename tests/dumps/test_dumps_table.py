"""CSV and TSV in the forms that spreadsheets and engines write."""

from __future__ import annotations

import pytest
from dump_text import fields, opened, records

from detcheck.model.record import Items, Scalar


def test_a_row_a_tick() -> None:
    """One row a tick: columns are fields, a hash and a generator are recognised."""
    record = records("tick,hash,rng,x,y\n1,00ff,5,1.5,-0.0\n2,00fe,6,1.5,0.0\n")[0]
    assert (record.tick, record.hashes["hash"].value, list(record.rng)) == (1, 0xFF, ["rng"])
    assert fields(record) == {"x": "1.5", "y": "-0.0"}


@pytest.mark.parametrize(("delimiter", "comma"), [(",", "."), (";", ","), ("\t", "."), ("\t", ","), ("|", ".")])
def test_delimiters_and_decimal_commas(delimiter: str, comma: str) -> None:
    """A decimal comma beside another delimiter is a decimal point."""
    rows = [["tick", "id", "x"], ["1", "7", f"0{comma}5"], ["1", "8", f"1{comma}25"], ["2", "7", f"0{comma}5"]]
    found = records("\n".join(delimiter.join(row) for row in rows) + "\n")
    items = found[0].fields.items["row"]
    assert isinstance(items, Items)
    assert [row.items["x"].value for row in items.items] == [0.5, 1.25]  # type: ignore[union-attr]
    assert items.key == "id"


def test_rows_in_any_order() -> None:
    """Entity by entity instead of tick by tick."""
    rows = "".join(f"{tick},{entity},{tick * entity}\n" for entity in (3, 1, 2) for tick in range(5))
    found = records("frame,entity_id,v\n" + rows)
    assert [record.tick for record in found] == [0, 1, 2, 3, 4]
    assert [len(record.fields.items["entity"].items) for record in found] == [3] * 5  # type: ignore[union-attr]


def test_quotes_and_separators_inside() -> None:
    """Quoted cells may hold the delimiter, quotes and line ends."""
    found = records('tick,name,hp\n1,"a, ""b""",5\n2,"c\nd",6\n')
    assert fields(found[0])["name"] == 'a, "b"'
    assert fields(found[1])["name"] == "c\nd"


def test_without_a_header() -> None:
    """The first column of rising integers is the tick, the next one that tells rows apart the key."""
    found = records("1,7,0.5,3\n1,8,0.5,4\n2,7,0.75,3\n2,8,0.5,4\n3,7,0.75,3\n3,8,0.5,4\n")
    assert [record.tick for record in found] == [1, 2, 3]
    items = found[0].fields.items["c2"]
    assert isinstance(items, Items)
    assert items.key == "c2"


def test_comments_and_a_separator_line() -> None:
    """`sep=;` and `# key: value` lines in front are no rows; they are the head."""
    source = opened("sep=;\n# map: Delta\n# host: pc1\ntick;x\n1;2,5\n2;2,5\n")
    assert [record.tick for record in source.records] == [1, 2]
    assert source.head["map"].text == "Delta"
    assert source.writer["host"].text == "pc1"


def test_sessions_and_repeats() -> None:
    """The first tick again is a new session; a later one again is resimulation."""
    source = opened("tick,id,hp\n" + "".join(f"{t},1,{t}\n" for t in (1, 2, 3)) + "1,1,9\n2,1,9\n")
    assert [(r.session, r.tick) for r in source.records] == [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2)]
    source = opened("tick,id,hp\n1,1,1\n2,1,2\n3,1,3\n2,1,7\n4,1,4\n")
    assert [r.tick for r in source.records] == [1, 2, 3, 4]
    assert any("corrected" in text for text in source.remarks)


def test_short_rows_and_a_cut_last_row() -> None:
    """Rows without all their cells are remarked on."""
    source = opened("tick,id,hp\n1,1,1\n1,2\n2,1,2\n3,1,2\n4,1,2\n5,1,2\n6,1")
    assert [r.tick for r in source.records] == [1, 2, 3, 4, 5]
    assert any("line 8 is cut short" in text for text in source.remarks)
    assert any("line 3" in text for text in source.remarks)


def test_repeated_column_names_are_kept_apart() -> None:
    """pos, pos#2."""
    assert fields(records("tick,pos,pos\n1,2,3\n2,2,3\n")[0]) == {"pos": "2", "pos#2": "3"}


def test_columns_of_checksums() -> None:
    """Hexadecimal of one width, whatever the column is called."""
    record = records("turn,physics,ai\n1,12345678,0000abcd\n2,0000abce,0000abcd\n")[0]
    assert {name: scalar.value for name, scalar in record.hashes.items()} == {"physics": 0x12345678, "ai": 0xABCD}


def test_fields_can_be_told() -> None:
    """--tick-field and --key-field name columns."""
    found = records("a,b,c\n1,5,1\n2,5,2\n1,6,3\n2,6,4\n", tick_field="b", key_field="a")
    assert [record.tick for record in found] == [5, 6]
    # no tick is known then, which the comparison says as it does for other shapes
    assert [record.tick for record in records("a,b,c\n1,5,1\n2,5,2\n", tick_field="zz", reader="table")] == [None] * 2


def test_a_tick_beyond_64_bits_is_no_tick() -> None:
    """Numbers that no engine counts in are left alone."""
    assert records("tick,x\n99999999999999999999999,1\n99999999999999999999998,2\n", reader="table")[0].tick is None


def test_values_keep_their_kind() -> None:
    """Integers stay exact, words are words."""
    items = records("tick,a,b,c\n1,9007199254740993,true,x y\n2,1,false,z\n")[0].fields.items
    assert items["a"] == Scalar("int", 9007199254740993, "9007199254740993")
    assert items["b"] == Scalar("bool", True, "true")
    assert items["c"] == Scalar("str", "x y", "x y")
