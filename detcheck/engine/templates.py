"""Python expressions for the ops that are worth writing out: one table of text a number form.

A template is an expression in {0} {1} {2} (operands) that may use the scratch names `t` `q` `d`. An op that has none
calls the backend's own method. Integers are plain; a binary32 num is carried as a Python number (binary64) and is
rounded to binary32 after each op by passing through a cell `f[0]` of an array of binary32: exact, as
numbers/float_pinned_32 says of + - * / and sqrt. A `?` in front of a template of a binary32 num marks one whose result
needs that rounding. `stop` raises: the plain walk then says which trap it is.
"""

from __future__ import annotations

_MAX, _MIN = "2147483647", "-2147483648"


def _saturated(expression: str) -> str:
    return f"t if {_MIN} <= (t := {expression}) <= {_MAX} else ({_MAX} if t > 0 else {_MIN})"


def _wrapped(expression: str) -> str:
    return f"(({expression}) + 2147483648 & 4294967295) - 2147483648"


#: a floor of a square root from a binary64 guess, which is near; the loops then make it exact whatever the guess was
_ROOT = """
    root = int(square ** 0.5)
    while root * root > square: root -= 1
    while square - root * root > root + root: root += 1
"""

#: functions that stand before the programs of a backend, in the place of the backend's own slower ones
PRELUDES: dict[str, str] = {
    "fixed_point_16_16": f"""def num_sqrt(a):
    if a <= 0: return 0
    square = a << 16{_ROOT}    return root + 1 if square - root * root > root else root
""",
    "fixed_wrapping_16_16": f"""def num_sqrt(a):
    if a < 0: stop()
    square = a << 16{_ROOT}    return root
""",
}

_ORDER = {
    "lt": "{0} < {1}",
    "le": "{0} <= {1}",
    "gt": "{0} > {1}",
    "ge": "{0} >= {1}",
    "eq": "{0} == {1}",
    "ne": "{0} != {1}",
}

_CHOICE = {
    "min": "{1} if {1} < {0} else {0}",
    "max": "{1} if {0} < {1} else {0}",
}

#: between bounds that need no check
CLAMPED = "({2} if {0} > {2} else {1} if {0} < {1} else {0})"
_CLAMP = f"{CLAMPED} if {{1}} <= {{2}} else stop()"


def _prefixed(prefix: str, *tables: dict[str, str]) -> dict[str, str]:
    return {f"{prefix}.{name}": text for table in tables for name, text in table.items()}


def _integers(kind: str) -> dict[str, str]:
    wrap = _wrapped if kind == "i32" else "({}) & 4294967295".format
    exact = {"and": "{0} & {1}", "or": "{0} | {1}", "xor": "{0} ^ {1}", "mod": "{0} % {1}", "shr": "{0} >> ({1} & 31)"}
    wrapping = {
        "add": "{0} + {1}",
        "sub": "{0} - {1}",
        "mul": "{0} * {1}",
        "shl": "{0} << ({1} & 31)",
        "floordiv": "{0} // {1}",
        "neg": "-{0}",
        "not": "~{0}",
        "abs": "abs({0})",
    }
    return _prefixed(
        kind, _ORDER, _CHOICE, exact, {name: wrap(text) for name, text in wrapping.items()}, {"clamp": _CLAMP}
    )


#: ops that are the same on every backend
_SHARED = {
    **_integers("i32"),
    **_integers("u32"),
    "bool.and": "{0} & {1}",
    "bool.or": "{0} | {1}",
    "bool.eq": "{0} == {1}",
    "bool.ne": "{0} != {1}",
    "bool.not": "not {0}",
    "select": "{1} if {0} else {2}",
    "u32.from_i32": "{0} & 4294967295",
    "i32.from_u32": "({0} ^ 2147483648) - 2147483648",
    "i32.from_bool": "1 if {0} else 0",
}

_FIXED = _prefixed("num", _ORDER, _CHOICE, {"clamp": _CLAMP, "floor": "{0} & -65536"})

#: nearest, ties to even: just under a half, and one more where the quotient is odd
_PRODUCT = "((t := {0} * {1}) + 32767 + (t >> 16 & 1)) >> 16"

#: floor of the quotient and a half, one less where that was a tie and came out odd: (a / 2^-16) / b, ties to even
_QUOTIENT = "(q := (t := ({0} << 17) + {1}) // (d := {1} + {1})) - (q & (t == q * d))"

#: towards zero; by zero Python itself raises
_TRUNCATED = "(abs({0}) << 16) // abs({1}) if ({0} < 0) == ({1} < 0) else -((abs({0}) << 16) // abs({1}))"

_POINT = _prefixed(
    "num",
    {
        "div": f"({_saturated(_QUOTIENT)}) if {{1}} else ({_MAX} if {{0}} > 0 else {_MIN} if {{0}} else 0)",
        "add": _saturated("{0} + {1}"),
        "sub": _saturated("{0} - {1}"),
        "mul": _saturated(_PRODUCT),
        "neg": f"-{{0}} if {{0}} != {_MIN} else {_MAX}",
        "abs": f"abs({{0}}) if {{0}} != {_MIN} else {_MAX}",
    },
)

_WRAPPING = _prefixed(
    "num",
    {
        "add": _wrapped("{0} + {1}"),
        "sub": _wrapped("{0} - {1}"),
        "mul": _wrapped("{0} * {1} + 32768 >> 16"),
        "div": _wrapped(_TRUNCATED),
        "neg": _wrapped("-{0}"),
        "abs": _wrapped("abs({0})"),
        "from_i32": _wrapped("{0} << 16"),
        "from_u32": _wrapped("{0} << 16"),
    },
)

_BINARY32 = _prefixed(
    "num",
    _ORDER,
    _CHOICE,
    {
        "add": "?{0} + {1}",
        "sub": "?{0} - {1}",
        "mul": "?{0} * {1}",
        "div": "?{0} / {1} if {1} else by_zero({0}, {1})",
        "neg": "-{0}",
        "abs": "abs({0})",
        "from_i32": "?{0}",
        "from_u32": "?{0}",
        "is_nan": "{0} != {0}",
        # a finite number less itself is zero, an infinity or a NaN less itself is a NaN
        "is_finite": "{0} - {0} == 0",
        "is_inf": "{0} == {0} and {0} - {0} != 0",
        "clamp": f"{CLAMPED} if {{1}} <= {{2}} and {{1}} - {{1}} == {{2}} - {{2}} else stop()",
    },
)

#: backend id -> op code -> expression; a backend that is not here calls its own methods
TEMPLATES: dict[str, dict[str, str]] = {
    "fixed_point_16_16": {**_SHARED, **_FIXED, **_POINT},
    "fixed_wrapping_16_16": {**_SHARED, **_FIXED, **_WRAPPING},
    "float_pinned_32": {**_SHARED, **_BINARY32},
}
