"""Two streams of ticks: comparable or not, where they part, what is background, who ends early."""

from __future__ import annotations

from typing import Any

import pytest
from made import compared, hash_records, kinds, paths, record, said, source

from detcheck.compare.compare import compare
from detcheck.compare.options import make_options
from detcheck.model.record import Record, Skipped


def ticks(*numbers: int, **more: Any) -> list[Record]:
    """Records whose one field is 10 times the tick."""
    return [record(n, {"x": n * 10}, **more) for n in numbers]


def changed(records: list[Record], tick: int, **fields: Any) -> list[Record]:
    """The same records with fields replaced from a tick on."""
    return [record(r.tick, {**r.fields.items, **fields}) if (r.tick or 0) >= tick else r for r in records]


def test_same() -> None:
    """Equal ticks are same, exit 0, with what was compared."""
    found = compared(ticks(0, 1, 2), ticks(0, 1, 2))
    assert (found.verdict, found.first_divergent_tick, found.last_equal_tick) == ("same", None, 2)
    assert (found.coverage.ticks_compared, found.coverage.fields_compared) == (3, 3)
    assert found.coverage.a_ticks == (0, 2)
    assert found.strip == "..."


def test_first_unlike_tick_and_last_equal() -> None:
    """The first tick that differs, the one before it, and an interval where ticks lie between."""
    found = compared(ticks(0, 30, 60, 90), changed(ticks(0, 30, 60, 90), 60, x=1))
    assert (found.first_divergent_tick, found.last_equal_tick) == (60, 30)
    assert "after 30 and not after 60" in found.reason
    assert "after" not in compared(ticks(0, 1, 2), changed(ticks(0, 1, 2), 2, x=1)).reason


def test_unlike_ticks_are_never_compared() -> None:
    """Windows that do not overlap, and ticks that miss each other, are inconclusive with both windows."""
    apart = compared(ticks(9040), changed(ticks(9033), 0, x=1))
    assert apart.verdict == "inconclusive"
    assert not apart.findings
    assert said(apart, "9040", "9033", "do not overlap")
    odd = compared(ticks(1, 3, 5), ticks(2, 4, 6))
    assert odd.verdict == "inconclusive"
    assert said(odd, "1 to 5", "2 to 6")


def test_nothing_on_a_side() -> None:
    """An empty side is inconclusive."""
    assert compared([], ticks(1)).verdict == "inconclusive"
    assert compared([], []).verdict == "inconclusive"


def test_unlike_heads_are_not_compared() -> None:
    """Another game, identity or setting: the reason, both windows and no field list."""
    a, b = (
        source(ticks(1, 2), head={"game id": "A", "map": "m"}),
        source(changed(ticks(2, 3), 0, x=1), head={"game id": "B", "map": "m"}),
    )
    found = compare(a, b)
    assert found.verdict == "inconclusive"
    assert not found.findings
    assert said(found, "game id", "A / B", "1 to 2", "2 to 3")
    a, b = source(ticks(1), head={"game id": "A"}), source(ticks(1), head={"game id": "B"})
    assert compare(a, b, make_options(ignore=["game id"])).verdict == "same"


def test_what_only_one_head_names_is_told() -> None:
    """A setting that one side does not name is no mismatch."""
    found = compare(source(ticks(1), head={"map": "m", "seed": 5}), source(ticks(1), head={"map": "m"}))
    assert found.verdict == "same"
    assert said(found, "seed")


def test_an_input_is_a_class_of_its_own() -> None:
    """The first unlike input comes before what follows from it, and is called a network fault."""
    a = [record(n, {"x": 1}, inputs={"move": 0}) for n in range(8)]
    b = [record(n, {"x": 1 if n < 6 else 2}, inputs={"move": int(n >= 4)}) for n in range(8)]
    found = compared(a, b)
    assert (found.first_divergent_tick, found.last_equal_tick) == (4, 3)
    assert kinds(found) == [("input", "move")]
    assert "network fault" in found.reason
    assert said(found, "the state follows", "6")


