"""A run as JUnit XML: one test case a scenario and backend, only the elements every common reader knows.

diverged is a `failure`, error and inconclusive are an `error` (nothing was shown to be wrong, nothing was checked).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from detcheck.model.run_report import RunReport, ScenarioResult
from detcheck.reports.plain import failure_lines, headline, shown, title

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ELEMENT = {"diverged": "failure", "error": "error", "inconclusive": "error"}


def render(report: RunReport) -> str:
    """The whole document as text (declare UTF-8 when writing it). Control characters in names are already escaped."""
    from xml.etree import ElementTree as ET

    suite = ET.Element("testsuite", _counts(report) | {"name": "detcheck"})
    properties = ET.SubElement(suite, "properties")
    for key, value in {"detcheck": report.detcheck, **report.platform}.items():
        ET.SubElement(properties, "property", {"name": key, "value": _text(value)})
    for result in report.results:
        _case(suite, result)
    counts = _counts(report)
    del counts["skipped"]  # the common schemas know it on a suite only
    root = ET.Element("testsuites", counts)
    root.append(suite)
    ET.indent(root)
    body: str = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _counts(report: RunReport) -> dict[str, str]:
    kinds = [_ELEMENT.get(r.verdict) for r in report.results]
    return {
        "tests": str(len(kinds)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": "0",
        "time": f"{report.seconds:.3f}",
    }


def _case(suite: Element, result: ScenarioResult) -> None:
    from xml.etree import ElementTree as ET

    case = ET.SubElement(
        suite,
        "testcase",
        {
            "classname": _text(f"detcheck.{shown(result.backend) or 'scenario'}"),
            "name": _text(title(result)),
            "time": f"{result.seconds:.3f}",
        },
    )
    element = _ELEMENT.get(result.verdict)
    if element is not None:
        child = ET.SubElement(case, element, {"type": result.verdict, "message": _text(headline(result))})
        child.text = "\n".join(_text(line) for line in failure_lines(result))


def _text(value: object) -> str:
    """`value` without what XML 1.0 forbids: surrogates, non-characters and control characters become escapes."""
    return "".join(c if _allowed(ord(c)) else f"\\u{ord(c):04x}" for c in str(value))


def _allowed(code: int) -> bool:
    return code in (0x9, 0xA, 0xD) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF
