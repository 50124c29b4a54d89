"""A check's result as text: pure functions of the report."""

from __future__ import annotations

from collections.abc import Iterator

from detcheck.numbers import Backend
from detcheck.vectors.answers import Answer
from detcheck.vectors.checking import CheckReport, Difference, EngineReport


def shown_value(backend: Backend, kind: str, value: int) -> str:
    """A raw with what it means: `98304 (1.5)`, `0x3f000000 (0.5)`, an angle in hex, an integer as it is."""
    if kind == "f32":
        from detcheck import numbers

        return f"0x{value:08x} ({numbers.get('float_pinned_32').decimal(value)})"
    if kind == "q16.16":
        return f"{value} ({backend.decimal(value)})"
    return f"0x{value:08x}" if kind == "angle" else str(value)


def shown_answer(backend: Backend, kinds: tuple[str, ...], answer: Answer) -> str:
    """The values of one side, or `trap`."""
    if answer is None:
        return "trap"
    return ", ".join(shown_value(backend, kind, value) for kind, value in zip(kinds, answer, strict=True))


def difference_lines(report: CheckReport, difference: Difference) -> Iterator[str]:
    """Place and operands, then expected (-) and actual (+)."""
    backend, shape = report.backend, difference.shape
    operands = shown_answer(backend, shape.params_on(backend), difference.inputs)
    kinds = shape.results_on(backend)
    yield f"{report.file}:{difference.line}: {shape.name}({operands})"
    yield f"  - {shown_answer(backend, kinds, difference.expected)}"
    yield f"  + {shown_answer(backend, kinds, difference.actual)}"


def engine_lines(report: CheckReport, engine: EngineReport, limit: int) -> Iterator[str]:
    """One engine: a line for the whole, the first `limit` differences, and how many are not shown."""
    verdict = (
        f"{engine.differing:,} of {engine.compared:,} differ" if engine.differing else f"{engine.compared:,} equal"
    )
    left_out = [f"it has no {', '.join(engine.lacking)}"] if engine.lacking else []
    if engine.unasked:
        left_out.append(f"{engine.unasked:,} traps beyond the first were not tried")
    remark = f" ({'; '.join(left_out)})" if left_out else ""
    yield f"{report.file}: {report.backend.id}, {engine.engine}: {verdict}{remark}"
    for difference in engine.differences[:limit]:
        yield from difference_lines(report, difference)
    hidden = engine.differing - min(limit, len(engine.differences))
    if hidden:
        yield f"  and {hidden:,} more"


def report_lines(report: CheckReport, limit: int = 20) -> Iterator[str]:
    """The whole report. File names are as given: make them visible before a terminal sees them."""
    for engine in report.engines:
        yield from engine_lines(report, engine, limit)
