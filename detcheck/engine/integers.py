"""The integer, boolean and select ops on plain cells: i32 signed, u32 unsigned, bool 0 or 1 (design: scenarios, Types).

Everything wraps to 32 bits; `//` and `%` floor, as Python's own do; shift counts are taken mod 32.
"""

from __future__ import annotations

from collections.abc import Callable

from detcheck.errors import Trap

U32_MASK = 0xFFFFFFFF
_SIGN = 0x80000000


def to_i32(value: int) -> int:
    """The low 32 bits of any integer as a signed cell."""
    return ((value + _SIGN) & U32_MASK) - _SIGN


def to_u32(value: int) -> int:
    """The low 32 bits of any integer as an unsigned cell."""
    return value & U32_MASK


def _floordiv(a: int, b: int) -> int:
    if b == 0:
        raise Trap("int_div_zero")
    return a // b


def _mod(a: int, b: int) -> int:
    if b == 0:
        raise Trap("int_div_zero")
    return a % b


def _clamp(x: int, lo: int, hi: int) -> int:
    if lo > hi:
        raise Trap("clamp_bounds")
    return hi if x > hi else lo if x < lo else x


#: integer ops whose exact result is wrapped to the kind's 32 bits; `>>` is arithmetic on i32 and logical on u32
#: because the cell carries its sign
_WRAPPED: dict[str, Callable[..., int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << (b & 31),
    "shr": lambda a, b: a >> (b & 31),
    "min": lambda a, b: b if b < a else a,
    "max": lambda a, b: b if a < b else a,
    "floordiv": _floordiv,
    "mod": _mod,
    "neg": lambda a: -a,
    "not": lambda a: ~a,
    "clamp": _clamp,
}

_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}


def _wrapping(function: Callable[..., int], wrap: Callable[[int], int]) -> Callable[..., int]:
    return lambda *cells: wrap(function(*cells))


def _truth(function: Callable[[int, int], bool]) -> Callable[..., int]:
    return lambda a, b: 1 if function(a, b) else 0


def _table() -> dict[str, Callable[..., int]]:
    table: dict[str, Callable[..., int]] = {}
    for kind, wrap in (("i32", to_i32), ("u32", to_u32)):
        table.update({f"{kind}.{name}": _wrapping(function, wrap) for name, function in _WRAPPED.items()})
        table.update({f"{kind}.{name}": _truth(function) for name, function in _COMPARED.items()})
    table["i32.abs"] = lambda a: to_i32(abs(a))
    table["bool.and"] = lambda a, b: a & b
    table["bool.or"] = lambda a, b: a | b
    table["bool.eq"] = _truth(_COMPARED["eq"])
    table["bool.ne"] = _truth(_COMPARED["ne"])
    table["bool.not"] = lambda a: 1 - a
    table["select"] = lambda condition, a, b: a if condition else b
    table["u32.from_i32"] = to_u32
    table["i32.from_u32"] = to_i32
    table["i32.from_bool"] = lambda a: a
    return table


#: op code -> function on cells, for every op of the group "int"
INTEGER_OPS: dict[str, Callable[..., int]] = _table()
