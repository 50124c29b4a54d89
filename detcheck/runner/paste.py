"""Command lines to paste: what reproduces a result, what records it, what finds the exact tick."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detcheck.runner.settings import Setting

#: settings that decide which files a command finds and who replays them: each is an option of the same name
FINDING = ("scenarios", "golden", "executor")

#: what stands for a reason in a command line to paste
REASON = "what changed and why"


def flags_of(settings: Mapping[str, Setting]) -> tuple[str, ...]:
    """The options a pasted command needs to find the same files.

    What stands in the project's file or is the default is found again; a flag or a variable of this shell is not.
    """
    chosen = (settings[name] for name in FINDING)
    own = [s for s in chosen if s.value is not None and (s.origin == "command line" or s.origin.startswith("$"))]
    return tuple(word for s in own for word in (f"--{s.name}", s.value or ""))


@dataclass(frozen=True)
class Paste:
    """How one replay is called on a command line: its name or file, its backend, and the flags this run was given."""

    argument: str
    backend: str
    flags: tuple[str, ...] = ()

    def run(self, *more: str) -> str:
        """`detcheck run NAME --backend ID`."""
        return self._line("run", "--backend", self.backend, *self.flags, *more)

    def record(self) -> str:
        """What records a golden that is not there; without --yes nothing is written off a terminal."""
        return self._line("regen", "--backend", self.backend, *self.flags, "--yes")

    def replace(self) -> str:
        """What records anew a golden that is there."""
        return self._line("regen", "--backend", self.backend, *self.flags, "--yes", "--reason", REASON)

    def dump(self, first: int, last: int, file: str, here: bool = True) -> str:
        """The states of every tick of a range into a file; on another machine any executor will do."""
        pairs = zip(self.flags[::2], self.flags[1::2], strict=True)
        left_out = ("--golden",) if here else ("--golden", "--executor")
        flags = [word for name, value in pairs if name not in left_out for word in (name, value)]
        return self._line(
            "dump", "--backend", self.backend, *flags, "--every", "1", "--ticks", f"{first}:{last}", "-o", file
        )

    def exact_tick(self, first: int, last: int) -> str:
        """What to type on the good machine and here to get the exact tick and its fields."""
        return "\n".join(
            [
                "to see the expected state" + (" and the exact tick:" if last - first > 1 else ":"),
                f"  on a machine where it is equal:  {self.dump(first, last, 'good.jsonl.gz', here=False)}",
                f"  here:  {self.dump(first, last, 'here.jsonl.gz')}",
                "  then:  detcheck diff good.jsonl.gz here.jsonl.gz",
            ]
        )

    def _line(self, command: str, *words: str) -> str:
        return shlex.join(["detcheck", command, self.argument, *words])
