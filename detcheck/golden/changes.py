"""What a regen would do to one golden: its kind of change, and what of it (design: formats, regen)."""

from __future__ import annotations

from dataclasses import dataclass

from detcheck.golden.golden import Golden, GoldenLine

#: kind -> the words a user reads; `unreferenced` is found by golden.unreferenced, not by `classify`
KINDS: dict[str, str] = {
    "new": "new",
    "changed": "changed",
    "identity": "identity changed",
    "unchanged": "unchanged",
    "unreferenced": "unreferenced",
}


@dataclass(frozen=True)
class Change:
    """kind is a key of KINDS.

    fields               (name, old, new) of identity fields that differ
    first_changed        tick of the first checkpoint that only one side has or that differs
    parts                names of the parts that differ there
    span                 (old, new) as "every N, ticks M" when that differs
    note                 a plain stream or damaged lines in the old file
    """

    kind: str
    fields: tuple[tuple[str, str, str], ...] = ()
    first_changed: int | None = None
    parts: tuple[str, ...] = ()
    span: tuple[str, str] | None = None
    note: str | None = None

    @property
    def writes(self) -> bool:
        """Whether a regen that may write has something to write."""
        return self.kind in ("new", "changed", "identity")

    @property
    def replaces(self) -> bool:
        """Whether that replaces an existing golden, which needs a reason."""
        return self.kind in ("changed", "identity")


def classify(old: Golden | None, new: Golden) -> Change:
    """The kind of change from the golden that is there (None: none is) to the one just replayed.

    The reason alone is no change: an unchanged golden keeps its own.
    """
    if old is None:
        return Change("new")
    first, parts = _first_changed(old.lines, new.lines)
    fields = old.identity.differences(new.identity) if old.identity and new.identity else ()
    spans = (f"every {old.every}, ticks {old.ticks}", f"every {new.every}, ticks {new.ticks}")
    span = spans if spans[0] != spans[1] else None
    if fields:
        return Change("identity", fields, first, parts, span)
    if old.identity is None:
        return Change("changed", (), first, parts, None, "it was a plain stream of hashes")
    if first is None and span is None:
        return Change("unchanged")
    damaged = [str(line.line) for line in old.lines if line.damaged]
    note = f"edited or damaged: line {', '.join(damaged[:5])}" if damaged else None
    return Change("changed", (), first, parts, span, note)


def _first_changed(old: tuple[GoldenLine, ...], new: tuple[GoldenLine, ...]) -> tuple[int | None, tuple[str, ...]]:
    mine = {line.checkpoint.tick: line.checkpoint for line in old}
    theirs = {line.checkpoint.tick: line.checkpoint for line in new}
    for tick in sorted({*mine, *theirs}):
        a, b = mine.get(tick), theirs.get(tick)
        if a == b:
            continue
        if a is None or b is None:
            return tick, ()
        before, after = dict(a.parts), dict(b.parts)
        names = dict.fromkeys((*before, *after))
        return tick, tuple(name for name in names if before.get(name) != after.get(name))
    return None, ()
