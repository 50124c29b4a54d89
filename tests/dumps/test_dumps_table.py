"""CSV and TSV in the forms that spreadsheets and engines write."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

import pytest
from dump_text import fields, opened, plain, records

import detcheck
from detcheck.dumps.readers import table_rows
from detcheck.model.record import Items, Record, Scalar


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


def _table(record: Record) -> dict[str, object]:
    """The rows of a record by their key."""
    (items,) = record.fields.items.values()
    assert isinstance(items, Items)
    return {plain(row)[items.key]: plain(row) for row in items.items}


def test_a_value_a_row() -> None:
    """Entity, field, value: the fields of an entity stand together, whatever the order of the rows."""
    rows = [f"{t},{e},{f},{t * e + len(f)}" for e in (1, 2) for f in ("x", "gold") for t in range(6)]
    found = records("tick,entity,field,value\n" + "\n".join(rows) + "\n")
    assert [record.tick for record in found] == list(range(6))
    assert _table(found[5]) == {
        "1": {"entity": "1", "x": "6", "gold": "9"},
        "2": {"entity": "2", "x": "11", "gold": "14"},
    }


def test_a_value_a_row_of_the_world() -> None:
    """Name and value: fields of the world, a generator among them."""
    found = records("frame,name,value\n" + "".join(f"{t},wind,{t}\n{t},rng,{t * 9}\n" for t in range(4)))
    assert [(fields(record), list(record.rng)) for record in found[:2]] == [
        ({"wind": "0"}, ["rng"]),
        ({"wind": "1"}, ["rng"]),
    ]


def test_parts_of_an_entity_in_rows() -> None:
    """Several rows an entity and tick, told apart by a column of few values."""
    rows = "".join(f"{t},{e},{c},{t},{e}\n" for t in range(5) for e in (7, 8) for c in ("body", "wheel"))
    found = records("tick,id,component,x,y\n" + rows)
    row = _table(found[0])["8"]
    assert row == {
        "id": "8",
        "component": {
            "key": "component",
            "items": [{"component": c, "x": "0", "y": "8"} for c in ("body", "wheel")],
        },
    }


def test_rows_without_a_key_that_stand_apart() -> None:
    """Every row of a tick counts, also when its rows do not stand together and nothing tells them apart."""
    rows = [(t, v) for v in (1, 1, 2) for t in (3, 1, 2, 0)]
    found = records("tick,v\n" + "".join(f"{t},{v}\n" for t, v in rows))
    assert [record.tick for record in found] == [0, 1, 2, 3]
    assert [len(record.fields.items["row"].items) for record in found] == [3] * 4  # type: ignore[union-attr]


def test_two_rows_of_one_entity() -> None:
    """One right after the other they are two rows; a tick written again is resimulation."""
    once = "".join(f"{t},{e},{t}\n" for t in range(8) for e in (1, 2))
    found = records("tick,id,hp\n" + once.replace("5,1,5\n", "5,1,5\n5,1,6\n"))
    assert len(found[5].fields.items["row"].items) == 3  # type: ignore[union-attr]
    source = opened("tick,id,hp\n" + once.replace("5,2,5\n", "5,2,5\n5,1,9\n5,2,9\n"))
    assert _table(list(source.records)[5]) == {"1": {"id": "1", "hp": "9"}, "2": {"id": "2", "hp": "9"}}
    assert any("corrected" in text for text in source.remarks)


@pytest.mark.parametrize("between", ["\n", "\n[herds]\n", "\n# herds\n", "\n=== herds ===\n", ""])
def test_several_tables(between: str) -> None:
    """Each table has a header of its own; their rows of one tick are one record."""
    first = "tick,id,x\n" + "".join(f"{t},{e},{t}\n" for t in range(4) for e in (1, 2))
    second = "tick,herd,size,hash\n" + "".join(f"{t},{e},{t + 5},00ff{t:04x}\n" for t in range(4) for e in "pq")
    source = opened(first + between + second)
    found = list(source.records)
    assert [record.tick for record in found] == [0, 1, 2, 3]
    assert [len(list(record.fields.items)) for record in found] == [2] * 4
    assert any("2 tables" in text for text in source.remarks)
    if "herds" in between:
        assert "herds" in found[0].fields.items


@pytest.mark.parametrize(
    "text",
    [
        "#tick,id,x\n0,1,5\n0,2,6\n1,1,7\n1,2,8\n",
        "tick,id,x,\n0,1,5,\n0,2,6,\n1,1,7,\n1,2,8,\n",
        ",tick,id,x\n0,0,1,5\n1,0,2,6\n2,1,1,7\n3,1,2,8\n",
        "[-],[m],[m]\n".join(["tick,id,x\n", "0,1,5\n0,2,6\n1,1,7\n1,2,8\n"]),
        "  tick   id     x\n     0    1     5\n     0    2     6\n     1    1     7\n     1    2     8\n",
        "tick,id,x\n0,1,5\n0,2,6\ntick,id,x\n1,1,7\n1,2,8\n",
    ],
)
def test_headers_as_people_write_them(text: str) -> None:
    """In a comment, with a last comma, above a row number, with units, in columns of blanks, and once more."""
    found = records(text)
    assert [record.tick for record in found] == [0, 1]
    row = _table(found[1])["2"]
    assert isinstance(row, dict)
    assert row["x"] == "8"


@pytest.mark.parametrize("times", [["0.00", "0.02", "0.04", "0.06"], ["0", "0.5", "1", "1.5"]])
def test_a_time_in_even_steps(times: list[str]) -> None:
    """Where nothing else names a tick it is the number of steps, which a remark says."""
    source = opened("time,x,y\n" + "".join(f"{time},{n},2\n" for n, time in enumerate(times)))
    assert [record.tick for record in source.records] == [0, 1, 2, 3]
    assert any("steps of" in text for text in source.remarks)
    assert [record.tick for record in records("time,x\n0.01,1\n0.03,2\n0.07,3\n0.08,4\n")] == [None] * 4


def _memory_table(ticks: Iterable[int], shift: int = 0) -> str:
    rows = [f"{tick},{unit},{(tick * 7 + unit) % 97 + shift * (tick == 150)}" for tick in ticks for unit in range(3)]
    return "\n".join(["tick,id,hp", *rows, ""])


@pytest.mark.parametrize("orderly", [True, False])
def test_rows_past_the_limit_are_given_as_they_come(orderly: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long tables are not held whole: in order they stream early, out of order later, and nothing of a tick is lost."""
    monkeypatch.setattr(table_rows, "ORDERLY_BYTES", 300)
    monkeypatch.setattr(table_rows, "SORTED_BYTES", 2_000)
    ticks = list(range(200))
    if not orderly:
        ticks[3], ticks[9] = ticks[9], ticks[3]
    found = detcheck.diff(*(BytesIO(_memory_table(ticks, shift).encode()) for shift in (0, 1)), all=True)
    assert (found.verdict, found.first_divergent_tick, found.findings_total) == ("diverged", 150, 3)
    assert found.coverage.ticks_compared == 200
    assert [f.path for f in found.findings] == [f"row[id={unit}].hp" for unit in range(3)]


def test_a_cell_that_holds_a_separator_of_units_is_one_cell() -> None:
    """Rows are held as text; a cell may hold any character."""
    a, b = (f'tick,id,name\n0,1,"x\x1f{end}"\n0,2,{"z" * 200}\n'.encode() for end in "yw")
    found = detcheck.diff(BytesIO(a), BytesIO(b))
    assert [f.path for f in found.findings] == ["row[id=1].name"]
