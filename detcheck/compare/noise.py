"""What may differ between healthy peers: differences of the first common tick, and clocks and counters of the machine.

A hash that is equal on both sides is what proves a clock to be noise; a name alone proves nothing.
"""

from __future__ import annotations

from detcheck.compare.diff import Diff
from detcheck.compare.scalars import same
from detcheck.dumps.names import plain
from detcheck.model.record import Record

#: names of what a machine measures of itself, letters and digits only
NOISE_NAMES = frozenset(
    "elapsed elapsedms elapsedus elapsedns elapsedtime elapsedseconds walltime wallclock wallms realtime systime "
    "timestamp timestampms uptime fps framerate frametime frametimems frameMs renderms simms tickms updatems stepms "
    "cputime cpums cpu cpuusage gputime durationms ping pingms rtt rttms latency latencyms lag jitter bandwidth "
    "packetloss memory memoryusage memusage rss heap heapsize allocations threadid tid pid address addr ptr pointer "
    "renderframe renderframes drawcalls localtime utctime".lower().split()
)


def is_clock(a: Record, b: Record, diff: Diff) -> bool:
    """Whether only fields named like a clock differ while a hash of the state is there and equal."""
    if not diff.values_only or diff.differing > len(diff.found["field"]):
        return False
    common = [name for name in a.hashes if name in b.hashes]
    if not common or not all(same(a.hashes[name], b.hashes[name]) for name in common):
        return False
    return all(plain(f.path.rpartition(".")[2]) in NOISE_NAMES for f in diff.found["field"])


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
