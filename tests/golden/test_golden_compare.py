"""A golden against a replay: every kind of verdict, with what it has to name."""

from __future__ import annotations

from dataclasses import replace

from hand_built import FLOAT, identity
from test_golden_read import checkpoint, sample

from detcheck.golden.changes import classify
from detcheck.golden.compare import compare_checkpoints, compare_identity, implied_checkpoints
from detcheck.golden.golden import Golden, GoldenLine, make_golden
from detcheck.model.checkpoint import Checkpoint

GOLDEN = replace(sample(60, 300), file="golden/hand/x.txt")
ACTUAL = [line.checkpoint for line in GOLDEN.lines]


def changed(tick: int, *digests: str) -> list[Checkpoint]:
    return [checkpoint(tick, *digests) if found.tick == tick else found for found in ACTUAL]


def without(golden: Golden, *ticks: int) -> Golden:
    return replace(golden, lines=tuple(line for line in golden.lines if line.checkpoint.tick not in ticks))


def test_equal() -> None:
    """All hashes and parts equal over the whole range."""
    found = compare_checkpoints(GOLDEN, iter(ACTUAL), every=60, ticks=300)
    assert (found.verdict, found.strip, found.checkpoints, found.equal_checkpoints) == ("equal", "......", 6, 6)
    assert (found.first_divergent_checkpoint, found.last_equal_tick, found.parts) == (None, 300, ())


def test_diverged_names_checkpoint_interval_and_parts() -> None:
    """The first unlike line, the last equal one before it, the parts with both digests, and the whole strip."""
    parts = dict(ACTUAL[2].parts)
    actual = changed(120, parts["rng"], "a" * 16, parts["unit.pos"])
    found = compare_checkpoints(GOLDEN, actual, every=60, ticks=300)
    assert (found.verdict, found.strip, found.equal_checkpoints) == ("diverged", "..x...", 5)
    assert (found.first_divergent_checkpoint, found.last_equal_tick, found.golden_line) == (120, 60, 14)
    assert found.first_divergent_tick is None
    assert found.parts == (("world.score", parts["world.score"], "a" * 16),)
    assert "world.score" in found.reason


def test_the_exact_tick_is_known_when_the_one_before_is_equal() -> None:
    """With a checkpoint every tick, or a difference at tick 0, the divergent tick is exact."""
    golden = sample(1, 3)
    actual = [line.checkpoint for line in golden.lines]
    actual[2] = checkpoint(2, *"abc".translate({97: "a" * 16 + " ", 98: "b" * 16 + " ", 99: "c" * 16}).split())
    assert compare_checkpoints(golden, actual).first_divergent_tick == 2
    first = compare_checkpoints(GOLDEN, changed(0, "a" * 16, "b" * 16, "c" * 16))
    assert (first.first_divergent_tick, first.last_equal_tick) == (0, None)


def test_a_part_alone_is_compared_too() -> None:
    """An edited part whose line keeps the right hash is diverged, and named as damage."""
    line = GOLDEN.lines[1]
    parts = (*line.checkpoint.parts[:2], ("unit.pos", "f" * 16))
    edited = GoldenLine(line.line, Checkpoint(60, line.checkpoint.state_hash, parts), damaged=True)
    golden = replace(GOLDEN, lines=(GOLDEN.lines[0], edited, *GOLDEN.lines[2:]))
    found = compare_checkpoints(golden, ACTUAL, every=60, ticks=300)
    assert (found.verdict, found.first_divergent_checkpoint, found.damaged) == ("diverged", 60, (edited,))
    assert "golden/hand/x.txt:13: edited or damaged" in found.reason
    assert [name for name, _, _ in found.parts] == ["unit.pos"]


def test_an_edited_part_name_is_diverged() -> None:
    """Names are compared as well: they are not in the hash."""
    lines = tuple(
        replace(line, checkpoint=replace(line.checkpoint, parts=(*line.checkpoint.parts[:2], ("unit.vel", "0" * 16))))
        for line in GOLDEN.lines
    )
    found = compare_checkpoints(replace(GOLDEN, lines=lines), ACTUAL)
    assert found.verdict == "diverged"
    assert [(name, bool(a), bool(b)) for name, a, b in found.parts] == [
        ("unit.vel", True, False),
        ("unit.pos", False, True),
    ]


def test_a_damaged_line_the_replay_does_not_reach_is_diverged() -> None:
    """Damage is named whether or not the replay has that tick."""
    golden = replace(GOLDEN, lines=(*GOLDEN.lines[:5], replace(GOLDEN.lines[5], damaged=True)))
    found = compare_checkpoints(golden, ACTUAL[:5], every=60, ticks=240)
    assert (found.verdict, found.strip) == ("diverged", ".....x")


