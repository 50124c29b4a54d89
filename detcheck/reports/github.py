"""A run under GitHub Actions: annotations and groups as workflow commands, and the job summary.

A workflow command is a line that begins with `::`, or one that holds `##[` anywhere (the older form, still obeyed). Our
own values go through the escapes that GitHub defines; every other line is made `inert`, so no name can forge a command.
"""

from __future__ import annotations

from collections.abc import Callable

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

#: a file of a result -> the same from the repository's root
Place = Callable[[str], str | None]

_LEVEL = {"diverged": "error", "error": "error", "inconclusive": "warning"}


def annotation_lines(report: RunReport, place: Place = str) -> list[str]:
    """Workflow commands, at most nine results and one line that says how many more.

    `place` gives a file as seen from the repository's root, from where GitHub finds it, or None when it lies elsewhere.
    """
    failed = [r for r in report.results if r.verdict in _LEVEL]
    lines = [_annotation(r, place) for r in failed[:ANNOTATIONS_SHOWN]]
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


def _annotation(result: ScenarioResult, place: Place) -> str:
    file, line = _target(result)
    shown = place(file) if file else None
    if shown is None or "##[" in shown:  # a path cannot be shown otherwise than it is
        shown = line = None
    properties = {"file": shown, "line": line, "title": f"detcheck: {title(result)}"}
    text = ",".join(f"{k}={_property(v)}" for k, v in properties.items() if v)
    message = "\n".join(failure_lines(result, 5))
    return f"::{_LEVEL[result.verdict]} {text}::{_data(message)}"


def _target(result: ScenarioResult) -> tuple[str, int | None]:
    """Where a result is to be looked at: the fault's own place, the golden's unlike line, else the scenario."""
    if result.verdict == "error" and result.fault_file:
        return result.fault_file, result.fault_line
    if result.golden_file and (result.verdict == "diverged" or result.golden_line is not None):
        return result.golden_file, result.golden_line
    return result.scenario_file, None


def _data(text: str) -> str:
    return text[:MESSAGE_LIMIT].replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(visible(value, MESSAGE_LIMIT)).replace(":", "%3A").replace(",", "%2C")
