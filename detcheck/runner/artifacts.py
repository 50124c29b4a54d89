"""`run --artifacts DIR`: what a person needs to work on a red result somewhere else.

DIR gets the run's JSON report and, for each result that is not equal, a folder `<scenario>-<backend>` that is a small
project of its own: `scenarios/` and `golden/` with what was replayed, `actual.jsonl.gz` with the states around the
first divergence or before a trap, and `replay.txt` with the commands, for the repository and for that folder. Folder
names are made of the scenario's checked name and the backend's id, never of other text from files.
"""

from __future__ import annotations

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
    """Write the artifacts of every result that is not equal; gives the files written. Raises DetcheckError."""
    from detcheck.reports import run_json

    failed = [r for r in report.results if r.verdict != "equal"]
    if not failed:
        return []
    root = Path(folder)
    written = [_text(root / REPORT, run_json.render(report))]
    by_key = {(w.name, w.backend): w for w in works}
    for result in failed:
        if not _NAME.fullmatch(result.scenario):
            continue
        work = by_key.get((result.scenario, result.backend))
        if work is None:
            written.extend(_of_broken(root / result.scenario, result))
        else:
            written.extend(_of_replay(root / f"{result.scenario}-{result.backend}", result, work))
    return written


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
    lines = ["In the repository:", f"  {result.reproduce or work.paste.run()}", "In this folder:", f"  {here.run()}"]
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
        raise DetcheckError("artifacts.write", f"cannot be written: {error.strerror}", where) from None
    return shown_path(target)


def _text(path: Path, text: str) -> str:
    write_whole(str(path), text.encode("utf-8"))
    return shown_path(path)
