"""The inputs file: one JSON object a line, the same rules as [[inputs]], faults with its own file, line and column."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from scenario_texts import BASE, faults_of, write

from detcheck.scenario.compile import compile_scenario
from detcheck.scenario.load import load

_BEGIN, _END = BASE.index("[[inputs]]"), BASE.index("[setup]")
WITH_FILE = (BASE[:_BEGIN] + BASE[_END:]).replace(
    "hash_every = 60\n", 'hash_every = 60\ninputs_file = "script.jsonl"\n'
)

LINES = (
    '{"tick": 30, "hold": 60, "player": 1, "move": [1, -0.25], "fire": true}\n'
    '{"tick": 700, "player": 0, "power": 0.1}\n'
)


def scenario_with(folder: Path, lines: str | bytes, text: str = WITH_FILE) -> Path:
    (folder / "script.jsonl").write_bytes(lines.encode("utf-8", "surrogatepass") if isinstance(lines, str) else lines)
    return write(folder, text)


def test_both_forms_of_a_script_are_one_script(tmp_path: Path) -> None:
    """The same entries inline and in a file have the same values and the same inputs hash."""
    filed, inline = load(scenario_with(tmp_path, LINES)), load(write(tmp_path, BASE, "inline.toml"))
    assert filed.inputs == inline.inputs
    assert filed.inputs_hash == inline.inputs_hash
    assert filed.config_hash == inline.config_hash


@pytest.mark.parametrize(
    "lines",
    [
        LINES.replace("\n", "\r\n"),
        "\ufeff" + LINES,
        "\n" + LINES.replace("\n", "\n\n  \n"),
        LINES.rstrip("\n"),
        LINES.replace("0.1", "1E-1").replace("-0.25", "-25e-2"),
        LINES.replace('{"tick": 700, "player": 0', '{ "player":0 , "tick":700'),
        LINES.replace('"power"', '"\\u0070ower"'),
    ],
)
def test_layout_makes_no_other_script(tmp_path: Path, lines: str) -> None:
    """Line ends, a BOM, empty lines and spelling leave the inputs hash alone."""
    hashed = load(write(tmp_path, BASE, "inline.toml")).inputs_hash
    assert load(scenario_with(tmp_path, lines)).inputs_hash == hashed


#: a line, the code of its fault, the column it points at, words
FAULTY: list[tuple[str, str, int, str]] = [
    ("{", "scenario.syntax", 2, "not valid JSON"),
    ("[1, 2]", "scenario.type", 1, "an array"),
    ("3", "scenario.type", 1, "an integer"),
    ('{"tick": 1, "player": 0} {}', "scenario.syntax", 26, "extra data"),
    ('{"tick": 1, "player": 0, "tick": 2}', "scenario.syntax", 1, "twice"),
    ('{"tick": NaN, "player": 0}', "scenario.syntax", 1, "NaN"),
    ('{"player": 0}', "scenario.missing_key", 1, "no tick"),
    ('{"tick": 1}', "scenario.missing_key", 1, "no player"),
    ('{"tick": -1, "player": 0}', "scenario.range", 10, "0 .."),
    ('{"tick": 1.0, "player": 0}', "scenario.type", 10, "a decimal"),
    ('{"tick": true, "player": 0}', "scenario.type", 10, "a boolean"),
    ('{"tick": null, "player": 0}', "scenario.type", 10, "null"),
    ('{"tick": 1, "player": 2}', "scenario.range", 23, "0 .. 1"),
    ('{"tick": 1, "player": 0, "hold": 0}', "scenario.range", 34, "1 .."),
    ('{"tick": 1, "player": 0, "jump": true}', "scenario.unknown_key", 26, "no column"),
    ('{"tick": 1, "player": 0, "move": [1, 2, 3]}', "scenario.type", 34, "an array of 3"),
    ('{"tick": 1, "player": 0, "move": [1, "x"]}', "scenario.type", 38, "a string"),
    ('{"tick": 1, "player": 0, "aim": [1, {"a": [2]}, 3]}', "scenario.type", 37, "a table"),
    ('{"tick": 1, "player": 0, "power": 1e400}', "scenario.number", 35, "exponent"),
    ('{"tick": 1, "player": 0, "power": 40000}', "scenario.range", 35, "Q16.16"),
    ('{"tick": 1, "player": 0, "aim": [0.5, 0, 99999.5]}', "scenario.range", 42, "Q16.16"),
    ('{"tick": 1, "player": 0, "mode": ' + "9" * 5000 + "}", "scenario.number", 34, "more than 64 digits"),
    ('{"tick": 1, "player": 0, "mode": ' + "9" * 4000 + "}", "scenario.range", 34, "bits"),
    ('{"tick": 1, "player": 0, "mode": ' + "[" * 5000 + "]" * 5000 + "}", "scenario", 1, ""),
    ('{"tick": 1, "player": 0, "fire": null}', "scenario.type", 34, "fire is null, a bool takes true or false"),
    ('{"tick": 1, "player": 0, "fi\tre": true}', "scenario.syntax", 29, "not valid JSON: invalid control character"),
    ('{"tick": 1, "player": 0, "fire', "scenario.syntax", 26, "not valid JSON: unterminated string"),
    ('{"tick": 1, "player": 0, "\\ud800": 1}', "scenario.unknown_key", 26, "\\ud800"),
]


@pytest.mark.parametrize(("line", "code", "column", "words"), FAULTY, ids=[f[0][:40] for f in FAULTY])
def test_a_faulty_line_is_named_with_file_line_and_column(
    tmp_path: Path, line: str, code: str, column: int, words: str
) -> None:
    """The fault is the inputs file's own, at the key or value it is about."""
    path = scenario_with(tmp_path, LINES + line + "\n")
    (fault,) = faults_of(path)
    assert fault.code.startswith(code), str(fault)
    assert words in str(fault)
    assert fault.where is not None
    assert fault.where.file == str(tmp_path / "script.jsonl")
    assert fault.where.line == 3
    if code != "scenario":
        assert fault.where.column == column, str(fault)
    assert fault.where.source == line
    assert not fault.message.endswith((" at", ":"))


