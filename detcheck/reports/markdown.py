"""A run as Markdown: for a job summary, a pull request comment, a file.

Cells and code spans hold names from files: pipes, backticks, angle brackets and line ends in them cannot break a table,
open markup or end a fence.
"""

from __future__ import annotations

import re

from detcheck.errors import visible
from detcheck.model.run_report import RunReport, ScenarioResult
from detcheck.reports.plain import failure_lines, headline, interval, title

_MARK = {"equal": "✅", "diverged": "❌", "inconclusive": "⚠️", "error": "🛑"}

#: failures shown in full before the text says how many were cut
DETAILS_SHOWN = 50


def render(report: RunReport, limit_bytes: int | None = None) -> str:
    """The report; with `limit_bytes` it is cut at a block and ends with a sentence that says so."""
    blocks = [_heading(report), _table(report)]
    failed = [r for r in report.results if r.verdict != "equal"]
    blocks.extend(_detail(r) for r in failed[:DETAILS_SHOWN])
    if len(failed) > DETAILS_SHOWN:
        blocks.append(
            f"... and {len(failed) - DETAILS_SHOWN} more that are not equal: see the console or the JSON report.\n"
        )
    return fit(blocks, limit_bytes)


#: characters that could open markup, a mention or a link, as the entities that show them
_ENTITIES = str.maketrans({c: f"&#{ord(c)};" for c in "&<>|`*_[]\\~#@!$"})


#: where GitHub begins a link or a mention without any markup, entities notwithstanding; an empty comment there parts it
_AUTOLINK = re.compile(r":(?=//)|\b(?:mailto|xmpp):|\bwww\.|&#64;", re.IGNORECASE)

#: inside a word an underscore is never markup, and names stay readable in the raw file
_INNER_UNDERSCORE = re.compile(r"(?<=[0-9A-Za-z])&#95;(?=[0-9A-Za-z])")


def cell(text: object, limit: int = 200) -> str:
    """Text for a table cell or a heading: no character of it is markup, and no address in it becomes a link."""
    return _AUTOLINK.sub(_without_link, _INNER_UNDERSCORE.sub("_", visible(text, limit).translate(_ENTITIES)))


def _without_link(match: re.Match[str]) -> str:
    return f"{match.group()}<!-- -->"


def fence(lines: list[str]) -> str:
    """Lines as a code block whose fence is longer than any run of backticks inside."""
    longest = run = 0
    for char in "\n".join(lines):
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    bars = "`" * max(3, longest + 1)
    return "\n".join([f"{bars}text", *lines, bars])


def _heading(report: RunReport) -> str:
    equal = sum(r.verdict == "equal" for r in report.results)
    total = len(report.results)
    mark = _MARK["equal"] if equal == total else _MARK["diverged"]
    where = ", ".join(cell(v) for k, v in report.platform.items() if k in ("os", "arch"))
    title_line = f"## {mark} detcheck: {equal} of {total} replays equal their goldens"
    return f"{title_line}\n\ndetcheck {cell(report.detcheck)} on {where}\n"


def _table(report: RunReport) -> str:
    lines = ["| scenario | backend | verdict | checkpoints | where |", "| --- | --- | --- | --- | --- |"]
    for r in report.results:
        place = interval(r) or ""
        counts = f"{r.equal_checkpoints}/{r.checkpoints}"
        mark = _MARK.get(r.verdict, "")
        lines.append(f"| {cell(r.scenario)} | {cell(r.backend)} | {mark} {r.verdict} | {counts} | {cell(place)} |")
    return "\n".join(lines) + "\n"


def _detail(result: ScenarioResult) -> str:
    name = cell(title(result))
    return f"### {name}\n\n{cell(headline(result))}\n\n{fence(failure_lines(result)[1:] or [headline(result)])}\n"


#: a table, or a heading and a list: blocks of which any first lines are whole
_LINE_WISE = re.compile(r"\| |### .*\n\n- ")


def fit(blocks: list[str], limit_bytes: int | None) -> str:
    """Blocks as one text; over `limit_bytes` cut at a block, a table or list at a line, and a sentence says so."""
    text = "\n".join(blocks)
    if limit_bytes is None or len(text.encode()) <= limit_bytes:
        return text
    cut = "This summary was cut to fit its size limit; the console and the JSON report hold everything.\n"
    room = limit_bytes - len(cut.encode()) - 1
    kept: list[str] = []
    for block in blocks:
        size = len(block.encode()) + 1
        if size > room:
            lines = _whole_lines(block, room) if _LINE_WISE.match(block) else ""
            kept.extend([lines] if lines else [])
            break
        kept.append(block)
        room -= size
    return "\n".join([*kept, cut])


def _whole_lines(block: str, room: int) -> str:
    """As many lines of a table or list as fit."""
    out = ""
    for line in block.splitlines(keepends=True):
        if len((out + line).encode()) > room - 1:
            break
        out += line
    return out
