"""Two sides that write from their own seat name the same two things crosswise: what a calls local is b's remote.

A pair of names is given where values of unlike findings have changed places between them, and exchanging the two makes
the first unlike tick equal, or plainly more so, and the equal tick before it no less equal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from detcheck.compare.nodes import record_leaves
from detcheck.compare.options import Options
from detcheck.compare.paths import segments
from detcheck.compare.records import diff_records
from detcheck.compare.renaming import parts_of
from detcheck.compare.seen import Divergence
from detcheck.dumps.names import word_set
from detcheck.model.comparison import Finding
from detcheck.model.record import Record

#: findings whose values are looked for on the other side, and pairs of names that are tried
_FINDINGS, _TRIED = 64, 6
#: a record with more values is not compared again and again
_MOST_VALUES = 50_000
#: what is left of the differences, at most one in so many, where names are plainly exchanged
_SHARE = 3
#: a value of more characters is not the same by chance
_LONG = 7
#: words for seats: with them two values that have changed places are enough
_SEATS = word_set(
    "local remote self other me you them they us my mine their theirs our enemy opponent peer host guest client server "
    "home away own foe ally p0 p1 p2 p3 p4 player0 player1 player2 player3 left right near far"
)


def exchanged(found: Divergence, options: Options) -> tuple[str, str] | None:
    """The two names that the sides give crosswise; None where nothing says so."""
    if options.mapping or record_leaves(found.a) + record_leaves(found.b) > _MOST_VALUES:
        return None
    for (one, other), votes in _candidates(found.diff.findings[:_FINDINGS]).most_common(_TRIED):
        if (votes > 1 or {_word(one), _word(other)} <= _SEATS) and _explains(found, options, one, other):
            return one, other
    return None


def _word(name: str) -> str:
    return "".join(re.findall("[a-z0-9]+", name.lower()))


def _candidates(findings: Sequence[Finding]) -> Counter[tuple[str, str]]:
    """Pairs of names between which values have changed places, by how many values have."""
    found: Counter[tuple[str, str]] = Counter()
    by_values: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        for partner in by_values.get((finding.b.text, finding.a.text), ()):
            telling = (
                finding.a.kind == finding.b.kind == "hash" or min(len(finding.a.text), len(finding.b.text)) > _LONG
            )
            found.update(dict.fromkeys(_unlike_names(partner.path, finding.path), 2 if telling else 1))
        by_values.setdefault((finding.a.text, finding.b.text), []).append(finding)
    return found


def _unlike_names(a: str, b: str) -> Iterator[tuple[str, str]]:
    """The names in which two paths differ, where they do in one piece only: whole, and its part that is unlike."""
    mine, theirs = segments(a), segments(b)
    unlike = [(x, y) for x, y in zip(mine, theirs, strict=False) if x != y]
    if len(mine) != len(theirs) or len(unlike) != 1:
        return
    one, other = unlike[0]
    key, equals, value = one.partition("=")
    if equals and other.startswith(f"{key}="):
        yield value, other[len(key) + 1 :]
        return
    pieces, others = parts_of(one), parts_of(other)
    parts = [(x, y) for x, y in zip(pieces, others, strict=False) if x != y]
    if len(pieces) == len(others) > 1 and len(parts) == 1 and parts[0][0][:1].isalpha():
        yield parts[0]
    yield one, other


def _explains(found: Divergence, options: Options, one: str, other: str) -> bool:
    """Whether exchanging two names leaves few differences of the first unlike tick, and makes no equal tick unlike."""
    renamed = replace(options, mapping=((one, other),))

    def unlike(pair: tuple[Record, Record]) -> tuple[int, int]:
        return diff_records(*pair, options, 0).differing, diff_records(*pair, renamed, 0).differing

    before, after = unlike((found.a, found.b))
    if after * _SHARE > before or before < 2:
        return False
    if found.before:
        plain, crossed = unlike(found.before[-1])
        if crossed > plain:
            return False
    if {_word(one), _word(other)} <= _SEATS or found.next_pair is None:
        return True
    plain, crossed = unlike(found.next_pair)
    return crossed * _SHARE <= plain and (plain > 0 or not found.before)
