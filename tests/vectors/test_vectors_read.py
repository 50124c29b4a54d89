"""Files of known answers are untrusted: whatever is wrong is said with file and line, and nothing else comes out."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detcheck.errors import DetcheckError
from detcheck.vectors import check
from detcheck.vectors.read import FILE_LIMIT, LINE_LIMIT, open_vectors

HEAD = '{"detcheck":"vectors","version":1,"backend":"fixed_point_16_16","source":"a test"}'
FLOAT = HEAD.replace("fixed_point_16_16", "float_pinned_32")
GOOD = '{"op":"add","in":[1,2],"out":[3]}'
EXAMPLES = 60 * max(1, int(os.environ.get("DETCHECK_EXAMPLES", "1")))


def fault(tmp_path: Path, *lines: str) -> DetcheckError:
    path = tmp_path / "v.jsonl"
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8", "surrogatepass"))
    with pytest.raises(DetcheckError) as caught:
        check(path, ["reference"])
    assert str(path) in str(caught.value)
    return caught.value


BAD_LINES = {
    "blank": ("", "vectors.line"),
    "no JSON": ("{", "vectors.line"),
    "cut": (GOOD[:-5], "vectors.line"),
    "two values": (GOOD + GOOD, "vectors.line"),
    "array": ("[1]", "vectors.line"),
    "number": ("5", "vectors.line"),
    "deep": ("[" * 30_000, "vectors.line"),
    "deep objects": ('{"a":' * 9_000, "vectors.line"),
    "twice": ('{"op":"add","op":"add","in":[1,2],"out":[3]}', "vectors.line"),
    "unknown key": ('{"op":"add","in":[1,2],"out":[3],"note":1}', "vectors.line"),
    "no out": ('{"op":"add","in":[1,2]}', "vectors.line"),
    "no op": ('{"in":[1,2],"out":[3]}', "vectors.line"),
    "a float": ('{"op":"add","in":[1.0,2],"out":[3]}', "vectors.line"),
    "an exponent": ('{"op":"add","in":[1e3,2],"out":[3]}', "vectors.line"),
    "NaN": ('{"op":"add","in":[NaN,2],"out":[3]}', "vectors.line"),
    "infinity": ('{"op":"add","in":[-Infinity,2],"out":[3]}', "vectors.line"),
    "digits": ('{"op":"add","in":[' + "9" * 20_000 + ',2],"out":[3]}', "vectors.line"),
    "many digits": ('{"op":"add","in":[' + "9" * 4_000 + ',2],"out":[3]}', "vectors.value"),
    "unknown op": ('{"op":"fma","in":[1,2,3],"out":[3]}', "vectors.unknown_op"),
    "no text op": ('{"op":["add"],"in":[1,2],"out":[3]}', "vectors.unknown_op"),
    "dunder op": ('{"op":"__class__","in":[],"out":[]}', "vectors.unknown_op"),
    "backend's other method": ('{"op":"literal","in":[1],"out":[1]}', "vectors.unknown_op"),
    "radians on fixed": ('{"op":"sin","in":[1],"out":[1]}', "vectors.unknown_op"),
    "few inputs": ('{"op":"add","in":[1],"out":[3]}', "vectors.value"),
    "many inputs": ('{"op":"add","in":[1,2,3],"out":[3]}', "vectors.value"),
    "inputs no array": ('{"op":"add","in":{"a":1},"out":[3]}', "vectors.value"),
    "no outputs": ('{"op":"add","in":[1,2],"out":[]}', "vectors.value"),
    "out a number": ('{"op":"add","in":[1,2],"out":3}', "vectors.value"),
    "true": ('{"op":"add","in":[true,2],"out":[3]}', "vectors.value"),
    "null": ('{"op":"add","in":[null,2],"out":[3]}', "vectors.value"),
    "a text": ('{"op":"add","in":["1",2],"out":[3]}', "vectors.value"),
    "too large": ('{"op":"add","in":[2147483648,2],"out":[3]}', "vectors.value"),
    "too small": ('{"op":"add","in":[-2147483649,2],"out":[3]}', "vectors.value"),
    "out too large": ('{"op":"add","in":[1,2],"out":[2147483648]}', "vectors.value"),
    "flag of 2": ('{"op":"lt","in":[1,2],"out":[2]}', "vectors.value"),
    "negative angle": ('{"op":"sin_cos","in":[-1],"out":[0,1]}', "vectors.value"),
    "trap and more": ('{"op":"add","in":[1,2],"out":["trap",3]}', "vectors.value"),
    "other word": ('{"op":"add","in":[1,2],"out":["traps"]}', "vectors.value"),
    "control": ('{"op":"\\u001b[31m","in":[1,2],"out":[3]}', "vectors.unknown_op"),
    "surrogate": ('{"op":"\\ud800","in":[1,2],"out":[3]}', "vectors.unknown_op"),
    "raw surrogate": ('{"op":"\ud800","in":[1,2],"out":[3]}', "vectors.line"),
}


@pytest.mark.parametrize("name", list(BAD_LINES))
def test_a_malformed_line_is_named(name: str, tmp_path: Path) -> None:
    """Each kind of fault gives its code, the line's number, and no control character."""
    text, code = BAD_LINES[name]
    found = fault(tmp_path, HEAD, GOOD, text, GOOD)
    assert found.code == code, str(found)
    assert found.where is not None
    assert found.where.line == 3
    assert found.hint
    assert all(c.isprintable() or c == "\n" for c in str(found))


