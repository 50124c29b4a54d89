"""`detcheck run`, end to end: verdicts, exits, words, and what a hostile folder does to it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cli_project import DUEL, FIXED, FLOAT, STEP, TRAP, WRAPPING, Project


def replaced(path: Path, old: str, new: str, count: int = 1) -> None:
    """Change a file's text; the old text has to be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, count), encoding="utf-8", newline="\n")


def test_equal_ends_with_one_line_of_what_was_compared(project: Project) -> None:
    """Everything equal: a line a replay, then one line that sums up, exit 0, nothing on stderr."""
    done = project.run("run")
    assert done.code == 0
    assert done.err == ""
    lines = done.out.splitlines()
    assert len(lines) == 6
    assert lines[0].split() == ["duel", FIXED, ".....", "equal"]
    assert lines[-1].startswith("equal: 2 scenarios on 3 backends, 5 replays, 22 checkpoints and 98 ticks compared in ")


def test_quiet_shows_the_summary_alone(project: Project) -> None:
    """-q on a green run is one line."""
    done = project.run("run", "-q")
    assert done.code == 0
    assert len(done.out.splitlines()) == 1


def test_selection_by_name_glob_path_and_backend(project: Project) -> None:
    """A name, a glob, a path and --backend select what they say."""
    assert project.run("run", "step", "-q").has("3 replays")
    assert project.run("run", "s*", "-q").has("1 scenario ", "3 replays")
    assert project.run("run", "scenarios/duel.toml", "-q").has("2 replays")
    assert project.run("run", "step", "st*", "scenarios/step.toml", "-q").has("3 replays")
    one = project.run("run", "--backend", FLOAT)
    assert one.has("2 replays")
    left_out = project.run("run", "--backend", WRAPPING)
    assert left_out.code == 0
    assert left_out.has("note: duel: left out on fixed_wrapping_16_16", "1 replay")


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (["dule"], 2, ["no scenario 'dule'", "did you mean duel?", "detcheck list"]),
        (["scenarios/dule.toml"], 2, ["scenarios/dule.toml", "no such file"]),
        (["scenarios/"], 2, ["folder"]),
        (["x*"], 4, ["nothing was selected", "x*"]),
        (["duel", "--backend", WRAPPING], 4, ["nothing was selected", WRAPPING]),
        (["--backend", "fixed_point"], 2, ["no backend 'fixed_point'", "did you mean fixed_point_16_16"]),
        (["--backend", ""], 2, ["--backend"]),
        (["--executor", "refrence"], 2, ["no executor 'refrence'", "reference"]),
        (["--scenarios", "nowhere"], 2, ["nowhere", "not there"]),
        (["-j", "0"], 2, ["jobs"]),
        (["-j", "x"], 2, ["jobs"]),
        (["--color", "blue"], 2, ["blue", "auto"]),
        (["--expected", "nothing.jsonl"], 2, ["nothing.jsonl"]),
        (["--json", "-", "--markdown", "-"], 2, ["--json and --markdown"]),
        (["--json", "no/", "-q"], 2, ["no"]),
    ],
)
def test_what_cannot_be_selected_says_so(project: Project, argv: list[str], code: int, words: list[str]) -> None:
    """Missing names and files are 2, a filter that leaves nothing is 4; each with its words, before any replay."""
    if argv[:1] == ["--json"] and argv[1] == "no/":
        (project.folder / "no").mkdir()
        argv = ["--json", "no"]
    done = project.run("run", *argv)
    assert (done.code, done.has(*words)) == (code, True), done
    assert done.out == ""


def test_an_empty_folder_is_nothing_selected(empty: Project) -> None:
    """An empty scenarios folder is exit 4, a missing one 2, a file in its place 2."""
    missing = empty.run("run")
    assert missing.code == 2
    assert missing.has("scenarios", "detcheck init")
    (empty.folder / "scenarios").mkdir()
    none = empty.run("run")
    assert none.code == 4
    assert none.has("nothing was selected", "holds no scenario")
    (empty.folder / "scenarios").rmdir()
    (empty.folder / "scenarios").write_text("")
    assert empty.run("run").code == 2


def test_a_missing_golden_is_inconclusive_and_never_made(project: Project) -> None:
    """No golden: exit 3, the command that records it, nothing written."""
    project.golden("duel").unlink()
    before = project.files()
    done = project.run("run", "duel")
    assert done.code == 3
    assert done.has("inconclusive", "no golden", f"detcheck regen duel --backend {FIXED}", "1 inconclusive, 1 equal")
    assert project.files() == before


