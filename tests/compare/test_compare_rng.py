"""Generator streams: which differ and how many words apart they are."""

from __future__ import annotations

from typing import Any

import pytest
from made import compared, hashed, kinds, one, record, said

from detcheck.model.record import Scalar
from detcheck.rng import MT19937, SplitMix64


def mt(draws: int, seed: int = 5489, form: str = "left") -> dict[str, Any]:
    """An mt19937 state after some draws, as a dump holds it."""
    generator = MT19937(seed)
    for _ in range(draws):
        generator.next_u32()
    words = [int(word) for word in generator.state]
    if form == "left":
        return {"kind": "mt19937", "left": generator.left, "words": words, "draws": draws}
    if form == "index":
        return {"mt": words, "index": 624 - generator.left}
    return {"state": [*words, 624 - generator.left]}


def mixed(draws: int, seed: int = 7) -> int:
    """A splitmix64 state after some draws."""
    generator = SplitMix64(seed)
    for _ in range(draws):
        generator.next_u64()
    return generator.state


def of(a: Any, b: Any) -> Any:
    """Compare two records with one stream."""
    return compared([record(1, {"x": 1}, rng={"rng": a})], [record(1, {"x": 1}, rng={"rng": b})])


@pytest.mark.parametrize("form", ["left", "index", "joined"])
@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (0, 1, "b has drawn one word more"),
        (630, 627, "a has drawn 3 words more"),
        (5, 1905, "b has drawn 1,900 words more"),
    ],
)
def test_mt19937_is_stepped(form: str, a: int, b: int, words: str) -> None:
    """The state of 624 words is one finding that says who has drawn how many words more."""
    found = of(mt(a, form=form), mt(b, form=form))
    assert kinds(found) == [("rng", "rng")]
    assert found.findings[0].note is not None
    assert words in found.findings[0].note
    assert found.causes[0].name == "draw_count"
    assert words in found.causes[0].evidence


def test_mt19937_seeded_unlike() -> None:
    """States that neither side reaches from the other are said to be so, without a cause."""
    found = of(mt(3), mt(3, seed=1))
    assert "more than 10,000 words apart" in (found.findings[0].note or "")
    assert not found.causes


def test_splitmix64_is_stepped() -> None:
    """Named or not, as an integer or hex: a distance that is found proves the generator."""
    a, b = mixed(10), mixed(12)
    for mine, theirs in (
        (a, b),
        (hashed(f"{a:016x}"), hashed(f"{b:016x}")),
        ({"kind": "splitmix64", "state": a}, {"kind": "splitmix64", "state": b}),
    ):
        found = of(mine, theirs)
        assert "b has drawn 2 words more" in (found.findings[0].note or "")
        assert [cause.name for cause in found.causes] == ["draw_count"]


def test_an_unknown_generator_is_no_guess() -> None:
    """Two unlike 64-bit numbers are a finding and nothing more."""
    found = of(0x1234567890ABCDEF, 0xFEDCBA0987654321)
    assert kinds(found) == [("rng", "rng")]
    assert found.findings[0].note is None
    assert not found.causes


def test_counted_draws() -> None:
    """An unknown generator that counts its draws says who counts more."""
    found = of({"s": 5, "draws": 170}, {"s": 9, "draws": 171})
    assert kinds(found) == [("rng", "rng.s"), ("rng", "rng.draws")]
    assert "b counts 1 draw more" in found.causes[0].evidence


def test_draws_are_information_not_state() -> None:
    """Equal states with other counts are equal, and said to be."""
    found = of(mt(4), {**mt(4), "draws": 99})
    assert found.verdict == "same"
    lazily = {**mt(624)}
    assert lazily["left"] in (0, 624)