BAD_HEADS = {
    "empty file": ([], "vectors.head"),
    "no head": ([GOOD], "vectors.head"),
    "a dump": (['{"detcheck":"dump","version":1}', GOOD], "vectors.head"),
    "version 2": ([HEAD.replace(":1,", ":2,"), GOOD], "vectors.version"),
    "version true": ([HEAD.replace(":1,", ":true,"), GOOD], "vectors.version"),
    "version text": ([HEAD.replace(":1,", ':"1",'), GOOD], "vectors.version"),
    "no backend": (['{"detcheck":"vectors","version":1}', GOOD], "vectors.head"),
    "unknown backend": ([HEAD.replace("fixed_point_16_16", "fixed\\u001b"), GOOD], "backend.unknown"),
    "backend list": ([HEAD.replace('"fixed_point_16_16"', "[]"), GOOD], "backend.unknown"),
    "unknown key": ([HEAD.replace("source", "sauce"), GOOD], "vectors.head"),
    "source number": ([HEAD.replace('"a test"', "5"), GOOD], "vectors.head"),
    "only a head": ([HEAD], "vectors.line"),
}


@pytest.mark.parametrize("name", list(BAD_HEADS))
def test_a_malformed_head_is_named(name: str, tmp_path: Path) -> None:
    """The first line decides how all are read, so it has to be right; a file that holds no answer says nothing."""
    lines, code = BAD_HEADS[name]
    found = fault(tmp_path, *lines)
    assert found.code == code, str(found)
    assert "\x1b" not in str(found)


def test_limits_of_a_line_and_of_the_file(tmp_path: Path) -> None:
    """A line beyond 64 KiB and a file beyond 256 MiB are refused while reading, not after."""
    long = GOOD[:-1] + " " * LINE_LIMIT + "}"
    assert fault(tmp_path, HEAD, long).code == "vectors.size"
    path = tmp_path / "large.jsonl"
    with path.open("wb") as stream:
        stream.write((HEAD + "\n").encode())
        stream.truncate(FILE_LIMIT + 100)
    with pytest.raises(DetcheckError) as caught:
        check(path)
    assert caught.value.where is not None
    assert caught.value.where.line == 2


def test_the_file_limit_counts_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The size is of what was read, whatever the file system said."""
    monkeypatch.setattr("detcheck.vectors.read.FILE_LIMIT", 200)
    assert fault(tmp_path, HEAD, *[GOOD] * 10).code == "vectors.size"


def test_line_ends_a_bom_and_a_missing_last_newline_are_accepted(tmp_path: Path) -> None:
    """CRLF and a BOM are the writing tool's business."""
    path = tmp_path / "v.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + f"{HEAD}\r\n{GOOD}\r\n{GOOD}".encode())
    report = check(path)
    assert (report.lines, report.equal) == (2, True)


