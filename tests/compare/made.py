"""Sources made by hand, so that the comparison is tested without any reader."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from hypothesis import settings

from detcheck.compare.compare import compare
from detcheck.compare.options import Options, make_options
from detcheck.model.comparison import Comparison
from detcheck.model.record import Event, Group, HashBlock, Items, Lanes, Node, Record, Scalar, Source


def examples(count: int) -> Any:
    """Settings of a property test: `count` examples, times DETCHECK_EXAMPLES where it is set; never a deadline."""
    return settings(deadline=None, max_examples=count * int(os.environ.get("DETCHECK_EXAMPLES", "1")))


def scalar(value: Any) -> Scalar:
    """A Python value as the Scalar a JSON reader would give; `Bits` and Scalars as they are."""
    if isinstance(value, Scalar):
        return value
    if value is None:
        return Scalar("null", None, "null")
    if isinstance(value, bool):
        return Scalar("bool", value, str(value).lower())
    if isinstance(value, int):
        return Scalar("int", value, str(value))
    if isinstance(value, float):
        return Scalar("float", value, repr(value))
    return Scalar("str", value, value)


def f32(bits: int) -> Scalar:
    """A tagged binary32 pattern."""
    return Scalar("f32", bits, f"f32:{bits:08x}")


def q16(raw: int) -> Scalar:
    """A Q16.16 raw value."""
    return Scalar("q16", raw, str(raw))


def token(text: str) -> Scalar:
    """A decimal token."""
    return Scalar("float", float(text), text)


def hashed(digits: str) -> Scalar:
    """A hash in hex."""
    return Scalar("hash", int(digits, 16), digits)


def node(value: Any) -> Node:
    """Dicts, lists and values as nodes."""
    if isinstance(value, (Group, Items, Lanes)):
        return value
    if isinstance(value, dict):
        return Group({name: node(inner) for name, inner in value.items()})
    if isinstance(value, (list, tuple)):
        return Items([node(inner) for inner in value])
    return scalar(value)


def record(tick: int | None, fields: Any = None, **more: Any) -> Record:
    """A record: `hash` one hash, `hashes`, `rng`, `inputs`, `events`, `session`, `line` as keywords."""
    hashes = {name: hashed(text) for name, text in more.pop("hashes", {}).items()}
    if "hash" in more:
        hashes["hash"] = hashed(more.pop("hash"))
    group = node({} if fields is None else fields)
    assert isinstance(group, Group)
    inputs = more.pop("inputs", None)
    return Record(
        tick,
        line=more.pop("line", 1),
        hashes=hashes,
        rng={name: node(value) for name, value in more.pop("rng", {}).items()},
        inputs=None if inputs is None else node(inputs),
        fields=group,
        **more,
    )


def event(label: str, fields: Any = None, is_rng: bool = False) -> Event:
    """A trace entry."""
    group = node(fields or {})
    assert isinstance(group, Group)
    return Event(label, group, is_rng=is_rng)


def source(records: Iterable[Record], name: str = "side", **more: Any) -> Source:
    """A side."""
    head = {key: scalar(value) for key, value in more.pop("head", {}).items()}
    return Source(name, "made", iter(list(records)), head=head, **more)


def blocks(ticks: Sequence[int], tokens: Sequence[str], size: int = 1000) -> Source:
    """A plain hash stream given in bulk."""
    made = [
        HashBlock(list(ticks[i : i + size]), list(tokens[i : i + size]), line=i + 1) for i in range(0, len(ticks), size)
    ]
    return Source("bulk", "made", iter(()), blocks=iter(made))


def hash_records(ticks: Sequence[int], tokens: Sequence[str]) -> list[Record]:
    """The same stream as records."""
    return [record(tick, hash=text, line=i + 1) for i, (tick, text) in enumerate(zip(ticks, tokens, strict=True))]


def compared(a: Iterable[Record], b: Iterable[Record], **options: Any) -> Comparison:
    """Compare two lists of records; keywords as for make_options."""
    return compare(source(a, "a"), source(b, "b"), make_options(**options))


def one(a: Any, b: Any, **options: Any) -> Comparison:
    """Compare two single states at tick 5."""
    return compared([record(5, a)], [record(5, b)], **options)


def paths(found: Comparison) -> list[str]:
    """The paths of its findings."""
    return [finding.path for finding in found.findings]


def kinds(found: Comparison) -> list[tuple[str, str]]:
    """(kind, path) of its findings."""
    return [(finding.kind, finding.path) for finding in found.findings]


def said(found: Comparison, *words: str) -> bool:
    """Whether one note, or the reason, holds all the words."""
    return any(all(word in text for word in words) for text in (*found.notes, found.reason))


def pairs(before: Any, a: Any, b: Any, after: Any = None) -> tuple[list[Record], list[Record]]:
    """An equal tick, the unlike one, and perhaps an equal one."""
    sides = []
    for fields in (a, b):
        records = [record(1, before), record(2, fields)]
        sides.append([*records, record(3, after)] if after is not None else records)
    return sides[0], sides[1]


def causes(found: Comparison) -> set[str]:
    """The names of the causes."""
    return {cause.name for cause in found.causes}


__all__ = ["Options"]
