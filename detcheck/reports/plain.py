"""One result as a few plain lines: the failure text that JUnit, Markdown, annotations and the pytest plugin share.

Pure functions of the model. Every name that came from a file is made visible, so no line holds a control character.
"""

from __future__ import annotations

from detcheck.errors import visible
from detcheck.model.comparison import Comparison, Finding
from detcheck.model.run_report import ScenarioResult

#: findings shown in a short text before it says how many were cut
FINDINGS_SHOWN = 10

#: remarks and reasons can quote a file: enough for a sentence with a path, never a page
LINE_LIMIT = 500


def title(result: ScenarioResult) -> str:
    """`skirmish [fixed_point_16_16]`: how a result is called everywhere."""
    return f"{visible(result.scenario)} [{visible(result.backend)}]"


def headline(result: ScenarioResult) -> str:
    """One line: verdict and reason."""
    reason = visible(result.reason, LINE_LIMIT)
    return f"{result.verdict}: {reason}" if reason else result.verdict


def interval(result: ScenarioResult) -> str | None:
    """Where the divergence lies: an exact tick when it is known, else the interval (last equal, first divergent]."""
    if result.first_divergent_tick is not None:
        return f"first divergent tick {result.first_divergent_tick}"
    if result.first_divergent_checkpoint is None:
        return None
    last = "start" if result.last_equal_tick is None else str(result.last_equal_tick)
    return f"diverged in ticks ({last}, {result.first_divergent_checkpoint}]"


def finding_line(finding: Finding) -> str:
    """`- unit[3].pos.x: expected 98304, actual 98305 (1 ulp)`: one finding on one line."""
    distance = ""
    if finding.delta_ulps is not None:
        distance = f" ({finding.delta_ulps} ulp{'' if abs(finding.delta_ulps) == 1 else 's'})"
    a, b = visible(finding.a.text), visible(finding.b.text)
    return f"{visible(finding.path)}: expected {a}, actual {b}{distance}"


def finding_lines(comparison: Comparison | None, limit: int = FINDINGS_SHOWN) -> list[str]:
    """The first findings, one a line, and what was cut."""
    if comparison is None:
        return []
    lines = [finding_line(f) for f in comparison.findings[:limit]]
    cut = len(comparison.findings) - limit
    if cut > 0:
        lines.append(f"... and {cut} more")
    return lines


def failure_lines(result: ScenarioResult, limit: int = FINDINGS_SHOWN) -> list[str]:
    """Everything a short report says of a result that is not equal."""
    lines = [headline(result)]
    place = interval(result)
    if place:
        lines.append(place)
    if result.parts:
        lines.append("parts: " + ", ".join(visible(name) for name, _, _ in result.parts))
    lines.extend(finding_lines(result.comparison, limit))
    lines.extend(visible(r, LINE_LIMIT) for r in result.remarks)
    if result.hint:
        lines.append(visible(result.hint, LINE_LIMIT))
    if result.reproduce:
        lines.append(f"reproduce: {visible(result.reproduce, LINE_LIMIT)}")
    return lines
