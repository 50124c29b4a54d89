"""One written value to a Scalar: exact integers of any size, decimals with their token, tagged bit patterns, words."""

from __future__ import annotations

import re
import struct

from detcheck.model.record import Scalar

#: Python refuses longer decimal literals by default; such a number is compared as its text
_MAX_INT_DIGITS = 4000

_TAGGED = re.compile(r"(f32|f64|q16|u32|i32|u64|i64|hash)\s*[:(]\s*(-?)(?:0x)?([0-9a-fA-F]{1,32})\)?")
_TAG_DIGITS = {"f32": 8, "f64": 16}
_INT = re.compile(r"[+-]?[0-9]+")
_HEX = re.compile(r"(-?)0[xX]([0-9a-fA-F]{1,512})")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?f?")
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+(?:[eE][+-]?[0-9]+)?")
_NOT_FINITE = {
    **dict.fromkeys(("nan", "+nan", "nan(ind)", "1.#qnan", "1.#ind"), "nan"),
    # the sign of a NaN is a bit of it, and where a writer shows it processors differ in it
    **dict.fromkeys(("-nan", "-nan(ind)", "-1.#ind", "-1.#qnan", "-nan(snan)"), "-nan"),
    **dict.fromkeys(("inf", "+inf", "infinity", "+infinity", "1.#inf", "∞"), "inf"),
    **dict.fromkeys(("-inf", "-infinity", "-1.#inf", "-∞"), "-inf"),
}
_WORDS: dict[str, tuple[str, bool | None]] = {
    **dict.fromkeys(("true", "True", "TRUE"), ("bool", True)),
    **dict.fromkeys(("false", "False", "FALSE"), ("bool", False)),
    **dict.fromkeys(("null", "None", "nil", "NULL", "none"), ("null", None)),
}


def integer(token: str) -> Scalar:
    """An integer literal, exact; past 4,000 digits it is kept as text."""
    if len(token) > _MAX_INT_DIGITS:
        return Scalar("str", token, token)
    number = int(token)
    if not number and token[0] == "-":
        return Scalar("float", -0.0, token)  # no integer is written so: it is the negative zero of `%g`
    return Scalar("int", number, token)


def decimal(token: str) -> Scalar:
    """A token with a point or exponent: its binary64, and the token."""
    return Scalar("float", float(token), token)


def text(value: str) -> Scalar:
    """A quoted string: a string, unless it is tagged as a bit pattern (`f32:3f000000`) or a 0x number."""
    if len(value) <= 530 and value[:1] in "-0fquih" and value:
        found = _tagged(value)
        if found is not None:
            return found
        hexed = _HEX.fullmatch(value)
        if hexed:
            number = int(hexed[2], 16)
            return Scalar("int", -number if hexed[1] else number, value)
    return Scalar("str", value, value)


def _tagged(value: str) -> Scalar | None:
    match = _TAGGED.fullmatch(value)
    if match is None:
        return None
    tag, sign, digits = match[1], match[2], match[3]
    if tag in _TAG_DIGITS:
        if sign or len(digits) != _TAG_DIGITS[tag]:
            return None
        return Scalar(tag, int(digits, 16), value)
    if tag == "hash":
        return Scalar("hash", int(digits, 16), value)
    hexadecimal = "0x" in value.lower()
    if not hexadecimal and not digits.isdecimal():
        return None
    number = int(digits, 16 if hexadecimal else 10)
    return Scalar("q16" if tag == "q16" else "int", -number if sign else number, value)


def bare(token: str, decimal_comma: bool = False) -> Scalar:
    """A value without quotes, as text formats write it."""
    if not token:
        return Scalar("str", "", "")
    if _INT.fullmatch(token):
        return integer(token)
    if _FLOAT.fullmatch(token):
        return Scalar("float", float(token.rstrip("f")), token)
    if decimal_comma and _DECIMAL_COMMA.fullmatch(token):
        return Scalar("float", float(token.replace(",", ".")), token)
    word = _WORDS.get(token)
    if word is not None:
        return Scalar(word[0], word[1], token)
    not_finite = _NOT_FINITE.get(token.lower())
    if not_finite is not None:
        return Scalar("float", float(not_finite), token)
    if len(token) >= 2 and token[0] == token[-1] and token[0] in "\"'":
        return text(token[1:-1])
    return text(token)


