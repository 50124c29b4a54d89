"""What one value is: equality, keys, bits and distances."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import examples, f32, hashed, q16, scalar, token

from detcheck.compare.scalars import (
    bits64,
    delta_ulps,
    digits,
    hex_bits,
    is_denormal,
    key,
    narrow,
    same,
    text_bits32,
    widen,
)
from detcheck.model.record import Scalar

F64_NAN, F64_OTHER_NAN = (Scalar("f64", bits, f"{bits:x}") for bits in (0x7FF8 << 48, 0x7FF8 << 48 | 1))

EQUAL = [
    (token("1.50"), token("1.5")),
    (token("1e3"), token("1000.0")),
    (token("0.1"), token("0.1000000000000000055")),
    (scalar(3), token("3.0")),
    (scalar(2**60), token("1152921504606846976.0")),
    (token("NaN"), token("nan")),
    (f32(0x7FC00001), f32(0x7FC00001)),
    (f32(0x3F000000), token("0.5")),
    (q16(98304), token("1.5")),
    (q16(65536), scalar(1)),
    (hashed("00aB"), hashed("ab")),
    (scalar("x"), scalar("x")),
    (scalar(None), scalar(None)),
]
UNLIKE = [
    (token("0.0"), token("-0.0")),
    (scalar(0), token("-0.0")),
    (scalar(9007199254740993), token("9007199254740992.0")),
    (scalar(10**40), scalar(10**40 + 1)),
    (token("0.1"), token("0.10000000000000002")),
    (scalar("1"), scalar(1)),
    (scalar("1.0"), token("1.0")),
    (scalar(True), scalar(1)),
    (scalar(None), scalar(0)),
    (f32(0x7FC00000), f32(0x7FC00001)),
    (f32(0), f32(0x80000000)),
    (F64_NAN, F64_OTHER_NAN),
    (token("inf"), token("-inf")),
    (scalar("a"), scalar("A")),
]


@pytest.mark.parametrize(("a", "b"), EQUAL, ids=str)
def test_equal(a: Scalar, b: Scalar) -> None:
    """One value in two spellings is equal, and has one key."""
    assert same(a, b)
    assert same(b, a)
    assert key(a) == key(b)
    assert hash(key(a)) == hash(key(b))


@pytest.mark.parametrize(("a", "b"), UNLIKE, ids=str)
def test_unlike(a: Scalar, b: Scalar) -> None:
    """What differs in bits, in exact value or in kind is unlike."""
    assert not same(a, b)
    assert not same(b, a)
    assert key(a) != key(b)


@examples(60)
@given(st.floats(width=32, allow_nan=False), st.floats(allow_nan=False))
def test_same_is_the_key(a: float, b: float) -> None:
    """Equality and equality of keys are one relation, floats and integers alike."""
    one, other = Scalar("float", a, repr(a)), Scalar("float", b, repr(b))
    assert same(one, other) == (key(one) == key(other)) == (struct.pack("<d", a) == struct.pack("<d", b))
    if a.is_integer():
        whole = scalar(int(a))
        assert same(whole, one) == (struct.pack("<d", a) != struct.pack("<d", -0.0))


@examples(60)
@given(st.integers(0, 0xFFFFFFFF))
def test_widen_is_exact(bits: int) -> None:
    """A binary32 widens to the binary64 of the same value; a NaN keeps its sign and payload."""
    value = struct.unpack("<f", struct.pack("<I", bits))[0]
    if value == value:
        assert widen(bits) == struct.unpack("<Q", struct.pack("<d", value))[0]
        assert narrow(value) == bits
    else:
        assert widen(bits) == bits >> 31 << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29


@pytest.mark.parametrize(
    ("a", "b", "ulps"),
    [
        (f32(0x3F000000), f32(0x3F000001), 1),
        (f32(0x80000001), f32(0x00000001), 2),
        (f32(0x80000000), f32(0), 0),
        (token("0.1"), token("0.10000000000000002"), 1),
        (q16(-1), q16(2), 3),
        (f32(0x7FC00000), f32(0x3F000000), None),
        (scalar(1), scalar(2), None),
        (scalar("a"), scalar("b"), None),
    ],
)
def test_ulps(a: Scalar, b: Scalar, ulps: int | None) -> None:
    """Distance counts representable values, across zero too; NaN and integers have none."""
    assert delta_ulps(a, b) == ulps
    assert delta_ulps(b, a) == ulps


def test_bits_as_hex() -> None:
    """Eight digits for 32 bits, sixteen for a binary64, none for what has no bits of its own."""
    assert hex_bits(f32(0x3F000000)) == "3f000000"
    assert hex_bits(q16(-1)) == "ffffffff"
    assert hex_bits(token("-0.0")) == "8000000000000000"
    assert hex_bits(scalar(5)) is None
    assert bits64(f32(0x7F800001)) == 0x7FF0000020000000


def test_digits_and_binary32_texts() -> None:
    """Significant digits of a token, and whether it is the text of a binary32."""
    assert [digits(t) for t in ("0.1", "0.10000000000000002", "1.50", "-3.25e-7", "0.001", "NaN")] == [
        1,
        17,
        3,
        3,
        1,
        0,
    ]
    assert text_bits32(token("0.30000001")) == 0x3E99999A
    assert text_bits32(token("0.10000000000000002")) is None
    assert is_denormal(token("1e-40"))
    assert is_denormal(token("5e-324"))
    assert is_denormal(f32(0x80000001))
    assert not is_denormal(f32(0))
    assert not is_denormal(token("1e-37"))
