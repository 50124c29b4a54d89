"""What `detcheck init` does: writes what is not there, adds the settings table where it is missing, records goldens.

Nothing existing is overwritten. The folders are those that a run in the folder will use: of its own pyproject.toml when
that has a table, else the ones of the table written here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from detcheck.errors import DetcheckError, Where, visible
from detcheck.runner.files import shown_path, write_whole
from detcheck.runner.starter_texts import IGNORED, SCENARIO, SCENARIO_NAME, SETTINGS, WORKFLOW, attributes_text

_IN_THE_WAY = "nothing was written; move it away and call detcheck init again"

_AT_THE_TOP = ("pyproject.toml", ".gitattributes", ".gitignore")

WORKFLOW_PATH = Path(".github", "workflows", "detcheck.yml")


@dataclass(frozen=True)
class Outcome:
    """What became of one file. `done`: written, added to, recorded, kept; `detail` says why, or what is left to do."""

    path: Path
    done: str
    detail: str = ""


@dataclass(frozen=True)
class Home:
    """The folder that gets the starter set, and where its scenarios and goldens are."""

    folder: Path
    scenarios: Path
    golden: Path
    has_table: bool

    @property
    def scenario(self) -> Path:
        """The first scenario's file."""
        return self.scenarios / f"{SCENARIO_NAME}.toml"

    def inside(self, path: Path) -> str | None:
        """A path as seen from the folder, with forward slashes; None when it lies outside."""
        try:
            relative = os.path.relpath(path, self.folder).replace(os.sep, "/")
        except ValueError:  # another drive
            return None
        return None if relative == ".." or relative.startswith("../") else relative


def home_of(folder: Path) -> Home:
    """Look at what is there, before anything is written. Raises DetcheckError: no folder, settings that do not hold."""
    from detcheck.runner.found import golden_folder_of
    from detcheck.runner.settings import resolve

    if not folder.is_dir():
        raise DetcheckError("init.folder", "is not a folder", Where(visible(shown_path(folder))), "make it first")
    own = folder / "pyproject.toml"
    if not os.path.lexists(own):
        return Home(folder, folder / "scenarios", folder / "golden", False)
    settings = resolve({}, {}, folder.absolute())
    scenarios, golden = settings["scenarios"], settings["golden"]
    sources = folder / "scenarios" if scenarios.origin == "default" else Path(scenarios.value or "")
    goldens = Path(golden.value) if golden.value else golden_folder_of(sources)
    return Home(folder, sources, goldens, _has_table(own))


def write_starter(home: Home) -> list[Outcome]:
    """Write what is not there. Raises DetcheckError before anything is written where one of the files cannot be."""
    for path in (*(home.folder / name for name in _AT_THE_TOP), home.folder / WORKFLOW_PATH):
        _require_place(path)
    for path in (home.scenario, home.golden / SCENARIO_NAME / "golden.txt"):
        _require_place(path)
    return [_scenario(home), _settings(home), _attributes(home), _ignore(home), _workflow(home)]


def record_first(home: Home) -> list[Outcome]:
    """Record the goldens of the first scenario that are not there yet. Raises DetcheckError."""
    from detcheck.golden.read import golden_is_there
    from detcheck.runner.regen import FIRST_REASON, confirmed, planned, write
    from detcheck.runner.selection import select
    from detcheck.runner.whole import works_of

    if not _is_ours(home.scenario):
        return []
    selection = select([_argument(home.scenario)], str(home.scenarios), str(home.golden))
    for broken in selection.broken:
        if broken.fault is not None:
            raise broken.fault
    works = works_of(selection, "auto")
    missing = [work for work in works if not golden_is_there(work.golden_file)]
    kept = [Outcome(Path(w.golden_file), "kept", "it was there already") for w in works if w not in missing]
    for plan in confirmed(list(planned(missing, 1, False))):
        if plan.fault is not None:
            raise DetcheckError("init.not_recorded", f"{plan.work.name} cannot be recorded: {plan.fault}")
        write(plan, FIRST_REASON)
    return [*kept, *(Outcome(Path(work.golden_file), "recorded") for work in missing)]


def _require_place(path: Path) -> None:
    """What is there has to be a regular file, and what holds it a folder. Raises DetcheckError."""
    from detcheck.scenario.files import open_regular

    if os.path.lexists(path):
        try:
            open_regular(path, "").close()
        except DetcheckError as fault:
            where = Where(visible(shown_path(path)))
            raise DetcheckError("init.in_the_way", fault.message, where, _IN_THE_WAY) from None
        return
    above = next(p for p in path.absolute().parents if os.path.lexists(p))
    if not above.is_dir():
        raise DetcheckError("init.in_the_way", "is not a folder", Where(visible(shown_path(above))), _IN_THE_WAY)