def test_the_order_of_findings() -> None:
    """Inputs, generators, fields, then hashes, the whole state's last."""
    a = record(1, {"x": 1}, inputs={"i": 1}, rng={"r": 1}, hashes={"hash": "aa", "part": "bb"})
    b = record(1, {"x": 2}, inputs={"i": 2}, rng={"r": 2}, hashes={"hash": "ab", "part": "bc"})
    assert paths(compared([a], [b])) == ["i", "r", "x", "part", "hash"]


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        (range(64), range(48), "ends_early"),
        (range(48), range(64), "ends_early"),
        (range(64), range(0, 61, 10), "same"),
        (range(71), range(0, 61, 10), "ends_early"),
        (range(64), range(10, 64), "same"),
        ([0, 1], [0], "ends_early"),
        ([0, 1, 2, 3], [0, 3], "same"),
    ],
)
def test_who_ends_early(a: range, b: range, verdict: str) -> None:
    """A side ends early when the other goes on past the tick that it would have given next."""
    found = compared(ticks(*a), ticks(*b))
    assert found.verdict == verdict
    assert found.first_divergent_tick is None
    if verdict == "ends_early":
        assert said(found, "ends after tick", str(min(max(a), max(b))))


def test_a_document_is_a_snapshot() -> None:
    """A single document of one tick did not break off: it is compared where it lies."""
    found = compared(ticks(1, 2, 3), ticks(2, line=0))
    assert found.verdict == "same"
    assert found.coverage.only_a == 2


def test_a_divergence_comes_before_an_early_end() -> None:
    """Unlike and short is diverged, and the end is told."""
    found = compared(ticks(*range(9)), changed(ticks(*range(6)), 3, x=1))
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 3)
    assert said(found, "b ends after tick 5")
    assert found.strip == "...xxx---"


def test_background_is_never_the_first_finding() -> None:
    """What differs from the very first common tick on gives way to what starts to differ later."""
    a = [record(n, {"pid": 17, "tint": 3, "fps": 60 + n, "x": 1, "y": 1}) for n in range(6)]
    b = [record(n, {"pid": 29, "tint": 8, "fps": 50 - n, "x": 1, "y": 1 if n < 4 else 2}) for n in range(6)]
    found = compared(a, b)
    assert (found.first_divergent_tick, paths(found)) == (4, ["y"])
    assert found.last_equal_tick == 3
    assert said(found, "background", "tint", "already at the first common tick")
    assert said(found, "background", "fps", "measure the machine")
    assert dict(found.coverage.ignored) == {"background": 2, "names of the writer": 1}


def test_what_always_differs_and_nothing_else_is_the_divergence() -> None:
    """Where nothing else ever differs, the first common tick is where they part."""
    a = [record(n, {"hp": 100, "x": n}) for n in range(5)]
    b = [record(n, {"hp": 99, "x": n}) for n in range(5)]
    found = compared(a, b)
    assert (found.verdict, found.first_divergent_tick, paths(found)) == ("diverged", 0, ["hp"])
    assert found.last_equal_tick is None


def test_a_clock_beside_an_equal_hash_is_no_divergence() -> None:
    """What a machine measures of itself is background where a hash proves the state equal, and only there."""
    a = [record(n, {"elapsed_ms": n * 480, "x": n}, hash=f"a{n}") for n in range(9)]
    b = [record(n, {"elapsed_ms": n * 481, "x": n}, hash=f"a{n}") for n in range(9)]
    found = compared(a, b)
    assert found.verdict == "same"
    assert said(found, "background", "elapsed_ms")
    assert found.strip == "........."
    b[6] = record(6, {"elapsed_ms": 1, "x": 7}, hash="ff")
    assert (compared(a, b).first_divergent_tick, paths(compared(a, b))) == (6, ["x", "hash"])
    bare = [[record(n, {"elapsed_ms": n * step}) for n in range(9)] for step in (480, 481)]
    assert compared(*bare).first_divergent_tick == 1
    other = [[record(n, {"speed": n * step}, hash="aa") for n in range(9)] for step in (480, 481)]
    assert compared(*other).first_divergent_tick == 1


