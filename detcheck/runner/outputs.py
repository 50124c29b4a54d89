"""Where a command may write: a file that is named on purpose, in a folder that is there, and none it reads itself."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from detcheck.errors import DetcheckError, Where, visible
from detcheck.runner.files import require_writable, shown_path

if TYPE_CHECKING:
    from detcheck.runner.selection import Selected, Selection


def require_output(option: str, path: str) -> None:
    """Say before a long replay that `path` could not be written after it. Raises DetcheckError; leaves no file."""
    require_name(option, path)
    parent = Path(path).parent
    if not parent.is_dir():
        shown = visible(shown_path(parent))
        there = os.path.lexists(parent)
        words = f"{shown} is not a folder" if there else f"there is no folder {shown}"
        hint = None if there else f"make it first: mkdir -p {shlex.quote(shown)}"
        raise DetcheckError("output.folder", f"{option}: cannot be written: {words}", _place(path), hint)
    require_writable(path)


def require_name(option: str, path: str) -> None:
    """A file or folder named on purpose: neither nothing nor what was meant as an option. Raises DetcheckError."""
    if not path:
        raise DetcheckError("output.name", f"{option} is given without a name", None, "give it a name, or leave it out")
    if path.startswith("-"):
        hint = f"if it is meant as a name: {option} ./{visible(path)}"
        raise DetcheckError("output.name", f"{option} {visible(path)}: this looks like an option", None, hint)


def require_apart(option: str, path: str, inputs: Iterable[Path | str], golden: Iterable[Path] = ()) -> None:
    """Refuse to replace what the command reads. Raises DetcheckError.

    inputs   files, whether they exist or not, and folders, of which every existing file counts
    golden   golden folders: nothing is written there that looks like a golden
    """
    real = os.path.realpath(path)
    if any(_is_input(real, os.path.realpath(one)) for one in inputs) or any(_is_golden(real, f) for f in golden):
        message = f"{option}: this is one of the files that the command reads or keeps; it is not overwritten"
        raise DetcheckError("output.input", message, _place(path), "give it another name")


def require_folder_apart(option: str, folder: str, kept: Iterable[Path]) -> None:
    """Refuse a folder that is one of those kept for something else, or lies in one. Raises DetcheckError."""
    real = os.path.realpath(folder)
    for one in kept:
        if _within(real, os.path.realpath(one)):
            message = f"{option}: the files would lie in {visible(shown_path(one))}, which is kept for something else"
            raise DetcheckError("output.input", message, _place(folder), "give it another folder")


def inputs_of(selection: Selection) -> tuple[Path, ...]:
    """Every file a run of this selection can read, goldens that are yet to be recorded included."""
    files = [file.path for file in selection.files]
    for selected in selection.scenarios:
        files += inputs_of_one(selected)
    return tuple(files)


def inputs_of_one(selected: Selected) -> tuple[Path, ...]:
    """A scenario's own files: itself, its inputs, its goldens with their states."""
    from detcheck.golden.golden import golden_path, states_path

    files = [selected.file.path]
    scenario = selected.scenario
    if scenario is not None:
        files += [scenario.inputs_path] if scenario.inputs_path is not None else []
        goldens = [golden_path(selected.file.golden_folder, selected.name, b) for b in scenario.backends]
        files += [*goldens, *(states_path(golden) for golden in goldens)]
    return tuple(files)


def golden_folders(selection: Selection) -> tuple[Path, ...]:
    """The golden folders of a selection, once each."""
    return tuple(dict.fromkeys([selection.golden, *(s.file.golden_folder for s in selection.scenarios)]))


def scenario_folders(selection: Selection, folder: Path) -> tuple[Path, ...]:
    """The folders in which a run looks for scenarios, at any depth: what is put there would be replayed next time."""
    from detcheck.runner.found import home_of

    homes = (home_of(s.file.path) for s in selection.scenarios)
    here = Path(os.curdir).resolve()
    return tuple(dict.fromkeys([folder, *(home for home in homes if home.resolve() != here)]))


def _place(path: str) -> Where:
    return Where(visible(shown_path(path)))


def _is_input(real: str, given: str) -> bool:
    if os.path.normcase(real) == os.path.normcase(given):
        return True
    try:
        if os.path.isdir(given):
            return os.path.lexists(real) and _within(real, given)
        return os.path.samefile(real, given)
    except (OSError, ValueError):
        return False


def _is_golden(real: str, folder: Path) -> bool:
    from detcheck.golden.golden import is_golden_name

    home = os.path.realpath(folder)
    parent, name = os.path.split(real)
    return os.path.normcase(os.path.dirname(parent)) == os.path.normcase(home) and is_golden_name(name)


def _within(real: str, folder: str) -> bool:
    real, folder = os.path.normcase(real), os.path.normcase(folder)
    return real == folder or real.startswith(folder.rstrip(os.sep) + os.sep)