def test_a_changed_hash_digit_is_named_as_damage(project: Project) -> None:
    """One hex digit of a golden's hash: diverged, with file and line."""
    golden = project.golden("step")
    line = golden.read_text().splitlines()[11]
    tick, state_hash = line.split(" ")[:2]
    replaced(golden, f"{tick} {state_hash}", f"{tick} {'0' if state_hash[0] != '0' else '1'}{state_hash[1:]}")
    done = project.run("run", "step")
    assert done.code == 1
    assert done.has("diverged at 0", f"golden/step/{FIXED}.txt:12", "edited or damaged", "version control")


def test_a_changed_part_digit_is_named_as_damage_with_its_part(project: Project) -> None:
    """One hex digit of a part: diverged, damaged, the part with both digests."""
    golden = project.golden("duel")
    digest = golden.read_text().splitlines()[12].split("unit.vel=")[1][:16]
    other = ("0" if digest[0] != "0" else "1") + digest[1:]
    replaced(golden, digest, other)
    done = project.run("run", "duel", "--backend", FIXED)
    assert done.code == 1
    assert done.has("diverged at 10", "edited or damaged", "unit.vel", digest, other, f"run duel --backend {FIXED}")


def test_a_changed_constant_is_an_identity_mismatch(project: Project) -> None:
    """One constant of a scenario: inconclusive, both config hashes, nothing replayed, the regen command."""
    replaced(project.folder / "scenarios/duel.toml", "0.93", "0.94")
    done = project.run("run", "duel", "--backend", FIXED)
    assert done.code == 3
    assert done.has("identity mismatch, nothing was replayed", ".txt:7: config is", "detcheck regen duel")


def test_a_changed_seed_is_an_identity_mismatch(project: Project) -> None:
    """The seed: inconclusive with both seeds."""
    replaced(project.folder / "scenarios/duel.toml", "seed = 77", "seed = 78")
    done = project.run("run", "duel", "--backend", FIXED)
    assert done.code == 3
    assert done.has("seed is 0x000000000000004d, the scenario has 0x000000000000004e")


def test_a_golden_of_another_backend_is_an_identity_mismatch(project: Project) -> None:
    """A golden copied from another backend: inconclusive, and says that replays do not cross backends."""
    project.golden("duel").write_bytes(project.golden("duel", FLOAT).read_bytes())
    done = project.run("run", "duel", "--backend", FIXED)
    assert done.code == 3
    assert done.has(f"{FIXED}.txt:3: backend is {FLOAT}", "do not cross backends")


def test_a_golden_of_another_range_compares_what_is_common(project: Project) -> None:
    """More ticks than the golden: the common ones are compared, then inconclusive with both ranges."""
    replaced(project.folder / "scenarios/step.toml", "ticks = 6", "ticks = 8")
    done = project.run("run", "step", "--backend", FIXED)
    assert done.code == 3
    assert done.has("ticks 0..6", "ticks 0..8", "detcheck regen step")


def test_a_truncated_golden_is_invalid_input(project: Project) -> None:
    """A golden cut in the middle of a line: exit 2 with file and line; whole lines missing: inconclusive."""
    golden = project.golden("step")
    data = golden.read_bytes()
    golden.write_bytes(data[:-20])
    cut = project.run("run", "step", "--backend", FIXED)
    assert cut.code == 2
    assert cut.has(f"golden/step/{FIXED}.txt:15", "cut", "version control", "regen step")
    golden.write_bytes(b"".join(data.splitlines(keepends=True)[:-1]))
    short = project.run("run", "step", "--backend", FIXED)
    assert short.code == 3
    assert short.has("3 of 4 lines")


def test_hostile_files_as_goldens(project: Project) -> None:
    """10 MB of garbage, a folder, nothing, a broken link in a golden's place: exit 2 in words, others still run."""
    golden = project.golden("step")
    golden.write_bytes(os.urandom(10_000_000))
    garbage = project.run("run", "step")
    assert garbage.code == 2
    assert garbage.has(f"golden/step/{FIXED}.txt:1", "2 equal")
    assert len(garbage.out) < 4000
    golden.write_bytes(b"")
    assert project.run("run", "step", "--backend", FIXED).code == 2
    golden.unlink()
    golden.mkdir()
    assert project.run("run", "step", "--backend", FIXED).code == 2
    golden.rmdir()
    golden.symlink_to("nowhere")
    assert project.run("run", "step", "--backend", FIXED).code in (2, 3)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_is_refused_before_it_is_opened(project: Project) -> None:
    """A FIFO as scenario or golden never blocks: exit 2."""
    project.golden("step").unlink()
    os.mkfifo(project.golden("step"))
    golden = project.run("run", "step", "--backend", FIXED)
    assert golden.code == 2
    assert golden.has("regular file")
    os.mkfifo(project.folder / "scenarios/pipe.toml")
    scenario = project.run("run", "duel", "pipe")
    assert scenario.code == 2
    assert scenario.has("pipe", "regular file", "2 equal")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no user ids here")
