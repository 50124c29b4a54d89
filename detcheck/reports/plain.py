"""One result as a few plain lines: the failure text that JUnit, Markdown, annotations and the pytest plugin share.

Pure functions of the model. Every name that came from a file is made visible, so no line holds a control character,
and no line is a workflow command of a CI runner, whoever prints it.
"""

from __future__ import annotations

import re

from detcheck.errors import visible
from detcheck.model.comparison import Comparison, Finding
from detcheck.model.run_report import ScenarioResult
from detcheck.reports import operation
from detcheck.reports.values import distance_text, without_repeats

#: findings shown in a short text before it says how many were cut
FINDINGS_SHOWN = 10
PARTS_SHOWN = 20
#: lines of a reason that has several (every fault of a file)
LINES_SHOWN = 40

#: remarks and reasons can quote a file: enough for a sentence with a path, never a page
LINE_LIMIT = 500

#: an operation's place, three operands and two results
OPERATION_LIMIT = 1500

#: a command that is cut cannot be pasted
REPRODUCE_LIMIT = 4000

_COMMAND = re.compile(r"(?:\s|\x1b\[[0-9;]*m)*::")


def shown(text: object, limit: int = 200) -> str:
    """Text from a file for one line: visible, and without the `##[` that GitHub runners obey anywhere in a line."""
    return visible(text, limit).replace("##[", "##\\[")


def inert(line: str) -> str:
    """A line of a log that no GitHub runner takes for a command: `::x::` counts at its start, `##[x]` anywhere.

    Colours before it do not count, whether or not a runner sees them.
    """
    line = line.replace("##[", "##\\[")
    return f"| {line}" if _COMMAND.match(line) else line


def title(result: ScenarioResult) -> str:
    """`skirmish [fixed_point_16_16]`: how a result is called everywhere. A file that is no scenario has no backend."""
    return f"{shown(result.scenario)} [{shown(result.backend)}]" if result.backend else shown(result.scenario)


def headline(result: ScenarioResult) -> str:
    """One line: the verdict and the reason's first line."""
    reason = result.reason.splitlines()
    return f"{result.verdict}: {shown(reason[0], LINE_LIMIT)}" if reason else result.verdict


def interval(result: ScenarioResult) -> str | None:
    """Where the divergence lies: an exact tick when it is known, else the interval (last equal, first divergent]."""
    if result.first_divergent_tick is not None:
        return f"first divergent tick {result.first_divergent_tick}"
    if result.first_divergent_checkpoint is None or result.damaged:
        return None
    last = "start" if result.last_equal_tick is None else str(result.last_equal_tick)
    return f"diverged in ticks ({last}, {result.first_divergent_checkpoint}]"


def finding_line(finding: Finding) -> str:
    """`- unit[3].pos.x: expected 98304, actual 98305 (1 raw)`: one finding on one line."""
    apart = distance_text(finding)
    a, b = shown(finding.a.text), shown(finding.b.text)
    return f"{shown(finding.path)}: expected {a}, actual {b}" + (f" ({apart})" if apart else "")


def finding_lines(comparison: Comparison | None, limit: int = FINDINGS_SHOWN) -> list[str]:
    """The first findings, one a line, and what was cut."""
    if comparison is None:
        return []
    findings, total = without_repeats(comparison)
    lines = [finding_line(f) for f in findings[:limit]]
    cut = total - len(lines)
    if cut > 0:
        lines.append(f"... and {cut:,} more")
    return lines


def failure_lines(result: ScenarioResult, limit: int = FINDINGS_SHOWN) -> list[str]:
    """Everything a short report says of a result that is not equal."""
    lines = [headline(result), *_lines_of(*result.reason.splitlines()[1:])]
    place = interval(result)
    if place:
        lines.append(place)
    if result.parts:
        lines.append(_parts_line(result))
    lines.extend(finding_lines(result.comparison, limit))
    if result.comparison is not None:
        lines.extend(
            f"likely cause: {visible(c.name)}: {visible(c.evidence, LINE_LIMIT)}" for c in result.comparison.causes
        )
    if result.operation is not None:
        lines += [shown(operation.line(result.operation), OPERATION_LIMIT), operation.how(result.operation)]
    lines.extend(_lines_of(*result.remarks, result.hint or ""))
    if result.reproduce:
        lines.append(f"reproduce: {visible(result.reproduce, REPRODUCE_LIMIT)}")
    return [inert(line) for line in lines]


def _parts_line(result: ScenarioResult) -> str:
    names = [visible(name) for name, _, _ in result.parts]
    cut = f" and {len(names) - PARTS_SHOWN} more" if len(names) > PARTS_SHOWN else ""
    return f"parts that differ: {', '.join(names[:PARTS_SHOWN])}{cut}"


def _lines_of(*texts: str) -> list[str]:
    """The lines of these texts, the first LINES_SHOWN of them."""
    lines = [visible(line, LINE_LIMIT) for text in texts for line in text.splitlines()]
    cut = len(lines) - LINES_SHOWN
    return lines if cut <= 0 else [*lines[:LINES_SHOWN], f"... and {cut} more lines"]
