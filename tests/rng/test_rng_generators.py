"""Both generators: other people's outputs, saved states, draws, and the same contract for either."""

from __future__ import annotations

import hashlib
import json
import struct
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from detcheck import rng
from detcheck.errors import DetcheckError, Trap
from detcheck.model.schema import RngSpec
from detcheck.rng import MT19937, SplitMix64, mt19937

DATA = Path(__file__).resolve().parent.parent / "data" / "vectors"


def load(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((DATA / name).read_text(encoding="utf-8"))
    return loaded


MT = load("mt19937.json")
SPLIT = load("splitmix64.json")


def double_bits(x: float) -> str:
    return struct.pack(">d", x).hex()


def float_bits(x: float) -> str:
    return struct.pack(">f", x).hex()


class Contract:
    """What holds for any generator."""

    def make(self, seed: int) -> rng.Generator:
        raise NotImplementedError

    def test_a_saved_state_continues_the_stream(self) -> None:
        """Saving and loading at any word gives the words that would have followed, and counts afresh."""
        generator = self.make(7)
        for drawn in range(1300):
            if drawn % 311 == 0:
                other = self.make(1)
                other.load_state(generator.save_state())
                assert other.save_state() == generator.save_state()
                assert other.draws == 0
                ahead = self.make(7)
                ahead.load_state(generator.save_state())
                assert [other.rand_u32() for _ in range(700)] == [ahead.rand_u32() for _ in range(700)]
            generator.rand_u32()
        assert generator.draws == 1300

    def test_every_draw_counts_its_words(self) -> None:
        """One word a draw, and as many as were tried where a bound rejects."""
        generator, words = self.make(3), self.make(3)
        for draw in ("rand_u32", "rand_unit_raw", "rand_unit_bits"):
            getattr(generator, draw)()
            words.rand_u32()
        for lo, hi in ((0, 0), (-5, 5), (-(2**31), 2**31 - 1), (7, 7)):
            before = generator.draws
            assert lo <= generator.roll(lo, hi) <= hi
            assert generator.draws > before
            for _ in range(generator.draws - before):
                words.rand_u32()
        assert generator.save_state() == words.save_state()
        assert generator.draws == words.draws

    def test_roll_with_bounds_out_of_order_traps_before_it_draws(self) -> None:
        """hi < lo traps and consumes nothing."""
        generator = self.make(3)
        with pytest.raises(Trap, match="roll_bounds"):
            generator.roll(1, 0)
        assert generator.draws == 0

    def test_observation_changes_nothing(self) -> None:
        """Reading the state and saving it leaves the stream alone."""
        generator, other = self.make(9), self.make(9)
        for _ in range(700):
            generator.save_state()
            assert generator.state is not None
            assert generator.rand_u32() == other.rand_u32()

    def test_rand_unit_raw_is_the_upper_half(self) -> None:
        """A Q16.16 raw in [0, 1): the word >> 16."""
        generator, words = self.make(11), self.make(11)
        assert [generator.rand_unit_raw() for _ in range(50)] == [words.rand_u32() >> 16 for _ in range(50)]

    def test_seeds_out_of_range_are_refused(self) -> None:
        """A seed is never cut to size."""
        for seed in (-1, 2**64):
            with pytest.raises(DetcheckError) as caught:
                self.make(seed)
            assert caught.value.code == "rng.seed"


class TestMT19937(Contract):
    def make(self, seed: int) -> MT19937:
        return MT19937(seed)

    @pytest.mark.parametrize("seed", list(MT["seeds"]))
    def test_outputs(self, seed: str) -> None:
        """The first ten, those around the first block's end, and the 10,000th are the reference program's."""
        facts, generator = MT["seeds"][seed], MT19937(int(seed))
        outputs = [generator.next_u32() for _ in range(10_000)]
        assert outputs[:10] == facts["first10"]
        assert outputs[619:630] == facts["outputs_620_to_630"]
        assert outputs[-1] == facts["output_10000"]
        assert mt19937.initialise(int(seed))[:5] == facts["untwisted_init_first5"]

    @pytest.mark.parametrize("seed", list(MT["seeds"]))
    def test_states(self, seed: str) -> None:
        """After k words the saved form is the reference's, at the block's ends too."""
        facts = MT["seeds"][seed]
        for drawn, state in facts["states"].items():
            generator = MT19937(int(seed))
            for _ in range(int(drawn)):
                generator.next_u32()
            block = facts["blocks"][state["mt"]]
            assert (list(generator.state), generator.left, generator.index) == (
                block,
                state["left"],
                624 - state["left"],
            )
            blob = generator.save_state()
            assert len(blob) == 2500
            assert hashlib.sha256(blob).hexdigest() == state["blob_sha256"]
            assert mt19937.pack_state(block, state["left"]) == blob

    @pytest.mark.parametrize("seed", list(MT["seeds"]))
    def test_bounded_draws(self, seed: str) -> None:
        """next_int_inclusive masks and rejects as the engine does; a bound of 0 consumes a word."""
        for n, facts in MT["seeds"][seed]["next_int_inclusive"].items():
            generator = MT19937(int(seed))
            assert [generator.next_int_inclusive(int(n)) for _ in facts["values"]] == facts["values"]
            assert generator.draws == facts["words_used"]
            rolls = MT19937(int(seed))
            lo = -(2**31)
            assert [rolls.roll(lo, lo + int(n)) - lo for _ in facts["values"]] == facts["values"]

    @pytest.mark.parametrize("seed", list(MT["seeds"]))
    def test_float_draws(self, seed: str) -> None:
        """next_unit and next_float in both precisions are those of real x87 hardware."""
        unit, wide, narrow = (MT19937(int(seed), precision) for precision in (53, 53, 24))
        for fact in MT["seeds"][seed]["draws"]:
            assert double_bits(unit.next_unit()) == fact["next_unit"]
            bits = wide.next_float_bits()
            assert f"{bits:08x}" == fact["next_float_pc53"]
            assert float_bits(narrow.next_float()) == fact["next_float_pc24"]

    def test_word_maps(self) -> None:
        """Chosen words, the double rounding cases among them, map as on hardware, and not as a division would."""
        divided = 0
        for fact in MT["word_map"]:
            word = fact["word"]
            assert double_bits(word * mt19937.UNIT_SCALE) == fact["next_unit"]
            assert f"{mt19937.unit_bits_53(word):08x}" == fact["next_float_pc53"], word
            assert f"{mt19937.unit_bits_24(word):08x}" == fact["next_float_pc24"], word
            divided += fact["next_unit"] != fact["unit_if_divided"]
        assert divided

    def test_the_unit_constant(self) -> None:
        """C has the bits 3df0000000100000, is nearest to 1 / (2^32 - 1), and takes the greatest word to 1.0."""
        assert double_bits(mt19937.UNIT_SCALE) == "3df0000000100000"
        assert Fraction(mt19937.UNIT_SCALE) == Fraction(2**32 + 1, 2**64)
        exact, half_ulp = Fraction(1, 2**32 - 1), Fraction(1, 2**85)
        assert abs(Fraction(mt19937.UNIT_SCALE) - exact) < half_ulp
        assert 0xFFFFFFFF * mt19937.UNIT_SCALE == 1.0
        assert mt19937.unit_bits_53(0xFFFFFF7F) == 0x3F800000

    def test_both_precisions_against_exact_rationals(self) -> None:
        """53: a product rounded to 53 bits, then to 24. 24: the fix-up only for negative words, then one rounding."""

        def rounded(exact: Fraction, precision: int) -> Fraction:
            if exact == 0:
                return exact
            exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
            exponent -= exact < Fraction(2) ** exponent
            unit = Fraction(2) ** (exponent - precision + 1)
            return round(exact / unit) * unit

        def value(bits: int) -> Fraction:
            return Fraction(struct.unpack(">f", bits.to_bytes(4, "big"))[0])

        generator = MT19937(20)
        edges = [0, 1, 2, 3, 2**24 - 1, 2**24 + 1, 2**31 - 1, 2**31, 2**31 + 128, 2**31 + 384, 2**32 - 1, 2**32 - 128]
        for word in edges + [generator.next_u32() >> i % 32 for i in range(4000)]:
            scale = Fraction(2**32 + 1, 2**64)
            assert value(mt19937.unit_bits_53(word)) == rounded(rounded(word * scale, 53), 24)
            fixed = rounded(Fraction(word), 24) if word >= 2**31 else Fraction(word)
            assert value(mt19937.unit_bits_24(word)) == rounded(fixed * scale, 24)

    def test_rand_unit_is_next_float(self) -> None:
        """The portable binary32 draw is the engine's own, in the precision asked for."""
        for precision in (53, 24):
            a, b = MT19937(5, precision), MT19937(5, precision)
            assert [a.rand_unit_bits() for _ in range(50)] == [b.next_float_bits() for _ in range(50)]

    def test_malformed_states_are_refused(self) -> None:
        """A wrong length, a word or left out of range: an error, and the generator is as it was."""
        generator = MT19937(1)
        before = generator.save_state()
        words = list(generator.state)
        for blob in (b"", before[:-1], before + b"\0", before[:-4] + b"\x71\x02\0\0", before[:-4] + b"\xff" * 4):
            with pytest.raises(DetcheckError) as caught:
                generator.load_state(blob)
            assert caught.value.code == "rng.state"
        for bad, left in ((words, 625), (words, -1), (words[1:], 3), ([*words[1:], 2**32], 3), ([*words[1:], -1], 3)):
            with pytest.raises(DetcheckError):
                generator.load_state(bad, left)
        assert generator.save_state() == before
        generator.load_state(words, 0)
        assert (generator.left, generator.index) == (0, 624)

    def test_precisions_and_seeds_have_their_ranges(self) -> None:
        """x87_precision is 53 or 24; a seed has 32 bits."""
        with pytest.raises(DetcheckError):
            MT19937(1, 64)
        with pytest.raises(DetcheckError):
            MT19937(2**32)


class TestSplitMix64(Contract):
    def make(self, seed: int) -> SplitMix64:
        return SplitMix64(seed)

    @pytest.mark.parametrize("facts", SPLIT["splitmix64"], ids=lambda facts: f"seed {facts['seed']}")
    def test_outputs(self, facts: dict[str, Any]) -> None:
        """The words, the state after twenty, and the 10,000th word are the reference program's."""
        generator = SplitMix64(int(facts["seed"]))
        assert [f"{generator.next_u64():016x}" for _ in range(20)] == facts["next_u64"]
        assert f"{generator.state:016x}" == facts["state_after_20"]
        assert generator.save_state() == generator.state.to_bytes(8, "little")
        words = [generator.next_u64() for _ in range(9980)]
        assert f"{words[-1]:016x}" == facts["output_10000"]

    @pytest.mark.parametrize("facts", SPLIT["below"], ids=lambda facts: f"seed {facts['seed']} n {facts['n']}")
    def test_bounded_draws(self, facts: dict[str, Any]) -> None:
        """below(n) is multiply-high; roll over a span is below of its width and one."""
        generator, rolls = SplitMix64(int(facts["seed"])), SplitMix64(int(facts["seed"]))
        assert [generator.below(facts["n"]) for _ in facts["below"]] == facts["below"]
        assert generator.draws == len(facts["below"])
        if facts["n"]:
            lo = -(2**31)
            assert [rolls.roll(lo, lo + facts["n"] - 1) - lo for _ in facts["below"]] == facts["below"]

    def test_the_seed_documents_word(self) -> None:
        """Seed 1 begins with 0x910a2dec89025cc1."""
        assert SplitMix64(1).next_u64() == 0x910A2DEC89025CC1

    def test_a_roll_over_all_of_i32_is_the_word(self) -> None:
        """The width is taken in 64 bits, so that 2^32 values are all reached."""
        a, b = SplitMix64(4), SplitMix64(4)
        assert [a.roll(-(2**31), 2**31 - 1) for _ in range(50)] == [b.rand_u32() - 2**31 for _ in range(50)]

    def test_rand_unit_bits_is_24_bits_exactly(self) -> None:
        """The pattern's value is (u64 >> 40) * 2^-24, small ones too."""
        a, b = SplitMix64(4), SplitMix64(4)
        for _ in range(2000):
            value = struct.unpack(">f", a.rand_unit_bits().to_bytes(4, "big"))[0]
            assert Fraction(value) == Fraction(b.next_u64() >> 40, 2**24)
        for top in (0, 1, 2, 3, 2**23, 2**24 - 1):
            generator = SplitMix64(0)
            generator.next_u64 = lambda top=top: top << 40 | 12345  # type: ignore[method-assign]
            assert Fraction(struct.unpack(">f", generator.rand_unit_bits().to_bytes(4, "big"))[0]) == Fraction(
                top, 2**24
            )

    def test_malformed_states_are_refused(self) -> None:
        """A wrong length or a word of more than 64 bits is an error; the word itself is accepted."""
        generator = SplitMix64(1)
        for state in (b"", b"1234567", b"123456789", -1, 2**64):
            with pytest.raises(DetcheckError) as caught:
                generator.load_state(state)
            assert caught.value.code == "rng.state"
        generator.load_state(2)
        assert generator.next_u64() == SplitMix64(2).next_u64()


def test_make_follows_the_spec() -> None:
    """The scenario's spec picks generator and precision; an unknown kind is the user's fault."""
    assert rng.make(RngSpec("mt19937", 24), 3).save_state() == MT19937(3).save_state()
    narrow = rng.make(RngSpec("mt19937", 24), 3)
    assert isinstance(narrow, MT19937)
    assert narrow.x87_precision == 24
    assert rng.make(RngSpec("splitmix64"), 2**64 - 1).kind == "splitmix64"
    with pytest.raises(DetcheckError) as caught:
        rng.make(RngSpec("xor\x1bshift"), 3)
    assert caught.value.code == "rng.kind"
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize("generator", [MT19937, SplitMix64])
def test_each_generator_says_what_it_guarantees(generator: type) -> None:
    """The docstring has the two sections that users of a generator need."""
    assert "State and seeding\n" in (generator.__doc__ or "")
    assert "Compatibility guarantee\n" in (generator.__doc__ or "")
