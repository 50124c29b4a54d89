"""What a terminal of 50 columns gets: words, hashes and commands whole; a pipe gets each sentence as one line."""

from __future__ import annotations

import io

import pytest
from rich.text import Text

from detcheck.cli.console import Channel, Output
from detcheck.reports.flow import flowed

LONG = "diverged at tick 120: unit[3].position.x is 98304 / 98305; 14 more fields differ there, and it lasts"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def channel(stream: io.StringIO, **environment: str) -> Channel:
    return Channel(stream, "auto", {"COLUMNS": "50", "TERM": "xterm", **environment})


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}])
def test_a_text_that_may_flow_is_broken_at_words_on_a_terminal(environment: dict[str, str]) -> None:
    """No line is longer than the terminal and no word is cut, with colour and without."""
    stream = Terminal()
    channel(stream, **environment).show(Text(LONG, no_wrap=False))
    lines = stream.getvalue().splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 50 for line in lines)
    assert " ".join(" ".join(lines).split()) == LONG


def test_what_is_data_runs_on_and_a_pipe_gets_whole_lines() -> None:
    """A line of data is never broken by us, and off a terminal no sentence is."""
    terminal, pipe = Terminal(), io.StringIO()
    channel(terminal).show(Text(LONG))
    assert terminal.getvalue() == LONG + "\n"
    channel(pipe).show(Text(LONG, no_wrap=False))
    assert pipe.getvalue() == LONG + "\n"


def test_remarks_flow_around_their_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A remark is broken at words, the command in it is one line."""
    command = "detcheck regen skirmish --backend fixed_point_16_16 --yes --reason 'what changed and why'"
    words = f"there is no golden of this backend yet, so nothing was compared; record it with: {command}"
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("COLUMNS", "50")
    Output("never").notes([words])
    lines = stream.getvalue().splitlines()
    assert f"  {command}" in lines
    assert all(len(line) <= 50 for line in lines if command not in line)
    assert " ".join(stream.getvalue().split()) == f"note: {words}"


@pytest.mark.parametrize("width", [20, 50, 80])
def test_flowing_loses_nothing(width: int) -> None:
    """Every word in its order; a word that is longer than the line stays whole."""
    text = f"{LONG} {'f' * 90}: detcheck diff a.jsonl b.jsonl; and then some more words that follow"
    lines = flowed(text, width, "  ", "    ")
    assert " ".join(" ".join(lines).split()) == text
    assert lines[0].startswith("  diverged")
    assert any("detcheck diff a.jsonl b.jsonl" in line for line in lines)
    assert flowed("", width, "  ") == [""]
