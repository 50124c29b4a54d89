"""Reading a file of known answers: a head line, then one operation a line. The file is untrusted.

Every fault is a DetcheckError with file and line: `vectors.head`, `vectors.version`, `vectors.line`,
`vectors.unknown_op`, `vectors.value`, `vectors.size`, besides `backend.unknown` and those of opening a file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from detcheck import numbers
from detcheck.errors import DetcheckError, Where, json_words, visible
from detcheck.numbers import Backend
from detcheck.scenario.files import open_regular, unreadable
from detcheck.vectors.ops import KIND_WORDS, OPS, RANGES, OpShape
from detcheck.version import VECTORS_FORMAT

LINE_LIMIT = 64 << 10
FILE_LIMIT = 256 << 20

_HEAD_FORM = f'{{"detcheck":"vectors","version":{VECTORS_FORMAT},"backend":"…","source":"…"}}'
_LINE_FORM = '{"op":"add","in":[…],"out":[…]}'
_SPLIT = "one operation a line; split a larger file into several"
_HEAD_KEYS = ("detcheck", "version", "backend", "source")
_LINE_KEYS = ("op", "in", "out")


@dataclass(frozen=True)
class Head:
    """The first line: which backend the answers are of, and where they come from ("" when not said)."""

    backend: Backend
    source: str


@dataclass(frozen=True, slots=True)
class VectorLine:
    """One known answer. `line` counts from 1; `outputs` is None for a trap."""

    line: int
    shape: OpShape
    inputs: tuple[int, ...]
    outputs: tuple[int, ...] | None


@dataclass(frozen=True)
class VectorFile:
    """An open file: its head, and its lines, one at a time."""

    head: Head
    lines: Iterator[VectorLine]


@contextmanager
def open_vectors(path: Path) -> Iterator[VectorFile]:
    """Open a file and read its head; `lines` are read and checked as they are asked for."""
    with open_regular(path, "a file of known answers") as stream:
        lines = _numbered(path, stream)
        number, text = next(lines, (1, ""))
        head = _head(Where(str(path), number), text)
        yield VectorFile(head, _lines(path, head.backend, lines))


def _numbered(path: Path, stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """(line number, text without its end) while the limits hold. CRLF and a BOM at the start are accepted."""
    number = size = 0
    while True:
        try:
            raw = stream.readline(LINE_LIMIT + 1)
        except OSError as error:
            raise unreadable(path, error) from None
        if not raw:
            return
        number += 1
        size += len(raw)
        where = Where(str(path), number)
        if len(raw) > LINE_LIMIT:
            raise DetcheckError("vectors.size", f"the line is longer than {LINE_LIMIT:,} bytes", where, _SPLIT)
        if size > FILE_LIMIT:
            raise DetcheckError("vectors.size", f"the file is longer than {FILE_LIMIT:,} bytes", where, _SPLIT)
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            message = f"byte {error.start + 1} of the line is not UTF-8"
            raise DetcheckError("vectors.line", message, where, "write the file as UTF-8") from None
        yield number, text.removesuffix("\n").removesuffix("\r")


def _lines(path: Path, backend: Backend, lines: Iterator[tuple[int, str]]) -> Iterator[VectorLine]:
    number = 0
    for number, text in lines:
        yield _line(Where(str(path), number), backend, text)
    if number == 0:
        raise DetcheckError(
            "vectors.line", "no known answer follows the head", Where(str(path), 1), _expected(_LINE_FORM)
        )


def _head(where: Where, text: str) -> Head:
    head = _object(where, text, "vectors.head", _HEAD_FORM)
    if head.get("detcheck") != "vectors":
        raise DetcheckError("vectors.head", "this is not a file of known answers", where, _expected(_HEAD_FORM))
    version = head.get("version")
    if type(version) is not int or version != VECTORS_FORMAT:
        message = f"version {_shown(version)} of the form is not known here"
        raise DetcheckError("vectors.version", message, where, f"this detcheck reads version {VECTORS_FORMAT}")
    _check_keys(where, head, _HEAD_KEYS, ("backend",), "vectors.head", _HEAD_FORM)
    backend, source = head["backend"], head.get("source", "")
    if not isinstance(backend, str) or backend not in numbers.BACKENDS:
        message = f"no backend is called {_shown(backend)}"
        raise DetcheckError("backend.unknown", message, where, f"backends: {', '.join(numbers.BACKENDS)}")
    if not isinstance(source, str):
        raise DetcheckError("vectors.head", "source is not a text", where, _expected(_HEAD_FORM))
    return Head(numbers.get(backend), source)


def _line(where: Where, backend: Backend, text: str) -> VectorLine:
    line = _object(where, text, "vectors.line", _LINE_FORM)
    _check_keys(where, line, _LINE_KEYS, _LINE_KEYS, "vectors.line", _LINE_FORM)
    shape = _shape(where, backend, line["op"])
    inputs = _values(where, f"in of {shape.name}", line["in"], shape.params_on(backend))
    out = line["out"]
    outputs = None if out == ["trap"] else _values(where, f"out of {shape.name}", out, shape.results_on(backend))
    return VectorLine(where.line or 0, shape, inputs, outputs)


def _shape(where: Where, backend: Backend, op: object) -> OpShape:
    shape = OPS.get(op) if isinstance(op, str) else None
    if shape is None:
        raise DetcheckError("vectors.unknown_op", f"no op is called {_shown(op)}", where, f"ops: {' '.join(OPS)}")
    if not shape.on(backend):
        message = f"{shape.name} takes radians, which {backend.id} has not"
        raise DetcheckError("vectors.unknown_op", message, where, "radians exist on float_pinned_32; angles: sin_cos")
    return shape


def _values(where: Where, what: str, values: object, kinds: tuple[str, ...]) -> tuple[int, ...]:
    wanted = ", ".join(KIND_WORDS[kind] for kind in kinds)
    if not isinstance(values, list) or len(values) != len(kinds):
        count = f"{len(values)} values" if isinstance(values, list) else _shown(values)
        raise DetcheckError(
            "vectors.value", f"{what} is {count}", where, f"it takes an array of {len(kinds)}: {wanted}"
        )
    for position, (value, kind) in enumerate(zip(values, kinds, strict=True)):
        least, greatest = RANGES[kind]
        if type(value) is not int or not least <= value <= greatest:
            message = f"{what}, value {position + 1}, is {_shown(value)}"
            raise DetcheckError(
                "vectors.value", message, where, f"it takes {KIND_WORDS[kind]}, an integer of {least} to {greatest}"
            )
    return tuple(values)


# JSON


class _Refused(ValueError):
    """JSON that is well formed and yet not what a line may hold."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused("a key stands twice")
    return found