def test_the_only_common_tick() -> None:
    """A difference at the only common tick is a divergence there."""
    found = compared(ticks(5), changed(ticks(5), 5, x=1))
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 5)
    assert "only tick in common" in found.reason


@pytest.mark.parametrize(
    "more",
    [{"rng": {"rng": 1}}, {"inputs": {"i": 1}}, {"hash": "aa"}],
    ids=["generator", "input", "hash beside a field"],
)
def test_no_background_where_it_is_state(more: dict[str, Any]) -> None:
    """A generator or input that differs at the first tick, or a hash that confirms a field, is the divergence."""
    other = {"rng": {"rng": 2}} if "rng" in more else {"inputs": {"i": 2}} if "inputs" in more else {"hash": "bb"}
    a = [record(n, {"x": 1, "y": 1}, **more) for n in range(4)]
    b = [record(n, {"x": 2, "y": 1 if n < 2 else 2}, **other) for n in range(4)]
    assert compared(a, b).first_divergent_tick == 0


def test_most_fields_unlike_is_no_background() -> None:
    """When most of a record differs from the start the window begins after the divergence."""
    a = [record(n, {f"f{i}": i for i in range(10)}) for n in range(4)]
    b = [record(n, {f"f{i}": i + (i < 8 or n > 1) for i in range(10)}) for n in range(4)]
    assert compared(a, b).first_divergent_tick == 0


def test_what_follows() -> None:
    """Counts, growth, and whether it heals or lasts."""
    a = [record(n, {"p": {"x": 0, "y": 0, "z": 0}}) for n in range(10)]
    healed = [record(n, {"p": {"x": int(3 <= n < 6), "y": int(n == 4), "z": 0}}) for n in range(10)]
    found = compared(a, healed)
    assert [f.differing for f in found.follows] == [1, 2, 1, 0, 0, 0, 0]
    assert found.follows[0].by_part == (("p", 1),)
    assert said(found, "heals", "6", "9")
    assert said(found, "grows", "at tick 4")
    lasting = [record(n, {"p": {"x": int(n > 2), "y": 0, "z": 0}}) for n in range(10)]
    assert said(compared(a, lasting), "lasts", "9")


def test_context_is_the_past_of_what_differs() -> None:
    """The last equal records show what the unlike fields were."""
    a, b = ticks(*range(10)), changed(ticks(*range(10)), 7, x=1)
    assert compared(a, b).context == ((4, "x = 40"), (5, "x = 50"), (6, "x = 60"))
    assert compared(a, b, context=1).context == ((6, "x = 60"),)
    assert compared(a, b, context=0).causes == compared(a, b).causes


def test_ticks_are_a_window() -> None:
    """--ticks A:B compares both ends and nothing outside."""
    a, b = ticks(*range(10)), changed(ticks(*range(10)), 4, x=1)
    assert compared(a, b, ticks="0:3").verdict == "same"
    assert compared(a, b, ticks="6:").first_divergent_tick == 6
    assert compared(a, b, ticks="4").first_divergent_tick == 4
    assert compared(a, b, ticks="20:30").verdict == "inconclusive"


def test_records_without_ticks_pair_by_place() -> None:
    """Without any tick records stand for their place; a lone document may belong to a lone tick."""
    found = compared(ticks_of(None, 1, 2), ticks_of(None, 1, 3))
    assert (found.verdict, found.first_divergent_tick, paths(found)) == ("diverged", None, ["x"])
    assert compared(ticks_of(None, 1, 2, 3), ticks_of(None, 1, 2)).verdict == "ends_early"
    lone = compared([record(None, {"x": 1})], [record(7, {"x": 2})])
    assert (lone.verdict, lone.first_divergent_tick) == ("diverged", 7)
    assert said(lone, "names no tick")
    assert compared(ticks_of(None, 1, 2), ticks(1, 2)).verdict == "inconclusive"


