"""What does not fit together is said in words, and only then."""

from __future__ import annotations

from typing import Any

from made import blocks, compared, hash_records, hashed, record, said

from detcheck.compare.compare import compare
from detcheck.model.comparison import Comparison
from detcheck.model.record import Record

WORDS = {
    "lossy": ("lossy",),
    "seeded": ("very first common tick", "seeded"),
    "covers": ("covers too little",),
    "shift": ("agree under a shift",),
    "late": ("later than the first bad hash",),
    "crosswise": ("crosswise",),
}


def contradictions(found: Comparison) -> set[str]:
    """Which of the notes are there."""
    return {name for name, words in WORDS.items() if said(found, *words)}


def stream(count: int, **changes: Any) -> list[Record]:
    """Ticks with a hash and a field; `hash_from` and `field_from` change one side."""
    hash_from, field_from = changes.get("hash_from", count), changes.get("field_from", count)
    return [
        record(n, {"x": n, "y": 7 + (n >= field_from)}, hash=f"{n + (0x1000 if n >= hash_from else 0):x}")
        for n in range(count)
    ]


def test_the_hash_alone_differs() -> None:
    """Every field agrees and the hash does not: the dump is lossy or leaves something out."""
    assert contradictions(compared(stream(9), stream(9, hash_from=4))) == {"lossy"}


def test_the_hash_differs_from_the_first_tick() -> None:
    """From the very first tick with equal fields: suspect the hash."""
    found = compared(stream(9), stream(9, hash_from=0))
    assert (found.first_divergent_tick, contradictions(found)) == (0, {"seeded"})


def test_a_seeded_hash_does_not_hide_a_field() -> None:
    """A hash that never agreed is background once a field parts."""
    found = compared(stream(9), stream(9, hash_from=0, field_from=5))
    assert found.first_divergent_tick == 5
    assert [f.path for f in found.findings] == ["y"]


def test_fields_differ_before_the_hash() -> None:
    """The hash covers too little, and when it follows is told."""
    found = compared(stream(9), stream(9, hash_from=6, field_from=4))
    assert (found.first_divergent_tick, contradictions(found)) == (4, {"covers"})
    assert said(found, "covers too little", "tick 6")
    assert said(compared(stream(9), stream(9, field_from=4)), "covers too little", "in no tick")


def test_fields_and_hash_together_are_no_contradiction() -> None:
    """The usual case is silent."""
    assert contradictions(compared(stream(9), stream(9, hash_from=4, field_from=4))) == set()


def test_an_off_by_one_label() -> None:
    """Streams that agree under a shift of the tick say so: records and hashes in bulk alike."""
    tokens = [f"{n * 7919 % 65521:04x}" for n in range(200)]
    for shift in (1, -3):
        ticks = [n + shift for n in range(5, 205)]
        found = compared(hash_records(range(5, 205), tokens), hash_records(ticks, tokens))
        assert contradictions(found) == {"shift"}
        assert said(found, f"tick t{shift:+d} of b")
        bulk = compare(blocks(range(5, 205), tokens), blocks(ticks, tokens))
        assert contradictions(bulk) == {"shift"}
    fields = [record(n, {"x": n * n % 17, "y": n * 3 % 11}) for n in range(30)]
    later = [record(n + 1, {"x": n * n % 17, "y": n * 3 % 11}) for n in range(30)]
    assert "shift" in contradictions(compared(fields, later))


def test_constant_streams_agree_under_no_shift() -> None:
    """A stream that repeats one value proves nothing."""
    a = hash_records(range(50), ["aa"] * 50)
    b = hash_records(range(50), ["bb"] * 50)
    assert "shift" not in contradictions(compared(a, b))


def test_the_dump_is_later_than_the_first_bad_hash() -> None:
    """The state that was dumped afterwards is told with its distance, and its differences as possible symptoms."""
    a, b = hash_records(range(20), ["aa"] * 20), hash_records(range(20), ["aa"] * 12 + ["bb"] * 8)
    a[16] = record(16, {"hp": 100}, hash="aa")
    b[16] = record(16, {"hp": 99}, hash="bb")
    found = compared(a, b)
    assert (found.first_divergent_tick, contradictions(found)) == (12, {"late"})
    assert said(found, "tick 16", "4 ticks later", "hp 100 / 99")


def test_names_given_crosswise() -> None:
    """Two things with each other's names are recognised, by content."""
    a = {"players": {"me": {"hp": 5, "gold": 7}, "you": {"hp": 9, "gold": 1}}}
    b = {"players": {"me": {"hp": 9, "gold": 1}, "you": {"hp": 5, "gold": 7}}}
    found = compared([record(1, a)], [record(1, b)])
    assert contradictions(found) == {"crosswise"}
    assert said(found, "players", "--map me=you")
    one = compared(
        [record(1, {"p": {"me": {"hp": 5}, "you": {"hp": 9}}})], [record(1, {"p": {"me": {"hp": 6}, "you": {"hp": 9}}})]
    )
    assert contradictions(one) == set()


def test_no_shift_where_labels_agreed_before() -> None:
    """A side that jumps ahead later on is no off-by-one label: earlier ticks agree as labelled."""
    a = [record(n, {"hp": n}) for n in range(12)]
    b = [record(n, {"hp": n + (n >= 5)}) for n in range(12)]
    assert contradictions(compared(a, b)) == set()
    assert contradictions(compared(a, b, context=0)) == set()


def test_a_shift_behind_a_constant_head_is_seen() -> None:
    """Ticks of one content before the first unlike one say nothing against a shifted label."""
    a = [record(n, {"hp": max(0, n - 3)}) for n in range(12)]
    b = [record(n, {"hp": max(0, n - 2)}) for n in range(12)]
    assert contradictions(compared(a, b)) == {"shift"}


def test_hashes_of_systems_are_no_state() -> None:
    """Rows that hold nothing but a hash a system leave nothing to call lossy."""

    def rows(n: int, bad: bool) -> Record:
        systems = [
            {"system": name, "hash": hashed(f"{n}{place}a{int(bad and place)}")} for place, name in enumerate("xy")
        ]
        return record(n, {"system": systems})

    a = [rows(n, False) for n in range(6)]
    b = [rows(n, n > 3) for n in range(6)]
    found = compared(a, b)
    assert (found.first_divergent_tick, contradictions(found)) == (4, set())
