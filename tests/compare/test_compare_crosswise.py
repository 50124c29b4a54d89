"""Two sides that name the same things crosswise are told so, in whatever place the names stand, and --map helps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from detcheck.compare.api import diff
from detcheck.compare.many import diff_many
from detcheck.compare.options import make_options
from detcheck.dumps.options import ReadOptions
from detcheck.model.comparison import Comparison


def _values(tick: int, bad: bool = False) -> list[tuple[int, int]]:
    return [(90 - tick, 3 * tick + 4), (80 - 2 * tick, 7 * tick + 1 + bad)]


def _rows(seats: tuple[str, str], key: str, bad: int) -> str:
    text = ""
    for t in range(12):
        some = zip(seats, _values(t, t >= bad), strict=True)
        text += json.dumps({"tick": t, "seats": [{key: name, "hp": x, "ore": y} for name, (x, y) in some]}) + "\n"
    return text


def _csv(seats: tuple[str, str], key: str, bad: int) -> str:
    rows = [(t, *one) for t in range(12) for one in zip(seats, _values(t, t >= bad), strict=True)]
    return f"tick,{key},hp,ore\n" + "".join(f"{t},{name},{x},{y}\n" for t, name, (x, y) in rows)


def _pairs(seats: tuple[str, str], key: str, bad: int) -> str:
    rows = [(t, *one) for t in range(12) for one in zip(seats, _values(t, t >= bad), strict=True)]
    return "".join(f"tick={t} {key}={name} hp={x} ore={y}\n" for t, name, (x, y) in rows)


def _columns(seats: tuple[str, str], form: str, bad: int) -> str:
    names = [form.format(seat, field) for seat in seats for field in ("hp", "ore")]
    cells = [[t, *(cell for one in _values(t, t >= bad) for cell in one)] for t in range(12)]
    order = sorted(range(4), key=lambda i: names[i])
    head = ",".join(["tick", *(names[i] for i in order)])
    return head + "\n" + "".join(",".join(map(str, [row[0], *(row[1 + i] for i in order)])) + "\n" for row in cells)


def _hashes(seats: tuple[str, str], form: str, bad: int) -> str:
    found = [
        [f"{(x * 7919 + y) * 0x9E3779B97F4A7C15 % 2**64:016x}" for x, y in _values(t, t >= bad)] for t in range(12)
    ]
    return "".join(
        f"tick {t} {form.format(seats[0])}={one} {form.format(seats[1])}={other}\n"
        for t, (one, other) in enumerate(found)
    )


SHAPES = {
    "rows": (_rows, "name", ".jsonl"),
    "csv": (_csv, "seat", ".csv"),
    "pairs": (_pairs, "player", ".log"),
    "columns": (_columns, "{}_{}", ".csv"),
    "columns, seat last": (_columns, "{1}_{0}", ".csv"),
    "hashes": (_hashes, "{}", ".txt"),
}
SEATS = [("local", "remote"), ("mine", "theirs"), ("P1", "P2"), ("red", "blue")]


def _texts(shape: str, seats: tuple[str, str], bad: int = 99) -> tuple[str, str]:
    write, form, _ = SHAPES[shape]
    return write(seats, form, 99), write(seats[::-1], form, bad)


def _both(folder: Path, shape: str, texts: tuple[str, str], **options: object) -> tuple[Comparison, Comparison]:
    paths = [folder / f"{side}{SHAPES[shape][2]}" for side in "ab"]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return diff(*paths, **options), diff(*paths[::-1], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("shape", SHAPES)
def test_names_given_crosswise_are_named(tmp_path: Path, shape: str, seats: tuple[str, str]) -> None:
    """The names stand in a note with the option that helps, nothing else is blamed, and the option does help."""
    one, other = seats
    for found in _both(tmp_path, shape, _texts(shape, seats)):
        notes = [note for note in found.notes if "crosswise" in note]
        assert len(notes) == 1, found.notes
        assert any(f"--map {x}={y}" in notes[0] for x, y in (seats, seats[::-1])), notes
        assert found.causes == ()
    for mapping in ([f"{one}={other}"], [f"{other}={one}"]):
        for found in _both(tmp_path, shape, _texts(shape, seats), mapping=mapping):
            assert (found.verdict, any("matched nothing" in note for note in found.notes)) == ("same", False)
        for found in _both(tmp_path, shape, _texts(shape, seats, 7), mapping=mapping):
            assert (found.first_divergent_tick, found.findings_total) == (7, 1)


def test_two_things_that_change_places_are_not_named_crosswise(tmp_path: Path) -> None:
    """What parts at a tick before which the names meant the same things is no matter of names."""
    good, bad = _rows(("ann", "bob"), "name", 99).splitlines(), _rows(("bob", "ann"), "name", 99).splitlines()
    for first in (1, 5):
        texts = "\n".join(good) + "\n", "\n".join([*good[:first], *bad[first:]]) + "\n"
        for found in _both(tmp_path, "rows", texts):
            assert found.first_divergent_tick == first
            assert not any("crosswise" in note for note in found.notes)


def test_two_numbers_that_change_places_say_nothing(tmp_path: Path) -> None:
    """x and y of one thing, exchanged by chance, are values that differ."""
    lines = ["tick,x,y", *(f"{t},{5},{5}" for t in range(4)), "4,1,2", "5,9,9"]
    for found in _both(tmp_path, "csv", ("\n".join(lines) + "\n", "\n".join(lines).replace("4,1,2", "4,2,1") + "\n")):
        assert not any("crosswise" in note for note in found.notes)


def test_sides_of_one_seat_agree_among_many(tmp_path: Path) -> None:
    """With --map, those of several sides that write from the same seat agree as well."""
    a, b = _texts("rows", ("local", "remote"))
    paths = []
    for name, text in (("a", a), ("b", b), ("c", a), ("d", _texts("rows", ("local", "remote"), 5)[1])):
        path = tmp_path / f"{name}.jsonl"
        path.write_text(text)
        paths.append(str(path))
    options = make_options(mapping=["local=remote"])
    assert diff_many(paths[:3], ReadOptions(), options).verdict == "same"
    found = diff_many(paths, ReadOptions(), options)
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 5)
    assert "d.jsonl left the majority" in found.reason
