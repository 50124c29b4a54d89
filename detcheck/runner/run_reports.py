"""Reading `run --json` reports back: bounded, strict about what is used, indifferent to fields added later."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from detcheck.errors import DetcheckError, Where, visible
from detcheck.runner.shard import COUNT_LIMIT
from detcheck.version import REPORT_FORMAT

#: a report of a run holds a few hundred bytes a checkpoint; more than this is not one
SIZE_LIMIT_BYTES = 256 * 1024 * 1024

VERDICTS = ("equal", "diverged", "inconclusive", "error")

_HOW = "give files written by: detcheck run --json FILE"


@dataclass(frozen=True)
class ReportedResult:
    """One result of a report; `hashes` maps a checkpoint's tick to its state hash.

    A result that is said to be equal without the evidence of it is taken as inconclusive.
    """

    scenario: str
    backend: str
    verdict: str
    reason: str
    identity: tuple[tuple[str, str], ...] | None
    hashes: dict[int, str]
    divergent: int | None


@dataclass(frozen=True)
class ReportedRun:
    """One report file."""

    file: str
    detcheck: str
    platform: tuple[tuple[str, str], ...]
    results: tuple[ReportedResult, ...]
    shard: tuple[int, int] | None = None
    selected: int | None = None
    failed_canaries: tuple[str, ...] = ()


def read_run_report(path: str) -> ReportedRun:
    """Read one report. Raises DetcheckError naming the file and the field that is not as `run --json` writes it."""
    document = _load(path)
    reader = _Reader(path)
    if not isinstance(document, dict) or "results" not in document or "detcheck" not in document:
        raise reader.fault("", "is not a report of a run", _HOW)
    version = document.get("version")
    if version != REPORT_FORMAT or isinstance(version, bool):
        hint = f"this detcheck reads version {REPORT_FORMAT}; write the report again with this version"
        raise reader.fault("version", f"is {visible(repr(version))}, not {REPORT_FORMAT}", hint)
    platform = reader.mapping(document.get("platform"), "platform")
    fields = tuple((str(k), _flat(v)) for k, v in platform.items())
    results = reader.sequence(document["results"], "results")
    return ReportedRun(
        path,
        reader.text(document["detcheck"], "detcheck"),
        fields,
        tuple(_result(reader, r, f"results[{i}]") for i, r in enumerate(results)),
        _shard(reader, document.get("shard")),
        reader.optional_count(document.get("selected"), "selected"),
        _failed_canaries(reader, document.get("canaries", [])),
    )


def _shard(reader: _Reader, value: object) -> tuple[int, int] | None:
    if value is None:
        return None
    item = reader.mapping(value, "shard")
    index, count = (reader.optional_count(item.get(name), f"shard.{name}") for name in ("index", "count"))
    if index is None or count is None or not 1 <= index <= count <= COUNT_LIMIT:
        raise reader.fault("shard", "is not an index and a count with 1 <= index <= count")
    return index, count


def _failed_canaries(reader: _Reader, value: object) -> tuple[str, ...]:
    items = [reader.mapping(c, f"canaries[{i}]") for i, c in enumerate(reader.sequence(value, "canaries"))]
    return tuple(_flat(c.get("name")) for c in items if c.get("ok") is not True)


def _result(reader: _Reader, value: object, at: str) -> ReportedResult:
    item = reader.mapping(value, at)
    verdict = reader.text(item.get("verdict"), f"{at}.verdict")
    if verdict not in VERDICTS:
        raise reader.fault(f"{at}.verdict", f"is {visible(verdict)!r}, not one of {', '.join(VERDICTS)}", _HOW)
    identity = item.get("identity")
    fields = None
    if identity is not None:
        fields = tuple((str(k), _flat(v)) for k, v in reader.mapping(identity, f"{at}.identity").items())
    hashes = reader.mapping(item.get("hashes", {}), f"{at}.hashes")
    lacking = _lacking(item) if verdict == "equal" else None
    return ReportedResult(
        reader.text(item.get("scenario"), f"{at}.scenario"),
        reader.text(item.get("backend"), f"{at}.backend", empty=verdict == "error"),  # a file that is no scenario
        verdict if lacking is None else "inconclusive",
        _flat(item.get("reason") or "") if lacking is None else f"said to be equal, but {lacking}",
        fields,
        {reader.tick(k, f"{at}.hashes"): reader.hash64(v, f"{at}.hashes") for k, v in hashes.items()},
        reader.optional_tick(item.get("first_divergent_checkpoint"), f"{at}.first_divergent_checkpoint"),
    )


def _lacking(item: Mapping[str, Any]) -> str | None:
    """What keeps an equal result from being believed, in words."""
    hashes, checkpoints = item.get("hashes"), item.get("checkpoints")
    if not item.get("identity"):
        return "it has no identity"
    if item.get("first_divergent_checkpoint") is not None:
        return f"it names a divergent checkpoint, {item['first_divergent_checkpoint']}"
    if not isinstance(checkpoints, int) or not _is_count(checkpoints) or checkpoints == 0:
        return "it compared no checkpoint"
    if item.get("equal_checkpoints") != checkpoints:
        return f"not all of its {checkpoints} checkpoints are"
    if not hashes or len(hashes) < checkpoints:
        return f"it holds {len(hashes or ())} hashes of {checkpoints} checkpoints"
    return None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _flat(value: object) -> str:
    """A platform or identity field as text; a list or an object keeps its order and spelling."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=True)


