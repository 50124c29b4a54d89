"""Every sample pair opens with the reader its shape calls for, and its records are sane."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from detcheck.dumps.open import open_source
from detcheck.dumps.pair import open_pair
from detcheck.model.record import Source

SAMPLES = Path(__file__).parent.parent / "data" / "dumps"

READERS = {
    "big_integers": "json",
    "bom_crlf": "json",
    "brace_tree": "text-tree",
    "clocks_no_hash": "json-lines",
    "crosswise_players": "json-lines",
    "csv_entities": "table",
    "csv_semicolon": "table",
    "cut_braces": "text-tree",
    "cut_last_line": "json-lines",
    "cut_trace": "event-lines",
    "detcheck_dump": "detcheck-dump",
    "event_rng": "event-lines",
    "folder_ticks": "hash-lines",
    "golden_parts": "detcheck-golden",
    "gzip_checkpoints": "json",
    "hash_columns": "table",
    "hash_lines_diverge": "hash-lines",
    "hash_lines_short": "hash-lines",
    "hash_rollback": "hash-lines",
    "head_clocks": "json-lines",
    "head_one_entry": "json-lines",
    "indented_tree": "text-tree",
    "ini_sections": "text-tree",
    "interleaved_sessions": "hash-lines",
    "json_nested": "json",
    "jsonl_f32tokens": "json-lines",
    "jsonl_ticks": "json-lines",
    "kv_log": "hash-lines",
    "late_dump": "json-lines",
    "long_lines": "event-lines",
    "openra": "openra",
    "packed_nul": "hash-lines",
    "recoil": "recoil",
    "reorder_diff": "json",
    "reorder_same": "json",
    "sessions_in_turn": "hash-lines",
    "shifted_ticks": "json-lines",
    "tick_mismatch": "json",
    "trace_addresses": "event-lines",
    "utf16": "json-lines",
    "warzone": "warzone",
    "zip_ticks": "json",
}


def sides(name: str) -> tuple[Path, Path]:
    """The two files of a sample."""
    folder = SAMPLES / name
    a, b = (next(path for path in folder.iterdir() if path.name.startswith(side)) for side in ("a.", "b."))
    return a, b


def ticks(source: Source) -> list[int | None]:
    """The ticks of a source, which rise within a session."""
    found: list[int | None] = []
    last: dict[int, int] = {}
    for record in source.records:
        found.append(record.tick)
        assert record.tick is not None
        assert record.tick > last.get(record.session, -1)
        last[record.session] = record.tick
        assert record.hashes or record.fields.items or record.events or record.rng
    return found


def test_every_sample_has_its_reader_listed() -> None:
    """The table above names every folder of samples."""
    assert sorted(READERS) == sorted(path.parent.name for path in SAMPLES.glob("*/expected.json"))


@pytest.mark.parametrize("name", READERS)
def test_a_sample_opens_with_its_reader(name: str) -> None:
    """Alone and as a pair, with ticks that hold the one that is expected to differ."""
    expected = json.loads((SAMPLES / name / "expected.json").read_text())
    for path in sides(name):
        source = open_source(path)
        assert source.reader == READERS[name]
        assert source.why
        found = ticks(source)
        assert found
        if expected["first_divergent_tick"] is not None:
            assert expected["first_divergent_tick"] in found
    a, b = open_pair(*sides(name))
    assert a.reader == b.reader == READERS[name]
    ticks(a)
    ticks(b)


@pytest.mark.parametrize("name", READERS)
def test_a_sample_beside_itself_is_the_same(name: str) -> None:
    """Both sides of a file and its copy give the same records."""
    a, b = open_pair(sides(name)[0], sides(name)[0])
    assert list(map(repr, a.records)) == list(map(repr, b.records))
    assert a.head == b.head
    assert a.skipped == b.skipped
