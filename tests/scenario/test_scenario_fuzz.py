"""Whatever a scenario file or an inputs file holds, loading ends with a Scenario or with the product's own faults."""

from __future__ import annotations

import os
import random
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scenario_texts import BASE, write
from test_scenario_inputs_file import LINES, WITH_FILE

from detcheck.errors import DetcheckError, caret_lines
from detcheck.scenario.load import load
from detcheck.scenario.scenario import Scenario

SCALE = int(os.environ.get("DETCHECK_EXAMPLES", "1"))
SHIPPED = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))

FUZZ = settings(max_examples=80 * SCALE, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

#: what a mutation puts in: everything that has a meaning somewhere
SPLICES = [
    *"\"'[]{}=,.#\\\n\r\t -+0_eE:\0\x1b\u202e\ufeff\ud7ff\U0010ffff",
    '"""',
    "'''",
    "[[",
    "]]",
    "inf",
    "nan",
    "-0.0",
    "1e999",
    "true",
    "1979-05-27",
    "1979-13-40T99:99:99+99:99",
    "0x" + "f" * 40,
    "9" * 5000,
    "[" * 60,
    "{a=" * 40,
    "[scenario]\n",
    "[[inputs]]\n",
    "[[systems]]\n",
    "[players]\n",
    "rows = 0\n",
    "= {}\n",
    "a.b.c.d = 1\n",
    '"\\ud800"',
    "lambda: 0",
    "__import__('os')",
    "f(*a, **k)",
    "x if y else",
]


def outcome(path: Path) -> Scenario | DetcheckError:
    """The scenario, or the fault, whose text and caret can be shown."""
    try:
        return load(path)
    except DetcheckError as fault:
        text = str(fault)
        assert text
        text.encode("utf-8")
        for one in getattr(fault, "faults", (fault,)):
            assert one.code
            if one.where is not None:
                caret_lines(one.where)
        return fault


@FUZZ
@given(data=st.binary(max_size=400))
def test_random_bytes_are_refused_without_a_traceback(tmp_path: Path, data: bytes) -> None:
    """Bytes that are no scenario give a fault."""
    assert isinstance(outcome(write(tmp_path, data)), DetcheckError)


@FUZZ
@given(
    text=st.sampled_from([BASE, WITH_FILE]),
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 12), st.one_of(st.sampled_from(SPLICES), st.text(max_size=4))),
        min_size=1,
        max_size=5,
    ),
)
def test_mutated_files_give_a_scenario_or_faults(
    tmp_path: Path, text: str, edits: list[tuple[float, int, str]]
) -> None:
    """Cuts and splices anywhere in a valid file."""
    (tmp_path / "script.jsonl").write_text(LINES, encoding="utf-8")
    for at, cut, splice in edits:
        place = int(at * len(text))
        text = text[:place] + splice + text[place + cut :]
    outcome(write(tmp_path, text.encode("utf-8", "surrogatepass")))


@FUZZ
@given(
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 6), st.one_of(st.sampled_from(SPLICES), st.text(max_size=3))),
        min_size=1,
        max_size=4,
    )
)
def test_mutated_inputs_files_give_a_scenario_or_faults(tmp_path: Path, edits: list[tuple[float, int, str]]) -> None:
    """Cuts and splices anywhere in a valid script."""
    text = LINES
    for at, cut, splice in edits:
        place = int(at * len(text))
        text = text[:place] + splice + text[place + cut :]
    (tmp_path / "script.jsonl").write_bytes(text.encode("utf-8", "surrogatepass"))
    outcome(write(tmp_path, WITH_FILE))


TOML_SCALARS = st.one_of(
    st.sampled_from(
        ["true", "0", "-1", "1.5", "inf", '"i32"', '"vec2"', '"unit"', '"mt19937"', "[]", "{}", "07:32:00"]
    ),
    st.integers(-(2**70), 2**70).map(str),
    st.sampled_from(["[1, 2]", "[[1]]", '{ kind = "mt19937" }', '["float_pinned_32"]', '"hp = hp + 1"', '"x = 1 / 0"']),
)
WORDS = [
    "summary",
    "rng",
    "seed",
    "ticks",
    "rows",
    "pos",
    "hp",
    "name",
    "each",
    "where",
    "do",
    "tick",
    "player",
    "unit",
]
HEADERS = ["[scenario]", "[config]", "[world]", "[tables]", "[tables.unit]", "[players]", "[[inputs]]", "[setup]"]


@FUZZ
@given(
    text=st.lists(
        st.one_of(
            st.sampled_from([*HEADERS, "[[systems]]", "[tables.world]", "[systems]", "[inputs]", "[[tables]]"]),
            st.tuples(st.sampled_from(WORDS), TOML_SCALARS).map(lambda pair: f"{pair[0]} = {pair[1]}"),
        ),
        max_size=25,
    ).map("\n".join)
)
def test_well_formed_nonsense_is_refused_with_every_key_s_rule(tmp_path: Path, text: str) -> None:
    """Known keys with values of every type in any section."""
    outcome(write(tmp_path, text))


def test_mutated_shipped_scenarios_give_a_scenario_or_faults(tmp_path: Path) -> None:
    """The files that ship, with a few characters changed."""
    draw = random.Random(20240501)
    (tmp_path / "skirmish.jsonl").write_bytes((SHIPPED[0].parent / "skirmish.jsonl").read_bytes())
    for _ in range(60 * SCALE):
        path = draw.choice(SHIPPED)
        text = path.read_text(encoding="utf-8")
        for _ in range(draw.randint(1, 3)):
            at = draw.randrange(len(text))
            text = text[:at] + draw.choice([*SPLICES, text[at : at + 30] * 2, ""]) + text[at + draw.randint(0, 9) :]
        outcome(write(tmp_path, text.encode("utf-8", "surrogatepass"), path.name))
