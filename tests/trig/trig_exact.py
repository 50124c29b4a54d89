"""Sines and arctangents as integers scaled by 2^200, by their series alone: the tables' independent source."""

from __future__ import annotations

BITS = 200
ONE = 1 << BITS


def arctangent_of_inverse(n: int) -> int:
    """atan(1 / n)."""
    term = total = ONE // n
    k = 1
    while term:
        term //= n * n
        k += 2
        total += -(term // k) if k % 4 == 3 else term // k
    return total


#: Machin's formula
PI = 4 * (4 * arctangent_of_inverse(5) - arctangent_of_inverse(239))


def sine(x: int) -> int:
    """sin of x / 2^200 for |x| up to a quarter turn."""
    term = total = x
    square = (x * x) >> BITS
    k = 1
    while term:
        term = -((term * square) >> BITS) // ((k + 1) * (k + 2))
        k += 2
        total += term
        if abs(term) <= 1:
            break
    return total


def arctangent(n: int, d: int) -> int:
    """atan(n / d) for 0 <= n <= d, by Euler's series, which is fast up to 1."""
    ratio = ONE * n * n // (n * n + d * d)
    term = total = ONE * n * d // (n * n + d * d)
    k = 1
    while term:
        term = (term * ratio >> BITS) * (2 * k) // (2 * k + 1)
        k += 1
        total += term
    return total
