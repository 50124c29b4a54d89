"""Two trees of fields: what differs, under which path, as which kind."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import compared, examples, f32, kinds, node, one, paths, q16, record, said

from detcheck.compare.nodes import signature
from detcheck.compare.records import compare_records
from detcheck.compare.states import compare_state
from detcheck.model.record import Group, Items, Lanes, Scalar


def test_paths_read_like_the_design() -> None:
    """Rows by index in a table of columns, by key where there is one."""
    a = {"unit": Lanes(4, {"pos.x": ("q16", [0, 0, 0, 5])}), "entities": [{"id": 7, "pos": {"x": 1.5}}]}
    b = {"unit": Lanes(4, {"pos.x": ("q16", [0, 0, 0, 6])}), "entities": [{"id": 7, "pos": {"x": 2.5}}]}
    assert paths(one(a, b)) == ["unit[3].pos.x", "entities[id=7].pos.x"]


def test_key_order_is_no_difference() -> None:
    """Names of a group stand in any order."""
    assert one({"x": 1, "y": {"p": 1, "q": 2}}, {"y": {"q": 2, "p": 1}, "x": 1}).verdict == "same"


def test_rows_in_another_order_are_one_remark() -> None:
    """Rows with ids in another order are the same state, said once."""
    rows = [{"id": n, "hp": n * 10} for n in range(50)]
    found = one({"e": rows}, {"e": rows[::-1]})
    assert (found.verdict, found.findings) == ("same", ())
    assert sum("another order" in note for note in found.notes) == 1


def test_rows_without_a_key_in_another_order_are_one_remark() -> None:
    """The same rows shuffled need no id to be recognised."""
    rows = [{"x": n, "y": -n} for n in range(6)]
    assert one({"p": rows}, {"p": [*rows[3:], *rows[:3]]}).verdict == "same"


def test_an_order_of_values_is_one_finding() -> None:
    """A shuffled list of plain values differs, once; a vector is compared by place."""
    found = one({"q": [1, 2, 3, 4, 5, 6]}, {"q": [6, 5, 4, 3, 2, 1]})
    assert kinds(found) == [("order", "q")]
    assert kinds(one({"v": [1, 2, 3]}, {"v": [3, 2, 1]})) == [("value", "v[0]"), ("value", "v[2]")]


def test_missing_and_extra_rows() -> None:
    """A row on one side only is one finding, whatever it holds."""
    a = {"e": [{"id": 1, "x": 1, "y": 2}, {"id": 2, "x": 3, "y": 4}]}
    b = {"e": [{"id": 2, "x": 3, "y": 4}, {"id": 3, "x": 5, "y": 6}]}
    found = one(a, b)
    assert kinds(found) == [("missing", "e[id=1]"), ("extra", "e[id=3]")]
    assert [(f.a.text, f.b.text) for f in found.findings] == [("present", "absent"), ("absent", "present")]


def test_an_inserted_row_without_a_key_blames_no_other() -> None:
    """A list without ids is aligned: what was put in is extra, the rest agrees."""
    rows = [{"x": n, "y": n * n} for n in range(20)]
    found = one({"p": rows}, {"p": [*rows[:5], {"x": 99, "y": 1}, *rows[5:]]})
    assert kinds(found) == [("count", "p"), ("extra", "p[5]")]


def test_another_kind_of_entity_is_one_finding() -> None:
    """Where the kind differs the fields that follow from it are not listed."""
    tank, scout = {"kind": "tank", "hp": 5, "gun": 1, "x": 1}, {"kind": "scout", "hp": 3, "eye": 1, "x": 2}
    a = {"e": [{"id": 1, **tank}, {"id": 2, **tank}]}
    b = {"e": [{"id": 1, **scout}, {"id": 2, **tank}]}
    assert kinds(one(a, b)) == [("entity", "e[id=1].kind")]
    assert "4 other fields" in (one(a, b).findings[0].note or "")
    b["e"][0] = {"id": 1, **tank, "kind": "scout", "hp": 6}
    assert kinds(one(a, b)) == [("entity", "e[id=1].kind"), ("value", "e[id=1].hp")]


def test_duplicate_ids_pair_by_place_among_them() -> None:
    """Two rows of one given key stay apart."""
    rows = Items([node({"id": 1, "x": 1}), node({"id": 1, "x": 2})], key="id")
    other = Items([node({"id": 1, "x": 1}), node({"id": 1, "x": 3})], key="id")
    assert paths(one({"e": rows}, {"e": other})) == ["e[id=1#2].x"]


def test_ids_that_share_nothing_do_not_pair() -> None:
    """Handles that differ on every row are fields like others, not keys."""
    a = {"e": [{"handle": n, "x": n} for n in range(3)]}
    b = {"e": [{"handle": n + 100, "x": n} for n in range(3)]}
    assert all(f.path.endswith("handle") for f in one(a, b).findings)


def test_a_group_against_a_value() -> None:
    """Unlike shapes at one path are one finding."""
    assert kinds(one({"a": {"b": 1}}, {"a": 5})) == [("value", "a")]
    assert kinds(one({"a": [1]}, {"a": {"b": 1}})) == [("value", "a")]


def test_tables_by_columns() -> None:
    """Rows that differ, rows and columns on one side only, and the same table held by rows."""
    a = Lanes(3, {"x": ("int", [1, 2, 3]), "only": ("int", [0, 0, 0])})
    b = Lanes(4, {"x": ("int", [1, 9, 3, 4])})
    assert kinds(one({"t": a}, {"t": b})) == [
        ("count", "t"),
        ("missing", "t.only"),
        ("value", "t[1].x"),
        ("extra", "t[3]"),
    ]
    rows = [{"x": 1, "only": 0}, {"x": 2, "only": 0}, {"x": 3, "only": 0}]
    assert one({"t": a}, {"t": rows}).verdict == "same"
    columns = {"x": [1, 2, 3], "only": [0, 0, 0]}
    assert one({"t": columns}, {"t": a}).verdict == "same"


def test_findings_of_a_table_go_by_row() -> None:
    """The first row that differs comes first, its lanes in order."""
    a = Lanes(3, {"x": ("int", [1, 2, 3]), "y": ("int", [1, 2, 3])})
    b = Lanes(3, {"x": ("int", [1, 2, 4]), "y": ("int", [1, 9, 4])})
    assert paths(one({"t": a}, {"t": b})) == ["t[1].y", "t[2].x", "t[2].y"]


@pytest.mark.parametrize(
    ("depth", "wrap"),
    [(100_000, lambda n: Group({"n": n})), (20_000, lambda n: Items([n])), (900, lambda n: Items([n]))],
)
def test_deep_nesting_is_no_different(depth: int, wrap: Any) -> None:
    """100,000 levels are compared without recursion, equal or not."""
    sides = []
    for value in (1, 1, 2):
        inner = node(value)
        for _ in range(depth):
            inner = wrap(inner)
        sides.append(record(1, Group({"root": inner})))
    assert compared([sides[0]], [sides[1]]).verdict == "same"
    found = compared([sides[0]], [sides[2]])
    assert (found.verdict, len(found.findings)) == ("diverged", 1)
    assert len(found.findings[0].path) <= 1_001


def test_nested_lists_stay_bounded() -> None:
    """Lists in lists are paired by content only while the budget lasts; the answer stays right."""

    def tower(value: int) -> Any:
        inner = node(value)
        for level in range(1_000):
            inner = Items([node(level), inner])
        return record(1, Group({"t": inner}))

    assert len(compared([tower(1)], [tower(2)]).findings) == 1


def test_a_million_values_of_two_kinds_align_in_bounded_work() -> None:
    """A long list without keys, shuffled beyond repair, ends."""
    a = {"q": [n % 2 for n in range(4_000)]}
    b = {"q": [n // 2 % 2 for n in range(4_001)]}
    assert one(a, b).verdict == "diverged"


def test_long_text_shows_the_token() -> None:
    """In a long line the part that differs is named."""
    line = "p3;pos(1200,3300,17),rot(100,20,65500),order2(900,3100)^0,action1,{},sMove(status4,speed89)"
    found = one({"s": line.format("body712")}, {"s": line.format("body711")})
    assert found.findings[0].note is not None
    assert "body712 / body711" in found.findings[0].note


def test_ignore_only_and_coverage() -> None:
    """What is ignored is counted with its reason; --only leaves everything else out."""
    a, b = {"x": 1, "fps": 60, "e": [{"id": 1, "fps": 2}]}, {"x": 1, "fps": 59, "e": [{"id": 1, "fps": 3}]}
    found = one(a, b, ignore=["fps"])
    assert found.verdict == "same"
    assert found.coverage.ignored == (("--ignore fps", 2),)
    assert one(a, b, only=["x"]).verdict == "same"
    assert one(a, b, only=["e.*.fps"]).findings[0].path == "e[id=1].fps"
    assert one(a, b, only=["x"]).coverage.fields_compared == 1


def test_tolerance_is_asked_for_and_shows_the_exact_onset() -> None:
    """Within the tolerance the verdict is same, and the first exact difference is told."""
    a = [record(t, {"x": 1.0}) for t in range(5)]
    b = [record(t, {"x": 1.0 if t < 3 else 1.0000001}) for t in range(5)]
    assert compared(a, b).first_divergent_tick == 3
    found = compared(a, b, tolerance=["x=1e-6"])
    assert found.verdict == "same"
    assert said(found, "exact onset", "tick 3", "1.0000001")
    assert compared(a, b, tolerance=["x=1e-9"]).first_divergent_tick == 3
    nan = compared([record(1, {"x": float("nan")})], [record(1, {"x": 1.0})], tolerance=["x=1e9"])
    assert nan.verdict == "diverged"


def test_map_renames_names_and_texts_and_swaps() -> None:
    """--map local=remote turns the seats of side a, in names, keys of rows and texts."""
    a = {"local": {"hp": 5}, "remote": {"hp": 9}, "turn": "local"}
    b = {"remote": {"hp": 5}, "local": {"hp": 9}, "turn": "remote"}
    assert one(a, b).verdict == "diverged"
    assert one(a, b, mapping=["local=remote"]).verdict == "same"
    assert said(one(a, b), "crosswise", "--map local=remote")


def test_compare_records_gives_findings_alone() -> None:
    """The small form for callers that hold two records."""
    found = compare_records(record(1, {"x": 1}), record(1, {"x": 2}))
    assert [(f.path, f.a.value, f.b.value) for f in found] == [("x", 1, 2)]


def test_compare_state_for_run() -> None:
    """Expected and actual of one tick, with the tick before as context."""
    before = record(9, {"u": Lanes(1, {"x": ("q16", [65536])})}, line=0)
    a, b = (record(10, {"u": Lanes(1, {"x": ("q16", [raw])})}, line=0) for raw in (98304, 98305))
    found = compare_state(a, b, previous=(before, before))
    assert (found.verdict, found.first_divergent_tick, found.last_equal_tick) == ("diverged", 10, 9)
    assert found.names == ("expected", "actual")
    assert found.findings[0].delta_ulps == 1
    assert found.context == ((9, "u[0].x = 65536"),)
    assert compare_state(a, a).verdict == "same"


values = st.one_of(
    st.integers(-3, 3),
    st.booleans(),
    st.none(),
    st.sampled_from(["", "a", "1"]),
    st.sampled_from([0.0, -0.0, 1.0, 0.5]),
)
trees = st.recursive(
    values, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
)


@examples(60)
@given(trees, trees)
def test_unlike_trees_are_never_same(a: Any, b: Any) -> None:
    """Whatever pairs up, a difference other than the order of rows is found, and both orders of sides agree on it."""
    one_side, other = node({"r": a}), node({"r": b})
    forth, back = one({"r": a}, {"r": b}), one({"r": b}, {"r": a})
    assert forth.verdict == back.verdict
    if signature(one_side) == signature(other):
        assert forth.verdict == "same"
        assert not forth.findings
    elif forth.verdict == "same":
        assert said(forth, "another order")


@examples(60)
@given(trees)
def test_a_tree_is_itself(a: Any) -> None:
    """Compared closely, value by value, a tree equals itself."""
    assert one({"r": a}, {"r": a}, ignore=["zzz"]).verdict == "same"


def test_kinds_of_bits_in_columns() -> None:
    """Lanes of one kind compare as bits: two NaNs of other bits and two zeros differ."""
    a = Lanes(2, {"v": ("f32", [0x7FC00000, 0])})
    b = Lanes(2, {"v": ("f32", [0x7FC00001, 0x80000000])})
    found = one({"t": a}, {"t": b})
    assert paths(found) == ["t[0].v", "t[1].v"]
    assert (
        one({"t": Lanes(1, {"v": ("f32", [0x3FC00000])})}, {"t": Lanes(1, {"v": ("q16", [98304])})}).verdict == "same"
    )
    assert isinstance(f32(0), Scalar)
    assert isinstance(q16(0), Scalar)


def test_two_kinds_of_node_say_what_they_are() -> None:
    """A list against an object, or either against a value, shows which is which and how much it holds."""
    a = {"cargo": [1, 2, 3], "crew": {"x": 1, "y": 2}, "fuel": 7}
    b = {"cargo": {"x": 1, "y": 2}, "crew": 5, "fuel": [7, 7]}
    found = {f.path: (f.a.text, f.b.text) for f in one(a, b).findings}
    assert found == {
        "cargo": ("list of 3", "object of 2"),
        "crew": ("object of 2", "5"),
        "fuel": ("7", "list of 2"),
    }
