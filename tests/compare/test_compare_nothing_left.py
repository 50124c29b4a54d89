"""Options that leave nothing to compare are told, and never give `same`."""

from __future__ import annotations

from pathlib import Path

import pytest
from made import compared, record, said

from detcheck.compare.api import diff
from detcheck.model.record import Lanes

ROWS = [record(n, {"unit": [{"id": 1, "hp": n}, {"id": 2, "hp": 7}]}, hash=f"{n:x}") for n in range(5)]
OTHER = [record(n, {"unit": [{"id": 1, "hp": n + (n > 2)}, {"id": 2, "hp": 7}]}, hash=f"{n:x}") for n in range(5)]
COLUMNS = [record(n, {"unit": Lanes(2, {"hp": ("int", [n, 7])})}) for n in range(5)]


@pytest.mark.parametrize("sides", [(ROWS, ROWS), (ROWS, OTHER), (COLUMNS, COLUMNS)], ids=["same", "other", "columns"])
def test_only_with_a_typo(sides) -> None:
    """A path that fits nothing compares nothing, and is named."""
    found = compared(*sides, only=["unti.*.hp"])
    assert found.verdict == "inconclusive"
    assert "--only unti.*.hp matched nothing" in found.reason


@pytest.mark.parametrize("sides", [(ROWS, OTHER), (COLUMNS, COLUMNS)], ids=["rows", "columns"])
def test_everything_ignored(sides) -> None:
    """--ignore of everything leaves nothing that could be the same."""
    found = compared(*sides, ignore=["**"])
    assert found.verdict == "inconclusive"
    assert found.coverage.fields_compared == 0


def test_one_of_two_patterns_fits() -> None:
    """The pattern that fits is compared, the other is named; a pattern that fits equal values is no typo."""
    found = compared(ROWS, OTHER, only=["hp", "shield"], ignore=["id", "mana"])
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 3)
    assert said(found, "--only shield matched nothing")
    assert said(found, "--ignore mana matched nothing")
    assert not said(found, "--only hp matched")
    assert not said(found, "--ignore id matched")


def test_one_row_of_columns() -> None:
    """--only that names a single row of a table held by columns compares that row."""
    found = compared(COLUMNS, COLUMNS, only=["unit[1].hp"])
    assert (found.verdict, found.coverage.fields_compared) == ("same", 5)


def test_fields_that_are_not_there(tmp_path: Path) -> None:
    """A tick field that no record has is inconclusive; a key field that no row has is named."""
    for side in "ab":
        lines = [f'{{"turn": {n}, "unit": [{{"id": 1, "hp": {n}}}, {{"id": 2, "hp": 3}}]}}\n' for n in range(4)]
        (tmp_path / f"{side}.jsonl").write_text("".join(lines), encoding="ascii")
    a, b = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    found = diff(a, b, tick_field="nosuch")
    assert found.verdict == "inconclusive"
    assert "--tick-field nosuch" in found.reason
    assert diff(a, b, tick_field="turn").verdict == "same"
    assert said(diff(a, b, key_field="serial"), "--key-field serial matched nothing")
    assert not said(diff(a, b, key_field="id"), "--key-field")
