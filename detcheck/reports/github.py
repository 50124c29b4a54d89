"""A run under GitHub Actions: annotations and groups as workflow commands, and the job summary.

A workflow command is a line that begins with `::`, or one that holds `##[` anywhere (the older form, still obeyed). Our
own values go through the escapes that GitHub defines; every other line is made `inert`, so no name can forge a command.
"""

from __future__ import annotations

import posixpath

from detcheck.errors import visible
from detcheck.model.matrix import Matrix
from detcheck.model.run_report import RunReport, ScenarioResult
from detcheck.reports.markdown import render as render_markdown
from detcheck.reports.plain import failure_lines, title

#: GitHub shows ten annotations of a kind a step; the tenth is our "N more"
ANNOTATIONS_SHOWN = 9

#: a job summary step may hold 1 MiB; stay below it, other steps' text is counted apart
SUMMARY_LIMIT_BYTES = 1_000_000

#: characters of one annotation
MESSAGE_LIMIT = 4000

_LEVEL = {"diverged": "error", "error": "error", "inconclusive": "warning"}


def annotation_lines(report: RunReport, folder: str = "") -> list[str]:
    """Workflow commands, at most nine results and one line that says how many more.

    `folder` is the current folder as seen from the repository's root: GitHub finds files from there.
    """
    failed = [r for r in report.results if r.verdict in _LEVEL]
    lines = [_annotation(r, folder) for r in failed[:ANNOTATIONS_SHOWN]]
    more = len(failed) - ANNOTATIONS_SHOWN
    if more > 0:
        message = f"{more} more results are not equal; the job summary and the log list them"
        lines.append(f"::error title=detcheck::{_data(message)}")
    return lines


def matrix_annotation_lines(matrix: Matrix) -> list[str]:
    """What fails a merge, as annotations without a file."""
    shown_failures = matrix.failures[:ANNOTATIONS_SHOWN]
    lines = [f"::error title=detcheck matrix::{_data(visible(f, MESSAGE_LIMIT))}" for f in shown_failures]
    more = len(matrix.failures) - ANNOTATIONS_SHOWN
    if more > 0:
        lines.append(f"::error title=detcheck matrix::{more} more failures; the job summary lists them")
    return lines


def group_start(name: str) -> str:
    """The line that opens a folded group of the log."""
    return f"::group::{_data(visible(name))}"


GROUP_END = "::endgroup::"


def summary(report: RunReport, limit_bytes: int = SUMMARY_LIMIT_BYTES) -> str:
    """The job summary, cut under its size limit."""
    return render_markdown(report, limit_bytes)


def _annotation(result: ScenarioResult, folder: str) -> str:
    file = result.golden_file if result.golden_file and result.verdict == "diverged" else result.scenario_file
    line = result.golden_line if result.verdict == "diverged" else None
    place = posixpath.normpath(posixpath.join(folder, file)) if file else None
    if place is None or "##[" in place:  # a path cannot be shown otherwise than it is
        place = line = None
    properties = {"file": place, "line": line, "title": f"detcheck: {title(result)}"}
    text = ",".join(f"{k}={_property(v)}" for k, v in properties.items() if v)
    message = "\n".join(failure_lines(result, 5))
    return f"::{_LEVEL[result.verdict]} {text}::{_data(message)}"


def _data(text: str) -> str:
    return text[:MESSAGE_LIMIT].replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(visible(value, MESSAGE_LIMIT)).replace(":", "%3A").replace(",", "%2C")