def hashed(token: str, base: int) -> Scalar:
    """A checksum token in base 16 or 10 (a 0x prefix always means 16); anything else is compared as text."""
    body = token[2:] if token[:2] in ("0x", "0X") else token
    try:
        return Scalar("hash", unsigned(int(body, 16 if body is not token else base)), token)
    except ValueError:
        return Scalar("str", token, token)


def unsigned(value: int) -> int:
    """A checksum that was printed as a signed integer, as the same bits without a sign."""
    if value >= 0:
        return value
    return value + (1 << next((bits for bits in (32, 64, 128) if value >= -(1 << (bits - 1))), 512))


def as_hash(scalar: Scalar) -> Scalar:
    """A value that stands under a name of a checksum."""
    if scalar.kind == "int" and isinstance(scalar.value, int):
        return Scalar("hash", unsigned(scalar.value), scalar.text)
    if scalar.kind == "str" and re.fullmatch(r"[0-9a-fA-F]{4,512}", scalar.text):
        return Scalar("hash", int(scalar.text, 16), scalar.text)
    return scalar


def retyped(scalar: Scalar, kind: str) -> Scalar:
    """`scalar` as `--types` wants it; `scalar` itself where it is no value of that type."""
    value = scalar.value
    if kind == "str":
        return Scalar("str", scalar.text, scalar.text)
    if kind == "hash":
        return as_hash(scalar)
    if scalar.kind == "str" and re.fullmatch(r"[0-9a-fA-F]{8}|[0-9a-fA-F]{16}", scalar.text):
        value = int(scalar.text, 16)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return scalar
    if isinstance(value, float):
        return _rounded(scalar, value, kind)
    bits = 64 if kind == "f64" else 32
    if not -(1 << bits - 1) <= value < 1 << bits:
        return scalar
    if kind in ("f32", "f64", "u32"):
        return Scalar("int" if kind == "u32" else kind, value & (1 << bits) - 1, scalar.text)
    signed = (value & 0xFFFFFFFF) - ((value & 0x80000000) << 1)
    return Scalar("q16" if kind == "q16" else "int", signed, scalar.text)


def _rounded(scalar: Scalar, value: float, kind: str) -> Scalar:
    """A decimal as the binary32, binary64 or Q16.16 it was printed from."""
    try:
        if kind == "f32":
            bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
            near: float = struct.unpack("<f", struct.pack("<f", value))[0]
            return Scalar("f32", bits, scalar.text) if _prints_as(near, scalar.text) else scalar
        if kind == "f64":
            return Scalar("f64", struct.unpack("<Q", struct.pack("<d", value))[0], scalar.text)
        if kind == "q16" and value == value and -32768.5 < value < 32768.5:
            raw = round(value * 65536)
            fits = -(1 << 31) <= raw < 1 << 31 and _prints_as(raw / 65536, scalar.text)
            return Scalar("q16", raw, scalar.text) if fits else scalar
    except OverflowError:
        pass
    return scalar


_DECIMAL = re.compile(r"[+-]?[0-9]*(?:[.,]([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?f?")


def _prints_as(number: float, token: str) -> bool:
    """Whether a number, rounded to as many digits as a token has, is that token; NaN and infinities always are."""
    match = _DECIMAL.fullmatch(token)
    if match is None or number - number != 0:
        return number - number != 0
    from fractions import Fraction

    unit = Fraction(10) ** (int(match[2] or 0) - len(match[1] or ""))
    return 2 * abs(Fraction(number) - Fraction(token.rstrip("f").replace(",", "."))) <= unit
