"""`detcheck check`, `list`, `doctor`, `vectors`: commands that look and do not replay scenarios."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_project import DUEL, FIXED, FLOAT, STEP, WRAPPING, Project

from detcheck.model.run_report import Canary
from detcheck.numbers.fixed_point_16_16 import FixedPoint1616


def test_check_says_what_was_fine_and_every_fault(project: Project) -> None:
    """check: fine files are named, all faults of all files shown with line and caret, exit 2; nothing is replayed."""
    good = project.run("check")
    assert good.code == 0
    assert good.has(f"scenarios/duel.toml: fine, on {FIXED}, {FLOAT}", "2 files checked, no faults")
    project.scenario("bad", DUEL.replace("normalize(to)", "normalise(to)").replace("ticks = 40", "ticks = -4"))
    bad = project.run("check", "scenarios/bad.toml", "scenarios/duel.toml")
    assert bad.code == 2
    assert bad.has("scenarios/bad.toml:", "normalise", "ticks", "scenarios/duel.toml: fine", "2 faults in 1 of 2 files")
    assert "\n    " in bad.out
    assert "^" in bad.out
    assert "fine" not in project.run("check", "-q").out


def test_check_refuses_what_is_not_there(project: Project) -> None:
    """check of a missing file is exit 2, of an empty folder 4."""
    assert project.run("check", "nowhere.toml").code == 2
    (project.folder / "none").mkdir()
    assert project.run("check", "--scenarios", "none").code == 4


def test_list_shows_backends_ticks_parts_and_goldens(project: Project) -> None:
    """list: summary, ticks, checkpoints, parts, rows, generator, and how each golden stands."""
    (project.folder / "scenarios/step.toml").write_text(STEP.replace("seed = 1", "seed = 2"))
    project.golden("duel", FLOAT).unlink()
    done = project.run("list")
    assert done.code == 0
    assert done.has("duel: Two sides drift, aim and trade rolls", "40 ticks, 5 checkpoints, 6 parts, 4 rows, mt19937")
    assert done.has(f"{FIXED} golden", f"{FLOAT} no golden", f"{WRAPPING} golden of another identity: seed")
    assert project.run("list", "-q").out == "duel\nstep\n"
    assert project.run("list", "duel", "-v").has("parts: rng world.score unit.pos")


def test_list_tells_a_broken_scenario(project: Project) -> None:
    """A file that is no scenario is listed with its faults, exit 2."""
    project.scenario("bad", "[scenario]\n")
    done = project.run("list")
    assert done.code == 2
    assert done.has("bad: error", "duel: Two sides")


def test_doctor_shows_the_machine_and_every_canary(empty: Project) -> None:
    """doctor: versions, compiler, loops; every canary holds on a machine that runs these tests."""
    done = empty.run("doctor")
    assert done.code == 0
    assert done.has("detcheck ", "python ", "xxhash ", "native executor", "canaries hold")


def test_a_failed_canary_refuses_replays_and_names_its_cause(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A canary that fails: run is exit 2 naming it, regen records nothing, doctor is exit 2."""
    from detcheck.engine import canaries

    failed = (Canary("flush_to_zero", False, "denormals are flushed: a library was built with -ffast-math"),)
    monkeypatch.setattr(canaries, "run_canaries", lambda executor, backend: failed)
    run = project.run("run", "duel")
    assert run.code == 2
    assert run.has("canary flush_to_zero failed, nothing was replayed", "-ffast-math", "detcheck doctor")
    assert project.run("regen", "duel").has("not recorded", "flush_to_zero")
    doctor = project.run("doctor")
    assert doctor.code == 2
    assert doctor.has("FAIL flush_to_zero", "1 of 1 canaries failed")


