"""Python expressions for the ops that are worth writing out: a table of text for each way to carry a num.

A template is an expression in {0} {1} {2} (operands) that may use the scratch names `t` `q` `d`. An op that has none
calls the backend's own method on cells. A `?` in front marks an expression whose result has to be rounded to binary32,
by passing through `f[0]`. `stop` raises: the plain walk then says which trap it is.
"""

from __future__ import annotations

from dataclasses import dataclass

_MAX, _MIN = "2147483647", "-2147483648"


def _saturated(expression: str) -> str:
    return f"t if {_MIN} <= (t := {expression}) <= {_MAX} else ({_MAX} if t > 0 else {_MIN})"


def _wrapped(expression: str) -> str:
    return f"(({expression}) + 2147483648 & 4294967295) - 2147483648"


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
        # a root of 24 bits is 2^-50 from a tie at least, more than any library's error of it in binary64
        "sqrt": "?{0} ** 0.5 if {0} > 0 else {0} if {0} == 0 else by_zero(0, 0)",
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

#: a floor of a square root from a binary64 guess, which is near; the loops then make it exact whatever the guess was
_ROOT = """
    root = int(square ** 0.5)
    while root * root > square: root -= 1
    while square - root * root > root + root: root += 1
"""

_POINT_ROOT = f"""def num_sqrt(a):
    if a <= 0: return 0
    square = a << 16{_ROOT}    return root + 1 if square - root * root > root else root
"""

_WRAPPING_ROOT = f"""def num_sqrt(a):
    if a < 0: stop()
    square = a << 16{_ROOT}    return root
"""

# Q16.16 raws that saturate, as whole numbers in binary64. Adding and taking away 1.5 * 2^52 rounds to the nearest
# integer, ties to even, up to 2^51; what is beyond saturates, and so does a product past the 53 bits that are exact. A
# quotient of 47 by 31 bits is further from a tie than binary64's error (its distance is 2^-48 of it at least).
_TOP, _BOTTOM, _ROUNDING = "2147483647.0", "-2147483648.0", "+ 6755399441055744.0 - 6755399441055744.0"
_SCALE = "1.52587890625e-05"


def _whole(expression: str) -> str:
    return f"t if {_BOTTOM} <= (t := {expression}) <= {_TOP} else ({_TOP} if t > 0.0 else {_BOTTOM})"


_WHOLE = _prefixed(
    "num",
    _ORDER,
    _CHOICE,
    {
        "clamp": _CLAMP,
        "add": _whole("{0} + {1}"),
        "sub": _whole("{0} - {1}"),
        "mul": _whole(f"{{0}} * {{1}} * {_SCALE} {_ROUNDING}"),
        "div": f"({_whole(f'{{0}} * 65536.0 / {{1}} {_ROUNDING}')}) if {{1}} else"
        f" ({_TOP} if {{0}} > 0.0 else {_BOTTOM} if {{0}} else 0.0)",
        "neg": f"-{{0}} if {{0}} != {_BOTTOM} else {_TOP}",
        "abs": f"abs({{0}}) if {{0}} != {_BOTTOM} else {_TOP}",
        "sqrt": "root({0})",
        "from_i32": _whole("{0} * 65536.0"),
        "from_u32": _whole("{0} * 65536.0"),
        "round": f"int({{0}} * {_SCALE} {_ROUNDING})",
    },
)

#: the root's guess is made exact by whole numbers: r is nearest when r * r - r < square <= r * r + r
_WHOLE_PRELUDE = f"""def root(a):
    if a <= 0.0: return 0.0
    square = a * 65536.0
    r = square ** 0.5 {_ROUNDING}
    while square - r * r > r: r += 1.0
    while r * r - r >= square: r -= 1.0
    return r
def sound():
    ties = ((0.5, 0.0), (1.5, 2.0), (-0.5, 0.0), (-1.5, -2.0), (2.5, 2.0))
    rounded_once = ((0.500244140625, 1.0), (-0.500244140625, -1.0))
    return all(a {_ROUNDING} == b for a, b in (*ties, *rounded_once))
"""


@dataclass(frozen=True)
class Form:
    """One way to write a backend's ops. `carrier` is a key of carriers.CARRIERS; `prelude` stands before programs.

    A prelude that defines `sound` says whether the machine's arithmetic is what the form leans on.
    """

    carrier: str
    templates: dict[str, str]
    prelude: str = ""


#: calls the backend's own methods: what a backend without a form gets
_CALLS = Form("plain", _SHARED)

#: backend id -> its forms, the fastest first; the last one leans on nothing
FORMS: dict[str, tuple[Form, ...]] = {
    "fixed_point_16_16": (
        Form("whole", {**_SHARED, **_WHOLE}, _WHOLE_PRELUDE),
        Form("plain", {**_SHARED, **_FIXED, **_POINT}, _POINT_ROOT),
    ),
    "fixed_wrapping_16_16": (Form("plain", {**_SHARED, **_FIXED, **_WRAPPING}, _WRAPPING_ROOT),),
    "float_pinned_32": (Form("binary32", {**_SHARED, **_BINARY32}),),
}


def forms_of(backend: str) -> tuple[Form, ...]:
    """The forms of a backend, the fastest first."""
    return FORMS.get(backend, (_CALLS,))
