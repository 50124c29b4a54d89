"""Scenario files below a folder, and where the goldens of a scenario file are."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from detcheck.errors import DetcheckError, Where, visible
from detcheck.runner.files import shown_path

SUFFIX = ".toml"


@dataclass(frozen=True)
class ScenarioFile:
    """A file that holds a scenario, or should. `twin` is another file of the same name below the same folder."""

    name: str
    path: Path
    golden_folder: Path
    twin: Path | None = None


def scenario_files(folder: Path, golden: Path | None) -> tuple[ScenarioFile, ...]:
    """Every scenario file below `folder`, by name. Raises DetcheckError when it is not there or not readable."""
    where = Where(visible(shown_path(folder)))
    hint = "name the folder with --scenarios DIR, or make a first scenario: detcheck init"
    if not folder.exists():
        raise DetcheckError("scenarios.missing", "the scenarios folder is not there", where, hint)
    if not folder.is_dir():
        raise DetcheckError("scenarios.not_a_folder", "is not a folder of scenarios", where, hint)
    goldens = golden_folder_of(folder) if golden is None else golden
    paths = sorted(_walk(folder), key=lambda p: (p.stem, str(p)))
    twins: dict[str, list[Path]] = {}
    for path in paths:
        twins.setdefault(path.stem, []).append(path)
    return tuple(
        ScenarioFile(path.stem, path, goldens, next((t for t in twins[path.stem] if t != path), None)) for path in paths
    )


def golden_folder_of(scenarios: Path) -> Path:
    """`golden` beside a scenarios folder."""
    return Path(os.path.normpath(scenarios / os.pardir / "golden"))


def home_of(path: Path) -> Path:
    """The scenarios folder a lone file belongs to: the nearest folder above it named `scenarios`, else its own."""
    absolute = Path(os.path.abspath(path))
    return next((p for p in absolute.parents if p.name == "scenarios"), absolute.parent)


def _walk(folder: Path) -> list[Path]:
    def refuse(error: OSError) -> None:
        where = Where(visible(shown_path(error.filename or folder)))
        raise DetcheckError("scenarios.unreadable", f"the folder cannot be read: {error.strerror}", where)

    found = []
    for parent, folders, files in os.walk(folder, onerror=refuse):
        folders.sort()
        found += [Path(parent, name) for name in files if name.endswith(SUFFIX)]
        # a folder named like a scenario is said, not skipped: the loader refuses it by its kind
        found += [Path(parent, name) for name in folders if name.endswith(SUFFIX)]
    return found
