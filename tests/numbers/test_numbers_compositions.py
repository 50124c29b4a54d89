"""The compositions: the same text for every backend, held to their formula with the backend's own scalar ops."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from number_cases import FIXED, FLOAT, patterns, raws

from detcheck import numbers
from detcheck.errors import DetcheckError, Trap
from detcheck.numbers import BACKENDS, Backend


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> Backend:
    return numbers.get(request.param)


def cells(backend: Backend, width: int, count: int = 400) -> list[tuple[int, ...]]:
    edges = FLOAT if backend.number == "f32" else FIXED
    stream = list((patterns if backend.number == "f32" else raws)(count * width, 9))
    rows = [tuple(stream[i : i + width]) for i in range(0, len(stream), width)]
    return rows + [tuple(edges[(i * (j + 1) + j) % len(edges)] for j in range(width)) for i in range(len(edges))]


def answer(f: Callable[..., object], *args: int) -> object:
    try:
        return f(*args)
    except Trap as trap:
        return trap.reason


def test_sums_of_products_go_left_to_right(backend: Backend) -> None:
    """dot, length and distance round after every operation, x then y then z."""
    add, sub, mul, sqrt = backend.add, backend.sub, backend.mul, backend.sqrt
    for ax, ay, az, bx, by, bz in cells(backend, 6):
        dot2 = add(mul(ax, bx), mul(ay, by))
        assert backend.dot2(ax, ay, bx, by) == dot2
        assert backend.dot3(ax, ay, az, bx, by, bz) == add(dot2, mul(az, bz))
        square = add(mul(ax, ax), mul(ay, ay))
        assert answer(backend.length2, ax, ay) == answer(sqrt, square)
        assert answer(backend.length3, ax, ay, az) == answer(sqrt, add(square, mul(az, az)))
        away = sub(ax, bx), sub(ay, by), sub(az, bz)
        assert answer(backend.distance2, ax, ay, bx, by) == answer(backend.length2, *away[:2])
        assert answer(backend.distance3, ax, ay, az, bx, by, bz) == answer(backend.length3, *away)


def test_lerp_is_one_sub_one_mul_one_add(backend: Backend) -> None:
    """a + (b - a) * t."""
    for a, b, t in cells(backend, 3):
        assert backend.lerp(a, b, t) == backend.add(a, backend.mul(backend.sub(b, a), t))


def test_normalize_divides_by_the_length_unless_it_is_zero(backend: Backend) -> None:
    """Each component / length; the zero vector, and one whose squares vanish, give +0 and never trap."""

    def plain(*v: int) -> tuple[int, ...]:
        length = backend.length2(*v) if len(v) == 2 else backend.length3(*v)
        return tuple(backend.zero if backend.eq(length, backend.zero) else backend.div(c, length) for c in v)

    for x, y, z in cells(backend, 3):
        assert answer(backend.normalize2, x, y) == answer(plain, x, y)
        assert answer(backend.normalize3, x, y, z) == answer(plain, x, y, z)
    assert backend.normalize2(0, 0) == (0, 0)
    assert backend.normalize3(1, 1, 1) == (0, 0, 0)


def test_normalize_of_negative_zeros_is_positive() -> None:
    """The zero vector has +0 in every component, whatever the signs were."""
    backend = numbers.get("float_pinned_32")
    assert backend.normalize2(0x80000000, 0x80000000) == (0, 0)
    assert backend.normalize3(0x80000001, 0x80000000, 0) == (0, 0, 0)


def test_min_max_and_clamp_pick_by_comparison(backend: Backend) -> None:
    """min is b if b < a else a, max is b if a < b else a, clamp looks above first."""
    for a, b, c in cells(backend, 3):
        assert backend.min(a, b) == backend.canonical(b if backend.lt(b, a) else a)
        assert backend.max(a, b) == backend.canonical(b if backend.lt(a, b) else a)
        if backend.is_finite(b) and backend.is_finite(c) and backend.le(b, c):
            expected = c if backend.gt(a, c) else b if backend.lt(a, b) else a
            assert backend.clamp(a, b, c) == backend.canonical(expected)
        else:
            with pytest.raises(Trap, match="clamp_bounds"):
                backend.clamp(a, b, c)


def test_signed_zeros_and_nans_of_min_max_and_clamp() -> None:
    """Equal zeros give the first; a NaN is kept only where it is the first; clamp keeps NaN and -0."""
    f = numbers.get("float_pinned_32")
    zero, minus, one, nan, inf = 0, 0x80000000, 0x3F800000, 0x7FC00000, 0x7F800000
    assert [f.min(zero, minus), f.min(minus, zero), f.max(zero, minus), f.max(minus, zero)] == [
        zero,
        minus,
        zero,
        minus,
    ]
    assert [f.min(nan, one), f.min(one, nan), f.max(nan, one), f.max(one, nan)] == [nan, one, nan, one]
    assert [f.clamp(nan, zero, one), f.clamp(minus, zero, one), f.clamp(inf, zero, one)] == [nan, minus, one]
    assert f.clamp(0xFF800001, minus, zero) == nan
    for lo, hi in ((nan, one), (zero, nan), (zero, inf), (0xFF800000, one), (one, zero)):
        with pytest.raises(Trap, match="clamp_bounds"):
            f.clamp(zero, lo, hi)


def test_fused_and_unfused_results_differ_where_the_canaries_look() -> None:
    """lerp and dot have cases that a fused multiply-add would change; these are the unfused bits."""
    f = numbers.get("float_pinned_32")
    # 1 + 2^-12 squared is 1 + 2^-11 + 2^-24: the last term survives only when nothing is rounded before the sum.
    a = 0x3F800800
    assert f.dot2(a, 0x3F800000, a, 0xBF800000) == f.sub(f.mul(a, a), 0x3F800000) == 0x3A000000


def test_traps_are_only_where_the_design_has_them() -> None:
    """Only the wrapping backend traps on division by zero and negative roots."""
    reasons = {
        name: (
            answer(numbers.get(name).div, 5, 0),
            answer(numbers.get(name).sqrt, -5 & 0xFFFFFFFF if "32" in name else -5),
        )
        for name in BACKENDS
    }
    assert reasons == {
        "fixed_point_16_16": (0x7FFFFFFF, 0),
        "fixed_wrapping_16_16": ("num_div_zero", "num_sqrt_negative"),
        "float_pinned_32": (0x7F800000, 0x7FC00000),
    }


def test_trap_reasons_are_words_of_the_language() -> None:
    """Every reason raised here is one that the language can explain."""
    from detcheck.language.ops import TRAPS

    assert {"num_div_zero", "num_sqrt_negative", "clamp_bounds", "roll_bounds"} <= set(TRAPS)


def test_unknown_backends_are_named() -> None:
    """An unknown id is the user's fault, with the ids that exist; control characters do not pass."""
    with pytest.raises(DetcheckError) as caught:
        numbers.get("fixed\x1b_point")
    assert caught.value.code == "backend.unknown"
    assert "fixed_point_16_16, fixed_wrapping_16_16, float_pinned_32" in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_backends_are_what_they_say(backend: Backend) -> None:
    """Ids, number formats, 0 and 1; each is made once."""
    assert numbers.get(backend.id) is backend
    assert backend.one == backend.from_int(1)
    assert backend.zero == backend.from_int(0)
    assert backend.number == ("f32" if backend.id == "float_pinned_32" else "q16.16")
    assert backend.radians == hasattr(backend, "atan2")


