"""Tables of the manual that are made from the code's own tables."""

from __future__ import annotations

from collections.abc import Callable


def exit_table() -> str:
    """The exit table of the command line."""
    from detcheck.model.exits import EXITS, PRECEDENCE

    rows = [f"| {code} | {meaning} |" for code, meaning in EXITS.items()]
    order = ", ".join(str(code) for code in PRECEDENCE)
    return "\n".join(["| exit | meaning |", "|---|---|", *rows, "", f"When several apply, the first of {order}."])


def function_table() -> str:
    """Every function of the tick language: how it is called, its types, its backends, what it gives."""
    from detcheck.language.functions import FUNCTIONS, Form

    def types(form: Form) -> str:
        where = "" if len(form.backends) == 3 else f" ({' '.join(form.backends)})"
        return f"({', '.join(form.params)}) -> {form.result}{where}"

    rows = []
    for function in FUNCTIONS.values():
        only = f" Only with rng = {function.rng!r}." if function.rng else ""
        forms = "; ".join(types(form) for form in function.forms)
        rows.append(f"{function.signature()}\n    {forms}\n    {function.help}.{only}")
    return "\n".join(rows)


def class_table() -> str:
    """The names that stand for several types."""
    from detcheck.language.functions import CLASSES

    return "\n".join(f"- {name}: {', '.join(types)}" for name, types in CLASSES.items())


def operator_table() -> str:
    """Every operator and the types it takes."""
    from detcheck.language.functions import OPERATORS

    rows = []
    for name, forms in OPERATORS.items():
        shown = "; ".join(f"({', '.join(form.params)}) -> {form.result}" for form in forms)
        rows.append(f"    {name:4} {shown}")
    return "\n".join(rows)


def trap_table() -> str:
    """Every reason for a trap."""
    from detcheck.language.ops import TRAPS

    return "\n".join(f"- {words}" for words in TRAPS.values())


def backend_table() -> str:
    """Every backend with its number and the version of its bits."""
    from detcheck.numbers import BACKENDS, get
    from detcheck.version import MATH_VERSIONS

    rows = [f"| {b} | {get(b).number} | {MATH_VERSIONS[b]} |" for b in BACKENDS]
    return "\n".join(["| backend | number | math version |", "|---|---|---|", *rows])


def reader_table() -> str:
    """Every reader of dumps."""
    from detcheck.dumps.readers import READERS

    return "\n".join(f"- {name}" for name in READERS)


TABLES: dict[str, Callable[[], str]] = {
    "exits": exit_table,
    "functions": function_table,
    "classes": class_table,
    "operators": operator_table,
    "traps": trap_table,
    "backends": backend_table,
    "readers": reader_table,
}
