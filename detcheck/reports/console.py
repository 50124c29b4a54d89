"""A run for people: one line a replay, the details of each that is not equal, one line that sums up.

Pure functions of the model and of the width they may use; what they give are rich texts, names in them are data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from rich.text import Text

from detcheck.errors import visible
from detcheck.model.run_report import RunReport, ScenarioResult
from detcheck.reports.flow import flowed
from detcheck.reports.strip import LEGEND, fitted

STYLES = {"equal": "green", "diverged": "red", "inconclusive": "yellow", "error": "red"}

#: parts shown before it says how many were cut
PARTS_SHOWN = 20
#: findings shown before it says how many were cut
FINDINGS_SHOWN = 20
#: a strip shorter than this is not worth its place, unless it is all there is
_LEAST_STRIP = 8
#: characters of a digest
_DIGEST = 16
_GAP = "  "


@dataclass(frozen=True)
class Layout:
    """Column widths of a run's lines, known before the first result; `strip` is 0 where there is no room for one."""

    scenario: int
    backend: int
    strip: int
    width: int


def layout(pairs: Iterable[tuple[str, str]], width: int, longest_strip: int = 1 << 30) -> Layout:
    """The widths for replays of (scenario, backend) on lines of `width`; strips take what is left, if it is enough."""
    listed = list(pairs)
    scenario = max((len(visible(s)) for s, _ in listed), default=0)
    backend = max((len(visible(b)) for _, b in listed), default=0)
    verdict = len("diverged at 1234567")
    left = width - scenario - backend - verdict - 3 * len(_GAP)
    strip = min(longest_strip, left)
    return Layout(scenario, backend, strip if strip >= min(longest_strip, _LEAST_STRIP) else 0, width)


def result_line(result: ScenarioResult, widths: Layout, verbose: bool = False) -> Text:
    """`skirmish  fixed_point_16_16  ....xx  diverged at 240`; what the width does not hold goes on in a line below."""
    pieces = [
        Text(visible(result.scenario).ljust(widths.scenario)),
        Text(visible(result.backend).ljust(widths.backend)),
    ]
    if widths.strip:
        pieces.append(_strip(fitted(result.strip, widths.strip), widths.strip))
    pieces.append(Text(verdict_words(result), style=STYLES.get(result.verdict, "")))
    if verbose:
        more = [result.actual[-1].state_hash] if result.actual else []
        pieces += [Text(piece) for piece in (*more, result.executor, f"{result.seconds:.3f} s")]
    return _joined(pieces, widths.width)


def _strip(strip: str, size: int) -> Text:
    """The strip in its column, each run of one character coloured as a whole."""
    text = Text()
    for character, run in groupby(strip):
        text.append("".join(run), style="red" if character == "x" else "dim")
    return text.append(" " * (size - len(strip)))


def _joined(pieces: Sequence[Text], width: int) -> Text:
    """The pieces with gaps between them; one that would pass the width begins a further line. None is broken."""
    text, used = Text(), 0
    for piece in pieces:
        size = len(piece.plain.rstrip())
        if used and used + len(_GAP) + size > width:
            text.rstrip()
            text.append("\n")
            used = 0
        gap = _GAP if text.plain else ""
        text.append(gap).append_text(piece)
        used += len(gap) + len(piece)
    text.rstrip()
    return text


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
        lines += _where(result, sentences)
        lines += _parts(result, width, None if verbose else PARTS_SHOWN)
        lines += _state(result, width, verbose, sentences)
        lines += _operation(result, width, sentences)
    lines += [line for remark in result.remarks for text in remark.splitlines() for line in sentences(f"note: {text}")]
    if result.hint:
        hints = [line for text in result.hint.splitlines() for line in sentences(text)]
        lines += [Text(line.plain, style="cyan") for line in hints]
    if result.reproduce:
        lines.append(Text("  reproduce: ").append(visible(result.reproduce, 2000), style="bold"))
    return lines


def _sentence(text: str, width: int) -> list[Text]:
    """A line of words, indented; further lines of it more. What is indented already is a source line or a caret."""
    if not width or text.startswith("    "):
        return [Text("  " + text)]
    indent = _GAP + " " * (len(text) - len(text.lstrip()))
    return [Text(line) for line in flowed(text, width, _GAP, indent + _GAP)]


def remark_lines(result: ScenarioResult) -> list[str]:
    """Remarks of an equal result: nobody asked, but they qualify it."""
    return [f"{_who(result)}: {remark}" for remark in result.remarks]


def _who(result: ScenarioResult) -> str:
    """`skirmish on fixed_point_16_16`; a file that is no scenario has no backend."""
    return f"{visible(result.scenario)} on {visible(result.backend)}" if result.backend else visible(result.scenario)