def test_the_4096_tick_known_answer() -> None:
    """The committed sequence of the first seed ends in its raws and its FNV-1a 64."""
    m = numbers.get("fixed_point_16_16")
    one = 65536
    drag, eighth, five, three = m.div(127 * one, 128 * one), one // 8, 5 * one, -3 * one
    px, py, vx, vy = 3 * one // 2, -9 * one // 4, one // 4, 3 * one // 4
    for tick in range(4096):
        vy = m.sub(vy, one // 64)
        vx, vy = m.mul(vx, drag), m.mul(vy, drag)
        vx, vy = m.clamp(vx, -16 * one, 16 * one), m.clamp(vy, -16 * one, 16 * one)
        px, py = m.add(px, vx), m.add(py, vy)
        px, py = m.clamp(px, -32 * one, 32 * one), m.clamp(py, -32 * one, 32 * one)
        if tick % 512 == 255:
            px, py = m.lerp(px, five, eighth), m.lerp(py, three, eighth)
        if tick % 1024 == 511:
            vx, vy = m.normalize2(m.add(vx, 6554), vy)
        if tick % 2048 == 1023:
            vx = m.div(vx, 2 * one)
    assert (px, py, vx, vy) == (1925574, -2097152, 64, -128882)
    fnv = 0xCBF29CE484222325
    for byte in b"".join((raw & 0xFFFFFFFF).to_bytes(4, "big") for raw in (px, py, vx, vy)):
        fnv = ((fnv ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    assert f"{fnv:016x}" == "f02728762777c581"
