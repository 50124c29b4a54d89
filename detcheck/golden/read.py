"""Reading a golden: strict, since a golden that is nearly right is worse than none (design: formats, Golden files)."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from detcheck.errors import DetcheckError, Where, visible
from detcheck.golden.golden import HEADER, REASON_LIMIT, Golden, GoldenLine, HeaderField, follows
from detcheck.model.checkpoint import Checkpoint
from detcheck.model.identity import Identity
from detcheck.model.schema import RngSpec
from detcheck.version import GOLDEN_FORMAT

#: bytes of a whole file, and of one line: far above any golden, far below what hurts
FILE_LIMIT = 256 << 20
LINE_LIMIT = 16 << 20

#: most ticks of a scenario (2^31 - 1)
TICK_LIMIT = 0x7FFFFFFF

#: characters of a faulty line that an error keeps
_SHOWN = 1000

#: what to do about an operating system's refusal
_NEXT = {
    errno.EACCES: "let this user read it and the folders above it (ls -ld shows who may)",
    errno.EPERM: "let this user read it and the folders above it (ls -ld shows who may)",
    errno.ENOTDIR: "goldens lie in folders, one a scenario; --golden DIR names the folder above them",
    errno.ELOOP: "ls -l shows the links; take the file from version control again",
    errno.ENAMETOOLONG: "give the scenario or the folder of goldens a shorter name",
}

#: a mark that some editors put before UTF-8
_BOM = b"\xef\xbb\xbf"

_TICK = r"(?:0|[1-9][0-9]{0,18})"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_PART = re.compile(rf"(rng|{_NAME}\.{_NAME})=([0-9a-f]{{16}})")
_CHECKPOINT = re.compile(rf"({_TICK}) ([0-9a-f]{{16}})((?: [^ =]+=[0-9a-f]{{16}})+)")
_STREAM = re.compile(rf"({_TICK}) ([0-9a-f]{{16}})")
_VERSION = re.compile(r"# detcheck golden ([0-9]{1,9})")

_CHECKPOINT_FORM = (
    "<tick> <hash> rng=<digest> <table>.<column>=<digest> …, single spaces, 16 lower-case hex digits each"
)
_STREAM_REMARK = "a plain stream of hashes: its identity and the parts of its states were not checked"


def golden_is_there(path: Path | str) -> bool:
    """Whether anything is at a golden's place. Raises `golden.file` where that cannot be told, or could never be.

    No permission for its folder, a loop of links, a file where a folder has to be: none of these is a missing golden.
    """
    file = os.fspath(path)
    try:
        os.lstat(file)
    except FileNotFoundError:
        above = next((p for p in Path(file).parents if os.path.lexists(p)), None)
        if above is None or above.is_dir():
            return False
        raise _unreadable(file, NotADirectoryError(errno.ENOTDIR, f"{above} is not a folder")) from None
    except (OSError, ValueError) as error:
        raise _unreadable(file, error) from None
    return True


def read_golden(path: Path | str, regen: str | None = None) -> Golden:
    """Read a golden, or a plain stream of `<tick> <hash>` lines as one without identity and parts.

    `regen` is the command that records it anew, as faults name it; left out, it is made of the file's place.
    Raises DetcheckError: `golden.missing` when nothing is there, `golden.file` when it is no readable regular file,
    `golden.version`, or `golden.form` with the line and column that are not as they have to be.
    """
    file = os.fspath(path)
    lines = _Lines(file, regen)
    first = next(lines, None)
    if first is None:
        raise lines.fault("the file is empty", f"'# detcheck golden {GOLDEN_FORMAT}'")
    if _STREAM.fullmatch(first):
        return _read_stream(lines, first)
    return _read_golden(lines, first)


@dataclass
class _Range:
    every: int
    ticks: int


class _Lines:
    """The lines of a file without their ends, one at a time, bounded, with the place of the current one."""

    def __init__(self, file: str, regen: str | None = None) -> None:
        self.file = file
        self.regen = regen or f"detcheck regen {_scenario_of(file)} --yes --reason '…'"
        self.number = 0
        self.text = ""
        self._lines = self._read()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._lines)

    def _read(self) -> Iterator[str]:
        self._check_regular()
        try:
            with open(self.file, "rb") as stream:
                while raw := stream.readline(LINE_LIMIT + 1):
                    self.number += 1
                    yield self._decode(raw)
        except OSError as error:
            raise _unreadable(self.file, error) from None

    def _check_regular(self) -> None:
        try:
            found = os.stat(self.file)
        except FileNotFoundError:
            raise DetcheckError(
                "golden.missing",
                "there is no golden here",
                Where(self.file),
                f"record it with: {self.regen}",
            ) from None
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            raise _unreadable(self.file, error) from None
        if not stat.S_ISREG(found.st_mode):
            hint = "move it away, or name another folder of goldens: --golden DIR"
            raise DetcheckError("golden.file", "a golden has to be a regular file", Where(self.file), hint)
        if found.st_size > FILE_LIMIT:
            raise DetcheckError(
                "golden.file",
                f"{found.st_size} bytes are too many for a golden, the limit is {FILE_LIMIT >> 20} MiB",
                Where(self.file),
            )

    def _decode(self, raw: bytes) -> str:
        if len(raw) > LINE_LIMIT:
            self.text = raw[:_SHOWN].decode("utf-8", "replace")
            raise self.fault("this line is too long for a golden", _first_form(self.number))
        try:
            text = raw.removeprefix(_BOM) if self.number == 1 else raw
            self.text = text.decode("utf-8").removesuffix("\n")
        except UnicodeDecodeError as error:
            self.text = raw[:_SHOWN].decode("utf-8", "replace")
            raise self.fault("these bytes are not UTF-8", _first_form(self.number), error.start + 1) from None
        if not raw.endswith(b"\n"):
            raise self.fault("the last line is cut: it has no newline", "a newline at the end", len(self.text) + 1)
        self.text = self.text.removesuffix("\r")
        return self.text

    def fault(self, what: str, form: str, column: int | None = 1) -> DetcheckError:
        """What is wrong at the current line, what would be right, and what to do."""
        shown = self.text[:_SHOWN]
        return DetcheckError(
            "golden.form",
            f"{what}; expected {form}",
            Where(self.file, max(1, self.number), column if column and column <= _SHOWN else None, shown),
            "if it was cut or edited by accident, take the file from version control again; "
            f"to record it anew: {self.regen}",
        )


def _unreadable(file: str, error: Exception) -> DetcheckError:
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    number = error.errno if isinstance(error, OSError) else None
    return DetcheckError("golden.file", f"cannot be read: {visible(words)}", Where(file), _NEXT.get(number or 0))


def _first_form(line: int) -> str:
    if line == 1:
        return f"'# detcheck golden {GOLDEN_FORMAT}'"
    return "a line of a golden"


def _scenario_of(file: str) -> str:
    """The scenario by the golden's place, for the command to type."""
    name = Path(file).parent.name
    return name if re.fullmatch(r"[a-z0-9][a-z0-9_-]*", name) else "NAME"


