"""Targeted scenarios: detcheck against an implementation written from the design pages alone."""

from __future__ import annotations

import ast
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from independent_backends import BACKENDS
from independent_case_table import PLAIN, TRAPS
from independent_cases import ALL, COLUMNS, FIXED, FLOAT, Case
from independent_edge_cases import DRAWS, ENDS, PLAYED
from independent_expressions import EVERYWHERE, FIXED_ONLY, FLOAT_ONLY, REFUSED
from independent_pair import seen_by_product, seen_by_second, seen_of
from independent_scenario import Refused, Scenario
from independent_trees import Trees

from detcheck.scenario.load import load

#: with DETCHECK_EXAMPLES every case runs on every backend, else on one of its own, in turn
EXHAUSTIVE = "DETCHECK_EXAMPLES" in os.environ


@pytest.mark.parametrize(
    "cases", [PLAIN, TRAPS, ENDS, PLAYED, DRAWS], ids=["plain", "traps", "ends", "played", "draws"]
)
def test_targeted_programs_agree(cases: tuple[Case, ...], tmp_path: Path) -> None:
    """Programs that try one rule each: every tick's hash and parts are equal, and the trap with its place."""
    for number, case in enumerate(cases):
        turn = number % len(case.backends)
        for backend in case.backends if EXHAUSTIVE else case.backends[turn : turn + 1]:
            text = case.text(backend)
            expected = seen_by_second(text, backend)
            assert expected.refused is None, f"{case.name}, {backend}"
            assert expected.trap is None or cases is not PLAIN, f"{case.name}, {backend}"
            executor = ("reference", "auto")[number % 2]
            assert seen_by_product(tmp_path / "case.toml", text, backend, executor) == expected, (
                f"{case.name}, {backend}"
            )


def listed(table: Mapping[str, str]) -> list[tuple[str, str]]:
    """(type, expression) of a table of expressions."""
    lines = [(type_, line) for type_, text in table.items() for line in text.strip().splitlines()]
    return [(type_, expression) for type_, line in lines for expression in line.split("  ")]


def local_type(scenario: Scenario, expression: str, backend: str) -> str | None:
    """What a local of `unit` is that is first assigned the expression; None where it cannot be."""
    try:
        return Trees(scenario, BACKENDS[backend], "unit", expression).tree(ast.parse(expression, mode="eval").body).type
    except Refused:
        return None


@pytest.mark.parametrize(
    ("table", "backends"),
    [(EVERYWHERE, ALL), (FIXED_ONLY, FIXED), (FLOAT_ONLY, FLOAT)],
    ids=["everywhere", "fixed", "float"],
)
def test_expressions_agree(table: dict[str, str], backends: tuple[str, ...], tmp_path: Path) -> None:
    """Each stored in a column of its own, straight and through a local, which has the type it has by itself."""
    shape = Scenario(Case("shape").text())
    columns, statements = [], []
    for number, (type_, expression) in enumerate(listed(table)):
        columns += [f"s{number}: {type_}"]
        statements += [f"s{number} = {expression}"]
        own = local_type(shape, expression, backends[0])
        if own and (own != type_ or number % 3 == 0 or EXHAUSTIVE):
            columns += [f"l{number}: {own}"]
            statements += [f"q{number} = {expression}; l{number} = q{number}"]
    case = Case("expressions", "; ".join(statements), columns=f"{COLUMNS}, {', '.join(columns)}", rows=4, ticks=1)
    path, text = tmp_path / "expressions.toml", case.text(*backends)
    path.write_text(text, encoding="utf-8")
    scenario = load(path)
    for backend in backends:
        expected = seen_by_second(text, backend)
        assert (expected.refused, expected.trap, len(expected.ticks)) == (None, None, 2)
        assert seen_of(scenario, backend, "auto") == expected, backend


def test_what_one_refuses_the_other_refuses(tmp_path: Path) -> None:
    """Near misses of types and ranges are refused by both, and so are locals whose own type cannot hold the value."""
    shape = Scenario(Case("shape").text())
    refused = [(f"s = {expression}", type_) for type_, expression in listed(REFUSED)]
    locals_ = [x for _, x in listed(EVERYWHERE) if local_type(shape, x, ALL[0]) is None]
    assert len(locals_) == 3
    for number, (do, type_) in enumerate([*refused, *((f"s = {x}; q = {x}", "u32") for x in locals_)]):
        backend = ALL[number % len(ALL)]
        text = Case("refused", do, columns=f"{COLUMNS}, s: {type_}").text()
        assert seen_by_second(text, backend).refused is not None, do
        assert seen_by_product(tmp_path / "refused.toml", text, backend, "auto").refused is not None, do