def _argument(path: Path) -> str:
    text = str(path)
    return text if "/" in text else f"./{text}"


def _is_ours(path: Path) -> bool:
    """Whether the scenario is the one written here, so that recording it is no decision about anybody's own."""
    try:
        return _bytes_of(path) == SCENARIO.encode()
    except DetcheckError:
        return False


def _scenario(home: Home) -> Outcome:
    from detcheck.runner.found import scenario_files

    files = scenario_files(home.scenarios, home.golden) if home.scenarios.is_dir() else ()
    twin = next((f.path for f in files if f.name == SCENARIO_NAME and f.path != home.scenario), None)
    if twin is not None:
        return Outcome(twin, "kept", f"a scenario named {SCENARIO_NAME} was there already")
    if os.path.lexists(home.scenario) and not _is_ours(home.scenario):
        detail = f"it is your own; if it has no golden yet: detcheck regen {SCENARIO_NAME}"
        return Outcome(home.scenario, "kept", detail)
    return _new(home.scenario, SCENARIO)


def _settings(home: Home) -> Outcome:
    path = home.folder / "pyproject.toml"
    if home.has_table:
        return Outcome(path, "kept", "it has a [tool.detcheck] already")
    return _new(path, SETTINGS) if not os.path.lexists(path) else _added(path, SETTINGS)


def _attributes(home: Home) -> Outcome:
    path = home.folder / ".gitattributes"
    scenarios, golden = home.inside(home.scenarios), home.inside(home.golden)
    if scenarios is None or golden is None:
        return Outcome(path, "kept", "the folders lie outside; give their files eol=lf where they are")
    text = attributes_text(scenarios, golden)
    if not os.path.lexists(path):
        return _new(path, text)
    if f"{golden}/" in _bytes_of(path).decode("utf-8", "replace"):
        return Outcome(path, "kept", f"it speaks of {golden}/ already")
    return _added(path, text)


def _ignore(home: Home) -> Outcome:
    """What the workflow's commands leave here when they are typed by hand is not committed."""
    path = home.folder / ".gitignore"
    if not os.path.lexists(path):
        return _new(path, "".join(f"{line}\n" for line in IGNORED))
    there = {line.strip().strip("/") for line in _bytes_of(path).decode("utf-8", "replace").splitlines()}
    missing = [line for line in IGNORED if line.strip("/") not in there]
    if not missing:
        return Outcome(path, "kept", f"it speaks of {' and '.join(IGNORED)} already")
    return _added(path, "".join(f"{line}\n" for line in missing))


def _workflow(home: Home) -> Outcome:
    outcome = _new(home.folder / WORKFLOW_PATH, WORKFLOW)
    root = next((p for p in (home.folder.absolute(), *home.folder.absolute().parents) if (p / ".git").exists()), None)
    if outcome.done == "kept" or root is None or root == home.folder.absolute():
        return outcome
    detail = f"GitHub reads it at the repository's root only: move it to {shown_path(root / WORKFLOW_PATH)}"
    return Outcome(outcome.path, outcome.done, f"{detail} and give its steps a working-directory")


def _new(path: Path, text: str) -> Outcome:
    if os.path.lexists(path):
        return Outcome(path, "kept", "it was there already")
    write_whole(str(path), text.encode())
    return Outcome(path, "written")


def _added(path: Path, text: str) -> Outcome:
    """Put text at a file's end, in its own line ends; a TOML file has to stay one."""
    old = _bytes_of(path)
    end = b"\r\n" if b"\r\n" in old else b"\n"
    gap = b"" if not old else (end if old.endswith(b"\n") else end + end)
    new = old + gap + text.encode().replace(b"\n", end)
    if path.suffix == ".toml" and not _is_toml(new):
        detail = f"its tool table cannot be added to at the end; add by hand: {', '.join(text.splitlines()[1:])}"
        return Outcome(path, "kept", detail)
    write_whole(str(path), new)
    return Outcome(path, "added to")


def _has_table(file: Path) -> bool:
    """Whether a pyproject.toml has a [tool.detcheck], however it is spelled; false when it is no TOML."""
    import tomllib

    try:
        tool = tomllib.loads(_bytes_of(file).decode("utf-8-sig")).get("tool", {})
    except (ValueError, RecursionError):
        return False
    return isinstance(tool, dict) and "detcheck" in tool


def _is_toml(data: bytes) -> bool:
    import tomllib

    try:
        tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return True


def _bytes_of(path: Path) -> bytes:
    from detcheck.runner.settings_file import FILE_LIMIT_BYTES
    from detcheck.scenario.files import read_regular

    return read_regular(Path(shown_path(path)), FILE_LIMIT_BYTES, "a file that this adds to")