def _read_golden(lines: _Lines, first: str) -> Golden:
    version = _VERSION.fullmatch(first)
    if version is None:
        raise lines.fault("this is no golden", _first_form(1))
    if version[1] != str(GOLDEN_FORMAT):
        raise DetcheckError(
            "golden.version",
            f"golden format {version[1]}, this detcheck reads format {GOLDEN_FORMAT}",
            Where(lines.file, 1, len("# detcheck golden ") + 1, first),
            f"use the detcheck that wrote it, or record it anew with: {lines.regen}",
        )
    values = {field.name: _header_value(lines, field) for field in HEADER}
    identity = Identity(
        scenario=values["scenario"],
        backend=values["backend"],
        rng=_rng(values["rng"]),
        seed=int(values["seed"], 16),
        inputs=values["inputs"],
        config=values["config"],
        math=int(values["math"]),
        format=GOLDEN_FORMAT,
    )
    span = _Range(int(values["every"]), int(values["ticks"]))
    checkpoints = tuple(_checkpoints(lines, span))
    return Golden(identity, span.every, span.ticks, values["reason"], checkpoints, lines.file)


def _header_value(lines: _Lines, field: HeaderField) -> str:
    form = f"'# {field.name} ' and {field.form}"
    text = next(lines, None)
    if text is None:
        lines.number += 1
        lines.text = ""
        raise lines.fault("the header ends too early", form)
    start = f"# {field.name} "
    if not text.startswith(start):
        raise lines.fault("this header line is missing, repeated or out of order", form)
    value = text[len(start) :]
    if not field.pattern.fullmatch(value) or (field.name == "reason" and not _is_reason(value)):
        raise lines.fault(f"this is no right value for {field.name}", form, len(start) + 1)
    if field.name == "ticks" and int(value) > TICK_LIMIT:
        raise lines.fault("too many ticks", f"at most {TICK_LIMIT}", len(start) + 1)
    return value


