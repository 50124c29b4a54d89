"""Generators in the spellings of many engines, wherever in the state they stand; and what only looks like one."""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable
from typing import Any

import pytest
from made import compared, event, kinds, record

from detcheck.model.comparison import Comparison
from detcheck.rng import MT19937, SplitMix64

Form = Callable[[list[int], int], Any]


def saved(draws: int, seed: int = 42) -> tuple[list[int], int]:
    """The words of an mt19937 after some draws, and the place of the next one."""
    generator = MT19937(seed)
    for _ in range(draws):
        generator.next_u32()
    return [int(word) for word in generator.state], 624 - generator.left


def mixed(draws: int) -> int:
    """A splitmix64 state after some draws."""
    generator = SplitMix64(9)
    for _ in range(draws):
        generator.next_u64()
    return generator.state


def parted(a: Any, b: Any, place: str = "rng") -> Comparison:
    """A tick that is equal, then one in which a generator at `place` differs; under `rng` it is a stream."""
    records = []
    for value in (a, b):
        if place == "rng":
            records.append(record(1, {"hp": 3}, rng={"rng": value}))
            continue
        fields: Any = value
        for name in reversed(place.split(".")):
            fields = {name: fields}
        records.append(record(1, {**fields, "hp": 3}))
    return compared([record(0, {"hp": 4}), records[0]], [record(0, {"hp": 4}), records[1]])


WORDS: dict[str, Form] = {
    "hex blob, little": lambda words, place: {"state": struct.pack("<624I", *words).hex(), "index": place},
    "hex blob, big": lambda words, place: {"state": struct.pack(">624I", *words).hex(), "index": place},
    "hex blob with place": lambda words, place: "0x" + struct.pack("<625I", *words, place).hex(),
    "base64": lambda words, place: {"mt": base64.b64encode(struct.pack("<624I", *words)).decode(), "mti": place},
    "base64 with place": lambda words, place: base64.b64encode(struct.pack("<625I", *words, place)).decode(),
    "numpy, old": lambda words, place: ["MT19937", words, place, 0, 0.0],
    "capitals": lambda words, place: {"MT": words, "Index": place},
    "hex words, 0x": lambda words, place: {"mt": [f"0x{word:08x}" for word in words], "mti": place},
    "python": lambda words, place: [3, [*words, place], None],
    "C++": lambda words, place: " ".join(map(str, [*words, place])),
}


@pytest.mark.parametrize("place", ["rng", "world.rng", "game.systems.combat.generator"])
@pytest.mark.parametrize("form", WORDS)
def test_words_in_every_spelling(form: str, place: str) -> None:
    """mt19937 is stepped over a block's end in every spelling, as a stream or deep among the fields."""
    if place.endswith("generator") and form in ("python", "numpy, old"):
        place = "game.systems.combat.rng"
    found = parted(WORDS[form](*saved(600)), WORDS[form](*saved(640)), place)
    assert kinds(found) == [("rng", place)]
    assert [cause.name for cause in found.causes] == ["draw_count"]
    assert "b has drawn 40 words more (mt19937" in found.causes[0].evidence


SIXTY_FOUR: dict[str, Callable[[int], Any]] = {
    "hex text": lambda state: f"{state:016x}",
    "decimal text": str,
    "integer": lambda state: state,
    "signed": lambda state: state - (1 << 64) if state >> 63 else state,
    "named": lambda state: {"name": "loot", "state": state},
}


@pytest.mark.parametrize("place", ["rng", "world.rng_state"])
@pytest.mark.parametrize("form", SIXTY_FOUR)
def test_splitmix64_in_every_spelling(form: str, place: str) -> None:
    """A 64-bit state is stepped whatever its spelling, and in both orders."""
    make = SIXTY_FOUR[form]
    assert "b has drawn 3 words more" in parted(make(mixed(5)), make(mixed(8)), place).causes[0].evidence
    assert "a has drawn 3 words more" in parted(make(mixed(8)), make(mixed(5)), place).causes[0].evidence


