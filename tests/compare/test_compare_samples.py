"""Every sample pair gets its verdict and tick, says what has to be said and blames nothing that must not be blamed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from detcheck.compare.api import diff
from detcheck.reports.diff_json import render

SAMPLES = Path(__file__).parent.parent / "data" / "dumps"
FOLDERS = sorted(folder.name for folder in SAMPLES.iterdir() if (folder / "expected.json").exists())


def _sides(folder: Path) -> tuple[Path, Path]:
    a = next(p for p in sorted(folder.iterdir()) if p.name == "a" or p.name.startswith("a."))
    b = next(p for p in sorted(folder.iterdir()) if p.name == "b" or p.name.startswith("b."))
    return a, b


def _report(name: str, swapped: bool) -> tuple[dict, dict]:
    folder = SAMPLES / name
    a, b = _sides(folder)
    report = json.loads(render(diff(b, a) if swapped else diff(a, b)))
    return report, json.loads((folder / "expected.json").read_text(encoding="utf-8"))


def _texts(report: dict) -> list[str]:
    """What a group's words may occur together in: a finding, a note, the verdict."""
    findings = [json.dumps(finding) for finding in report["findings"]]
    return [*findings, *report["notes"], f"{report['verdict']} {report['reason']}"]


both_orders = pytest.mark.parametrize("swapped", [False, True], ids=["a-b", "b-a"])
every_sample = pytest.mark.parametrize("name", FOLDERS)


@every_sample
@both_orders
def test_verdict_and_tick(name: str, swapped: bool) -> None:
    """Verdict, first divergent tick and exit are exact, whichever side comes first."""
    report, expected = _report(name, swapped)
    assert report["verdict"] == expected["verdict"], report["reason"]
    assert report["first_divergent_tick"] == expected["first_divergent_tick"]
    assert report["exit_code"] == {"same": 0, "diverged": 1, "ends_early": 3, "inconclusive": 3}[expected["verdict"]]
    if "last_equal_tick" in expected:
        assert report["last_equal_tick"] == expected["last_equal_tick"]


@every_sample
@both_orders
def test_must_mention(name: str, swapped: bool) -> None:
    """All words of a group stand together in one finding, note or the verdict."""
    report, expected = _report(name, swapped)
    texts = _texts(report)
    for group in expected.get("must_mention", []):
        assert any(all(word in text for word in group) for text in texts), (group, texts)


@every_sample
@both_orders
def test_must_not_blame(name: str, swapped: bool) -> None:
    """No finding at the first divergent tick has all words of a group in its path."""
    report, expected = _report(name, swapped)
    for group in expected.get("must_not_blame", []):
        blamed = [f["path"] for f in report["findings"] if all(word in f["path"] for word in group)]
        assert not blamed, (group, blamed)


@every_sample
@both_orders
def test_values_are_shown_as_written(name: str, swapped: bool) -> None:
    """Both sides of a field that differs stand in one finding, as the files write them."""
    report, expected = _report(name, swapped)
    for path, values in expected.get("values", {}).items():
        wanted = [v.strip("<>").split(",")[-1] if v.startswith("<") else v for v in values]
        pair = wanted[::-1] if swapped else wanted
        shown = [(str(f["a"]), str(f["b"])) for f in report["findings"]]
        assert tuple(pair) in shown, (path, shown)


@both_orders
def test_findings_are_no_more_than_what_differs(swapped: bool) -> None:
    """Nothing is found beyond the planted differences, but for what is derived from them."""
    for name in ("bom_crlf", "csv_entities", "json_nested", "jsonl_ticks", "openra", "reorder_diff", "reorder_same"):
        report, expected = _report(name, swapped)
        values = [f for f in report["findings"] if f["kind"] in ("value", "missing", "extra", "entity", "count")]
        planted = [path for path in expected["differs"] if path != "hash"]
        assert len(values) == len(planted), (name, values)
