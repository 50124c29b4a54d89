"""What a command line selects: names, globs and files to scenarios, and those to replays on backends.

A fault of one scenario file is kept beside it, so that the others still run (design: formats, Selection).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from detcheck.errors import DetcheckError, Faults, Where, visible
from detcheck.runner.files import shown_path
from detcheck.runner.found import SUFFIX, ScenarioFile, golden_folder_of, home_of, scenario_files

if TYPE_CHECKING:
    from detcheck.scenario.scenario import Scenario


class NothingSelected(DetcheckError):
    """A glob or filter that leaves nothing, or an empty folder: exit 4, so that a typing error is not a success."""

    exit_code = 4

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__("selection.nothing", f"nothing was selected: {message}", None, hint)


@dataclass(frozen=True)
class Selected:
    """One selected file: the loaded scenario, or the fault that keeps it from being one."""

    file: ScenarioFile
    scenario: Scenario | None
    fault: DetcheckError | None

    @property
    def name(self) -> str:
        """The scenario's name: its file's stem."""
        return self.file.name


@dataclass(frozen=True)
class Pair:
    """One replay to do."""

    selected: Selected
    backend: str


@dataclass(frozen=True)
class Selection:
    """`pairs` are the replays, in order; `broken` the files that could not be loaded; `remarks` what was left out.

    filtered    something named less than all: goldens of the rest are not unreferenced
    files       every scenario file of the folder, when the folder was read
    """

    scenarios: tuple[Selected, ...]
    pairs: tuple[Pair, ...]
    broken: tuple[Selected, ...]
    remarks: tuple[str, ...]
    filtered: bool
    files: tuple[ScenarioFile, ...]
    golden: Path


def select(
    arguments: Sequence[str], scenarios: str, golden: str | None = None, backends: Sequence[str] = ()
) -> Selection:
    """Resolve a command line. Raises DetcheckError (2) for what is not there, NothingSelected (4) for nothing left."""
    wanted = check_backends(backends)
    folder, golden_folder = Path(scenarios), None if golden is None else Path(golden)
    files, chosen = _chosen(arguments, folder, golden_folder)
    loaded = tuple(load_selected(file) for file in chosen)
    pairs, remarks = _pairs(loaded, wanted)
    broken = tuple(s for s in loaded if s.fault is not None)
    if not pairs and not broken:
        raise NothingSelected(_why_nothing(wanted, remarks))
    filtered = bool(arguments) or bool(wanted)
    return Selection(
        loaded, pairs, broken, remarks, filtered, files, golden_folder_of(folder) if golden is None else Path(golden)
    )


def check_backends(backends: Iterable[str]) -> tuple[str, ...]:
    """The backends asked for, once each, in the order of the table. Raises DetcheckError for an unknown one."""
    from detcheck.numbers import BACKENDS

    asked = list(backends)
    for backend in asked:
        if backend not in BACKENDS:
            hint = f"{_close(backend, BACKENDS)}backends: {', '.join(BACKENDS)}"
            raise DetcheckError("backend.unknown", f"there is no backend {visible(backend)!r}", None, hint)
    return tuple(b for b in BACKENDS if b in asked)


def load_selected(file: ScenarioFile) -> Selected:
    """Load one file; a fault stays beside it."""
    from detcheck.scenario.load import load

    try:
        if file.twin is not None:
            raise _twin_fault(file.path, file.twin)
        return Selected(file, load(file.path), None)
    except DetcheckError as fault:
        return Selected(file, None, fault)


def load_one(argument: str, scenarios: str, golden: str | None = None) -> Selected:
    """The one scenario that `argument` names, loaded. Raises DetcheckError, its own faults included."""
    if _is_glob(argument):
        raise DetcheckError("selection.one", f"{visible(argument)!r} is a glob; this command takes one scenario")
    _, chosen = _chosen([argument], Path(scenarios), None if golden is None else Path(golden))
    selected = load_selected(chosen[0])
    if selected.fault is not None:
        raise selected.fault
    return selected


def is_file_argument(argument: str) -> bool:
    """An argument with `/` or ending `.toml` is a file (with the system's own separator too)."""
    return "/" in argument or os.sep in argument or argument.endswith(SUFFIX)


def _is_glob(argument: str) -> bool:
    return not is_file_argument(argument) and any(c in argument for c in "*?[")


def _chosen(
    arguments: Sequence[str], folder: Path, golden: Path | None
) -> tuple[tuple[ScenarioFile, ...], tuple[ScenarioFile, ...]]:
    """(the folder's files, the chosen ones in the order of the arguments, once each)."""
    need_folder = not arguments or any(not is_file_argument(a) for a in arguments)
    files = scenario_files(folder, golden) if need_folder or folder.is_dir() else ()
    if not arguments:
        if not files:
            hint = "a scenario is a file <name>.toml there; make a first one: detcheck init"
            raise NothingSelected(f"{visible(shown_path(folder))} holds no scenario", hint)
        return files, files
    chosen: dict[Path, ScenarioFile] = {}
    for argument in arguments:
        for file in _matches(argument, files, folder, golden):
            chosen.setdefault(Path(os.path.abspath(file.path)), file)
    if not chosen:
        names = ", ".join(visible(a) for a in arguments)
        raise NothingSelected(f"{names} fits no scenario in {visible(shown_path(folder))}", "detcheck list shows them")
    return files, _without_clashes(chosen.values())


def _matches(argument: str, files: Sequence[ScenarioFile], folder: Path, golden: Path | None) -> Sequence[ScenarioFile]:
    if is_file_argument(argument):
        return [_file(argument, files, golden)]
    if _is_glob(argument):
        return [f for f in files if fnmatchcase(f.name, argument)]
    found = [f for f in files if f.name == argument]
    if not found:
        where = Where(visible(shown_path(folder)))
        hint = f"{_close(argument, [f.name for f in files])}detcheck list shows what is there"
        raise DetcheckError("selection.no_name", f"there is no scenario {visible(argument)!r}", where, hint)
    return found


def _file(argument: str, files: Sequence[ScenarioFile], golden: Path | None) -> ScenarioFile:
    path = Path(argument)
    absolute = os.path.abspath(path)
    known = next((f for f in files if os.path.abspath(f.path) == absolute), None)
    if known is not None:
        return known
    if not os.path.lexists(path):
        hint = "an argument with / or ending .toml is a file, anything else a name or a glob"
        raise DetcheckError("selection.no_file", "there is no such file", Where(visible(argument)), hint)
    if path.is_dir():
        hint = f"a folder is given by --scenarios: detcheck run --scenarios {visible(argument)}"
        raise DetcheckError("selection.folder", "is a folder, not a scenario file", Where(visible(argument)), hint)
    return ScenarioFile(path.stem, path, golden or golden_folder_of(home_of(path)))


def _without_clashes(chosen: Iterable[ScenarioFile]) -> tuple[ScenarioFile, ...]:
    """Two chosen files of one name and one golden folder would share goldens: each is told of the other."""
    files = list(chosen)
    twins = {}
    for file in files:
        other = next((f for f in files if f.path != file.path and _goldens(f) == _goldens(file)), None)
        if other is not None and file.twin is None:
            twins[file.path] = ScenarioFile(file.name, file.path, file.golden_folder, other.path)
    return tuple(twins.get(f.path, f) for f in files)


def _goldens(file: ScenarioFile) -> tuple[str, str]:
    return os.path.realpath(file.golden_folder), file.name


def _twin_fault(path: Path, twin: Path) -> DetcheckError:
    where = Where(visible(shown_path(path)))
    message = f"another file has the same scenario name: {visible(shown_path(twin))}"
    hint = "goldens are kept by name: a name is unique below the scenarios folder. Rename one of the two."
    return DetcheckError("selection.twin", message, where, hint)


def _pairs(loaded: Sequence[Selected], wanted: Sequence[str]) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    pairs, remarks = [], []
    for selected in loaded:
        if selected.scenario is None:
            continue
        own = selected.scenario.backends
        pairs += [Pair(selected, backend) for backend in own if not wanted or backend in wanted]
        left_out = [backend for backend in wanted if backend not in own]
        if left_out:
            remarks.append(f"{selected.name}: left out on {', '.join(left_out)}; it runs on {', '.join(own)}")
    return tuple(pairs), tuple(remarks)


def _why_nothing(wanted: Sequence[str], remarks: Sequence[str]) -> str:
    if wanted:
        return f"no selected scenario runs on {', '.join(wanted)}\n  " + "\n  ".join(remarks)
    return "no selected scenario runs on any backend"


def _close(word: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=3, cutoff=0.6)
    return f"did you mean {' or '.join(close)}? " if close else ""


def faults_of(fault: DetcheckError) -> tuple[DetcheckError, ...]:
    """The single faults of a file."""
    return fault.faults if isinstance(fault, Faults) else (fault,)
