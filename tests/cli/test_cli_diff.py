"""`detcheck diff` end to end: verdict, exit, streams, options, more than two sides, faults in words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from detcheck.cli.main import main

SAMPLES = Path(__file__).parent.parent / "data" / "dumps"


class Ran:
    """What a command gave back."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command line in this process, without colour."""
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS", "COLUMNS", "DETCHECK_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str | Path) -> Ran:
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return call


def hashes(folder: Path, name: str, values: dict[int, int]) -> Path:
    """A hash stream file."""
    path = folder / name
    path.write_text("".join(f"{tick} {value:016x}\n" for tick, value in values.items()))
    return path


def lines(folder: Path, name: str, records: list[dict[str, Any]]) -> Path:
    """A JSON Lines file."""
    path = folder / name
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return path


@pytest.mark.parametrize(
    ("name", "code", "first"),
    [
        ("json_nested", 1, "diverged at tick 4512: entities[id=7].pos.x is 0.1 / 0.10000000000000002"),
        ("reorder_same", 0, "same: "),
        ("hash_lines_short", 3, "ends early: b ends after tick 47"),
        ("tick_mismatch", 3, "inconclusive: "),
    ],
)
def test_verdict_line_and_exit(run: Any, name: str, code: int, first: str) -> None:
    """The verdict comes first on standard output, and decides the exit; nothing goes to stderr."""
    sides = sorted(path for path in (SAMPLES / name).iterdir() if path.stem in ("a", "b"))
    ran = run("diff", *sides)
    assert ran.code == code
    assert ran.out.startswith(first)
    assert ran.err == ""


def test_json_to_a_file_and_to_standard_output(run: Any, tmp_path: Path) -> None:
    """With --json - the document alone is on standard output and the report goes to stderr."""
    a, b = SAMPLES / "jsonl_ticks" / "a.jsonl", SAMPLES / "jsonl_ticks" / "b.jsonl"
    target = tmp_path / "out.json"
    ran = run("diff", a, b, "--json", target)
    document = json.loads(target.read_text())
    assert ran.out.startswith("diverged at tick 17")
    assert (document["verdict"], document["first_divergent_tick"], document["exit_code"]) == ("diverged", 17, 1)
    assert document["readers"] == {"a": "json-lines", "b": "json-lines"}
    both = run("diff", a, b, "--json", "-")
    assert json.loads(both.out) == document
    assert both.err.startswith("diverged at tick 17")


def test_quiet_is_the_verdict_line(run: Any, tmp_path: Path) -> None:
    """-q leaves one line."""
    a, b = hashes(tmp_path, "a", {0: 1, 1: 2}), hashes(tmp_path, "b", {0: 1, 1: 3})
    assert run("diff", "-q", a, b).out.count("\n") == 1


def test_options_reach_the_comparison(run: Any, tmp_path: Path) -> None:
    """Ticks, ignore, only, tolerance, map, types and context do what they say."""
    a = lines(tmp_path, "a.jsonl", [{"tick": n, "x": 1.5, "me": 1, "you": 2, "bits": 1056964608} for n in range(9)])
    late = [{"tick": n, "x": 1.5 + (n > 5) * 1e-9, "me": 2, "you": 1, "bits": 1056964608 + (n > 6)} for n in range(9)]
    b = lines(tmp_path, "b.jsonl", late)
    base = ["diff", a, b, "--map", "me=you"]
    assert run(*base).out.startswith("diverged at tick 6: x is 1.5 / 1.500000001")
    assert run(*base, "--ticks", "0:5").code == 0
    assert run(*base, "--ignore", "x").out.startswith("diverged at tick 7: bits")
    assert run(*base, "--only", "me", "--only", "you").code == 0
    tolerant = run(*base, "--tolerance", "x=1e-6", "--ignore", "bits")
    assert tolerant.code == 0
    assert "exact onset tick 6" in tolerant.out
    typed = run(*base, "--types", "bits=f32", "--ignore", "x")
    assert "0.50000006" in typed.out
    assert "1 ulp" in typed.out
    assert "tick 5" not in run(*base, "--context", "0").out.split("ticks 0 to 8")[0].splitlines()[-1]


def test_all_shows_every_finding(run: Any, tmp_path: Path) -> None:
    """The default cuts and says so; --all does not."""
    a = lines(tmp_path, "a.jsonl", [{"tick": 1, "v": list(range(1204))}])
    b = lines(tmp_path, "b.jsonl", [{"tick": 1, "v": [n + 1 for n in range(1204)]}])
    assert "first 20 of 1,204; --all" in run("diff", a, b).out
    assert "v[1203]" in run("diff", a, b, "--all").out


def test_more_than_two_sides(run: Any, tmp_path: Path) -> None:
    """Who agrees with whom, and who left the majority first, wherever it stands in the list."""
    good = {n: n for n in range(20)}
    names = [hashes(tmp_path, name, good) for name in ("one", "two", "three")]
    bad = hashes(tmp_path, "bad", {n: n + (n >= 12) * 99 for n in range(20)})
    worse = hashes(tmp_path, "worse", {n: n + (n >= 15) * 77 for n in range(20)})
    for order in ([bad, *names], [names[0], bad, *names[1:]], [*names, bad]):
        ran = run("diff", *order)
        assert ran.code == 1
        assert "bad left the majority (3 of 4 sides) first, at tick 12" in ran.out.splitlines()[0].replace(
            f"{tmp_path}/", ""
        )
        assert "- a  000000000000000c" in ran.out
    ran = run("diff", worse, bad, *names, "--json", "-")
    document = json.loads(ran.out)
    assert document["first_divergent_tick"] == 12
    assert [len(group) for group in document["sides"]] == [3, 1, 1]
    assert "(4 of 5 sides)" in document["reason"]
    assert any("worse" in note and "tick 15" in note for note in document["notes"])
    tied = run("diff", names[0], bad, worse)
    assert "bad left the majority (2 of 3 sides) first, at tick 12" in tied.out.splitlines()[0].replace(
        f"{tmp_path}/", ""
    )
    other = hashes(tmp_path, "other", {n: n + (n >= 12) * 55 for n in range(20)})
    assert "no majority" in run("diff", names[0], bad, other).out
    short = hashes(tmp_path, "short", {n: n for n in range(5)})
    for order in ([short, names[0], bad, names[1]], [bad, short, *names]):
        assert "bad left the majority" in run("diff", *order).out
    assert run("diff", short, *names).code == 3
    assert run("diff", *names).code == 0
    assert run("diff", *names).out.startswith("same: all 3 sides agree")