def _load(path: str) -> Any:
    where = Where(path)
    try:
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise DetcheckError("report.not_a_file", "is not a regular file", where, _HOW)
            data = file.read(SIZE_LIMIT_BYTES + 1)
    except OSError as error:
        raise DetcheckError("report.unreadable", f"cannot be read: {error.strerror}", where, _HOW) from None
    if len(data) > SIZE_LIMIT_BYTES:
        raise DetcheckError("report.too_large", f"is larger than {SIZE_LIMIT_BYTES} bytes", where, _HOW)
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        message = f"is not JSON: {visible(error)}" if isinstance(error, ValueError) else "is nested too deeply"
        raise DetcheckError("report.not_json", message, where, _HOW) from None


class _Reader:
    """Checks of single fields, with the file's name in every fault."""

    def __init__(self, file: str) -> None:
        self.file = file

    def fault(self, at: str, message: str, hint: str = _HOW) -> DetcheckError:
        return DetcheckError("report.invalid", f"{at + ' ' if at else ''}{message}", Where(self.file), hint)

    def mapping(self, value: object, at: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.fault(at, "is not an object")
        return value

    def sequence(self, value: object, at: str) -> list[Any]:
        if not isinstance(value, list):
            raise self.fault(at, "is not a list")
        return value

    def text(self, value: object, at: str, empty: bool = False) -> str:
        if not isinstance(value, str) or not (value or empty):
            raise self.fault(at, "is not a text")
        return value

    def tick(self, value: object, at: str) -> int:
        if (
            isinstance(value, str)
            and value.isascii()
            and value.isdigit()
            and len(value) <= 16
            and value == str(int(value))
        ):
            return int(value)
        raise self.fault(at, f"has the tick {visible(repr(value))}")

    def optional_tick(self, value: object, at: str) -> int | None:
        return self.optional_count(value, at, "a tick")

    def optional_count(self, value: object, at: str, what: str = "a count") -> int | None:
        if value is None:
            return None
        if isinstance(value, int) and _is_count(value):
            return value
        raise self.fault(at, f"is {visible(repr(value))}, not {what}")

    def hash64(self, value: object, at: str) -> str:
        if isinstance(value, str) and len(value) == 16 and all(c in "0123456789abcdef" for c in value):
            return value
        raise self.fault(at, f"has the hash {visible(repr(value))}, not 16 hex digits")
