"""Merging reports of many platforms: the list, the exits, and what is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from detcheck.errors import DetcheckError
from detcheck.model.matrix import Matrix
from detcheck.reports import matrix_console, matrix_json, matrix_markdown
from detcheck.runner.matrix import merge
from detcheck.runner.run_reports import read_run_report

IDENTITY = {"scenario": "duel", "backend": "fixed_point_16_16", "seed": "0x1", "config": "ab"}
HASHES = {"0": "0" * 16, "60": "1" * 16, "120": "2" * 16}


def result(verdict: str = "equal", backend: str = "fixed_point_16_16", **fields: Any) -> dict[str, Any]:
    base = {
        "scenario": "duel",
        "backend": backend,
        "verdict": verdict,
        "reason": "",
        "identity": IDENTITY | {"backend": backend},
        "hashes": HASHES,
        "checkpoints": 3,
        "equal_checkpoints": 3 if verdict == "equal" else 1,
        "first_divergent_checkpoint": 60 if verdict == "diverged" else None,
    }
    return base | fields


def document(*results: dict[str, Any], os: str = "linux", arch: str = "x86_64", **fields: Any) -> dict[str, Any]:
    platform = {"os": os, "arch": arch, "python": "3.12"}
    return {"version": 1, "detcheck": "0.1.0", "platform": platform, "results": list(results)} | fields


def merged(tmp_path: Path, *documents: dict[str, Any]) -> Matrix:
    paths = []
    for number, content in enumerate(documents):
        path = tmp_path / f"r{number}.json"
        path.write_text(json.dumps(content))
        paths.append(str(path))
    return merge(read_run_report(p) for p in paths)


OTHER = HASHES | {"60": "f" * 16, "120": "e" * 16}


def test_all_equal_is_supported_everywhere(tmp_path: Path) -> None:
    """Two platforms that agree: one group, both supported, exit 0."""
    matrix = merged(tmp_path, document(result()), document(result(), arch="arm64"))
    assert matrix.exit_code == 0
    assert matrix.rows[0].groups == (("linux x86_64", "linux arm64"),)
    assert {word for _, _, word in matrix.support} == {"supported"}


def test_fixed_divergence_fails_and_is_never_unsupported(tmp_path: Path) -> None:
    """A fixed backend that diverges on one platform is a failure with exit 1."""
    bad = document(result("diverged", hashes=OTHER), arch="arm64")
    matrix = merged(tmp_path, document(result()), bad)
    assert matrix.exit_code == 1
    assert ("fixed_point_16_16", "linux arm64", "diverged") in matrix.support
    (pair,) = matrix.rows[0].disagreements
    assert (pair.a, pair.b, pair.tick) == ("linux x86_64", "linux arm64", 60)
    assert any("arm64 diverges from the golden at checkpoint 60" in f for f in matrix.failures)


def test_fixed_platforms_that_disagree_without_golden_fail(tmp_path: Path) -> None:
    """Without a golden the platforms are still held to each other."""
    a = document(result("inconclusive"))
    b = document(result("inconclusive", hashes=OTHER), os="windows")
    assert merged(tmp_path, a, b).exit_code == 1
    assert merged(tmp_path, a, document(result("inconclusive"), os="windows")).exit_code == 3


def test_float_divergence_is_declared_unsupported(tmp_path: Path) -> None:
    """A binary32 divergence declares the platform unsupported and passes."""
    backend = "float_pinned_32"
    bad = document(result("diverged", backend, hashes=OTHER), arch="arm64")
    matrix = merged(tmp_path, document(result(backend=backend)), bad)
    assert matrix.exit_code == 0
    assert matrix.failures == ()
    assert {(b, p): w for b, p, w in matrix.support}[backend, "linux arm64"] == "unsupported"
    assert "the golden stays" in matrix.remarks[0]


def test_two_reports_cannot_say_unlike_things_of_one_golden(tmp_path: Path) -> None:
    """On any backend: equal to the golden but not to each other, or diverged with an equal platform's hashes, fails."""
    backend = "float_pinned_32"
    twice = merged(
        tmp_path, document(result(backend=backend)), document(result(backend=backend, hashes=OTHER), arch="arm64")
    )
    assert twice.exit_code == 1
    assert "both equal to a golden, but not to each other at tick 60" in twice.failures[0]
    edited = merged(tmp_path, document(result(backend=backend)), document(result("diverged", backend), arch="arm64"))
    assert edited.exit_code == 1
    assert "linux arm64 diverges at checkpoint 60 with the very hash of linux x86_64" in edited.failures[0]


