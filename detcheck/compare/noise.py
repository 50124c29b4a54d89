"""What may differ between healthy peers: differences of the first common tick, and clocks and counters of the machine.

A hash that is equal on both sides is what proves a clock to be noise. Without one only names that mean nothing else
(fps, elapsed_ms, a pointer) do, and only beside other values that are equal or that differ themselves. A name such as
`time` may mean the game's; where its values are dates of this century and differ from the first common tick on, it is
the clock on the wall.
"""

from __future__ import annotations

import re

from detcheck.compare.diff import Diff
from detcheck.compare.scalars import same
from detcheck.dumps.names import plain, word_set, words
from detcheck.model.comparison import Finding
from detcheck.model.record import Record, Scalar

#: names of what a machine measures of itself, letters and digits only
NOISE_NAMES = frozenset(
    "elapsed elapsedms elapsedus elapsedns elapsedtime elapsedseconds walltime wallclock wallms realtime systime "
    "timestamp timestampms uptime fps framerate frametime frametimems frameMs renderms simms tickms updatems stepms "
    "cputime cpums cpu cpuusage gputime durationms ping pingms rtt rttms latency latencyms lag jitter bandwidth "
    "packetloss memory memoryusage memusage rss heap heapsize allocations threadid tid pid address addr ptr pointer "
    "renderframe renderframes drawcalls localtime utctime".lower().split()
)

#: those of them that are no state of a simulation, whatever the game
SURE_NAMES = NOISE_NAMES - word_set(
    "lag jitter memory heap heapsize allocations cpu pid drawcalls bandwidth packetloss elapsed elapsedtime "
    "elapsedseconds durationms uptime stepms"
)

#: words of a name that may mean the clock on the wall
_CLOCK_WORDS = word_set("time times ts timestamp now clock date datetime stamp at utc epoch unix")
#: the first seconds of 2000 and of 2100, and what a second is in the units that clocks count
_CENTURY = (946_684_800, 4_102_444_800)
_UNITS = (1, 10**3, 10**6, 10**9)
_DATE = re.compile(r"20\d\d-\d\d-\d\d[T _]\d\d:\d\d\S*(?: ?\S{1,6})?")


def is_clock(a: Record, b: Record, diff: Diff, first: bool = False) -> bool:
    """Whether only fields named like a clock differ while a hash of the state is there and equal."""
    if not diff.values_only or diff.differing > len(diff.found["field"]):
        return False
    common = [name for name in a.hashes if name in b.hashes]
    if not common:
        return len(sure_clocks(diff, first)) == diff.differing < diff.compared
    if not all(same(a.hashes[name], b.hashes[name]) for name in common):
        return False
    return all(_name(f.path) in NOISE_NAMES or (first and _on_the_wall(f)) for f in diff.found["field"])


def sure_clocks(diff: Diff, first: bool = False) -> frozenset[str]:
    """The paths of fields that differ and by their names can only measure the machine; `first`: or by their values."""
    return frozenset(
        f.path
        for f in diff.found["field"]
        if f.kind == "value" and (_name(f.path) in SURE_NAMES or (first and _on_the_wall(f)))
    )


def _on_the_wall(finding: Finding) -> bool:
    """Whether a name may mean the clock on the wall, and both values are dates of this century."""
    name = finding.path.rpartition(".")[2]
    return not _CLOCK_WORDS.isdisjoint(words(name)) and _is_date(finding.a) and _is_date(finding.b)


def _is_date(value: Scalar) -> bool:
    if value.kind == "str":
        return _DATE.fullmatch(value.text) is not None
    number = value.value
    if value.kind not in ("int", "float") or not isinstance(number, (int, float)):
        return False
    return any(_CENTURY[0] <= number / unit < _CENTURY[1] for unit in _UNITS if abs(number) < 10**20)


def clocks_beside(diff: Diff, first: bool = False) -> frozenset[str]:
    """The same where a generator, an input or another field differs too: they are not what diverged."""
    found = sure_clocks(diff, first)
    others = diff.counts["field"] - len(found) + diff.counts["rng"] + diff.counts["input"]
    return found if others else frozenset()


def _name(path: str) -> str:
    return plain(path.rpartition(".")[2])


def may_be_background(a: Record, b: Record, diff: Diff) -> bool:
    """Whether what differs at the first common tick may be noise rather than the divergence.

    Generators, inputs and traces are never noise, nor is what a hash confirms, nor when most fields differ. A hash that
    differs beside equal fields may be (a seeded hasher): then the fields decide.
    """
    if diff.counts["rng"] or diff.counts["input"] or a.events or b.events or diff.differing > len(diff.findings):
        return False
    fields, hashes = diff.counts["field"] + diff.counts["order"], diff.counts["hash"] + diff.counts["derived"]
    if hashes:
        return not fields and bool(a.fields.items and b.fields.items)
    return fields < 4 or fields * 2 <= diff.compared
