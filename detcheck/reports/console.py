"""A run for people: one line a replay, the details of each that is not equal, one line that sums up.

Pure functions of the model and of the width they may use; what they give are rich texts, names in them are data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from rich.text import Text

from detcheck.errors import visible
from detcheck.model.run_report import RunReport, ScenarioResult
from detcheck.reports.strip import LEGEND, fitted

STYLES = {"equal": "green", "diverged": "red", "inconclusive": "yellow", "error": "red"}

#: parts shown before it says how many were cut
PARTS_SHOWN = 20
#: findings shown before it says how many were cut
FINDINGS_SHOWN = 20
_GAP = "  "


@dataclass(frozen=True)
class Layout:
    """Column widths of a run's lines, known before the first result."""

    scenario: int
    backend: int
    strip: int


def layout(pairs: Iterable[tuple[str, str]], width: int, longest_strip: int = 1 << 30) -> Layout:
    """The widths for replays of (scenario, backend) on lines of `width`; strips take what is left.

    Where names alone nearly fill the line they are not padded: the strip is worth more than the column.
    """
    listed = list(pairs)
    scenario = max((len(visible(s)) for s, _ in listed), default=0)
    backend = max((len(visible(b)) for _, b in listed), default=0)
    verdict = len("diverged at 1234567")
    left = width - scenario - backend - verdict - 3 * len(_GAP)
    if left < 8:
        return Layout(0, 0, max(8, min(longest_strip, width - backend - scenario - len("diverged") - 6)))
    return Layout(scenario, backend, min(longest_strip, left))


def result_line(result: ScenarioResult, widths: Layout, verbose: bool = False) -> Text:
    """`skirmish  fixed_point_16_16  ....xx  diverged at 240`."""
    strip = fitted(result.strip, widths.strip)
    line = Text(visible(result.scenario).ljust(widths.scenario) + _GAP)
    line.append(visible(result.backend).ljust(widths.backend) + _GAP)
    for character in strip:
        line.append(character, style="red" if character == "x" else "dim")
    line.append(" " * max(0, widths.strip - len(strip)) + _GAP if widths.scenario or strip else "")
    line.append(verdict_words(result), style=STYLES.get(result.verdict, ""))
    if verbose:
        last = f"{_GAP}{result.actual[-1].state_hash}" if result.actual else ""
        line.append(f"{last}{_GAP}{result.executor}{_GAP}{result.seconds:.3f} s")
    return line


def verdict_words(result: ScenarioResult) -> str:
    """The verdict, with the checkpoint of a divergence."""
    if result.verdict == "diverged" and result.first_divergent_checkpoint is not None:
        return f"diverged at {result.first_divergent_checkpoint}"
    return result.verdict


def details(result: ScenarioResult, width: int, verbose: bool = False, wrap: bool = False) -> list[Text]:
    """Everything known of a result that is not equal, ending with the line that reproduces it.

    With `wrap` sentences are broken at words where the line would end; commands and source lines never are.
    """
    sentences = partial(_sentence, width=width if wrap else 0)
    head = Text("\n")
    head.append(f"{_who(result)}: {result.verdict}", style="bold")
    lines = [head]
    lines += [line for text in result.reason.splitlines() for line in sentences(text)]
    if result.verdict != "inconclusive":
        lines += _where(result)
        lines += _parts(result, width, None if verbose else PARTS_SHOWN)
        lines += _state(result, width, verbose)
        lines += _operation(result, width, sentences)
    lines += [line for remark in result.remarks for text in remark.splitlines() for line in sentences(f"note: {text}")]
    if result.hint:
        lines += [Text("  " + line, style="cyan") for line in result.hint.splitlines()]
    if result.reproduce:
        lines.append(Text("  reproduce: ").append(visible(result.reproduce, 2000), style="bold"))
    return lines


def _sentence(text: str, width: int) -> list[Text]:
    """A line of words, indented; further lines of it more. What is indented already is a source line or a caret."""
    if not width or text.startswith("    "):
        return [Text("  " + text)]
    from textwrap import wrap

    indent = "  " + " " * (len(text) - len(text.lstrip()))
    lines = wrap(
        text,
        max(20, width),
        initial_indent="  ",
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )
    return [Text(line) for line in lines]


