"""A bounded picture of a long run of ticks: one character a bucket, buckets growing as ticks come."""

from __future__ import annotations

EQUAL, UNLIKE, MISSING = ".", "x", "-"
MAX_BUCKETS = 128
#: what a bucket shows when several kinds fall into it
_RANK = {"": 0, MISSING: 1, EQUAL: 2, UNLIKE: 3}


class Strip:
    """Equal, unlike and missing ticks in order."""

    def __init__(self) -> None:
        self.buckets: list[str] = []
        self.size = 1
        self.filled = 0

    def add(self, mark: str, count: int = 1) -> None:
        """`count` ticks of one kind follow."""
        while count > 0:
            if not self.buckets or self.filled == self.size:
                self._open()
            taken = min(count, self.size - self.filled)
            if _RANK[mark] > _RANK[self.buckets[-1]]:
                self.buckets[-1] = mark
            self.filled += taken
            count -= taken

    def _open(self) -> None:
        if len(self.buckets) == MAX_BUCKETS:
            pairs = zip(self.buckets[::2], self.buckets[1::2], strict=True)
            self.buckets = [max(pair, key=_RANK.__getitem__) for pair in pairs]
            self.size *= 2
        self.buckets.append("")
        self.filled = 0

    def text(self) -> str:
        """The strip: `.` equal, `x` unlike, `-` only on one side."""
        return "".join(self.buckets)
