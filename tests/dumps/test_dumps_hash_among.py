"""Hash logs among other lines: words that only look like hashes, lines of a log that give none, parts below a tick."""

from __future__ import annotations

from pathlib import Path

import pytest
from dump_text import opened, records

from detcheck.compare.api import diff
from detcheck.model.comparison import Comparison

UNLIKE = 17
PREFIX = "2031-07-09 08:15:{:02d}.250 DEBUG [net] "
FORMS = {
    "columns": "{tick} {hash}",
    "pairs": "turn={tick} crc=0x{hash}",
    "log": PREFIX + "turn {tick} digest {hash}",
    "apart": "turn {tick}:\nchecksum {hash}",
    "bare below": "turn {tick}:\n{hash}",
}


def text(form: str, side: str, width: int = 16, below: str = "", every: int = 0) -> str:
    """Forty ticks, of which one has another hash in b; `below` stands under that tick, or under each `every`th."""
    lines = []
    for tick in range(1, 41):
        value = 0xA1B2C3D4E5F60708 - tick * 0x10F1 ^ (side == "b" and tick == UNLIKE) << 5
        lines.append(FORMS[form].format(tick % 60, tick=tick, hash=f"{value:016x}"[-width:]))
        if below and (tick % every == 0 if every else tick == UNLIKE):
            lines.append(below.format(tick, tick=tick))
    return "\n".join(lines) + "\n"


def compared(folder: Path, a: str, b: str) -> Comparison:
    """Both texts as files."""
    (folder / "a.log").write_text(a)
    (folder / "b.log").write_text(b)
    return diff(str(folder / "a.log"), str(folder / "b.log"))


@pytest.mark.parametrize("width", [8, 16])
@pytest.mark.parametrize(
    "below", ["facade opened", "cafebabe", "added 3 units", "0xdeadbeef", "level checksum 0x77aa5511"]
)
@pytest.mark.parametrize("form", FORMS)
def test_a_line_without_a_tick_hides_no_hash(tmp_path: Path, form: str, below: str, width: int) -> None:
    """Whatever stands below the tick whose hashes differ, on both sides the same, the tick diverges."""
    for one, other in ("ab", "ba"):
        found = compared(tmp_path, text(form, one, width, below), text(form, other, width, below))
        assert (found.verdict, found.first_divergent_tick) == ("diverged", UNLIKE)
        assert not any("rollback" in note for note in found.notes)


@pytest.mark.parametrize("form", ["columns", "pairs", "log"])
def test_a_word_of_one_side_is_not_blamed(tmp_path: Path, form: str) -> None:
    """A word of hexadecimal letters that one side writes once is no hash that the other side lacks."""
    found = compared(tmp_path, text(form, "a"), text(form, "a", below="decade over"))
    assert found.verdict == "same"


def test_parts_below_a_tick_are_hashes() -> None:
    """What stands under each tick without a word for a hash is one, also where only a later tick has it."""
    lines = "".join(f"step {t} hash {t:08x}\n  physics 0x{t * 77:08x}\n  ai 0x{t * 99:08x}\n" for t in range(100, 120))
    found = records(lines + "step 120 hash 00000120\n  physics 0x00001234\n  ai 0x00005678\n  audio 0x0000abcd\n")
    assert [sorted(record.hashes) for record in found[:2]] == [["ai", "hash", "physics"]] * 2
    assert sorted(found[-1].hashes) == ["ai", "audio", "hash", "physics"]


@pytest.mark.parametrize("every", [1, 2, 3])
@pytest.mark.parametrize(
    "noise",
    [
        "ping: {tick}",
        "autosave written",
        "sent {tick}000 bytes to peer",
        "spawn at 0x7ffe{tick:04d}",
        "cache=warm",
        "fps=60 ms={tick}",
    ],
)
def test_a_log_is_read_for_its_hashes(tmp_path: Path, noise: str, every: int) -> None:
    """Behind a log prefix every line, every second or every third one may say something else."""
    below = PREFIX + noise
    if noise == "cache=warm":
        below = PREFIX + "session=4f1e22aa"
    a, b = (text("log", side, below=below, every=every) for side in "ab")
    assert opened(a).reader == "hash-lines"
    found = compared(tmp_path, a, b)
    assert (found.verdict, found.first_divergent_tick) == ("diverged", UNLIKE)
    assert found.findings[0].path == "hash"


@pytest.mark.parametrize("constant", ["checksum of level: 77aa5511", "session id=4f1e22aa", "match token=77aa5511"])
def test_a_line_that_is_always_the_same_states_nothing(tmp_path: Path, constant: str) -> None:
    """The same line after every tick, also one that looks like a pair or a hash, makes no tree of a hash log."""
    found = compared(tmp_path, *(text("pairs", side, below=constant, every=1) for side in "ab"))
    assert (found.verdict, found.first_divergent_tick) == ("diverged", UNLIKE)


@pytest.mark.parametrize("form", ["pairs", "log"])
def test_a_state_between_the_hashes_is_not_passed_over(tmp_path: Path, form: str) -> None:
    """Pairs that differ below ticks with equal hashes are a difference of that tick."""
    prefix = PREFIX if form == "log" else ""
    texts = []
    for side in "ab":
        lines = []
        for tick in range(1, 41):
            lines.append(FORMS[form].format(tick % 60, tick=tick, hash=f"{tick * 0x9E3779B97F4A7C15 % 2**64:016x}"))
            gold = tick * 3 + (side == "b" and tick == UNLIKE)
            lines.append(prefix.format(tick % 60) + f"units={tick} gold={gold}")
        texts.append("\n".join(lines) + "\n")
    found = compared(tmp_path, *texts)
    assert (found.verdict, found.first_divergent_tick) == ("diverged", UNLIKE)
    assert found.findings[0].path.endswith("gold")
