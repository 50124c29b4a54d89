"""`run --artifacts DIR`: what a person needs to work on a red result somewhere else.

DIR gets the run's JSON report and, for each result that is not equal, a folder `<scenario>-<backend>` that is a small
project of its own: `scenarios/` and `golden/` with what was replayed, `actual.jsonl.gz` with the states around the
first divergence or before a trap, and `replay.txt` with the commands, for the repository and for that folder. Folder
names are made of the scenario's checked name and the backend's id, never of other text from files.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from detcheck.dumps.atomic import AtomicFile
from detcheck.errors import DetcheckError, Where, visible
from detcheck.golden.golden import golden_path, states_path
from detcheck.model.run_report import RunReport, ScenarioResult
from detcheck.runner.artifact_dump import Dumped, dump_states, ticks_in_words
from detcheck.runner.files import shown_path, write_whole
from detcheck.runner.outputs import require_name
from detcheck.runner.paste import Paste
from detcheck.runner.work import Work

REPORT, REPLAY, DUMP = "report.json", "replay.txt", "actual.jsonl.gz"

#: everything that stands in a result's folder
_OURS = ("scenarios", "golden", DUMP, REPLAY)

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


def require_folder(folder: str) -> None:
    """Say before a long replay that nothing could be left there after it. Raises DetcheckError; leaves nothing."""
    require_name("--artifacts", folder)
    path = Path(folder)
    nearest = next(p for p in (path, *path.absolute().parents) if p.exists())
    where = Where(visible(shown_path(nearest)))
    if not nearest.is_dir():
        raise DetcheckError("artifacts.folder", "is not a folder: --artifacts cannot be left there", where)
    try:
        AtomicFile(nearest / REPORT).discard()
    except DetcheckError as fault:
        raise DetcheckError("artifacts.folder", f"--artifacts: the folder {fault.message}", where) from None


def leave(folder: str, report: RunReport, works: Iterable[Work]) -> list[str]:
    """Write the artifacts of every result that is not equal, and nothing else stays of a run before.

    Gives the files written. Raises DetcheckError.
    """
    from detcheck.reports import run_json

    failed = [r for r in report.results if r.verdict != "equal"]
    root = Path(folder)
    cleared = _clear(root)
    if not failed and not (cleared and (root / REPORT).is_file()):
        return []
    written = [_text(root / REPORT, run_json.render(report))]
    by_key = {(w.scenario_file, w.backend): w for w in works}
    used: dict[str, int] = {}
    for result in failed:
        if not _NAME.fullmatch(result.scenario):
            continue
        work = by_key.get((result.scenario_file, result.backend))
        name = result.scenario if work is None else f"{result.scenario}-{result.backend}"
        used[name] = used.get(name, 0) + 1
        home = root / (name if used[name] == 1 else f"{name}-{used[name]}")  # scenarios of one name in two projects
        _require_free(home)
        written.extend(_of_broken(home, result) if work is None else _of_replay(home, result, work))
    return written


def _clear(root: Path) -> bool:
    """Take away what an earlier run left, and say whether it did: its folders are known by their replay.txt.

    Raises DetcheckError where one of them holds what no run puts there, or cannot be removed.
    """
    try:
        inside = sorted(root.iterdir()) if root.is_dir() else []
        ours = [h for h in inside if not h.is_symlink() and _NAME.fullmatch(h.name) and (h / REPLAY).is_file()]
        for home in ours:
            _remove_ours(home)
        return bool(ours)
    except OSError as error:
        where = Where(visible(shown_path(error.filename or root)))
        raise DetcheckError("artifacts.write", f"cannot be replaced: {error.strerror or error}", where) from None


def _require_free(home: Path) -> None:
    if os.path.lexists(home):
        where = Where(visible(shown_path(home)))
        message = "is there already and is nothing that a run left: --artifacts adds nothing to it"
        raise DetcheckError("artifacts.strange", message, where, "name another folder")


def _remove_ours(home: Path) -> None:
    strange = next((e for e in sorted(home.iterdir()) if e.name not in _OURS or e.is_symlink()), None)
    if strange is not None:
        hint = "move it away, or name another folder: --artifacts leaves results of one run only"
        message = "stands among the artifacts of an earlier run, which are to be replaced"
        raise DetcheckError("artifacts.strange", message, Where(visible(shown_path(strange))), hint)
    shutil.rmtree(home)


def _of_broken(home: Path, result: ScenarioResult) -> Iterator[str]:
    """A file that is no scenario: itself, and what is wrong with it."""
    yield from _copies((Path(result.scenario_file), home / "scenarios" / f"{result.scenario}.toml"))
    yield _text(home / REPLAY, "\n".join(_failure(result)) + "\n")


def _of_replay(home: Path, result: ScenarioResult, work: Work) -> Iterator[str]:
    """A replay: the little project, the states, the commands."""
    scenario, golden = Path(work.scenario_file), Path(work.golden_file)
    inputs = work.load().inputs_path
    copy = golden_path(home / "golden", work.name, work.backend)
    yield from _copies(
        (scenario, home / "scenarios" / f"{work.name}.toml"),
        (inputs, home / "scenarios" / (inputs.name if inputs else "")),
        (golden, copy),
        (states_path(golden), states_path(copy)),
    )
    dumped = dump_states(home / DUMP, result, work)
    if dumped.ticks:
        yield shown_path(home / DUMP)
    lines = [*_failure(replace(result, reproduce=None)), "", *_commands(result, work, dumped)]
    yield _text(home / REPLAY, "\n".join(lines) + "\n")


def _failure(result: ScenarioResult) -> list[str]:
    from detcheck.reports.plain import failure_lines

    return failure_lines(result, limit=200)


def _commands(result: ScenarioResult, work: Work, dumped: Dumped) -> list[str]:
    """What to type, where; the folder's own commands name its files whatever settings lie around it."""
    pairs = zip(work.paste.flags[::2], work.paste.flags[1::2], strict=True)
    kept = [word for pair in pairs if pair[0] not in ("--scenarios", "--golden") for word in pair]
    here = Paste(work.name, work.backend, ("--scenarios", "scenarios", "--golden", "golden", *kept))
    more = ("--repeat", str(work.repeat)) if work.repeat > 1 else ()
    more = (*more, "--cross-check") if work.cross_check else more
    there = result.reproduce or work.paste.run(*more)
    lines = ["In the repository:", f"  {there}", "In this folder:", f"  {here.run(*more)}"]
    if not dumped.ticks:
        return [*lines, *([dumped.remark] if dumped.remark else [])]
    good = here.dump(dumped.ticks[0], dumped.ticks[-1], "good.jsonl.gz", here=False)
    return [
        *lines,
        "",
        f"{DUMP} holds the actual states of ticks {ticks_in_words(dumped.ticks)}{dumped.remark}.",
        "To compare them, in this folder on a machine where the replay is equal:",
        f"  {good}",
        f"  detcheck diff good.jsonl.gz {DUMP}",
    ]


def _copies(*pairs: tuple[Path | None, Path]) -> Iterator[str]:
    """Copy what is a regular file."""
    for source, target in pairs:
        if source is not None and source.is_file():
            yield _copy(source, target)


def _copy(source: Path, target: Path) -> str:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    except OSError as error:
        where = Where(visible(shown_path(target)))
        raise DetcheckError("artifacts.write", f"cannot be written: {error.strerror or error}", where) from None
    return shown_path(target)


def _text(path: Path, text: str) -> str:
    write_whole(str(path), text.encode("utf-8"))
    return shown_path(path)
