"""A run under GitHub Actions: annotations and groups as workflow commands, and the job summary.

A workflow command is a line that begins with `::`. Every value goes through the escapes that GitHub defines, and every
other line that we print there begins with a word of our own, so that no name can forge a command.
"""

from __future__ import annotations

from detcheck.errors import visible
from detcheck.model.run_report import RunReport, ScenarioResult
from detcheck.reports.markdown import render as render_markdown
from detcheck.reports.plain import LINE_LIMIT, failure_lines, title

#: GitHub shows ten annotations of a kind a step; the tenth is our "N more"
ANNOTATIONS_SHOWN = 9

#: a job summary step may hold 1 MiB; stay below it, other steps' text is counted apart
SUMMARY_LIMIT_BYTES = 1_000_000

_LEVEL = {"diverged": "error", "error": "error", "inconclusive": "warning"}


def annotation_lines(report: RunReport) -> list[str]:
    """Workflow commands, at most nine results and one line that says how many more."""
    failed = [r for r in report.results if r.verdict in _LEVEL]
    lines = [_annotation(r) for r in failed[:ANNOTATIONS_SHOWN]]
    more = len(failed) - ANNOTATIONS_SHOWN
    if more > 0:
        message = f"{more} more results are not equal; the job summary and the log list them"
        lines.append(f"::error title=detcheck::{_data(message)}")
    return lines


def group(name: str, lines: list[str]) -> list[str]:
    """`lines` folded under a title in the log."""
    return [f"::group::{_data(visible(name))}", *(quoted(visible(line, LINE_LIMIT)) for line in lines), "::endgroup::"]


def quoted(line: str) -> str:
    """A line for the log that cannot be read as a workflow command, whatever it holds (`::x::`, `##[x]`)."""
    return f"| {line}" if line.lstrip().startswith(("::", "##[")) else line


def summary(report: RunReport, limit_bytes: int = SUMMARY_LIMIT_BYTES) -> str:
    """The job summary, cut under its size limit."""
    return render_markdown(report, limit_bytes)


def _annotation(result: ScenarioResult) -> str:
    file = result.golden_file if result.golden_file and result.verdict == "diverged" else result.scenario_file
    line = result.golden_line if result.verdict == "diverged" else None
    properties = {"file": file, "line": line, "title": f"detcheck: {title(result)}"}
    text = ",".join(f"{k}={_property(v)}" for k, v in properties.items() if v)
    message = "\n".join(failure_lines(result, 5))
    return f"::{_LEVEL[result.verdict]} {text}::{_data(message)}"


def _data(text: str) -> str:
    return text[: LINE_LIMIT * 8].replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(visible(value)).replace(":", "%3A").replace(",", "%2C")
