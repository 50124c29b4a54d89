"""Tables of the manual that are made from the code's own tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from detcheck.explain.limits import LIMITS, limit_list


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
        rows.append(f"- `{function.signature()}`: {forms}. {function.help}.{only}")
    return "\n".join(rows)


def class_table() -> str:
    """The names that stand for several types."""
    from detcheck.language.functions import CLASSES

    return "\n".join(f"- {name}: {', '.join(types)}" for name, types in CLASSES.items())


def operator_table() -> str:
    """Every operator and the types it takes; operators of the same types in one row."""
    from detcheck.language.functions import OPERATORS

    alike: dict[str, list[str]] = {}
    for name, forms in OPERATORS.items():
        shown = "; ".join(f"({', '.join(form.params)}) -> {form.result}" for form in forms)
        alike.setdefault(shown, []).append({"neg": "`-` before", "if": "`a if c else b`"}.get(name, f"`{name}`"))
    return "\n".join(f"- {' '.join(names)}: {shown}" for shown, names in alike.items())


#: reason for a trap -> what brings it about
_TRAPPING = {
    "num_div_zero": "`/` of nums or vectors on fixed_wrapping_16_16; on the other backends it has a value",
    "num_sqrt_negative": "`sqrt` on fixed_wrapping_16_16; elsewhere 0 (fixed_point_16_16) or NaN (float_pinned_32)",
    "int_div_zero": "`//` and `%` of i32 and u32",
    "index": "`table[i].column`, read or set, with i outside 0..rows-1, a negative one too",
    "clamp_bounds": "`clamp` with lo above hi, or with a bound that is NaN or infinite",
    "roll_bounds": "`roll(lo, hi)`",
    "fold_empty": "`min` or `max` over a table of 0 rows (`sum` and `count` give 0)",
}


def trap_table() -> str:
    """Every reason for a trap, and what brings it about."""
    from detcheck.language.ops import TRAPS

    return "\n".join(f"- {words}: {_TRAPPING[reason]}" for reason, words in TRAPS.items())


def backend_table() -> str:
    """Every backend with its number and the version of its bits."""
    from detcheck.numbers import BACKENDS, get
    from detcheck.version import MATH_VERSIONS

    rows = [f"| {b} | {get(b).number} | {MATH_VERSIONS[b]} |" for b in BACKENDS]
    return "\n".join(["| backend | number | math version |", "|---|---|---|", *rows])


#: reader of dumps -> what it reads
_READ = {
    "detcheck-dump": "dumps of detcheck or of your engine's own writer: a head line, then a tick a line",
    "detcheck-golden": "golden files: a header, then a checkpoint a line with the hash of every part",
    "hash-lines": "a tick and a hash a line, in every common spelling, in a log too",
    "openra": "OpenRA sync reports",
    "recoil": "Recoil (Spring) client and server game states",
    "warzone": "Warzone 2100 sync debug logs",
    "json-lines": "JSON Lines: an object a line, behind a log prefix too",
    "json": "a JSON document: one state, or a list of ticks",
    "table": "CSV and TSV: a row a tick, or a row a tick and entity",
    "event-lines": "events or a trace: draws, commands, calls, with a tick",
    "text-tree": "text nested by indent, braces or `[sections]`; `key: value`, `key = value`",
    "raw-bytes": "anything else, by offset and in hex",
}


def reader_table() -> str:
    """Every reader of dumps and what it reads."""
    from detcheck.dumps.readers import READERS

    size = max(map(len, _READ))
    return "\n".join(f"- {entry.name.ljust(size)}  {_READ[entry.name]}" for entry in READERS)


def vector_op_table() -> str:
    """Every op of a file of known answers, with what it takes and gives."""
    from detcheck.vectors.ops import OPS

    alike: dict[str, list[str]] = {}
    for shape in OPS.values():
        only = " (float_pinned_32 only)" if shape.radians else ""
        alike.setdefault(f"{' '.join(shape.params)} -> {' '.join(shape.results)}{only}", []).append(shape.name)
    return "\n".join(f"- {' '.join(names)}: {shown}" for shown, names in alike.items())


def value_table() -> str:
    """What a column of each type takes in an input script."""
    from detcheck.language.constants import INTEGER_RANGES

    rows = [
        ("num", "an integer or a decimal", "`0.25`"),
        ("vec2", "an array of 2 such numbers", "`[1, -0.5]`"),
        ("vec3", "an array of 3 such numbers", "`[0, 0, 1]`"),
        *((kind, f"an integer {low} to {high}", "`3`") for kind, (low, high) in INTEGER_RANGES.items()),
        ("bool", "true or false", "`true`"),
    ]
    return "\n".join(["| type | takes | example |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)])


TABLES: dict[str, Callable[[], str]] = {
    "exits": exit_table,
    "functions": function_table,
    "classes": class_table,
    "operators": operator_table,
    "traps": trap_table,
    "backends": backend_table,
    "readers": reader_table,
    "vector ops": vector_op_table,
    "values": value_table,
    **{f"limits {section}": partial(limit_list, section) for section in LIMITS},
}
