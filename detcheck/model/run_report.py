"""What a run found: one result a scenario and backend; every report is a function of this."""

from __future__ import annotations

from dataclasses import dataclass, field

from detcheck.model.checkpoint import Checkpoint
from detcheck.model.comparison import Comparison
from detcheck.model.identity import Identity
from detcheck.model.operation import OperationFault


@dataclass(frozen=True)
class Canary:
    """One check of the machine that has to hold before a replay."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True)
class ScenarioResult:
    """verdict: equal | diverged | inconclusive | error.

    strip            one character a golden checkpoint: `.` equal, `x` diverged, blank not reached
    parts            names of the parts that differ at the first divergent checkpoint
    checkpoints      golden lines in the range compared; `actual` are this run's checkpoints
    golden_file, golden_line   where the first divergent line stands (for annotations)
    comparison       the diff of the first divergent state, when the expected side is known
    operation        the first operation on which this run and the reference part, when it was looked for and found
    expected_from    where the expected state came from: states | reference | dump | None
    exit_code        this result's own share of the exit table
    fault_file, fault_line   where an error or a trap points
    compared_tick    tick of the last golden line compared; None when none was
    damaged          the first unlike golden line is edited or damaged: it says nothing of where a replay diverged
    """

    scenario: str
    backend: str
    executor: str
    verdict: str
    reason: str
    scenario_file: str = ""
    identity: Identity | None = None
    checkpoints: int = 0
    equal_checkpoints: int = 0
    first_divergent_checkpoint: int | None = None
    first_divergent_tick: int | None = None
    last_equal_tick: int | None = None
    parts: tuple[tuple[str, str, str], ...] = ()
    strip: str = ""
    comparison: Comparison | None = None
    expected_from: str | None = None
    golden_file: str | None = None
    golden_line: int | None = None
    actual: tuple[Checkpoint, ...] = ()
    remarks: tuple[str, ...] = ()
    hint: str | None = None
    reproduce: str | None = None
    seconds: float = 0.0
    exit_code: int = 0
    operation: OperationFault | None = None
    compared_tick: int | None = None
    damaged: bool = False
    fault_file: str | None = None
    fault_line: int | None = None


@dataclass(frozen=True)
class RunReport:
    """A whole run. `platform` is os, arch, python, compiler, loops in use.

    selected   replays that names and backends selected, before --shard and --last-failed; None when nobody counted
    shard      (index from 1, count) of --shard
    """

    detcheck: str
    platform: dict[str, str]
    canaries: tuple[Canary, ...]
    results: tuple[ScenarioResult, ...]
    remarks: tuple[str, ...] = ()
    seconds: float = 0.0
    exit_code: int = 0
    summary: dict[str, int] = field(default_factory=dict)
    selected: int | None = None
    shard: tuple[int, int] | None = None
