"""Which of the selected replays are done here: a shard of them, what failed last time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from detcheck.runner.last_failed import cache_file, read_failed
from detcheck.runner.selection import NothingSelected
from detcheck.runner.shard import Shard
from detcheck.runner.work import Work


def narrowed(
    works: Sequence[Work], *, shard: Shard | None = None, last_failed_of: Path | None = None
) -> tuple[tuple[Work, ...], tuple[str, ...]]:
    """The works left, and remarks. `last_failed_of` is the scenarios folder whose memory decides.

    Raises NothingSelected (exit 4) when a filter leaves nothing.
    """
    left = tuple(works)
    remarks: list[str] = []
    if last_failed_of is not None:
        failed = read_failed(cache_file(last_failed_of))
        chosen = tuple(w for w in left if (w.name, w.backend) in failed)
        if chosen:
            remarks.append(f"--last-failed: {len(chosen)} of {len(left)} replays were not equal the last time")
            left = chosen
        else:
            remarks.append("--last-failed: nothing selected was unlike the last time; all of it is replayed")
    if shard is not None and left:
        share = tuple(w for w in left if shard.holds(w.name, w.backend))
        if not share:
            hint = "use fewer shards than there are replays"
            raise NothingSelected(f"shard {shard.index}/{shard.count} holds none of {len(left)} replays", hint)
        remarks.append(f"--shard: {len(share)} of {len(left)} replays")
        left = share
    return left, tuple(remarks)