def _no_float(text: str) -> NoReturn:
    raise _Refused(f"{visible(text, 40)} is not an integer")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_float=_no_float, parse_constant=_no_float)


def _object(where: Where, text: str, code: str, form: str) -> dict[str, Any]:
    try:
        value = _DECODER.decode(text)
    except _Refused as error:
        raise DetcheckError(code, str(error), where, _expected(form)) from None
    except json.JSONDecodeError as error:
        place = Where(where.file, where.line, error.colno, text)
        raise DetcheckError(code, f"not JSON: {json_words(error.msg)}", place, _expected(form)) from None
    except RecursionError:
        raise DetcheckError(code, "not JSON that is read here: nested too deeply", where, _expected(form)) from None
    except ValueError:  # an integer of thousands of digits
        raise DetcheckError(code, "an integer has far too many digits", where, _expected(form)) from None
    if not isinstance(value, dict):
        raise DetcheckError(code, f"the line is {_shown(value)}, not an object", where, _expected(form))
    return value


def _check_keys(
    where: Where, found: dict[str, Any], known: tuple[str, ...], needed: tuple[str, ...], code: str, form: str
) -> None:
    for key in found:
        if key not in known:
            raise DetcheckError(code, f"unknown key {_shown(key)}", where, _expected(form))
    for key in needed:
        if key not in found:
            raise DetcheckError(code, f"no {key}", where, _expected(form))


def _shown(value: object) -> str:
    """A JSON value as it may stand in a message."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
        return "an integer of far too many digits"
    if isinstance(value, list | dict):
        return "an array" if isinstance(value, list) else "an object"
    return visible(json.dumps(value, ensure_ascii=False), 60)


def _expected(form: str) -> str:
    return f"expected {form}"
