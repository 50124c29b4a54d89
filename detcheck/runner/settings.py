"""Settings: flag over environment over `[tool.detcheck]` of the nearest pyproject.toml over the default.

One table of settings; `resolve` gives each value with where it came from. Unknown keys of the file are refused.
Paths of the file are relative to the file's folder, others to the current folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from detcheck.errors import DetcheckError, visible
from detcheck.runner.settings_file import file_table, place_of_key

COLORS = ("auto", "always", "never")
JOBS_LIMIT = 256


@dataclass(frozen=True)
class Spec:
    """One setting: its key in the file (its variable is DETCHECK_<KEY>), what it is, its default, its check.

    kind   path | text | integer | list, how a value of the file and a text of the environment become one
    check  gives what is wrong with a value, in words, and what would be right, or None
    flag   its option, without dashes, where it is not the name
    """

    name: str
    kind: str
    default: str | None
    help: str
    check: Callable[[str], tuple[str, str] | None] = lambda value: None
    flag: str | None = None

    @property
    def variable(self) -> str:
        return f"DETCHECK_{self.name.upper()}"


@dataclass(frozen=True)
class Setting:
    """A resolved value as text (a list is joined by commas) and where it came from; `None` is not set anywhere."""

    name: str
    value: str | None
    origin: str


def _check_jobs(value: str) -> tuple[str, str] | None:
    good = value.isascii() and value.isdigit() and len(value) <= 9 and 1 <= int(value) <= JOBS_LIMIT
    return None if good else (f"{value!r} is not a number of jobs", f"give 1 to {JOBS_LIMIT}")


def _check_color(value: str) -> tuple[str, str] | None:
    return None if value in COLORS else (f"{value!r} is no way to colour", f"give one of: {', '.join(COLORS)}")


def _check_backends(value: str) -> tuple[str, str] | None:
    from detcheck.numbers import BACKENDS

    asked = (one.strip() for one in value.split(","))
    unknown = next((one for one in asked if one and one not in BACKENDS), None)
    return None if unknown is None else _unknown("backend", unknown, BACKENDS)


def _check_executor(value: str) -> tuple[str, str] | None:
    from detcheck.engine.executors import EXECUTORS

    return None if value in EXECUTORS else _unknown("executor", value, EXECUTORS)


def _unknown(what: str, value: str, known: Iterable[str]) -> tuple[str, str]:
    from difflib import get_close_matches

    listed = list(known)
    close = get_close_matches(value, listed, n=3, cutoff=0.6)
    meant = f"did you mean {' or '.join(close)}? " if close else ""
    return f"there is no {what} {value!r}", f"{meant}{what}s: {', '.join(listed)}"


SETTINGS: dict[str, Spec] = {
    spec.name: spec
    for spec in (
        Spec("scenarios", "path", "scenarios", "the folder of scenarios"),
        Spec("golden", "path", None, "the folder of goldens (default: golden beside the scenarios folder)"),
        Spec("backends", "list", None, "only these backends", _check_backends, "backend"),
        Spec("executor", "text", "auto", "auto, native, native:baseline, generated or reference", _check_executor),
        Spec("jobs", "integer", "1", "replays at a time", _check_jobs),
        Spec("color", "text", "auto", "auto, always or never", _check_color),
    )
}


def resolve(
    flags: Mapping[str, str | None],
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> dict[str, Setting]:
    """Every setting of the table. `flags` holds what the command line gave, as text; None or absent is not given.

    Raises DetcheckError: an unreadable pyproject.toml, an unknown key, a value of the wrong kind.
    """
    env = os.environ if environment is None else environment
    file, table = file_table(folder or Path.cwd(), SETTINGS)
    return {name: _resolve_one(spec, flags.get(name), env, file, table) for name, spec in SETTINGS.items()}


def misspelled(environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Remarks on variables that set nothing and were likely meant to."""
    from difflib import get_close_matches

    known = {spec.variable: spec for spec in SETTINGS.values()}
    remarks = []
    for name in sorted(os.environ if environment is None else environment):
        if name.upper().startswith("DETCHECK_") and name not in known:
            close = get_close_matches(name.upper(), known, n=1, cutoff=0.88)
            remarks += [f"{visible(name)} is set and is no setting: did you mean {meant}?" for meant in close]
    return tuple(remarks)


def _resolve_one(
    spec: Spec, flag: str | None, env: Mapping[str, str], file: Path | None, table: Mapping[str, object]
) -> Setting:
    if flag is not None:
        return Setting(spec.name, _checked(spec, flag, f"--{spec.flag or spec.name}: ", None), "command line")
    if env.get(spec.variable):
        return Setting(spec.name, _checked(spec, env[spec.variable], f"{spec.variable}: ", None), f"${spec.variable}")
    if file is not None and spec.name in table:
        value = _from_file(spec, table[spec.name], file)
        return Setting(spec.name, _checked(spec, value, f"[tool.detcheck] {spec.name}: ", file), str(file))
    return Setting(spec.name, spec.default, "default")


def _checked(spec: Spec, value: str, start: str, file: Path | None) -> str:
    fault = spec.check(value)
    if fault is not None:
        where = None if file is None else place_of_key(file, spec.name)
        raise DetcheckError("settings.value", f"{start}{visible(fault[0])}", where, fault[1])
    return value


#: kind -> what a value of the file has to be
_KIND_WORDS = {"list": "a list of texts", "integer": "an integer", "path": "a text", "text": "a text"}


def _from_file(spec: Spec, value: object, file: Path) -> str:
    if spec.kind == "list" and isinstance(value, list) and all(isinstance(v, str) for v in value):
        return ",".join(value)
    if spec.kind == "integer" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if spec.kind in ("path", "text") and isinstance(value, str) and value:
        return _from_here(file.parent / value) if spec.kind == "path" else value
    message = f"[tool.detcheck] {spec.name} is not {_KIND_WORDS[spec.kind]}"
    raise DetcheckError("settings.kind", message, place_of_key(file, spec.name), f"it is {spec.help}")


def _from_here(path: Path) -> str:
    """A path as seen from the current folder; one on another drive stays whole."""
    try:
        return os.path.relpath(path)
    except ValueError:
        return str(path)