def test_sessions_are_paired_so_that_they_agree(run: Any, tmp_path: Path) -> None:
    """A log with an earlier session of its own is compared from the session that belongs to the other side."""
    first, second = [(n, n + 500) for n in range(10)], [(n, n) for n in range(20)]
    a, b = tmp_path / "a", tmp_path / "b"
    a.write_text("".join(f"tick={t} hash={h:016x}\n" for t, h in [*first, *second]))
    b.write_text("".join(f"tick={t} hash={h:016x}\n" for t, h in second))
    ran = run("diff", a, b)
    assert ran.code == 0, ran.out
    assert "compared from its session 2 on" in ran.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["two sides", "none was"]),
        (["A"], ["two sides", "one was"]),
        (["A", "nowhere"], ["nowhere", "No such file"]),
        (["-", "-"], ["standard input"]),
        (["A", "A", "-"], ["standard input", "file"]),
        (["A", "A", "--reader", "jsno"], ["jsno", "Did you mean", "json"]),
        (["A", "A", "--tolerance", "x"], ["PATH=NUMBER", "as in"]),
        (["A", "A", "--ticks", "9:1"], ["FIRST:LAST", "as in"]),
        (["A", "A", "--types", "x=f16"], ["f16", "f32"]),
        (["A", "A", "--map", "x"], ["NAME_IN_A=NAME_IN_B"]),
        (["A", "A", "--ignore", " "], ["--ignore", "path"]),
        (["A", "A", "--max-record", "lots"], ["lots", "64M"]),
        (["A", "A", "--context", "x"], ["--context"]),
        (["A", "A", "--colour"], ["--color"]),
        (["A", "A", "--json", "."], ["."]),
    ],
    ids=lambda value: " ".join(value) or "nothing",
)
def test_faults_are_exit_2_and_say_what_would_be_right(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: list[str]
) -> None:
    """Every fault of the command line is one message on stderr, no traceback, nothing on standard output."""
    monkeypatch.chdir(tmp_path)
    hashes(tmp_path, "A", {0: 1, 1: 2})
    ran = run("diff", *arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("error: ")
    assert "Traceback" not in ran.err
    for word in words:
        assert word in ran.err, ran.err


def test_pipes_and_colour(tmp_path: Path) -> None:
    """Standard input is a side; colour only when asked for; NO_COLOR wins over a terminal's default."""
    a, b = hashes(tmp_path, "a", {0: 1, 1: 2}), hashes(tmp_path, "b", {0: 1, 1: 3})
    environment = {**os.environ, "NO_COLOR": "1"}
    command = [sys.executable, "-m", "detcheck.cli.main", "diff"]
    plain = subprocess.run([*command, "-", str(b)], input=a.read_bytes(), capture_output=True, env=environment)
    assert plain.returncode == 1, plain.stderr
    assert plain.stdout.startswith(b"diverged at tick 1: hash is 0000000000000002 / 0000000000000003")
    assert b"\x1b" not in plain.stdout
    colour = subprocess.run([*command, str(a), str(b), "--color", "always"], capture_output=True, env=environment)
    assert b"\x1b[" in colour.stdout


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_process_substitution(tmp_path: Path) -> None:
    """Both sides may be pipes, as with <(...)."""
    environment = {**os.environ, "NO_COLOR": "1", "PY": sys.executable}
    sides = " ".join(f'<(printf "0 aa01\\n1 bb02\\n2 {last}\\n")' for last in ("cc03", "cc04"))
    script = f'"$PY" -m detcheck.cli.main diff {sides}'
    ran = subprocess.run(["bash", "-c", script], capture_output=True, env=environment, check=False)
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.startswith(b"diverged at tick 2")


def test_narrow_and_ascii(tmp_path: Path) -> None:
    """At 50 columns in an ASCII terminal nothing is escaped or broken but the verdict line."""
    sides = [str(SAMPLES / "jsonl_f32tokens" / name) for name in ("a.jsonl", "b.jsonl")]
    environment = {**os.environ, "COLUMNS": "50", "PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "detcheck.cli.main", "diff", *sides]
    ran = subprocess.run(command, capture_output=True, env=environment, check=False)
    report = ran.stdout.decode("ascii").splitlines()
    assert all(len(line) <= 50 for line in report[1:] if not line.startswith(("a: ", "b: ", "ticks "))), report
    assert "\\u" not in ran.stdout.decode("ascii")


def test_help_names_exits_and_examples(run: Any) -> None:
    """The help text says how it ends and how it is called."""
    ran = run("diff", "--help")
    assert ran.code == 0
    for word in ("Exits: 0 same, 1 diverged", "<(./build-a/sim)", "--tolerance", "--map"):
        assert word in ran.out
