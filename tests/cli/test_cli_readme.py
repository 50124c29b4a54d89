"""The README against the product: its scenario, its links, its red run."""

from __future__ import annotations

import re
from pathlib import Path

from cli_project import Project

from detcheck import explain
from detcheck.cli.main import COMMANDS
from detcheck.reports.strip import LEGEND

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_scenario_runs(empty: Project) -> None:
    """What it shows is recorded and then equal."""
    block = re.search(r"^```toml\n(\[scenario\]\n.*?)^```$", TEXT, re.S | re.M)
    assert block is not None
    empty.scenario("chase", block[1])
    assert empty.run("regen", "chase", "--yes").code == 0
    assert empty.run("run", "chase").code == 0


def test_its_links_and_commands_are_there() -> None:
    """Each link of a file leads to one, every page of the manual is linked, every command exists."""
    links = re.findall(r"\]\(([^)#:]+)\)", TEXT)
    assert [link for link in links if not (ROOT / link).exists()] == []
    assert {f"detcheck/explain/{topic}.md" for topic in explain.TOPICS} <= set(links)
    assert set(re.findall(r"(?:^\$ |`|- run: )detcheck ([a-z]+)", TEXT, re.M)) <= set(COMMANDS)
    assert all(topic in explain.TOPICS for topic in re.findall(r"detcheck explain ([a-z]+)", TEXT))


def test_its_red_run_is_laid_as_reports_are() -> None:
    """Heads stand over their columns, the legend is the report's, and no digest repeats the parts above."""
    block = re.search(r"^```text\n(\$ detcheck run .*?)^```$", TEXT, re.S | re.M)
    assert block is not None
    lines = block[1].splitlines()
    assert LEGEND in lines
    head = next(at for at, line in enumerate(lines) if line.split()[:2] == ["path", "raw"])
    for word, value in zip(("raw", "decimal", "bits"), lines[head + 1].split()[-3:], strict=True):
        assert lines[head].index(word) == lines[head + 1].index(value)
    assert not re.search(r"^ *[-+] (expected|actual) +[0-9a-f]{16}$", block[1], re.M)