def test_a_lost_shard_is_no_success(tmp_path: Path) -> None:
    """A replay that an os and arch left out of a backend it ran is named, with exit 3 and no 'supported'."""
    other = result(scenario="orbits", identity=IDENTITY | {"scenario": "orbits"})
    matrix = merged(tmp_path, document(result(), other), document(result(), arch="arm64"))
    assert matrix.exit_code == 3
    assert matrix.support == (
        ("fixed_point_16_16", "linux x86_64", "supported"),
        ("fixed_point_16_16", "linux arm64", "not run"),
    )
    (remark,) = matrix.remarks
    assert "fixed_point_16_16 on linux arm64: 1 of 2 replays were not run: orbits" in remark


def test_shards_on_machines_that_differ_in_a_detail_are_no_gap(tmp_path: Path) -> None:
    """Shards whose machines have other loops or Pythons have columns of their own and complete each other."""
    second = document(result(scenario="orbits", identity=IDENTITY | {"scenario": "orbits"}))
    second["platform"] = second["platform"] | {"loops": "avx2"}
    matrix = merged(tmp_path, document(result()), second)
    assert (len(matrix.platforms), matrix.exit_code, matrix.remarks) == (2, 0, ())
    assert {word for _, _, word in matrix.support} == {"supported"}


def test_a_backend_that_a_platform_never_ran_is_not_run(tmp_path: Path) -> None:
    """Leaving a whole backend out on one platform is a choice: not run, no failure."""
    backend = "float_pinned_32"
    matrix = merged(tmp_path, document(result(), result(backend=backend)), document(result(), arch="arm64"))
    assert matrix.exit_code == 0
    assert (backend, "linux arm64", "not run") in matrix.support


def test_a_file_that_is_no_scenario_is_an_error_and_no_backend(tmp_path: Path) -> None:
    """Its result has no backend: it is listed by its name alone and gives exit 2, without a row of support."""
    broken = result("error", "", scenario="bad", identity=None, hashes={}, reason="line 3: what")
    matrix = merged(tmp_path, document(result(), broken), document(result(), arch="arm64"))
    assert matrix.exit_code == 2
    assert {backend for backend, _, _ in matrix.support} == {"fixed_point_16_16"}
    assert matrix.remarks == ("bad: error on linux x86_64: line 3: what",)
    assert "bad [" not in "\n".join(matrix_console.render(matrix))
    with pytest.raises(DetcheckError, match="backend is not a text"):
        merged(tmp_path, document(result(backend="", identity=None)))


def test_shards_of_one_platform_merge_and_must_not_contradict(tmp_path: Path) -> None:
    """Shards of one platform fill one column; two reports of one replay that disagree fail on any backend."""
    other = result(scenario="orbits", identity=IDENTITY | {"scenario": "orbits"})
    matrix = merged(tmp_path, document(result()), document(other))
    assert len(matrix.platforms) == 1
    assert [dict(r.cells)["linux x86_64"].verdict for r in matrix.rows] == ["equal", "equal"]
    backend = "float_pinned_32"
    twice = merged(tmp_path, document(result(backend=backend)), document(result("diverged", backend, hashes=OTHER)))
    assert twice.exit_code == 1
    assert "two reports of linux x86_64 disagree at tick 60" in twice.failures[0]


def test_platforms_of_one_kind_are_told_apart(tmp_path: Path) -> None:
    """Where os and arch are alike, the label shows the field that differs."""
    second = document(result())
    second["platform"] = second["platform"] | {"python": "3.14"}
    matrix = merged(tmp_path, document(result()), second)
    assert [p.label for p in matrix.platforms] == ["linux x86_64 python=3.12", "linux x86_64 python=3.14"]


