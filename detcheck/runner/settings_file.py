"""`[tool.detcheck]` of the nearest pyproject.toml: a regular file, TOML, a table; faults name line and column."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from detcheck.errors import DetcheckError, Where, visible
from detcheck.runner.files import shown_path
from detcheck.scenario.files import read_regular, unreadable

#: a pyproject.toml is read whole; more than this is not one
FILE_LIMIT_BYTES = 4 * 1024 * 1024

NAME = "pyproject.toml"

_NEXT = f"settings are read from [tool.detcheck] of the nearest {NAME}: repair this one or move it away"


def file_table(folder: Path, known: Mapping[str, object]) -> tuple[Path | None, Mapping[str, object]]:
    """The nearest pyproject.toml above or in a folder and its `[tool.detcheck]`; any key but the known is a fault.

    What is there and cannot be read is a fault, never passed over for a file further up. Raises DetcheckError.
    """
    file = next((f for f in (p / NAME for p in (folder, *folder.parents)) if _is_there(f)), None)
    if file is None:
        return None, {}
    tool = _parsed(file).get("tool", {})
    table = tool.get("detcheck", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise DetcheckError("settings.kind", "[tool.detcheck] is not a table", place_of_key(file), _NEXT)
    unknown = [key for key in table if key not in known]
    if unknown:
        names = ", ".join(repr(visible(key)) for key in unknown)
        message = f"[tool.detcheck] has the unknown key{'s' * (len(unknown) > 1)} {names}"
        raise DetcheckError("settings.unknown_key", message, place_of_key(file, unknown[0]), _known(unknown, known))
    return file, table


def read_settings_file(file: Path) -> bytes:
    """The bytes of a pyproject.toml. Raises DetcheckError for what is no regular file, or a far too large one."""
    try:
        return read_regular(Path(shown_path(file)), FILE_LIMIT_BYTES, f"a {NAME}")
    except DetcheckError as fault:
        raise DetcheckError("settings.unreadable", fault.message, fault.where, _NEXT) from None


def place_of_key(file: Path, *key: str) -> Where:
    """Where a key of the table stands; the file alone where that cannot be told."""
    from detcheck.scenario.document import parse_document

    name = shown_path(file)
    try:
        return parse_document(name, read_settings_file(file)).key(("tool", "detcheck", *key))
    except DetcheckError:
        return Where(name)


def _is_there(file: Path) -> bool:
    try:
        os.lstat(file)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        fault = unreadable(Path(shown_path(file)), error)
        raise DetcheckError("settings.unreadable", fault.message, fault.where, _NEXT) from None
    return True


def _known(unknown: list[str], known: Mapping[str, object]) -> str:
    from difflib import get_close_matches

    close = dict.fromkeys(near for key in unknown for near in get_close_matches(key.lower(), known, n=1))
    meant = f"did you mean {' and '.join(close)}? " if close else ""
    return f"{meant}known keys: {', '.join(known)}"


def _parsed(file: Path) -> dict[str, object]:
    import tomllib

    data = read_settings_file(file)
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise _not_toml(shown_path(file), data, error) from None


def _not_toml(name: str, data: bytes, error: Exception) -> DetcheckError:
    """The fault with its line and column, and the line."""
    from detcheck.scenario.document import Document, decode, syntax_fault

    text = decode(data, name)
    fault = syntax_fault(error, Document(name, text, {}, {}))
    return DetcheckError("settings.not_toml", fault.message, fault.where, _NEXT)