def _is_reason(value: str) -> bool:
    return len(value) <= REASON_LIMIT and value.isprintable()


def _rng(text: str) -> RngSpec:
    kind, _, precision = text.partition(" x87_precision=")
    return RngSpec(kind, int(precision) if precision else None)


def _checkpoints(lines: _Lines, span: _Range) -> Iterator[GoldenLine]:
    names: tuple[str, ...] | None = None
    last = -1
    for text in lines:
        checkpoint = _checkpoint(lines, text)
        found = tuple(name for name, _ in checkpoint.parts)
        if names is None:
            names = _part_names(lines, found)
        if found != names:
            raise lines.fault("the parts are not those of the first checkpoint", "the same parts in every line", None)
        _check_tick(lines, checkpoint.tick, last)
        if checkpoint.tick > span.ticks or (checkpoint.tick % span.every and checkpoint.tick != span.ticks):
            form = f"a multiple of {span.every} up to {span.ticks}, or {span.ticks} itself"
            raise lines.fault(f"tick {checkpoint.tick} is no checkpoint of this header", form)
        last = checkpoint.tick
        yield GoldenLine(lines.number, checkpoint, damaged=not follows(checkpoint))


def _checkpoint(lines: _Lines, text: str) -> Checkpoint:
    match = _CHECKPOINT.fullmatch(text)
    if match is None:
        raise lines.fault("this is no checkpoint line", _CHECKPOINT_FORM, _bad_column(text))
    parts = tuple((name, digest) for name, _, digest in (part.partition("=") for part in match[3].split()))
    return Checkpoint(int(match[1]), match[2], parts)


def _bad_column(text: str) -> int:
    """The column (from 1) of the first token that is not as it has to be."""
    column = 1
    patterns = [re.compile(_TICK), re.compile(r"[0-9a-f]{16}")]
    for index, token in enumerate(text.split(" ")):
        pattern = patterns[index] if index < len(patterns) else _PART
        if not pattern.fullmatch(token):
            return column
        column += len(token) + 1
    return min(column, len(text) + 1)  # all there is is right: a token is missing at the end


def _part_names(lines: _Lines, names: tuple[str, ...]) -> tuple[str, ...]:
    column = len(lines.text.split(" ")[0]) + 19
    for index, name in enumerate(names):
        right = _PART.fullmatch(f"{name}={'0' * 16}") and (name == "rng") == (index == 0)
        if not right or name in names[:index]:
            raise lines.fault("this is no right part name here", "rng first, then each <table>.<column> once", column)
        column += len(name) + 18
    return names


def _check_tick(lines: _Lines, tick: int, last: int) -> None:
    if tick <= last:
        raise lines.fault(f"tick {tick} follows tick {last}", "ascending ticks")


def _read_stream(lines: _Lines, first: str) -> Golden:
    found: list[GoldenLine] = []
    text: str | None = first
    last = -1
    while text is not None:
        match = _STREAM.fullmatch(text)
        if match is None:
            raise lines.fault("this is no '<tick> <hash>' line", "a tick, one space, 16 lower-case hex digits")
        tick = int(match[1])
        _check_tick(lines, tick, last)
        last = tick
        found.append(GoldenLine(lines.number, Checkpoint(tick, match[2])))
        text = next(lines, None)
    return Golden(None, None, None, None, tuple(found), lines.file, (_STREAM_REMARK,))
