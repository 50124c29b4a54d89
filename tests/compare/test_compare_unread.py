"""Reading late changes nothing: the same comparison as with every record taken apart."""

from __future__ import annotations

import json
import os
import random
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest

import detcheck
from detcheck.dumps.readers import json_lines
from detcheck.model.comparison import Comparison

EXAMPLES = 25 * int(os.environ.get("DETCHECK_EXAMPLES", "1"))
OPTIONS: list[dict[str, Any]] = [
    {},
    {"ignore": ["wall"]},
    {"ignore": ["wall", "**.seen"]},
    {"only": ["units"]},
    {"tolerance": ["**.x=0.5"]},
    {"mapping": ["hp=mana"]},
    {"all": True},
    {"ticks": "20:60"},
    {"key_field": "name"},
]


def record(tick: int, draw: random.Random) -> dict[str, Any]:
    """A tick of a small world: units with names, a table of numbers, a hash, sometimes a command."""
    units = [{"name": f"u{n}", "x": draw.randrange(64) / 8, "hp": n, "mana": n + 1} for n in range(3)]
    made: dict[str, Any] = {
        "tick": tick,
        "wall": tick * 16,
        "peer": "a",
        "units": units,
        "meta": {"seen": 1, "w": [], "hostname": "x"},
    }
    if tick % 7 == 0:
        made["commands"] = [{"player": 1, "move": [tick, 2.5]}]
    if tick % 2:
        made["hash"] = f"{draw.getrandbits(64):016x}"
    return made


def faulty(ticks: list[dict[str, Any]], draw: random.Random) -> str:
    """The other side: a clock and a name of its own, and now and then something that differs."""
    lines = []
    at = draw.choice([0, 5, 40, 90, 1000])
    kind = draw.randrange(8)
    for made in ticks:
        other = json.loads(json.dumps(made)) | {"peer": "b"}
        tick = made["tick"]
        if draw.random() < 0.5:
            other["wall"] += draw.randrange(3)
        if draw.random() < 0.2:
            other["meta"]["seen"] = 2
        if tick >= at:
            if kind == 0:
                other["units"][1]["x"] += 0.125
            elif kind == 1:
                other["units"].reverse()
            elif kind == 2 and tick == at:
                other["units"].pop()
            elif kind == 3 and tick % 5 == 0:
                continue
            elif kind == 4 and "hash" in other:
                other["hash"] = "0" * 16
            elif kind == 5 and at > 5:
                other["meta"]["hostname"] = "y"
                other |= {"local_player": 1} if tick % 3 else {}
            elif kind == 5:
                other["new"] = {"deep": [1, {"er": tick}]}
        text = json.dumps(other, separators=draw.choice([(",", ":"), (", ", ": ")]))
        lines.append(text[: len(text) // 2] if kind == 6 and tick == at else text)
    if kind == 7:
        lines[-1] = lines[-1][:-9]
        return "\n".join(lines)
    return "\n".join(lines) + "\n"


def compared(a: str, b: str, read_first: int, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> Comparison:
    monkeypatch.setattr(json_lines, "READ_FIRST", read_first)
    return detcheck.diff(BytesIO(a.encode()), BytesIO(b.encode()), **options)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_nothing_depends_on_when_a_record_is_read(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdict, tick, findings, notes, causes, what follows and coverage are those of records that are all read."""
    draw = random.Random(str(options))
    for _ in range(EXAMPLES):
        ticks = [record(tick, draw) for tick in range(100)]
        a, b = "".join(json.dumps(made) + "\n" for made in ticks), faulty(ticks, draw)
        if draw.random() < 0.5:
            a, b = b, a
        late = compared(a, b, 3, monkeypatch, options)
        soon = compared(a, b, 10**9, monkeypatch, options)
        if "ignore" in options:  # a value that is left out if it differs, and does not, was compared with the others
            assert late.coverage.fields_compared >= soon.coverage.fields_compared
            late = replace(late, coverage=replace(late.coverage, fields_compared=soon.coverage.fields_compared))
        assert late == soon
