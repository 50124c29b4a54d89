"""`run --artifacts DIR`: what a person needs to work on a red result somewhere else.

For each result that is not equal a folder `<scenario>-<backend>`: the golden, the scenario file, the command that
replays it, and for a divergence a dump of the actual states around it. The run's JSON report stands beside them.
Folder names are made of the scenario's checked name and the backend's id, never of other text from files.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from detcheck.errors import DetcheckError, Where, visible
from detcheck.model.run_report import RunReport, ScenarioResult
from detcheck.runner.files import shown_path, write_whole
from detcheck.runner.work import Work

#: uncompressed size a dump of one result is kept under, by leaving out the ticks farthest from the divergence
DUMP_LIMIT_BYTES = 32 * 1024 * 1024

#: ticks shown before an exactly known first divergent tick, and after it
BEFORE, AFTER = 4, 2

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


def require_folder(folder: str) -> None:
    """Say before a long replay that nothing could be left there after it. Raises DetcheckError."""
    path = Path(folder)
    nearest = next(p for p in (path, *path.absolute().parents) if p.exists())
    if not nearest.is_dir():
        raise DetcheckError("artifacts.folder", "is not a folder", Where(visible(shown_path(nearest))))


def leave(folder: str, report: RunReport, works: Iterable[Work]) -> list[str]:
    """Write the artifacts of every result that is not equal; gives the files written. Raises DetcheckError."""
    from detcheck.reports import run_json

    failed = [r for r in report.results if r.verdict != "equal"]
    if not failed:
        return []
    root = Path(folder)
    _make(root)
    written = [_text(root / "report.json", run_json.render(report))]
    by_key = {(w.name, w.backend): w for w in works}
    for result in failed:
        work = by_key.get((result.scenario, result.backend))
        if work is not None and _NAME.fullmatch(result.scenario):
            written.extend(_of_result(root / f"{result.scenario}-{result.backend}", result, work))
    return written


def _of_result(folder: Path, result: ScenarioResult, work: Work) -> Iterator[str]:
    _make(folder)
    for source, name in ((work.golden_file, "golden.txt"), (work.scenario_file, "scenario.toml")):
        if Path(source).is_file():
            yield _copy(Path(source), folder / name)
    yield _text(folder / "replay.txt", _replay_text(result))
    if result.verdict == "diverged" and result.first_divergent_checkpoint is not None:
        yield _dump(folder / "actual.jsonl.gz", result, work)


def _replay_text(result: ScenarioResult) -> str:
    from detcheck.reports.plain import failure_lines

    return "\n".join(failure_lines(result, limit=200)) + "\n"


def window(result: ScenarioResult, tick_bytes: int, ticks: int) -> tuple[int, int]:
    """The ticks to dump, both included, within the size limit and always with the first divergent checkpoint."""
    room = max(1, DUMP_LIMIT_BYTES // max(1, tick_bytes))
    exact, unlike = result.first_divergent_tick, result.first_divergent_checkpoint
    assert unlike is not None
    if exact is not None:
        first, last = exact - BEFORE, exact + AFTER
    else:
        first, last = result.last_equal_tick or 0, unlike + AFTER
    last = min(ticks, max(unlike, last) if last - first < room else unlike)
    return max(0, first, last - room + 1), last


def _dump(target: Path, result: ScenarioResult, work: Work) -> str:
    from detcheck.dumps.write import DumpHead, DumpWriter
    from detcheck.engine.executors import make_executor
    from detcheck.numbers import get
    from detcheck.runner.dumping import write_states
    from detcheck.scenario.compile import compile_scenario

    scenario = work.load()
    compiled = compile_scenario(scenario, work.backend)
    executor = make_executor(result.executor, compiled)
    cells = sum(table.rows * len(c.lane_names) for table in executor.tables for c in table.columns)
    first, last = window(result, cells * 8 + 12_000, scenario.ticks)
    head = DumpHead(result.identity, get(work.backend).number, executor.tables)
    write_states(executor, iter(range(first, last + 1)), DumpWriter(target, head), lambda tick: None)
    return shown_path(target)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        where = Where(visible(shown_path(folder)))
        raise DetcheckError("artifacts.folder", f"cannot be made: {error.strerror}", where) from None


def _text(path: Path, text: str) -> str:
    write_whole(str(path), text.encode("utf-8"))
    return shown_path(path)


def _copy(source: Path, target: Path) -> str:
    try:
        shutil.copyfile(source, target)
    except OSError as error:
        where = Where(visible(shown_path(target)))
        raise DetcheckError("artifacts.write", f"cannot be written: {error.strerror}", where) from None
    return shown_path(target)
