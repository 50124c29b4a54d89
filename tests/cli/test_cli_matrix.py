"""`detcheck matrix`, end to end: real reports of `run --json`, edited by hand to disagree in each way."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_project import FIXED, FLOAT, Project

Document = dict[str, Any]
Edit = Callable[[Document], None]


@pytest.fixture
def report(project: Project) -> Document:
    """What `detcheck run --json` writes here: five replays, all equal."""
    assert project.run("run", "-q", "--json", "base.json").code == 0
    document: Document = json.loads((project.folder / "base.json").read_text())
    return document


def save(project: Project, document: Document, name: str, os: str, edit: Edit | None = None) -> str:
    """A copy of the report as another platform's, changed by `edit`."""
    copy = json.loads(json.dumps(document))
    copy["platform"]["os"] = os
    if edit is not None:
        edit(copy)
    (project.folder / name).write_text(json.dumps(copy))
    return name


def result(document: Document, scenario: str, backend: str) -> Document:
    """One result of a report."""
    found: Document = next(r for r in document["results"] if (r["scenario"], r["backend"]) == (scenario, backend))
    return found


def diverged(scenario: str, backend: str, tick: int, digit: str = "f") -> Edit:
    """Hashes from `tick` on are others, and the verdict says so."""

    def edit(document: Document) -> None:
        found = result(document, scenario, backend)
        found["verdict"], found["first_divergent_checkpoint"] = "diverged", tick
        found["hashes"] = {t: h if int(t) < tick else digit * 16 for t, h in found["hashes"].items()}

    return edit


def support(project: Project, *files: str) -> tuple[int, dict[str, dict[str, str]], Document]:
    """Exit, list and whole document of a merge."""
    done = project.run("matrix", *files, "--json", "out.json", "--markdown", "out.md")
    document: Document = json.loads((project.folder / "out.json").read_text())
    assert document["exit_code"] == done.code
    return done.code, document["support"], document


def columns(list_: dict[str, dict[str, str]], backend: str) -> list[str]:
    return list(list_[backend].values())


def test_platforms_that_agree(project: Project, report: Document) -> None:
    """Everything equal: supported everywhere, exit 0, the grid of dots."""
    files = [save(project, report, f"{os}.json", os) for os in ("linux", "windows", "darwin")]
    done = project.run("matrix", *files)
    assert done.code == 0
    assert done.has("3 platforms, 5 replays: every platform agrees", f"{FIXED}: supported [1-3]")
    assert sum(line.endswith(" ...") for line in done.out.splitlines()) == 5


def test_a_fixed_divergence_fails(project: Project, report: Document) -> None:
    """Exit 1, the platform, the tick and the pair; never 'unsupported'."""
    files = [save(project, report, "l", "linux"), save(project, report, "w", "windows", diverged("duel", FIXED, 20))]
    code, found, document = support(project, *files)
    assert code == 1
    assert columns(found, FIXED) == ["supported", "diverged"]
    assert columns(found, FLOAT) == ["supported", "supported"]
    assert "windows" in document["failures"][0]
    assert "at checkpoint 20" in document["failures"][0]
    (row,) = [r for r in document["rows"] if (r["scenario"], r["backend"]) == ("duel", FIXED)]
    assert [pair["tick"] for pair in row["disagree"]] == [20]
    assert "❌ diverged" in (project.folder / "out.md").read_text()


def test_a_float_divergence_is_declared(project: Project, report: Document) -> None:
    """Exit 0: the platform is unsupported, the golden stays."""
    files = [save(project, report, "l", "linux"), save(project, report, "w", "windows", diverged("duel", FLOAT, 30))]
    code, found, document = support(project, *files)
    assert code == 0
    assert columns(found, FLOAT) == ["supported", "unsupported"]
    assert document["failures"] == []
    assert "declared unsupported, the golden stays" in document["remarks"][0]
    done = project.run("matrix", *files, "-q")
    assert done.has("unsupported: float_pinned_32 on windows", "not all agree")


