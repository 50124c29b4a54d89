"""Paths and the patterns that select them."""

from __future__ import annotations

import pytest

from detcheck.compare.paths import pattern, segments, text_of

FITS = [
    ("unit.*.pos", "unit[3].pos.x"),
    ("unit[*].pos.x", "unit[3].pos.x"),
    ("unit.3.pos", "unit[3].pos.x"),
    ("entities.7.hp", "entities[id=7].hp"),
    ("entities[id=7]", "entities[id=7].pos.x"),
    ("**.x", "a.b[2].c.x"),
    ("a.**.x", "a.x"),
    ("a.**.x", "a.b.c.d.x.y"),
    ("hp", "entities[id=7].hp"),
    ("h?", "entities[id=7].hp"),
    ("elapsed_*", "elapsed_ms"),
    ("traits.247*", "traits[247 inf South Mobile].PathHash"),
    ("commandQue.size()", "commandQue.size()"),
]
MISSES = [
    ("unit.*.pos", "unit[3].vel.x"),
    ("unit.*.pos", "other.unit[3].pos"),
    ("entities.7", "entities[id=17]"),
    ("pos.x", "unit[3].pos.x"),
    ("hp", "entities[id=7].hpmax"),
    ("**.x", "a.b"),
]


@pytest.mark.parametrize(("text", "path"), FITS)
def test_fits(text: str, path: str) -> None:
    """A pattern covers what it names and everything below; one segment fits at any depth."""
    assert pattern(text).matches(path)


@pytest.mark.parametrize(("text", "path"), MISSES)
def test_misses(text: str, path: str) -> None:
    """A pattern with several segments starts at the root, and names are whole."""
    assert not pattern(text).matches(path)


def test_touches_what_lies_above() -> None:
    """A row that is missing touches a pattern for something inside it."""
    assert pattern("unit.*.pos").touches("unit[3]")
    assert not pattern("unit.*.pos").touches("world")


def test_segments_keep_dots_in_brackets() -> None:
    """Brackets hold one segment, whatever is in it."""
    assert segments("a.b[id=1.5].c[2]") == ("a", "b", "id=1.5", "c", "2")


def test_many_stars_are_quick() -> None:
    """A pattern of many `**` is no exponential search."""
    assert not pattern(".".join(["**", "a"] * 30)).matches(".".join(["a"] * 29 + ["b"] * 200))


def test_a_path_too_long_to_read_is_cut_in_the_middle() -> None:
    """100,000 levels give a path of bounded length."""
    link = None
    for _ in range(100_000):
        link = (link, "n")
    assert len(text_of(link)) <= 1_001
