"""Rows pair by a child that tells them apart on both sides, whatever the divergence does to the others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from detcheck.compare.api import diff
from detcheck.model.comparison import Comparison

Row = Callable[[int, int, int], str]


def _log(row: Row, serial: Callable[[int, int], int], ticks: int = 9, head: str = "") -> str:
    return head + "".join(row(t, k, serial(t, k)) + "\n" for t in range(ticks) for k in range(4))


def _both(tmp_path: Path, a: str, b: str, suffix: str = ".log", **options: str) -> tuple[Comparison, Comparison]:
    one, other = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    one.write_text(a)
    other.write_text(b)
    return diff(one, other, **options), diff(other, one, **options)  # type: ignore[arg-type]


SHAPES: dict[str, tuple[str, Row]] = {
    "unit": ("", lambda t, k, s: f"tick={t} unit={k} guid={s} ore={9 - k}"),
    "a number without a name that says so": ("", lambda t, k, s: f"tick={t} n_th={k} uid={s} ore={9 - k}"),
    "csv": ("tick,actor,netid,ore\n", lambda t, k, s: f"{t},{k},{s},{9 - k}"),
    "csv, a number": ("tick,who,handle,ore\n", lambda t, k, s: f"{t},{k},{s},{9 - k}"),
    "a line of json a row": ("", lambda t, k, s: json.dumps({"tick": t, "uuid": s, "slot": k, "ore": 9 - k})),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("first", "ticks"), [(5, 9), (0, 1), (900, 903)])
def test_two_rows_come_to_share_an_id(tmp_path: Path, shape: str, first: int, ticks: int) -> None:
    """A row that takes the id of another one, beside it or not, is one value that differs: in the sample or behind."""
    head, row = SHAPES[shape]
    for other in (2, 3):
        a = _log(row, lambda t, k: 70 + k, ticks, head)
        b = _log(row, lambda t, k: 70 + (other if k == 1 and t >= first else k), ticks, head)  # noqa: B023
        for found in _both(tmp_path, a, b, ".csv" if head else ".log"):
            assert (found.first_divergent_tick, found.findings_total) == (first, 1), found.findings
            assert {found.findings[0].a.text, found.findings[0].b.text} == {"71", f"7{other}"}


def test_rows_of_one_type_keep_their_id(tmp_path: Path) -> None:
    """A column that tells apart the rows of the first ticks only is no key, and takes no row with it."""
    kinds = (("tank", "jeep", "boat", "crew"), ("tank", "jeep", "tank", "crew"))
    for head, row in (("", "tick={} unit={} guid={} ore={}\n"), ("tick,unit,guid,ore\n", "{},{},{},{}\n")):
        texts = [
            head
            + "".join(
                row.format(t, kinds[t > 3][k], 50 + k, t + (bad and t > 6 and k == 0))
                for t in range(9)
                for k in range(4)
            )
            for bad in (0, 1)
        ]
        for found in _both(tmp_path, *texts, ".csv" if head else ".log"):
            assert (found.first_divergent_tick, found.findings_total) == (7, 1)
            assert "guid=50" in found.findings[0].path


def test_one_row_goes_and_another_comes(tmp_path: Path) -> None:
    """A place in the list is no better key than an id, where the rows that so pair are plainly not the same."""

    def text(gone: int) -> str:
        ids = [[n for n in (7, 8, 9) if n != gone or t < 4] for t in range(8)]
        rows = ([{"id": n, "index": i, "ore": 10 * n + t} for i, n in enumerate(some)] for t, some in enumerate(ids))
        return "".join(json.dumps({"tick": t, "ships": some}) + "\n" for t, some in enumerate(rows))

    for found in _both(tmp_path, text(8), text(9), ".jsonl"):
        assert {f.path for f in found.findings if f.kind in ("missing", "extra")} == {"ships[id=8]", "ships[id=9]"}


def test_an_id_that_only_changes_its_value(tmp_path: Path) -> None:
    """Where another id pairs all rows, and they agree in the rest, the changed id is a value and no row is missing."""

    def text(bad: int) -> str:
        rows = [
            [{"id": 40 + k + (bad and k == 2 and t > 3) * 50, "slot": k, "ore": k} for k in range(4)] for t in range(8)
        ]
        return "".join(json.dumps({"tick": t, "ships": some}) + "\n" for t, some in enumerate(rows))

    for found in _both(tmp_path, text(0), text(1), ".jsonl"):
        assert [f.path for f in found.findings] == ["ships[slot=2].id"]


def test_the_key_asked_for_is_not_doubted(tmp_path: Path) -> None:
    """--key-field pairs rows even where it leaves some alone, in lists of JSON too."""
    texts = [
        "".join(
            json.dumps(
                {"tick": t, "ships": [{"slot": k, "hull": 20 + k + bad * (k == 1 and t > 3) * 9} for k in range(3)]}
            )
            + "\n"
            for t in range(8)
        )
        for bad in (0, 1)
    ]
    for found in _both(tmp_path, *texts, ".jsonl", key_field="hull"):
        assert {f.path for f in found.findings} == {"ships[hull=21]", "ships[hull=30]"}
