"""A golden against a replay: identity first, then every checkpoint in common (design: formats, Golden files)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from detcheck.errors import visible
from detcheck.golden.golden import Golden, GoldenLine, implied_hash
from detcheck.model.checkpoint import Checkpoint
from detcheck.model.identity import Identity

#: the line of a golden in which an identity field stands
HEADER_LINES = {
    "format": 1,
    "scenario": 2,
    "backend": 3,
    "rng": 4,
    "seed": 5,
    "inputs": 6,
    "config": 7,
    "math": 8,
}

#: why a field that differs makes the two replays incomparable
_WHY = {
    "scenario": "this golden is another scenario's",
    "backend": "replays do not cross backends",
    "rng": "another generator draws other words",
    "seed": "another seed draws other words",
    "inputs": "the input script was changed",
    "config": "the scenario's tables, programs, constants or tick rate were changed",
    "math": "the backend's pinned bits were changed on purpose",
    "format": "the golden's form is another",
}


@dataclass(frozen=True)
class Mismatch:
    """An identity field that differs: the golden's side, the scenario's, and the golden's line."""

    field: str
    golden: str
    scenario: str
    line: int

    def __str__(self) -> str:
        return f"{self.field} is {visible(self.golden)}, the scenario has {visible(self.scenario)}; {_WHY[self.field]}"