def test_streams_by_name_come_before_fields() -> None:
    """Each stream is its own finding, before any field; a stream that one side lacks is told."""
    a = record(1, {"x": 1}, rng={"sim": 11, "ai": 22})
    b = record(1, {"x": 2}, rng={"sim": 12, "ai": 22})
    assert kinds(compared([a], [b])) == [("rng", "sim"), ("value", "x")]
    lacking = compared([a], [record(1, {"x": 1}, rng={"sim": 11})])
    assert kinds(lacking) == [("missing", "ai")]


def test_marks_tell_the_stage() -> None:
    """Where only generators differ, those that still agree are named."""
    a = record(1, {"x": 1}, rng={"marks": {"begin": 1, "after_move": 5}, "state": 9})
    b = record(1, {"x": 1}, rng={"marks": {"begin": 1, "after_move": 6}, "state": 8})
    found = compared([record(0, {"x": 1}, rng={}), a], [record(0, {"x": 1}, rng={}), b])
    assert said(found, "only generators", "marks.begin")


def test_a_field_called_state_is_no_generator() -> None:
    """Outside of streams numbers are numbers."""
    assert kinds(one({"state": mixed(1)}, {"state": mixed(2)})) == [("value", "state")]
    assert isinstance(hashed("ff"), Scalar)


FORMS = {
    "getstate": lambda words, left: [3, [*words, 624 - left], None],
    "flat": lambda words, left: [*words, 624 - left],
    "numpy": lambda words, left: {
        "bit_generator": "MT19937",
        "state": {"key": words, "pos": 624 - left},
        "has_gauss": 0,
    },
    "text": lambda words, left: " ".join(map(str, [*words, 624 - left])),
    "hex": lambda words, left: {"kind": "mt19937", "state": [f"{word:08x}" for word in words], "index": 624 - left},
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_other_languages(form: str) -> None:
    """mt19937 as other libraries save it is stepped like any other."""
    sides = []
    for draws in (630, 634):
        saved = mt(draws)
        sides.append(FORMS[form](saved["words"], saved["left"]))
    found = of(*sides)
    assert kinds(found) == [("rng", "rng")]
    assert "b has drawn 4 words more (mt19937" in (found.findings[0].note or "")
    assert found.causes[0].name == "draw_count"


@pytest.mark.parametrize("shape", ["by name", "in a list", "two deep"])
def test_generators_below_one_name(shape: str) -> None:
    """Each generator of a group or list is stepped by itself, whatever its place in the list."""

    def made(draws: int, turned: bool) -> Any:
        loot = {"name": "loot", "kind": "mt19937", "state": mt(draws)["words"], "index": 624 - mt(draws)["left"]}
        wind = {"name": "wind", "algorithm": "splitmix64", "seed": mixed(3)}
        if shape == "in a list":
            return [wind, loot] if turned else [loot, wind]
        return {"sim": {"loot": loot, "wind": wind}} if shape == "two deep" else {"loot": loot, "wind": wind}

    found = of(made(5, False), made(7, True))
    assert [kind for kind, _ in kinds(found)] == ["rng"]
    assert "loot" in found.findings[0].path
    assert "b has drawn 2 words more" in found.causes[0].evidence


def test_a_generator_among_the_fields() -> None:
    """A saved generator inside the state is a generator, and comes before the fields."""
    a = record(1, {"hp": 1, "world": {"rng": mt(5), "score": 4}})
    b = record(1, {"hp": 2, "world": {"rng": mt(6), "score": 4}})
    found = compared([a], [b])
    assert kinds(found) == [("rng", "world.rng"), ("value", "hp")]
    assert "b has drawn one word more" in found.causes[0].evidence


def test_what_stands_beside_an_equal_state() -> None:
    """Equal states with another increment are unlike generators; another count of draws is information."""
    state = {"state": mixed(5), "inc": 77, "draws": 3}
    mine = record(3, rng={"main": state})
    found = compared([mine], [record(3, rng={"main": {**state, "inc": 79}})])
    assert [finding.path for finding in found.findings] == ["main.inc"]
    assert compared([mine], [record(3, rng={"main": {**state, "draws": 4}})]).verdict == "same"
