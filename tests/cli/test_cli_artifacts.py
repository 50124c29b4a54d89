"""`run --artifacts DIR`: what a red run leaves, that it can be worked with elsewhere, and nothing otherwise."""

from __future__ import annotations

import gzip
import json
import shlex
import shutil
from pathlib import Path

import pytest
from cli_project import DUEL, FIXED, FLOAT, TRAP, WRAPPING, Project

from detcheck.model.run_report import ScenarioResult
from detcheck.runner import artifact_dump
from detcheck.scenario.load import load


def dump_ticks(file: Path) -> list[int]:
    """The ticks of a dump."""
    lines = gzip.decompress(file.read_bytes()).splitlines()[1:]
    return [json.loads(line)["tick"] for line in lines]


def diverge(project: Project, name: str = "duel", backend: str = FIXED) -> None:
    """Give a golden the hashes of another seed's replay under its own identity: a true divergence at tick 10."""
    text = project.golden(name, backend).read_text()
    head = [line for line in text.splitlines() if line.startswith("#")]
    other = project.scenario("other", DUEL.replace("hp -= roll(0, 2)", "hp -= roll(0, 3)"))
    project.record("other")
    lines = project.golden("other", backend).read_text().splitlines()
    shutil.rmtree(project.golden("other").parent)
    other.unlink()
    body = [line for line in lines if not line.startswith("#")]
    project.golden(name, backend).write_text("\n".join([*head, *body]) + "\n", newline="\n")