@dataclass(frozen=True)
class GoldenVerdict:
    """What comparing a golden with a replay's checkpoints gives.

    verdict            equal | diverged | inconclusive
    strip              one character a golden line: `.` equal, `x` diverged, blank not compared
    checkpoints        golden lines compared; `equal_checkpoints` of them are equal
    first_divergent_checkpoint   tick of the first unlike golden line
    first_divergent_tick         the same, when the tick before it is known to be equal (or it is tick 0)
    last_equal_tick    the last equal golden line (before the first unlike one, if there is one)
    parts              (name, expected digest, actual digest) that differ there; "" for a side without that part
    golden_line        the file's line of the first unlike checkpoint
    compared_tick      tick of the last golden line compared
    damaged            lines whose hash does not follow from their tick and parts
    """

    verdict: str
    reason: str
    strip: str = ""
    checkpoints: int = 0
    equal_checkpoints: int = 0
    first_divergent_checkpoint: int | None = None
    first_divergent_tick: int | None = None
    last_equal_tick: int | None = None
    parts: tuple[tuple[str, str, str], ...] = ()
    golden_line: int | None = None
    compared_tick: int | None = None
    damaged: tuple[GoldenLine, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    remarks: tuple[str, ...] = ()
    hint: str | None = None


def identity_mismatches(golden: Golden, identity: Identity) -> tuple[Mismatch, ...]:
    """Every identity field that differs, in the header's order; none for a plain stream of hashes."""
    if golden.identity is None:
        return ()
    differing = golden.identity.differences(identity)
    return tuple(Mismatch(field, mine, theirs, HEADER_LINES[field]) for field, mine, theirs in differing)


def compare_identity(golden: Golden, identity: Identity, regen: str | None = None) -> GoldenVerdict | None:
    """The verdict before anything is replayed: inconclusive with every differing field, or None to go on.

    `regen` is the command that records the golden anew, for the hint.
    """
    mismatches = identity_mismatches(golden, identity)
    if not mismatches:
        return None
    copied = any(mismatch.field in ("scenario", "backend") for mismatch in mismatches)
    again = "if it was copied or moved here by accident, take the file from version control again\n" if copied else ""
    words = "\n".join(f"{visible(golden.file)}:{mismatch.line}: {mismatch}" for mismatch in mismatches)
    return GoldenVerdict(
        "inconclusive",
        f"identity mismatch, nothing was replayed:\n{words}",
        strip=" " * len(golden.lines),
        golden_line=mismatches[0].line,
        mismatches=mismatches,
        hint=f"{again}if the change is meant: {regen or _regen(identity.scenario)}",
    )


def compare_checkpoints(
    golden: Golden,
    checkpoints: Iterable[Checkpoint],
    *,
    every: int | None = None,
    ticks: int | None = None,
    regen: str | None = None,
) -> GoldenVerdict:
    """Compare a golden's lines with the checkpoints of a replay, at the ticks both have.

    `every` and `ticks` are the replay's; left out, they are taken to be the golden's. The identities are compared
    before, by `compare_identity`; `regen` as there.
    """
    actual = {checkpoint.tick: checkpoint for checkpoint in checkpoints}
    strip = "".join(_mark(line, actual.get(line.checkpoint.tick)) for line in golden.lines)
    first = strip.find("x")
    last_equal = strip.rfind(".", 0, first if first >= 0 else len(strip))
    result = GoldenVerdict(
        verdict="equal",
        reason="",
        strip=strip,
        checkpoints=len(strip) - strip.count(" "),
        equal_checkpoints=strip.count("."),
        last_equal_tick=golden.lines[last_equal].checkpoint.tick if last_equal >= 0 else None,
        compared_tick=_last_compared(golden, strip),
        damaged=tuple(line for line in golden.lines if line.damaged),
        remarks=golden.remarks,
    )
    if first >= 0:
        line = golden.lines[first]
        return _diverged(golden, result, line, actual.get(line.checkpoint.tick))
    unlike = _unlike_range(golden, tuple(actual), every, ticks, result.checkpoints)
    if unlike:
        anew = regen or _regen(golden.identity.scenario if golden.identity else "NAME")
        lost = "if lines were lost by accident, take the file from version control again\n" if _is_cut(golden) else ""
        return replace(result, verdict="inconclusive", reason=unlike, hint=f"{lost}to record it anew: {anew}")
    return replace(result, reason=_count(result.checkpoints, "equal"))


def _last_compared(golden: Golden, strip: str) -> int | None:
    reached = len(strip.rstrip(" "))
    return golden.lines[reached - 1].checkpoint.tick if reached else None


def _mark(line: GoldenLine, actual: Checkpoint | None) -> str:
    if line.damaged:
        return "x"  # its hash or a part is not what any replay gave
    if actual is None:
        return " "
    expected = line.checkpoint
    same = expected.state_hash == actual.state_hash and (not expected.parts or expected.parts == actual.parts)
    return "." if same else "x"


def _diverged(golden: Golden, result: GoldenVerdict, line: GoldenLine, actual: Checkpoint | None) -> GoldenVerdict:
    tick = line.checkpoint.tick
    exact = tick == 0 or result.last_equal_tick == tick - 1
    parts = _unlike_parts(line.checkpoint, actual) if actual is not None else ()
    if line.damaged:
        reason = f"{visible(golden.file)}:{line.line}: {_damage(line.checkpoint, actual)}"
    else:
        names = ", ".join(name for name, _, _ in parts)
        reason = f"checkpoint {tick} differs" + (f" in {names}" if names else "")
    return replace(
        result,
        verdict="diverged",
        reason=reason,
        first_divergent_checkpoint=tick,
        first_divergent_tick=tick if exact and not line.damaged else None,
        parts=parts,
        golden_line=line.line,
        hint="take the file from version control again" if line.damaged else None,
    )


def _damage(line: Checkpoint, actual: Checkpoint | None) -> str:
    """What is known of a line whose hash is not that of its tick and parts: all the hashes there are."""
    implied = implied_hash(line)
    hashes = [f"its hash is {line.state_hash}", f"its tick and parts give {implied}"]
    if actual is not None:
        same = {implied: ": only the hash was edited", line.state_hash: ": a part was edited"}
        hashes.append(f"this run has {actual.state_hash}{same.get(actual.state_hash, '')}")
    return f"edited or damaged: the hash does not follow from tick and parts\n{'; '.join(hashes)}"


def _unlike_parts(expected: Checkpoint, actual: Checkpoint) -> tuple[tuple[str, str, str], ...]:
    """(name, expected, actual) of the parts that differ, in canonical order; none when the golden has no parts."""
    if not expected.parts:
        return ()
    mine, theirs = dict(expected.parts), dict(actual.parts)
    names = dict.fromkeys((*mine, *theirs))
    return tuple(
        (name, mine.get(name, ""), theirs.get(name, "")) for name in names if mine.get(name) != theirs.get(name)
    )


def _unlike_range(
    golden: Golden, actual: tuple[int, ...], every: int | None, ticks: int | None, compared: int
) -> str | None:
    """Why equal lines do not make an equal replay: the two ranges in words, or None when the ranges are one."""
    lines = len(golden.lines)
    if golden.every is None or golden.ticks is None:
        whole = lines == compared > 0 and golden.lines[-1].checkpoint.tick == max(actual)
        implied = lines
    else:
        implied = implied_checkpoints(golden.every, golden.ticks)
        same = every in (None, golden.every) and ticks in (None, golden.ticks)
        whole = same and lines == compared == implied
    if whole:
        return None
    mine = _range_words([line.checkpoint.tick for line in golden.lines], golden.every, golden.ticks)
    theirs = _range_words(actual, every, ticks)
    cut = f" ({lines} of {implied} lines are there)" if lines < implied else ""
    common = _count(compared, "in common equal") if compared else "no checkpoint in common"
    return f"{common}, but the golden has {mine}{cut} and the replay {theirs}"


def implied_checkpoints(every: int, ticks: int) -> int:
    """How many checkpoints 0, every, 2 * every, … and always `ticks` are."""
    return ticks // every + 1 + (1 if ticks % every else 0)


def _range_words(found: Sequence[int], every: int | None, ticks: int | None) -> str:
    if ticks is not None:
        return f"ticks 0..{ticks}" + (f" every {every}" if every is not None else "")
    return f"ticks {min(found)}..{max(found)}" if found else "none"


def _count(number: int, words: str) -> str:
    return f"{number} checkpoint{'' if number == 1 else 's'} {words}"


def _is_cut(golden: Golden) -> bool:
    """Whether lines are missing that the header implies."""
    if golden.every is None or golden.ticks is None:
        return False
    return len(golden.lines) < implied_checkpoints(golden.every, golden.ticks)


def _regen(name: str) -> str:
    return f"detcheck regen {name} --yes --reason '…'"