@pytest.mark.parametrize(("executor", "other"), [("generated", "reference"), ("reference", "auto")])
def test_a_cross_check_tries_the_canaries_of_both(
    executor: str, other: str, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What only the other executor stands on is tried too: with a failed canary nothing is compared, exit 2."""
    from detcheck.engine import canaries
    from detcheck.engine.executors import resolve

    def run_canaries(name: str, backend: str) -> tuple[Canary, ...]:
        return (Canary("contraction (there)", name != resolve(other), "a product and a sum were fused"),)

    monkeypatch.setattr(canaries, "run_canaries", run_canaries)
    assert project.run("run", "duel", "--executor", executor).code == 0
    crossed = project.run("run", "duel", "--executor", executor, "--cross-check")
    assert crossed.code == 2
    assert crossed.has("canary contraction (there) failed")


def test_vectors_make_and_check_agree(empty: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What make writes, check finds equal; a changed operation differs (1) with both answers; garbage is exit 2."""
    made = empty.run(
        "vectors", "make", "--backend", FIXED, "--op", "mul", "-n", "40", "--seed", "0x7", "-o", "mul.jsonl"
    )
    assert made.code == 0
    printed = empty.run("vectors", "make", "--backend", FIXED, "--op", "mul", "-n", "40", "--seed", "7")
    assert printed.out == (empty.folder / "mul.jsonl").read_text()
    good = empty.run("vectors", "check", "mul.jsonl")
    assert good.code == 0
    assert good.has("reference: 40 equal")
    monkeypatch.setattr(FixedPoint1616, "mul", staticmethod(lambda a, b: (a * b) >> 16))
    bad = empty.run("vectors", "check", "mul.jsonl", "--engine", "reference")
    assert bad.code == 1
    assert bad.has("differ", "mul.jsonl:", "mul(")
    Path("junk.jsonl").write_bytes(b"\x00\xff{}\n")
    junk = empty.run("vectors", "check", "junk.jsonl", "mul.jsonl", "--engine", "reference")
    assert junk.code == 2
    assert junk.has("junk.jsonl:1", "mul.jsonl:")


@pytest.mark.parametrize(
    "argv",
    [
        ["make", "--backend", "fixed", "-n", "4"],
        ["make", "--backend", FIXED, "-n", "0"],
        ["make", "--backend", FIXED, "--op", "sin", "-n", "1"],
        ["make", "--backend", FIXED, "-n", "1", "--seed", "x"],
        ["check"],
        ["check", "nowhere.jsonl"],
        ["chekc", "x"],
    ],
)
def test_vectors_refuses_what_makes_no_sense(empty: Project, argv: list[str]) -> None:
    """Usage errors of vectors are exit 2 with words and nothing on standard output."""
    done = empty.run("vectors", *argv)
    assert done.code == 2
    assert done.err
    assert done.out == ""


def test_dumped_json_is_one_record_a_tick(project: Project) -> None:
    """dump: head, then the checkpoints; --ticks every tick of the range; --every; --only; both ends included."""

    def ticks(*argv: str) -> list[int]:
        done = project.run("dump", "duel", *argv)
        assert done.code == 0
        lines = [json.loads(line) for line in done.out.splitlines()]
        assert lines[0]["detcheck"] == "dump"
        return [line["tick"] for line in lines[1:]]

    assert ticks() == [0, 10, 20, 30, 40]
    assert ticks("--ticks", "3:6") == [3, 4, 5, 6]
    assert ticks("--ticks", "38:") == [38, 39, 40]
    assert ticks("--ticks", ":2") == [0, 1, 2]
    assert ticks("--ticks", "7") == [7]
    assert ticks("--ticks", "5:40", "--every", "15") == [15, 30, 40]
    assert ticks("--every", "25") == [0, 25, 40]
    assert ticks("--ticks-total", "12") == [0, 10, 12]


def test_dumps_are_of_the_replay_that_run_compares(project: Project) -> None:
    """A dump's hashes are the golden's, on every executor; another seed is another identity and other hashes."""
    golden = [line.split()[1] for line in project.golden("duel").read_text().splitlines() if line[0] != "#"]
    for executor in ("auto", "generated", "reference"):
        lines = project.run("dump", "duel", "--executor", executor).out.splitlines()
        assert [json.loads(line)["hash"] for line in lines[1:]] == golden
    other = project.run("dump", "duel", "--seed", "0x4e").out.splitlines()
    assert json.loads(other[0])["identity"]["seed"] == "0x000000000000004e"
    assert json.loads(other[1])["hash"] != golden[0]


def test_dump_to_a_file_is_compressed_by_suffix_and_replaced_as_a_whole(project: Project) -> None:
    """-o: .gz .bz2 .xz compress, diff says same of any two; --csv has a row a tick, table and row."""
    for name in ("a.jsonl", "a.jsonl.gz", "a.jsonl.bz2", "a.jsonl.xz"):
        done = project.run("dump", "duel", "-o", name)
        assert done.code == 0
        assert done.has(f"5 states of duel on {FIXED} written to {name}")
    assert Path("a.jsonl.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert project.run("diff", "a.jsonl", "a.jsonl.xz").code == 0
    table = project.run("dump", "duel", "--csv", "--only", "unit.hp", "--ticks", "0:1").out.splitlines()
    assert table[0] == "tick,table,row,hp"
    assert len(table) == 1 + 2 * 4
    assert project.run("dump", "duel", "-o", "/dev/null").code == 0


def test_a_trap_keeps_the_states_before_it(empty: Project) -> None:
    """A trapping replay: exit 2, and the dump holds what came before."""
    from cli_project import TRAP

    empty.scenario("fall", TRAP)
    done = empty.run("dump", "fall", "--ticks", "0:8", "-o", "fall.jsonl")
    assert done.code == 2
    assert done.has("division by zero", "tick 3")
    lines = Path("fall.jsonl").read_text().splitlines()
    assert [json.loads(line)["tick"] for line in lines[1:]] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["duel", "--ticks", "9:3"], 2),
        (["duel", "--ticks", "x"], 2),
        (["duel", "--ticks", ""], 2),
        (["duel", "--ticks", "1:2:3"], 2),
        (["duel", "--ticks", "41:50"], 4),
        (["duel", "--ticks", "11:19", "--every", "10"], 4),
        (["duel", "--backend", WRAPPING], 2),
        (["duel", "--backend", "fixed"], 2),
        (["duel", "--seed", "-1"], 2),
        (["duel", "--seed", "0x100000000"], 2),
        (["duel", "--only", "nothing.there"], 2),
        (["d*"], 2),
        (["nobody"], 2),
        (["duel", "-o", "scenarios"], 2),
        ([], 2),
    ],
)
def test_dump_refuses_what_makes_no_sense(project: Project, argv: list[str], code: int) -> None:
    """Wrong ranges, seeds, backends, paths, names: words on stderr, nothing on standard output, nothing written."""
    before = project.files()
    done = project.run("dump", *argv)
    assert done.code == code
    assert done.err
    assert done.out == ""
    assert project.files() == before