def test_a_folder_without_permission_is_invalid_input(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be read: exit 2 naming it."""
    locked = project.folder / "scenarios/locked"
    locked.mkdir()
    locked.chmod(0)
    if os.geteuid() == 0:
        real = os.scandir

        def scandir(path):  # type: ignore[no-untyped-def]
            if os.fspath(path).endswith("locked"):
                raise PermissionError(13, "Permission denied", os.fspath(path))
            return real(path)

        monkeypatch.setattr(os, "scandir", scandir)
    done = project.run("run")
    locked.chmod(0o755)
    assert done.code == 2
    assert done.has("scenarios/locked", "Permission denied")


def test_crlf_and_bom_change_nothing(project: Project) -> None:
    """A scenario with CRLF and a BOM, a golden with CRLF: still equal."""
    for path in (project.folder / "scenarios/duel.toml", project.golden("duel")):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    scenario = project.folder / "scenarios/duel.toml"
    scenario.write_bytes(b"\xef\xbb\xbf" + scenario.read_bytes())
    assert project.run("run", "duel").code == 0


def test_a_trap_is_an_error_with_its_place(empty: Project) -> None:
    """A trap: exit 2 with tick, system, line, row and operands; checkpoints before it are shown."""
    empty.scenario("fall", TRAP)
    assert empty.run("run", "fall").code == 3
    golden = empty.golden("fall", WRAPPING)
    golden.parent.mkdir(parents=True)
    golden.write_text("0 0123456789abcdef\n")
    done = empty.run("run", "fall")
    assert done.code == 2
    assert done.has("trap: division by zero", "tick 3", "fall", "row 0", "scenarios/fall.toml:", "1 error")


def test_one_broken_scenario_does_not_stop_the_others(project: Project) -> None:
    """A file that is no scenario is an error result with every fault; the others run."""
    project.scenario("broken", "[scenario]\nticks = -1\nnonsense = 3\n")
    done = project.run("run")
    assert done.code == 2
    assert done.has("broken", "nonsense", "ticks", "1 error, 5 equal")


def test_two_files_of_one_name_are_refused(project: Project) -> None:
    """Names are unique below the folder: both files are named, others run."""
    (project.folder / "scenarios/more").mkdir()
    (project.folder / "scenarios/more/step.toml").write_text(STEP)
    done = project.run("run")
    assert done.code == 2
    assert done.has("scenarios/more/step.toml", "scenarios/step.toml", "same scenario name", "2 equal")


def test_exit_first_stops_at_the_first_failure(project: Project) -> None:
    """-x: what comes after the first result that is not equal is not run, and that is said."""
    project.golden("duel").unlink()
    done = project.run("run", "-x")
    assert done.code == 3
    assert done.has("nothing replayed", "stopped before 4 more")


def test_jobs_change_nothing_of_the_output(project: Project) -> None:
    """-j 2 prints the same lines in the same order, with threads and with processes."""

    def lines(*argv: str) -> list[str]:
        return project.run("run", *argv).out.splitlines()[:-1]

    plain = lines()
    assert plain == lines("-j", "2")
    assert plain == lines("-j", "2", "--executor", "reference")


def test_json_holds_what_the_format_promises(project: Project) -> None:
    """--json: version, platform, canaries, a result each with hashes and identity; exit_code is the exit."""
    project.golden("step", FLOAT).unlink()
    done = project.run("run", "--json", "out.json")
    assert done.code == 3
    report = json.loads((project.folder / "out.json").read_text())
    assert report["version"] == 1
    assert report["exit_code"] == 3
    assert {"os", "arch", "python"} <= set(report["platform"])
    assert [r["verdict"] for r in report["results"]] == ["equal"] * 4 + ["inconclusive"]
    first = report["results"][0]
    assert (first["scenario"], first["backend"]) == ("duel", FIXED)
    assert list(first["hashes"]) == ["0", "10", "20", "30", "40"]
    assert first["identity"]["seed"] == "0x000000000000004d"
    assert first["checkpoints"] == first["equal_checkpoints"] == 5
    assert report["summary"]["equal"] == 4


def test_a_report_on_standard_output_moves_the_console(project: Project) -> None:
    """--json -: standard output is the report alone; --json and --junit at once both are written."""
    done = project.run("run", "--json", "-", "--junit", "out.xml")
    assert done.code == 0
    assert json.loads(done.out)["exit_code"] == 0
    assert "equal: 2 scenarios" in done.err
    assert (project.folder / "out.xml").read_text().startswith("<?xml")


def test_an_unwritable_report_fails_before_anything_is_replayed(project: Project) -> None:
    """A report's folder that is a file: exit 2, no result printed."""
    (project.folder / "file").write_text("")
    done = project.run("run", "--json", "file/out.json")
    assert done.code == 2
    assert done.out == ""
    assert done.has("file/out.json", "cannot be written")


def test_a_file_elsewhere_uses_the_goldens_beside_its_folder(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path outside the scenarios folder: goldens beside the folder it lies in; the pasted command uses the path."""
    other = tmp_path / "elsewhere"
    other.mkdir()
    monkeypatch.chdir(other)
    assert project.run("run", "../scenarios/duel.toml").code == 0
    project.golden("duel").unlink()
    assert project.run("run", "../scenarios/duel.toml").has("run ../scenarios/duel.toml --backend")


def test_settings_flag_over_environment_over_file(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """[tool.detcheck] is used, the environment wins over it, a flag over both; unknown keys are refused."""
    (project.folder / "scenarios").rename(project.folder / "data")
    toml = project.folder / "pyproject.toml"
    toml.write_text('[tool.detcheck]\nscenarios = "data"\nbackends = ["float_pinned_32"]\n')
    assert project.run("run", "-q").has("2 replays")
    monkeypatch.setenv("DETCHECK_BACKENDS", FIXED)
    assert project.run("run", "step").has(FIXED, "1 replay")
    assert project.run("run", "step", "--backend", WRAPPING).has(WRAPPING, "1 replay")
    toml.write_text("[tool.detcheck]\nscenario = 'data'\n")
    unknown = project.run("run")
    assert unknown.code == 2
    assert unknown.has("pyproject.toml", "'scenario'", "known keys: scenarios")


def test_colour_follows_the_rules(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Off a terminal no colour; --color always, FORCE_COLOR and GITHUB_ACTIONS turn it on; NO_COLOR off."""
    assert "\x1b" not in project.run("run", "step").out
    assert "\x1b" in project.run("run", "step", "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in project.run("run", "step").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in project.run("run", "step").out
    assert "\x1b" in project.run("run", "step", "--color", "always").out
    assert "\x1b" not in project.run("run", "step", "--color", "never").out


def test_names_in_files_are_data(project: Project) -> None:
    """Markup, emoji codes and escapes of a file reach the output as visible text."""
    project.scenario("odd", DUEL.replace('summary = "Two', 'bogus = "\\u001b[31m[red]:smile:"\nsummary = "Two'))
    done = project.run("run", "odd", "--color", "always")
    assert done.code == 2
    assert "\x1b[31m[red]" not in done.out


@pytest.mark.skipif(os.name == "nt", reason="names Windows cannot have")
def test_names_of_files_are_data(project: Project) -> None:
    """A folder and a scenario whose names hold escapes: nothing of them reaches a terminal raw, in any command."""
    odd = project.folder / "we\x1b[31mird\n"
    odd.mkdir()
    (odd / "duel.toml").write_text(DUEL)
    (odd / "b\x1b[2Jad.toml").write_text("[")
    (project.folder / "scenarios/b\x1b[2Jad.toml").write_text("[")
    for argv in (
        ("run", str(odd / "duel.toml")),
        ("run", str(odd / "duel.toml"), "--color", "always"),
        ("run", str(odd / "b\x1b[2Jad.toml")),
        ("run", "--scenarios", str(odd)),
        ("run", str(odd) + "/no\x1b[31mne.toml"),
        ("run", "\x1b[31m"),
        ("run",),
        ("list",),
        ("check",),
        ("regen",),
        ("dump", str(odd / "b\x1b[2Jad.toml")),
        ("vectors", "check", str(odd)),
        ("explain", "\x1b[31m"),
        ("\x1b[31m",),
        ("run", "--\x1b[2J"),
    ):
        done = project.run(*argv)
        assert done.code != 70, argv
        assert "\x1b[2J" not in done.out + done.err, argv
        assert "\x1b[31mird" not in done.out + done.err, argv
        assert "\x1b[31m\n" not in done.out + done.err, argv
