"""The greatest errors of the pinned trigonometry over dense sweeps against mpmath, next to what is promised.

    python benchmarks/accuracy.py [--density N]

`--density` multiplies the points of the radian sweeps (at 1: 200,001 of the sine and the cosines, 100,001 of the arcs,
160,000 directions); the CORDIC sweep is always the promised 2^20 angles. Figures, never assertions. Needs mpmath (the
`dev` extra).
"""

from __future__ import annotations

import argparse
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

import mpmath

from detcheck import numbers

F = numbers.get("float_pinned_32")
Q = numbers.get("fixed_point_16_16")

#: a sweep yields (argument as text, error)
Sweep = Iterator[tuple[str, float]]


def value(bits: int) -> float:
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def bits_of(x: float) -> int:
    return struct.unpack("<I", struct.pack("<f", x))[0]


def spread(low: int, high: int, points: int) -> Iterable[int]:
    """Patterns of binary32 values spread evenly over [low, high]."""
    span = high - low
    return (bits_of(low + span * i / (points - 1)) for i in range(points))


def radians(op: Callable[[int], int], exact: Callable[[mpmath.mpf], mpmath.mpf], points: Iterable[int]) -> Sweep:
    for bits in points:
        r = value(bits)
        yield f"{bits:08x} ({r})", abs(float(value(op(bits)) - exact(mpmath.mpf(r))))


def directions(side: int) -> Sweep:
    """Points around the unit square's edge, at many distances."""
    for i in range(side):
        t = 2 * i / (side - 1) - 1
        for y, x in ((t, 1.0), (t, -1.0), (1.0, t), (-1.0, t)):
            scale = 2.0 ** (i % 41 - 20) * (1 + i % 97 / 97)
            y_bits, x_bits = bits_of(y * scale), bits_of(x * scale)
            exact = mpmath.atan2(value(y_bits), value(x_bits))
            error = abs(float(value(F.atan2(y_bits, x_bits)) - exact))
            yield f"{y_bits:08x}, {x_bits:08x}", min(error, abs(error - 2 * float(mpmath.pi)))


def cordic() -> Sweep:
    """Units of 2^-16, both components of 2^20 angles, against sines of an exact rotation by one step at a time."""
    bits = 160
    step = mpmath.mpf(2) * mpmath.pi / 2**20
    c, s = (int(mpmath.floor(mpmath.ldexp(f(step), bits))) for f in (mpmath.cos, mpmath.sin))
    cosine, sine = 1 << bits, 0
    unit = 1 << bits - 16
    for i in range(2**20):
        found_sine, found_cosine = Q.sin_cos(i << 12)
        worst = max(abs(found_sine * unit - sine), abs(found_cosine * unit - cosine))
        yield f"{i << 12:08x}", float(Fraction(worst, unit))
        cosine, sine = (cosine * c - sine * s) >> bits, (sine * c + cosine * s) >> bits


def report(name: str, promise: str, sweep: Sweep) -> None:
    began = time.perf_counter()
    points, worst, where = 0, 0.0, ""
    for place, error in sweep:
        points += 1
        if error > worst:
            worst, where = error, place
    seconds = time.perf_counter() - began
    print(f"{name:<28} {worst:<12.4g} {promise:<12} at {where:<28} {points:>9,} points {seconds:6.1f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--density", type=int, default=1, help="multiplies the points of the radian sweeps")
    density = max(1, parser.parse_args().density)
    mpmath.mp.prec = 100
    many, fewer, side = 200_000 * density + 1, 100_000 * density + 1, 40_000 * density
    print(f"{'':<28} {'greatest':<12} promised")
    report("sin, [-100, 100]", "<= 9e-7", radians(F.sin, mpmath.sin, spread(-100, 100, many)))
    report("asin, [-1, 1]", "<= 9e-7", radians(F.asin, mpmath.asin, spread(-1, 1, fewer)))
    report("acos, [-1, 1]", "(none)", radians(F.acos, mpmath.acos, spread(-1, 1, fewer)))
    report("atan2", "<= 2.9e-7", directions(side))
    report("cosine of sincos", "<= 1.1e-6", radians(F.sincos_cos, mpmath.cos, spread(-100, 100, many)))
    report("cos (pinned, weak)", "about 3.3e-6", radians(F.cos, mpmath.cos, spread(-100, 100, many)))
    report("CORDIC, units of 2^-16", "<= 0.51", cordic())


if __name__ == "__main__":
    main()