def test_streams_by_name_hold_plain_states() -> None:
    """Of several generators given as plain numbers, the one that was drawn from is named."""
    found = parted({"ai": f"0x{mixed(1):016x}", "loot": mixed(5)}, {"ai": f"0x{mixed(1):016x}", "loot": mixed(6)})
    assert kinds(found) == [("rng", "rng.loot")]
    assert "rng.loot: b has drawn one word more" in found.causes[0].evidence


@pytest.mark.parametrize("name", ["rng_calls", "rngDraws", "random_calls", "prngCallCount"])
def test_a_count_alone(name: str) -> None:
    """A field that counts the draws of a generator is enough to say who has drawn more, and it comes first."""
    found = parted(12, 14, f"world.{name}")
    assert kinds(found) == [("rng", f"world.{name}")]
    assert "b counts 2 draws more (12 / 14)" in found.causes[0].evidence
    inside = parted({"seed": 4, "numCalls": 14}, {"seed": 4, "numCalls": 12})
    assert "a counts 2 draws more" in inside.causes[0].evidence


def test_too_far_with_counts() -> None:
    """Beyond 10,000 words the counts still tell who is ahead."""
    sides = [{"kind": "splitmix64", "state": mixed(n), "draws": n} for n in (1, 10_002)]
    note = parted(*sides).findings[0].note or ""
    assert "b counts 10,001 draws more" in note
    assert "more than 10,000 words apart" in note


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tiles", [7] * 625),
        ("data", [*range(624), 12]),
        ("map", {"data": [3] * 624, "pos": 5}),
        ("zeros", {"mt": [0] * 624, "index": 3}),
    ],
)
def test_a_map_is_no_generator(name: str, value: Any) -> None:
    """Numbers are words of a generator only when they look drawn: 25 by 25 cells are a map."""
    other = (
        [*value] if isinstance(value, list) else {key: [*v] if isinstance(v, list) else v for key, v in value.items()}
    )
    (other if isinstance(other, list) else next(iter(other.values())))[300] += 1
    found = parted(value, other, name)
    assert [finding.kind for finding in found.findings] == ["value"]
    assert not found.causes


@pytest.mark.parametrize("name", ["random_event", "mapSeed", "seed", "strand", "lcg_table_size"])
def test_a_name_that_only_resembles(name: str) -> None:
    """What a generator decided, or began with, is a field like any other."""
    found = parted(5, 6, f"world.{name}")
    assert kinds(found) == [("value", f"world.{name}")]
    assert not found.causes


def test_generators_of_rows() -> None:
    """A generator that a row of a list holds is stepped, and its count read, where that row differs."""
    for one_state, other in (
        ({"kind": "splitmix64", "state": mixed(5)}, {"kind": "splitmix64", "state": mixed(6)}),
        ({"calls": 5}, {"calls": 6}),
        (mixed(5), mixed(6)),
    ):
        sides = [{"units": [{"id": 1, "rng": one_state}, {"id": 2, "rng": value}]} for value in (one_state, other)]
        before = record(0, {"units": []})
        found = compared([before, record(1, sides[0])], [before, record(1, sides[1])])
        assert [cause.name for cause in found.causes] == ["draw_count"]
        assert found.causes[0].evidence.startswith("units[id=2].rng")
        assert "b " in found.causes[0].evidence


def test_python_prints_a_state() -> None:
    """The text of `random.getstate()` is read like the state itself."""
    texts = []
    for draws in (600, 640):
        words, place = saved(draws)
        texts.append(repr((3, (*words, place), None)))
    assert "b has drawn 40 words more" in parted(*texts).causes[0].evidence


def test_counts_in_the_lines_of_a_log() -> None:
    """A count of draws in an event is told like one of a stream."""
    sides = [[record(1, events=[event("turn", {"rng_draws": n}, is_rng=True)])] for n in (4, 7)]
    found = compared(*sides)
    assert [cause.name for cause in found.causes] == ["draw_count"]
    assert "b counts 3 draws more (4 / 7)" in found.causes[0].evidence
