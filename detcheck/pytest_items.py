"""What `pytest --detcheck` collects: each scenario file, in it one item a backend, as `scenarios/duel.toml::BACKEND`.

The files are those of the settings' scenarios folder (`[tool.detcheck]`, else `scenarios` in the current folder),
beside whatever else pytest was asked to collect; paths inside that folder on the command line narrow them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from detcheck.errors import DetcheckError

if TYPE_CHECKING:
    from detcheck.model.run_report import ScenarioResult
    from detcheck.runner.selection import Selection
    from detcheck.runner.work import Work


def install(config: pytest.Config) -> None:
    """Select scenarios and add them to what is collected. Raises UsageError for what `detcheck run` would refuse."""
    from detcheck.runner.paste import flags_of
    from detcheck.runner.selection import select
    from detcheck.runner.settings import resolve

    try:
        settings = resolve({})
        folder = settings["scenarios"].value or ""
        backends = [b.strip() for b in (settings["backends"].value or "").split(",") if b.strip()]
        names = config.getoption("--detcheck-scenario") or []
        selection = select(names, folder, settings["golden"].value, backends)
    except DetcheckError as error:
        raise pytest.UsageError(f"--detcheck: {error}") from None
    config.addinivalue_line("markers", "detcheck: a replay compared with its golden")
    if not any(_is_inside(argument, Path(folder)) for argument in config.args):
        config.args.extend(_arguments(s.file.path for s in selection.scenarios))
    config.pluginmanager.register(
        Collects(selection, settings["executor"].value or "auto", flags_of(settings)), "detcheck-items"
    )


def _is_inside(argument: str, folder: Path) -> bool:
    path, home = (os.path.realpath(p) for p in (argument.partition("::")[0], folder))
    return path == home or path.startswith(home + os.sep)


def _arguments(paths: Iterable[Path]) -> Iterator[str]:
    """Each file by name, so that no ignored folder hides it; where a name would be read as `::` or `[`, its folder."""
    given: dict[str, None] = {}
    for path in paths:
        text = os.path.relpath(path)
        given[os.path.dirname(text) or "." if "::" in text or "[" in text else text] = None
    yield from given


class Collects:
    """The hook that turns selected files into items; everything else in the folder is left alone."""

    def __init__(self, selection: Selection, executor: str, flags: Sequence[str] = ()) -> None:
        from detcheck.runner.whole import broken_results, works_of

        self.works: dict[str, list[Work]] = {}
        self.broken: dict[str, ScenarioResult] = {}
        for pair, work in zip(selection.pairs, works_of(selection, executor, flags), strict=True):
            self.works.setdefault(os.path.realpath(pair.selected.file.path), []).append(work)
        faulty = [s for s in selection.broken if s.fault is not None]
        for selected, result in zip(faulty, broken_results(selection), strict=True):
            self.broken[os.path.realpath(selected.file.path)] = result

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """A selected file as a collector."""
        path = os.path.realpath(file_path)
        if path not in self.works and path not in self.broken:
            return None
        collector: ScenarioItems = ScenarioItems.from_parent(parent, path=file_path)
        collector.works, collector.broken = self.works.get(path, []), self.broken.get(path)
        return collector


class ScenarioItems(pytest.File):
    """One scenario file: an item a backend; a file that is no scenario is one item that fails."""

    works: list[Work]
    broken: ScenarioResult | None

    def collect(self) -> Iterable[pytest.Item]:
        """The items."""
        if self.broken is not None:
            yield BrokenItem.from_parent(self, name="load", result=self.broken)
        for work in self.works:
            yield ReplayItem.from_parent(self, name=work.backend, work=work)


class BrokenItem(pytest.Item):
    """A file that cannot be loaded."""

    def __init__(self, *, result: ScenarioResult, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.result = result
        self.add_marker("detcheck")

    def runtest(self) -> None:
        """Always fails, with the faults of the file."""
        _fail(self.result)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The heading of a failure."""
        return self.path, None, f"detcheck {self.result.scenario}"


class ReplayItem(pytest.Item):
    """One replay."""

    def __init__(self, *, work: Work, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.work = work
        self.add_marker("detcheck")

    def runtest(self) -> None:
        """Replay and compare; anything but equal fails."""
        from detcheck.runner.run import run_work

        result = run_work(self.work, lambda: False).result
        if result.verdict != "equal":
            _fail(result)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The heading of a failure."""
        return self.path, None, f"detcheck {self.work.name} [{self.work.backend}]"


def _fail(result: ScenarioResult) -> None:
    from detcheck.reports.plain import failure_lines

    pytest.fail("\n".join(failure_lines(result)), pytrace=False)