def test_error_and_not_run(tmp_path: Path) -> None:
    """An error gives exit 2 and no support; a replay a platform never ran is not run."""
    bad = document(result("error", identity=None, hashes={}, reason="trap"), arch="arm64")
    matrix = merged(tmp_path, document(result()), bad)
    assert matrix.exit_code == 2
    assert ("fixed_point_16_16", "linux arm64", "not run") in matrix.support
    third = result(scenario="orbits", identity=IDENTITY | {"scenario": "orbits"})
    matrix = merged(tmp_path, document(result(), third), document(result(), arch="arm64"))
    assert dict(matrix.rows[1].cells)["linux arm64"].verdict == "not run"


def test_another_identity_or_version_is_refused_by_name(tmp_path: Path) -> None:
    """The refusal names the file, the replay, the field and both sides."""
    other = document(result(identity=IDENTITY | {"config": "cd"}), arch="arm64")
    with pytest.raises(DetcheckError, match=r"r1\.json: duel \[fixed_point_16_16\].*config ab there, cd here"):
        merged(tmp_path, document(result()), other)
    with pytest.raises(DetcheckError, match=r"r1\.json.*0\.2\.0"):
        merged(tmp_path, document(result()), document(result(), detcheck="0.2.0"))
    with pytest.raises(DetcheckError, match="version is 2, not 1"):
        merged(tmp_path, document(result(), version=2))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        "[" * 100_000,
        "\x00",
        '{"version":1,"detcheck":"x","platform":[],"results":[]}',
        '{"version":1,"detcheck":"x","platform":{},"results":{}}',
        '{"version":true,"detcheck":"x","platform":{},"results":[]}',
        '{"version":1,"detcheck":"x","platform":{},"results":[1]}',
        '{"version":1,"detcheck":"x","platform":{},"results":[{"scenario":"a","backend":"b","verdict":"fine"}]}',
        '{"version":1,"detcheck":"x","platform":{},"results":[{"scenario":1,"backend":"b","verdict":"equal"}]}',
        '{"version":1,"detcheck":"x","platform":{},"results":[{"scenario":"a","backend":"b","verdict":"equal","hashes":{"-1":"0"}}]}',
        '{"version":1,"detcheck":"x","platform":{},"results":[{"scenario":"a","backend":"b","verdict":"equal","hashes":{"1":"0"}}]}',
    ],
)
def test_a_file_that_is_no_report_is_a_clear_error(tmp_path: Path, text: str) -> None:
    """Whatever stands in the file, the fault names it; nothing else is raised."""
    path = tmp_path / "r.json"
    path.write_text(text)
    with pytest.raises(DetcheckError, match=r"r\.json"):
        read_run_report(str(path))


def test_views_name_every_platform_and_disagreement(tmp_path: Path) -> None:
    """Console, Markdown and JSON all carry the support words, the pairs and the tick."""
    bad = document(result("diverged", hashes=OTHER, scenario="a|b\x1b", identity=IDENTITY), arch="arm64")
    good = document(result(scenario="a|b\x1b", identity=IDENTITY))
    matrix = merged(tmp_path, good, bad)
    console = "\n".join(matrix_console.render(matrix))
    text = matrix_markdown.render(matrix)
    data = json.loads(matrix_json.render(matrix))
    for view in (console, text):
        assert "linux arm64" in view
        assert "60" in view
        assert "\x1b" not in view
    rows = [line for line in text.splitlines() if line.startswith("| a")]
    assert [row.count("|") for row in rows] == [6]
    assert data["support"]["fixed_point_16_16"] == {"linux x86_64": "supported", "linux arm64": "diverged"}
    assert data["rows"][0]["disagree"] == [{"a": "linux x86_64", "b": "linux arm64", "tick": 60}]


def orbit(**fields: Any) -> dict[str, Any]:
    return result(scenario="orbits", identity=IDENTITY | {"scenario": "orbits"}, **fields)


