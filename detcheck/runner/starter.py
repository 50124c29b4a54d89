"""What `detcheck init` writes: a first scenario, the settings table, a workflow. Nothing existing is overwritten.

Each file is one entry of FILES; `pyproject.toml` is the one that may be added to, at its end, when it has no table yet.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from detcheck.errors import DetcheckError, Where, visible
from detcheck.runner.files import shown_path, write_whole

SCENARIO_NAME = "first"

SCENARIO = '''\
# A first scenario. Change it, then: detcheck run first   (and, when the change is meant: detcheck regen first)
# The manual: detcheck explain scenarios, detcheck explain language
[scenario]
summary    = "Twelve runners chase a flag in a walled arena and lose stamina on every roll"
backends   = ["fixed_point_16_16", "float_pinned_32"]
rng        = "mt19937"
seed       = 2026
ticks      = 240
tick_rate  = 60
hash_every = 20

[config]
arena = 30
drag  = 0.97

[world]
flag  = "vec2"
catch = "i32"

[tables.runner]
rows    = 12
pos     = "vec2"
vel     = "vec2"
facing  = "angle"
stamina = "i32"

[players]
rows = 1
push = "vec2"

[[inputs]]
tick   = 40
hold   = 80
player = 0
push   = [1.5, -0.7]

[setup]
world = """
flag = vec2(3.3, -7.1)
"""
runner = """
pos     = vec2(num(roll(-25, 25)), num(roll(-25, 25)))
stamina = 100
"""

[[systems]]
name = "chase"
each = "runner"
where = "stamina > 0"
do = """
to     = world.flag - pos
vel    = (vel + normalize(to) * dt + players[0].push * 0.01) * drag
pos    = clamp(pos + vel, vec2(-arena, -arena), vec2(arena, arena))
facing = heading(vel)
stamina -= roll(0, 1)
"""

[[systems]]
name = "score"
do = """
catch = count(runner.stamina > 50)
flag += vec2(cos(turn(0.01) * tick), sin(turn(0.01) * tick)) * 0.3
"""
'''

SETTINGS = """\
[tool.detcheck]
scenarios = "scenarios"
golden = "golden"
"""

WORKFLOW = """\
name: detcheck

on: [push, pull_request]

permissions:
  contents: read

jobs:
  replay:
    strategy:
      fail-fast: false
      matrix:
        os: [ubuntu-latest, macos-latest, windows-latest]
    runs-on: ${{ matrix.os }}
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: actions/setup-python@a26af69be951a213d495a4c3e4e4022e16d87065 # v5.6.0
        with:
          python-version: "3.12"
      - run: python -m pip install detcheck
      - run: detcheck run --json report.json --artifacts desync
      - if: always()
        uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        with:
          name: detcheck-${{ matrix.os }}
          path: |
            report.json
            desync/
          if-no-files-found: ignore
"""

ATTRIBUTES = "golden/** text eol=lf\nscenarios/** text eol=lf\n*.jsonl.gz binary\n"


@dataclass(frozen=True)
class StarterFile:
    """`appended`: when the file is there already, the text is added at its end unless `marker` stands in it."""

    path: str
    text: str
    appended: bool = False
    marker: str = ""


FILES = (
    StarterFile(f"scenarios/{SCENARIO_NAME}.toml", SCENARIO),
    StarterFile("pyproject.toml", SETTINGS, appended=True, marker="tool.detcheck"),
    StarterFile(".gitattributes", ATTRIBUTES, appended=True, marker="golden/"),
    StarterFile(".github/workflows/detcheck.yml", WORKFLOW),
)


@dataclass(frozen=True)
class Outcome:
    """What became of one file. `done`: written, added to, kept."""

    path: str
    done: str
    detail: str = ""


def write_starter(folder: Path) -> list[Outcome]:
    """Write what is not there below `folder`. Raises DetcheckError (a file where a folder is needed, no permission)."""
    if not folder.is_dir():
        raise DetcheckError("init.folder", "is not a folder", Where(visible(shown_path(folder))), "make it first")
    return [_write(folder, file) for file in FILES]


def record_first(folder: Path) -> list[Outcome]:
    """Record the goldens of the first scenario that are not there yet. Raises DetcheckError."""
    from detcheck.runner.regen import FIRST_REASON, confirmed, planned, write
    from detcheck.runner.selection import select
    from detcheck.runner.whole import works_of

    scenarios, golden = _folders(folder)
    scenario = scenarios / f"{SCENARIO_NAME}.toml"
    selection = select([_argument(scenario)], str(scenarios), None if golden is None else str(golden))
    for broken in selection.broken:
        if broken.fault is not None:
            raise broken.fault
    works = works_of(selection, "auto")
    missing = [work for work in works if not os.path.lexists(work.golden_file)]
    kept = [Outcome(w.golden_file, "kept", "it was there already") for w in works if w not in missing]
    for plan in confirmed(list(planned(missing, 1, False))):
        if plan.fault is not None:
            raise DetcheckError("init.not_recorded", f"{plan.work.name} cannot be recorded: {plan.fault}")
        write(plan, FIRST_REASON)
    return [*kept, *(Outcome(work.golden_file, "recorded") for work in missing)]


def _argument(path: Path) -> str:
    text = str(path)
    return text if "/" in text else f"./{text}"


def _folders(folder: Path) -> tuple[Path, Path | None]:
    """The scenarios and golden folders a run below `folder` would use, whatever the settings there say."""
    from detcheck.runner.settings import resolve

    settings = resolve({}, {}, folder.resolve())
    scenarios, golden = settings["scenarios"], settings["golden"]
    named = scenarios.origin != "default" and scenarios.value is not None
    return (
        Path(scenarios.value or "") if named else folder / "scenarios",
        None if golden.value is None else Path(golden.value),
    )


def _write(folder: Path, file: StarterFile) -> Outcome:
    path = _folders(folder)[0] / Path(file.path).name if file.path.startswith("scenarios/") else folder / file.path
    if not os.path.lexists(path):
        _make_folders(path.parent)
        write_whole(str(path), file.text.encode())
        return Outcome(file.path, "written")
    if not file.appended:
        return Outcome(file.path, "kept", "it was there already")
    return _append(path, file)


def _append(path: Path, file: StarterFile) -> Outcome:
    where = Where(visible(shown_path(path)))
    try:
        old = path.read_bytes()
    except OSError as error:
        raise DetcheckError("init.unreadable", f"cannot be read: {error.strerror}", where) from None
    if file.marker.encode() in old:
        return Outcome(file.path, "kept", f"it speaks of {file.marker} already")
    end = b"\r\n" if b"\r\n" in old else b"\n"
    gap = b"" if not old else (end if old.endswith(b"\n") else end + end)
    new = old + gap + file.text.encode().replace(b"\n", end)
    if path.suffix == ".toml" and not _is_toml(new):
        return Outcome(file.path, "kept", f"it is not TOML that can be added to; add by hand: {SETTINGS.splitlines()}")
    write_whole(str(path), new)
    return Outcome(file.path, "added to")


def _is_toml(data: bytes) -> bool:
    import tomllib

    try:
        tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return True


def _make_folders(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        where = Where(visible(shown_path(folder)))
        raise DetcheckError("init.folder", f"cannot be made: {error.strerror}", where) from None