def test_white_space_and_escapes_are_json(tmp_path: Path) -> None:
    """Any JSON spelling of a line is the same line; a source may be left out."""
    path = tmp_path / "v.jsonl"
    path.write_text(
        '{ "backend" : "fixed_point_16_16", "version" : 1, "detcheck" : "vectors" }\n'
        ' { "out" : [ 3 ] , "in":[ 1, 2 ], "op":"\\u0061dd" } \n'
    )
    assert check(path).equal


def test_not_utf8_is_named(tmp_path: Path) -> None:
    """The byte is counted in its line."""
    path = tmp_path / "v.jsonl"
    path.write_bytes(f"{HEAD}\n".encode() + b'{"op":"\xff"}\n')
    with pytest.raises(DetcheckError) as caught:
        check(path)
    assert (caught.value.code, caught.value.where and caught.value.where.line) == ("vectors.line", 2)


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    """A folder, a FIFO and a missing file are refused, the FIFO without waiting for a writer."""
    for path in (tmp_path, tmp_path / "missing", Path("a\0b")):
        with pytest.raises(DetcheckError):
            check(path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "fifo")
        with pytest.raises(DetcheckError):
            check(tmp_path / "fifo")


def test_float_cells_are_unsigned(tmp_path: Path) -> None:
    """On binary32 a value is its pattern: negative numbers are not."""
    path = tmp_path / "v.jsonl"
    path.write_text(f'{FLOAT}\n{{"op":"neg","in":[2147483648],"out":[0]}}\n')
    assert check(path).equal
    assert fault(tmp_path, FLOAT, '{"op":"neg","in":[-1],"out":[0]}').code == "vectors.value"


def read_all(path: Path) -> int:
    try:
        with open_vectors(path) as file:
            return sum(1 for _ in file.lines)
    except DetcheckError as error:
        return -len(str(error))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
lines = st.fixed_dictionaries(
    {},
    optional={
        "op": st.sampled_from(["add", "sin_cos", "lt", "x"]) | json_values,
        "in": json_values,
        "out": json_values,
    },
)


@settings(deadline=None, max_examples=EXAMPLES)
@given(st.binary(max_size=400))
def test_random_bytes_give_errors_only(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Whatever the bytes, reading ends in lines or in the product's own error."""
    path = tmp_path_factory.mktemp("fuzz") / "v.jsonl"
    path.write_bytes(data)
    read_all(path)
    path.write_bytes(HEAD.encode() + b"\n" + data)
    read_all(path)


@settings(deadline=None, max_examples=EXAMPLES)
@given(st.lists(lines, max_size=4), lines)
def test_random_json_gives_errors_only(
    tmp_path_factory: pytest.TempPathFactory, some: list[dict[str, object]], head: dict[str, object]
) -> None:
    """JSON of the right shape with wrong values too."""
    path = tmp_path_factory.mktemp("fuzz") / "v.jsonl"
    path.write_text("\n".join([HEAD, *map(json.dumps, some)]))
    read_all(path)
    path.write_text("\n".join(map(json.dumps, [{"detcheck": "vectors", "version": 1, "backend": "x"} | head, *some])))
    read_all(path)


@settings(deadline=None, max_examples=EXAMPLES)
@given(st.integers(0, len(GOOD) - 1), st.characters(codec="utf-8"))
def test_one_changed_character_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, place: int, character: str
) -> None:
    """A line with one character replaced either still is a line or is an error at line 2."""
    path = tmp_path_factory.mktemp("fuzz") / "v.jsonl"
    path.write_text(f"{HEAD}\n{GOOD[:place]}{character}{GOOD[place + 1 :]}\n", encoding="utf-8", newline="")
    read_all(path)