def test_float_platforms_that_diverge_unlike_each_other(project: Project, report: Document) -> None:
    """Two platforms that leave the golden at other ticks are two groups, with every pair and its tick."""
    files = [
        save(project, report, "l", "linux"),
        save(project, report, "w", "windows", diverged("duel", FLOAT, 30)),
        save(project, report, "d", "darwin", diverged("duel", FLOAT, 20, "e")),
    ]
    code, found, document = support(project, *files)
    assert code == 0
    assert columns(found, FLOAT) == ["supported", "unsupported", "unsupported"]
    (row,) = [r for r in document["rows"] if (r["scenario"], r["backend"]) == ("duel", FLOAT)]
    assert sorted(pair["tick"] for pair in row["disagree"]) == [20, 20, 30]
    assert len(row["agree"]) == 3


def test_platforms_without_goldens_are_held_to_each_other(project: Project, report: Document) -> None:
    """Inconclusive everywhere: 3 while they agree, 1 as soon as a fixed pair does not."""

    def no_golden(document: Document) -> None:
        for found in document["results"]:
            found["verdict"], found["reason"] = "inconclusive", "there is no golden"

    def unlike(document: Document) -> None:
        no_golden(document)
        result(document, "step", FIXED)["hashes"]["4"] = "0" * 16

    same = [save(project, report, "l", "linux", no_golden), save(project, report, "w", "windows", no_golden)]
    assert support(project, *same)[0] == 3
    code, found, document = support(project, same[0], save(project, report, "d", "darwin", unlike))
    assert code == 1
    assert columns(found, FIXED) == ["not run", "not run"]
    assert "disagree at tick 4" in document["failures"][0]


def test_an_error_is_2_and_named(project: Project, report: Document) -> None:
    """A trap on one platform: not run there, exit 2, its reason shown."""

    def trap(document: Document) -> None:
        found = result(document, "step", FIXED)
        found["verdict"], found["reason"], found["hashes"] = "error", "trap: integer division by zero", {}

    files = [save(project, report, "l", "linux"), save(project, report, "w", "windows", trap)]
    code, found, document = support(project, *files)
    assert code == 2
    assert columns(found, FIXED) == ["supported", "not run"]
    assert "integer division by zero" in document["remarks"][0]


def test_a_missing_replay_is_3(project: Project, report: Document) -> None:
    """One replay of a backend left out on one platform: inconclusive, named."""

    def forget(document: Document) -> None:
        document["results"].remove(result(document, "duel", FLOAT))

    files = [save(project, report, "l", "linux"), save(project, report, "w", "windows", forget)]
    code, found, document = support(project, *files)
    assert code == 3
    assert columns(found, FLOAT) == ["supported", "not run"]
    assert "1 of 2 replays were not run: duel" in document["remarks"][0]


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda d: result(d, "duel", FIXED)["identity"].update(config="0" * 32), ["duel", FIXED, "config", "0" * 32]),
        (lambda d: result(d, "step", FLOAT)["identity"].update(seed="0x9"), ["step", FLOAT, "seed", "0x9"]),
        (lambda d: d.update(detcheck="9.9.9"), ["9.9.9", "one version"]),
        (lambda d: d.update(version=2), ["version is 2, not 1"]),
        (lambda d: result(d, "step", FLOAT).update(verdict="fine"), ["verdict", "fine"]),
        (lambda d: result(d, "step", FLOAT)["hashes"].update({"0": "xyz"}), ["results[4].hashes", "xyz"]),
        (lambda d: d.pop("results"), ["not a report"]),
    ],
)
def test_what_cannot_be_merged_is_refused_by_name(
    project: Project, report: Document, edit: Edit, words: list[str]
) -> None:
    """Another identity or version, or what is no report: exit 2 with the file and the field, no list at all."""
    files = [save(project, report, "l.json", "linux"), save(project, report, "w.json", "windows", edit)]
    done = project.run("matrix", *files, "--markdown", "out.md")
    assert done.code == 2
    assert done.out == ""
    assert done.has("w.json", *words), done
    assert not (project.folder / "out.md").exists()


