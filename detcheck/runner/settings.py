"""Settings: flag over environment over `[tool.detcheck]` of the nearest pyproject.toml over the default.

One table of settings; `resolve` gives each value with where it came from. Unknown keys of the file are refused.
Paths of the file are relative to the file's folder, others to the current folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from detcheck.errors import DetcheckError, Where, visible

#: a pyproject.toml is read whole; more than this is not one
FILE_LIMIT_BYTES = 4 * 1024 * 1024

COLORS = ("auto", "always", "never")
JOBS_LIMIT = 256


@dataclass(frozen=True)
class Spec:
    """One setting: its key in the file (its variable is DETCHECK_<KEY>), what it is, its default, its check.

    kind   path | text | integer | list, how a value of the file and a text of the environment become one
    check  gives what is wrong with a value, in words, or None
    """

    name: str
    kind: str
    default: str | None
    help: str
    check: Callable[[str], str | None] = lambda value: None

    @property
    def variable(self) -> str:
        return f"DETCHECK_{self.name.upper()}"


@dataclass(frozen=True)
class Setting:
    """A resolved value as text (a list is joined by commas) and where it came from; `None` is not set anywhere."""

    name: str
    value: str | None
    origin: str


def _check_jobs(value: str) -> str | None:
    good = value.isascii() and value.isdigit() and len(value) <= 9 and 1 <= int(value) <= JOBS_LIMIT
    return None if good else f"{value!r} is not a number of jobs, 1 to {JOBS_LIMIT}"


def _check_color(value: str) -> str | None:
    return None if value in COLORS else f"{value!r} is none of {', '.join(COLORS)}"


SETTINGS: dict[str, Spec] = {
    spec.name: spec
    for spec in (
        Spec("scenarios", "path", "scenarios", "the folder of scenarios"),
        Spec("golden", "path", None, "the folder of goldens (default: golden beside the scenarios folder)"),
        Spec("backends", "list", None, "only these backends"),
        Spec("executor", "text", "auto", "auto, native, native:baseline, generated or reference"),
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
    file, table = _file_table(folder or Path.cwd())
    return {name: _resolve_one(spec, flags.get(name), env, file, table) for name, spec in SETTINGS.items()}


def _resolve_one(
    spec: Spec, flag: str | None, env: Mapping[str, str], file: Path | None, table: Mapping[str, object]
) -> Setting:
    if flag is not None:
        return Setting(spec.name, _checked(spec, flag, f"--{spec.name}", None), "command line")
    if env.get(spec.variable):
        return Setting(spec.name, _checked(spec, env[spec.variable], spec.variable, None), f"${spec.variable}")
    if file is not None and spec.name in table:
        value = _from_file(spec, table[spec.name], file)
        return Setting(spec.name, _checked(spec, value, spec.name, Where(str(file))), str(file))
    return Setting(spec.name, spec.default, "default")


def _checked(spec: Spec, value: str, name: str, where: Where | None) -> str:
    fault = spec.check(value)
    if fault is not None:
        raise DetcheckError("settings.value", f"{name}: {visible(fault)}", where)
    return value


def _from_file(spec: Spec, value: object, file: Path) -> str:
    where = Where(str(file))
    if spec.kind == "list":
        if isinstance(value, list) and all(isinstance(v, str) for v in value):
            return ",".join(value)
        raise DetcheckError("settings.kind", f"[tool.detcheck] {spec.name} is not a list of texts", where)
    if spec.kind == "integer":
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        raise DetcheckError("settings.kind", f"[tool.detcheck] {spec.name} is not an integer", where)
    if not isinstance(value, str) or not value:
        raise DetcheckError("settings.kind", f"[tool.detcheck] {spec.name} is not a text", where)
    return _from_here(file.parent / value) if spec.kind == "path" else value


def _from_here(path: Path) -> str:
    """A path as seen from the current folder; one on another drive stays whole."""
    try:
        return os.path.relpath(path)
    except ValueError:
        return str(path)


def _file_table(folder: Path) -> tuple[Path | None, Mapping[str, object]]:
    """The nearest pyproject.toml and its `[tool.detcheck]`, checked for unknown keys."""
    file = next((f for f in (p / "pyproject.toml" for p in (folder, *folder.parents)) if f.is_file()), None)
    if file is None:
        return None, {}
    tool = _parsed(file).get("tool", {})
    table = tool.get("detcheck", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise DetcheckError("settings.kind", "[tool.detcheck] is not a table", Where(str(file)))
    unknown = [key for key in table if key not in SETTINGS]
    if unknown:
        names = ", ".join(repr(visible(key)) for key in unknown)
        message = f"[tool.detcheck] has the unknown key{'s' * (len(unknown) > 1)} {names}"
        raise DetcheckError("settings.unknown_key", message, Where(str(file)), _known_keys(unknown))
    return file, table


def _known_keys(unknown: list[str]) -> str:
    from difflib import get_close_matches

    close = dict.fromkeys(near for key in unknown for near in get_close_matches(key.lower(), SETTINGS, n=1))
    meant = f"did you mean {' and '.join(close)}? " if close else ""
    return f"{meant}known keys: {', '.join(SETTINGS)}"


def _parsed(file: Path) -> dict[str, object]:
    import tomllib

    where = Where(str(file))
    try:
        with file.open("rb") as stream:
            data = stream.read(FILE_LIMIT_BYTES + 1)
    except OSError as error:
        raise DetcheckError("settings.unreadable", f"cannot be read: {error.strerror}", where) from None
    if len(data) > FILE_LIMIT_BYTES:
        raise DetcheckError("settings.too_large", f"is larger than {FILE_LIMIT_BYTES} bytes", where)
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DetcheckError("settings.not_toml", f"is not TOML: {visible(error)}", where) from None