def remark_lines(result: ScenarioResult) -> list[str]:
    """Remarks of an equal result: nobody asked, but they qualify it."""
    return [f"{_who(result)}: {remark}" for remark in result.remarks]


def _who(result: ScenarioResult) -> str:
    """`skirmish on fixed_point_16_16`; a file that is no scenario has no backend."""
    return f"{visible(result.scenario)} on {visible(result.backend)}" if result.backend else visible(result.scenario)


def _where(result: ScenarioResult) -> list[Text]:
    lines = []
    file = visible(result.golden_file or "")
    if file and file not in result.reason:
        lines.append(Text(f"  {file}:{result.golden_line}" if result.golden_line else f"  {file}"))
    if result.first_divergent_tick is not None:
        lines.append(Text(f"  first divergent tick: {result.first_divergent_tick}"))
    elif result.first_divergent_checkpoint is not None and result.last_equal_tick is not None:
        first, last = result.first_divergent_checkpoint, result.last_equal_tick
        lines.append(Text(f"  equal up to tick {last}; the first divergent tick is in ({last}, {first}]"))
    return lines


def _parts(result: ScenarioResult, width: int, limit: int | None) -> list[Text]:
    if not result.parts:
        return []
    shown = result.parts if limit is None else result.parts[:limit]
    name_width = max(4, *(len(visible(name)) for name, _, _ in shown))
    lines = [Text(f"  {'part'.ljust(name_width)}  {'expected':16}  actual", style="bold")]
    for name, expected, actual in shown:
        line = Text(f"  {visible(name).ljust(name_width)}  ")
        line.append(f"{visible(expected):16}", style="red").append("  ").append(visible(actual), style="green")
        lines.append(line)
    cut = len(result.parts) - len(shown)
    if cut:
        lines.append(Text(f"  first {len(shown)} of {len(result.parts)} differing parts; -v shows all"))
    return lines


def _state(result: ScenarioResult, width: int, verbose: bool) -> list[Text]:
    if result.comparison is None:
        return []
    from detcheck.reports.findings_table import findings_table

    tick = result.comparison.first_divergent_tick
    lines = [Text("")]
    source = f"expected: {result.expected_from}, actual: this run"
    lines.append(Text(f"  first divergent state{'' if tick is None else f', tick {tick}'} ({source})", style="bold"))
    table = findings_table(result.comparison, ("expected", "actual"), None if verbose else FINDINGS_SHOWN, width - 2)
    lines += [Text("  ").append_text(line) for line in table]
    for cause in result.comparison.causes:
        lines.append(Text(f"  likely cause: {visible(cause.name)}: {visible(cause.evidence, 500)}"))
    lines += [Text(f"  {visible(note, 500)}") for note in result.comparison.notes]
    return lines


def _operation(result: ScenarioResult, width: int, sentences: Callable[[str], list[Text]]) -> list[Text]:
    if result.operation is None:
        return []
    from detcheck.reports.operation import how
    from detcheck.reports.operation_console import operation_lines

    lines = operation_lines(result.operation, width - 2)
    return [Text(""), *(Text("  ").append_text(line) for line in lines), *sentences(how(result.operation))]


def legend(results: Sequence[ScenarioResult]) -> Text | None:
    """What the strip's characters mean, where there is something to see."""
    return Text(LEGEND, style="dim") if any("x" in r.strip for r in results) else None


def summary(report: RunReport) -> Text:
    """One line: the verdict of the whole, what was compared, how long it took."""
    counts = report.summary
    scenarios = {r.scenario for r in report.results}
    backends = {r.backend for r in report.results if r.backend}
    order = ("diverged", "error", "inconclusive", "equal")
    words = [f"{counts[v]} {v}" for v in order if counts.get(v)]
    equal = report.exit_code == 0
    text = Text("equal" if equal else ", ".join(words) or "nothing compared", style="green" if equal else "red")
    replays = plural(len(report.results), "replay")
    checkpoints = plural(counts.get("checkpoints", 0), "checkpoint")
    ticks = plural(counts.get("ticks", 0), "tick")
    text.append(
        f": {plural(len(scenarios), 'scenario')} on {plural(len(backends), 'backend')}, {replays}", style="default"
    )
    text.append(f", {checkpoints} and {ticks} compared in {report.seconds:.2f} s", style="default")
    return text


def plural(count: int, word: str) -> str:
    """`1 tick`, `1,204 ticks`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