def ticks_of(tick: int | None, *values: int) -> list[Record]:
    """Records of one tick, or of none."""
    return [record(tick, {"x": value}) for value in values]


def test_sessions_pair_in_order() -> None:
    """The second session of one side is compared with the second of the other; its ticks stand alone."""
    a = [*hash_records(range(5), ["aa"] * 5), *(record(n, hash="bb", session=1) for n in range(5))]
    b = [*hash_records(range(5), ["aa"] * 5), *(record(n, hash="bb" if n < 3 else "cc", session=1) for n in range(5))]
    found = compared(a, b)
    assert (found.first_divergent_tick, found.last_equal_tick) == (3, 2)
    assert "session 2" in found.reason
    b[5] = record(0, hash="cc", session=1)
    first = compared(a, b)
    assert (first.first_divergent_tick, first.last_equal_tick) == (0, None)


def test_a_session_that_one_side_lacks() -> None:
    """A side with fewer sessions ends early."""
    a = [*ticks(0, 1), *ticks(0, 1, session=1)]
    assert compared(a, ticks(0, 1)).verdict == "ends_early"


def test_hashes_against_state() -> None:
    """A checkpoint of hashes lacks nothing; where nothing is on both sides it is inconclusive."""
    state = [record(n, {"x": n}, hash=f"a{n}") for n in range(4)]
    hashes = [record(n, hash=f"a{n}") for n in range(4)]
    found = compared(state, hashes)
    assert found.verdict == "same"
    assert said(found, "only a gives state")
    bare = [record(n, {"x": n}) for n in range(4)]
    assert compared(bare, hashes).verdict == "inconclusive"


def test_one_hash_a_side_is_the_same_hash() -> None:
    """What a side calls its only hash does not matter."""
    a = [record(n, hashes={"crc": f"a{n}"}) for n in range(4)]
    b = [record(n, hashes={"checksum": f"a{n}" if n < 2 else "ff"}) for n in range(4)]
    assert compared(a, b).first_divergent_tick == 2


def test_a_skipped_head_counts_as_equal() -> None:
    """Records that were equal byte for byte count, and what differs right after them is no first common tick."""
    skipped = Skipped(1000, 90, 90, 0, 89)
    a, b = (source([record(90, {"pid": n}), record(91, {"pid": n + 1, "x": n})], skipped=skipped) for n in (1, 2))
    found = compare(a, b)
    assert (found.first_divergent_tick, found.last_equal_tick) == (90, 89)
    assert found.coverage.ticks_compared == 92
    assert found.coverage.a_ticks == (0, 91)
    assert said(found, "last equal tick 89")


def test_the_rest_is_left_unread_after_enough() -> None:
    """Work after the divergence is bounded, and what was cut is said; --all reads on."""
    a = (record(n, {"v": [n] * 1000}) for n in range(400))
    b = (record(n, {"v": [n + (n > 4)] * 1000}) for n in range(400))
    read: list[int] = []

    def watched(records: Any) -> Any:
        for one in records:
            read.append(one.tick)
            yield one

    side_a, side_b = source([]), source([])
    side_a.records, side_b.records = watched(a), b
    found = compare(side_a, side_b)
    assert found.first_divergent_tick == 5
    assert read[-1] < 200
    assert said(found, "stopped reading", "--all")


def test_findings_are_capped_and_counted() -> None:
    """Of very many differences the first are kept and all are counted."""
    found = compared([record(1, {"v": [0] * 30_000})], [record(1, {"v": [1] * 30_000})])
    assert found.findings_total == 30_000
    assert len(found.findings) == 10_000
