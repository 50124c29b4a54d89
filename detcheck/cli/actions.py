"""What a run adds under GitHub Actions: annotations on the goldens' lines, and the job summary."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detcheck.cli.console import Output
    from detcheck.model.run_report import RunReport, ScenarioResult


def in_actions() -> bool:
    """Whether this process runs in a GitHub Actions job."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


@contextmanager
def folded(output: Output, result: ScenarioResult) -> Iterator[None]:
    """A result's details as a group that the log folds; outside Actions they stand as they are."""
    if not in_actions():
        yield
        return
    from detcheck.reports.plain import title

    output.out.write(f"::group::{title(result)}\n")
    yield
    output.out.write("::endgroup::\n")


def annotate(output: Output, report: RunReport) -> None:
    """Print the annotations and append to the job summary; a summary that cannot be written is a warning."""
    from detcheck.reports.github import annotation_lines

    output.out.write("".join(line + "\n" for line in annotation_lines(report)))
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        try:
            _append_summary(path, report)
        except OSError as error:
            output.note(f"the job summary cannot be written: {error.strerror}")


def _append_summary(path: str, report: RunReport) -> None:
    from detcheck.reports.github import SUMMARY_LIMIT_BYTES, summary

    used = os.path.getsize(path) if os.path.exists(path) else 0
    room = SUMMARY_LIMIT_BYTES - used
    if room < 1000:  # the step's other commands filled it: a summary over the limit is dropped as a whole
        return
    with open(path, "a", encoding="utf-8", newline="\n") as file:
        file.write(summary(report, room))
