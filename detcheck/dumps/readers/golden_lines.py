"""detcheck goldens: a header that is the identity, then a line a checkpoint with the hash and every part."""

from __future__ import annotations

import re
from collections.abc import Iterator

from detcheck.dumps import tokens
from detcheck.dumps.readers.base import NO_FIT, Fit, Reader, Side
from detcheck.dumps.sample import Sample
from detcheck.model.record import Record, Scalar

_LINE = re.compile(r"(\d{1,18}) ([0-9a-f]{16})((?: [^\s=]+=[0-9a-f]{16})*)\s*")
_NOT_IDENTITY = frozenset(("reason", "every", "ticks"))


def sniff(sample: Sample) -> Fit:
    """The first line says so."""
    return Fit(100, "a detcheck golden") if sample.text.startswith("# detcheck golden ") else NO_FIT


def read(side: Side) -> Iterator[Record]:
    """A record a checkpoint; lines that are not as a golden's are remarked on."""
    lines = side.lines()
    for text in lines:
        if text.startswith("#"):
            name, _, value = text[1:].strip().partition(" ")
            if name not in _NOT_IDENTITY and name != "detcheck":
                side.head(name, Scalar("str", value, value))
            continue
        match = _LINE.fullmatch(text)
        if match:
            record = Record(int(match[1]), lines.number)
            record.hashes["hash"] = tokens.hashed(match[2], 16)
            for part in match[3].split():
                name, _, digest = part.partition("=")
                record.hashes.setdefault(name, tokens.hashed(digest, 16))
            yield record
        elif text.strip():
            side.remark(f"line {lines.number} is no line of a golden and was left out")


def head_lines(sample: Sample) -> int:
    """The header."""
    return sum(1 for line in sample.lines if line.startswith("#"))


READER = Reader("detcheck-golden", sniff, read, head_lines)
