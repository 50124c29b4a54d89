"""Plain hash streams in bulk give the very comparison that their records give."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from made import blocks, compared, examples, hash_records, record, source

from detcheck.compare.compare import compare
from detcheck.compare.options import make_options
from detcheck.model.comparison import Comparison


@st.composite
def streams(draw: st.DrawFn) -> tuple[list[int], list[str]]:
    """Rising ticks with small hashes."""
    ticks = sorted(draw(st.sets(st.integers(0, 40), min_size=1, max_size=30)))
    return ticks, [draw(st.sampled_from(["aa", "bb"])) if tick > 20 else "aa" for tick in ticks]


def bare(found: Comparison) -> Comparison:
    """Without what names the readers."""
    return replace(found, readers=(), names=())


@examples(150)
@given(streams(), streams(), st.integers(1, 12), st.integers(1, 12))
def test_bulk_is_the_same_as_records(
    a: tuple[list[int], list[str]], b: tuple[list[int], list[str]], size_a: int, size_b: int
) -> None:
    """Verdict, ticks, strip, context, notes and coverage are equal, however the blocks are cut."""
    bulk = compare(blocks(*a, size=size_a), blocks(*b, size=size_b))
    assert bare(bulk) == bare(compared(hash_records(*a), hash_records(*b)))


def test_a_million_ticks_keep_a_bounded_picture() -> None:
    """Strip, series and context stay small however long the streams are."""
    ticks = list(range(300_000))
    tokens = [f"{n:x}" for n in ticks]
    other = [*tokens[:200_000], *(f"f{n:x}" for n in ticks[200_000:])]
    found = compare(blocks(ticks, tokens, 50_000), blocks(ticks, other, 70_000))
    assert (found.first_divergent_tick, found.last_equal_tick) == (200_000, 199_999)
    assert len(found.strip) <= 128
    assert len(found.follows) <= 256
    assert len(found.context) == 3
    assert "x" in found.strip


def test_a_block_against_records() -> None:
    """A bulk side beside one of records is compared tick by tick."""
    ticks, tokens = list(range(9)), [f"{n:x}" for n in range(9)]
    state = [record(n, {"x": n}, hash=f"{n:x}") for n in range(9)]
    assert compare(blocks(ticks, tokens), source(state)).verdict == "same"
    state[4] = record(4, {"x": 4}, hash="ff")
    assert compare(blocks(ticks, tokens), source(state)).first_divergent_tick == 4


def test_options_hold_for_bulk() -> None:
    """A window of ticks and what is ignored apply to plain hashes too."""
    ticks, tokens = list(range(20)), ["aa"] * 20
    other = [*tokens[:10], *["bb"] * 10]
    assert compare(blocks(ticks, tokens), blocks(ticks, other), make_options(ticks="0:9")).verdict == "same"
    assert compare(blocks(ticks, tokens), blocks(ticks, other), make_options(ticks="12:")).first_divergent_tick == 12
    assert compare(blocks(ticks, tokens), blocks(ticks, other), make_options(ignore=["hash"])).verdict == "inconclusive"
