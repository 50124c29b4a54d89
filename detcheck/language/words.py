"""Words for operators and types in messages."""

from __future__ import annotations

from collections.abc import Sequence

from detcheck.language.functions import FUNCTIONS, OPERATORS, Form
from detcheck.language.typed import PENDING


def operator_words(op: str) -> str:
    """`+`, the prefix `-`, `a if c else b`, `min`."""
    return {"neg": "the prefix `-`", "if": "`a if c else b`"}.get(op, f"`{op}`")


def here_words(count: int) -> str:
    """ "here is 1", after what a function takes."""
    return "here is none" if count == 0 else f"here {'is' if count == 1 else 'are'} {count}"


def type_words(types: Sequence[str]) -> str:
    """ "num and i32", constants named as such."""
    names = ["a constant" if type_ == PENDING else type_ for type_ in types]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def vector_hint(type_: str, words: str) -> str:
    """How a constant becomes a vector."""
    count = 3 if type_ == "vec3" else 2
    return f"a constant is never a vector: {type_}({', '.join([words] * count)})"


#: class -> how a hint writes it
_CLASS_WORDS = {
    "N": "num|vec",
    "V": "vec",
    "I": "i32|u32",
    "T": "any",
    "NI": "num|vec|i32|u32",
    "NIA": "num|vec|i32|u32|angle",
    "ordered": "num|i32|u32|angle",
    "scalar": "num|i32|u32",
    "signed": "num|i32|vec",
}


def forms_words(op: str, forms: Sequence[Form]) -> str:
    """What a table's row takes, for a hint: "num|vec / num|vec (of one type), vec / num"."""
    return ", ".join(_form_words(op, form) for form in forms)


def _form_words(op: str, form: Form) -> str:
    params = [_CLASS_WORDS.get(param, param) for param in form.params]
    repeated = any(form.params.count(param) > 1 and param in _CLASS_WORDS for param in form.params)
    if op not in OPERATORS:
        shape = f"{op}({', '.join(params)})"
    elif op == "if":
        shape = f"{params[0]} if {params[1]} else {params[2]}"
    elif len(params) == 1:
        shape = f"{ {'neg': '-', 'not': 'not '}.get(op, op) }{params[0]}"
    else:
        shape = f"{params[0]} {op} {params[1]}"
    return shape + (" (of one type)" if repeated else "")


def mismatch_hint(op: str, types: Sequence[str]) -> str | None:
    """What most likely was meant, by the types that did not fit."""
    vectors = [type_ for type_ in types if type_ in ("vec2", "vec3")]
    integers = [type_ for type_ in types if type_ in ("i32", "u32")]
    if op == "/" and integers:
        return "`//` divides integers; num(i) makes a num of one"
    if op == "/" and types[0] in ("num", PENDING) and vectors:
        return "a number divided by a vector does not exist: vec2(1 / v.x, 1 / v.y)"
    if vectors and PENDING in types:
        return vector_hint(vectors[0], "c")
    if "num" in types and integers:
        return "nothing converts by itself: num(i) makes a num of an integer, round(x) an i32 of a num"
    if "i32" in types and "u32" in types:
        return "nothing converts by itself: u32(i) and i32(u) keep the 32 bits"
    if "angle" in types and integers:
        return "nothing converts by itself: angle(u) and u32(a) keep the 32 bits"
    if op in ("and", "or", "not"):
        return "compare first: hp > 0"
    if op in OPERATORS:
        return f"it takes {forms_words(op, OPERATORS[op])}"
    return f"it takes {forms_words(op, FUNCTIONS[op].forms)}" if op in FUNCTIONS else None
