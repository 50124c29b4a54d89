"""Reports of a run beside the console: `--json`, `--junit`, `--markdown`, several at once, `-` is standard output.

Another report is one line in the table.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from detcheck.cli.actions import in_actions, json_without_commands
from detcheck.errors import DetcheckError

#: option -> (room of its `render(report) -> str`, what it writes)
REPORTS: dict[str, tuple[str, str]] = {
    "json": ("detcheck.reports.run_json", "a JSON report"),
    "junit": ("detcheck.reports.junit", "a JUnit XML report"),
    "markdown": ("detcheck.reports.markdown", "a Markdown report"),
}

#: the same for the support list of `matrix`
MATRIX_REPORTS: dict[str, tuple[str, str]] = {
    "json": ("detcheck.reports.matrix_json", "the support list as JSON"),
    "markdown": ("detcheck.reports.matrix_markdown", "the support list as Markdown"),
}


class Reports:
    """The reports asked for. Checks before a long replay that each can be written after it. Raises DetcheckError."""

    def __init__(self, targets: Mapping[str, str], table: Mapping[str, tuple[str, str]] = REPORTS) -> None:
        from detcheck.runner.outputs import require_output

        self.table = table
        self.targets = dict(targets)
        on_stdout = [name for name, target in self.targets.items() if target == "-"]
        if len(on_stdout) > 1:
            names = " and ".join(f"--{name}" for name in on_stdout)
            raise DetcheckError("reports.two_on_stdout", f"{names} cannot both be on standard output; give one a file")
        self.own_stdout = bool(on_stdout)
        seen: dict[str, str] = {}
        for name, target in self._files():
            require_output(f"--{name}", target)
            real = os.path.realpath(target)
            if real in seen:
                raise DetcheckError("reports.same_file", f"--{seen[real]} and --{name} name one file")
            seen[real] = name

    def keep_apart(self, inputs: Iterable[Path | str], golden: Iterable[Path] = ()) -> None:
        """Refuse a report that would replace what the command reads. Raises DetcheckError."""
        from detcheck.runner.outputs import require_apart

        inputs, golden = tuple(inputs), tuple(golden)
        for name, target in self._files():
            require_apart(f"--{name}", target, inputs, golden)

    def _files(self) -> list[tuple[str, str]]:
        return [(name, target) for name, target in self.targets.items() if target != "-"]

    def write(self, report: Any) -> None:
        """Write them all; what cannot be written keeps no other from it. Raises the first fault after the last."""
        faults: list[DetcheckError | OSError] = []
        for name, target in self.targets.items():
            try:
                self._write(name, target, report)
            except (DetcheckError, OSError) as fault:
                faults.append(fault)
        if faults:
            raise faults[0]

    def _write(self, name: str, target: str, report: Any) -> None:
        from detcheck.runner.files import write_whole

        render: Callable[[Any], str] = import_module(self.table[name][0]).render
        text = render(report)
        if target != "-":
            write_whole(target, text.encode("utf-8"))
            return
        text = json_without_commands(text) if name == "json" and in_actions() else text
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))  # whatever the console's encoding: the report says UTF-8
        sys.stdout.flush()
