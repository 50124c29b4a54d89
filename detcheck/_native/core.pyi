# The module as detcheck.engine uses it; plan.c says what the arrays hold.
from collections.abc import Callable

from typing_extensions import Buffer

BLOCK: int
COMPILER: str
FLAGS: str
LOOPS: str
OPS: tuple[str, ...]

def canary(loops: str, /) -> tuple[int, ...]: ...
def newlines(data: Buffer, /) -> int: ...

class Machine(Buffer):
    tick: int
    draws: int
    def __init__(
        self,
        header: Buffer,
        programs: Buffer,
        segments: Buffer,
        items: Buffer,
        steps: Buffer,
        events: Buffer,
        loops: str,
        /,
    ) -> None: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def setup(self, stop: Callable[[], bool] | None, /) -> int: ...
    def run(self, ticks: int, stop: Callable[[], bool] | None, /) -> int: ...
    def trap(self) -> tuple[int, int, int, int, int, int]: ...
