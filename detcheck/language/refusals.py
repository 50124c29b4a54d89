"""What Python has and the tick language has not, in words: (what is wrong, what would be right)."""

from __future__ import annotations

_NO_BLOCKS = 'use `a if c else b`, or a guard: where = "..."'
_NO_LOOPS = "a statement already runs over all rows; over another table use a fold, sum(unit.hp)"
_NO_DEFINITIONS = "keep a part in a local: name = ..."

_LOOP = ("there are no loops", _NO_LOOPS)
_IF = ("there are no `if` statements", _NO_BLOCKS)
_DEF = ("there are no definitions", _NO_DEFINITIONS)
_IMPORT = ("there are no imports", "the functions are built in: detcheck explain language")
_ASYNC = ("there is no async", "write the expression itself")
_RAISE = ("there are no exceptions", "an impossible operation traps by itself")
_FLOW = ("there is no `return`, `pass`, `break` or `continue`", "every statement runs once for every active row")
_SCOPE = ("there is no `del`, `global` or `nonlocal`", "a local lives for one run of its system")

#: first word of a line -> why it is refused
REFUSED_WORDS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("if", "elif", "else"), _IF),
    **dict.fromkeys(("for", "while"), _LOOP),
    **dict.fromkeys(("def", "class", "@"), _DEF),
    **dict.fromkeys(("import", "from"), _IMPORT),
    "async": _ASYNC,
    **dict.fromkeys(("try", "except", "finally", "raise", "assert"), _RAISE),
    "with": ("there is no `with`", _NO_DEFINITIONS),
    **dict.fromkeys(("return", "pass", "break", "continue"), _FLOW),
    **dict.fromkeys(("del", "global", "nonlocal"), _SCOPE),
}

_COLLECTION = ("there are no lists, tuples, sets or dictionaries", "a vector is vec2(x, y) or vec3(x, y, z)")
_COMPREHENSION = ("there are no comprehensions", "over a table use a fold: sum(unit.hp), count(unit.hp > 0)")
_IDENTITY = ("there is no `is`", "compare with == or !=")
_MEMBER = ("there is no `in`", "compare with == and join with `or`")
_STRING = ("the tick language has no strings", "write a number, a column or a local")

#: name of an ast class -> why it is refused
REFUSED_NODES: dict[str, tuple[str, str]] = {
    "Pow": ("there is no `**`", "multiply: x * x"),
    "MatMult": ("there is no `@`", "dot(a, b) is the product of two vectors"),
    "UAdd": ("there is no prefix `+`", "leave it out"),
    "Is": _IDENTITY,
    "IsNot": _IDENTITY,
    "In": _MEMBER,
    "NotIn": _MEMBER,
    "Lambda": _DEF,
    "NamedExpr": ("there is no `:=`", "assign in a statement of its own"),
    **dict.fromkeys(("List", "Tuple", "Set", "Dict"), _COLLECTION),
    **dict.fromkeys(("ListComp", "SetComp", "DictComp", "GeneratorExp"), _COMPREHENSION),
    **dict.fromkeys(("JoinedStr", "FormattedValue", "TemplateStr", "Interpolation"), _STRING),
    **dict.fromkeys(("Await", "Yield", "YieldFrom"), _ASYNC),
    "Starred": ("there is no `*` before a name", "write the parts one by one"),
    "Slice": ("there are no slices", "a row has one index: unit[i].pos"),
    "AnnAssign": ("there are no annotations", "a local takes the type of its first value; a column has its own"),
}