def test_fewer_lines_than_implied_are_inconclusive() -> None:
    """A cut golden whose lines are equal says so with both ranges and the command; a difference is still diverged."""
    cut = without(GOLDEN, 240, 300)
    found = compare_checkpoints(cut, ACTUAL, every=60, ticks=300)
    assert (found.verdict, found.last_equal_tick) == ("inconclusive", 180)
    assert "4 of 6 lines" in found.reason
    assert "0..300 every 60" in found.reason
    assert found.hint is not None
    assert "detcheck regen hand --yes --reason" in found.hint
    assert compare_checkpoints(cut, changed(60, "a" * 16, "b" * 16, "c" * 16)).verdict == "diverged"
    assert compare_checkpoints(without(GOLDEN, 120), ACTUAL, every=60, ticks=300).verdict == "inconclusive"
    assert compare_checkpoints(replace(GOLDEN, lines=()), ACTUAL).verdict == "inconclusive"


def test_another_every_or_ticks_compares_what_is_common() -> None:
    """Other checkpoints or another end: the ticks in common, then inconclusive with both ranges."""
    other = [checkpoint(tick) for tick in (*range(0, 300, 40), 300)]
    found = compare_checkpoints(GOLDEN, other, every=40, ticks=300)
    assert (found.verdict, found.strip) == ("inconclusive", ". . ..")
    assert "every 60" in found.reason
    assert "every 40" in found.reason
    longer = compare_checkpoints(GOLDEN, [*ACTUAL, checkpoint(360)], every=60, ticks=360)
    assert (longer.verdict, longer.strip) == ("inconclusive", "......")
    assert compare_checkpoints(GOLDEN, [checkpoint(7)], every=7, ticks=7).checkpoints == 0


def test_a_replay_that_ends_early_leaves_blanks() -> None:
    """Checkpoints that were not reached are blank, and equality of the rest is not called equal."""
    found = compare_checkpoints(GOLDEN, ACTUAL[:3], every=60, ticks=300)
    assert (found.verdict, found.strip) == ("inconclusive", "...   ")


def test_plain_streams() -> None:
    """A stream is compared by hash alone, with the remark; it is equal only when it reaches the replay's end."""
    lines = tuple(GoldenLine(1 + i, Checkpoint(c.tick, c.state_hash)) for i, c in enumerate(ACTUAL))
    stream = Golden(None, None, None, None, lines, "s.txt", ("not checked",))
    assert compare_identity(stream, identity()) is None
    found = compare_checkpoints(stream, ACTUAL, every=60, ticks=300)
    assert (found.verdict, found.remarks) == ("equal", ("not checked",))
    assert compare_checkpoints(without(stream, 300), ACTUAL, every=60, ticks=300).verdict == "inconclusive"
    assert compare_checkpoints(without(stream, 0), ACTUAL, every=60, ticks=300).verdict == "equal"
    diverged = compare_checkpoints(stream, changed(60, "a" * 16, "b" * 16, "c" * 16))
    assert (diverged.verdict, diverged.parts) == ("diverged", ())


def test_identity_mismatches_name_every_field_with_both_sides() -> None:
    """All differing fields at once, each with the golden's line, both sides and why it matters."""
    assert compare_identity(GOLDEN, identity()) is None
    found = compare_identity(GOLDEN, identity(seed=1, backend=FLOAT, config="33" * 16, math=2))
    assert found is not None
    assert found.verdict == "inconclusive"
    assert [(m.field, m.line) for m in found.mismatches] == [("backend", 3), ("seed", 5), ("config", 7), ("math", 8)]
    assert "golden/hand/x.txt:3: backend is fixed_point_16_16, the scenario has float_pinned_32" in found.reason
    assert "0x0000000000001571" in found.reason
    assert found.hint is not None
    assert "detcheck regen hand --yes --reason" in found.hint


def test_implied_checkpoints() -> None:
    """0, N, 2N, … and always the last."""
    found = [implied_checkpoints(every, ticks) for every, ticks in ((1, 0), (5, 0), (5, 4), (5, 5), (5, 6), (1, 3))]
    assert found == [1, 1, 2, 2, 3, 4]


def test_kinds_of_change() -> None:
    """new, unchanged (whatever the reason says), changed with checkpoint and parts, identity changed with fields."""
    assert classify(None, GOLDEN).kind == "new"
    assert classify(replace(GOLDEN, reason="other"), GOLDEN).kind == "unchanged"
    parts = dict(ACTUAL[2].parts)
    new = make_golden(identity(), 60, 300, "why", changed(120, parts["rng"], "a" * 16, parts["unit.pos"]))
    found = classify(GOLDEN, new)
    assert (found.kind, found.first_changed, found.parts, found.replaces) == ("changed", 120, ("world.score",), True)
    other = classify(replace(GOLDEN, identity=identity(seed=1)), GOLDEN)
    assert (other.kind, [field for field, _, _ in other.fields]) == ("identity", ["seed"])
    longer = classify(sample(60, 240), GOLDEN)
    assert (longer.kind, longer.first_changed, longer.span) == (
        "changed",
        300,
        ("every 60, ticks 240", "every 60, ticks 300"),
    )
    damaged = replace(GOLDEN, lines=(replace(GOLDEN.lines[0], damaged=True), *GOLDEN.lines[1:]))
    assert classify(without(damaged, 300), GOLDEN).note is not None
    stream = Golden(None, None, None, None, GOLDEN.lines)
    assert classify(stream, GOLDEN).kind == "changed"
