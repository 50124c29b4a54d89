"""Reports of three engines beyond the samples: several frames, older forms, cut files."""

from __future__ import annotations

from pathlib import Path

import pytest
from dump_text import fields, opened, plain, records

from detcheck.compare.api import diff
from detcheck.dumps.readers.warzone import parts_of
from detcheck.model.comparison import Comparison
from detcheck.model.record import Group, Scalar

REPORT = """\
Player: {who} (Windows Win32NT 10.0 .NET 6.0.9)
Game ID: 1111 (Mod: Demo Mod at Version release-1)
Sync for net frame {frame} -------------
SharedRandom: -{frame}7 (#{frame})
Synced Traits:
\t 1 world Everyone Shroud ({hash})
\t\t Disabled: False
\t 5 e1 Two Words Health (50)
\t\t hp: 50
\t 5 e1 Two Words Health (51)
\t\t hp: 51
Synced Effects:
\t Bullet (9)
\t\t pos: 1,2,3
\t Bullet (10)
\t\t pos: 1,2,4
Orders Issued:
\t ClientId: 0 OrderString: "Move"{space}
\t Type: "Fields".{space}{space}
\t Subject: "e1 5".{space}
\t Player(PlayerName): Two Words

\t ClientId: 1 OrderString: "Stop"{space}
\t Type: "Fields".{space}{space}

"""


def report(*frames: int, who: str = "P1") -> str:
    """A sync report of several frames, in the order given."""
    return "".join(REPORT.format(who=who, frame=frame, hash=frame + 100, space=" ") for frame in frames) + (
        "Sync Report System Info:\nOut of sync frame: 9\nRecorded frames: 7,8,9\n"
    )


def test_openra_frames_in_ring_order() -> None:
    """Frames are sorted; traits of one name are a list; orders are inputs; hashes in brackets are derived."""
    source = opened(report(8, 9, 7))
    assert source.reader == "openra"
    found = list(source.records)
    assert [record.tick for record in found] == [7, 8, 9]
    traits = fields(found[2])["traits"]
    assert traits["[5 e1 Two Words Health]"] == [{"hash": "50", "hp": "50"}, {"hash": "51", "hp": "51"}]
    assert fields(found[2])["effects"]["[Bullet]"][1]["pos"] == ["1", "2", "4"]
    assert "effects[Bullet][1].hash" in found[2].derived
    assert plain(found[2].rng["SharedRandom"]) == {"value": "-97", "draws": "9"}
    assert "traits[1 world Everyone Shroud].hash" in found[2].derived
    orders = plain(found[2].inputs)["Orders Issued"]
    assert [order["OrderString"] for order in orders] == ["Move", "Stop"]
    assert source.head["Version"].text == "release-1"
    assert "Player" in source.writer


def test_openra_without_a_report() -> None:
    """An older report without orders, and a frame that is not there."""
    text = "Sync for net frame 3 -------------\nSharedRandom: 5 (#1)\nSynced Traits:\n\t 1 a b C (7)\n\t\t x: 1\n"
    (record,) = records(text)
    assert record.inputs is None
    assert fields(record) == {"traits": {"[1 a b C]": {"hash": "7", "x": "1"}}}


def game_state(frames: int, only_hash: bool = False) -> str:
    """A Recoil game state of several frames."""
    floats = "" if only_hash else " <{}>"
    text = " mapName: M\n modName: G\nminFrame: 5\nmaxFrame: 9\nrandSeed: 1\ninitSeed: 2\n  gameID: 00ff\n syncVer: 3\n"
    for frame in range(5, 5 + frames):
        text += f"frame: {frame}, seed: {frame * 7}\n\tunits: 1\n\t\tunitID: 4 (name: tank)\n\t\t\tpos: 99"
        text += (
            floats.format("1.5,2,-0") + f"\n\t\t\thealth: 1084227584{floats.format('5')}\n\t\t\tThe unit is CBuilder:\n"
        )
        text += "\t\t\t\tcurBuild: (nullptr)\n\t\t\t\ttx1,tx2,tz1,tz2: 0,1,2,3\n\tunitsToBeRemoved: 0\n"
    return text


def test_recoil_several_frames() -> None:
    """A record a frame; bits are binary32, vectors a hash and components."""
    source = opened(game_state(3))
    found = list(source.records)
    assert [record.tick for record in found] == [5, 6, 7]
    unit = found[1].fields.items["units"].items[0]  # type: ignore[union-attr,index]
    assert isinstance(unit, Group)
    assert unit.items["health"] == Scalar("f32", 0x40A00000, "1084227584 <5>")
    pos = unit.items["pos"]
    assert isinstance(pos, Group)
    assert pos.items["z"] == Scalar("f32", 0x80000000, "-0")
    assert pos.items["hash"].kind == "hash"  # type: ignore[union-attr]
    assert found[1].derived == frozenset({"units[unitID=4].pos.hash"})
    assert plain(unit.items["The unit is CBuilder"]) == {
        "curBuild": "(nullptr)",
        "tx1,tx2,tz1,tz2": ["0", "1", "2", "3"],
    }
    assert (source.head["gameID"].text, list(found[0].rng)) == ("00ff", ["randSeed", "seed"])


def test_recoil_hashes_only() -> None:
    """The form without texts."""
    unit = records(game_state(1, only_hash=True))[0].fields.items["units"].items[0]  # type: ignore[union-attr,index]
    assert plain(unit)["pos"] == "99"


