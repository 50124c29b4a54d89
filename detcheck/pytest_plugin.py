"""A pytest plugin, off unless `--detcheck` is given: every scenario and backend collects as one item.

The items come from the scenarios folder of the settings (`[tool.detcheck]`, else `scenarios` in the current folder),
whatever else pytest was asked to collect. A red item shows the same short text as the other reports.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from detcheck.model.run_report import ScenarioResult
    from detcheck.runner.work import Work


class NotEqual(Exception):
    """A replay that is not equal to its golden; carries the result for the failure text."""

    def __init__(self, result: ScenarioResult) -> None:
        super().__init__(result.reason)
        self.result = result


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--detcheck` and which scenarios it takes."""
    group = parser.getgroup("detcheck", "determinism checks")
    group.addoption("--detcheck", action="store_true", help="collect detcheck scenarios as test items")
    group.addoption(
        "--detcheck-scenario", action="append", metavar="NAME", help="only this scenario, glob or file; repeatable"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Add the scenarios folder to what is collected, once, when asked."""
    if not config.getoption("--detcheck"):
        return
    config.addinivalue_line("markers", "detcheck: a replay compared with its golden")
    folder = _folder()
    if folder.is_dir() and not any(Path(arg.split("::")[0]).absolute() == folder for arg in config.args):
        config.args.append(str(folder))


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The scenarios folder is one collector of our own."""
    if parent.config.getoption("--detcheck") and path.absolute() == _folder():
        collector: pytest.Collector = ScenarioFolder.from_parent(parent, path=path)
        return collector
    return None


def _folder() -> Path:
    from detcheck.runner.settings import resolve

    return Path(resolve({})["scenarios"].value or "scenarios").absolute()


class ScenarioFolder(pytest.Directory):
    """All selected scenarios of the folder."""

    def collect(self) -> Iterable[pytest.Item]:
        """One item a scenario and backend; a file that cannot be loaded is an item that fails."""
        from detcheck.errors import DetcheckError
        from detcheck.runner.selection import select
        from detcheck.runner.settings import resolve
        from detcheck.runner.whole import broken_results, works_of

        settings = resolve({})
        backends = [b for b in (settings["backends"].value or "").split(",") if b]
        names = self.config.getoption("--detcheck-scenario") or []
        try:
            selection = select(names, settings["scenarios"].value or "", settings["golden"].value, backends)
        except DetcheckError as error:
            raise self.CollectError(str(error)) from None
        for result in broken_results(selection):
            yield ReplayItem.from_parent(self, name=result.scenario, work=None, broken=result)
        for work in works_of(selection, settings["executor"].value or "auto"):
            yield ReplayItem.from_parent(self, name=f"{work.name}[{work.backend}]", work=work, broken=None)


class ReplayItem(pytest.Item):
    """One replay."""

    def __init__(self, *, work: Work | None, broken: ScenarioResult | None, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.work = work
        self.broken = broken
        self.add_marker("detcheck")

    def runtest(self) -> None:
        """Replay and compare."""
        from detcheck.runner.run import run_work

        if self.work is None:
            assert self.broken is not None
            raise NotEqual(self.broken)
        result = run_work(self.work, lambda: False).result
        if result.verdict != "equal":
            raise NotEqual(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The short failure text, without a traceback of ours."""
        if isinstance(excinfo.value, NotEqual):
            return "\n".join(_lines(excinfo.value.result))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the item comes from, for the headings."""
        source = self.work.scenario_file if self.work else self.broken.scenario_file if self.broken else ""
        return Path(source), None, f"detcheck: {self.name}"


def _lines(result: ScenarioResult) -> Iterator[str]:
    from detcheck.reports.plain import failure_lines

    yield from failure_lines(result)
