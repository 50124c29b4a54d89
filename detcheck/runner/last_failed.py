"""`--last-failed`: what was not equal the last time, remembered in the user's cache folder, never in the project.

It is a convenience: a cache that cannot be read or written is as good as none, and says nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from detcheck.errors import DetcheckError
from detcheck.hashing import digest64
from detcheck.model.run_report import ScenarioResult
from detcheck.runner.files import write_whole

_FORMAT = 1
_SIZE_LIMIT_BYTES = 4 * 1024 * 1024

Replay = tuple[str, str]


def cache_file(scenarios: Path, environment: Mapping[str, str] | None = None) -> Path:
    """Where the memory of a scenarios folder is kept."""
    env = os.environ if environment is None else environment
    base = next((Path(env[v]) for v in ("XDG_CACHE_HOME", "LOCALAPPDATA") if env.get(v)), None)
    folder = (base or Path(os.path.expanduser("~"), ".cache")) / "detcheck"
    key = digest64(os.path.realpath(scenarios).encode("utf-8", "surrogateescape"))
    return folder / f"last-failed-{key}.json"


def read_failed(file: Path) -> tuple[Replay, ...]:
    """(scenario, backend) of what failed last time; empty when nothing did or nothing is known."""
    try:
        with file.open("rb") as stream:
            data = json.loads(stream.read(_SIZE_LIMIT_BYTES))
        if data["version"] != _FORMAT:
            return ()
        return tuple((str(scenario), str(backend)) for scenario, backend in data["failed"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ()


def remember(file: Path, results: Iterable[ScenarioResult]) -> None:
    """Add what was not equal, take out what was, leave what was not run."""
    results = list(results)
    ran = {(r.scenario, r.backend) for r in results}
    failed = [(r.scenario, r.backend) for r in results if r.verdict != "equal"]
    if all(r.verdict == "equal" for r in results) and not file.exists():
        return
    kept = [replay for replay in read_failed(file) if replay not in ran]
    text = json.dumps({"version": _FORMAT, "failed": [*kept, *failed]})
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(str(file), text.encode())
    except (OSError, DetcheckError):
        return
