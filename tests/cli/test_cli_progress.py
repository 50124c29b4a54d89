"""The progress line: whole words at every width, and shown for every command that replays for long."""

from __future__ import annotations

import io

import pytest
from cli_project import FIXED, STEP, Project

from detcheck.cli import console
from detcheck.cli.console import progress_text
from detcheck.engine.executors import make_executor
from detcheck.engine.replay import checkpoints_of
from detcheck.runner.pace import paced_checkpoints
from detcheck.scenario.compile import compile_scenario
from detcheck.scenario.load import load

WHO, COUNT = "skirmish on fixed_wrapping_16_16", "tick 1,234,567 of 10,000,000"


@pytest.mark.parametrize("width", range(130))
def test_the_line_is_never_cut(width: int) -> None:
    """At any width whole words: all of it, the ticks with a bar, the ticks, the share; never more than the width."""
    text = progress_text(0.123, WHO, COUNT, width)
    assert len(text) <= width
    rest = text.partition("] ")[2] or text
    assert rest in (f" 12% {WHO}, {COUNT}", f" 12% {COUNT}", " 12%"[:width])
    assert (COUNT in text) == (width >= len(f" 12% {COUNT}"))
    assert (WHO in text) == (width >= len(f"[-----]  12% {WHO}, {COUNT}"))


@pytest.mark.parametrize("done", [-1.0, 0.0, 0.999, 1.0, 7.0])
def test_a_share_stays_between_nothing_and_all(done: float) -> None:
    """A bar is as long at any share."""
    assert len(progress_text(done, WHO, COUNT, 100)) in (len(progress_text(0.5, WHO, COUNT, 100)),)


@pytest.mark.parametrize("every", [1, 7, 1000])
def test_watching_a_replay_changes_nothing(empty: Project, every: int) -> None:
    """In steps or at once: the same checkpoints, and ticks that only grow up to the last."""
    scenario = load(empty.scenario("step", STEP.replace("ticks = 6", "ticks = 1234")))
    compiled = compile_scenario(scenario, FIXED)
    told: list[int] = []
    watched = list(paced_checkpoints(make_executor("generated", compiled), every, 1234, lambda: False, told.append))
    assert watched == list(checkpoints_of(make_executor("generated", compiled), every, 1234))
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0, 1234)
    assert len(told) > 3


class Terminal(io.StringIO):
    """A stderr with a person at it."""

    def isatty(self) -> bool:
        return True


def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Standard error is a terminal 80 columns wide, and nothing is too short to be shown."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(console, "PROGRESS_AFTER_SECONDS", 0.0)
    monkeypatch.setattr(console, "PROGRESS_EVERY_SECONDS", 0.0)
    return stream


@pytest.mark.parametrize(
    "argv",
    [
        ("run", "long", "--backend", FIXED),
        ("regen", "long", "--backend", FIXED, "--check"),
        ("dump", "long", "-o", "x.jsonl"),
        ("dump", "long", "--ticks", "4999:5000", "-o", "x.jsonl"),
        ("dump", "long", "--every", "5000"),
    ],
)
def test_long_replays_without_checkpoints_show_where_they_are(
    empty: Project, monkeypatch: pytest.MonkeyPatch, argv: tuple[str, ...]
) -> None:
    """Between two checkpoints far apart, and on the way to the first tick of a dump, the line moves."""
    empty.scenario("long", STEP.replace("ticks = 6", "ticks = 5000").replace("hash_every = 2", "hash_every = 5000"))
    empty.record("long")
    terminal = at_a_terminal(monkeypatch)
    empty.run(*argv)
    shown = terminal.getvalue()
    lines = {line for line in shown.split("\r\x1b[K") if " of 5,000" in line}
    assert len(lines) > 3
    assert all(f"long on {FIXED}, tick " in line and len(line.split("\n")[0]) < 80 for line in lines)
    assert not shown.rpartition("\r\x1b[K")[2].startswith("[")


def test_the_second_replays_of_a_regen_are_said(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be measured is named while it lasts."""
    empty.scenario("step", STEP)
    terminal = at_a_terminal(monkeypatch)
    empty.run("regen", "--yes")
    assert "once more in a fresh process" in terminal.getvalue()