@pytest.mark.parametrize(
    ("documents", "words"),
    [
        ([document(result(), shard={"index": 3, "count": 4}, selected=9)], "no report of shard 1/4, 2/4, 4/4"),
        ([document(result(), selected=2)], "r0.json holds 1 of 2 selected replays"),
        ([document(result()), document(os="windows")], "windows x86_64: its reports hold no replay"),
        (
            [
                document(result(), selected=2, shard={"index": 1, "count": 2}),
                document(orbit(), selected=2, shard={"index": 2, "count": 2}),
                document(result(), selected=2, shard={"index": 1, "count": 2})
                | {"platform": {"os": "linux", "arch": "x86_64", "python": "3.14"}},
            ],
            "fewer reports of shard 2/2 than of others (2)",
        ),
    ],
)
def test_what_no_report_speaks_of_is_incomplete(tmp_path: Path, documents: list[dict[str, Any]], words: str) -> None:
    """Lost shards, stopped runs and empty reports are named, exit 3, and nothing is said to agree everywhere."""
    matrix = merged(tmp_path, *documents)
    assert matrix.exit_code == 3
    assert any(words in remark for remark in matrix.remarks)
    assert matrix_console.verdict_lines(matrix)[-1].endswith("incomplete")


def test_an_empty_shard_leaves_no_report_and_is_not_missed(tmp_path: Path) -> None:
    """Once all selected replays are there, a shard without any is no gap."""
    shards = [
        document(result(), selected=2, shard={"index": 2, "count": 3}),
        document(orbit(), selected=2, shard={"index": 3, "count": 3}),
    ]
    assert merged(tmp_path, *shards).exit_code == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"hashes": {}},
        {"hashes": {"0": "0" * 16}},
        {"identity": None},
        {"equal_checkpoints": 0},
        {"checkpoints": 0, "equal_checkpoints": 0},
        {"checkpoints": None},
        {"first_divergent_checkpoint": 60},
        {"hashes": {"1": "0" * 16, "61": "1" * 16, "121": "2" * 16}},
    ],
)
def test_equal_without_evidence_is_inconclusive(tmp_path: Path, fields: dict[str, Any]) -> None:
    """A result that only says it is equal supports nothing: exit 3, and it is said why."""
    matrix = merged(tmp_path, document(result()), document(result(**fields), arch="arm64"))
    assert matrix.exit_code == 3
    assert ("fixed_point_16_16", "linux arm64", "not run") in matrix.support
    assert any("said to be equal, but" in remark for remark in matrix.remarks)


@pytest.mark.parametrize("hashes", [[], None, {"060": "1" * 16}, {"60": "1" * 16, "00": "1" * 16}])
def test_hashes_of_another_form_are_refused(tmp_path: Path, hashes: Any) -> None:
    """Not an object, or two spellings of one tick: refused by name."""
    with pytest.raises(DetcheckError, match="hashes"):
        merged(tmp_path, document(result(hashes=hashes)))


def test_a_failed_canary_proves_nothing(tmp_path: Path) -> None:
    """A machine whose canary failed supports nothing, whatever its results say."""
    bad = document(result(), arch="arm64", canaries=[{"name": "fma", "ok": False, "detail": ""}])
    matrix = merged(tmp_path, document(result()), bad)
    assert matrix.exit_code == 3
    assert ("fixed_point_16_16", "linux arm64", "not run") in matrix.support
    assert any("canary fma failed" in remark for remark in matrix.remarks)


def test_the_smaller_group_of_a_contradiction_is_not_supported(tmp_path: Path) -> None:
    """Equal to one golden but not to each other: the fewer are diverged (all without a majority), in one line."""
    odd = document(result(hashes=OTHER), os="macos", arch="arm64")
    matrix = merged(tmp_path, document(result()), document(result(), os="windows"), odd)
    assert [word for _, _, word in matrix.support] == ["supported", "supported", "diverged"]
    assert len(matrix.failures) == 1
    tie = merged(tmp_path, document(result()), odd)
    assert {word for _, _, word in tie.support} == {"diverged"}
    same_hashes = merged(tmp_path, document(result()), document(result("diverged"), arch="arm64"))
    assert len(same_hashes.failures) == 1


def test_a_backend_left_out_somewhere_is_not_agreement_everywhere(tmp_path: Path) -> None:
    """Beside a `not run` nobody reads that every platform agrees."""
    matrix = merged(tmp_path, document(result(), result(backend="float_pinned_32")), document(result(), arch="arm64"))
    assert (matrix.exit_code, "every platform agrees" in matrix_console.verdict_lines(matrix)[-1]) == (0, False)
