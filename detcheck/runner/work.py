"""One replay to do, as a value that can be sent to another process, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from detcheck.model.run_report import Canary, ScenarioResult
from detcheck.runner.paste import Paste

if TYPE_CHECKING:
    from detcheck.scenario.scenario import Scenario


@dataclass(frozen=True)
class Work:
    """A scenario on a backend. `scenario` is None where the file is to be loaded by whoever does the work.

    golden_file   where its golden is, as shown to people
    expected      a dump that may hold the expected states (`--expected`)
    repeat        how often the replay is done; each has to agree with the first (`--repeat`)
    """

    name: str
    scenario_file: str
    scenario: Scenario | None
    backend: str
    golden_file: str
    executor: str
    paste: Paste
    cross_check: bool = False
    expected: str | None = None
    repeat: int = 1

    def load(self) -> Scenario:
        """The scenario. Raises DetcheckError."""
        if self.scenario is not None:
            return self.scenario
        from detcheck.scenario.load import load

        return load(Path(self.scenario_file))


@dataclass(frozen=True)
class Outcome:
    """A result, the canaries that were run for it, and the traceback of a bug."""

    result: ScenarioResult
    canaries: tuple[Canary, ...] = ()
    traceback: str | None = None
