"""What a reader may be told from outside: everything is guessed from the content unless it stands here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from detcheck.errors import DetcheckError

#: one JSON document, one line, one group of rows: the most text that is held at a time
MAX_RECORD_BYTES = 64 * 1024 * 1024
#: a side never unpacks to more than this ...
MAX_UNPACKED_BYTES = 8 * 1024**3
#: ... and, once it is past this size, to no more than this many times its packed size (a bomb)
RATIO_FROM_BYTES = 256 * 1024 * 1024
MAX_RATIO = 1000

VALUE_TYPES = ("f32", "f64", "q16", "i32", "u32", "hash", "str")


@dataclass(frozen=True)
class TypeRule:
    """`unit.*.pos=f32`: at paths that fit `pattern` (segments; `*` one, `**` any number) values are of `kind`."""

    pattern: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class ReadOptions:
    """`reader` is a name of readers.READERS; the fields name where the tick and the key of rows stand.

    skip_equal  of a pair, the head that is equal byte for byte is not read
    step_over   nor are later stretches
    """

    reader: str | None = None
    tick_field: str | None = None
    key_field: str | None = None
    types: tuple[TypeRule, ...] = ()
    max_record: int = MAX_RECORD_BYTES
    max_unpacked: int = MAX_UNPACKED_BYTES
    max_ratio: int = MAX_RATIO
    skip_equal: bool = True
    step_over: bool = True


def parse_types(texts: Iterable[str]) -> tuple[TypeRule, ...]:
    """The rules of `--types` options, several also in one text separated by commas. Raises DetcheckError."""
    rules = []
    for text in texts:
        for one in filter(None, (part.strip() for part in text.split(","))):
            pattern, equals, kind = one.partition("=")
            if not equals or not pattern.strip() or kind.strip() not in VALUE_TYPES:
                raise DetcheckError(
                    "options.types",
                    f"--types {one!r}: expected PATH=TYPE",
                    hint=f"TYPE is one of {', '.join(VALUE_TYPES)}; as in --types 'unit.*.pos=f32'",
                )
            rules.append(TypeRule(tuple(pattern.strip().split(".")), kind.strip()))
    return tuple(rules)
