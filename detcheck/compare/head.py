"""Are two sides comparable? Ids, identity, schema, settings and counts in their heads (design: diff, Decide 1)."""

from __future__ import annotations

import re

from detcheck.compare.options import Options
from detcheck.compare.scalars import same
from detcheck.errors import visible
from detcheck.model.record import Scalar, Source

MAX_SHOWN = 6
_WALL_CLOCK = re.compile(
    r"(?:[A-Z][a-z]{2},? )?(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{8}(?=T)"
    r"|\d{1,2} [A-Z][a-z]{2,8} \d{4}|[A-Z][a-z]{2} +\d{1,2})(?:[T ,_]+)"
    r"\d{1,2}:?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT|AM|PM|[+-]\d{2}:?\d{2}))?(?: \d{4})?"
)


def unlike_heads(a: Source, b: Source, options: Options) -> list[str]:
    """`game id: X / Y` for each entry of the heads that both sides have and that differs."""
    found = []
    for name, mine in a.head.items():
        theirs = b.head.get(name)
        if theirs is not None and is_wall_clock(mine, theirs):
            continue
        if (
            theirs is None
            or mine.text == theirs.text
            or same(mine, theirs)
            or any(p.matches(name) for p in options.ignore)
        ):
            continue
        found.append(f"{visible(name, 80)}: {visible(mine.text, 80)} / {visible(theirs.text, 80)}")
    return found


def is_wall_clock(mine: Scalar, theirs: Scalar) -> bool:
    """Two dates with a time of day: when something was written or begun, under whatever name."""
    return all(len(one.text) < 64 and _WALL_CLOCK.fullmatch(one.text.strip()) for one in (mine, theirs))


def head_reason(unlike: list[str]) -> str:
    """Why two sides with unlike heads are not compared."""
    shown = "; ".join(unlike[:MAX_SHOWN])
    more = f" and {len(unlike) - MAX_SHOWN} more" if len(unlike) > MAX_SHOWN else ""
    return f"not comparable, the heads differ in {shown}{more}"


def run_reason(unlike: list[str]) -> str:
    """The same for sides whose records name another game each."""
    return f"not comparable, the records are of different games: {'; '.join(unlike)}"


def one_sided_heads(a: Source, b: Source) -> str | None:
    """A remark on what only one head names."""
    only_a = [visible(name, 40) for name in a.head if name not in b.head]
    only_b = [visible(name, 40) for name in b.head if name not in a.head]
    if not (a.head and b.head) or not (only_a or only_b):
        return None
    sides = [f"only {side}: {', '.join(names[:MAX_SHOWN])}" for side, names in (("a", only_a), ("b", only_b)) if names]
    return f"the heads name different things ({'; '.join(sides)}); these were not compared"