def _where(result: ScenarioResult, sentences: Callable[[str], list[Text]]) -> list[Text]:
    lines: list[Text] = []
    file = visible(result.golden_file or "")
    if file and file not in result.reason:
        lines.append(Text(f"  {file}:{result.golden_line}" if result.golden_line else f"  {file}"))
    if result.first_divergent_tick is not None:
        lines.append(Text(f"  first divergent tick: {result.first_divergent_tick}"))
    elif result.first_divergent_checkpoint is not None and result.last_equal_tick is not None and not result.damaged:
        first, last = result.first_divergent_checkpoint, result.last_equal_tick
        lines += sentences(f"equal up to tick {last}; the first divergent tick is in ({last}, {first}]")
    return lines


def _parts(result: ScenarioResult, width: int, limit: int | None) -> list[Text]:
    if not result.parts:
        return []
    shown = result.parts if limit is None else result.parts[:limit]
    name_width = max(4, *(len(visible(name)) for name, _, _ in shown))
    beside = len(_GAP) + name_width + 2 * (len(_GAP) + _DIGEST) <= width
    lines = [Text(f"  {'part'.ljust(name_width)}  {'expected':{_DIGEST}}  actual", style="bold")] if beside else []
    for name, expected, actual in shown:
        a, b = Text(f"{visible(expected):{_DIGEST}}", style="red"), Text(visible(actual), style="green")
        if beside:
            lines.append(Text(f"  {visible(name).ljust(name_width)}  ").append_text(a).append(_GAP).append_text(b))
        else:
            lines += [
                Text(f"  {visible(name)}"),
                Text("    - expected  ", "red") + a,
                Text("    + actual    ", "green") + b,
            ]
    cut = len(result.parts) - len(shown)
    if cut:
        lines.append(Text(f"  first {len(shown)} of {len(result.parts)} differing parts; -v shows all"))
    return lines


def _state(result: ScenarioResult, width: int, verbose: bool, sentences: Callable[[str], list[Text]]) -> list[Text]:
    if result.comparison is None:
        return []
    from detcheck.reports.findings_table import findings_lines
    from detcheck.reports.values import without_repeats

    tick = result.comparison.first_divergent_tick
    lines = [Text("")]
    source = f"expected: {result.expected_from}, actual: this run"
    head = sentences(f"first divergent state{'' if tick is None else f', tick {tick}'} ({source})")
    lines += [Text(line.plain, style="bold") for line in head]
    findings, total = without_repeats(result.comparison)
    limit = None if verbose else FINDINGS_SHOWN
    table = findings_lines(findings, ("expected", "actual"), width - 2, limit, total)
    lines += [Text("  ").append_text(line) for line in table]
    words = [f"likely cause: {visible(c.name)}: {visible(c.evidence, 500)}" for c in result.comparison.causes]
    words += [visible(note, 500) for note in result.comparison.notes]
    return lines + [line for text in words for line in sentences(text)]


def _operation(result: ScenarioResult, width: int, sentences: Callable[[str], list[Text]]) -> list[Text]:
    if result.operation is None:
        return []
    from detcheck.reports.operation import how
    from detcheck.reports.operation_console import operation_lines

    lines = operation_lines(result.operation, width - 2)
    return [Text(""), *(Text("  ").append_text(line) for line in lines), *sentences(how(result.operation))]


def legend(results: Sequence[ScenarioResult]) -> Text | None:
    """What the strip's characters mean, where there is something to see."""
    return Text(LEGEND, style="dim", no_wrap=False) if any("x" in r.strip for r in results) else None


def summary(report: RunReport) -> Text:
    """One line: the verdict of the whole, what was compared, how long it took."""
    counts = report.summary
    scenarios = {r.scenario for r in report.results}
    backends = {r.backend for r in report.results if r.backend}
    order = ("diverged", "error", "inconclusive", "equal")
    words = [plural(counts[v], v) if v == "error" else f"{counts[v]:,} {v}" for v in order if counts.get(v)]
    equal = report.exit_code == 0
    text = Text("equal" if equal else ", ".join(words) or "nothing compared", style="green" if equal else "red")
    text.no_wrap = False
    on = f" on {plural(len(backends), 'backend')}" if backends else ""
    done = ", ".join(_done(report))
    text.append(f": {plural(len(scenarios), 'scenario')}{on}, {done} in {report.seconds:.2f} s", style="default")
    return text


def _done(report: RunReport) -> list[str]:
    """What was replayed and what of it could be compared; a golden that keeps a replay from beginning counts none."""
    replays = [r for r in report.results if r.backend]
    done = sum(1 for r in replays if r.actual)
    if not done:
        return ["nothing replayed"]
    words = plural(done, "replay") + (f" ({len(replays) - done} not done)" if done < len(replays) else "")
    checkpoints = report.summary.get("checkpoints", 0)
    if not checkpoints:
        return [words, "nothing compared"]
    ticks = plural(report.summary.get("ticks", 0), "tick")
    return [words, f"{plural(checkpoints, 'checkpoint')} and {ticks} compared"]


def plural(count: int, word: str) -> str:
    """`1 tick`, `1,204 ticks`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