def test_all_faulty_lines_and_the_scenario_s_own_faults_come_together(tmp_path: Path) -> None:
    """One report for both files."""
    text = WITH_FILE.replace("ticks = 600", "ticks = -1")
    faults = faults_of(scenario_with(tmp_path, "{}\n" + LINES + "[]\n", text))
    assert sorted((Path(f.where.file).name, f.where.line) for f in faults if f.where) == [
        ("base.toml", 6),
        ("script.jsonl", 1),
        ("script.jsonl", 1),
        ("script.jsonl", 4),
    ]


def test_many_faulty_lines_stop_the_reading(tmp_path: Path) -> None:
    """A file that is something else altogether is not read to its end."""
    faults = faults_of(scenario_with(tmp_path, "junk\n" * 100_000))
    assert 100 <= len(faults) <= 102


def test_invalid_utf8_is_named(tmp_path: Path) -> None:
    """The byte and its line."""
    (fault,) = faults_of(scenario_with(tmp_path, LINES.encode() + b'{"tick": \xff}\n'))
    assert fault.code == "scenario.encoding"
    assert fault.where is not None
    assert fault.where.line == 3


def test_an_endless_line_is_refused(tmp_path: Path) -> None:
    """A line is bounded, so that a file without line ends is not read into memory."""
    (fault,) = (f for f in faults_of(scenario_with(tmp_path, "x" * 1_000_000)) if f.where and f.where.line)
    assert fault.code == "scenario.too_large"


@pytest.mark.parametrize(
    "name",
    [
        "../script.jsonl",
        "sub/script.jsonl",
        "/etc/script.jsonl",
        "script.json",
        "",
        ".jsonl",
        "c:script.jsonl",
        "a\\\\b.jsonl",
    ],
)
def test_only_a_bare_name_of_a_jsonl_file_is_accepted(tmp_path: Path, name: str) -> None:
    """A scenario reads nothing but its own folder."""
    text = WITH_FILE.replace('"script.jsonl"', f'"{name}"')
    (fault,) = faults_of(scenario_with(tmp_path, LINES, text))
    assert fault.code == "scenario.inputs"
    assert fault.where is not None
    assert fault.where.line == 9


def test_a_missing_or_special_inputs_file_is_refused(tmp_path: Path) -> None:
    """Both the file and the line that names it are in the report."""
    path = write(tmp_path, WITH_FILE)
    assert {fault.code for fault in faults_of(path)} == {"file.missing", "scenario.inputs"}
    (tmp_path / "script.jsonl").mkdir()
    assert "file.not_regular" in {fault.code for fault in faults_of(path)}
    if hasattr(os, "mkfifo"):
        (tmp_path / "script.jsonl").rmdir()
        os.mkfifo(tmp_path / "script.jsonl")
        assert "file.not_regular" in {fault.code for fault in faults_of(path)}


def test_inputs_stand_in_one_place(tmp_path: Path) -> None:
    """[[inputs]] beside inputs_file is a fault."""
    text = BASE.replace("hash_every = 60\n", 'hash_every = 60\ninputs_file = "script.jsonl"\n')
    (fault,) = faults_of(scenario_with(tmp_path, LINES, text))
    assert fault.code == "scenario.inputs"
    assert "keep one" in str(fault)


def test_an_inputs_file_needs_players(tmp_path: Path) -> None:
    """Without [players] there is nobody to script."""
    begin, end = WITH_FILE.index("[players]"), WITH_FILE.index("[setup]")
    text = (WITH_FILE[:begin] + WITH_FILE[end:]).replace("+ players[row % 2].move * dt", "")
    (fault,) = faults_of(scenario_with(tmp_path, LINES, text))
    assert fault.code == "scenario.inputs"


def test_an_empty_inputs_file_is_an_empty_script(tmp_path: Path) -> None:
    """No entries is a script too, that of a file without [[inputs]]."""
    empty = load(scenario_with(tmp_path, ""))
    assert empty.inputs == ()
    assert empty.inputs_hash == "7a288d80ab626ba1b4e0bcb24302cd10"


def test_a_script_of_many_entries_shares_what_repeats(tmp_path: Path) -> None:
    """Equal values of entries are one object before and after compiling, so that a million entries fit in memory."""
    lines = "".join(f'{{"tick": {t}, "player": {t % 2}, "move": [{t % 3}, -0.25]}}\n' for t in range(20_000))
    scenario = load(scenario_with(tmp_path, lines))
    assert len(scenario.inputs) == 20_000
    assert len({id(entry.values) for entry in scenario.inputs}) == 3
    compiled = compile_scenario(scenario, "fixed_point_16_16")
    assert len({id(entry.cells) for entry in compiled.inputs}) == 3
    assert compiled.inputs[1].cells == (("move", 0, 65536), ("move", 1, -16384))


def test_more_entries_than_the_limit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry past the limit has the fault, and reading stops."""
    monkeypatch.setattr("detcheck.scenario.inputs_file.ENTRIES_MAX", 2)
    load(scenario_with(tmp_path, LINES))
    (fault,) = faults_of(scenario_with(tmp_path, LINES + LINES))
    assert fault.code == "scenario.too_large"
    assert fault.where is not None
    assert fault.where.line == 3
