"""What a command adds under GitHub Actions: annotations on the goldens' lines, folded groups and the job summary.

Whatever else is printed there goes through `without_commands`: no name from a file can speak to the runner.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detcheck.cli.console import Output
    from detcheck.model.matrix import Matrix
    from detcheck.model.run_report import RunReport, ScenarioResult

#: room a cut summary needs for its heading and the sentence that says it was cut
_LEAST_SUMMARY_BYTES = 1000


def in_actions(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this process runs in a GitHub Actions job."""
    return environment.get("GITHUB_ACTIONS") == "true"


def without_commands(text: str) -> str:
    """`text` with every line that a GitHub runner would take for a command made into plain text."""
    if "::" not in text and "##[" not in text:
        return text
    from detcheck.reports.plain import inert

    return "".join(inert(line) for line in text.splitlines(keepends=True))


def json_without_commands(document: str) -> str:
    """The same JSON, written so that no line of it holds a command (a `##[` can only stand inside a string)."""
    return document.replace("##[", "#\\u0023[")


@contextmanager
def folded(output: Output, result: ScenarioResult) -> Iterator[None]:
    """A result's details as a group that the log folds; outside Actions they stand as they are."""
    if not in_actions():
        yield
        return
    from detcheck.reports.github import GROUP_END, group_start
    from detcheck.reports.plain import title

    output.out.write(group_start(title(result)) + "\n")
    yield
    output.out.write(GROUP_END + "\n")


def annotate(output: Output, report: RunReport) -> None:
    """Print a run's annotations and append it to the job summary."""
    from detcheck.reports.github import annotation_lines, summary

    output.out.write("".join(line + "\n" for line in annotation_lines(report, _in_repository)))
    _summarize(output, lambda room: summary(report, room))


def annotate_matrix(output: Output, matrix: Matrix) -> None:
    """Print what fails a merge as annotations and append the support list to the job summary."""
    from detcheck.reports.github import matrix_annotation_lines
    from detcheck.reports.matrix_markdown import render

    output.out.write("".join(line + "\n" for line in matrix_annotation_lines(matrix)))
    _summarize(output, lambda room: render(matrix, room))


def _in_repository(file: str) -> str | None:
    """A file of this run as seen from the checked-out repository's root; None when it lies elsewhere."""
    root = os.environ.get("GITHUB_WORKSPACE")
    if not root:
        return os.path.normpath(file).replace(os.sep, "/")
    try:
        place = os.path.relpath(os.path.realpath(file), os.path.realpath(root)).replace(os.sep, "/")
    except ValueError:  # another drive
        return None
    return None if place.split("/")[0] == ".." else place


def _summarize(output: Output, render: Callable[[int], str]) -> None:
    """Append to the job summary what fits; one that cannot be written is a warning, never a failure."""
    from detcheck.reports.github import SUMMARY_LIMIT_BYTES

    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    try:
        room = SUMMARY_LIMIT_BYTES - (os.path.getsize(path) if os.path.exists(path) else 0)
        if room < _LEAST_SUMMARY_BYTES:
            output.note("the job summary is full; nothing was added to it")
            return
        with open(path, "a", encoding="utf-8", newline="\n") as file:
            file.write(render(room))
    except OSError as error:
        output.note(f"the job summary cannot be written: {error.strerror}")