def test_a_red_replay_leaves_a_small_project(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Report, scenario, golden, states and commands; the folder replays alone, to the same divergence."""
    diverge(project)
    done = project.run("run", "--artifacts", "left")
    assert done.code == 1
    assert done.has("artifacts: 5 files in left")
    home = project.folder / "left" / f"duel-{FIXED}"
    found = {str(p.relative_to(project.folder / "left")).replace("\\", "/") for p in home.rglob("*") if p.is_file()}
    assert found == {
        f"duel-{FIXED}/scenarios/duel.toml",
        f"duel-{FIXED}/golden/duel/{FIXED}.txt",
        f"duel-{FIXED}/actual.jsonl.gz",
        f"duel-{FIXED}/replay.txt",
    }
    report = json.loads((project.folder / "left" / "report.json").read_text())
    (red,) = [r for r in report["results"] if r["verdict"] == "diverged"]
    assert (red["scenario"], red["first_divergent_checkpoint"]) == ("duel", 10)
    alone = project.folder / "elsewhere"
    shutil.move(home, alone)
    monkeypatch.chdir(alone)
    words = shlex.split((alone / "replay.txt").read_text().split("In this folder:\n")[1].splitlines()[0])
    assert words[0] == "detcheck"
    again = project.run(*words[1:])
    assert again.code == 1
    assert again.has("diverged at 10")


def test_the_states_can_be_compared_as_the_text_says(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pasted in the folder on a good machine, the last two commands compare the dump with good states."""
    diverge(project)
    project.run("run", "duel", "--artifacts", "left")
    home = project.folder / "left" / f"duel-{FIXED}"
    dump, diff = (home / "replay.txt").read_text().splitlines()[-2:]
    monkeypatch.chdir(home)
    assert project.run(*shlex.split(dump)[1:]).code == 0
    same = project.run(*shlex.split(diff)[1:])
    assert same.code == 0, same
    assert same.has("same")


def test_the_command_of_the_repository_can_be_pasted(project: Project) -> None:
    """The flags of this run that are needed to find the same files stand in the command."""
    shutil.move(project.folder / "golden", project.folder / "gold en")
    shutil.copytree(project.folder / "scenarios", project.folder / "sims")
    text = project.folder / "gold en" / "duel" / f"{FIXED}.txt"
    text.write_text(text.read_text().replace("\n20 ", "\n20 f"), newline="\n")
    flags = ["--scenarios", "sims", "--golden", "gold en", "--executor", "reference"]
    first = project.run("run", "duel", *flags, "--artifacts", "left")
    pasted = (project.folder / "left" / f"duel-{FIXED}" / "replay.txt").read_text()
    words = shlex.split(pasted.split("In the repository:\n")[1].splitlines()[0])
    assert words[words.index("--golden") + 1] == "gold en"
    again = project.run(*words[1:])
    assert (again.code, first.code) == (2, 2)
    assert again.has("gold en")


def test_green_leaves_nothing(project: Project) -> None:
    """Not even the folder."""
    before = project.files()
    assert project.run("run", "--artifacts", "a/b").code == 0
    assert project.files() == before
    assert not (project.folder / "a").exists()


def test_the_inputs_file_comes_along(project: Project) -> None:
    """A scenario that reads inputs from beside it is left with them."""
    players = '\n[players]\nrows = 1\npush = "num"\n\n[[systems]]'
    text = DUEL.replace("hash_every = 10", 'hash_every = 10\ninputs_file = "keys.jsonl"').replace(
        "\n[[systems]]", players, 1
    )
    project.scenario("keyed", text)
    (project.folder / "scenarios" / "keys.jsonl").write_text('{"tick": 1, "player": 0, "push": 0.5}\n')
    done = project.run("run", "keyed", "--backend", FIXED, "--artifacts", "left")
    assert done.code == 3, done
    home = project.folder / "left" / f"keyed-{FIXED}" / "scenarios"
    assert sorted(p.name for p in home.iterdir()) == ["keyed.toml", "keys.jsonl"]
    assert not (home.parent / "actual.jsonl.gz").exists()


def test_a_trap_leaves_the_states_before_it(empty: Project) -> None:
    """The last states before the trap, and the words that say in which tick it comes."""
    empty.scenario("fall", TRAP.replace("3 - tick", "99 - tick"))
    empty.record("fall")
    golden = empty.golden("fall", WRAPPING)
    config = load(empty.scenario("fall", TRAP)).config_hash
    lines = [f"# config {config}" if line.startswith("# config") else line for line in golden.read_text().splitlines()]
    golden.write_text("\n".join(lines) + "\n", newline="\n")
    done = empty.run("run", "fall", "--artifacts", "left")
    assert done.code == 2, done
    assert done.has("by zero", f"reproduce: detcheck run fall --backend {WRAPPING}")
    home = empty.folder / "left" / f"fall-{WRAPPING}"
    assert dump_ticks(home / "actual.jsonl.gz") == [0, 1, 2, 3]
    text = (home / "replay.txt").read_text()
    assert "ticks 0 to 3; the trap comes in the tick after 3." in text


def test_a_file_that_is_no_scenario_is_left_with_its_faults(project: Project) -> None:
    """It is copied beside the words that say what is wrong; a name that is no name makes no folder."""
    project.scenario("bad", "[scenario]\nticks = 'x'\n")
    project.scenario("x y", "x")
    done = project.run("run", "--artifacts", "left")
    assert done.code == 2
    left = project.folder / "left"
    assert sorted(p.name for p in left.iterdir()) == ["bad", "report.json"]
    assert (left / "bad" / "scenarios" / "bad.toml").read_text() == "[scenario]\nticks = 'x'\n"
    assert "bad.toml:2" in (left / "bad" / "replay.txt").read_text()


@pytest.mark.parametrize("target", ["file", "file/deep", "scenarios/duel.toml/x"])
def test_a_folder_that_cannot_be_is_said_before_replaying(project: Project, target: str) -> None:
    """Exit 2 with the path in the way, nothing replayed, nothing left."""
    (project.folder / "file").write_text("")
    before = project.files()
    done = project.run("run", "--artifacts", target)
    assert done.code == 2
    assert done.out == ""
    assert done.has("--artifacts", target.split("/")[0])
    assert project.files() == before


def test_a_folder_that_cannot_be_written_is_said_before_replaying(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same where the folder is there and takes no file."""
    import builtins

    real = builtins.open

    def refuse(file: object, mode: str = "r", *more: object, **named: object) -> object:
        if "x" in mode and "report.json" in str(file):
            raise PermissionError(13, "Permission denied", str(file))
        return real(file, mode, *more, **named)  # type: ignore[call-overload]

    (project.folder / "left").mkdir()
    monkeypatch.setattr(builtins, "open", refuse)
    done = project.run("run", "--artifacts", "left")
    assert done.code == 2
    assert done.out == ""
    assert done.has("left: --artifacts", "Permission denied")


def test_states_too_large_are_left_out_with_words(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the limit of one tick there is no dump; within it, as many ticks as fit, the divergent one always."""
    diverge(project)
    monkeypatch.setattr(artifact_dump, "LIMIT_BYTES", 10_000)
    project.run("run", "duel", "--artifacts", "left")
    home = project.folder / "left" / f"duel-{FIXED}"
    assert not (home / "actual.jsonl.gz").exists()
    assert "no states are left here" in (home / "replay.txt").read_text()
    monkeypatch.setattr(artifact_dump, "LIMIT_BYTES", 40_000)
    project.run("run", "duel", "--artifacts", "left")
    assert dump_ticks(home / "actual.jsonl.gz") == [9, 10, 11]


def test_two_backends_of_one_scenario_are_two_folders(project: Project) -> None:
    """Each red replay has its own."""
    diverge(project)
    project.golden("duel", FLOAT).unlink()
    done = project.run("run", "duel", "--artifacts", "left")
    assert done.code == 1
    assert sorted(p.name for p in (project.folder / "left").iterdir()) == [
        f"duel-{FIXED}",
        f"duel-{FLOAT}",
        "report.json",
    ]


@pytest.mark.parametrize(
    ("exact", "unlike", "last", "room", "ticks", "expected"),
    [
        (None, 60, 0, 1000, 600, tuple(range(63))),
        (None, 60, 0, 10, 600, tuple(range(53, 63))),
        (None, 0, None, 10, 600, (0, 1, 2)),
        (None, 600, 590, 100, 600, tuple(range(590, 601))),
        (31, 60, 30, 1000, 600, (27, 28, 29, 30, 31, 32, 33, 60)),
        (31, 60, 30, 3, 600, (30, 31, 32)),
        (599, 600, 590, 1, 600, (599,)),
        (None, None, None, 1000, 3, (0, 1, 2, 3)),
        (None, None, None, 2, 30, (29, 30)),
    ],
)
def test_which_ticks_are_dumped(
    exact: int | None, unlike: int | None, last: int | None, room: int, ticks: int, expected: tuple[int, ...]
) -> None:
    """Around the exact tick, else from the last equal checkpoint on; the nearest ones when room is short."""
    result = ScenarioResult(
        "s",
        FIXED,
        "reference",
        "diverged",
        "",
        first_divergent_tick=exact,
        first_divergent_checkpoint=unlike,
        last_equal_tick=last,
    )
    assert artifact_dump.ticks_to_dump(result, room, ticks) == expected


def test_ticks_in_words() -> None:
    """Runs are shown by their ends."""
    assert artifact_dump.ticks_in_words((3, 4, 5, 9, 11, 12)) == "3 to 5, 9, 11 to 12"


def test_what_an_earlier_run_left_is_replaced_whole(project: Project) -> None:
    """Folders of results that are equal now are gone, those of red ones hold nothing old; other files stay."""
    diverge(project)
    project.golden("duel", FLOAT).unlink()
    project.run("run", "duel", "--artifacts", "left")
    left = project.folder / "left"
    (left / "notes").mkdir()
    (left / "notes" / "replay.txt.bak").write_text("mine")
    project.record("duel", "--backend", FLOAT)
    (left / f"duel-{FIXED}" / "scenarios" / "old.toml").write_text("stale")
    project.run("run", "duel", "--artifacts", "left")
    assert sorted(p.name for p in left.iterdir()) == [f"duel-{FIXED}", "notes", "report.json"]
    assert [p.name for p in (left / f"duel-{FIXED}" / "scenarios").iterdir()] == ["duel.toml"]
    project.record("duel")
    assert project.run("run", "duel", "--artifacts", "left").code == 0
    assert sorted(p.name for p in left.iterdir()) == ["notes", "report.json"]
    assert json.loads((left / "report.json").read_text())["exit_code"] == 0


def test_nothing_of_others_is_replaced_or_added_to(project: Project) -> None:
    """A folder that no run left, or that holds more than a run leaves, is named and stays as it is."""
    diverge(project)
    mine = project.folder / "left" / f"duel-{FIXED}" / "mine.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    done = project.run("run", "duel", "--backend", FIXED, "--artifacts", "left")
    assert done.code == 2
    assert done.has(f"left/duel-{FIXED}")
    mine.with_name("replay.txt").write_text("")
    assert project.run("run", "duel", "--backend", FIXED, "--artifacts", "left").has("mine.txt")
    assert mine.read_text() == "mine"


@pytest.mark.parametrize("target", ["scenarios", "scenarios/out", "golden", "golden/duel/out", "other/scenarios/x", ""])
def test_a_folder_of_scenarios_or_goldens_is_refused(project: Project, target: str) -> None:
    """What would be found as scenarios or goldens by the next run is not written there: exit 2, nothing changed."""
    diverge(project)
    other = project.folder / "other" / "scenarios"
    other.mkdir(parents=True)
    shutil.copy(project.folder / "scenarios" / "duel.toml", other / "second.toml")
    before = project.files()
    done = project.run("run", "duel", "other/scenarios/second.toml", "--artifacts", target)
    assert done.code == 2
    assert done.has("--artifacts")
    assert project.files() == before


def test_the_folders_own_command_repeats_as_the_run_did(project: Project) -> None:
    """--repeat and --cross-check stand in both commands."""
    diverge(project)
    project.run("run", "duel", "--backend", FIXED, "--repeat", "2", "--cross-check", "--artifacts", "left")
    text = (project.folder / "left" / f"duel-{FIXED}" / "replay.txt").read_text()
    commands = [line for line in text.splitlines() if line.startswith("  detcheck run")]
    assert len(commands) == 2
    assert "--repeat 2" in commands[1]
    assert "--cross-check" in commands[1]


def test_one_name_in_two_projects_is_no_clash(project: Project) -> None:
    """Names are unique below a scenarios folder; another project's file of the same name has goldens of its own."""
    diverge(project)
    shutil.copytree(project.folder / "scenarios", project.folder / "b" / "scenarios")
    shutil.copytree(project.folder / "golden", project.folder / "b" / "golden")
    both = ("scenarios/duel.toml", "b/scenarios/duel.toml")
    assert project.run("check", *both).code == 0
    done = project.run("run", *both, "--backend", FIXED, "--artifacts", "left")
    assert done.code == 1
    folders = sorted(p.name for p in (project.folder / "left").iterdir() if p.is_dir())
    assert folders == [f"duel-{FIXED}", f"duel-{FIXED}-2"]
    assert project.run("run", *both, "--golden", "golden").has("another file has the same scenario name")