def test_warzone_blocks() -> None:
    """A record a block; a block without its end or with too few entries is remarked on."""
    block = "===== BEGIN gameTime={t}, 2 entries, CRC 0x{t} =====\n[gameRand] 4 rand = {t}\n[a] b = 1\n"
    end = "===== END gameTime={t}, 2 entries, CRC 0x{t} =====\n"
    source = opened(block.format(t=100) + end.format(t=100) + block.format(t=200) + "[a] c = 2\n" + end.format(t=200))
    found = list(source.records)
    assert [record.tick for record in found] == [100, 200]
    assert found[0].events[0].is_rng
    assert found[0].hashes["CRC"].value == 0x100
    assert any("states 2 entries and holds 3" in text for text in source.remarks)
    source = opened(block.format(t=100))
    assert len(list(source.records)) == 1
    assert any("no end" in text for text in source.remarks)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("p3;pos(1,-2,3),body712", {"p": "3", "pos": ["1", "-2", "3"], "body": "712"}),
        ("order2(900,3100)^0", {"order": {"value": "2", "at": ["900", "3100"], "rest": "0"}}),
        ("sMove(status4,bump(1,(2,3)))", {"sMove": {"status": "4", "bump": ["1", ["2", "3"]]}}),
        ("path8/8,exp0", {"path": "8/8", "exp": "0"}),
        ("(1,2)", {"[0]": ["1", "2"]}),
        ("a1,a2", {"a": "1", "a#2": "2"}),
        ("unbalanced(1,2", {"unbalanced": {"rest": "(1,2"}}),
    ],
)
def test_a_long_line_is_cut_into_its_parts(text: str, parts: dict[str, object]) -> None:
    """Names end where numbers or brackets begin."""
    assert plain(parts_of(text)) == parts


EFFECTS = "".join(f"\t Bullet ({n})\n\t\t pos: {n * 10},5,0\n\t\t ticks: {n}\n" for n in range(1, 7))


def _openra(traits: str, effects: str = EFFECTS) -> str:
    head = "Sync for net frame 30 -------------\nSharedRandom: 5 (#1)\n"
    return f"{head}Synced Traits:\n{traits}Synced Effects:\n{effects}"


TRAITS = [f"\t {n} inf South Health ({n})\n\t\t hp: {n}\n\t\t dead: False\n" for n in range(40, 48)]


def _pair(folder: Path, a: str, b: str) -> Comparison:
    for name, text in (("a.log", a), ("b.log", b)):
        (folder / name).write_text(text, encoding="utf-8")
    return diff(folder / "a.log", folder / "b.log")


def test_openra_effects_of_one_name_are_aligned(tmp_path: Path) -> None:
    """An effect that only one side has does not shift the others of its name."""
    gone = EFFECTS.replace("\t Bullet (3)\n\t\t pos: 30,5,0\n\t\t ticks: 3\n", "")
    found = _pair(tmp_path, _openra("".join(TRAITS)), _openra("".join(TRAITS), gone))
    assert [(f.kind, f.path) for f in found.findings] == [
        ("count", "effects[Bullet]"),
        ("missing", "effects[Bullet][2]"),
    ]
    only = _pair(
        tmp_path, _openra("".join(TRAITS)), _openra("".join(TRAITS), EFFECTS[: EFFECTS.index("\t Bullet (2)")])
    )
    assert {f.kind for f in only.findings} == {"count", "missing"}


def test_openra_traits_in_another_order(tmp_path: Path) -> None:
    """The same traits in another order are equal, with one remark; a value that differs too is the finding."""
    other = [*TRAITS[:3], *reversed(TRAITS[3:])]
    same = _pair(tmp_path, _openra("".join(TRAITS)), _openra("".join(other)))
    assert same.verdict == "same"
    assert any("another order" in note for note in same.notes)
    both = _pair(tmp_path, _openra("".join(TRAITS)), _openra("".join(other).replace("hp: 45", "hp: 44")))
    assert both.findings[0].path == "traits[45 inf South Health].hp"
    assert any(finding.kind == "order" for finding in both.findings)


@pytest.mark.parametrize("end", ["hp: 4", "\t 45 inf South He", "dead: False\n\t 45 inf South Health (45)\n"])
def test_openra_cut(tmp_path: Path, end: str) -> None:
    """A cut report is compared up to the cut; the trait that is cut and those behind it are not blamed."""
    text = _openra("".join(TRAITS))
    place = text.index("\t\t hp: 45") if end == "hp: 4" else text.index("\t 45 inf")
    start = place + 4 if end == "hp: 4" else place
    cut = text[:start] + {"hp: 4": "p: 4", "\t 45 inf South He": end}.get(end, "\t 45 inf South Health (45)\n")
    found = _pair(tmp_path, text, cut)
    assert (found.verdict, found.findings) == ("ends_early", ())
    found = _pair(tmp_path, text, cut.replace("hp: 42", "hp: 41"))
    assert [f.path for f in found.findings] == ["traits[42 inf South Health].hp"]
    foot = "\nSync Report System Info:\nOut of sync frame: 30\nRecorded frames: 30\n"
    whole = _pair(tmp_path, text + foot, text.replace(TRAITS[-1], "").replace(EFFECTS, "") + foot)
    assert whole.verdict == "diverged"
