"""A golden as a value, its text, and where it lies (design: formats, Golden files)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from detcheck.dumps.atomic import is_abandoned, temporary_target
from detcheck.errors import DetcheckError, Where, visible
from detcheck.hashing import state_hash
from detcheck.model.checkpoint import Checkpoint
from detcheck.model.identity import Identity
from detcheck.version import GOLDEN_FORMAT

#: longest reason, in printable characters
REASON_LIMIT = 200

#: suffix of a golden, and of the optional states beside it
SUFFIX = ".txt"
STATES_SUFFIX = ".states.jsonl.gz"


@dataclass(frozen=True)
class HeaderField:
    """One header line `# <name> <value>`: what its value looks like, in a pattern and in words."""

    name: str
    pattern: re.Pattern[str]
    form: str


def _header(name: str, pattern: str, form: str) -> HeaderField:
    return HeaderField(name, re.compile(pattern), form)


#: the header lines after `# detcheck golden 1`, in their order
HEADER: tuple[HeaderField, ...] = (
    _header("scenario", r"[a-z0-9][a-z0-9_-]*", "a scenario's name"),
    _header("backend", r"[a-z0-9_]{1,64}", "a backend's id"),
    _header(
        "rng", r"mt19937 x87_precision=(?:53|24)|splitmix64", "'mt19937 x87_precision=53', '… =24' or 'splitmix64'"
    ),
    _header("seed", r"0x[0-9a-f]{16}", "0x and 16 lower-case hex digits"),
    _header("inputs", r"[0-9a-f]{32}", "32 lower-case hex digits"),
    _header("config", r"[0-9a-f]{32}", "32 lower-case hex digits"),
    _header("math", r"[1-9][0-9]{0,8}", "a version, 1 or more"),
    _header("every", r"[1-9][0-9]{0,18}", "a number of ticks, 1 or more"),
    _header("ticks", r"0|[1-9][0-9]{0,9}", "a number of ticks"),
    _header("reason", r"\S|\S.{0,198}\S", "one line of 1 to 200 printable characters"),
)


@dataclass(frozen=True)
class GoldenLine:
    """A checkpoint line of a file. `damaged`: its hash does not follow from its tick and parts."""

    line: int
    checkpoint: Checkpoint
    damaged: bool = False


@dataclass(frozen=True)
class Golden:
    """A whole golden. `identity`, `every`, `ticks` and `reason` are None for a plain stream of hashes."""

    identity: Identity | None
    every: int | None
    ticks: int | None
    reason: str | None
    lines: tuple[GoldenLine, ...]
    file: str = ""
    remarks: tuple[str, ...] = ()


def golden_path(root: Path, scenario: str, backend: str) -> Path:
    """Where the golden of a scenario and backend lies below the golden folder."""
    return root / scenario / f"{backend}{SUFFIX}"


def states_path(golden: Path) -> Path:
    """The optional states file beside a golden."""
    return golden.with_name(golden.name.removesuffix(SUFFIX) + STATES_SUFFIX)


def make_golden(
    identity: Identity, every: int, ticks: int, reason: str, checkpoints: Iterable[Checkpoint], file: str = ""
) -> Golden:
    """The golden of a replay. Raises DetcheckError for a reason that cannot stand in the header."""
    first = len(HEADER) + 2
    lines = tuple(GoldenLine(first + index, checkpoint) for index, checkpoint in enumerate(checkpoints))
    return Golden(identity, every, ticks, checked_reason(reason), lines, file)


def checked_reason(reason: str) -> str:
    """The reason without outer blanks, one line of 1 to 200 printable characters. Raises `golden.reason`."""
    text = reason.strip()
    if 0 < len(text) <= REASON_LIMIT and text.isprintable():
        return text
    raise DetcheckError(
        "golden.reason",
        f"the reason has to be one line of 1 to {REASON_LIMIT} printable characters, not {visible(reason, 60)!r}",
        hint="give it as --reason 'what changed and why'",
    )


def follows(checkpoint: Checkpoint) -> bool:
    """Whether a checkpoint's hash is the hash of its tick and parts (always true without parts)."""
    return not checkpoint.parts or checkpoint.state_hash == implied_hash(checkpoint)


def implied_hash(checkpoint: Checkpoint) -> str:
    """The hash of a checkpoint's tick and parts."""
    return state_hash(checkpoint.tick, [digest for _, digest in checkpoint.parts])


def render(golden: Golden) -> str:
    """The text of a golden with an identity."""
    assert golden.identity is not None
    values = {
        **golden.identity.as_text(),
        "every": str(golden.every),
        "ticks": str(golden.ticks),
        "reason": golden.reason or "",
    }
    head = [f"# detcheck golden {GOLDEN_FORMAT}", *(f"# {field.name} {values[field.name]}" for field in HEADER)]
    return "\n".join([*head, *(checkpoint_text(line.checkpoint) for line in golden.lines)]) + "\n"


def checkpoint_text(checkpoint: Checkpoint) -> str:
    """One checkpoint's line: `<tick> <hash> <part>=<digest> …`, without its newline."""
    parts = "".join(f" {name}={digest}" for name, digest in checkpoint.parts)
    return f"{checkpoint.tick} {checkpoint.state_hash}{parts}"


def unreferenced(root: Path, owned: Iterable[tuple[str, str]]) -> tuple[Path, ...]:
    """Goldens and states files below `root` that no (scenario, backend) of `owned` owns, sorted.

    Only files of the layout's own form count; left-over temporary files and anything else are ignored, and so is an
    owner's folder that cannot be read: whoever reads the owner's golden says so. Raises `golden.file` for another.
    """
    owned = list(owned)
    owners = {scenario for scenario, _ in owned}
    kept = {golden_path(root, scenario, backend) for scenario, backend in owned}
    kept |= {states_path(path) for path in kept}
    found = []
    for folder in scenario_folders(root):
        files = _files(folder, required=folder.name not in owners)
        found += [path for path in files if is_golden_name(path.name) and path not in kept]
    return tuple(found)


def left_over(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Temporary files that a killed recording left in scenarios' folders, sorted: regular files of our own names."""
    return tuple(path for folder in folders for path in _files(folder, required=False) if _is_left_over(path))


def scenario_folders(root: Path) -> list[Path]:
    """The folders of a golden folder that can hold a scenario's goldens, sorted. Raises `golden.file`."""
    return [path for path in _files(root) if path.is_dir() and not path.name.startswith(".")]


def _files(folder: Path, required: bool = True) -> list[Path]:
    """What lies in a folder; nothing in one that is not there, or cannot be read and need not be."""
    try:
        return sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        if not required:
            return []
        raise DetcheckError("golden.file", f"cannot be read: {error.strerror}", Where(str(folder))) from None


def _is_left_over(path: Path) -> bool:
    name = temporary_target(path.name)
    return name is not None and is_golden_name(name) and is_abandoned(path)


def is_golden_name(name: str) -> bool:
    """Whether a file of this name below a scenario's folder is a golden or the states of one."""
    return re.fullmatch(r"[a-z0-9_]+(?:\.txt|\.states\.jsonl\.gz)", name) is not None
