"""What every backend gives, and the compositions, written once for all of them.

Cells are plain integers: a Q16.16 raw is a signed int32, a binary32 is its unsigned bit pattern. An angle is a u32,
2^32 = one turn. Comparisons give 0 or 1. Ops that have no result raise `errors.Trap` with a key of
`language.ops.TRAPS`. Source: the design's math page, "Scalar ops" and "Compositions".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

from detcheck.errors import Trap


class Backend(ABC):
    """One number format and its pinned arithmetic. Stateless; every op is a pure function of its cells.

    id       the backend's name in scenarios and goldens
    number   "q16.16" or "f32": how a cell is to be read
    zero, one   the cells of 0 and 1
    radians  whether the radian functions (sin cos sincos atan2 asin acos) exist
    """

    id: str
    number: str
    zero: int
    one: int
    radians: bool = False

    # Scalar ops: one rounding each, at most.

    @staticmethod
    @abstractmethod
    def add(a: int, b: int) -> int:
        """a + b."""

    @staticmethod
    @abstractmethod
    def sub(a: int, b: int) -> int:
        """a - b."""

    @staticmethod
    @abstractmethod
    def mul(a: int, b: int) -> int:
        """a * b."""

    @staticmethod
    @abstractmethod
    def div(a: int, b: int) -> int:
        """a / b. Traps `num_div_zero` on the wrapping backend."""

    @staticmethod
    @abstractmethod
    def neg(a: int) -> int:
        """-a."""

    @staticmethod
    @abstractmethod
    def floor(a: int) -> int:
        """The greatest integer not above a, as a cell."""

    @staticmethod
    @abstractmethod
    def ceil(a: int) -> int:
        """The least integer not below a, as a cell."""

    @staticmethod
    @abstractmethod
    def sqrt(a: int) -> int:
        """The square root. Traps `num_sqrt_negative` on the wrapping backend."""

    @staticmethod
    @abstractmethod
    def lt(a: int, b: int) -> int:
        """1 if a < b, else 0; 0 with a NaN."""

    @staticmethod
    @abstractmethod
    def le(a: int, b: int) -> int:
        """1 if a <= b, else 0; 0 with a NaN."""

    @staticmethod
    @abstractmethod
    def gt(a: int, b: int) -> int:
        """1 if a > b, else 0; 0 with a NaN."""

    @staticmethod
    @abstractmethod
    def ge(a: int, b: int) -> int:
        """1 if a >= b, else 0; 0 with a NaN."""

    @staticmethod
    @abstractmethod
    def eq(a: int, b: int) -> int:
        """1 if a equals b, else 0; 0 with a NaN, 1 for two zeros of either sign."""

    @staticmethod
    @abstractmethod
    def ne(a: int, b: int) -> int:
        """1 unless a equals b; 1 with a NaN."""

    @staticmethod
    @abstractmethod
    def is_nan(a: int) -> int:
        """1 for a NaN."""

    @staticmethod
    @abstractmethod
    def is_inf(a: int) -> int:
        """1 for an infinity."""

    @staticmethod
    @abstractmethod
    def is_finite(a: int) -> int:
        """1 unless a is a NaN or an infinity."""

    # Conversions.

    @staticmethod
    @abstractmethod
    def from_int(i: int) -> int:
        """The cell of an i32."""

    @staticmethod
    @abstractmethod
    def from_u32(u: int) -> int:
        """The cell of a u32."""

    @staticmethod
    @abstractmethod
    def to_int(a: int) -> int:
        """`round(a)`: an integer in the i32 range."""

    @staticmethod
    @abstractmethod
    def from_f32(bits: int) -> int:
        """The cell of a binary32 pattern."""

    @staticmethod
    @abstractmethod
    def to_f32(a: int) -> int:
        """The binary32 pattern nearest to a."""

    @staticmethod
    @abstractmethod
    def literal(value: Fraction, negative_zero: bool = False) -> int:
        """The cell nearest to an exact rational, ties to even. OverflowError when that is out of range."""

    @staticmethod
    @abstractmethod
    def decimal(a: int) -> str:
        """For people: exact (Q16.16), or the fewest digits that round to the cell (binary32)."""

    @staticmethod
    @abstractmethod
    def canonical(a: int) -> int:
        """The cell as it is hashed and stored: every NaN is 0x7fc00000."""

    # Angles (u32).

    @staticmethod
    @abstractmethod
    def sin_cos(angle: int) -> tuple[int, int]:
        """(sine, cosine) of a u32 angle."""

    @staticmethod
    @abstractmethod
    def heading(x: int, y: int) -> int:
        """The u32 angle of the vector (x, y)."""

    def sin_angle(self, angle: int) -> int:
        """The sine of a u32 angle."""
        return self.sin_cos(angle)[0]

    def cos_angle(self, angle: int) -> int:
        """The cosine of a u32 angle."""
        return self.sin_cos(angle)[1]

    # Compositions: the same text for every backend, never fused, never reordered.

    def abs(self, a: int) -> int:
        """-a if a < 0, else a."""
        return self.neg(a) if self.lt(a, self.zero) else a

    def min(self, a: int, b: int) -> int:
        """b if b < a, else a."""
        return self.canonical(b if self.lt(b, a) else a)

    def max(self, a: int, b: int) -> int:
        """b if a < b, else a."""
        return self.canonical(b if self.lt(a, b) else a)

    def clamp(self, x: int, lo: int, hi: int) -> int:
        """hi if x > hi, else lo if x < lo, else x. Traps `clamp_bounds` unless both bounds are finite and lo <= hi."""
        if not (self.is_finite(lo) and self.is_finite(hi) and self.le(lo, hi)):
            raise Trap("clamp_bounds")
        if self.gt(x, hi):
            return hi
        return lo if self.lt(x, lo) else self.canonical(x)

    def lerp(self, a: int, b: int, t: int) -> int:
        """a + (b - a) * t."""
        return self.add(a, self.mul(self.sub(b, a), t))

    def dot2(self, ax: int, ay: int, bx: int, by: int) -> int:
        """ax * bx + ay * by."""
        return self.add(self.mul(ax, bx), self.mul(ay, by))

    def dot3(self, ax: int, ay: int, az: int, bx: int, by: int, bz: int) -> int:
        """ax * bx + ay * by + az * bz, left to right."""
        return self.add(self.dot2(ax, ay, bx, by), self.mul(az, bz))

    def length2(self, x: int, y: int) -> int:
        """sqrt(x * x + y * y)."""
        return self.sqrt(self.dot2(x, y, x, y))

    def length3(self, x: int, y: int, z: int) -> int:
        """sqrt(x * x + y * y + z * z)."""
        return self.sqrt(self.dot3(x, y, z, x, y, z))

    def distance2(self, ax: int, ay: int, bx: int, by: int) -> int:
        """length(a - b)."""
        return self.length2(self.sub(ax, bx), self.sub(ay, by))

    def distance3(self, ax: int, ay: int, az: int, bx: int, by: int, bz: int) -> int:
        """length(a - b)."""
        return self.length3(self.sub(ax, bx), self.sub(ay, by), self.sub(az, bz))

    def normalize2(self, x: int, y: int) -> tuple[int, int]:
        """Each component / length; a zero length gives the zero vector, on every backend without a trap."""
        length = self.length2(x, y)
        if self.eq(length, self.zero):
            return self.zero, self.zero
        return self.div(x, length), self.div(y, length)

    def normalize3(self, x: int, y: int, z: int) -> tuple[int, int, int]:
        """Each component / length; a zero length gives the zero vector, on every backend without a trap."""
        length = self.length3(x, y, z)
        if self.eq(length, self.zero):
            return self.zero, self.zero, self.zero
        return self.div(x, length), self.div(y, length), self.div(z, length)