def test_a_missing_file_and_none_at_all(project: Project) -> None:
    """Exit 2, with the file's name or how to call it."""
    assert project.run("matrix", "nothing.json").has("nothing.json", "No such file")
    assert project.run("matrix", "scenarios").has("scenarios", "detcheck run --json FILE")
    assert project.run("matrix").code == 2


def test_shards_of_one_platform_are_one_column(project: Project, report: Document) -> None:
    """The reports of all shards merge into what the whole run says; without one of them it is 3 or less is listed."""
    files = []
    for index in (1, 2, 3):
        done = project.run("run", "-q", "--shard", f"{index}/3", "--json", f"s{index}.json")
        if done.code != 4:
            files.append(f"s{index}.json")
    other = save(project, report, "whole.json", "windows")
    code, found, document = support(project, *files, other)
    assert code == 0
    assert len(document["platforms"]) == 2
    assert {word for words in found.values() for word in words.values()} == {"supported"}
    assert len(files) >= 2
    code, found, document = support(project, *files[1:], other)
    assert code == 3
    assert any("no report of shard 1/3" in remark for remark in document["remarks"])
    assert "supported" not in [words["linux x86_64"] for words in found.values() if "linux x86_64" in words]


def test_two_reports_of_one_platform_that_disagree(project: Project, report: Document) -> None:
    """A platform unlike itself fails on every backend."""
    files = [save(project, report, "a", "linux"), save(project, report, "b", "linux", diverged("duel", FLOAT, 20))]
    code, _, document = support(project, *files)
    assert code == 1
    assert "two reports of" in document["failures"][0]


def test_in_a_job_the_list_is_the_summary(
    project: Project, report: Document, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Under Actions the failures are annotations and the list is appended to the job summary."""
    files = [save(project, report, "l", "linux"), save(project, report, "w", "windows", diverged("duel", FIXED, 20))]
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    done = project.run("matrix", *files)
    annotations = [line for line in done.out.splitlines() if line.startswith("::")]
    assert len(annotations) == 1
    assert annotations[0].startswith("::error title=detcheck matrix::duel [fixed_point_16_16]: windows")
    text = (tmp_path / "summary.md").read_text()
    assert text.startswith("## Support list")
    backends = ["fixed", "fixed", "float"]
    rows = [line.split(" | ") for line in text.splitlines()[2:6]]
    assert [name.split("_")[0] for name in rows[0][2:]] == backends
    assert [row[2] for row in rows[2:]] == ["✅ supported", "❌ diverged"]
    assert "| duel | fixed_point_16_16 | 1 | diverged 2 | 1 / 2 from tick 20 |" in text


def test_hostile_names_in_reports_stay_data(
    project: Project, report: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names and reasons of a report reach neither the terminal nor the table raw."""

    def hostile(document: Document) -> None:
        document["platform"]["os"] = "a|b\x1b[31m\n::error::x ##[error]y"
        found = result(document, "duel", FIXED)
        found["scenario"], found["identity"] = "\n::error::x|\x1b##[error]", None
        found["verdict"], found["reason"] = "error", "\n::error::x ##[error]"

    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("NO_COLOR", "1")
    save(project, report, "h", "linux", hostile)
    done = project.run("matrix", "h", "base.json", "--markdown", "out.md")
    text = (project.folder / "out.md").read_text()
    for line in (done.out + done.err + text).splitlines():
        assert line.isprintable()
        assert not line.lstrip().startswith("::")
    assert "##[" not in done.out + done.err + text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert {line.count("|") for line in rows} == {6}


def test_fewer_reports_than_expected(project: Project, report: Document) -> None:
    """--expect N: a platform that wrote no report is missed (3); more than N is fine; N is a number from 1."""
    files = [save(project, report, "l", "linux"), save(project, report, "m", "macos")]
    done = project.run("matrix", *files, "--expect", "3")
    assert done.code == 3
    assert done.has("2 of 3 expected reports came", "incomplete")
    assert project.run("matrix", *files, "--expect", "1").code == 0
    assert project.run("matrix", *files, "--expect", "0").code == 2
